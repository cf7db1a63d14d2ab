// Package explore shows the buffers of a document: their trees as rows, a cursor, the places from which
// it has jumped, and the hits of searches. It knows nothing of a terminal.
package explore

import (
	"errors"
	"maps"
	"math"
	"slices"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
)

// An Explorer is a view of a buffer: the rows of its tree and one cursor, which is a byte and the value
// that owns it. All its methods return quickly.
type Explorer struct {
	Buffer *model.Buffer
	Hits   *Hits // the hits that are shown; nil if none are

	read    *tree.Reader
	outline *outline
	offset  int64      // offset of the byte under the cursor
	row     *tree.Node // the selected row; nil if there is none
	owner   *tree.Node // innermost value that owns the byte; nil while unknown
	field   span.Field // field of the byte
	inBytes bool       // the cursor was moved by bytes, not by rows
	looked  bool       // the first screen has been unfolded for its number of rows
	later   func() error

	anchor *tree.Node // value at which the selection of siblings began; nil without one

	differing *Differing // what differs from another file, nil where that is not shown
	gone      *tree.Node // the selected row of a value that only the other file has, below row

	lists   map[tree.ID]*Columns // columns of the lists in view, nil for those that have none
	saved   *model.Before        // compares with the file as it was opened or last saved; nil until it is needed
	targets map[uint32]target    // targets of references, as far as they were looked up
	jumps   jumps
	cycling *tree.Node // the reference to which NextReferrer last went
}

// New returns an explorer with the cursor at the first value.
func New(b *model.Buffer) *Explorer {
	x := &Explorer{Buffer: b, read: b.Tree().NewReader(), targets: map[uint32]target{}, lists: map[tree.ID]*Columns{}}
	x.setBudget()
	x.outline = newOutline(x.read)
	x.openFirst()
	x.do(func() error { return x.selectRow(x.outline.first()) })
	if s, ok := b.Tree().Reading.(format.Starter); ok && s.Start() != "" {
		x.do(func() error { return x.start(s.Start()) })
	}
	return x
}

// start shows the children of the value at a path, at the top of the rows.
func (x *Explorer) start(path string) error {
	n, err := x.read.Resolve(path)
	if missing := (*tree.PathError)(nil); errors.As(err, &missing) {
		return nil
	}
	if err != nil {
		return err
	}
	if err = x.goInto(n); err == nil {
		x.Align(0)
	}
	return err
}

// openFirst unfolds what the first screen should show: a bare value, or the only frame of a stream.
func (x *Explorer) openFirst() {
	n, err := x.read.Child(x.Buffer.Tree().Base, 0)
	if err != nil || n.Layout < tree.Sequence {
		return
	}
	if _, err := x.read.Child(x.Buffer.Tree().Base, 1); errors.Is(err, tree.ErrNoChild) {
		x.outline.open[n.ID()] = true
	}
}

// SetHeight sets the number of rows in view.
func (x *Explorer) SetHeight(rows int) {
	if rows = max(1, rows); rows != x.outline.height {
		x.outline.height = rows
		x.outline.fill()
		if !x.looked && x.outline.find(x.row) == 0 {
			x.fillPane()
		}
		x.looked = true
		if x.row != nil {
			x.outline.show(x.row)
		}
	}
}

// The first screen fills a pane of at least roomy rows with values down to a depth. In a smaller one,
// the first root is unfolded if all roots stay in view, and what is in sparse rows.
const (
	sparse  = 2
	roomy   = 11 // as in a window of 80×24
	deepest = 4
	mostCut = 1000 // children of a list that is unfolded though it does not fit
)

// fillPane unfolds lists and dictionaries level by level, as long as all rows fit; if that fills less than half of a
// roomy pane, the last row all the same, which hides nothing behind it.
func (x *Explorer) fillPane() {
	o := x.outline
	height := o.height
	if len(o.rows) == height {
		return
	}
	o.height++ // one more row shows what does not fit
	for depth := 1; depth < deepest; depth++ {
		for i, n := range slices.Clone(o.rows) {
			if height < roomy && i > 0 && (len(o.rows) > sparse || height < 2*sparse+2) || n.Depth != depth || n.Count > int64(height-len(o.rows)) || !x.isWorthALook(n) {
				continue
			}
			if o.setOpen(n, true); len(o.rows) > height || o.stop != nil {
				o.setOpen(n, false)
			}
		}
	}
	o.height = height
	if last := len(o.rows) - 1; height >= roomy && last >= 0 && len(o.rows) < height/2 && o.rows[last].Count <= mostCut && x.isWorthALook(o.rows[last]) {
		o.setOpen(o.rows[last], true) // what does not fit is better than nothing
	}
	o.fill()
}

