package explore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"varview/decoder/engine/parallel"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
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

	mu    sync.Mutex
	kept  []keptHit
	rows  []hitRow // rows that show the kept hits
	last  hitRow   // the row in which more hits may follow
	mixed bool     // some are better than others
	count int64
	done  bool
	err   error // why not all were found
}

// A keptHit is a hit, and the row that shows it.
type keptHit struct {
	span.Span
	row     int
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
	h.kept, h.rows, h.last, h.mixed, h.count = nil, nil, hitRow{}, false, 0
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
func (h *Hits) Failed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err != nil
}

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
	if c != h.last.Cursor {
		h.flush()
		h.last = hitRow{Cursor: c}
	}
	named := hit.IsValue && (hit.Rank == search.ExactKey || hit.Rank == search.PartOfKey)
	h.last.inKey = h.last.inKey || isKey || named
	h.last.inValue = h.last.inValue || !isKey && !named
	h.kept = append(h.kept, keptHit{hit.Span, len(h.rows), hit.IsValue, hit.Rank})
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
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count, h.done
}

// Kept returns the number of hits that are kept.
func (h *Hits) Kept() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.kept)
}

// Number returns the number of a hit among all, from 1; 0 if it is unknown.
func (h *Hits) Number(at span.Span) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.firstAt(at.Offset)
	for ; i < len(h.kept) && h.kept[i].Offset == at.Offset; i++ {
		if h.kept[i].Span == at {
			return i + 1
		}
	}
	return 0
}

// BestFirst returns the indexes of the kept hits, best first; nil if all are equally good, or while not
// all are found.
func (h *Hits) BestFirst() []int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.done || !h.mixed {
		return nil
	}
	order := make([]int, 0, len(h.kept))
	for rank := search.ExactKey; rank <= search.Other; rank++ {
		for i, k := range h.kept {
			if k.rank == rank {
				order = append(order, i)
			}
		}
	}
	return order
}

// at returns the i-th hit and the row that shows it.
func (h *Hits) at(i int) (keptHit, model.Cursor) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.kept[i]
	if k.row < len(h.rows) {
		return k, h.rows[k.row].Cursor
	}
	return k, h.last.Cursor
}

// firstAt returns the number of kept hits before an offset.
func (h *Hits) firstAt(off int64) int {
	i, _ := slices.BinarySearchFunc(h.kept, off, func(k keptHit, off int64) int { return cmp.Compare(k.Offset, off) })
	return i
}

// maxExtending is the number of hits before a range that are looked at because they may extend
// into it.
const maxExtending = 64

// AppendIn appends the hits that have bytes in [from, to) to spans.
func (h *Hits) AppendIn(spans []span.Span, from, to int64) []span.Span {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := max(0, h.firstAt(from)-maxExtending); i < len(h.kept) && h.kept[i].Offset < to; i++ {
		if h.kept[i].End() > from {
			spans = append(spans, h.kept[i].Span)
		}
	}
	return spans
}

// shown returns the rows with hits found so far, and whether these are all. The caller must not change
// them.
func (h *Hits) shown() (rows []hitRow, all bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rows, h.done
}

// row returns what was found in the row of n; ok is false if nothing was.
func (h *Hits) row(n *tree.Node) (found hitRow, ok bool) {
	rows, _ := h.shown()
	c := model.CursorOf(n)
	i, _ := slices.BinarySearchFunc(rows, c.Offset, func(r hitRow, off int64) int { return cmp.Compare(r.Offset, off) })
	for ; i < len(rows) && rows[i].Offset == c.Offset; i++ {
		if rows[i].Cursor == c {
			return rows[i], true
		}
	}
	return found, false
}

// AnyIn reports whether a hit begins in [from, to).
func (h *Hits) AnyIn(from, to int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.firstAt(from)
	return i < len(h.kept) && h.kept[i].Offset < to
}
