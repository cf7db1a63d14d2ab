package ui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/ui/hex"
)

// The marks of fields are as the configuration says: everywhere, nowhere or, where colours show the kinds, only
// in the selected value.
func TestMarksOfFields(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 80, 24, termenv.TrueColor)
	s.press("j")
	for marks, want := range map[string]func(n int) bool{
		hex.MarksAuto: func(n int) bool { return n == 1 },
		hex.MarksOn:   func(n int) bool { return n > 1 },
		hex.MarksOff:  func(n int) bool { return n == 0 },
	} {
		s.m.hex.Marks = marks
		if n := strings.Count(s.frame(), "00!00 00"); !want(n) {
			t.Errorf("%s: %d marks of flags", marks, n)
		}
	}
	s = openStats(t)
	auto := s.m.View()
	s.m.hex.Marks = hex.MarksOn
	if s.m.View() != auto {
		t.Error("auto changes the marks without colours")
	}
}
