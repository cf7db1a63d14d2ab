package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/literals"
	"varview/model/search"
)

// maxHits is the number of hits of a query that are kept. Further hits are only counted.
const maxHits = 100_000

// Hits are all hits of a query in a buffer found so far, in the order of their bytes. One goroutine
// collects them, others read them.
type Hits struct {
	Query  search.Query
	Buffer *model.Buffer
	Within string // which values they are among; see model.CutWithin

	differing bool // they are the rows that differ from another file

	mu sync.Mutex
	found
}

// found is what was found so far. Its lists only grow.
type found struct {
	kept  []keptHit
	rows  []hitRow   // rows that show the kept hits
	last  hitRow     // the row in which more hits may follow
	key   *tree.Node // the key in which the last hit is, if its value has the row
	mixed bool       // some are better than others
	count int64
	done  bool
	err   error // why not all were found
}

// now returns what was found so far. The caller must not change it.
func (h *Hits) now() found {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.found
}

// A keptHit is a hit, and the row that shows it.
type keptHit struct {
	span.Span
	row     int // negative without one
	isValue bool
	rank    search.Rank
}

// A hitRow is a row with hits.
type hitRow struct {
	model.Cursor
	inKey, inValue bool
}

// NewHits returns hits that Collect has yet to find.
func NewHits(b *model.Buffer, q search.Query) *Hits { return &Hits{Query: q, Buffer: b} }

// String returns what is looked for, as it is typed.
func (h *Hits) String() string { return strings.TrimSpace(h.Within + " " + h.Query.String()) }

// In returns hits of the same in another buffer, or after an edit, that Collect has yet to find.
func (h *Hits) In(b *model.Buffer) *Hits { return &Hits{Query: h.Query, Buffer: b, Within: h.Within} }

