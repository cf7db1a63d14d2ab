package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// ErrAfterDamage is returned if inserted bytes would become part of a gap.
var ErrAfterDamage = errors.New("nothing can be inserted after a damaged value: it takes all bytes up to the end")

// Offset returns the offset at which the child index of a value begins with its key, or the end of its last
// child. absorbs reports whether bytes that are inserted after that child would become part of it.
func (e *Editing) Offset(parent *tree.Node, index int64, absorbs func(last *tree.Node) bool) int64 {
	n, err := e.Reader.Child(parent, index)
	switch {
	case err == nil && n.KeyAt != tree.Unknown:
		return n.KeyAt
	case err == nil:
		return n.Start
	case !errors.Is(err, tree.ErrNoChild):
		e.Keep(err)
		return 0
	}
	some, end := int64(0), parent.Body // end of the last child
	last, err := e.Reader.LastChild(parent)
	if err == nil {
		some = last.Slot.Index + 1
	} else if !errors.Is(err, tree.ErrNoChild) {
		e.Keep(err)
	}
	if index != some {
		e.Keep(fmt.Errorf("index %d is out of range; the last is %d", index, some))
	}
	if e.Err != nil {
		return 0
	}
	done := e.Finish(parent)
	if some > 0 {
		if absorbs(last) {
			e.Keep(ErrAfterDamage)
		}
		end, err = e.Reader.End(last)
		e.Keep(err)
	}
	children := done.Tail // end of the children
	if done.Footed {
		children = done.Foot
	}
	if end != children { // a key without its value
		e.Keep(ErrAfterDamage)
	}
	return end
}

// maxDamageDepth is the depth to which the last values of a container are examined.
const maxDamageDepth = 32

// IsDamaged reports whether n, or the last value in it, ends in bytes that cannot be read, so that nothing
// can follow it.
func IsDamaged(r *tree.Reader, n *tree.Node) (bool, error) {
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
	s.PassOrdinary = true
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

// Bytes returns the bytes of a source from start to end, without copying them.
func Bytes(src source.Source, start, end int64) *source.Pieces {
	pieces := source.Whole(src)
	if p, ok := src.(*source.Pieces); ok {
		pieces = p
	}
	return pieces.Slice(span.Between(start, end))
}

// errDiffers ends a comparison.
var errDiffers = errors.New("differs")

// A comparer accepts writes as long as they equal the rest of a text.
type comparer struct{ rest string }

func (c *comparer) Write(b []byte) (int, error) {
	if len(b) > len(c.rest) || c.rest[:len(b)] != string(b) {
		return 0, errDiffers
	}
	c.rest = c.rest[len(b):]
	return len(b), nil
}

// IsWrittenAs reports whether the literal of a value is text.
func IsWrittenAs(ctx context.Context, r *tree.Reader, v *tree.Value, text string) (bool, error) {
	c := comparer{text}
	err := r.WriteText(ctx, &c, v)
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	if err == nil {
		err = r.Window().Err()
	}
	return err == nil && c.rest == "", err
}

// ErrTooLong is returned for a literal that exceeds its limit.
var ErrTooLong = errors.New("the value is too large to be written as text")

// A limited is a buffer of limited size.
type limited struct {
	bytes.Buffer
	left int
}

func (b *limited) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, ErrTooLong
	}
	return b.Buffer.Write(p)
}

// LiteralOf returns the literal of a value; the error is ErrTooLong if it has more than limit bytes.
func LiteralOf(ctx context.Context, r *tree.Reader, v *tree.Value, limit int) (string, error) {
	b := limited{left: limit}
	if err := r.WriteText(ctx, &b, v); err != nil {
		return "", err
	}
	return b.String(), r.Window().Err()
}