// isWorthALook reports whether the first screen may unfold a row: a list or dictionary that no columns show.
func (x *Explorer) isWorthALook(n *tree.Node) bool {
	return n.Layout >= tree.Sequence && CanOpen(n) && !x.outline.isOpen(n) && x.isList(n) && !x.hasTitle(n) && !x.isInColumns(n)
}

// Own returns the span of what is selected without the values that it lists.
func (x *Explorer) Own() span.Span {
	start, end := x.Selected()
	if n := x.Subject(); n != nil && n.Depth > 0 && CanOpen(n) && x.isList(n) {
		end = n.Body
	}
	return span.Between(start, end)
}

// Offset returns the offset of the byte under the cursor.
func (x *Explorer) Offset() int64 { return x.offset }

// Owner returns the innermost value that owns the byte under the cursor, and the field to which the byte
// belongs; the value is nil while that is unknown.
func (x *Explorer) Owner() (*tree.Node, span.Field) { return x.owner, x.field }

// Selected returns the span of what is selected: the row's value with its header and padding, or while
// the cursor moves by bytes the value that owns the byte. Of a message it is what was sent. An unknown end is the end of the buffer.
func (x *Explorer) Selected() (start, end int64) {
	n := x.place()
	if n == nil || x.gone != nil {
		return x.offset, x.offset
	}
	if n = x.Buffer.Holder(n); n.Depth == 0 {
		if x.field.Length > 0 {
			return x.field.Offset, x.field.End()
		}
		return n.Tail, n.End
	}
	start = x.read.BehindGap(n)
	if _, lists := x.read.Tree.Reading.(format.Lister); lists && x.hasTitle(n) {
		start = n.Body
	}
	end, err := x.read.End(n)
	if err != nil {
		end = x.Buffer.Size()
	}
	return start, end
}

// place returns the selected row, or while the cursor moves by bytes the value that owns the byte; nil if there is none.
func (x *Explorer) place() *tree.Node {
	if x.inBytes {
		return x.owner
	}
	return x.row
}

// selectRow moves the cursor to a row.
func (x *Explorer) selectRow(n *tree.Node, err error) error {
	if err != nil {
		return err
	}
	x.inBytes = false
	x.row, x.gone = n, nil
	x.offset = x.Buffer.Holder(n).Start
	if n.Depth == 0 {
		x.offset = n.Tail
	}
	x.offset = max(0, min(x.offset, x.Buffer.Size()-1)) // a value without bytes can come after the last byte
	x.outline.show(n)
	if i := x.outline.find(n); i >= 0 {
		x.row = x.outline.rows[i] // the same value with its end, if that is known
	}
	x.locate()
	return nil
}

// locate finds out what the byte under the cursor is.
func (x *Explorer) locate() error {
	x.owner, x.field = nil, span.Field{}
	if x.offset >= x.Buffer.Size() {
		return nil
	}
	n, f, err := x.read.FieldAt(x.offset)
	if err != nil {
		return err
	}
	x.owner = n
	if f.Length > 0 {
		x.field = x.readable(f)
	}
	return nil
}

// readable returns the part of the field under the cursor that can be read or, if the cursor is not
// there, that cannot.
func (x *Explorer) readable(f span.Field) span.Field {
	hole := x.Buffer.HoleAt(x.offset)
	if hole.Length == 0 {
		return f
	}
	f.Kind, f.Label = span.Gap, unreadable
	f.Span = span.Between(max(f.Offset, hole.Offset), min(f.End(), hole.End()))
	return f
}

// unreadable is the label of a field in a hole.
const unreadable = "unreadable"

// MoveBytes moves the cursor by bytes; the tree follows to the value that owns the byte, which is
// unfolded as long as the cursor is in it.
func (x *Explorer) MoveBytes(by int64) error { return x.GoTo(x.offset + by) }

// GoTo moves the cursor to the byte at off, or to the nearest one.
func (x *Explorer) GoTo(off int64) error {
	clear(x.outline.shown)
	return x.goTo(max(0, min(off, x.Buffer.Size()-1)), x.outline.shown)
}

// maxUnfolded is the number of values around the byte under the cursor that are unfolded.
const maxUnfolded = 1000

// goTo moves the cursor to a byte, and shows the row of the value that owns it, with the values around that unfolded in one of
// the outline's sets.
func (x *Explorer) goTo(off int64, unfolded map[tree.ID]bool) error {
	x.offset, x.inBytes, x.gone = off, true, nil
	x.owner, x.field = nil, span.Field{}
	return x.do(func() error {
		if err := x.locate(); err != nil || x.owner == nil {
			return err
		}
		x.outline.unfoldAround(x.owner, unfolded, maxUnfolded)
		return x.showRow(x.outline.rowAt(x.owner, x.offset))
	})
}

