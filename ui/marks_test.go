package ui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/ui/hex"
)

// The marks of fields are as the configuration says: dim, in the colour of their kind, or away.
func TestMarksOfFields(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 80, 24, termenv.TrueColor)
	views := map[string]string{}
	for _, marks := range []string{hex.MarksAuto, hex.MarksOn, hex.MarksOff} {
		s.m.hex.Marks = marks
		views[marks] = s.m.View()
		if shown := strings.Contains(s.frame(), "00!00 00"); shown != (marks != hex.MarksOff) {
			t.Errorf("%s: shown %v", marks, shown)
		}
	}
	if views[hex.MarksAuto] == views[hex.MarksOn] {
		t.Error("auto does not dim the marks where there are colours")
	}
	s = openStats(t)
	auto := s.m.View()
	s.m.hex.Marks = hex.MarksOn
	if s.m.View() != auto {
		t.Error("auto changes the marks without colours")
	}
}
