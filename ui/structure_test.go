package ui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// Values are inserted, deleted and moved.
func TestStructure(t *testing.T) {
	one, two, three := integer(1), str("two"), integer(3)
	list := array(one, two, three)
	tests := []struct {
		name string
		data []byte
		keys string // from the first row on
		want []byte
	}{
		{"after", list, "ja9\r", array(one, integer(9), two, three)},
		{"before", list, "ji9\r", array(integer(9), one, two, three)},
		{"at the end", list, "A9\r", array(one, two, three, integer(9))},
		{"at the end from within", list, "jA9\r", array(one, two, three, integer(9))},
		{"into an empty one", array(), "A\"x\"\r", array(str("x"))},
		{"into an empty dictionary", dictionary(), "Ak\r1\r", dictionary(str("k"), integer(1))},
		{"a key that is no text", dictionary(), "A\x145\r1\r", dictionary(integer(5), integer(1))},
		{"frame", stream(one), "ga7\r", stream(one, integer(7))},
		{"delete", list, "jjdd", array(one, three)},
		{"delete the last", list, "Gdd", array(one, two)},
		{"duplicate", list, "jjD", array(one, two, two, three)},
		{"down", list, "jJJ", array(two, three, one)},
		{"up", list, "GKK", array(three, one, two)},
		{"no further", list, "jKGJ", list},
		{"cut and paste", list, "jxjp", array(two, three, one)},
		{"paste before", list, "jxGP", array(two, one, three)},
		{"copy", list, "jyGp", array(one, two, three, one)},
		{"entries", dictionary(str("a"), one, str("b"), two), "jJ", dictionary(str("b"), two, str("a"), one)},
		{"paste with its key", dictionary(str("a"), one, str("b"), two), "jxjp", dictionary(str("b"), two, str("a"), one)},
		{"paste with another key", dictionary(str("a"), one, str("b"), two), "jyp2\r", dictionary(str("a"), one, str("a2"), one, str("b"), two)},
		{"paste without a key", array(one, dictionary(str("a"), two)), "jyjljpk\r", array(one, dictionary(str("a"), two, str("k"), one))},
		{"duplicate with a key", dictionary(str("a"), one), "jDz\r", dictionary(str("a"), one, str("z"), one)},
		{"left", list, "ja9\x1b", list},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := openScreen(t, save(t, test.data), 100, 24, termenv.Ascii)
			s.typeText(test.keys)
			s.frame()
			s.wantBytes(test.want)
			if s.editor() != nil {
				t.Errorf("still typing: %v", s.frame())
			}
			s.undoAll(test.data)
			for s.m.desk.Doc.CanRedo() {
				s.press("ctrl+r")
			}
			s.wantBytes(test.want)
		})
	}
}

// Deleting the target of references asks what becomes of them.
func TestOrphans(t *testing.T) {
	const file = "elephant/v1-5-1-ref-same-empty-array.bin"
	for _, test := range []struct {
		answer string
		want   []string
	}{
		{"u", []string{"[0]  undefined", "[1]  []", "[2]  undefined"}},
		{"i", []string{"[0]  []", "[1]  []", "[2]  → $[0]"}},
		{"esc", nil},
	} {
		t.Run(test.answer, func(t *testing.T) {
			s := openScreen(t, repoFile(file), 120, 24, termenv.Ascii)
			was := s.bytes()
			s.press("j", "d d")
			s.wantShown("2 references lead to $[0]")
			s.press(test.answer)
			if test.want == nil {
				s.wantShown("nothing was changed")
				s.wantBytes(was)
				return
			}
			s.wantShown("u undoes it")
			for _, row := range test.want {
				s.wantShown(row)
			}
			s.press("u")
			s.wantBytes(was)
		})
	}
}

// A file is converted into another version, and back by undo.
func TestConvert(t *testing.T) {
	s := openScreen(t, repoFile("elephant/v1-4-0-ref-parent-child.bin"), 120, 24, termenv.Ascii)
	was := s.bytes()
	s.wantShown("Elephant 1.4.0")
	s.enter(":", "convert 1.5.1")
	s.wantShown("Elephant 1.5.1")
	s.wantShown("convert to elephant-1.5.1; u undoes it")
	if got := s.bytes()[4:8]; string(got) != "\x01\x05\x01\x00" { // major, minor, patch of the header
		t.Errorf("version % x", got)
	}
	s.press("u")
	s.wantShown("Elephant 1.4.0")
	s.wantBytes(was)
	s.enter(":", "convert")
	s.wantShown(":convert needs a dialect")
	s.wantShown("elephant-1.5.1")
	s.enter(":", "convert 9.9")
	if !s.m.desk.Message.IsError {
		t.Errorf("a version that does not exist: %q", s.m.desk.Message.Text)
	}
	other := openStats(t)
	other.enter(":", "convert 1.5.1")
	other.wantShown("Godot 4")
	other.enter(":", "convert godot3")
	other.wantShown("the bytes do not say which dialect")
	other.wantShown(":convert godot3")
}

