package elephant_test

import (
	"errors"
	"strings"
	"testing"

	"varview/decoder/edit"
)

// TestEditErrors: what cannot be done is said.
func TestEditErrors(t *testing.T) {
	full := "cd feff 0a" + strings.Repeat("00", 65534)
	for _, c := range []struct{ was, what, want string }{
		{"01 07", "set $=", "a value is expected"},
		{"01 07", "set $=7 8", "unexpected text after"},
		{"01 07", "set $=7.5", "u8 holds 0 to 255, no fractions"},
		{"01 07", "set $=u9(7)", "u9 is not a datatype"},
		{"01 07", "set $=true", "the new value is bool, the old one u8"},
		{"01 07", "set $=default", "only a member in a schema"},
		{"01 07", "delete $", "cannot be deleted"},
		{"01 07", "insert $ 0=1", "u8 holds no values"},
		{"0b 6100", `set $="a\u0000"`, "NUL"},
		{"0b 6100", `set $="a`, `the closing quote of this text is missing`},
		{"0b 6100", `set $="\ud83d"`, "half of a surrogate pair"},
		{"07 0000", "set $=65520", "f16 holds up to 65504"},
		{"cd 0200 01 0708", `set $[0]="x"`, "the new value is string, the old one u8"},
		{"cd 0200 01 0708", "insert $ 5=1", "$ has no index 5"},
		{"cd 0200 01 0708", "move $[0] 2", "index 2 is out of range"},
		{"cd 0200 01 0708", "set $=[1,,2]", "at character 4: a value is expected"},
		{full, "insert $ 0=true", "at most 65534 elements"},
		{"cd 0000", "insert $ 0=ref($.x)", "has no .x"},
		{"cd 0000", "insert $ 0 a=1", "have numbers, not names"},
		{"ce 0100 6100 01 07", `insert $ 0 a=1`, "already has a member a"},
		{"ce 0100 6100 01 07", `insert $ 0=1`, "needs a name"},
		{"ce 0100 6100 01 07", "set $={ a: 1, a: 2 }", "occurs twice"},
		{"ce 0100 6100 01 07", "set $=P { a: 1 }", "the new value is P, the old one struct"},
		{"ce 0100 6100 01 07", "set $=" + strings.Repeat("P", 1025) + " { a: 1 }", "a constructor has at most 1,024 bytes"},
		{"ce 0100 6100 01 07", "insert $ 0 r=ref($.a)", "references refer to arrays and structs"},
		{"ce feff 0000 5000 01 0000 07 6800 cf", "set $.a=256", "the schema says u8: u8 holds 0 to 255"},
		{"ce feff 0000 5000 01 0000 07 6800 cf", "retype set $.b=2", "the schema says string"},
		{"ce feff 0000 5000 01 0000 07 6800 cf", "move $.a 1", "ordered by name"},
		{"ce feff 0000 5000 01 0000 07 6800 cf", "insert $ 0 d=1", "no member d"},
		{"ce feff 0000 5000 01 0000 07 6800 cf", "insert $ 0=1", "is already there"},
		{"ce feff 0000 5000 01 0000 07 6800 cf", "set $=P { d: 1 }", "no member d"},
		{"1.3.0 10 feff 0000 5000 01 07 6800 11", "set $.a=default", "1.5.0 and later can"},
		{"1.3.0 0f 0000", "insert $ 0=P { a: 1 }", "P v1 needs a value for b"},
		{"1.0.0 0f 0000", "insert $ 0=ref($)", "1.0.0 has no references"},
		{"cd 0200 cd 0000 ffff0100", "delete $[0]", "a reference leads to $[0], the first at $[1]"},
		{"cd 0200 cc cd 0000 ce feff 0000 5100 01 0000 ffff0100", "undefined delete $[0]", "cannot become undefined: the schema says struct"},
		{"ce feff 0000 5800 01 0000 00", "set $=1", "cannot be read"},
	} {
		b := TableBlock(t, c.was)
		splices, err := do(t, &b, c.what)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %s: %v, %d splices, want %s", c.was, c.what, err, len(splices), c.want)
		}
	}
	b := TableBlock(t, "cd 0200 cd 0000 ffff0100")
	var orphan *edit.OrphanError
	if _, err := do(t, &b, "delete $[0]"); !errors.As(err, &orphan) || orphan.References != 1 {
		t.Error(err)
	}
}
