package decoder_test

import (
	"testing"

	"varview/decoder/value/condition"
)

// TestNumber: numbers are compared without rounding, and a float as what its shortest digits say.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		typed, is string
		want      int // order of is and typed
	}{
		{"9007199254740993", "9007199254740992", -1}, {"9007199254740993", "9007199254740993", 0},
		{"9007199254740993", "9007199254740992.0", -1}, {"18446744073709551615", "18446744073709551614", -1}, {"18446744073709551615", "18446744073709551615", 0},
		{"0xffffffffffffffff", "18446744073709551615", 0}, {"100000000000000000001", "1e+20", -1}, {"1e20", "1e+20", 0}, {"1e23", "1e+23", 0},
		{"99999999999999991611392", "1e+23", 0}, {"9007199254740992.5", "9007199254740993", 1}, {"9007199254740992.5", "9007199254740992", -1},
		{"0.1", "0.1", 0}, {"0.10000000000000001", "0.1", 0}, {"0.1", "0.30000000000000004", 1}, {"0.3", "0.30000000000000004", 1},
		{"12345678901234567890.5", "12345678901234567890.25", -1}, {"1.0", "1", 0}, {"1e3", "1000", 0}, {"0b101", "5", 0}, {"010", "10", 0}, {"1_000", "1000", 0},
		{"inf", "inf", 0}, {"inf", "5", -1}, {"-inf", "-1e+308", 1}, {"1e-1000000000", "0.0", 0}, {"-0.0", "0", 0},
	} {
		n, ok := condition.ParseNumber(c.typed)
		if !ok {
			t.Errorf("%s is no number", c.typed)
			continue
		}
		if got, ok := n.CompareDigits(c.is); got != c.want || !ok {
			t.Errorf("%s and %s: %d", c.is, c.typed, got)
		}
	}
	for _, s := range []string{"", "x", "nan", "1e999", "--5", "5x", "e5", "0x"} {
		if _, ok := condition.ParseNumber(s); ok {
			t.Errorf("%q is a number", s)
		}
	}
}

// TestFill: an argument is one literal, whatever is in it.
func TestFill(t *testing.T) {
	args := map[string]string{"id": "9007199254740993", "name": `a" || "`, "is": "true", "quoted": `"5"`}
	for text, want := range map[string]string{
		"[id==$id && name=$name]": `[id==9007199254740993 && name="a\" || \""]`,
		`$[0][is=$is].x`:          `$[0][is=true].x`,
		`a="$id" b=$other c$id`:   `a="$id" b=$other c$id`,
		"key:$quoted|$id":         `key:"5"|9007199254740993`,
	} {
		if got := condition.Fill(text, args); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
