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
	err := l.each(ctx, s.done, passed, func(n *tree.Node, record format.Record) {
		s.done = n.Slot.Index + 1
		if s.Query != "" {
			if !q.Holds(record) {
				return
			}
			s.rows = append(s.rows, uint32(n.Slot.Index))
		}
		s.stats.Add(int(n.Slot.Index), record)
	})
	return &View{Query: s.Query, all: l.Count(), rows: slices.Clip(s.rows), Stats: s.stats.now()}, err
}

// each calls do with each record from a number on.
func (l *List) each(ctx context.Context, from int64, passed func(done, all int64), do func(*tree.Node, format.Record)) error {
	r := l.Tree.NewReader()
	all := l.Count()
	n, err := l.Node(r, from)
	for ; err == nil; n, err = r.Next(n) {
		if n.Slot.Index%256 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			passed(n.Slot.Index, all)
		}
		l.with(r.Window(), n, do)
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return err
}

// with calls do if a value is a record.
func (l *List) with(w *source.Window, n *tree.Node, do func(*tree.Node, format.Record)) {
	record, done := l.lister.Record(w, &n.Value)
	defer done()
	if record != nil {
		do(n, record)
	}
}
