package ui

import (
	"slices"
	"testing"

	"varview/ui/action"
	"varview/ui/dialog"
)

// The palette lists all actions of the pane and all commands, and does what is chosen.
func TestPalette(t *testing.T) {
	s := openStats(t)
	all := s.m.pickable(action.Tree)
	for _, want := range []string{"undo", "add-after", "list-hits", ":goto", ":export"} {
		if !slices.ContainsFunc(all, func(c dialog.Candidate) bool { return c.Text == want }) {
			t.Errorf("the palette has no %s", want)
		}
	}
	if slices.ContainsFunc(all, func(c dialog.Candidate) bool { return c.Text == "overwrite-bytes" }) {
		t.Error("the palette has an action of another pane")
	}
	s.press("ctrl+p")
	s.wantShown("› edit ")
	s.typeText("fold al")
	s.wantShown("› fold-all")
	s.wantShown("fold everything")
	s.press("enter")
	s.wantSelected("▸ [0]")
	s.press("ctrl+p")
	s.typeText("export")
	s.press("enter")
	s.wantShown("╰ :export ")
	s.press("esc", "ctrl+p")
	s.typeText("qwzx")
	s.press("enter")
	s.wantShown("╰ › qwzx")
	s.wantShown("nothing has this name")
	s.press("ctrl+u")
	s.typeText("changes")
	s.wantShown("› :changes")
	s.press("esc")
	s.wantSelected("▸ [0]")
}

// In the bytes it has the actions of the bytes, and those of the tree.
func TestPaletteOfBytes(t *testing.T) {
	s := openStats(t)
	s.enter(":", "goto $[0].hp")
	s.press("tab", "ctrl+p")
	s.typeText("dupl")
	s.wantShown("(in the tree)")
	s.press("enter")
	s.wantShown("the copy needs a key of its own")
	s.press("esc", "tab", "ctrl+p")
	s.typeText("overwrite")
	s.press("enter")
	s.wantShown("OVERWRITE")
}

// Parts of a path, or letters of it, find a value.
func TestJumpTo(t *testing.T) {
	for typed, want := range map[string]string{"stats dex": "dex  19", "pos y": "y  4", "buf 1 id": "id", "mxhp": "max_hp"} {
		s := openStats(t)
		s.press("@")
		s.typeText(typed)
		s.press("enter")
		s.wantSelected(want)
	}
}

// The arrows choose another candidate.
func TestPaletteArrows(t *testing.T) {
	s := openStats(t)
	s.press("@")
	s.typeText("hp")
	s.wantShown("› $[0].hp")
	s.press("down", "enter")
	s.wantSelected("max_hp")
}

// The names of actions and commands come before what the help says of them.
func TestFitting(t *testing.T) {
	all := []dialog.Candidate{{Text: "other", Help: "undo all"}, {Text: "undo", Help: "take back"}, {Text: "down", Help: "next"}}
	got := fitting(all, "un do")
	if len(got) != 2 || got[0].Text != "undo" {
		t.Errorf("%v", got)
	}
}
