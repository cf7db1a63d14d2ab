package simple

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"unicode"

	"varview/decoder/diagnose"
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
func (e editor) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (repair edit.Repair, err error) {
	s := e.begin(ctx, r, edit.Options{})
	switch p.Code {
	case span.TrailingBytes, span.ByteOrderMark:
		s.put(p.Offset, p.Length, nil)
	case span.LengthOverrun, span.Truncated, span.MissingValue:
		if p.Code == span.LengthOverrun && n.Layout == tree.Leaf {
			s.shorten(n)
		} else if n = s.cutOff(n); s.Err == nil {
			s.recount(n)
		}
	default:
		s.Keep(errors.New("there is no repair for this"))
	}
	if s.Err != nil {
		return edit.Repair{}, s.Err
	}
	repair.Splices, err = s.done(n.Parent, 0, 0)
	repair.NameLoss(s.Window)
	return repair, err
}

// cutOff returns the container whose last child is incomplete: n, or one around it, or the last in the
// buffer if the problem has no bytes.
func (e *editing) cutOff(n *tree.Node) *tree.Node {
	if n.Parent != nil && n.Layout >= tree.Sequence && n.Type != column {
		return n
	}
	for n.Layout >= tree.Sequence {
		last, err := e.Reader.LastChild(n)
		if !e.Keep(err) {
			return nil
		}
		n = last
	}
	if n.Parent != nil && n.Parent.Type == column {
		n = n.Parent
	}
	return n.Parent
}

// recount corrects the count of a container to that of its complete children, and removes what follows
// them.
func (e *editing) recount(n *tree.Node) {
	if n.Parent == nil {
		e.Keep(errors.New("no part of this value can be read"))
		return
	}
	done, whole, end := e.Finish(n), int64(0), n.Body
	last, err := e.Reader.LastChild(n)
	switch {
	case errors.Is(err, tree.ErrNoChild):
	case !e.Keep(err):
	case !e.IsDamaged(last):
		whole = last.Slot.Index + 1
		end, err = e.Reader.End(last)
		e.Keep(err)
	case last.KeyAt != tree.Unknown:
		whole, end = last.Slot.Index, last.KeyAt
	default:
		whole, end = last.Slot.Index, last.Start
	}
	if e.Err == nil {
		e.cut(n, whole, end, done.End)
	}
}

// cut keeps the first children of a container and removes the bytes after them.
func (e *editing) cut(n *tree.Node, whole, end, limit int64) {
	c := e.seen(n)
	head := append([]byte{}, e.Window.View(n.Start, n.Body-n.Start)...)
	if n.Footed {
		e.Keep(errors.New("it is not known where this value should end"))
	} else if !e.add(head, n.Start, &c.count, whole-int64(c.count.value)) || c.size.Length > 0 && !e.add(head, n.Start, &c.size, end-limit) {
		e.Keep(errors.New("the count of this value cannot be changed"))
	}
	e.put(n.Start, n.Body-n.Start, source.Memory(head))
	if limit > end {
		e.Cut(end, limit)
	}
}

// shorten corrects the length of a text or of data to that of the bytes that are left.
func (e *editing) shorten(n *tree.Node) {
	c := e.seen(n)
	left := n.Limit - n.Tail
	head := append([]byte{}, e.Window.View(n.Start, n.Tail-n.Start)...)
	if c.length.Length == 0 || int64(c.length.value) < left {
		e.Keep(errors.New("there is no length that could be changed"))
	} else if !e.add(head, n.Start, &c.length, left-int64(c.length.value)) {
		e.Keep(errors.New("the length of this value cannot be changed"))
	}
	e.put(n.Start, n.Tail-n.Start, source.Memory(head))
}

// mostLengths is the number of lengths that are tried for a text.
const mostLengths = 256

// Suspects implements diagnose.Suspecter: the length of a text may be wrong, which then holds other characters
// than text, or lacks some.
func (e editor) Suspects(w *source.Window, _ *tree.Value, _ tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	if v.Layout >= tree.Sequence || v.Type == buffer || v.Type == column {
		return
	}
	c := e.again(w, v)
	c.run()
	length, isText, from := c.length, c.scalar.Kind == tree.Text && !c.untied, c.at
	e.cursors.Put(c)
	if !isText || length.Length == 0 {
		return
	}
	if v.Damage == nil {
		from -= int64(length.value)
	}
	text := w.View(from, min(mostLengths, v.Limit-from))
	for n := int64(0); n <= int64(len(text)); n++ {
		if n > 0 && unicode.IsControl(rune(text[n-1])) {
			return
		}
		s, ok := e.changed(w, v, &length, n, span.WrongLength, "a length of ")
		if ok && n != int64(length.value) && !try(s) {
			return
		}
	}
}

// Recount implements diagnose.Suspecter. The counts of columns are none of these: with another one, the values
// before a place would be others too.
func (e editor) Recount(w *source.Window, _, v *tree.Value, n int64) (s diagnose.Suspect, ok bool) {
	if v.Type == buffer || v.Type == column || v.Flags&isColumns != 0 || v.Marked || n < 0 {
		return s, false
	}
	c := e.again(w, v)
	c.run()
	count := c.count
	e.cursors.Put(c)
	return e.changed(w, v, &count, n, span.WrongCount, "a count of ")
}

// changed returns the suspect that sets a number of a value to n.
func (e editor) changed(w *source.Window, v *tree.Value, is *number, n int64, code, what string) (s diagnose.Suspect, ok bool) {
	if is.Length == 0 || is.End() > v.Limit {
		return s, false
	}
	b := slices.Clone(w.View(is.Offset, is.Length))
	if !e.add(b, is.Offset, is, n-clamp(is.value)) {
		return s, false
	}
	return diagnose.Suspect{Span: is.Span, New: b, Code: code, Was: what + span.Grouped(clamp(is.value)), Is: strconv.FormatInt(n, 10)}, true
}

// isOddInText reports whether texts hardly ever have a byte.
func isOddInText(c byte) bool {
	return unicode.IsControl(rune(c)) && c != '\n' && c != '\t' && c != '\r' && c < 0x80
}

// Oddness implements diagnose.Suspecter: control characters in text, floats near zero, and keys that are neither text nor whole
// numbers.
func (e editor) Oddness(w *source.Window, _ *tree.Value, slot tree.Slot, v *tree.Value) int {
	const much, looked = 2, 64
	if v.Damage != nil {
		return 0
	}
	if v.Layout >= tree.Sequence {
		if slot.Key {
			return 2 * much
		}
		return 0
	}
	s := e.Describe(w, v)
	if slot.Key && s.Kind != tree.Text && s.Kind != tree.Int && s.Kind != tree.Uint {
		return 2 * much
	}
	switch s.Kind {
	case tree.Text:
		if slices.ContainsFunc(w.View(s.Span.Offset, min(s.Span.Length, looked)), isOddInText) {
			return much
		}
	case tree.Float64:
		if x := math.Abs(math.Float64frombits(s.Bits)); x != 0 && x < 1e-100 || x > 1e100 && !math.IsInf(x, 0) {
			return much
		}
	}
	return 0
}
