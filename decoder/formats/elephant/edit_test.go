package elephant_test

import (
	"context"
	"testing"

	"varview/decoder/edit"
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
