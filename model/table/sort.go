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

// A rowKey is what a row is sorted by: bits ordered like the numbers or, for a text, the place and length of its beginning.
// Sorting takes only the memory of these 12 bytes for each row, and of the beginnings of texts.
type rowKey struct{ row, high, low uint32 }

func newKey(row uint32, key uint64) rowKey { return rowKey{row, uint32(key >> 32), uint32(key)} }

func (k rowKey) key() uint64 { return uint64(k.high)<<32 | uint64(k.low) }

// maxTextKey is the number of bytes of a text that count.
const maxTextKey = 128

// A sorter puts rows in order. Numbers and texts come first, then other values, and rows without the value come last.
type sorter struct {
	r                   *tree.Reader
	ints, floats, texts []rowKey
	text                []byte // beginnings of texts
	others, none        []uint32
}

// sort sorts the rows of a view by its column. Equal rows keep their order.
func (t *Table) sort(ctx context.Context, r *tree.Reader, v *View, progress func(int64)) error {
	all := sorter{r: r}
	if err := t.eachCell(ctx, r, v, progress, all.add); err != nil {
		return err
	}
	numbers := all.ints
	if len(all.floats) > 0 {
		for i, k := range numbers {
			numbers[i] = newKey(k.row, ordered(float64(int64(k.key()^1<<63))))
		}
		numbers = append(all.floats, numbers...)
	}
	all.sort(numbers, v.Descending, func(a, b rowKey) int { return cmp.Compare(a.key(), b.key()) })
	all.sort(all.texts, v.Descending, func(a, b rowKey) int { return bytes.Compare(all.beginning(a), all.beginning(b)) })
	v.rows = make([]uint32, 0, len(numbers)+len(all.texts)+len(all.others)+len(all.none))
	if v.Descending {
		v.rows = append(v.rows, all.others...)
		v.rows = appendRows(appendRows(v.rows, all.texts), numbers)
	} else {
		v.rows = appendRows(appendRows(v.rows, numbers), all.texts)
		v.rows = append(v.rows, all.others...)
	}
	v.rows = append(v.rows, all.none...)
	return nil
}

// add adds a row with its value, nil for none; at most more rows follow.
func (x *sorter) add(row uint32, more int64, w *source.Window, cell *tree.Value) {
	if cell == nil {
		x.none = append(x.none, row)
		return
	}
	put := func(to *[]rowKey, key uint64) {
		if *to == nil {
			*to = make([]rowKey, 0, more+1) // so that no memory is copied
		}
		*to = append(*to, newKey(row, key))
	}
	switch s := x.r.Plain(cell); s.Kind {
	case tree.Int, tree.Bool:
		put(&x.ints, s.Bits^1<<63)
	case tree.Uint, tree.Float64:
		n, _ := numberOf(&s)
		put(&x.floats, ordered(n))
	case tree.Text:
		n := min(s.Len(), maxTextKey)
		put(&x.texts, uint64(len(x.text))<<8|uint64(n))
		x.text = append(x.text, s.View(w, 0, n)...)
	default:
		x.others = append(x.others, row)
	}
}

// beginning returns the beginning of a text.
func (x *sorter) beginning(k rowKey) []byte { return x.text[k.key()>>8:][:k.key()&0xff] }

// sort sorts keys by their order, and equal ones by their rows.
func (x *sorter) sort(keys []rowKey, descending bool, order func(a, b rowKey) int) {
	slices.SortFunc(keys, func(a, b rowKey) int {
		by := order(a, b)
		if descending {
			by = -by
		}
		return cmp.Or(by, cmp.Compare(a.row, b.row))
	})
}

func appendRows(rows []uint32, keys []rowKey) []uint32 {
	for _, k := range keys {
		rows = append(rows, k.row)
	}
	return rows
}

// eachCell calls each for the rows of a view, which are in file order, with the value of its column, nil for none, and the number
// of rows that may follow.
func (t *Table) eachCell(ctx context.Context, r *tree.Reader, v *View, progress func(int64), each func(row uint32, more int64, w *source.Window, cell *tree.Value)) error {
	at, end := int64(0), int64(0) // the next row of the view, and the number of rows in the file
	upTo := func(row int64) {
		for at < v.Len() && v.At(at) < row {
			each(uint32(v.At(at)), v.Len()-at, r.Window(), nil)
			at++
		}
	}
	found := func(row int64, w *source.Window, cell *tree.Value) {
		if upTo(row); at < v.Len() && v.At(at) == row {
			each(uint32(row), v.Len()-at, w, cell)
			at++
		}
	}
	do := scanning{passed: progress, row: func(i int64, _ *tree.Value) error {
		end = i + 1
		return nil
	}}
	if v.Column == KeyColumn {
		do.key = found
	} else {
		do.cell = func(row int64, column int, w *source.Window, cell *tree.Value) {
			if column == v.Column {
				found(row, w, cell)
			}
		}
	}
	err := t.scanView(ctx, r, v, do)
	upTo(end)
	return err
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
