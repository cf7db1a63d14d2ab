package model

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/model/patch"
)

// TestApplyTogether: the edits of a patch are one edit of the bytes, however many there are, and
// leave what they say.
func TestApplyTogether(t *testing.T) {
	for _, n := range []int{25, 50, 100} {
		var was []string
		var p patch.Patch
		for i := range n {
			was = append(was, fmt.Sprintf(`{ "a": %d, "b": "x" }`, i))
			path := fmt.Sprintf("$[0][%d]", i)
			p = append(p, patch.Op{Path: path + ".b", Old: `"x"`, New: `"longer text"`})
		}
		for i := n - 1; i > 0; i-- {
			if i%2 == 1 {
				p = append(p, patch.Op{Kind: patch.Insert, Path: fmt.Sprintf("$[0][%d]", i), New: "7"})
			}
		}
		d := openBulk(t, "["+strings.Join(was, ", ")+"]")
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		must(t, tr.Apply(context.Background(), p, edit.Options{}))
		if len(tr.Splices()) != 1 || len(tr.Ops()) != len(p) {
			t.Errorf("%d edits: %d passes over the bytes, %d ops", len(p), len(tr.Splices()), len(tr.Ops()))
		}
		if got := strings.Count(versionText(t, tr), `"longer text"`); got != n {
			t.Errorf("%d of %d values are set", got, n)
		}
	}
}
