package output

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"varview/internal/text"
)

func TestUnmarked(t *testing.T) {
	marked := text.Clean("שלום") + ", " + text.Clean("سلام") + " … ✗ 冒"
	if strings.Count(marked, "\u200e") != 2 {
		t.Fatalf("%q has no marks", marked)
	}
	const want = "שלום, سلام … ✗ 冒"
	var whole, split strings.Builder
	if _, err := io.WriteString(&Unmarked{W: &whole}, marked); err != nil || whole.String() != want {
		t.Errorf("%q (%v), want %q", &whole, err, want)
	}
	// A byte a write.
	if _, err := io.Copy(struct{ io.Writer }{&Unmarked{W: &split}}, iotest.OneByteReader(strings.NewReader(marked))); err != nil || split.String() != want {
		t.Errorf("byte by byte: %q (%v), want %q", &split, err, want)
	}
}
