package table

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// A rowKey is what a row is sorted by: bits ordered like the numbers or, for a text, the place and length of its beginning.
// Sorting takes only the memory of these 12 bytes for each row, and of the beginnings of texts.
type rowKey struct{ row, high, low uint32 }

func newKey(row uint32, key uint64) rowKey { return rowKey{row, uint32(key >> 32), uint32(key)} }

func (k rowKey) key() uint64 { return uint64(k.high)<<32 | uint64(k.low) }

// maxTextKey is the number of bytes of a text that count.
const maxTextKey = 128

// A sorter puts rows in order. The groups follow one another; rows without the value come last in any case.
type sorter struct {
	view   *View
	at     int64        // the next row of the view, whose rows are in file order
	r      *tree.Reader // by which the rows are passed
	groups [groupNone + 1][]rowKey
	text   []byte              // beginnings of texts
	exact  map[uint32]*big.Rat // numbers that the key rounds, by row
}

func newSorter(v *View) *sorter { return &sorter{view: v, exact: map[uint32]*big.Rat{}} }

const (
	groupInt = iota // becomes part of the next group if that is not empty
	groupNumber
	groupText
	groupOther
	groupNone
)

// sort gives the view its order, once the rows of the file have been passed. Equal rows keep their order.
func (all *sorter) sort(rows int64) {
	v := all.view
	all.upTo(rows)
	if ints := all.groups[groupInt]; len(all.groups[groupNumber]) > 0 {
		for i, k := range ints {
			n := int64(k.key() ^ 1<<63)
			if x := float64(n); max(x, -x) >= 1<<53 {
				all.exact[k.row] = new(big.Rat).SetInt64(n)
			}
			ints[i] = newKey(k.row, ordered(float64(n)))
		}
		all.groups[groupNumber], all.groups[groupInt] = append(all.groups[groupNumber], ints...), nil
	}
	for group, keys := range all.groups {
		slices.SortFunc(keys, func(a, b rowKey) int {
			order := cmp.Compare(a.key(), b.key())
			switch {
			case group == groupText:
				order = bytes.Compare(all.beginning(a), all.beginning(b))
			case group == groupNumber && order == 0 && len(all.exact) > 0:
				order = all.number(a).Cmp(all.number(b))
			}
			switch {
			case order == 0:
				return cmp.Compare(a.row, b.row)
			case v.Descending:
				return -order
			}
			return order
		})
	}
	if v.Descending {
		slices.Reverse(all.groups[:groupNone])
	}
	v.rows, v.later = make([]uint32, 0, v.Len()), false
	for _, keys := range all.groups {
		for _, k := range keys {
			v.rows = append(v.rows, k.row)
		}
	}
}

// upTo adds the rows of the view before one, which have no value.
func (x *sorter) upTo(row int64) {
	for x.at < x.view.Len() && x.view.At(x.at) < row {
		x.add(groupNone, 0)
	}
}

// found adds a row, if it is one of the view, with its value.
func (x *sorter) found(row int64, w *source.Window, cell *tree.Value) {
	if x.upTo(row); x.at < x.view.Len() && x.view.At(x.at) == row {
		x.add(x.keyOf(uint32(row), w, cell))
	}
}

// add adds the next row of the view.
func (x *sorter) add(group int, key uint64) {
	if x.groups[group] == nil {
		x.groups[group] = make([]rowKey, 0, x.view.Len()-x.at) // so that no memory is copied
	}
	x.groups[group] = append(x.groups[group], newKey(uint32(x.view.At(x.at)), key))
	x.at++
}

// keyOf returns what a value of a row is sorted by.
func (x *sorter) keyOf(row uint32, w *source.Window, cell *tree.Value) (group int, key uint64) {
	switch s := x.r.Counted(cell); s.Kind {
	case tree.Int:
		return groupInt, s.Bits ^ 1<<63
	case tree.Bool:
		return groupOther, s.Bits
	case tree.Uint, tree.Float64:
		if exact := s.Rat(); exact != nil && (s.Kind == tree.Uint || s.Own != nil) {
			x.exact[row] = exact
		}
		return groupNumber, ordered(s.Float())
	case tree.Text:
		return groupText, x.textKey(s.View(w, 0, min(s.Len(), maxTextKey)))
	case tree.Bytes: // a container, a vector
		literal := x.r.AppendLiteral(nil, cell, maxTextKey)
		return groupText, x.textKey(literal[:min(len(literal), maxTextKey)])
	}
	return groupOther, 0
}

// textKey returns the key of the beginning of a text.
func (x *sorter) textKey(beginning []byte) uint64 {
	key := uint64(len(x.text))<<8 | uint64(len(beginning))
	x.text = append(x.text, beginning...)
	return key
}

// number returns a number of the group of numbers; of those that are not finite any.
func (x *sorter) number(k rowKey) *big.Rat {
	if exact := x.exact[k.row]; exact != nil {
		return exact
	}
	bits := k.key()
	if bits>>63 != 0 {
		bits &^= 1 << 63
	} else {
		bits = ^bits
	}
	if r := new(big.Rat).SetFloat64(math.Float64frombits(bits)); r != nil {
		return r
	}
	return new(big.Rat)
}

// beginning returns the beginning of a text.
func (x *sorter) beginning(k rowKey) []byte { return x.text[k.key()>>8:][:k.key()&0xff] }

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
