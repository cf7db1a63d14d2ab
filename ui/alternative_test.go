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
