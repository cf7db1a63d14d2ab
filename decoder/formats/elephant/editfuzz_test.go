package elephant_test

import (
	"context"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/internal/elephantref"
)

// FuzzLiteral sets the root of real files to literals. If one is accepted, the second decoder reads it, and
// setting it again changes nothing.
func FuzzLiteral(f *testing.F) {
	for _, b := range RealBlocks(f) {
		tr := b.Tree(b.Data)
		Each(f, tr, func(n *tree.Node) {
			if text := literalOf(f, tr, &n.Value); len(text) < 200 {
				f.Add(text)
			}
		})
	}
	for _, name := range []string{"v1-5-1-ref-two-way-list.bin", "v1-5-1-diffs-nested.bin", "v1-0-0-savegame-player.bin"} {
		f.Add(name)
	}
	blocks := RealBlocks(f)
	f.Fuzz(func(t *testing.T, text string) {
		b := &blocks[len(text)%len(blocks)]
		if strings.Contains(b.Name, "second-write") {
			return
		}
		tr := b.Tree(b.Data)
		r := tr.NewReader()
		root, err := r.Child(tr.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := edit.Content{Literal: text}
		splices, err := tr.Reading.(edit.Editor).Set(context.Background(), r, root, c, edit.Options{Retype: true, Orphans: edit.Undefined})
		if err != nil {
			return
		}
		data := Spliced(t, b.Data, splices)
		if _, err := elephantref.Decode(data, b.Schemas); err != nil && !strings.Contains(err.Error(), "no constructor") && !strings.Contains(err.Error(), "levels") {
			t.Fatalf("%s: %q: %v\n%x", b.Name, text, err, data)
		}
		if strings.Contains(text, "ref") {
			return // a reference may lead elsewhere now
		}
		tr = b.Tree(data)
		r = tr.NewReader()
		if root, err = r.Child(tr.Base, 0); err != nil {
			t.Fatal(err)
		}
		splices, err = tr.Reading.(edit.Editor).Set(context.Background(), r, root, c, edit.Options{Retype: true})
		if err != nil || len(splices) > 0 {
			t.Fatalf("%s: %q once more: %d splices, %v\n%x", b.Name, text, len(splices), err, data)
		}
	})
}
