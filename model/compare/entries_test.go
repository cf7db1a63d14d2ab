package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// TestEntriesOfIndex: children, paths and places of entries are the same where the pass for a comparison has noted all keys, and
// finding one then reads a few values, whatever comes before it.
func TestEntriesOfIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	name := func(k int) string {
		if k%9 == 4 {
			return "the same" // again and again
		}
		return fmt.Sprint("key ", k)
	}
	const n = 400
	for dialect, record := range map[string]func(k int) string{
		"json":        func(k int) string { return fmt.Sprintf("%q: {\"x\": [%d, 2]},\n", name(k), k) },
		"ini":         func(k int) string { return fmt.Sprintf("[%s]\nx=%d\n\n; comment\ny=\"\"\n", name(k), k) },
		"godot4-text": func(k int) string { return fmt.Sprintf("[%s]\n\nx=%d\ny=[1, {\n\"a\": 2\n}]\n", name(k), k) },
	} {
		var text strings.Builder
		for k := range n {
			text.WriteString(record(k))
		}
		content := text.String()
		if dialect == "json" {
			content = "{" + strings.TrimSuffix(content, ",\n") + "}"
		}
		var read [2]*tree.Reader
		var values atomic.Int64
		for i := range read {
			d, err := decoder.Open(t.Context(), source.Bytes(content), decoder.Options{Dialect: dialect})
			if err != nil {
				t.Fatal(err)
			}
			fresh := tree.New(d.Tree.Source, d.Tree.Reading, d.Tree.Region) // opening has passed all of it
			if read[i] = fresh.NewReader(); i == 0 {
				if err := fresh.BuildIndexAndGaps(t.Context()); err != nil {
					t.Fatal(err)
				}
				fresh.Reading = counting{fresh.Reading, &values}
			}
		}
		shown := func(r *tree.Reader, n *tree.Node, err error) string {
			if err != nil {
				return err.Error()
			}
			if n, err = r.Finish(n); err != nil {
				return err.Error()
			}
			is, err := r.Resolve(r.Path(n))
			return fmt.Sprint(n.Start, n.End, n.KeyAt, n.Slot, r.Path(n), err == nil && is.Same(n))
		}
		for range 2 * n {
			i, off := r.Int64N(n), r.Int64N(int64(len(content)))
			var found [2]string
			for k, r := range read {
				root, err := r.Child(r.Tree.Base, 0)
				if err != nil {
					t.Fatal(err)
				}
				values.Store(0)
				c, err := r.Child(root, i)
				found[k] = shown(r, c, err)
				if c, err = r.ChildOver(root, off); err == nil || off < root.End {
					found[k] += ", over the offset " + shown(r, c, err)
				}
				if most := int64(60); k == 0 && values.Load() > most {
					t.Fatalf("%s: finding entry %d and one at %#x read %d values, more than %d", dialect, i, off, values.Load(), most)
				}
			}
			if found[0] != found[1] {
				t.Fatalf("%s: entry %d and that at %#x: %s with the keys, %s without", dialect, i, off, found[0], found[1])
			}
		}
	}
}