// Collect looks for all hits, beginning with the first. It leaves one processor to the user interface.
func (h *Hits) Collect(ctx context.Context, p *model.Progress) error {
	h.mu.Lock()
	h.found = found{done: h.done, err: h.err}
	h.mu.Unlock()
	read := h.Buffer.Tree().NewReader()
	read.Budget = tree.LookUpBudget
	among := map[tree.ID]bool{}
	if h.Within != "" {
		for _, n := range h.Buffer.Within(h.Within) {
			if among[n.ID()] = true; h.Query.String() == "" && !h.isFull() {
				h.add(n, search.Hit{Span: span.Between(n.Start, max(n.Start, n.End)), Node: n, IsValue: true, Rank: search.Other})
			}
		}
	}
	err := h.Buffer.Matches(ctx, h.Query, parallel.SpareWorkers(), p, func(hit search.Hit) bool {
		n, err := (*tree.Node)(nil), error(nil)
		if h.Within != "" {
			if n, err = ownerOf(ctx, read, hit); err != nil || !among[n.ID()] {
				return ctx.Err() == nil
			}
		}
		if h.isFull() {
			return true
		}
		if n == nil {
			n, err = ownerOf(ctx, read, hit)
		}
		if err == nil {
			h.add(n, hit)
		}
		return ctx.Err() == nil
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil && ctx.Err() == nil {
		h.flush()
		h.done = true
	}
	if ctx.Err() == nil {
		h.err = err
	}
	return err
}

// Failed reports whether some hits cannot be found.
func (h *Hits) Failed() bool { return h.now().err != nil }

// isFull counts a hit, and reports whether there is no room to keep it.
func (h *Hits) isFull() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count++
	return len(h.kept) == maxHits
}

// add keeps a hit and its row, unless that is the last row.
func (h *Hits) add(n *tree.Node, hit search.Hit) {
	c, isKey := rowCursor(n)
	h.mu.Lock()
	defer h.mu.Unlock()
	if k := h.key; k != nil && !isKey && n.Slot.Index == k.Slot.Index && n.Parent.Same(k.Parent) {
		h.last.Cursor = c // it is not right behind its key
	} else if c != h.last.Cursor {
		h.flush()
		h.last = hitRow{Cursor: c}
	}
	if h.key = nil; isKey {
		h.key = n
	}
	named := hit.IsValue && (hit.Rank == search.ExactKey || hit.Rank == search.PartOfKey)
	h.last.inKey = h.last.inKey || isKey || named
	h.last.inValue = h.last.inValue || !isKey && !named
	row := len(h.rows)
	if c.Depth == 0 {
		row = -1 - len(h.kept)
	}
	h.kept = append(h.kept, keptHit{hit.Span, row, hit.IsValue, hit.Rank})
	h.mixed = h.mixed || hit.Rank != h.kept[0].rank
}

// flush publishes the last row.
func (h *Hits) flush() {
	if h.last.Depth > 0 {
		h.rows = append(h.rows, h.last)
	}
	h.last = hitRow{}
}

// rowCursor returns a cursor on the value whose row shows n: a simple key is shown in the row of its
// value, which follows it.
func rowCursor(n *tree.Node) (c model.Cursor, isKey bool) {
	c = model.CursorOf(n)
	for ; n.Depth > 0; n = n.Parent {
		if n.Slot.Key && !hasRow(n) {
			c, isKey = model.CursorOf(n), true
			c.Slot.Key, c.Offset = false, n.End
		}
	}
	return c, isKey
}

// ownerOf returns the value in which a hit is. After a search for bytes, it waits until they have been
// read.
func ownerOf(ctx context.Context, read *tree.Reader, hit search.Hit) (*tree.Node, error) {
	if hit.Node != nil {
		return hit.Node, nil
	}
	for {
		n, err := read.At(hit.Offset)
		if !errors.Is(err, tree.ErrPending) {
			return n, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Count returns the number of hits found so far, and whether these are all.
func (h *Hits) Count() (n int64, all bool) {
	f := h.now()
	return f.count, f.done
}

// Kept returns the number of hits that are kept.
func (h *Hits) Kept() int { return len(h.now().kept) }

// Number returns the number of a hit among all, from 1; 0 if it is unknown.
func (h *Hits) Number(at span.Span) int {
	f := h.now()
	for i := f.firstAt(at.Offset); i < len(f.kept) && f.kept[i].Offset == at.Offset; i++ {
		if f.kept[i].Span == at {
			return i + 1
		}
	}
	return 0
}

// BestFirst returns the indexes of the best kept hits of all rows, best first, which of them is of the row of the selected hit, and
// whether some are better than others; nil while not all are found.
func (h *Hits) BestFirst(selected int) (order []int, at int, mixed bool) {
	f := h.now()
	listed := map[int]int{}
	for rank := search.ExactKey; f.done && rank <= search.Other; rank++ {
		for i, k := range f.kept {
			if _, is := listed[k.row]; k.rank == rank && !is {
				listed[k.row] = len(order)
				order = append(order, i)
			}
		}
	}
	if order == nil {
		return nil, selected, false
	}
	return order, listed[f.kept[selected].row], f.mixed
}

// at returns the i-th hit and the row that shows it.
func (h *Hits) at(i int) (keptHit, model.Cursor) {
	f := h.now()
	switch k := f.kept[i]; {
	case k.row < 0:
		return k, model.Cursor{}
	case k.row < len(f.rows):
		return k, f.rows[k.row].Cursor
	default:
		return k, f.last.Cursor
	}
}

// firstAt returns the number of kept hits before an offset.
func (f *found) firstAt(off int64) int {
	i, _ := slices.BinarySearchFunc(f.kept, off, func(k keptHit, off int64) int { return cmp.Compare(k.Offset, off) })
	return i
}

// maxExtending is the number of hits before a range that are looked at because they may extend
// into it.
const maxExtending = 64

// AppendIn appends the hits that have bytes in [from, to) to spans.
func (h *Hits) AppendIn(spans []span.Span, from, to int64) []span.Span {
	f := h.now()
	for i := max(0, f.firstAt(from)-maxExtending); i < len(f.kept) && f.kept[i].Offset < to; i++ {
		if f.kept[i].End() > from {
			spans = append(spans, f.kept[i].Span)
		}
	}
	return spans
}

// row returns what was found in the row of n.
func (h *Hits) row(n *tree.Node) hitRow {
	rows := h.now().rows
	c := model.CursorOf(n)
	i, _ := slices.BinarySearchFunc(rows, c.Offset, func(r hitRow, off int64) int { return cmp.Compare(r.Offset, off) })
	if i > 0 && n.KeyAt < rows[i-1].Offset && n.KeyAt != tree.Unknown && rows[i-1].Depth == c.Depth && rows[i-1].Slot == c.Slot {
		return rows[i-1] // in its key, which something divides from it
	}
	for ; i < len(rows) && rows[i].Offset == c.Offset; i++ {
		if rows[i].Cursor == c {
			return rows[i]
		}
	}
	return hitRow{}
}

// AnyIn reports whether a hit begins in [from, to).
func (h *Hits) AnyIn(from, to int64) bool {
	f := h.now()
	i := f.firstAt(from)
	return i < len(f.kept) && f.kept[i].Offset < to
}

// GoToHit moves the cursor to a hit. What is unfolded for it is folded again by the next one.
func (x *Explorer) GoToHit(h search.Hit) error {
	clear(x.outline.sought)
	clear(x.outline.shown)
	if !h.IsValue {
		return x.goTo(h.Offset, x.outline.sought)
	}
	return x.do(func() error { return x.unfoldTo(h.Node, x.outline.sought, maxUnfolded) })
}

// SearchLike shows the hits of what another explorer searches for, and filters by what it filters by, and reports
// whether there is either. They are yet to be found.
func (x *Explorer) SearchLike(other *Explorer) bool {
	h, filters := other.Hits, other.outline.filter != nil && !other.OnlyDiffering()
	if filters {
		h = other.Filter()
	}
	if h == nil {
		return false
	}
	x.Hits = h.In(x.Buffer)
	if filters {
		x.SetFilter(x.Hits)
		if x.row != nil { // it may be no hit any more
			x.outline.pin(x.row)
			x.outline.refill()
		}
	}
	return true
}

// KeepSought keeps unfolded what a search has unfolded.
func (x *Explorer) KeepSought() {
	maps.Copy(x.outline.open, x.outline.sought)
	clear(x.outline.sought)
}

// Hit returns the i-th of the kept hits.
func (x *Explorer) Hit(h *Hits, i int) (search.Hit, error) {
	k, c := h.at(i)
	n, err := c.Find(x.read)
	if k.isValue || err != nil {
		return search.Hit{Span: k.Span, Node: n, IsValue: true}, err
	}
	return search.Hit{Span: k.Span, Node: n}, nil
}

// A HitLine describes a hit in a list of hits.
type HitLine struct{ Path, Type, Value string }

// HitLine describes the i-th of the kept hits. Values are cut to about limit bytes.
func (x *Explorer) HitLine(h *Hits, i, limit int) (HitLine, error) {
	k, c := h.at(i)
	n, err := c.Find(x.read)
	if err != nil {
		return HitLine{}, err
	}
	if n.Depth == 0 { // of no value
		return HitLine{fmt.Sprintf("%#x", k.Offset), "bytes", x.textAround(k.Offset)}, nil
	}
	r := x.newRow(n, limit)
	line := HitLine{x.Path(n), r.Type, r.Value}
	if r.Kind == RowContainer { // a record, of which its values say more than their number
		line.Value = x.literal(n, limit)
	}
	if x.Buffer.IsPart(&n.Value) {
		line.Path = r.Label
	}
	return line, nil
}

// textAround returns the bytes around an offset as text, with a dot for each that is no printable ASCII.
func (x *Explorer) textAround(at int64) string {
	var data [64]byte
	k, _ := source.ReadAround(x.read.Tree.Source, data[:], max(0, at-int64(len(data)/4)))
	for i, c := range data[:k] {
		if c < ' ' || c > '~' {
			data[i] = '.'
		}
	}
	return string(data[:k])
}

// SameQuery returns a query for values with the selected value's key or name or, if it has none, for the
// same value. It is "" if there is nothing to look for.
func (x *Explorer) SameQuery() string {
	n := x.Subject()
	if n == nil || n.Depth == 0 {
		return ""
	}
	if name, named := literals.Label(x.read.Step(n)); named {
		return "key:" + search.Wholly(strings.Trim(name, `"`))
	}
	literal := x.literal(n, maxSame+1)
	switch {
	case len(literal) > maxSame:
	case literals.IsText(literal):
		return "value:" + search.Wholly(strings.Trim(strings.TrimLeft(literal, "&^"), `"`))
	case kindOf(literal) == RowNumber && literal[0] != '(':
		return "value:=" + literal
	}
	return ""
}

// maxSame is the length in bytes of the longest value that is looked for.
const maxSame = 200

// A View is where the cursor and the rows in view are, and what a search has unfolded.
type View struct {
	cursor model.Cursor
	offset int64
	top    *tree.Node
	sought map[tree.ID]bool
}

// Cursor returns where the cursor was.
func (v View) Cursor() model.Cursor { return v.cursor }

// View returns the current view of the buffer.
func (x *Explorer) View() View {
	v := View{cursor: x.Cursor(), offset: x.offset, sought: maps.Clone(x.outline.sought)}
	if len(x.outline.rows) > 0 {
		v.top = x.outline.rows[0]
	}
	return v
}

// ReturnTo restores a view, if the buffer has not been edited since.
func (x *Explorer) ReturnTo(v View) error {
	x.outline.sought = maps.Clone(v.sought)
	clear(x.outline.shown)
	if v.top != nil {
		x.outline.setTop(v.top)
	}
	err := x.GoToCursor(v.cursor)
	if x.later == nil && x.offset != v.offset { // another byte of the selected value
		x.offset = v.offset
		x.locate()
	}
	return err
}

// SetFilter reduces the tree to the rows with hits and those around them; nil shows all rows again. After
// an edit the rows stay until all hits have been found again.
func (x *Explorer) SetFilter(h *Hits) {
	o := x.outline
	switch {
	case h == nil && o.filter == nil:
		return
	case h != nil:
		if o.filter != nil && o.filter.stale {
			o.filter.hits = h
		} else {
			o.filter, o.rows = newFilter(h), o.rows[:0]
		}
		o.filter.takeOver()
		o.refill()
		return
	}
	o.filter, o.rows = nil, o.rows[:0]
	o.fill()
	if n := x.row; n != nil && n.Depth > 0 {
		o.unfoldAround(n, o.sought, maxUnfolded)
		x.do(func() error { return x.showRow(o.rowOf(n)) })
	}
}

// Filter returns the hits to which the tree is reduced; nil if all rows are shown.
func (x *Explorer) Filter() *Hits {
	if x.outline.filter == nil {
		return nil
	}
	return x.outline.filter.hits
}
