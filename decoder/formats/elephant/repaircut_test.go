package elephant_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/elephantref"
)

// TestCutsLoad: after one repair, a real file that was cut anywhere after its header can be read to its end
// by the second decoder, with all numbers and texts that were whole.
func TestCutsLoad(t *testing.T) {
	for _, b := range smallFiles(t, 110) {
		if !strings.HasPrefix(b.Name, "v1-") || strings.Contains(b.Name, "second-write") {
			continue
		}
		ends := valueEnds(t, b.Tree(b.Data))
		for n := 8; n < len(b.Data); n++ {
			cut := b.Data[:n]
			is := repaired(t, &b, cut)
			if _, err := elephantref.Decode(is, b.Schemas); err != nil {
				t.Fatalf("%s cut to %d: %v\n% x", b.Name, n, err, is)
			}
			want := 0
			for _, end := range ends {
				if end <= int64(n) {
					want++
				}
			}
			if got := len(valueEnds(t, b.Tree(is))); got < want {
				t.Fatalf("%s cut to %d: %d numbers and texts were whole, %d are left\n% x", b.Name, n, want, got, is)
			}
		}
	}
}

// repaired makes the first repair that is offered.
func repaired(t *testing.T, b *Block, data []byte) []byte {
	t.Helper()
	tr := b.Tree(data)
	all := Problems(t, tr)
	for i := range all {
		if all[i].Repair == "" {
			continue
		}
		got, err := repair(tr, &all[i])
		if err != nil {
			t.Fatalf("% x: %s: %v", data, Found(&all[i]), err)
		}
		return Spliced(t, data, got.Splices)
	}
	return data
}

// valueEnds lists where numbers and texts end, except names.
func valueEnds(t *testing.T, tr *tree.Tree) (ends []int64) {
	t.Helper()
	before := ""
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		switch {
		case f.Kind == span.Value:
			ends = append(ends, f.End())
		case f.Kind == span.Terminator && f.Length == 1 && before != "constructor name" && !bytes.HasSuffix(f.Path, []byte("@key")):
			ends = append(ends, f.End())
		}
		before = f.Label
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ends
}
