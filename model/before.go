package model

import (
	"errors"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

const (
	maxCounted   = 99   // largest number of edited values in another one that are counted
	beforeBudget = 3000 // values that may be passed over for each
)

// Before says what the file has in place of values that were edited. It belongs to one goroutine and to the buffer as
// it was when it was made.
type Before struct {
	buffer    *Buffer
	is, saved *tree.Reader

	splices []source.Splice // that have led to the bytes as they are now; nil until they are asked for
	mapping source.Mapping  // of the saved bytes to these
}

// NewBefore returns what compares values of a buffer with the file.
func NewBefore(b *Buffer) *Before {
	f := &Before{buffer: b, is: b.Tree().NewReader(), saved: b.Saved().NewReader()}
	f.is.Budget, f.saved.Budget = beforeBudget, beforeBudget
	return f
}

// Of returns the literal of what the file has in place of a value, cut to about limit bytes; "" if it is the same, the
// file has no such value, or finding it takes long.
func (f *Before) Of(n *tree.Node, limit int) string {
	in := n // a value that is packed is changed with the bytes that hold it
	for n.Start == n.End && in.Depth > 1 && in.Start == in.End {
		in = in.Parent
	}
	if f.buffer.doc.ChangedBuffer() != f.buffer || !f.buffer.ChangedIn(in.Start, max(in.End, in.Body)) {
		return ""
	}
	old := f.find(n)
	if old == nil {
		return ""
	}
	was := string(f.saved.AppendLiteral(nil, &old.Value, limit))
	if was == string(f.is.AppendLiteral(nil, &n.Value, limit)) {
		return ""
	}
	return was
}

// Grew reports whether a value that is packed is none of the file, or the file has another number of values in its place.
func (f *Before) Grew(n *tree.Node) bool {
	old, err := f.saved.Resolve(f.is.Path(n))
	if gone := (*tree.PathError)(nil); errors.As(err, &gone) {
		return true
	}
	return err == nil && f.is.Count(n) != f.saved.Count(old)
}

// Old returns the value that the file has in place of another one, and its reader; nil if it has none.
func (f *Before) Old(n *tree.Node) (*tree.Reader, *tree.Node) { return f.saved, f.find(n) }

// find returns the value that the file has in place of another one: that with the same path, if it has not come there
// because others were added or deleted.
func (f *Before) find(n *tree.Node) *tree.Node {
	old, err := f.saved.Resolve(f.is.Path(n))
	if err != nil {
		return nil
	}
	if n.Start == n.End && old.Start == old.End {
		for is, was := n, old; is.Depth > 1 && is.Start == is.End; is, was = is.Parent, was.Parent {
			if f.is.Count(is.Parent) != f.saved.Count(was.Parent) {
				return nil
			}
		}
		return old
	}
	wasEnd, err := f.saved.End(old)
	end, err2 := f.is.End(n)
	if err != nil || err2 != nil || !f.isAt(n.Start, old.Start) || !f.isAt(end, wasEnd) {
		return nil
	}
	return old
}

// isAt reports whether an offset is where another one of the saved bytes has come, with what was inserted there
// or without.
func (f *Before) isAt(off, was int64) bool {
	return f.offsetNow(was) == off || f.offsetNow(was-1)+1 == off
}

// since returns the splices that have led to the bytes as they are now: of many edits they are many, and are worked out once.
func (f *Before) since() []source.Splice {
	if f.splices == nil {
		f.splices = f.buffer.now.Load().content.Since(f.buffer.base)
		f.mapping = source.NewMapping(f.splices)
	}
	return f.splices
}

// offsetNow returns where a byte of the saved bytes is now.
func (f *Before) offsetNow(off int64) int64 {
	f.since()
	return f.mapping.Map(off)
}

// BeganWith reports whether a value of the file begins with the byte that is at an offset now: then bytes that were removed
// before that belonged to others.
func (f *Before) BeganWith(off int64) bool {
	was := off
	for _, s := range f.since() {
		if s.Offset-was+off+s.Added() > off {
			break
		}
		was += s.Length - s.Added()
	}
	n, err := f.saved.At(was)
	return err == nil && n.Start == was
}

// IsOf reports whether it is about a buffer as it is now.
func (f *Before) IsOf(b *Buffer) bool {
	return f != nil && f.is.Tree == b.Tree() && f.saved.Tree == b.Saved()
}

// EditedIn returns how many of the values in another one, which ends at an offset, were edited; 0 if it was
// edited itself, or there are too many, or bytes of several were exchanged at once.
func (f *Before) EditedIn(n *tree.Node, end int64) (count int) {
	if f.buffer.ChangedIn(n.Start, n.Body) {
		return 0
	}
	var last *tree.Node
	for _, change := range f.buffer.AppendChanges(nil, n.Body, end) {
		m, err := f.is.At(change.Offset)
		if err != nil || count == maxCounted {
			return 0
		}
		if after, err := f.is.End(m); err == nil && change.End() > after {
			return 0
		}
		if last == nil || !m.Same(last) {
			last, count = m, count+1
		}
	}
	return count
}
