package simple

import (
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Remedy implements tree.Remedier.
func (e editor) Remedy(parent, v *tree.Value, p *span.Problem) string {
	switch p.Code {
	case span.TrailingBytes:
		return "delete these bytes"
	case span.ByteOrderMark:
		return "delete the mark"
	case span.LengthOverrun, span.Truncated, span.MissingValue:
	default:
		return ""
	}
	switch {
	case p.Code == span.LengthOverrun && v.Layout == tree.Leaf:
		return "make the length that of the bytes that are left"
	case parent == nil:
	case v.Layout >= tree.Sequence && canRecount(v) && (v.Type != column || canRecount(parent)),
		p.Code == span.Truncated && parent.Type != buffer && parent.Type != column && canRecount(parent):
		return "cut off the incomplete part and correct the count"
	}
	return ""
}

// canRecount reports whether a container has a count that can be corrected.
func canRecount(v *tree.Value) bool { return !v.Marked && v.Flags&isZipped == 0 }

// Repair implements edit.Repairer: it corrects a count or a length to that of the children or bytes that
// are there.
func (e editor) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	s := e.begin(ctx, r, edit.Options{})
	var err error
	switch p.Code {
	case span.TrailingBytes, span.ByteOrderMark:
		s.put(p.Offset, p.Length, nil)
	case span.LengthOverrun, span.Truncated, span.MissingValue:
		switch {
		case p.Code == span.LengthOverrun && n.Layout == tree.Leaf:
			err = s.shorten(n)
		default:
			if n, err = s.cutOff(n); err == nil {
				err = s.recount(n)
			}
		}
	default:
		err = errors.New("there is no repair for this")
	}
	if err != nil {
		return edit.Repair{}, err
	}
	repair := edit.Repair{}
	repair.Splices, err = s.done(n.Parent, 0, 0)
	repair.NameLoss(s.Window)
	return repair, err
}

// cutOff returns the container whose last child is incomplete: n, or one around it, or the last in the
// buffer if the problem has no bytes.
func (e *editing) cutOff(n *tree.Node) (*tree.Node, error) {
	if n.Parent != nil && n.Layout >= tree.Sequence && n.Type != column {
		return n, nil
	}
	for n.Layout >= tree.Sequence {
		last, err := e.Reader.LastChild(n)
		if err != nil {
			return nil, err
		}
		n = last
	}
	if n.Parent != nil && n.Parent.Type == column {
		n = n.Parent
	}
	return n.Parent, nil
}

// recount corrects the count of a container to that of its complete children, and removes what follows
// them.
func (e *editing) recount(n *tree.Node) error {
	if n.Parent == nil {
		return errors.New("no part of this value can be read")
	}
	done, err := e.Reader.Finish(n)
	if err != nil {
		return err
	}
	whole, end := int64(0), n.Body
	last, err := e.Reader.LastChild(n)
	if err != nil && !errors.Is(err, tree.ErrNoChild) {
		return err
	}
	if err == nil {
		bad, err := edit.IsDamaged(e.Reader, last)
		if err != nil {
			return err
		}
		switch {
		case !bad:
			whole = last.Slot.Index + 1
			if end, err = e.Reader.End(last); err != nil {
				return err
			}
		case last.KeyAt != tree.Unknown:
			whole, end = last.Slot.Index, last.KeyAt
		default:
			whole, end = last.Slot.Index, last.Start
		}
	}
	return e.cut(n, whole, end, done.End)
}

// cut keeps the first children of a container and removes the bytes after them.
func (e *editing) cut(n *tree.Node, whole, end, limit int64) error {
	c := e.seen(n)
	head := append([]byte{}, e.Window.View(n.Start, n.Body-n.Start)...)
	if n.Footed {
		return errors.New("it is not known where this value should end")
	}
	if !e.add(head, n.Start, &c.count, whole-int64(c.count.value)) || c.size.Length > 0 && !e.add(head, n.Start, &c.size, end-limit) {
		return errors.New("the count of this value cannot be changed")
	}
	e.put(n.Start, n.Body-n.Start, source.Memory(head))
	if limit > end {
		e.put(end, limit-end, nil)
	}
	return nil
}

// shorten corrects the length of a text or of data to that of the bytes that are left.
func (e *editing) shorten(n *tree.Node) error {
	c := e.seen(n)
	left := n.Limit - n.Tail
	if c.length.Length == 0 || int64(c.length.value) < left {
		return errors.New("there is no length that could be changed")
	}
	head := append([]byte{}, e.Window.View(n.Start, n.Tail-n.Start)...)
	if !e.add(head, n.Start, &c.length, left-int64(c.length.value)) {
		return errors.New("the length of this value cannot be changed")
	}
	e.put(n.Start, n.Tail-n.Start, source.Memory(head))
	return nil
}
