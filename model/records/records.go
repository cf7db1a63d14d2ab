// Package records lists the records of a tree, such as the messages of a capture, and sums up what they
// do.
package records

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sort"
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

// Lines returns the number of records and remarks.
func (l *List) Lines() int64 { return l.Count() + int64(len(l.Remarks)) }

// Remark returns the remark that has a number in the place of a record's: the i-th one has -1-i; nil for a record.
func (l *List) Remark(number int64) *format.Remark {
	if number >= 0 {
		return nil
	}
	return &l.Remarks[-1-number]
}

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

// A Row is a record or a remark as the list shows it.
type Row struct {
	Number  int64
	When    time.Time
	Cells   []format.Cell               // nil for a remark
	Problem *span.Problem               // the worst problem, or the remark; nil if there is none
	Alike   [len(format.Commons)]string // queries for records with the same property
}

// Row returns a record or a remark as the list shows it, the last column cut to about limit bytes.
func (l *List) Row(r *tree.Reader, number int64, limit int) (Row, error) {
	if x := l.Remark(number); x != nil {
		row := Row{Number: number, When: x.When, Problem: &x.Problem}
		row.Alike[format.SameFlow] = x.Flow
		return row, nil
	}
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

// A View is the records and remarks that match a query, and the Stats of the records.
type View struct {
	Query   string
	Stats   Stats
	list    *List
	all     int64 // number of all records, if there is no query
	rows    []uint32
	remarks []remark // in the order of their positions
}

// A remark is the position of a remark in a view, and its number.
type remark struct{ at, number int64 }

// All returns the view of all records and remarks, without Stats.
func (l *List) All() *View {
	v := &View{list: l, all: l.Count()}
	all := make([]int64, len(l.Remarks))
	for i := range all {
		all[i] = int64(-1 - i)
	}
	v.put(all)
	return v
}

// put adds the remarks with numbers.
func (v *View) put(numbers []int64) {
	numbers = slices.DeleteFunc(slices.Clone(numbers), func(n int64) bool { return -n > int64(len(v.list.Remarks)) }) // of a list that has grown since
	before := func(number int64) int64 { return v.list.Remark(number).Before }
	slices.SortStableFunc(numbers, func(a, b int64) int { return cmp.Compare(before(a), before(b)) })
	for i, number := range numbers {
		v.remarks = append(v.remarks, remark{v.row(before(number)) + int64(i), number})
	}
}

// row returns how many records of the view are before one with a number.
func (v *View) row(number int64) int64 {
	if v.Query == "" {
		return number
	}
	i, _ := slices.BinarySearch(v.rows, uint32(min(number, math.MaxUint32)))
	return int64(i)
}

// Len returns the number of records and remarks in the view.
func (v *View) Len() int64 { return v.Records() + int64(len(v.remarks)) }

// Records returns the number of records in the view.
func (v *View) Records() int64 {
	if v.Query == "" {
		return v.all
	}
	return int64(len(v.rows))
}

// remarked returns how many remarks are before a position, and whether one is there.
func (v *View) remarked(at int64) (before int, isThere bool) {
	return slices.BinarySearchFunc(v.remarks, at, func(x remark, at int64) int { return cmp.Compare(x.at, at) })
}

// At returns the number of the i-th record or remark in the view.
func (v *View) At(i int64) int64 {
	before, isRemark := v.remarked(i)
	switch {
	case isRemark:
		return v.remarks[before].number
	case v.Query == "":
		return i - int64(before)
	}
	return int64(v.rows[i-int64(before)])
}

// Find returns the position in the view of a record or remark, or of the first record after it.
func (v *View) Find(number int64) int64 {
	if x := v.list.Remark(number); x != nil {
		if i := slices.IndexFunc(v.remarks, func(x remark) bool { return x.number == number }); i >= 0 {
			return v.remarks[i].at
		}
		number = x.Before
	}
	row := v.row(number)
	before := sort.Search(len(v.remarks), func(k int) bool { return v.remarks[k].at-int64(k) > row })
	return row + int64(before)
}

// Place says where a position is among the records, or the remarks if there are only these: "at 31 of 121 messages".
func (v *View) Place(at int64) string {
	before, isRemark := v.remarked(at)
	at -= int64(before)
	all := span.Counted(v.Records(), v.list.Name)
	switch {
	case v.Records() == 0:
		return "at " + span.Grouped(int64(before)+1) + " of " + span.Counted(int64(len(v.remarks)), v.list.RemarkAs)
	case isRemark && at == 0:
		return "before " + all
	case isRemark:
		return "after " + span.Grouped(at) + " of " + all
	}
	return "at " + span.Grouped(at+1) + " of " + all
}

// A Search finds the records and remarks that match a query, or all if it is "", and sums the records up. Of a list that has grown
// since, it looks only at what is new. It is safe for concurrent use.
type Search struct {
	Query string

	mu      sync.Mutex
	done    int64 // number of records that it has looked at
	heard   int   // likewise of remarks
	rows    []uint32
	remarks []int64 // numbers of those that match
	stats   Stats
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
	for ; s.heard < len(l.Remarks); s.heard++ {
		if s.Query == "" || q.Holds(l.Remarks[s.heard].Facts) {
			s.remarks = append(s.remarks, int64(-1-s.heard))
		}
	}
	v := &View{Query: s.Query, list: l, all: all, rows: slices.Clip(s.rows), Stats: s.stats.now()}
	v.put(s.remarks)
	return v, err
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
