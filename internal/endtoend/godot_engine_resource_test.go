//go:build unix

package endtoend

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestGodotEngineResource edits resources with the command line and has Godot 3 load them. They are of
// classes of the engine, so that they need no script.
func TestGodotEngineResource(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is saved")
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	var files []string
	edit := func(name, from string, edits ...[]string) {
		t.Helper()
		data := readFile(t, "testdata/resource/"+from)
		if err := os.WriteFile(file(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			run(t, 0, append([]string{e[0], file(name), "--force"}, e[1:]...)...)
		}
		files = append(files, file(name))
	}
	long := strings.Repeat("a name of any length ", 40)
	edit("name.res", "godot3-gradient.res",
		[]string{"set", `properties.resource_name="` + long + `"`}, []string{"set", "properties.offsets=PoolRealArray(0, 0.25, 0.5, 1)"},
		[]string{"delete", "properties.colors"})
	edit("inserted.res", "godot3-gradient.res", []string{"delete", "properties.resource_name"},
		[]string{"insert", `properties.resource_local_to_scene=true`}, []string{"set", `properties.offsets@key="resource_name"`, "--retype"},
		[]string{"set", `properties.resource_name="x"`, "--retype"})
	edit("sub.res", "godot3-ramp.res",
		[]string{"insert", `resources[0]=Object(Gradient, "offsets": PoolRealArray(0, 0.5), "resource_name": "inside")`},
		[]string{"set", `properties.gradient=SubResource("3")`, "--retype"})
	edit("packed.res", "godot3-gradient-packed.res", []string{"set", `properties.resource_name="` + long + `"`})
	edit("big.res", "godot3-gradient-big.res", []string{"set", `properties.resource_name="big"`})

	said := loadResources(t, files)
	want := []map[string]string{
		{"resource_name": `"` + long + `"`, "offsets": "PoolRealArray( 0, 0.25, 0.5, 1 )", "resource_local_to_scene": "false"},
		{"resource_name": `"x"`, "resource_local_to_scene": "true"},
		{"gradient": "Gradient PoolRealArray( 0, 0.5 )inside"},
		{"resource_name": `"` + long + `"`},
		{"resource_name": `"big"`},
	}
	for i, w := range want {
		for name, text := range w {
			if said[i][name] != text {
				t.Errorf("%s: %s is %q, want %q", filepath.Base(files[i]), name, said[i][name], text)
			}
		}
	}
}

// TestGodotEngineConvertResource converts resources with the command line, and has Godot 3 load them: their
// properties are the same in both forms.
func TestGodotEngineConvertResource(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is converted")
	}
	dir := t.TempDir()
	var files []string
	for i, from := range []string{"resource/godot3-gradient.res", "resource/godot3-gradient-packed.res", "resource/godot3-gradient-big.res", "resource/godot3-ramp.res", "godot-text/ramp.tres"} {
		name := filepath.Join(dir, strconv.Itoa(i))
		to, ending, back := "godot3-text", ".tres", ".res"
		if strings.HasSuffix(from, ending) {
			to, ending, back = "godot3-resource", back, ending
		}
		if err := os.WriteFile(name+back, readFile(t, "testdata/"+from), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, 0, "convert", name+back, "--to", to, "-o", name+ending)
		files = append(files, name+back, name+ending)
	}
	said := loadResources(t, files)
	for i := 0; i < len(said); i += 2 {
		if len(said[i]) < 3 || !maps.Equal(said[i], said[i+1]) && filepath.Base(files[i]) != "2.res" { // Godot 3 misreads arrays of big-endian files
			t.Errorf("%s: %v, converted %v", files[i], said[i], said[i+1])
		}
	}
}

// loadResources has Godot 3 load files, and returns what their properties are.
func loadResources(t *testing.T, files []string) (said []map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"resource.gd": readFile(t, "testdata/engine/resource.gd"), "project.godot": []byte("config_version=4\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "godot3-server", "--path", dir, "-s", "resource.gd")
	cmd.Env = append(os.Environ(), "HOME="+dir, "FILES="+strings.Join(files, "\n"))
	out, err := cmd.CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if text, ok := strings.CutPrefix(line, "loaded: "); ok {
			var properties map[string]string
			decode(t, text, &properties)
			said = append(said, properties)
		}
	}
	if len(said) != len(files) {
		t.Fatalf("%d of %d files: %v %s", len(said), len(files), err, out)
	}
	return said
}
