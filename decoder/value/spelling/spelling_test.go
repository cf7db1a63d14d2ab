package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"q", "w", "as", "sort", "export", "export!", "unwrap", "unwatch"}
	for word, want := range map[string]string{
		"exprot":  "export", // two letters in the wrong order
		"exprot!": "export!",
		"unwach":  "unwatch", // nearer than unwrap
		"srt":     "sort",
		"ass":     "as",
		"unwr":    "unwrap",
		"unw":     "", // begins two
		"exp":     "", // likewise
		"z":       "", // not like any other word of one letter
		"zz":      "",
		"table":   "",
		"":        "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"theme", "theme", 0}, {"rcp", "rpc", 1}, {"tpye", "type", 1}, {"ca", "abc", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestConstant(t *testing.T) {
	for word, want := range map[string]string{"True": "true", "NO": "false", "nil": "null", "undefined": "null", "truth": "", "": ""} {
		if got := Constant(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
