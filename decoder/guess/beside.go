package guess

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/value/condition"
)

// A Row is a place in which the bytes of several files are not the same.
type Row struct {
	Buffer  string // as that of a Candidate
	Offsets []int64
	Type    string // that the bytes may have in all files: u2le, text or bytes
	Values  []*string

	lengths []int // in bytes
	group   []*Buffer
	size    int64    // of a number in bytes; 0 for other bytes
	shown   []string // the values
}

// In returns where the row is in one of the files, and all bytes around it.
func (r *Row) In(file int) (at span.Span, data []byte) {
	return span.Span{Offset: r.Offsets[file], Length: int64(r.lengths[file])}, r.group[file].Data
}

// IsTaken reports whether the bytes of the second file have taken the place of those of the first one.
func (r *Row) IsTaken() bool { return r.Values[0] == r.Values[1] }

// Take puts the bytes of a place in the second file over those in the first one, as an edit of that has done, and returns what puts them
// back.
func Take(all []*Row, r *Row) (putBack func()) {
	at, data := r.In(0)
	there, other := r.In(1)
	value, by := r.Values[0], there.Length-at.Length
	var behind []*Row
	for _, x := range all {
		if x != r && x.Buffer == r.Buffer && x.Offsets[0] >= at.End() {
			behind = append(behind, x)
		}
	}
	put := func(data []byte, value *string, length, by int64) {
		r.group[0].Data, r.Values[0], r.lengths[0] = data, value, int(length)
		for _, x := range behind {
			x.Offsets[0] += by
		}
	}
	put(slices.Concat(data[:at.Offset], other[there.Offset:there.End()], data[at.End():]), r.Values[1], there.Length, by)
	return func() { put(data, value, at.Length, -by) }
}

// IsInStream reports whether the bytes are unpacked from a stream in the file.
func (r *Row) IsInStream() bool { return r.group[0].IsStream() }

// What rows of several files are asked for, besides those that have grown or shrunk, or are certain numbers.
const (
	Changed = "changed"
	Same    = "same"
)

// RowsLike returns a function that reports whether values, one for each of several files, have grown or shrunk from file to file, are
// the same, are not, or are certain numbers. An absent value is nil. The error says what else was asked for.
func RowsLike(rows string, files int) (func([]*string) bool, error) {
	order, isAlong := map[string]int{"grown": 1, "shrunk": -1}[rows]
	switch {
	case rows == "" || rows == Changed:
		return func([]*string) bool { return true }, nil // there are no others
	case rows == Same:
		return func(values []*string) bool {
			return !slices.ContainsFunc(values, func(v *string) bool { return v == nil || values[0] == nil || *v != *values[0] })
		}, nil
	case isAlong:
		return func(values []*string) bool {
			for i, v := range values[1:] {
				if was := values[i]; was == nil || !isOrdered(*was, v, order) {
					return false
				}
			}
			return true
		}, nil
	}
	want := strings.Split(rows, ",")
	for _, v := range want {
		if _, ok := condition.ParseNumber(v); !ok {
			return nil, fmt.Errorf("--rows %s: it is changed, same, grown, shrunk, or numbers, one for each file", rows)
		}
	}
	if len(want) != files {
		return nil, fmt.Errorf("--rows %s: a number is needed for each of %d files", rows, files)
	}
	return func(values []*string) bool {
		for i, v := range values {
			if !isOrdered(want[i], v, 0) {
				return false
			}
		}
		return true
	}, nil
}

// isOrdered reports whether a value is a number and, beside another one, is larger, smaller or equal, exactly: the order is
// 1, -1 or 0.
func isOrdered(beside string, value *string, order int) bool {
	n, ok := condition.ParseNumber(beside)
	if !ok || value == nil {
		return false
	}
	is, ok := n.CompareDigits(*value)
	return ok && is == order
}

// Name returns where the row is in the first file, and its type: "0x0016 u2le".
func (r *Row) Name() string {
	name := fmt.Sprintf("%#04x %s", r.Offsets[0], r.Type)
	if r.Buffer != "" {
		name = r.Buffer + ": " + name
	}
	return name
}

