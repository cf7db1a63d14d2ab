package internal_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"varview/internal/termtest"
)

// After any frames a terminal shows the last one as if it had been written as a whole.
func TestCells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	styles := []string{"", "\x1b[31m", "\x1b[38;2;1;2;3m", "\x1b[48;5;7m", "\x1b[1;4m", "\x1b[7m", "\x1b[2m\x1b[48;2;9;9;9m"}
	texts := []string{" ", "     ", "a", "zero", "長い", "é", "──────", "             ", "0000000000"}
	line := func(width int) (line string) {
		for {
			next := texts[r.IntN(len(texts))]
			if ansi.StringWidth(line+next) > width {
				return line + strings.Repeat(" ", width-ansi.StringWidth(line))
			}
			if style := styles[r.IntN(len(styles))]; style != "" {
				next = style + next + "\x1b[0m"
			}
			line += next
		}
	}
	for range 30 {
		width, height := 4+r.IntN(60), 1+r.IntN(8)
		held := termtest.New(width, height)
		lines := make([]string, height)
		for i := range lines {
			lines[i] = line(width)
		}
		for range 10 {
			for range r.IntN(height + 1) {
				lines[r.IntN(height)] = line(width)
			}
			frame := strings.Join(lines, "\n")
			held.Show(frame)
			if err := held.Check(frame); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A terminal that shows something else is noticed.
func TestCheck(t *testing.T) {
	held := termtest.New(10, 2)
	held.Show("\x1b[31mab\x1b[0mc       \nd         ")
	for frame, same := range map[string]bool{
		"\x1b[31mab\x1b[0mc       \nd         ":                true,
		"\x1b[31mab\x1b[0mc\x1b[31m       \x1b[0m\nd         ": true, // blanks
		"\x1b[32mab\x1b[0mc       \nd         ":                false,
		"\x1b[31mab\x1b[0mc       \nx         ":                false,
		"\x1b[31mab\x1b[0mc\x1b[41m \x1b[0m      \nd         ": false,
	} {
		if err := held.Check(frame); (err == nil) != same {
			t.Errorf("%q: %v", frame, err)
		}
	}
}
