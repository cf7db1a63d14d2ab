package output

import (
	"bytes"
	"testing"
	"time"
)

// TestProgress holds that nothing is shown of what is soon done, that a number
// stands a moment, and that the line is taken away once.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	at := time.Unix(0, 0)
	p := NewProgress(&out, func() time.Time { return at }, "unpacking save.dat")
	const line = "\r\x1b[Kvarview: unpacking save.dat "
	for _, step := range []struct {
		after     time.Duration // since the step before
		done, all int64
		want      string
	}{
		{0, 1, 100, ""},
		{progressAfter - 1, 2, 100, ""},
		{1, 3, 0, ""},
		{0, 3, 100, line + "3%"},
		{progressEvery - 1, 4, 100, ""},
		{1, 5, 100, line + "5%"},
		{progressEvery, 1 << 62, 1 << 62, line + "100%"},
		{progressEvery, 300, 200, line + "100%"},
	} {
		at = at.Add(step.after)
		out.Reset()
		p.Show(step.done, step.all)
		if out.String() != step.want {
			t.Errorf("%d of %d: %q, want %q", step.done, step.all, out.String(), step.want)
		}
	}
	out.Reset()
	p.Erase()
	p.Erase()
	if out.String() != "\r\x1b[K" {
		t.Errorf("erased with %q", out.String())
	}
}
