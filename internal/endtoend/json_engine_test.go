//go:build unix

package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// jsonScript saves JSON with a password where there is no save, and otherwise says what it reads there.
const jsonScript = `extends MainLoop

func _init():
	var f = File.new()
	if f.open_encrypted_with_pass("res://save.dat", File.READ, "Pässwort") != OK:
		f.open_encrypted_with_pass("res://save.dat", File.WRITE, "Pässwort")
		f.store_string('{"player": {"name": "Mira", "gold": 12}, "items": ["potion"]}')
		f.close()
		return
	var text = f.get_as_text()
	print("read ", text, " as ", JSON.parse(text).result.player.gold, " ", JSON.parse(text).result["items"])

func _iteration(_delta):
	return true
`

// TestEncryptedJSON edits a save that Godot has encrypted, and Godot loads it.
func TestEncryptedJSON(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless) to load what is saved")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"godot3.gd": jsonScript, "project.godot": "config_version=4\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runEngine(t, dir)
	save := filepath.Join(dir, "save.dat")
	if got := run(t, 0, "get", save, "player", "--password", "Pässwort").stdout; got != `{"name": "Mira", "gold": 12}`+"\n" {
		t.Errorf("it reads as %s", got)
	}
	run(t, 0, "set", save, "player.gold=99999", "--password", "Pässwort")
	run(t, 0, "insert", save, `items[1]="bow"`, "--password", "Pässwort")
	const want = `read {"player": {"name": "Mira", "gold": 99999}, "items": ["potion", "bow"]} as 99999 [potion, bow]`
	if said := runEngine(t, dir); !strings.Contains(said, want) {
		t.Errorf("the engine says %s", said)
	}
}
