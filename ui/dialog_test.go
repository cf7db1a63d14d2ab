package ui

import (
	"testing"

	"varview/ui/dialog"
)

// The dialog that was opened last is on top; another one of its kind is replaced.
func TestStack(t *testing.T) {
	var s dialog.Stack
	if s.Top() != nil || s.At(dialog.OverPanes) != nil || dialog.Find[*dialog.Page](s) != nil {
		t.Error("something is open")
	}
	help, list, question, editor := &dialog.Page{}, &dialog.Page{}, &dialog.Question{}, &dialog.Editor{}
	s.Open(help)
	s.Open(editor)
	s.Open(question)
	if s.Top() != question || s.At(dialog.OverPanes) != help || s.At(dialog.InPane) != editor || s.At(dialog.BelowPanes) != nil {
		t.Errorf("open are %T", s)
	}
	s.Open(list)
	if s.Top() != list || len(s) != 3 || dialog.Find[*dialog.Page](s) != list {
		t.Errorf("open are %T", s)
	}
	s.Close(help) // which is closed already
	s.Close(list)
	if s.Top() != question || len(s) != 2 {
		t.Errorf("open are %T", s)
	}
}
