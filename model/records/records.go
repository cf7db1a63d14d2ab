// Package records lists the records of a tree, such as the messages of a capture, and sums up what they
// do.
package records

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/search"
)

// A List is the list of records of a tree.
type List struct {
	format.Listing
	Tree   *tree.Tree
	lister format.Lister
	node   *tree.Node // the value whose children are the records
}

// Of returns the records of a tree; nil if it has no list of them.
func Of(t *tree.Tree) *List {
	lister, ok := t.Reading.(format.Lister)
	if !ok {
		return nil
	}
	l := &List{Listing: lister.Listing(), Tree: t, lister: lister}
	n, err := t.NewReader().Resolve(l.Path)
	if err != nil {
		return nil
	}
	l.node = n
	return l
}

// Is reports whether a value is the one whose children are the records; of no list none is.
func (l *List) Is(n *tree.Node) bool { return l != nil && n.Same(l.node) }

// Count returns the number of records.
func (l *List) Count() int64 { return max(0, l.Tree.NewReader().Count(l.node)) }

// LookReader returns a reader for what is drawn: a look-up takes only a moment.
func (l *List) LookReader() *tree.Reader {
	r := l.Tree.NewReader()
	r.Budget = tree.LookUpBudget
	return r
}

// Node returns a record as a value of the tree.
func (l *List) Node(r *tree.Reader, i int64) (*tree.Node, error) { return r.Child(l.node, i) }

// Number returns the number of the record that a value is or lies in; ok is false if there is none.
func (l *List) Number(n *tree.Node) (i int64, ok bool) {
	for ; n != nil && n.Depth > l.node.Depth; n = n.Parent {
		if n.Depth == l.node.Depth+1 && n.Parent.Same(l.node) {
			return n.Slot.Index, true
		}
	}
	return 0, false
}

// A Row is a record as the list shows it.
type Row struct {
	Number  int64
	When    time.Time
	Cells   []format.Cell
	Problem *span.Problem               // the worst problem; nil if there is none
	Alike   [len(format.Commons)]string // queries for records with the same property
}

// Row returns a record as the list shows it, the last column cut to about limit bytes.
func (l *List) Row(r *tree.Reader, number int64, limit int) (Row, error) {
	n, err := l.Node(r, number)
	if err != nil {
		return Row{}, err
	}
	row := Row{Number: number, Problem: n.Damage}
	record, done := l.lister.Record(r.Window(), &n.Value)
	defer done()
	if record == nil {
		return row, nil
	}
	row.When, row.Cells = record.When(), record.Cells(limit)
	if p := record.Problem(); p != nil {
		found := *p
		row.Problem = &found
	}
	for i, with := range format.Commons {
		row.Alike[i] = record.Alike(with)
	}
	return row, nil
}

// ParseQuery reads a query about the records.
func (l *List) ParseQuery(s string) (search.Query, error) {
	return search.ParseRecordQuery(s, l.TextNames)
}

// A View is the records that match a query, and their Stats.
type View struct {
	Query string
	Stats Stats
	all   int64 // number of all records, if there is no query
	rows  []uint32
}

// All returns the view of all records, without Stats.
func (l *List) All() *View { return &View{all: l.Count()} }

// Len returns the number of records in the view.
func (v *View) Len() int64 {
	if v.Query == "" {
		return v.all
	}
	return int64(len(v.rows))
}

// At returns the number of the i-th record in the view.
func (v *View) At(i int64) int64 {
	if v.Query == "" {
		return i
	}
	return int64(v.rows[i])
}

// Find returns the position of a record in the view, or of the first after it.
func (v *View) Find(number int64) int64 {
	if v.Query == "" {
		return number
	}
	i, _ := slices.BinarySearch(v.rows, uint32(min(number, math.MaxUint32)))
	return int64(i)
}

// A Search finds the records that match a query, or all if it is "", and sums them up. Of a list that has grown
// since, it looks only at what is new. It is safe for concurrent use.
type Search struct {
	Query string

	mu    sync.Mutex
	done  int64 // number of records that it has looked at
	rows  []uint32
	stats Stats
}

// Look looks at all records of a list that it has not looked at yet.
func (s *Search) Look(ctx context.Context, l *List, passed func(done, all int64)) (*View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var q search.Query
	if s.Query != "" {
		var err error
		if q, err = l.ParseQuery(s.Query); err != nil {
			return nil, err
		}
	}
	r, all := l.Tree.NewReader(), l.Count()
	n, err := l.Node(r, s.done)
	for ; err == nil; n, err = r.Next(n) {
		if n.Slot.Index%256 == 0 {
			if err = ctx.Err(); err != nil {
				break
			}
			passed(n.Slot.Index, all)
		}
		s.add(l, r.Window(), n, q)
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return &View{Query: s.Query, all: all, rows: slices.Clip(s.rows), Stats: s.stats.now()}, err
}

// add adds a value if it is a record that matches.
func (s *Search) add(l *List, w *source.Window, n *tree.Node, q search.Query) {
	record, done := l.lister.Record(w, &n.Value)
	defer done()
	if record == nil {
		return
	}
	s.done = n.Slot.Index + 1
	switch {
	case s.Query != "" && !q.Holds(record):
		return
	case s.Query != "":
		s.rows = append(s.rows, uint32(n.Slot.Index))
	}
	s.stats.Add(int(n.Slot.Index), record)
}
