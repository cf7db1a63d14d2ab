package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/formats/elephant/gml"
	"varview/model/schemas"
)

// gmlFolder makes files in a folder of their own.
func gmlFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const (
	slime  = "function Slime() constructor { ELEPHANT_SCHEMA { v1 : { hp : buffer_u8, }, } }\n"
	dragon = "function Dragon() constructor { ELEPHANT_SCHEMA { v1 : { fire : buffer_f32, }, } }\n"
	cut    = "function Cut() constructor {\n"
)

// constructorNames lists the constructors of each library.
func constructorNames(all []format.Schemas) string {
	var parts []string
	for _, l := range all {
		parts = append(parts, strings.Join(l.(*gml.Library).Constructors(), "+"))
	}
	return strings.Join(parts, " ")
}

func TestSchemas(t *testing.T) {
	given := gmlFolder(t, map[string]string{"given.gml": slime})
	beside := gmlFolder(t, map[string]string{"a.gml": dragon, "save.dat": ""})
	bare := gmlFolder(t, map[string]string{"save.dat": ""})
	for _, test := range []struct {
		save     string
		explicit []string
		want     string
	}{
		{filepath.Join(beside, "save.dat"), nil, "Dragon"},
		{filepath.Join(beside, "save.dat"), []string{given}, "Slime Dragon"},
		{filepath.Join(bare, "save.dat"), []string{filepath.Join(given, "given.gml")}, "Slime"},
		{filepath.Join(bare, "save.dat"), nil, ""},
		{"-", []string{given}, "Slime"},
		{"", nil, ""},
	} {
		got := constructorNames(schemas.NewLoader(test.explicit, func(err error) { t.Error(err) }).For(test.save)())
		if got != test.want {
			t.Errorf("%s with %s: %q, want %q", test.save, test.explicit, got, test.want)
		}
	}
}

// TestSchemaErrors holds that what cannot be read is told once, however many
// saves it belongs to, and that the rest is there.
func TestSchemaErrors(t *testing.T) {
	folder := gmlFolder(t, map[string]string{"a.gml": slime, "b.gml": cut})
	var told []string
	l := schemas.NewLoader([]string{folder}, func(err error) { told = append(told, err.Error()) })
	for _, save := range []string{"-", filepath.Join(folder, "one.dat"), filepath.Join(folder, "two.dat")} {
		all := l.For(save)()
		if _, ok := all[0].(*gml.Library).Constructor("Slime"); !ok {
			t.Errorf("%s: %q", save, constructorNames(all))
		}
	}
	want := filepath.Join(folder, "b.gml") + ":1:28: "
	if len(told) != 1 || !strings.HasPrefix(told[0], want) {
		t.Errorf("told %q, want one that begins with %q", told, want)
	}
}

// TestSchemasKept holds that the libraries of saves in one folder are loaded
// once, and those of another folder again.
func TestSchemasKept(t *testing.T) {
	one, two := gmlFolder(t, map[string]string{"a.gml": slime}), gmlFolder(t, map[string]string{"a.gml": dragon})
	l := schemas.NewLoader(nil, func(err error) { t.Error(err) })
	a, b := l.For(filepath.Join(one, "a.dat"))(), l.For(filepath.Join(one, "b.dat"))()
	if a[0] != b[0] {
		t.Error("loaded again for a save beside the first")
	}
	if c := l.For(filepath.Join(two, "a.dat"))(); constructorNames(c) != "Dragon" {
		t.Errorf("another folder: %q", constructorNames(c))
	}
}
