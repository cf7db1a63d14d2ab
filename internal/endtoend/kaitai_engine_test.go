//go:build unix

package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fieldsScript writes a save field by field where there is none, and otherwise says what it reads there.
const fieldsScript = `extends MainLoop

func _init():
	var f = File.new()
	if f.open("res://godot.sav", File.READ) != OK:
		f.open("res://godot.sav", File.WRITE)
		f.store_32(3)
		f.store_pascal_string("Mira")
		f.store_var({"gold": 12, "pos": Vector2(1.5, -2), "items": ["potion", null]})
		f.store_32(250)
		f.close()
		return
	print("read ", f.get_32(), " ", f.get_pascal_string(), " ", f.get_var(), " ", f.get_32(), " ", f.get_position() == f.get_len())

func _iteration(_delta):
	return true
`

// TestDescribedGodotSave edits a save that Godot has written field by field, a Variant among them, and
// Godot loads it.
func TestDescribedGodotSave(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is saved")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"godot3.gd": fieldsScript, "project.godot": "config_version=4\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runEngine(t, dir)
	save, format := filepath.Join(dir, "godot.sav"), "testdata/kaitai/godot.ksy"
	written, err := os.ReadFile(save)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile("testdata/kaitai/godot.sav"); err != nil || string(kept) != string(written) {
		t.Errorf("the engine writes %q (%v)", written, err)
	}
	run(t, 0, "check", "--ksy", format, save)
	run(t, 0, "set", "--ksy", format, save, `name="Vera"`, "state.gold=99", "state.pos.y=7", `state.items[0]="elixir"`, "steps=251")
	const want = `read 3 Vera {gold:99, items:[elixir, Null], pos:(1.5, 7)} 251 True`
	if said := runEngine(t, dir); !strings.Contains(said, want) {
		t.Errorf("the engine says %s", said)
	}
}

// TestKaitaiRuntime edits described files at random; Kaitai's own runtime sees each edit and nothing else changed.
func TestKaitaiRuntime(t *testing.T) {
	folder := os.Getenv("NODE_PATH")
	if _, err := os.Stat(filepath.Join(folder, "kaitai-struct-compiler")); folder == "" || err != nil {
		t.Skip("Kaitai's runtime is not here: NODE_PATH names no node_modules with kaitai-struct-compiler, kaitai-struct and yaml")
	}
	out, err := exec.Command("node", "bench/kaitai/edits.js", "varview", "20", "1", "testdata/kaitai").CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
