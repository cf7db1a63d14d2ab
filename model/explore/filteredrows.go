package explore

import (
	"cmp"
	"errors"
	"slices"
	"sort"

	"varview/decoder/engine/tree"
	"varview/model"
)

// compareRows returns -1 if n comes before m in the tree from the top down, 1 if it comes after m, and
// otherwise 0.
func compareRows(n, m *tree.Node) int {
	deeper := n.Depth - m.Depth
	n = n.Around(m.Depth)
	m = m.Around(n.Depth)
	if n.Same(m) {
		return deeper
	}
	for n.Depth > 1 && !n.Parent.Same(m.Parent) {
		n, m = n.Parent, m.Parent
	}
	switch order := cmp.Compare(n.Slot.Index, m.Slot.Index); {
	case order != 0:
		return order
	case n.Slot.Key == m.Slot.Key: // both are only in another file
		return cmp.Compare(m.Start, n.Start)
	}
	if n.Slot.Key {
		return -1
	}
	return 1
}

// follows reports whether the i-th row with hits comes after n and, if outside is set, does not lie in n.
// Most rows are decided by their offsets.
func (o *outline) follows(i int, n *tree.Node, outside bool) (bool, error) {
	at := o.filter.rows[i].Offset
	switch {
	case at < n.Start:
		return false, nil
	case at > n.Start && (!outside || n.End != tree.Unknown && at > n.End):
		return true, nil
	case at > n.Start && n.End != tree.Unknown && at < n.End:
		return false, nil
	}
	m, err := o.resolve(i)
	return err == nil && compareRows(m, n) > 0 && !(outside && m.Within(n)), err
}

// firstAfter returns the index of the first row with hits that comes after n.
func (o *outline) firstAfter(n *tree.Node, outside bool) (i int, err error) {
	i = sort.Search(len(o.filter.rows), func(i int) bool {
		after, e := o.follows(i, n, outside)
		if err == nil {
			err = e
		}
		return after
	})
	return i, err
}

// hitAfter returns the next value with hits after n, and outside n if outside is set.
func (o *outline) hitAfter(n *tree.Node, outside bool) (*tree.Node, error) {
	i, err := o.firstAfter(n, outside)
	if err != nil {
		return nil, err
	}
	return o.nearest(i, 1, func(m *tree.Node) bool { return compareRows(m, n) > 0 && !(outside && m.Within(n)) })
}

// nearest returns the first value with hits that is right: the pinned one, or that of a row from the i-th on, upward if by
// is -1. Rows that are not right are of hits that are gone.
func (o *outline) nearest(i, by int, right func(*tree.Node) bool) (*tree.Node, error) {
	hit := o.filter.pinned
	if hit != nil && !right(hit) {
		hit = nil
	}
	for ; i >= 0 && i < len(o.filter.rows); i += by {
		m, err := o.resolve(i)
		if err != nil {
			return nil, err
		}
		if right(m) {
			if hit == nil || by*compareRows(m, hit) < 0 {
				hit = m
			}
			break
		}
	}
	if hit == nil {
		return nil, tree.ErrNoChild
	}
	return hit, nil
}

// lastHitUpTo returns the last value with hits before n or, if itself is set, n.
func (o *outline) lastHitUpTo(n *tree.Node, itself bool) (*tree.Node, error) {
	i, err := o.firstAfter(n, false)
	if err != nil {
		return nil, err
	}
	return o.nearest(i-1, -1, func(m *tree.Node) bool {
		order := compareRows(m, n)
		return order < 0 || itself && order == 0
	})
}

// holdsHits reports whether there are hits in n besides n itself, or values that are shown there
// though only another file has them.
func (o *outline) holdsHits(n *tree.Node) bool {
	m, err := o.hitAfter(n, false)
	return err == nil && m.Within(n) || o.filter.hits.differing && o.holdsGone(n)
}

// plainIn returns the value with hits that is n or contains n, and that contains no other hits, so that
// everything in it has rows. It is nil if there is none.
func (o *outline) plainIn(n *tree.Node) *tree.Node {
	hit, err := o.lastHitUpTo(n, true)
	if err != nil || !n.Within(hit) || o.holdsHits(hit) {
		return nil
	}
	return hit
}

// siblingWithHits returns the next sibling of n that is a hit or contains one.
func (o *outline) siblingWithHits(n *tree.Node) (*tree.Node, error) {
	hit, err := o.hitAfter(n, true)
	if err != nil || !hit.Within(n.Parent) {
		return nil, cmp.Or(err, tree.ErrNoChild)
	}
	for hit.Depth > n.Depth {
		hit = hit.Parent
	}
	if hit.Slot.Key {
		return o.valueOf(hit)
	}
	return hit, nil
}

// firstHit returns the top row that the filter leaves.
func (o *outline) firstHit() (*tree.Node, error) {
	hit, err := o.hitAfter(o.base, false)
	if err != nil {
		return nil, err
	}
	return toward(hit, o.base), nil
}

// toward returns the first row after n on the way down to a hit.
func toward(hit, n *tree.Node) *tree.Node {
	for hit.Depth > 1 && !n.Within(hit.Parent) {
		hit = hit.Parent
	}
	return hit
}

