package elephant_test

import (
	"context"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/tree"
)

// TestOwnLiteral: setting a value to its own literal changes nothing.
func TestOwnLiteral(t *testing.T) {
	for _, b := range RealBlocks(t) {
		tr := b.Tree(b.Data)
		values := 0
		Each(t, tr, func(n *tree.Node) {
			text := literalOf(t, tr, &n.Value)
			splices, err := tr.Reading.(edit.Editor).Set(context.Background(), tr.NewReader(), n, edit.Content{Literal: text}, edit.Options{})
			if err != nil && n.Damage == nil || len(splices) > 0 {
				t.Errorf("%s %s = %s: %d splices, %v", b.Name, tr.NewReader().Path(n), text, len(splices), err)
			}
			values++
		})
		if values == 0 {
			t.Errorf("%s: no values", b.Name)
		}
	}
}

// TestSetReadsOnce: values that one reader sets are read through its window, and not each through another one.
func TestSetReadsOnce(t *testing.T) {
	b := RealBlock(t, Folder+"v1-5-1-savegame-world.bin")
	of := b.Tree(b.Data)
	src := &sourcetest.Counted{Source: of.Source}
	tr := tree.New(src, of.Reading, of.Region)
	r, values := tr.NewReader(), 0
	Each(t, of, func(n *tree.Node) {
		if _, err := of.Reading.(edit.Editor).Set(t.Context(), r, n, edit.Content{Literal: literalOf(t, of, &n.Value)}, edit.Options{}); err != nil && n.Damage == nil {
			t.Errorf("%s: %v", of.NewReader().Path(n), err)
		}
		values++
	})
	if values < 50 || src.Reads > values/10 {
		t.Errorf("%d reads to set %d values", src.Reads, values)
	}
}
