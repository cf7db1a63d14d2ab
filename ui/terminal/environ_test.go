package terminal

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func TestHint(t *testing.T) {
	tests := []struct {
		colorFGBG   string
		dark, known bool
	}{
		{"15;0", true, true},
		{"0;15", false, true},
		{"0;7", false, true},
		{"15;8", true, true},
		{"12;6", true, true},
		{"0;9", false, true},
		{"15;default;0", true, true},
		{"0;default;15", false, true},
		{"15;default", false, false},
		{"default;default", false, false},
		{"0;16", false, false},
		{"0;-1", false, false},
		{"0;", false, false},
		{"7", false, false},
		{"", false, false},
	}
	for _, test := range tests {
		dark, known := Hint([]string{"TERM=xterm", "COLORFGBG=" + test.colorFGBG})
		if dark != test.dark || known != test.known {
			t.Errorf("%q: dark %v, known %v; want %v, %v", test.colorFGBG, dark, known, test.dark, test.known)
		}
	}
	if _, known := Hint(nil); known {
		t.Error("known without COLORFGBG")
	}
}

func TestQueryable(t *testing.T) {
	if !replies {
		if Queryable([]string{"TERM=xterm"}) {
			t.Error("a console is asked")
		}
		return
	}
	tests := []struct {
		environ []string
		want    bool
	}{
		{nil, false},
		{[]string{"TERM="}, false},
		{[]string{"TERM=dumb"}, false},
		{[]string{"TERM=linux"}, false},
		{[]string{"TERM=screen"}, false},
		{[]string{"TERM=screen.xterm-256color", "STY=1.tty"}, false},
		{[]string{"TERM=screen-256color", "TMUX=/tmp/tmux-0/default,1,0"}, true},
		{[]string{"TERM=tmux-256color", "TMUX=/tmp/tmux-0/default,1,0"}, true},
		{[]string{"TERM=xterm-256color"}, true},
		{[]string{"TERM=linux", "TERM=xterm"}, false},
	}
	for _, test := range tests {
		if got := Queryable(test.environ); got != test.want {
			t.Errorf("%q: %v", test.environ, got)
		}
	}
}

// TestProfile: a name without a word of colours may be that of a terminal that has 16, unless no colours are wanted.
func TestProfile(t *testing.T) {
	for _, c := range []struct {
		environ   string
		says, has termenv.Profile
	}{
		{"TERM=screen", termenv.Ascii, termenv.ANSI},
		{"TERM=tmux", termenv.Ascii, termenv.ANSI},
		{"TERM=rxvt-unicode", termenv.Ascii, termenv.ANSI},
		{"TERM=screen-256color", termenv.ANSI256, termenv.ANSI256},
		{"TERM=screen NO_COLOR=1", termenv.Ascii, termenv.Ascii},
		{"TERM=screen CLICOLOR=0", termenv.Ascii, termenv.Ascii},
		{"TERM=vt100", termenv.Ascii, termenv.Ascii},
		{"TERM=dumb", termenv.Ascii, termenv.Ascii},
		{"", termenv.Ascii, termenv.Ascii},
	} {
		if has := Profile(strings.Fields(c.environ), c.says); has != c.has {
			t.Errorf("%s: %v, not %v", c.environ, has, c.has)
		}
	}
}
