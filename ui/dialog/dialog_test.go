package dialog

import "testing"

// The dialog that was opened last is on top; another one of its kind is replaced.
func TestStack(t *testing.T) {
	var s Stack
	if s.Top() != nil || s.At(OverPanes) != nil || Find[*Page](s) != nil {
		t.Error("something is open")
	}
	help, list, question, editor := &Page{}, &Page{}, &Question{}, &Editor{}
	s.Open(help)
	s.Open(editor)
	s.Open(question)
	if s.Top() != question || s.At(OverPanes) != help || s.At(InPane) != editor || s.At(BelowPanes) != nil {
		t.Errorf("open are %T", s)
	}
	s.Open(list)
	if s.Top() != list || len(s) != 3 || Find[*Page](s) != list {
		t.Errorf("open are %T", s)
	}
	s.Close(help) // which is closed already
	s.Close(list)
	if s.Top() != question || len(s) != 2 {
		t.Errorf("open are %T", s)
	}
}
