package table

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// A rowKey is what a row is sorted by. Sorting takes only the memory of these 16 bytes for each row, and
// of the beginnings of texts.
type rowKey struct {
	row, group uint32
	key        uint64 // bits ordered like the numbers; for a text, the place and length of its beginning
}

// The groups. Numbers and texts come first, then other values, and rows without the value come last.
const (
	groupInt = iota // becomes part of the next group in the end
	groupNumber
	groupText
	groupOther
	groupNone
)

// maxTextKey is the number of bytes of a text that count.
const maxTextKey = 128

// sort sorts the rows of a view by its column. Equal rows keep their order.
func (t *Table) sort(ctx context.Context, r *tree.Reader, v *View, progress func(int64)) error {
	keys := make([]rowKey, len(v.rows))
	for i, row := range v.rows {
		keys[i] = rowKey{row: row, group: groupNone}
	}
	var texts []byte
	floats := false
	err := t.eachCell(ctx, r, v, progress, func(i int, w *source.Window, s tree.Scalar) {
		k := &keys[i]
		switch s.Kind {
		case tree.Int, tree.Bool:
			k.group, k.key = groupInt, s.Bits^1<<63
		case tree.Uint, tree.Float64:
			n, _ := numberOf(&s)
			k.group, k.key, floats = groupNumber, ordered(n), true
		case tree.Text:
			n := min(s.Len(), maxTextKey)
			k.group, k.key = groupText, uint64(len(texts))<<8|uint64(n)
			texts = append(texts, s.View(w, 0, n)...)
		default:
			k.group = groupOther
		}
	})
	if err != nil {
		return err
	}
	for i := range keys {
		if k := &keys[i]; k.group == groupInt {
			k.group = groupNumber
			if floats {
				k.key = ordered(float64(int64(k.key ^ 1<<63)))
			}
		}
	}
	text := func(k rowKey) []byte { return texts[k.key>>8:][:k.key&0xff] }
	slices.SortFunc(keys, func(a, b rowKey) int {
		order := cmp.Compare(a.group, b.group)
		switch {
		case order == 0 && a.group == groupText:
			order = bytes.Compare(text(a), text(b))
		case order == 0:
			order = cmp.Compare(a.key, b.key)
		}
		if v.Descending && max(a.group, b.group) < groupNone {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.row, b.row))
	})
	for i, k := range keys {
		v.rows[i] = k.row
	}
	return nil
}

// eachCell calls each for the values of a view's column, with the position of their rows in the view,
// whose rows are in file order.
func (t *Table) eachCell(ctx context.Context, r *tree.Reader, v *View, progress func(int64), each func(i int, w *source.Window, s tree.Scalar)) error {
	at := 0
	found := func(row int64, w *source.Window, cell *tree.Value) {
		for at < len(v.rows) && int64(v.rows[at]) < row {
			at++
		}
		if at < len(v.rows) && int64(v.rows[at]) == row {
			each(at, w, r.Plain(cell))
		}
	}
	do := scanning{passed: progress}
	if v.Column == KeyColumn {
		do.key = found
	} else {
		do.cell = func(row int64, column int, w *source.Window, cell *tree.Value) {
			if column == v.Column {
				found(row, w, cell)
			}
		}
	}
	return t.scan(ctx, r, do)
}

// ordered returns bits that are ordered like the floats; NaN comes last.
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
