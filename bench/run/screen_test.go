package main

import (
	"testing"
	"time"
)

func TestScreen(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"lines", "ab\r\ncd", "ab\ncd\n"},
		{"move down without return", "ab\ncd", "ab\n  cd\n"},
		{"home and colours", "abc\x1b[H\x1b[1;31mx\x1b[0m", "xbc\n\n"},
		{"position", "\x1b[2;3Hx\x1b[Hy", "y\n  x\n"},
		{"relative", "abc\x1b[2D\x1b[Bx\x1b[Ay\x1b[C", "aby\n x\n"},
		{"column and row", "\x1b[3Gx\x1b[2dy", "  x\n   y\n"},
		{"erase to the end of the line", "abc\r\x1b[1C\x1b[K", "a\n\n"},
		{"erase below", "ab\r\ncd\r\nef\x1b[2;1H\x1b[J", "ab\n\n"},
		{"erase all", "ab\r\ncd\x1b[2J", "\n\n"},
		{"alternate screen", "ab\x1b[?1049h\x1b[Hc\x1b[?25l", "c\n\n"},
		{"wide", "城x\x1b[1;3Hy", "城y\n\n"},
		{"wrap", "abcdef", "abcde\nf\n"},
		{"scroll", "a\r\nb\r\nc\r\nd", "b\nc\nd"},
		{"title and query", "\x1b]0;title\x07\x1b]11;?\x1b\\a", "a\n\n"},
		{"out of range", "\x1b[99;99Hx\x1b[99A\x1b[99Dy", "y\n\n    x"},
		{"absurd parameters", "\x1b[0;0H\x1b[999999999999Ca\x1b[9Kb", ""},
	} {
		s := newScreen(5, 3)
		s.feed([]byte(c.output))
		if got := s.text(); got != c.want && c.want != "" {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestOutputInPieces(t *testing.T) {
	const output = "\x1b[2J\x1b[H城x\x1b]11;?\x1b\\\x1b[2;3Hé\x1b[31mz\x1b[0m▾"
	whole, pieces := newScreen(5, 3), newScreen(5, 3)
	whole.feed([]byte(output))
	for i := range len(output) {
		pieces.feed([]byte{output[i]})
	}
	if got, want := pieces.text(), whole.text(); got != want || want != "城x\n  éz▾\n" {
		t.Errorf("%q in single bytes, %q at once", got, want)
	}
}

func TestChangedCells(t *testing.T) {
	s := newScreen(5, 3)
	for _, step := range []struct {
		output string
		want   int
	}{{"abc", 3}, {"\x1b[Habc", 0}, {"\x1b[Haxc", 1}, {"\x1b[H   ", 3}, {"", 0}} {
		s.feed([]byte(step.output))
		if got := s.changed(); got != step.want {
			t.Errorf("%q changed %d cells, not %d", step.output, got, step.want)
		}
	}
}

func TestPercentile(t *testing.T) {
	var samples []time.Duration
	for i := 200; i > 0; i-- {
		samples = append(samples, time.Duration(i))
	}
	for p, want := range map[float64]time.Duration{0.5: 100, 0.99: 198, 1: 200} {
		if got := percentile(samples, p); got != want {
			t.Errorf("percentile %v is %d, not %d", p, got, want)
		}
	}
	if got := median([]time.Duration{7}); got != 7 {
		t.Errorf("median of one is %d", got)
	}
}
