package table

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// keyed are rows with what they are sorted by: first their group, then their key. 16 bytes for each
// row are all that sorting takes, and the rows are then those of the view. It implements
// sort.Interface.
type keyed struct {
	rows   []uint32
	groups []uint32
	keys   []uint64
}

// The groups before any sorting: what is no number and no text comes after both, and rows
// without the value come last.
const (
	groupNumber = iota
	groupText
	groupOther
	groupNone
)

// textRounds bounds how often texts are read: each round sorts by 8 bytes more of them.
const textRounds = 16

// sort sorts the rows of a view by its column. Rows that are equal keep their order.
func (t *Table) sort(ctx context.Context, r *tree.Reader, v *View, progress func(int64)) error {
	n := len(v.rows)
	x := sorting{t: t, r: r, column: v.Column, progress: progress, all: keyed{v.rows, make([]uint32, n), make([]uint64, n)}}
	for i := range x.all.groups {
		x.all.groups[i] = groupNone
	}
	if err := x.eachCell(ctx, x.first); err != nil {
		return err
	}
	x.asFloats()
	sort.Sort(&x.all)
	texts, others, from := x.groupAt(groupText), x.groupAt(groupOther), x.groupAt(groupNone)
	for round := int64(1); round < textRounds && x.longest > 8*round && x.hasTies(texts, others); round++ {
		x.regroup()
		sort.Sort(inFileOrder{&x.all})
		err := x.eachCell(ctx, func(i int, w *source.Window, s tree.Scalar) {
			if s.Kind == tree.Text {
				x.all.keys[i] = textKey(w, s, round)
			}
		})
		if err != nil {
			return err
		}
		sort.Sort(&x.all)
	}
	if v.Descending {
		x.reverse(from)
	}
	return nil
}

// Len implements sort.Interface.
func (k *keyed) Len() int { return len(k.rows) }

// Less implements sort.Interface.
func (k *keyed) Less(i, j int) bool {
	if k.groups[i] != k.groups[j] {
		return k.groups[i] < k.groups[j]
	}
	if k.keys[i] != k.keys[j] {
		return k.keys[i] < k.keys[j]
	}
	return k.rows[i] < k.rows[j]
}

// Swap implements sort.Interface.
func (k *keyed) Swap(i, j int) {
	k.rows[i], k.rows[j] = k.rows[j], k.rows[i]
	k.groups[i], k.groups[j] = k.groups[j], k.groups[i]
	k.keys[i], k.keys[j] = k.keys[j], k.keys[i]
}

// tied reports whether two rows are the same so far.
func (k *keyed) tied(i, j int) bool { return k.groups[i] == k.groups[j] && k.keys[i] == k.keys[j] }

// inFileOrder sorts rows by their numbers.
type inFileOrder struct{ *keyed }

// Less implements sort.Interface.
func (k inFileOrder) Less(i, j int) bool { return k.rows[i] < k.rows[j] }

// A sorting is under way.
type sorting struct {
	t            *Table
	r            *tree.Reader
	column       int
	all          keyed
	progress     func(int64)
	ints, floats bool
	longest      int64 // bytes of a text
}

// first makes the first key of a row.
func (x *sorting) first(i int, w *source.Window, s tree.Scalar) {
	group, key := &x.all.groups[i], &x.all.keys[i]
	switch s.Kind {
	case tree.Int, tree.Bool:
		*group, *key, x.ints = groupNumber, s.Bits^1<<63, true
	case tree.Uint, tree.Float64:
		n, _ := numberOf(&s)
		*group, *key, x.floats = groupNumber|isFloat, ordered(n), true
	case tree.Text:
		*group, *key = groupText, textKey(w, s, 0)
		x.longest = max(x.longest, s.Len())
	default:
		*group = groupOther
	}
}

// groupAt returns where a group begins, among the rows in order.
func (x *sorting) groupAt(group uint32) int {
	at, _ := slices.BinarySearch(x.all.groups, group)
	return at
}

// hasTies reports whether rows in order are the same so far, of those from one to before another.
func (x *sorting) hasTies(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if x.all.tied(i, i-1) {
			return true
		}
	}
	return false
}

// regroup makes a group of all that is the same so far, with new keys.
func (x *sorting) regroup() {
	var wasGroup uint32
	var wasKey uint64
	group := uint32(0)
	for i, g := range x.all.groups {
		key := x.all.keys[i]
		if i > 0 && (g != wasGroup || key != wasKey) {
			group++
		}
		wasGroup, wasKey = g, key
		x.all.groups[i], x.all.keys[i] = group, 0
	}
}

// reverse turns the order of the first rows round, but not that of equal ones.
func (x *sorting) reverse(count int) {
	rows := x.all.rows[:count]
	for from := 0; from < count; {
		to := from + 1
		for to < count && x.all.tied(to, from) {
			to++
		}
		slices.Reverse(rows[from:to])
		from = to
	}
	slices.Reverse(rows)
}

// eachCell calls each for the values of the column, with where their rows are. The rows are in file
// order.
func (x *sorting) eachCell(ctx context.Context, each func(i int, w *source.Window, s tree.Scalar)) error {
	at, rows := 0, x.all.rows
	found := func(row int64, w *source.Window, v *tree.Value) {
		for at < len(rows) && int64(rows[at]) < row {
			at++
		}
		if at < len(rows) && int64(rows[at]) == row {
			each(at, w, x.r.Plain(v))
		}
	}
	do := scanning{passed: x.progress}
	if x.column == KeyColumn {
		do.key = found
	} else {
		do.cell = func(row int64, column int, w *source.Window, cell *tree.Value) {
			if column == x.column {
				found(row, w, cell)
			}
		}
	}
	return x.t.scan(ctx, x.r, do)
}

// isFloat marks the group of a number whose key is that of a float.
const isFloat = 1 << 31

// asFloats makes the keys of all numbers those of floats, if there are both, and takes the
// marks away.
func (x *sorting) asFloats() {
	both := x.floats && x.ints
	for i, group := range x.all.groups {
		if group == groupNumber && both {
			x.all.keys[i] = ordered(float64(int64(x.all.keys[i] ^ 1<<63)))
		}
		x.all.groups[i] &^= isFloat
	}
}

// ordered are bits that are ordered as the floats are; NaN comes last.
func ordered(x float64) uint64 {
	bits := math.Float64bits(x)
	switch {
	case math.IsNaN(x):
		return math.MaxUint64
	case bits>>63 != 0:
		return ^bits
	}
	return bits | 1<<63
}

// textKey are the 8 bytes of a text after some rounds.
func textKey(w *source.Window, s tree.Scalar, round int64) uint64 {
	var b [8]byte
	if rest := s.Len() - 8*round; rest > 0 {
		copy(b[:], s.View(w, 8*round, min(rest, 8)))
	}
	return binary.BigEndian.Uint64(b[:])
}
