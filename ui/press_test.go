package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/ui/jobs"
)

// Keys and clicks that follow an edit wait until it is made, and then mean what it has
// left: an edit is not made in Update.
func TestKeysWaitForAnEdit(t *testing.T) {
	data := array(integer(1), str("x"), str("y"), integer(4))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("j")
	_, edit := s.m.Update(keyMsg("delete"))
	for _, msg := range []string{"delete", "e", "ctrl+u", "z", "enter"} {
		s.press(msg)
	}
	s.click(8, 3)
	s.wantSelected("[0]  1")
	s.wantBytes(data)
	s.run(edit)
	s.wantBytes(array(str("z"), integer(4)))
	s.wantSelected("[1]  4")
}

// Bytes that are typed ahead are all there, in order.
func TestTypedAhead(t *testing.T) {
	s := openScreen(t, save(t, integer(1)), 100, 24, termenv.Ascii)
	s.press("tab", "i", "4")
	_, edit := s.m.Update(keyMsg("1"))
	s.typeText("4243\x1b")
	s.wantBytes(integer(1))
	s.run(edit)
	s.wantBytes(append([]byte("ABC"), integer(1)...))
	s.wantOffset(3)
	s.wantShown("type 3 bytes; u undoes it")
}

// An edit that takes long keeps only other edits from being made.
func TestKeysWaitNoLonger(t *testing.T) {
	data := array(integer(1), str("x"))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("j")
	_, edit := s.m.Update(keyMsg("delete"))
	s.press("j")
	s.wantSelected("[0]")
	s.m.desk.Task.Release() // the time is up
	s.send(tickMsg{})
	s.wantSelected("[1]")
	s.press("d d")
	s.wantShown("working: wait until it ends, or press esc to stop it")
	s.press("esc")
	s.run(edit)
	s.wantShown("stopped; nothing was changed")
	s.wantBytes(data)
}

// Keys that follow :goto mean what it goes to.
func TestKeysWaitForPath(t *testing.T) {
	s := openScreen(t, save(t, array(integer(1), integer(2), integer(3))), 100, 24, termenv.Ascii)
	s.press(":")
	s.typeText("goto $[1]")
	_, goes := s.m.Update(keyMsg("enter"))
	s.press("j")
	s.run(goes)
	s.wantSelected("[2]")
}

// The report about a panic names messages without anything that was typed.
func TestNamesOfMessages(t *testing.T) {
	s := openScreen(t, save(t, array(str("qxzw"))), 100, 24, termenv.Ascii)
	s.press(":")
	s.typeText("$.qxzw")
	_, cmd := s.m.Update(keyMsg("enter"))
	s.m.desk.Seeking.Release() // the time is up for which keys wait
	s.wantShown("looking for $.qxzw")
	if name := s.m.nameOf(cmd().(tea.BatchMsg)[0]().(jobs.Result)); strings.Contains(name, "qxzw") || !strings.Contains(name, "looking") {
		t.Errorf("named %q", name)
	}
	s.press("esc", "j")
	_, _ = s.m.Update(keyMsg("e")) // an editor that is about to open
	if name := s.m.nameOf(keyMsg("q")); name != "key: text" {
		t.Errorf("named %q", name)
	}
}
