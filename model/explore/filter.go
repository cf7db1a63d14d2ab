package explore

import (
	"slices"

	"varview/decoder/engine/tree"
	"varview/model"
)

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
	rows, all := f.hits.shown()
	if f.stale && !all || !f.stale && len(rows) == len(f.rows) {
		return false
	}
	if f.stale {
		clear(f.resolved)
	}
	f.rows, f.stale = rows, false
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
