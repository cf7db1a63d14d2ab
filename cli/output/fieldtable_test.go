package output

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	_ "varview/internal/lessgc"
	"varview/internal/text"
	"varview/model"
)

// dumpAt is what dump prints in a terminal of the given width, without colours.
func dumpAt(t *testing.T, name string, width int) string {
	t.Helper()
	doc, err := model.Open(context.Background(), name, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	var all bytes.Buffer
	if err := WriteFields(context.Background(), &all, doc.Buffers, func(*model.Buffer) string { return strings.Repeat("a buffer ", 30) }, &Palette{}, width, nil); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestDumpFits holds that no line is wider than the terminal, whatever stands in
// the file.
func TestDumpFits(t *testing.T) {
	var names []string
	for _, pattern := range []string{"../../testdata/*/*.bin", "../../testdata/*/*.b64", "../../testdata/*/*.txt", "../../testdata/elephant/corrupt/*.bin"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no files %s (%v)", pattern, err)
		}
		names = append(names, found...)
	}
	for i, name := range names {
		width := []int{80, 100, 200}[i%3]
		for line := range strings.Lines(dumpAt(t, name, width)) {
			if got := text.Width(strings.TrimSuffix(line, "\n")); got > width {
				t.Fatalf("%s: a line of %d columns in a terminal of %d:\n%s", name, got, width, line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
				t.Fatalf("%s: a control character in %q", name, line)
			}
		}
	}
}

func TestOffsetDigits(t *testing.T) {
	for _, test := range []struct {
		size int64
		want int
	}{{0, 8}, {1, 8}, {1 << 32, 8}, {1<<32 + 1, 9}, {1 << 40, 10}} {
		if got := offsetDigits(test.size); got != test.want {
			t.Errorf("a file of %d bytes: %d digits, want %d", test.size, got, test.want)
		}
	}
}
