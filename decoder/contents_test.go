package decoder_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// TestContents: values that are passed many at a time have the same texts and bytes as those that are
// read one by one.
func TestContents(t *testing.T) {
	const least = 12
	files, err := filepath.Glob("../testdata/*/*.bin")
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, name := range files {
		if strings.Contains(name, "elephant") {
			continue // whose values are not passed
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, dialect := range []string{"godot3", "godot4", "pandemonium4"} {
			for _, framing := range []string{"raw", "stream"} {
				d, err := decoder.OpenBytes(context.Background(), b, decoder.Options{Dialect: dialect, Framing: framing, Input: "binary"})
				if err != nil || d.Tree == nil {
					continue
				}
				many, one := contentsOf(t, d.Tree, least), contentsOf(t, d.Tree, 0)
				if !maps.Equal(many.all, one.all) {
					t.Errorf("%s as %s, %s: %d texts and lists of bytes if values are passed, %d if not", name, dialect, framing, len(many.all), len(one.all))
				}
				passed += many.passed
			}
		}
	}
	if passed < 100 {
		t.Errorf("only %d texts were passed", passed)
	}
}
