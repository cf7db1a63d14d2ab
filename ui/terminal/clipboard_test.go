package terminal

import (
	"bytes"
	"strings"
	"testing"
)

func TestCopy(t *testing.T) {
	const plain = "\x1b]52;c;aGkbWzJK\x07" // base64 of "hi\x1b[2J"
	for _, test := range []struct {
		name    string
		environ []string
		text    string
		want    string
	}{
		{"xterm", []string{"TERM=xterm-256color"}, "hi\x1b[2J", plain},
		{"tmux", []string{"TERM=tmux-256color", "TMUX=/tmp/tmux"}, "hi\x1b[2J", plain + "\x1bPtmux;\x1b" + plain + "\x1b\\"},
		{"screen", []string{"TERM=screen"}, "hi\x1b[2J", "\x1bP" + plain + "\x1b\\"},
		{"console", []string{"TERM=linux"}, "hi", ""},
		{"dumb", []string{"TERM=dumb"}, "hi", ""},
		{"none", nil, "hi", ""},
		{"long", []string{"TERM=xterm"}, strings.Repeat("x", MaxClipboard+1), ""},
	} {
		var out bytes.Buffer
		if err := Copy(&out, test.environ, test.text); err != nil || out.String() != test.want {
			t.Errorf("%s: %q (%v), want %q", test.name, out.String(), err, test.want)
		}
	}
}
