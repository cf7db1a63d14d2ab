package text

import (
	"slices"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 10, nil},
		{"one", 10, []string{"one"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 6, []string{"one", "two", "three"}},
		{" one  two ", 80, []string{"one two"}},
		{"a verylongword b", 6, []string{"a", "veryl…", "b"}},
		{"日本 語", 5, []string{"日本", "語"}},
		{"日本 語", 7, []string{"日本 語"}},
		{"words", 0, []string{""}},
	} {
		if got := Wrap(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d columns: %q, want %q", c.in, c.width, got, c.want)
		}
	}
}
