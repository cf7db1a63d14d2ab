package ui

import (
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// The tree's share grows with the width of the window, and both panes fill it.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		width, height, tree, perRow int
		w                           wish
	}{
		{40, 10, 38, 4, wish{}},
		{59, 24, 57, 8, wish{}},
		{60, 16, 58, 8, wish{}}, // stacked
		{80, 24, 78, 16, wish{}},
		{99, 30, 97, 16, wish{}},
		{100, 30, 56, 8, wish{}},
		{118, 40, 39, 16, wish{}},
		{120, 40, 41, 16, wish{}},
		{120, 40, 118, 16, wish{least: 64}},
		{200, 60, 121, 16, wish{}},
		{220, 60, 71, 32, wish{}},
		{250, 60, 101, 32, wish{}},
		{200, 60, 99, 16, wish{share: 50}},
		{200, 60, 173, 4, wish{tree: 500}},
		{200, 60, 20, 32, wish{tree: 1}},
		{200, 60, 156, 8, wish{perRow: 8}},
		{120, 40, 41, 16, wish{perRow: 32}}, // which no layout has room for
		{200, 60, 198, 32, wish{alone: true}},
		{200, 60, 198, 8, wish{alone: true, perRow: 8}},
	} {
		l := newLayout(c.width, c.height, 1000, c.w)
		if l.treeWidth != c.tree || l.hex.PerRow != c.perRow {
			t.Errorf("%d×%d %+v: a tree of %d columns and %d bytes in a row, want %d and %d", c.width, c.height, c.w, l.treeWidth, l.hex.PerRow, c.tree, c.perRow)
		}
		if !l.stacked && !l.alone && l.treeWidth+1+l.hex.Width != c.width-2 {
			t.Errorf("%d×%d %+v: %d columns are used", c.width, c.height, c.w, l.treeWidth+1+l.hex.Width)
		}
	}
}

// Keys and the mouse move the border, and it is remembered for each size of the window.
func TestBorder(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 40, termenv.Ascii)
	width := s.m.layout.treeWidth
	want := func(columns int) {
		t.Helper()
		s.frame()
		if got := s.m.layout.treeWidth; got != columns {
			t.Errorf("the tree has %d columns, want %d", got, columns)
		}
	}
	s.press("ctrl+w l", "l", "l", "h")
	want(width + 8)
	s.press("j")
	want(width + 12)
	s.press("enter", "j")
	s.wantSelected("version")
	s.resizeTo(100, 24)
	s.press("3", "ctrl+w l", "esc")
	narrow := s.m.layout.treeWidth
	s.resizeTo(120, 40)
	want(width + 12)
	s.resizeTo(100, 24)
	want(narrow)
	s.press("ctrl+w =")
	want(56)

	drag := func(action tea.MouseAction, x, y int) {
		s.send(tea.MouseMsg{X: x, Y: y, Action: action, Button: tea.MouseButtonLeft})
	}
	drag(tea.MouseActionPress, 57, 5)
	drag(tea.MouseActionMotion, 26, 5)
	drag(tea.MouseActionRelease, 26, 5)
	want(25)
	drag(tea.MouseActionMotion, 50, 5) // after it is let go
	want(25)
	s.resizeTo(60, 30) // stacked
	rows := s.m.layout.treeHeight
	s.press("ctrl+w j", "esc")
	if s.m.layout.treeHeight != rows+1 {
		t.Errorf("%d rows, want %d", s.m.layout.treeHeight, rows+1)
	}
}

// One pane takes all the room: in a small window, and when it is asked for.
func TestAlone(t *testing.T) {
	s := openStats(t)
	s.press("Z")
	if frame := s.frame(); strings.Contains(frame, "0000") || !strings.Contains(frame, "rotation  (0, 0.") {
		t.Errorf("not the tree alone:\n%s", frame)
	}
	s.press("tab")
	s.wantShown("0000")
	s.wantShown("c8 02 00 00 :1b 00!00 00  #12 00")
	s.press("tab", "Z")
	s.wantShown("›▾ [0]")
	s.wantShown("0000")
	s.resizeTo(40, 10)
	s.press("j", "j")
	s.wantSelected("name")
	s.wantShown("$[0].name")
	s.click(8, 2)
	s.wantSelected("version")
	s.press("e", "\x15")
	s.typeText("7\r")
	s.wantSelected("• version")
	s.press("Z", "Z")
	s.wantShown("both panes need 60×16")
	for _, keys := range []string{"?", "!", ":", "/", "q", "I", "tab", "v"} {
		s.press(keys)
		s.frame()
		s.press("esc", "esc")
	}
	s.resizeTo(39, 10)
	s.wantShown("varview needs 40×10, this is 39×10")
	s.resizeTo(30, 8)
	s.wantShown("varview needs 40×10, this is ")
	s.wantShown("30×8")
}

// What the tutorial says is there in windows of any size: below them, or over the last lines.
func TestTutorFits(t *testing.T) {
	for _, size := range []struct{ width, height int }{{40, 10}, {40, 16}, {80, 24}} {
		s := openScreen(t, filepath.Join("testdata", "saves", "save-player-stats.bin"), size.width, size.height, termenv.Ascii)
		s.enter(":", "tutor")
		wanted := func(all ...string) {
			t.Helper()
			view := ansi.Strip(s.m.View())
			for _, want := range all {
				if !strings.Contains(view, want) {
					t.Errorf("%q is not shown:\n%s", want, view)
				}
			}
			if n := strings.Count(view, "\n") + 1; n != size.height {
				t.Errorf("%d lines of %d", n, size.height)
			}
		}
		wanted("The tree shows", "k up")
		s.press("j")
		wanted("in player.", "? help")
	}
}
