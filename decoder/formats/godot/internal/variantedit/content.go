package variantedit

import (
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
)

// content returns the bytes of a value for a slot of parent. A copy keeps its bytes if they
// have the same meaning here.
func (e *Editing) content(parent *tree.Value, slot tree.Slot, c edit.Content) (*source.Pieces, error) {
	w := e.Format.Constraint(parent, slot)
	if c.Copy != nil && isWhole(c.Copy) && sameBytes(e.Format, c.From.Tree.Reading) && w.Allows(c.Copy.Type) {
		return e.copied(c)
	}
	l, err := e.contentLiteral(c)
	if err != nil {
		return nil, err
	}
	fitting, fits := encode.Fit(l, w)
	if !fits && c.Copy != nil {
		return nil, e.mismatch(parent, slot, l.TypeText())
	} else if !fits {
		return nil, e.mismatchAt(parent, slot, &l)
	}
	b, err := e.encode(&fitting)
	return source.Memory(b), err
}

// contentLiteral returns the literal of content.
func (e *Editing) contentLiteral(c edit.Content) (literal.Literal, error) {
	if c.Copy != nil {
		text, err := copyText(e.Ctx, c)
		if err != nil {
			return literal.Literal{}, err
		}
		c.Literal = text
	}
	return e.read(c.Literal, c.Copy == nil)
}

// copied returns the bytes of a copy, without the length of its frame and without its gap.
func (e *Editing) copied(c edit.Content) (*source.Pieces, error) {
	n, err := c.Copied()
	if err != nil {
		return nil, err
	}
	return e.Padded(c.From.Tree.Source, n.Head, n.Tail), nil
}

// Padded returns the bytes of a source from start to end, with the padding that may be
// missing at the end of a buffer.
func (e *Editing) Padded(src source.Source, start, end int64) *source.Pieces {
	bytes := edit.Bytes(src, start, end)
	if missing := e.Format.Dialect.Pad(end - start); missing > 0 {
		return joined(bytes, source.Memory(make([]byte, missing)))
	}
	return bytes
}

// joined concatenates bytes.
func joined(parts ...*source.Pieces) *source.Pieces {
	var all []source.Piece
	for _, p := range parts {
		p.List(func(_ int64, piece source.Piece) bool {
			all = append(all, piece)
			return true
		})
	}
	return source.Join(all...)
}
