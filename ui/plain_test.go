package ui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/ui/desk"
)

// A file that is not a save shows what it is, and its bytes without a made-up meaning.
func TestPlain(t *testing.T) {
	s := openScreen(t, save(t, []byte(`<?xml version="1.0"?><a>save</a>`)), 80, 24, termenv.Ascii)
	s.wantShown("XML")
	s.wantShown("XML text: varview reads no values of it")
	if frame := s.frame(); strings.Contains(frame, "$[0]") || strings.Contains(frame, "✗") {
		t.Errorf("values are made up:\n%s", frame)
	}
	s.press("l")
	s.wantOffset(1)
	s.press("tab")
	s.wantShown("there are no values here")
	s.click(8, 3)
	if s.m.desk.Focus != desk.OnBytes {
		t.Error("the tree has the focus")
	}
	s.press("e")
	s.wantShown("there are no values here: this is a")
	s.enter("/", "save")
	s.wantOffset(24)
	s.press("esc", "x")
	s.wantShown("modified")
	s.press("u")
	s.enter(":", "as godot3 raw")
	s.press("tab")
	s.wantSelected("$  <unknown-type>")
}
