package table

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// A Summary is what the values of a column have in common.
type Summary struct {
	Count    int64 // values
	Missing  int64 // rows without one
	Numbers  int64 // values that are numbers
	Min, Max float64
	Sum      float64
	Distinct int  // different bools, numbers and texts
	More     bool // there are more different ones than were counted
	seen     map[uint64]struct{}
}

// maxDistinct bounds the number of different values that are counted in a column, and
// maxSeen in all columns together.
const (
	maxDistinct = 100_000
	maxSeen     = 500_000
)

// Mean is the mean of the numbers.
func (s *Summary) Mean() float64 { return s.Sum / float64(s.Numbers) }

// Summarize reads all rows and returns a summary of each column, and the number of rows.
func (t *Table) Summarize(ctx context.Context, progress func(rows int64)) (all []Summary, rows int64, err error) {
	r := t.tree.NewReader()
	all = make([]Summary, len(t.Columns))
	for i := range all {
		all[i] = Summary{Min: math.Inf(1), Max: math.Inf(-1), seen: map[uint64]struct{}{}}
	}
	seed, seen := maphash.MakeSeed(), 0
	err = t.scan(ctx, r, scanning{
		passed: progress,
		row:    func(int64) error { rows++; return nil },
		cell: func(_ int64, column int, w *source.Window, cell *tree.Value) {
			s := &all[column]
			s.Count++
			p := r.Plain(cell)
			if x, ok := numberOf(&p); ok {
				s.add(x)
			}
			if hash, ok := hashOf(seed, w, &p); ok && !s.More {
				if s.see(hash) {
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

// add counts a number.
func (s *Summary) add(x float64) {
	s.Numbers++
	s.Sum += x
	s.Min, s.Max = min(s.Min, x), max(s.Max, x)
}

// see counts a value, and reports whether it is a new one.
func (s *Summary) see(hash uint64) bool {
	if _, known := s.seen[hash]; known {
		return false
	}
	s.seen[hash] = struct{}{}
	s.Distinct++
	return true
}

// hashOf is a hash of a bool, number or text.
func hashOf(seed maphash.Seed, w *source.Window, s *tree.Scalar) (uint64, bool) {
	switch s.Kind {
	case tree.Bytes, tree.Null:
		return 0, false
	case tree.Text:
		return maphash.Bytes(seed, s.View(w, 0, source.MaxView)), true
	}
	var b [9]byte
	b[8] = byte(s.Kind)
	binary.LittleEndian.PutUint64(b[:], s.Bits)
	return maphash.Bytes(seed, b[:]), true
}
