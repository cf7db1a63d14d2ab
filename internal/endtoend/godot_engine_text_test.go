//go:build unix

package endtoend

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/model/savetest"
)

// TestGodotEngineText edits text resources with the command line and has Godot 3 load them.
func TestGodotEngineText(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is saved")
	}
	dir := t.TempDir()
	var files []string
	edit := func(name string, edits ...[]string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, readFile(t, "testdata/godot-text/ramp.tres"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			run(t, 0, append([]string{e[0], file, "--force"}, e[1:]...)...)
		}
		files = append(files, file)
	}
	edit("as-it-is.tres")
	edit("values.tres", []string{"set", `properties.resource_name="a\"b\\\nc ; é"`, "resources[0].properties.offsets[1]=0.25"},
		[]string{"insert", "properties.resource_local_to_scene=true"})
	edit("inserted.tres", []string{"insert", `resources[1]={"type": "Gradient", "id": 7, "properties": {"offsets": PoolRealArray(0, 0.5), "resource_name": "new"}}`},
		[]string{"set", "properties.gradient=SubResource(7)"}, []string{"delete", "resources[0]"}, []string{"delete", "properties.resource_name"})
	said := loadResources(t, files)
	for i, w := range []map[string]string{
		{"resource_name": `"ramp"`, "gradient": "Gradient PoolRealArray( 0, 0.5, 1 )"},
		{"resource_name": "\"a\\\"b\\\\\nc ; é\"", "gradient": "Gradient PoolRealArray( 0, 0.25, 1 )", "resource_local_to_scene": "true"},
		{"resource_name": `""`, "gradient": "Gradient PoolRealArray( 0, 0.5 )new"},
	} {
		for name, text := range w {
			if said[i][name] != text {
				t.Errorf("%s: %s is %q, want %q", filepath.Base(files[i]), name, said[i][name], text)
			}
		}
	}
}

// configScript saves an encrypted ConfigFile where there is none, and otherwise says what it reads there and in
// one that is not encrypted.
const configScript = `extends MainLoop

func _init():
	var c = ConfigFile.new()
	if c.load_encrypted_pass("res://locked.cfg", "Pässwort") != OK:
		c.load("res://settings.cfg")
		c.save_encrypted_pass("res://locked.cfg", "Pässwort")
		return
	for file in [c, ConfigFile.new()]:
		if file != c:
			print("error ", file.load("res://settings.cfg"))
		for section in file.get_sections():
			for key in file.get_section_keys(section):
				print(section, ".", key, " = ", var2str(file.get_value(section, key)))

func _iteration(_delta):
	return true
`

// TestGodotEngineConfig edits a ConfigFile, and one that Godot has encrypted, and Godot loads both.
func TestGodotEngineConfig(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is saved")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"godot3.gd": configScript, "project.godot": "config_version=4\n", "settings.cfg": string(readFile(t, "testdata/godot-text/settings.cfg"))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runEngine(t, dir)
	for _, name := range []string{"locked.cfg", "settings.cfg"} {
		file := filepath.Join(dir, name)
		run(t, 0, "set", file, "sections[0].properties.hp=100", `sections[0].properties.name="a\"b = [c]\nd"`, "sections[0].properties.spawn=Vector2(1, 2)",
			"--password", "Pässwort", "--force")
		run(t, 0, "insert", file, `sections[0].properties.items[1]={"id": "bow"}`, `sections[1].properties.speed=[0.5, null]`, "--password", "Pässwort", "--force")
		run(t, 0, "insert", file, `["new one"]={"k": Color(1, 0, 0, 1)}`, "--password", "Pässwort", "--force")
		run(t, 0, "delete", file, "sections[1].properties.muted", "--password", "Pässwort", "--force")
	}
	const want = `player.name = "a\"b = [c]
d"
player.hp = 100
player.spawn = Vector2( 1, 2 )
player.items = [ "potion", {
"id": "bow"
}, "rope" ]
sound.volume = 0.75
sound.speed = [ 0.5, null ]
new one.k = Color( 1, 0, 0, 1 )
`
	if said := runEngine(t, dir); !strings.HasSuffix(said, want+"error 0\n"+want) {
		t.Errorf("the engine says %s", said)
	}
}

const repairedScript = `extends SceneTree

func _init():
	var folder = Directory.new()
	folder.open("res://")
	folder.list_dir_begin()
	var name = folder.get_next()
	while name != "":
		if name.ends_with(".cfg"):
			print(name, " error ", ConfigFile.new().load("res://" + name))
		name = folder.get_next()
	quit()

func _iteration(_delta):
	return true
`

// TestGodotEngineRepaired damages a ConfigFile at random: what is repaired with nothing left, or in which nothing is
// wrong, loads in Godot 3. -edits 400 tries more.
func TestGodotEngineRepaired(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is repaired")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"godot3.gd": repairedScript, "project.godot": "config_version=4\n"} {
		savetest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	text := append(readFile(t, "testdata/godot-text/settings.cfg"), "pool=PoolByteArray( 1, 2 )\nkeys={\n\"a\": [ 1, \"b\\\"c\" ],\n\"d\": NodePath(\"e\")\n}\n"...)
	r := rand.New(rand.NewPCG(1, 2))
	claimed := map[string]string{} // files in which nothing is left, with what was said of them
	for i := range *edits / 2 {
		name := fmt.Sprintf("%d.cfg", i)
		file := filepath.Join(dir, "damaged")
		savetest.Must(t, os.WriteFile(file, damagedText(r, text), 0o600))
		if said, status := start(t, []string{"repair", "--as", "configfile", file, "-o", filepath.Join(dir, name)}); status == 0 {
			claimed[name] = said.stdout
		}
	}
	if len(claimed) < *edits/6 {
		t.Errorf("of %d files only %d are repaired", *edits/2, len(claimed))
	}
	for line := range strings.Lines(runEngine(t, dir)) {
		name, code, ok := strings.Cut(strings.TrimSpace(line), " error ")
		if said, is := claimed[name]; ok && is && code != "0" {
			t.Errorf("the engine refuses %q, of which is said: %s", readFile(t, filepath.Join(dir, name)), said)
		}
	}
}

// damagedText returns a text with one to three damages.
func damagedText(r *rand.Rand, text []byte) []byte {
	b := bytes.Clone(text)
	for range 1 + r.IntN(3) {
		at, n := r.IntN(len(b)-20), 1+r.IntN(12)
		switch r.IntN(6) {
		case 0:
			b = slices.Delete(b, at, at+1+r.IntN(3))
		case 1:
			b = slices.Insert(b, at, []byte("\"[]{}(),=:;\\ \n\x00a1-.")[r.IntN(19)])
		case 2:
			b[at] ^= 1 << r.IntN(8)
		case 3:
			clear(b[at : at+n])
		case 4:
			b = slices.Insert(b, at, bytes.Clone(b[at:at+n])...)
		case 5:
			b = b[:max(at, len(b)*2/3)]
		}
	}
	return b
}
