package ui

import (
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
		{"delete", list, "jjd", array(one, three)},
		{"delete the last", list, "Gd", array(one, two)},
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
		{"duplicate with a key", dictionary(str("a"), one), "jDz\r", dictionary(str("a"), one, str("az"), one)},
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
			s.press("j", "d")
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
	s.wantShown(":convert needs a version")
	s.enter(":", "convert 9.9")
	if !s.m.desk.Message.IsError {
		t.Errorf("a version that does not exist: %q", s.m.desk.Message.Text)
	}
	other := openStats(t)
	other.enter(":", "convert 1.5.1")
	other.wantShown("the bytes do not say themselves which dialect")
}

// Where nothing can be added next to the only value, no editor opens.
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
