package edit

import (
	"errors"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// content is the bytes of a value for a slot of parent. A copy keeps its bytes if
// they have the same meaning here.
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

// contentLiteral is the literal of content.
func (e *Editing) contentLiteral(c edit.Content) (literal.Literal, error) {
	if c.Copy != nil {
		text, err := copyText(e.Ctx, c)
		if err != nil {
			return literal.Literal{}, err
		}
		c.Literal = text
	}
	return e.read(c.Literal)
}

// copied is the bytes of a copy, without the length of its frame and without its
// gap.
func (e *Editing) copied(c edit.Content) (*source.Pieces, error) {
	n, err := c.From.Finish(c.Copy)
	if err != nil {
		return nil, err
	}
	if damaged, err := isDamaged(c.From, n); damaged || err != nil {
		return nil, ErrorOr(err, "a damaged value cannot be copied")
	}
	return e.Padded(c.From.Tree.Source, n.Head, n.Tail), nil
}

// ErrorOr is err, or an error with the message if err is nil.
func ErrorOr(err error, message string) error {
	if err == nil {
		err = errors.New(message)
	}
	return err
}

// Padded is the bytes of a source from start to end. Padding that is missing at the
// end of a buffer is added.
func (e *Editing) Padded(src source.Source, start, end int64) *source.Pieces {
	bytes := copyAll(src, start, end)
	if missing := types.Pad(end - start); missing > 0 {
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

// maxDamageDepth is the depth to which the last values of a container are examined.
const maxDamageDepth = 32

// isDamaged reports whether n, or the last value in it, ends in bytes that cannot be
// read, so that nothing can follow it.
func isDamaged(r *tree.Reader, n *tree.Node) (bool, error) {
	if r.Tree.IsResynced() { // damage can be anywhere
		return holdsDamage(r, n)
	}
	for range maxDamageDepth {
		if n.Damage != nil {
			return true, nil
		}
		if n.Layout < tree.Sequence {
			return false, nil
		}
		last, err := r.LastChild(n)
		if errors.Is(err, tree.ErrNoChild) {
			return n.Count > 0, nil
		}
		if err != nil {
			return false, err
		}
		if n.Count != tree.Unknown && last.Slot.Index+1 < n.Count {
			return true, nil
		}
		n = last
	}
	return false, nil
}

// holdsDamage reports whether any value in n is damaged.
func holdsDamage(r *tree.Reader, n *tree.Node) (bool, error) {
	if n.Damage != nil || n.Layout < tree.Sequence {
		return n.Damage != nil, nil
	}
	s := r.Scan(n)
	s.Brisk = true
	for {
		switch ev := s.Next(); {
		case s.Window().Err() != nil:
			return false, s.Window().Err()
		case ev == tree.Done, ev == tree.Leave && s.Depth() <= n.Depth:
			v := s.Value()
			return v.HasGap() || v.Damage != nil, nil
		case s.Value().Damage != nil:
			return true, nil
		}
	}
}

// setCopy puts the bytes of a copy in place of a whole value.
func (e *Editing) setCopy(n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	w := e.Format.Constraint(&n.Parent.Value, n.Slot)
	is, was := string(e.Format.AppendType(nil, c.From.Window(), &c.Copy.Value)), string(e.Format.AppendType(nil, e.Window, &n.Value))
	if w.T == types.Float && !w.Any && c.Copy.Type == types.Int {
		text, err := copyText(e.Ctx, c)
		if err != nil {
			return nil, err
		}
		return Set(e.Ctx, e.Format, e.Reader, n, edit.Content{Literal: text}, o)
	}
	switch {
	case !w.Allows(c.Copy.Type):
		return nil, e.mismatch(&n.Parent.Value, n.Slot, is)
	case is != was && n.Type != types.Unknown && w.Allows(n.Type) && !o.Retype && (c.Copy.Type != types.Object || n.Type != types.Object):
		return nil, &edit.TypeError{Was: was, Is: is}
	}
	if n.Slot.Key {
		key, err := New(e.Ctx, e.Format, c.From).keyOf(&c.Copy.Value)
		if err == nil {
			err = e.checkFreeKey(n.Parent, n.Slot.Index, key)
		}
		if err != nil {
			return nil, err
		}
	}
	bytes, err := e.copied(c)
	if err != nil {
		return nil, err
	}
	if n, err = e.Reader.Finish(n); err != nil {
		return nil, err
	}
	e.Splices = append(e.Splices, source.Splice{Span: span.Between(n.Head, n.Tail), New: bytes})
	return e.Done(n)
}