// nextHit returns the row below n.
func (o *outline) nextHit(n *tree.Node) (*tree.Node, error) {
	plain := o.plainIn(n)
	if plain != nil {
		c, err := o.nextOf(n)
		if err == nil && c.Within(plain) || err != nil && !errors.Is(err, tree.ErrNoChild) {
			return c, err
		}
		n = plain
	}
	hit, err := o.hitAfter(n, plain != nil || !o.isOpen(n))
	if err != nil {
		return nil, err
	}
	return toward(hit, n), nil
}

// lastHit returns the last row.
func (o *outline) lastHit() (*tree.Node, error) {
	hit, err := o.nearest(len(o.filter.rows)-1, -1, func(*tree.Node) bool { return true })
	if err != nil {
		return nil, err
	}
	return o.lastToward(hit, o.base)
}

// lastToward returns the last row on the way from parent down to a hit, or in it.
func (o *outline) lastToward(hit, parent *tree.Node) (*tree.Node, error) {
	var folded *tree.Node
	for m := hit.Parent; m.Depth > parent.Depth; m = m.Parent {
		if !o.isOpen(m) {
			folded = m
		}
	}
	if folded != nil {
		return folded, nil
	}
	return o.lastIn(hit)
}

// prevHit returns the row above n.
func (o *outline) prevHit(n *tree.Node) (*tree.Node, error) {
	if plain := o.plainIn(n); plain != nil && !plain.Same(n) {
		return o.prevOf(n)
	}
	hit, err := o.lastHitUpTo(n, false)
	switch {
	case err != nil && !errors.Is(err, tree.ErrNoChild):
		return nil, err
	case err == nil && hit.Within(n.Parent) && !hit.Same(n.Parent):
		return o.lastToward(hit, n.Parent)
	case n.Depth > 1:
		return n.Parent, nil
	}
	return nil, tree.ErrNoChild
}

// pin gives the value to which the cursor goes a row, if it has none.
func (o *outline) pin(n *tree.Node) {
	if o.filter == nil {
		return
	}
	o.filter.pinned = nil
	for m := n; m.Depth > 0 && !isGone(m); m = m.Parent { // a simple key is in the row of its value
		if !m.Slot.Key || hasRow(m) {
			continue
		}
		if v, err := o.read.Child(m.Parent, m.Slot.Index); err == nil {
			n = v
		}
	}
	if n.Depth > 0 && !isGone(n) && o.plainIn(n) == nil && !o.holdsHits(n) {
		o.filter.pinned = n
	}
}

// A filter reduces the outline to the rows with hits and those around them. A value with hits that
// contains no others unfolds as usual. The row to which the cursor has gone is always there.
type filter struct {
	hits  *Hits
	rows  []hitRow // rows of the hits found so far
	stale bool     // the rows are from before an edit

	resolved map[int]*tree.Node // values of rows that were looked up last

	pinned    *tree.Node       // value to which the cursor has gone; nil if it has a row already
	turned    map[tree.ID]bool // values around hits that were folded by hand
	allFolded bool             // all values around hits are folded, except those that were unfolded by hand
}

func newFilter(h *Hits) *filter {
	return &filter{hits: h, turned: map[tree.ID]bool{}, resolved: map[int]*tree.Node{}}
}

// takeOver takes over the rows found since; after an edit, once all have been found. It reports whether
// anything has changed.
func (f *filter) takeOver() bool {
	now := f.hits.now()
	if f.stale && !now.done || !f.stale && len(now.rows) == len(f.rows) {
		return false
	}
	if f.stale {
		clear(f.resolved)
	}
	f.rows, f.stale = now.rows, false
	return true
}

func (f *filter) isOpen(p tree.ID) bool { return f.turned[p] == f.allFolded }

func (f *filter) setOpen(p tree.ID, open bool) {
	delete(f.turned, p)
	if open == f.allFolded {
		f.turned[p] = true
	}
}

// foldAll folds all values around hits.
func (f *filter) foldAll() {
	f.allFolded = true
	clear(f.turned)
}

// edited returns the filter for the tree after an edit, with the rows at their new places.
func (f *filter) edited(follow func(off int64) int64) *filter {
	after := newFilter(f.hits)
	after.stale, after.allFolded = true, f.allFolded
	after.rows = slices.Clone(f.rows)
	for i := range after.rows {
		r := &after.rows[i]
		r.Cursor = r.Follow(follow)
	}
	return after
}

// resolve returns the value of a row with hits. After an edit it is found by its offset, because its
// index may have changed; if it was deleted, resolve returns a value nearby.
func (o *outline) resolve(i int) (n *tree.Node, err error) {
	f := o.filter
	if n := f.resolved[i]; n != nil {
		return n, nil
	}
	if r := &f.rows[i]; f.stale {
		n, err = model.ValueFrom(o.read, r.Offset, r.Depth)
	} else {
		n, err = r.Find(o.read)
	}
	if err == nil {
		if len(f.resolved) == maxResolved {
			clear(f.resolved)
		}
		f.resolved[i] = n
	}
	return n, err
}

// maxResolved is the number of values of rows that are kept: enough for a few windows.
const maxResolved = 1000
