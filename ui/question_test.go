package ui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// asking opens a document in which a question is asked.
func asking(t *testing.T, typed string) *screen {
	t.Helper()
	s := openScreen(t, save(t, array(integer(1), integer(2), integer(3))), 100, 24, termenv.Ascii)
	s.typeText("j")
	s.typeText(typed)
	return s
}

// A question takes only the keys that answer it. All others withdraw it, and do nothing else,
// except that what begins a line of text begins it.
func TestQuestionTakesItsAnswers(t *testing.T) {
	const retype, many = ":set \"a\"\r", ":set [*]=7\r"
	was := array(integer(1), integer(2), integer(3))
	for _, test := range []struct {
		ask, typed, shown string
		want              []byte
	}{
		{retype, "", "change the type from int to String?  y change it  n/esc stay", was},
		{retype, "y", "set $[0]; u undoes it", array(str("a"), integer(2), integer(3))},
		{retype, "n", "nothing was changed", was},
		{retype, "\x1b", "nothing was changed", was},
		{retype, ":type float\r", "; u undoes it", array(words(3, 0x3f800000), integer(2), integer(3))},
		{retype, "j", "›    [0]  1", was},
		{retype, "j", "nothing was changed", was},
		{retype, "jy", "›    [0]  1", was},
		{retype, "x", "nothing was changed", was},
		{retype, "xdd", "delete $[0]; u undoes it", array(integer(2), integer(3))},
		{retype, "q", "nothing was changed", was},
		{retype, "/3\r", "›    [2]  3", was},
		{many, "y", "set 3 values of [*]; u undoes it", array(integer(7), integer(7), integer(7))},
		{many, "k", "›    [0]  1", was},
	} {
		s := asking(t, test.ask)
		s.typeText(test.typed)
		s.wantShown(test.shown)
		s.wantBytes(test.want)
		if s.quit {
			t.Errorf("after %q: quit", test.typed)
		}
	}
}

// A key that was typed before a question was on the screen does not answer it.
func TestQuestionIsNotAnsweredAhead(t *testing.T) {
	was := array(integer(1), integer(2), integer(3))
	s := asking(t, ":set [*]=7")
	_, edit := s.m.Update(keyMsg("enter"))
	s.typeText("ydd") // which wait for the edit
	s.run(edit)
	s.wantShown("y change them")
	s.wantBytes(was)
	s.press("y")
	s.wantShown("set 3 values of [*]")

	s = asking(t, "")
	s.press("e", "5", "enter")
	s.send(written("qn"))
	if s.wantShown("save before quitting?"); s.quit {
		t.Error("what was typed with the key that asks has answered")
	}
}

// A question that comes after other keys were pressed takes none while the user continues.
func TestLateQuestion(t *testing.T) {
	was := array(integer(1), integer(2), integer(3))
	late := func(typed string) *screen {
		s := asking(t, ":set [*]=7")
		_, edit := s.m.Update(keyMsg("enter"))
		s.m.desk.Task.Release() // the time is up
		s.typeText(typed)
		s.run(edit)
		return s
	}
	s := late("j")
	s.press("y") // copies
	s.wantShown("y change them")
	s.wantBytes(was)
	s.press("tab", "i")
	s.m.pressed = time.Time{} // who types bytes pauses, too
	s.press("y")
	s.wantBytes(was)

	s = late(":y")
	s.press("y")
	s.wantShown("╰ :yy")

	s = late("j")
	s.press("k")
	s.wantShown("y change them")
	s.m.pressed = time.Time{} // a pause
	s.press("y")
	s.wantBytes(array(integer(7), integer(7), integer(7)))

	s = late(":goto 4")
	s.wantShown(":goto 4")
	s.press("esc")
	s.wantShown("y change them")
	s.m.pressed = time.Time{}
	s.press("j")
	s.wantShown("nothing was changed")
	s.wantBytes(was)
}

// written are characters that arrive in one write.
func written(text string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }

// The keys of Bubble Tea are words in a text, also where they arrive in one write.
func TestWordsInOneWrite(t *testing.T) {
	open := map[string]string{":": ":", "/": "/", "&": "&", "@": "› @ ", "ctrl+p": "› "}
	for _, word := range []string{"home", "end", "up", "down", "left", "right", "delete", "enter", "tab", "pgup", "insert", "space", "esc", "ctrl+a", "alt+b", "ctrl+z", "ctrl+s", "f1"} {
		for k, label := range open {
			s := openScreen(t, save(t, array(integer(1))), 100, 24, termenv.Ascii)
			s.press(k, "x")
			s.send(written(word))
			s.wantShown(label + "x" + word)
		}
		s := openScreen(t, save(t, array(str("a"))), 100, 24, termenv.Ascii)
		s.press("j", "e")
		s.send(written(word))
		s.wantShown("✎")
		s.wantShown(word)
		s.press("enter")
		s.wantBytes(array(str(word)))
	}

	s := openScreen(t, save(t, array(integer(1), integer(2), integer(3))), 100, 24, termenv.Ascii)
	s.send(written("jj"))
	s.wantSelected("[1]")
	s.send(written(":goto")) // the first opens the prompt, the others are typed into it
	s.wantShown("╰ :goto")
}