// showRow puts the cursor on a row, without another place in the bytes.
func (x *Explorer) showRow(row *tree.Node, err error) error {
	if err == nil {
		x.row = row
		x.outline.show(row)
	}
	return err
}

// ToRows makes the cursor move by rows again: what it held unfolded stays unfolded, and the row is
// selected instead of the byte.
func (x *Explorer) ToRows() {
	maps.Copy(x.outline.open, x.outline.shown)
	clear(x.outline.shown)
	x.inBytes = false
}

// ToBytes makes the cursor move by bytes.
func (x *Explorer) ToBytes() { x.inBytes = true }

// GoToValue moves the cursor to a value, and unfolds the values around it.
func (x *Explorer) GoToValue(n *tree.Node) error {
	if n.Depth == 0 {
		return x.First()
	}
	return x.do(func() error { return x.goToValue(n) })
}

// GoInto is GoToValue for the target of a reference: what is in it is shown.
func (x *Explorer) GoInto(n *tree.Node) error { return x.do(func() error { return x.goInto(n) }) }

func (x *Explorer) goInto(n *tree.Node) error {
	if CanOpen(n) {
		x.setOpen(n, true)
	}
	return x.goToValue(n)
}

func (x *Explorer) goToValue(n *tree.Node) error {
	if n.Depth == 0 {
		return x.selectRow(x.outline.first())
	}
	return x.unfoldTo(n, x.outline.open, math.MaxInt)
}

// unfoldTo moves the cursor to a value, and unfolds up to most values around it, in one of the outline's sets.
func (x *Explorer) unfoldTo(n *tree.Node, unfolded map[tree.ID]bool, most int) error {
	x.outline.unfoldAround(n, unfolded, most)
	err := x.selectRow(x.outline.rowOf(n))
	x.outline.leaveBelow(x.row)
	return err
}

// Insertion returns the offset of the selected value if it has no bytes; ok is false if anything else is
// selected.
func (x *Explorer) Insertion() (offset int64, ok bool) {
	if n := x.row; !x.inBytes && n != nil && n.Depth > 0 && n.Start == n.End {
		return n.Start, true
	}
	return 0, false
}

// Count returns the number of children of a value; tree.Unknown while it is not known.
func (x *Explorer) Count(n *tree.Node) int64 { return x.read.Count(n) }

// Entry returns the value that a key belongs to, or the value itself; nil if it is missing.
func (x *Explorer) Entry(n *tree.Node) *tree.Node {
	if !n.Slot.Key {
		return n
	}
	value, err := x.read.Child(n.Parent, n.Slot.Index)
	if err != nil {
		return nil
	}
	return value
}

// Base returns the parent of the values at the root.
func (x *Explorer) Base() *tree.Node { return x.read.Tree.Base }

// setBudget allows look-ups more work once nothing has to be waited for.
func (x *Explorer) setBudget() {
	clear(x.lists)
	x.read.Budget = tree.LookUpBudget
	if _, done := x.Buffer.Indexed(); done {
		x.read.Budget = tree.IndexedBudget
	}
}

// do runs what a key asked for. If bytes are needed that have not been read yet, Tick tries again.
func (x *Explorer) do(f func() error) error {
	x.later = nil
	err := f()
	if errors.Is(err, tree.ErrPending) {
		x.later = f
		return nil
	}
	if errors.Is(err, tree.ErrNoChild) {
		return nil
	}
	return err
}

// Tick resumes what was waiting for the index, and reads rows that were missing. It reports whether
// anything still waits.
func (x *Explorer) Tick() (waiting bool) {
	if x.later != nil {
		x.do(x.later)
	}
	if f := x.outline.filter; f != nil && f.takeOver() {
		x.outline.refill()
	} else if x.outline.stop != nil {
		x.outline.fill()
	}
	if x.owner == nil {
		x.locate()
	}
	return x.Waiting()
}

// Indexed notes that the whole file has been read, so that all ends and counts are known.
func (x *Explorer) Indexed() {
	x.setBudget()
	clear(x.targets)
	x.outline.refill()
	if x.later != nil {
		x.do(x.later)
		return
	}
	if i := x.outline.find(x.row); i >= 0 {
		x.row = x.outline.rows[i]
	}
	x.locate()
}

// Waiting reports whether a request is waiting for the index.
func (x *Explorer) Waiting() bool { return x.later != nil || x.outline.stop != nil }
