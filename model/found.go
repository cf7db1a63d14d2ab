package model

import (
	"context"
	"maps"

	"varview/decoder/parallel"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/search"
)

// GoToHit puts the cursor on a hit. What is unfolded for it is folded again by the next one.
func (x *Explorer) GoToHit(h search.Hit) error {
	clear(x.outline.sought)
	clear(x.outline.shown)
	if !h.IsValue {
		x.offset, x.inBytes = h.Offset, true
		x.owner, x.field = nil, span.Field{}
		return x.do(func() error { return x.revealIn(x.outline.sought) })
	}
	return x.do(func() error {
		x.outline.unfoldAround(h.Node, x.outline.sought, maxUnfolded)
		return x.selectRow(x.outline.rowOf(h.Node))
	})
}

// KeepSought leaves unfolded what a search has unfolded.
func (x *Explorer) KeepSought() {
	maps.Copy(x.outline.open, x.outline.sought)
	clear(x.outline.sought)
}

// A View is where the cursor and the rows in view are, and what a search has unfolded.
type View struct {
	cursor Cursor
	top    *tree.Node
	sought map[place]bool
}

// View returns how the buffer is looked at.
func (x *Explorer) View() View {
	v := View{cursor: x.Cursor(), sought: maps.Clone(x.outline.sought)}
	if len(x.outline.rows) > 0 {
		v.top = x.outline.rows[0]
	}
	return v
}

// ReturnTo looks at the buffer as it was looked at before, if it has not been edited since.
func (x *Explorer) ReturnTo(v View) error {
	x.outline.sought = maps.Clone(v.sought)
	clear(x.outline.shown)
	if v.top != nil {
		x.outline.setTop(v.top)
	}
	return x.GoToCursor(v.cursor)
}

// SetFilter leaves of the tree the rows with hits and those around them; nil shows all rows
// again. After an edit the rows stay until all hits were found again.
func (x *Explorer) SetFilter(h *Hits) {
	o := x.outline
	switch {
	case h == nil && o.filter == nil:
		return
	case h != nil && o.filter != nil && o.filter.stale:
		o.filter.hits = h
		o.filter.takeOver()
		o.refill()
		return
	case h != nil:
		o.filter = newFilter(h)
		o.filter.takeOver()
		o.rows = o.rows[:0]
		o.fill()
		return
	}
	o.filter, o.rows = nil, o.rows[:0]
	o.fill()
	if n := x.row; n != nil && n.Depth > 0 {
		o.unfoldAround(n, o.sought, maxUnfolded)
		x.do(func() error {
			row, err := o.rowOf(n)
			if err == nil {
				x.row = row
				o.show(row)
			}
			return err
		})
	}
}

// Filter returns the hits that are left of the tree, nil where all rows are there.
func (x *Explorer) Filter() *Hits {
	if x.outline.filter == nil {
		return nil
	}
	return x.outline.filter.hits
}

// collectWorkers is the number of parts of a buffer that are searched beside each other while
// somebody looks and types.
func collectWorkers() int { return max(1, parallel.Workers()-1) }

// sizeRanked is the size in bytes of the largest buffer in which the best hit is looked for, and not
// the next one.
const sizeRanked = 64 << 20

// Seek looks for the hit that a new search goes to: the first of the best ones after a spot, or before
// it if there is none. In a large buffer it is the next one.
func (b *Buffer) Seek(ctx context.Context, q search.Query, from search.Spot, p *Progress) (hit search.Hit, wrapped bool, err error) {
	if b.Size() > sizeRanked {
		return b.Search(ctx, q, from, false, p)
	}
	return b.BestMatch(ctx, q, from, collectWorkers(), p)
}
