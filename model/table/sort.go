package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// An entry is a row that is sorted: first by its group, then by its key. 16 bytes for each
// row are all that sorting takes.
type entry struct {
	key   uint64
	row   uint32
	group uint32
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
	x := sorting{t: t, r: r, v: v, progress: progress, entries: make([]entry, len(v.rows))}
	for i, row := range v.rows {
		x.entries[i] = entry{row: row, group: groupNone}
	}
	v.rows = nil // whose memory is not needed meanwhile
	if err := x.eachCell(ctx, x.first); err != nil {
		return err
	}
	asFloats(x.entries, x.floats && x.ints)
	order(x.entries)
	texts, from := x.groupAt(groupText), x.groupAt(groupNone)
	others := x.groupAt(groupOther)
	for round := int64(1); round < textRounds && x.longest > 8*round && hasTies(x.entries[texts:others]); round++ {
		x.regroup()
		slices.SortFunc(x.entries, func(a, b entry) int { return cmp.Compare(a.row, b.row) })
		err := x.eachCell(ctx, func(e *entry, w *source.Window, s tree.Scalar) {
			if s.Kind == tree.Text {
				e.key = textKey(w, s, round)
			}
		})
		if err != nil {
			return err
		}
		order(x.entries)
	}
	if v.Descending {
		reverse(x.entries[:from])
	}
	v.rows = make([]uint32, len(x.entries))
	for i := range x.entries {
		v.rows[i] = x.entries[i].row
	}
	return nil
}

// A sorting is under way.
type sorting struct {
	t            *Table
	r            *tree.Reader
	v            *View
	entries      []entry
	progress     func(int64)
	ints, floats bool
	longest      int64 // bytes of a text
}

// first makes the first key of a row.
func (x *sorting) first(e *entry, w *source.Window, s tree.Scalar) {
	switch s.Kind {
	case tree.Int, tree.Bool:
		e.group, e.key, x.ints = groupNumber, s.Bits^1<<63, true
	case tree.Uint, tree.Float64:
		n, _ := numberOf(&s)
		e.group, e.key, x.floats = groupNumber|isFloat, ordered(n), true
	case tree.Text:
		e.group, e.key = groupText, textKey(w, s, 0)
		x.longest = max(x.longest, s.Span.Length)
	default:
		e.group = groupOther
	}
}

// groupAt returns where a group begins, among the entries in order.
func (x *sorting) groupAt(group uint32) int {
	at, _ := slices.BinarySearchFunc(x.entries, group, func(e entry, g uint32) int { return cmp.Compare(e.group, g) })
	return at
}

// hasTies reports whether entries in order are the same so far.
func hasTies(entries []entry) bool {
	for i := 1; i < len(entries); i++ {
		if entries[i].isTied(&entries[i-1]) {
			return true
		}
	}
	return false
}

func (e *entry) isTied(to *entry) bool { return e.group == to.group && e.key == to.key }

// regroup makes a group of all that is the same so far, with new keys.
func (x *sorting) regroup() {
	var was entry
	group := uint32(0)
	for i := range x.entries {
		e := &x.entries[i]
		if i > 0 && !e.isTied(&was) {
			group++
		}
		was = *e
		e.group, e.key = group, 0
	}
}

// reverse turns the order round, but not that of equal entries.
func reverse(entries []entry) {
	slices.Reverse(entries)
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to].isTied(&entries[from]) {
			to++
		}
		slices.Reverse(entries[from:to])
		from = to
	}
}

// eachCell calls each for the values of the view's column. The entries are in file order.
func (x *sorting) eachCell(ctx context.Context, each func(e *entry, w *source.Window, s tree.Scalar)) error {
	i := 0
	find := func(row int64) *entry {
		for i < len(x.entries) && int64(x.entries[i].row) < row {
			i++
		}
		if i < len(x.entries) && int64(x.entries[i].row) == row {
			return &x.entries[i]
		}
		return nil
	}
	do := scanning{passed: x.progress}
	if x.v.Column == KeyColumn {
		do.key = func(row int64, w *source.Window, key *tree.Value) {
			if e := find(row); e != nil {
				each(e, w, x.r.Plain(key))
			}
		}
	} else {
		do.cell = func(row int64, column int, w *source.Window, cell *tree.Value) {
			if column == x.v.Column {
				if e := find(row); e != nil {
					each(e, w, x.r.Plain(cell))
				}
			}
		}
	}
	return x.t.scan(ctx, x.r, do)
}

// isFloat marks the group of a number whose key is that of a float.
const isFloat = 1 << 31

// asFloats makes the keys of all numbers those of floats, if there are both, and takes the
// marks away.
func asFloats(entries []entry, both bool) {
	for i := range entries {
		e := &entries[i]
		if e.group == groupNumber && both {
			e.key = ordered(float64(int64(e.key ^ 1<<63)))
		}
		e.group &^= isFloat
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
	if rest := s.Span.Length - 8*round; rest > 0 {
		copy(b[:], w.View(s.Span.Offset+8*round, min(rest, 8)))
	}
	return binary.BigEndian.Uint64(b[:])
}

func order(entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int {
		if a.group != b.group {
			return cmp.Compare(a.group, b.group)
		}
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(a.row, b.row)
	})
}