// Beside returns what is not the same in several files or, if isSame, what is, in the order of the first: what is before it may
// differ in length. Of streams it is what is unpacked from them; where that tells nothing, it is their bytes.
func Beside(files []File, isSame bool) (rows []*Row) {
	known, groups := knownIn(files), groupsOf(files)
	for i, group := range groups {
		in := besideIn(group, groups[1:], known.in(group[0]), isSame)
		if i > 0 && len(in) > 0 {
			rows = slices.DeleteFunc(rows, func(r *Row) bool { return r.isPackedIn(group) })
		}
		rows = append(rows, in...)
	}
	return rows
}

// isPackedIn reports whether the bytes of the row are in a stream in all files.
func (r *Row) isPackedIn(streams []*Buffer) bool {
	for i, b := range streams {
		if at := int(r.Offsets[i]); r.Buffer != "" || at < b.at || at+r.lengths[i] > b.at+b.length {
			return false
		}
	}
	return true
}

// Apart returns the rows of a buffer in which each byte is once: one of 4 bytes may be two of 2.
func Apart(rows []*Row, buffer string) (all []*Row) {
	end := int64(-1)
	for _, r := range rows {
		if at, _ := r.In(0); r.Buffer == buffer && at.Offset >= end {
			all, end = append(all, r), at.End()
		}
	}
	return all
}

// A hunk is bytes of one buffer in the place of others of another one.
type hunk struct{ from, to, otherFrom, otherTo int }

// besideIn returns what is not the same in buffers, or what is; streams are in the files.
func besideIn(group []*Buffer, streams [][]*Buffer, known knownFields, isSame bool) (rows []*Row) {
	hunks := make([][]hunk, len(group))
	for i := range group {
		var apart []hunk
		for from, to := range known.fixed {
			apart = append(apart, hunk{from, to, from, to})
		}
		if group[0].number == 0 {
			apart = append(apart, packedIn(streams, i)...)
		}
		for _, h := range apart {
			known.texts[h.from], known.texts[h.to] = sizedText{at: h.from}, sizedText{to: h.to}
		}
		slices.SortFunc(apart, func(a, b hunk) int { return a.from - b.from })
		hunks[i] = hunksOf(group[0].Data, group[i].Data, known.texts, apart)
	}
	end := make([]int, len(group)) // of the last place
	for shifts := make([]int, len(group)); ; {
		from, to := nextPlace(hunks, known.texts)
		if to < 0 {
			from = len(group[0].Data)
		}
		begin := make([]int, len(group))
		for i := range begin {
			begin[i] = from + shifts[i]
		}
		if isSame {
			rows = append(rows, known.sameRows(group, end, begin)...)
		}
		if to < 0 {
			return rows
		}
		end = make([]int, len(group))
		for i := range hunks {
			for len(hunks[i]) > 0 && known.texts.isOf(hunks[i][0].from, from, to) {
				shifts[i] = hunks[i][0].otherTo - hunks[i][0].to
				hunks[i] = hunks[i][1:]
			}
			end[i] = to + shifts[i]
		}
		if !isSame {
			rows = append(rows, known.rowsOf(group, begin, end, free(rows, begin))...)
		}
	}
}

// packedIn returns where streams are in the first and in another file.
func packedIn(streams [][]*Buffer, other int) (all []hunk) {
	for _, s := range streams {
		if a, b := s[0], s[other]; a.IsStream() {
			all = append(all, hunk{a.at, a.at + a.length, b.at, b.at + b.length})
		}
	}
	return all
}

// free returns how many bytes before some offsets no row has.
func free(rows []*Row, begin []int) int {
	least := math.MaxInt
	for i, at := range begin {
		for _, r := range rows[max(0, len(rows)-mostHalves):] {
			least = min(least, at-int(r.Offsets[i])-r.lengths[i])
		}
	}
	return least
}

// nextPlace returns the next bytes of the first buffer that are others in one of the buffers, with all that adjoins; to is -1
// for none.
func nextPlace(hunks [][]hunk, texts texts) (from, to int) {
	from, to = math.MaxInt, -1
	for _, all := range hunks {
		if len(all) > 0 {
			from = min(from, all[0].from)
		}
	}
	for at := from; at > to; {
		to = at
		for _, all := range hunks {
			for i := 0; i < len(all) && texts.isOf(all[i].from, from, to); i++ {
				at = max(at, all[i].to)
			}
		}
		if from == math.MaxInt {
			return from, -1
		}
	}
	return from, to
}

// mostHalves is the number of rows for one place: a number, and two that it may be as well.
const mostHalves = 3

