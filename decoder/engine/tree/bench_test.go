package tree_test

import (
	"bytes"
	"context"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// entry is a Dictionary of Godot 4 with a name, a position and a list.
func entry() []byte {
	b := words(27, 3)
	b = append(b, append(words(4, 4), "name"...)...)
	b = append(b, append(words(4, 8), "lanterns"...)...)
	b = append(b, append(words(4, 3), "pos\x00"...)...)
	b = append(b, words(5, 0x41480000, 0x3e800000)...)
	b = append(b, append(words(4, 4), "tags"...)...)
	return append(b, words(28, 3, 2, 7, 2, 8, 2, 9)...)
}

// large is a source of 1 GiB that repeats one block of entries.
func large(framing godot.Framing) *source.Pieces {
	const size = 1 << 30
	one := entry()
	head := words(28, 0)
	if framing == godot.Stream {
		one = append(words(uint32(8+100*len(one)), 28, 100), bytes.Repeat(one, 100)...)
		head = nil
	}
	block := source.Bytes(bytes.Repeat(one, (1<<20)/len(one)))
	blocks := size / block.Size()
	if framing == godot.Raw {
		head = words(28, uint32(blocks*block.Size()/int64(len(one))))
	}
	pieces := []source.Piece{{Src: source.Bytes(head), Span: span.Between(0, int64(len(head)))}}
	for range blocks {
		pieces = append(pieces, source.Piece{Src: block, Span: span.Between(0, block.Size())})
	}
	return source.Join(pieces...)
}

// BenchmarkEdited edits a string in 1 GiB, so that it keeps its length or becomes longer, and undoes the
// edit.
func BenchmarkEdited(b *testing.B) {
	if testing.Short() {
		b.Skip("takes 1 GiB to be indexed")
	}
	d, _ := godot.ByName("godot4")
	for _, framing := range []godot.Framing{godot.Stream, godot.Raw} {
		src := large(framing)
		t := tree.New(src, godot.New(godot.Settings{Dialect: d, Framing: framing}), span.Between(0, src.Size()))
		if err := t.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { b.Fatal(p) }); err != nil {
			b.Fatal(err)
		}
		for at, share := range map[string]int64{"start": 0, "middle": 50, "end": 99} {
			for how, text := range map[string]string{"same": "lampions", "longer": "lanternfishes..."} {
				splices := lanterns(b, t, src.Size()*share/100, text)
				edited, back := src.Splice(splices), src.Inverse(splices)
				b.Run(framing.String()+"/"+at+"/"+how, func(b *testing.B) {
					for b.Loop() {
						e, _ := t.Edited(edited, splices, func(p span.Problem) { b.Fatal(p) })
						if _, done := e.Indexed(); !done {
							b.Fatal("not indexed")
						}
						e.Edited(src, back, func(p span.Problem) { b.Fatal(p) })
					}
				})
			}
		}
	}
}

// lanterns returns the splices that replace the first name after an offset and set the
// lengths around it.
func lanterns(b *testing.B, t *tree.Tree, off int64, text string) []source.Splice {
	w := source.NewWindow(t.Source)
	view := w.View(off, 64<<10)
	at := off + int64(bytes.Index(view, []byte("\x08\x00\x00\x00lanterns")))
	splices := []source.Splice{source.Put(at, 12, append(words(uint32(len(text))), text...))}
	n, err := t.NewReader().At(at)
	if err != nil {
		b.Fatal(err)
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Head > p.Start && len(text) > 8 {
			splices = append(splices, source.Put(p.Start, 4, words(w.U32(p.Start)+uint32(len(text)-8))))
		}
	}
	source.Sort(splices)
	return splices
}