// Values are converted into another file as varview convert does it, with their edits; the open file
// stays as it is. What the other dialect does not have is not lost unasked.
func TestConvertToFile(t *testing.T) {
	s := openScreen(t, save(t, array(integer(1), words(6, 3, 4), integer(3))), 120, 24, termenv.Ascii) // the second is Vector2i(3, 4)
	out := filepath.Join(t.TempDir(), "out.bin")
	s.enter(":", "set $[0]=5")
	s.enter(":", "convert godot3 "+out)
	s.wantShown("not converted: 1 value without a counterpart, the first at $[1]")
	s.wantShown("--as-null")
	if _, err := os.Stat(out); err == nil {
		t.Fatal("it is written all the same")
	}
	s.enter(":", "convert godot3 "+out+" --as-null")
	s.wantShown("converted to godot3")
	s.wantShown("modified")
	want := words(19, 3, 2, 5, 0, 2, 3) // Array, int, Nil, int of Godot 3
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, %v, want % x", got, err, want)
	}
	s.enter(":", "convert godot3 "+out)
	s.wantShown("exists already; :convert! replaces it")
	s.enter(":", "convert! godot3 --drop "+out)
	if got, _ := os.ReadFile(out); !bytes.Equal(got, words(19, 2, 2, 5, 2, 3)) {
		t.Errorf("with --drop % x", got)
	}
	s.enter(":", "convert! godot3 "+s.path+" --drop")
	s.wantShown("another dialect has to be written into another file")
	s.enter(":", "convert godot9 "+out)
	if !s.m.desk.Message.IsError {
		t.Error("a dialect that does not exist")
	}
	s.typeText(":convert ")
	if got := strings.Join(s.popup(), " "); !strings.Contains(got, "godot3") || strings.Contains(got, "elephant") {
		t.Errorf("offered are %s", got)
	}
	s.typeText("godot3 --")
	if got := strings.Join(s.popup(), " "); !strings.HasPrefix(got, "--drop --as-null") {
		t.Errorf("offered are %s", got)
	}
}

// A wrapped file is converted with its wrapper.
func TestConvertWrapped(t *testing.T) {
	s := openRepo(t, "wrapped/godot4-gcpf-zstd-small.bin", 120, 24)
	out := filepath.Join(t.TempDir(), "out.bin")
	s.enter(":", "convert godot3 "+out)
	s.wantShown("converted to godot3")
	s = openScreen(t, out, 120, 24, termenv.Ascii)
	s.enter(":", "as godot3")
	s.wantShown("GCPF Zstandard → Godot 3")
	s.wantShown(`"name": "Ann"`)
}

// If nothing can be added next to the only value, no editor opens.
func TestNothingBesideTheOnlyValue(t *testing.T) {
	s := openScreen(t, save(t, array(integer(1))), 100, 24, termenv.Ascii)
	for _, key := range []string{"a", "i"} {
		s.press("g", key)
		if s.editor() != nil {
			t.Fatalf("%s opens an editor", key)
		}
		s.wantShown("this buffer holds a single value")
	}
}

// The number of values in a list without a count in the bytes is known after an edit too, so that one can be added.
func TestAddAfterEdit(t *testing.T) {
	item := `{"Id":"item","Count":5,"Tags":["a","b"],"Note":"` + strings.Repeat("x", 120) + `"},`
	rest := strings.TrimSuffix(strings.Repeat(item, 1500), ",")
	s := openText(t, "a.json", `{"Items":[`+strings.TrimSuffix(strings.Repeat(item, 60), ",")+`],"Rest":[`+rest+"]}", 120, 36)
	s.enter(":", "set $.Items[5].Count=77")
	s.enter(":", "goto $.Items")
	s.press("A")
	s.wantShown("$.Items[60]")
}

// A new record has the keys of the others; tab goes from value to value, and what is typed replaces each.
func TestRecordIsFilledIn(t *testing.T) {
	s := openText(t, "a.json", `{"items": [{"id": "bow", "qty": 3, "tags": [], "magic": true}]}`, 100, 30)
	s.enter(":", "goto $.items[0]")
	s.press("a")
	s.typeText("axe")
	s.press("tab")
	s.typeText("7")
	s.press("tab")
	s.typeText("true")
	s.press("tab") // the first one again
	s.typeText("pick")
	s.press("ctrl+s")
	if got, want := s.literalOf("$.items[1]"), `{"id": "pick", "qty": 7, "tags": [], "magic": true}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
