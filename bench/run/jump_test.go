package main

import "testing"

// TestArrived: a jump has arrived when the tree and the status line say so, not when only the bytes do.
func TestArrived(t *testing.T) {
	middle := showsOffset(0x9000000)
	for _, c := range []struct {
		name, output string
		arrived      func(*screen) bool
		want         bool
	}{
		{"the first values", "▸ [0] Array (3)", showsFirst, true},
		{"a name only", "save.dat opening", showsFirst, false},
		{"bytes of the last value", "74 68 65 20 |the last value|", showsLast, false},
		{"row of the last value", `[8] "the last value"`, showsLast, true},
		{"bytes of the middle", "09000000 04 00|0x9000000 not read yet", middle, false},
		{"a value there", "String · 0x8fffff0–0x9000013 · 36 bytes", middle, true},
		{"a value elsewhere", "String · 0x8fffff0–0x8ffffff · 16 bytes", middle, false},
		{"a frame around it", "Array · 0x0–0xa000000 · 167772161 bytes", middle, false},
		{"not found", "not found: zzzznot0there", saysNotFound(0), true},
		{"not found before", "not found: zzzznot0there", saysNotFound(1), false},
		{"the search itself", "/zzzznot0there", saysNotFound(0), false},
	} {
		s := newScreen(80, 3)
		s.feed([]byte(c.output))
		if got := c.arrived(s); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
