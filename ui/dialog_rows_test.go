package ui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/dialog"
)

func TestRows(t *testing.T) {
	r := &dialog.Rows[int]{}
	want := func(what string, at, top int) {
		t.Helper()
		if r.At != at || r.Top != top {
			t.Errorf("%s: row %d, from %d on; want %d and %d", what, r.At, r.Top, at, top)
		}
	}
	r.Move(-1, 10)
	want("before the first", 0, 0)
	r.Move(5, 10)
	r.Fit(3, 10)
	want("below what is in view", 5, 3)
	r.Move(-1, 10)
	r.Fit(3, 10)
	want("in view", 4, 3)
	r.Move(-4, 10)
	r.Fit(3, 10)
	want("above what is in view", 0, 0)
	r.Move(100, 10)
	r.Fit(3, 10)
	want("after the last", 9, 7)
	r.Fit(3, 2)
	want("fewer rows", 1, 0)
	r.Top = 1
	r.Fit(5, 2)
	want("a higher window", 1, 0)
	r.Fit(3, 0)
	want("no rows", 0, 0)
}

func TestRowsSeek(t *testing.T) {
	isOdd := func(row int) bool { return row%2 == 1 }
	r := &dialog.Rows[int]{At: 1}
	for _, step := range []struct {
		by, at int
		found  bool
	}{{1, 3, true}, {1, 3, false}, {-1, 1, true}, {-1, 1, false}} {
		if found := r.Seek(step.by, 5, isOdd); found != step.found || r.At != step.at {
			t.Errorf("by %d: row %d, found %v", step.by, r.At, found)
		}
	}
}

func TestRowsPick(t *testing.T) {
	click := tea.MouseMsg{Button: tea.MouseButtonLeft}
	for _, c := range []struct {
		what     string
		msg      tea.MouseMsg
		by, line int
		at       int
		again    bool
	}{
		{"a row in view", click, 0, 2, 6, false},
		{"the selected row", click, 0, 1, 5, true},
		{"above the rows", click, 0, -1, 5, false},
		{"below those in view", click, 0, 3, 5, false},
		{"another button", tea.MouseMsg{Button: tea.MouseButtonRight}, 0, 2, 5, false},
		{"the wheel", tea.MouseMsg{Button: tea.MouseButtonWheelDown}, 3, 2, 8, false},
	} {
		r := &dialog.Rows[int]{At: 5, Top: 4}
		if again := r.Pick(c.msg, c.by, c.line, 3, 10); again != c.again || r.At != c.at {
			t.Errorf("%s: row %d, again %v; want %d, %v", c.what, r.At, again, c.at, c.again)
		}
	}
	r := &dialog.Rows[int]{Top: 8}
	if r.Pick(click, 0, 2, 3, 10); r.At != 0 {
		t.Errorf("a line after the last row selects row %d", r.At)
	}
}
