package ui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/internal/text"
	"varview/ui/desk"
)

// A click on a key in the bottom line presses it, on what it does too; of several keys the clicked one.
func TestClickBottom(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 40, termenv.Ascii)
	at := func(what string) int {
		t.Helper()
		lines := strings.Split(s.frame(), "\n")
		before, _, found := strings.Cut(lines[len(lines)-1], what)
		if !found {
			t.Fatalf("%q is not in %q", what, lines[len(lines)-1])
		}
		return text.Width(before)
	}
	s.click(at("j/k"), 39)
	s.wantSelected("version")
	s.click(at("/k move")+1, 39)
	s.wantSelected("▾ [0]")
	s.click(at("bytes"), 39)
	if s.m.desk.Focus != desk.OnBytes {
		t.Error("a click on what tab does is no tab")
	}
	s.click(at(": command"), 39)
	s.wantShown("╰ :")
}

// A double click edits a value.
func TestDoubleClick(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 40, termenv.Ascii)
	s.click(10, 2)
	if s.editor() != nil {
		t.Error("one click edits")
	}
	s.click(10, 2)
	if s.editor() == nil {
		t.Error("a double click does not edit")
	}
}

// A click on the head of a column sorts by it, a double click on a cell edits it.
func TestClickTable(t *testing.T) {
	s := openScreen(t, save(t, array(dictionary(str("a"), integer(1), str("b"), integer(9)), dictionary(str("a"), integer(2), str("b"), integer(3)))), 80, 24, termenv.Ascii)
	s.press("t")
	head := strings.Split(s.frame(), "\n")[1]
	b := text.Width(head[:strings.Index(head, "b")])
	s.click(b, 1)
	s.wantShown("b ▲")
	s.click(b, 2)
	s.click(b, 2)
	s.wantShown("[3  ]")
}

// Commands, the palette and the help are in lists and tables too, and begin with what is of use there.
func TestEverywhere(t *testing.T) {
	for name, open := range map[string]func(*screen){
		"In a table":  func(s *screen) { s.enter(":", "goto $[0].buffs"); s.press("t") },
		"After :diff": func(s *screen) { s.typeText(":set $[0].hp=1\r:diff saved\r") },
	} {
		s := openScreen(t, save(t, alone("godot4/save-player-stats.bin")), 120, 40, termenv.Ascii)
		open(s)
		s.press("?")
		s.wantShown("Used most")
		s.wantShown(name)
		s.press("esc", ":")
		s.wantShown("╰ :")
		s.press("esc", "ctrl+p")
		s.wantShown("╰ › ")
		s.press("esc", "ctrl+c")
		if !s.quit && !strings.Contains(s.frame(), "quit") {
			t.Errorf("%s: ctrl+c does not quit", name)
		}
	}
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 40, termenv.Ascii)
	s.press("ctrl+p")
	s.typeText("fold-all\r")
	if all := s.m.pickable(s.m.room()); all[0].Text != "fold-all" {
		t.Errorf("the palette begins with %s", all[0].Text)
	}
}
