package decoder

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"varview/decoder/engine/source"
)

// TestWords: a short text that could be digits, but holds no value in them, is no damaged value.
func TestWords(t *testing.T) {
	for _, c := range []struct{ text, title string }{
		{"Hero\n", "text file"}, {"Level3", "text file"}, {"GameOver", "text file"}, {"PlayerOne123456x", "text file"},
		{"12221010130020229322112123003210\n3112202122112193101211223020\n", "lines"},
		{"AgAAAAUAAAA=", "Godot 4"}, {"BAAAAAQAAABI\nZXJv\n", "Godot 4"}, {"0200000005000000", "Godot 4"}, {"5B02000003000000", "GameMaker data structure"}, // of a cut grid
	} {
		if d := open(t, []byte(c.text), Options{}); d.Title != c.title {
			t.Errorf("%q: %s, want %s", c.text, d.Title, c.title)
		}
	}
}

// TestConfigOrIni: what a file is called does not make it a ConfigFile if Godot does not read its values.
func TestConfigOrIni(t *testing.T) {
	for text, want := range map[string]string{
		"[a]\nx=5\n": "configfile", "[a]\n\nx=5\n": "configfile", "[a]\nx=5\ny=6\npath = C:/x (USA).exe\nip = 127.0.0.1\n": "ini", "[a]\nx=Vector2(1, 2)\ny=@\n": "configfile",
		"size=1010,\ndir=\"./a\"\n": "properties", "size=1010 ; px\ndir=\"./a\"\nat=NodePath(\"b\")\nv=Vector2(1, 2)\n": "configfile", "d={\n\"a\": 1\n}\n": "configfile",
	} {
		if d := open(t, []byte(text), Options{Name: "settings.cfg"}); d.Dialect != want {
			t.Errorf("%q: %s, want %s", text, d.Dialect, want)
		}
	}
}

// TestNumberOrDigits: the hexadecimal text of an empty structure is often a decimal number too. It is the structure,
// unless the file is called JSON, and all other numbers are JSON.
func TestNumberOrDigits(t *testing.T) {
	layers := func(name, text string) (dialect string, wrappers []string) {
		d, err := Open(context.Background(), source.Bytes(text), Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for _, l := range d.Layers {
			wrappers = append(wrappers, l.Kind.String())
		}
		return d.Dialect, wrappers
	}
	counts := map[uint32]int{1: 1, 2: 3, 3: 1, 4: 1, 5: 1, 6: 2} // of each structure
	for kind, n := range counts {
		for version := uint32(1); version <= 3; version++ {
			text := hex.EncodeToString(append(binary.LittleEndian.AppendUint32(nil, 100*kind+version), make([]byte, 4*n)...))
			for _, name := range []string{"", "save.txt", "save.dat"} {
				if dialect, wrappers := layers(name, text); dialect != "gamemaker-ds" || !slices.Equal(wrappers, []string{"hex"}) {
					t.Errorf("%s in %q: %s in %q", text, name, dialect, wrappers)
				}
			}
		}
	}
	numbers := []string{"0", "12345678", "1e5", "-1.5", "12.305715763757519", "710897003801087149", "9007199254740993", "9712345678901234"}
	for i := range 40 {
		numbers = append(numbers, fmt.Sprint(1_000_000_000_000_000+uint64(i)*223_606_797_749_978))
	}
	for _, text := range numbers {
		for _, name := range []string{"", "score.txt", "score.json"} {
			if dialect, wrappers := layers(name, text); dialect != "json" || len(wrappers) > 0 {
				t.Errorf("%s in %q: %s in %q", text, name, dialect, wrappers)
			}
		}
	}
	if dialect, wrappers := layers("score.json", "9301000000000000"); dialect != "json" || len(wrappers) > 0 {
		t.Errorf("a number in a .json: %s in %q", dialect, wrappers)
	}
}
