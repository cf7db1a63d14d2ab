package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/big"
	"slices"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// A Summary sums up the values of a column.
type Summary struct {
	Count    int64 // number of values
	Missing  int64 // number of rows without one
	Numbers  int64 // number of values that are numbers other than NaN
	NaNs     int64 // number of those that are NaN, which have no part in what follows
	Min, Max float64
	Sum      float64
	Exact    *Exact // the same of whole numbers without rounding; nil if some are not whole
	Distinct int    // number of distinct values other than null
	More     bool   // there are more distinct values than were counted
	seen     map[uint64]struct{}
}

// maxDistinct is the largest number of distinct values counted in a column, and maxSeen in all columns
// together.
const (
	maxDistinct = 100_000
	maxSeen     = 500_000
)

// Mean returns the mean of the numbers.
func (s *Summary) Mean() float64 { return s.Sum / float64(s.Numbers) }

// Summarize returns a summary of each column, over the rows that a view shows, or all if v is nil, and
// the number of these rows.
func (t *Table) Summarize(ctx context.Context, v *View) (all []Summary, rows int64, err error) {
	r, shows := t.tree.NewReader(), v.shows()
	all = make([]Summary, len(t.Columns))
	for i := range all {
		all[i] = Summary{Min: math.Inf(1), Max: math.Inf(-1), Exact: &Exact{}, seen: map[uint64]struct{}{}}
	}
	seed, seen := maphash.MakeSeed(), 0
	err = t.scan(ctx, r, scanning{
		row: func(i int64, _ *tree.Value) error {
			if shows(i) {
				rows++
			}
			return nil
		},
		last: func(i int64, column int, w *source.Window, cell *tree.Value) {
			if !shows(i) {
				return
			}
			s := &all[column]
			s.Count++
			p := r.Plain(cell)
			if n := r.Counted(cell); n.IsNumber() {
				s.add(&n)
				p.Own = n.Own
			}
			if p.Kind != tree.Null && !s.More {
				if s.see(hashOf(ctx, seed, r, w, cell, &p)) {
					seen++
				}
				s.More = s.Distinct == maxDistinct || seen == maxSeen
			}
		},
	})
	for i := range all {
		all[i].Missing, all[i].seen = rows-all[i].Count, nil
	}
	return all, rows, err
}

// A Frequency is how often a value occurs in a column.
type Frequency struct {
	Literal string // cut if it is long
	Count   int64
}

// maxValue is the number of bytes of literals that are kept: as many as a filter compares.
const maxValue = 4 << 10

// Frequencies counts the distinct values of a column in the rows that a view shows, or all if v is nil,
// most frequent first. more says that there are others beyond those that were counted.
func (t *Table) Frequencies(ctx context.Context, v *View, column int) (all []Frequency, more bool, err error) {
	r, shows, at, seed := t.tree.NewReader(), v.shows(), map[uint64]int{}, maphash.MakeSeed()
	err = t.scan(ctx, r, scanning{last: func(i int64, c int, w *source.Window, cell *tree.Value) {
		if c != column || !shows(i) {
			return
		}
		p := r.Plain(cell)
		hash := hashOf(ctx, seed, r, w, cell, &p)
		k, known := at[hash]
		switch {
		case known:
			all[k].Count++
		case len(all) == maxDistinct:
			more = true
		default:
			literal := string(r.AppendLiteral(nil, cell, maxValue))
			if p.Kind == tree.Text {
				literal = strconv.Quote(string(p.View(w, 0, maxValue)))
			}
			at[hash], all = len(all), append(all, Frequency{literal, 1})
		}
	}})
	slices.SortStableFunc(all, func(a, b Frequency) int { return cmp.Compare(b.Count, a.Count) })
	return all, more, err
}

// add counts a number.
func (s *Summary) add(n *tree.Scalar) {
	x := n.Float()
	if math.IsNaN(x) {
		s.NaNs++
		return
	}
	s.Numbers++
	s.Sum += x
	s.Min, s.Max = min(s.Min, x), max(s.Max, x)
	if s.Exact != nil && !s.Exact.add(n) {
		s.Exact = nil
	}
}

// Exact is the smallest, the largest and the sum of whole numbers.
type Exact struct {
	Min, Max, Sum big.Int
	any           bool
}

// add adds a number, and reports whether it is whole.
func (e *Exact) add(n *tree.Scalar) bool {
	var x *big.Int
	if n.Kind == tree.Int {
		x = big.NewInt(int64(n.Bits))
	} else if exact := n.Rat(); exact != nil && exact.IsInt() && (n.Kind == tree.Uint || n.Own != nil) {
		x = exact.Num()
	} else {
		return false
	}
	if !e.any || x.Cmp(&e.Min) < 0 {
		e.Min.Set(x)
	}
	if !e.any || x.Cmp(&e.Max) > 0 {
		e.Max.Set(x)
	}
	e.any = true
	e.Sum.Add(&e.Sum, x)
	return true
}

// see counts a value, and reports whether it is new.
func (s *Summary) see(hash uint64) bool {
	if _, known := s.seen[hash]; known {
		return false
	}
	s.seen[hash] = struct{}{}
	s.Distinct++
	return true
}

// hashOf returns a hash of a value that means s.
func hashOf(ctx context.Context, seed maphash.Seed, r *tree.Reader, w *source.Window, v *tree.Value, s *tree.Scalar) uint64 {
	switch {
	case s.Kind == tree.Text && s.Len() <= source.MaxView:
		return maphash.Bytes(seed, s.View(w, 0, source.MaxView))
	case s.Kind == tree.Text || s.Kind == tree.Bytes:
		var h maphash.Hash
		h.SetSeed(seed)
		_ = r.WriteText(ctx, &h, v) // fails only where the scan ends too
		return h.Sum64()
	case s.Own != nil:
		return maphash.Bytes(seed, s.Own)
	}
	var b [9]byte
	b[8] = byte(s.Kind)
	binary.LittleEndian.PutUint64(b[:], s.Bits)
	return maphash.Bytes(seed, b[:])
}