// What is equal again behind a difference.
const (
	equalHere = 3       // bytes at the same distance
	equalAway = 8       // bytes elsewhere
	furthest  = 1 << 16 // bytes that one buffer may have and the other not
)

// An index says where bytes of a buffer may be that are equal to others: the last ones with the same hash.
type index []int32

func newIndex(size int) index { return make(index, 1<<bits.Len(uint(8*min(size, furthest)))) }

func (x index) of(b []byte) *int32 {
	const spread = 0x9e3779b97f4a7c15
	return &x[binary.LittleEndian.Uint64(b)*spread>>(64-bits.Len(uint(len(x)-1)))]
}

// hunksOf returns what differs in two buffers, in order; what is packed is compared with what is packed, and a text with its other one.
func hunksOf(a, b []byte, texts texts, apart []hunk) (all []hunk) {
	x, y := 0, 0
	for _, p := range apart {
		all = append(all, differing(a[:p.from], b[:p.otherFrom], x, y, texts)...)
		if !bytes.Equal(a[p.from:p.to], b[p.otherFrom:p.otherTo]) {
			all = append(all, p)
		}
		x, y = p.to, p.otherTo
	}
	return append(all, differing(a, b, x, y, texts)...)
}

// differing returns what differs in two buffers from x and y on.
func differing(a, b []byte, x, y int, texts texts) (all []hunk) {
	index, upTo := newIndex(len(a)), 0
	for {
		for x < len(a) && y < len(b) && a[x] == b[y] {
			x, y = x+1, y+1
		}
		if x == len(a) && y == len(b) {
			return all
		}
		for upTo = max(upTo, x); upTo <= min(len(a), x+furthest)-equalAway; upTo++ {
			*index.of(a[upTo:]) = int32(upTo)
		}
		p, q, ok := texts.behind(b, x, y)
		if !ok {
			p, q = resume(a, b, x, y, index, texts)
		}
		all = append(all, hunk{x, p, y, q})
		x, y = p, q
	}
}

// resume returns where two buffers, which differ at x and y, are the same again: rather at the same distance than elsewhere.
func resume(a, b []byte, x, y int, index index, texts texts) (p, q int) {
	p, q = len(a), len(b)
	best := 2 * (p - x + q - y)
	for d := 1; d < min(p-x, q-y, furthest); d++ {
		if n := min(equalHere, len(a)-x-d, len(b)-y-d); bytes.Equal(a[x+d:x+d+n], b[y+d:y+d+n]) || texts.begins(b, x+d, y+d) {
			p, q, best = x+d, y+d, 2*d
			break
		}
	}
	for e := 0; e < min(furthest, best) && y+e+equalAway <= len(b); e++ {
		at := int(*index.of(b[y+e:]))
		if at >= x && at-x+e < best && at+equalAway <= len(a) && bytes.Equal(a[at:at+equalAway], b[y+e:y+e+equalAway]) {
			p, q, best = at, y+e, at-x+e
		}
	}
	for p > x && q > y && a[p-1] == b[q-1] {
		p, q = p-1, q-1
	}
	return p, q
}

func isPrintable(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' || r > '~' })
}

// Aligned returns count offsets of bytes that stand beside each other in two files, of which all differing places are given, from one of
// the first file on, in the buffer of a place; -1 where a file has none.
func Aligned(all []*Row, of *Row, from, count int) (cells [][2]int) {
	_, here := of.In(0)
	_, there := of.In(1)
	next := [2]int{} // behind the last place
	same := func(upTo int) {
		for at := max(from, next[0]); at < upTo && len(cells) < count; at++ {
			cells = append(cells, [2]int{at, at - next[0] + next[1]})
		}
	}
	for _, r := range Apart(all, of.Buffer) {
		a, _ := r.In(0)
		b, _ := r.In(1)
		same(int(a.Offset))
		for k := int64(0); k < max(a.Length, b.Length) && int(a.End()) >= from && len(cells) < count; k++ {
			cell := [2]int{-1, -1}
			for i, s := range []span.Span{a, b} {
				if k < s.Length {
					cell[i] = int(s.Offset + k)
				}
			}
			cells = append(cells, cell)
		}
		next = [2]int{int(a.End()), int(b.End())}
	}
	same(min(len(here), len(there)-next[1]+next[0]))
	return append(cells, slices.Repeat([][2]int{{-1, -1}}, count-len(cells))...)
}
