package elephant_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/elephant"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/internal/elephantref"
)

// FuzzLiteral sets the root of real files to literals. What is accepted is read by
// the second decoder, and setting it again changes nothing.
func FuzzLiteral(f *testing.F) {
	for _, b := range realBlocks(f) {
		tr := b.tree(b.data)
		each(f, tr, func(n *tree.Node) {
			if text := literal(f, tr, &n.Value); len(text) < 200 {
				f.Add(text)
			}
		})
	}
	for _, name := range []string{"v1-5-1-ref-two-way-list.bin", "v1-5-1-diffs-nested.bin", "v1-0-0-savegame-player.bin"} {
		f.Add(name)
	}
	blocks := realBlocks(f)
	f.Fuzz(func(t *testing.T, text string) {
		b := &blocks[len(text)%len(blocks)]
		if strings.Contains(b.name, "second-write") {
			return
		}
		tr := b.tree(b.data)
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
		data := spliced(t, b.data, splices)
		if _, err := elephantref.Decode(data, b.schemas); err != nil && !strings.Contains(err.Error(), "no constructor") && !strings.Contains(err.Error(), "levels") {
			t.Fatalf("%s: %q: %v\n%x", b.name, text, err, data)
		}
		if strings.Contains(text, "ref") {
			return // a reference may lead elsewhere now
		}
		tr = b.tree(data)
		r = tr.NewReader()
		if root, err = r.Child(tr.Base, 0); err != nil {
			t.Fatal(err)
		}
		splices, err = tr.Reading.(edit.Editor).Set(context.Background(), r, root, c, edit.Options{Retype: true})
		if err != nil || len(splices) > 0 {
			t.Fatalf("%s: %q once more: %d splices, %v\n%x", b.name, text, len(splices), err, data)
		}
	})
}

// FuzzImport imports anything. What comes of it is a block that says the same.
func FuzzImport(f *testing.F) {
	for _, b := range realBlocks(f) {
		f.Add(typed(f, &b))
	}
	f.Fuzz(func(t *testing.T, form []byte) {
		var out bytes.Buffer
		if elephant.Import(context.Background(), bytes.NewReader(form), &out, nil, nil) != nil {
			return
		}
		b := block{data: out.Bytes()}
		h, _ := elephant.Sniff(source.Bytes(b.data), span.Between(0, int64(out.Len())))
		if h.Footed != h.AtEnd { // a footer that does not fit the header is damage
			return
		}
		again := typed(t, &b)
		if bytes.Contains(again, []byte(`"damaged"`)) { // it cannot be read without its schemas, or the form says so
			return
		}
		var second bytes.Buffer
		if err := elephant.Import(context.Background(), bytes.NewReader(again), &second, nil, nil); err != nil || !bytes.Equal(second.Bytes(), b.data) {
			t.Fatalf("%s\n%x is read as\n%s\n%x %v", form, b.data, again, second.Bytes(), err)
		}
	})
}
