package literals

import (
	"strings"
	"testing"
)

// The cursor is where | is.
func TestStep(t *testing.T) {
	for _, c := range []struct {
		literal string
		by      int
		want    string
	}{
		{"4|2", 1, "43|"},
		{"42|", -10, "32|"},
		{"-1|", 1, "0|"},
		{"1.5|", 1, "1.6|"},
		{"Vector2(1, |2)", 1, "Vector2(1, 3|)"},
		{"Vector2(1, 2)|", 1, "Vector2(2|, 2)"}, // and not the 2 of its name
		{"|Vector2(1, 2)", 1, "Vector2(2|, 2)"},
		{"Vector2(1|, 2)", 1, "Vector2(2|, 2)"},
		{"Color(0.5, 1, 0, 1)|", 1, "Color(0.51|, 1, 0, 1)"},
		{"Color(0.5, 1|, 0, 1)", 1, "Color(0.5, 1.00|, 0, 1)"},
		{"Color(0.5, 1, 0|, 1)", 2, "Color(0.5, 1, 0.02|, 1)"},
		{"[\"level 1\"]|", 1, ""},
		{"#1e2030|", 1, ""},
		{"null|", 1, ""},
		{"|", 1, ""},
	} {
		before, _, _ := strings.Cut(c.literal, "|")
		literal := strings.Replace(c.literal, "|", "", 1)
		stepped, then, ok := Step(literal, len(before), c.by)
		if got := stepped[:then] + "|" + stepped[then:]; ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s by %d: %s %v, want %s", c.literal, c.by, got, ok, c.want)
		}
	}
}
