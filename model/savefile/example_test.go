package savefile_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"varview/model/savefile"
)

func Example() {
	f, err := savefile.Open("../../testdata/godot4/save-player-stats.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	v, err := f.Get("$[0]")
	if err != nil {
		log.Fatal(err)
	}
	var player struct {
		Name  string
		HP    int
		Stats map[string]float64
	}
	if err := v.Decode(&player); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Dialect(), player.Name, player.HP, player.Stats["luck"])
	// Output: godot4 Aria 83 0.15
}

func ExampleFile_Set() {
	f, err := savefile.Open("../../testdata/godot4/save-player-stats.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	err = errors.Join(f.Set("$[0].hp", 120), f.Set("$[0].position", savefile.Literal("Vector3(0, 4, 0)")))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Set("$[0].hp", "full"))
	// f.Save() replaces the file now.

	// Output: $[0].hp: the types do not match: the new value is String, the old one int
}

func ExampleFile_Values() {
	f, err := savefile.Open("../../testdata/godot4/save-player-stats.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for v, err := range f.Values() {
		if err != nil {
			log.Fatal(err)
		}
		if v.Type() == "StringName" {
			fmt.Println(v.Path(), v.Literal())
		}
	}
	// Output:
	// $[0].class &"ranger"
	// $[0].buffs[0].id &"haste"
	// $[0].buffs[1].id &"regen"
}

func ExampleFile_Fields() {
	f, err := savefile.Open("../../testdata/godot3/bool-true.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for field, err := range f.Fields() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(field.Offset, field.Length, field.Kind, field.Text)
	}
	// Output:
	// 0 2 type bool
	// 2 2 flags 0
	// 4 4 value true
}

func ExampleFile_Check() {
	file, err := os.Open("../../testdata/damaged/unknown-type-in-second-frame.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	f, err := savefile.Read(file)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for p, err := range f.Check() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s at %#x: %s (%s)\n", p.Severity, p.Offset, p.Message, p.Code)
	}
	// Output: error at 0x14: Godot 4 has no type 77; as int all that follows can be read (unknown-type)
}

func ExampleCreate() {
	type item struct {
		Name  string `save:"name"`
		Count int    `save:"count"`
	}
	f, err := savefile.Create("godot4", []any{map[string]any{"gold": 5, "items": []item{{"torch", 2}, {"potion", 1}}}}, savefile.Framing("stream"))
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	err = errors.Join(
		f.Insert("$[0].items[1]", item{"rope", 1}),
		f.Insert("$[0].level", 3),
		f.Delete("$..items[count<=1 && name!=\"rope\"]"),
		f.Set("$[0].items[0]", struct{ Count int }{9}))
	if err != nil {
		log.Fatal(err)
	}
	for v, err := range f.All("$..items[*].*") {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(v.Path(), v.Literal())
	}
	// Output:
	// $[0].items[0].name "torch"
	// $[0].items[0].count 9
	// $[0].items[1].name "rope"
	// $[0].items[1].count 1
}

func ExampleFile_Repair() {
	f, err := savefile.Open("../../testdata/damaged/unknown-type-in-second-frame.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	repaired, err := f.Repair()
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range repaired {
		fmt.Println(p.Path, p.Repair)
	}
	for p := range f.Check() {
		fmt.Println("left:", p.Message)
	}
	// Output: $[1] make it int
}

func ExampleFile_Diff() {
	f, err := savefile.Open("../../testdata/godot4/save-player-stats.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	other, err := savefile.Open("../../testdata/godot4/save-player-stats.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer other.Close()
	if err := errors.Join(other.Set("$[0].hp", 84), other.Delete("$[0].buffs[1]")); err != nil {
		log.Fatal(err)
	}
	for c, err := range f.Diff(other) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Kind, c.Path, c.New.Literal())
	}
	// Output:
	// changed $[0].hp 84
	// removed $[0].buffs[1]
}
