package ui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// TestAlternative: the title, the problems and :as say what else a file may be.
func TestAlternative(t *testing.T) {
	s := openScreen(t, "../testdata/damaged/truncated-first-key.bin", 100, 24, termenv.Ascii)
	if top, _, _ := strings.Cut(s.m.View(), "\n"); !strings.Contains(top, "Pandemonium 4? or :as godot4") {
		t.Errorf("the title is %q", top)
	}
	s.press("!")
	if view := s.m.View(); !strings.Contains(view, "this is more likely Godot 4, raw, with damage") || !strings.Contains(view, "the length of a string needs 4 bytes") {
		t.Errorf("the problems are\n%s", view)
	}
	s.press("esc")
	s.enter(":", "as")
	if view := s.m.View(); !strings.Contains(view, "perhaps a damaged godot4, raw") {
		t.Errorf(":as says\n%s", view)
	}
}

// TestCauseInOtherDialect: r on a cause in another dialect changes nothing, and says how the
// file has to be read for that.
func TestCauseInOtherDialect(t *testing.T) {
	damaged := words(30, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000, 0x40e00000, 0x41000000, 0x41100000)
	s := openScreen(t, save(t, damaged), 100, 30, termenv.Ascii)
	s.press("!", "l", "r")
	s.wantShown("as Godot 3, raw: Godot 3 has no type 30")
	s.wantShown("first read the file so: :as godot3 raw")
	if s.m.desk.Doc.IsModified() {
		t.Error("it was repaired as another dialect")
	}
	s.press("esc")
	s.enter(":", "as godot3 raw")
	s.press("!", "r")
	s.wantShown("no problems found")
	if !s.m.desk.Doc.IsModified() {
		t.Error("it was not repaired")
	}
}

// TestDrift: the message of saving says if the file would be opened as something else next time.
func TestDrift(t *testing.T) {
	s := openScreen(t, save(t, words(7, 0x3f800000, 0x3f800000)), 160, 24, termenv.Ascii)
	s.enter(":", "type float")
	s.press("y")
	s.enter(":", "set 7.5")
	s.press("ctrl+s")
	s.wantShown("it would now open as Godot 4, raw: :as pandemonium raw")
}
