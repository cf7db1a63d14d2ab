package source

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"sync"

	"varview/decoder/engine/span"
)

// A Splice replaces the bytes of its span.
type Splice struct {
	span.Span         // span in the bytes before the edit
	New       *Pieces // nil for nothing
}

// Put returns the splice that replaces n bytes at off by b.
func Put(off, n int64, b []byte) Splice {
	return Splice{span.Span{Offset: off, Length: n}, Memory(b)}
}

// Filling returns how many zeros come, or (negative) go, at the end of bytes that are filled up with zeros to a fixed size,
// once what is before them has become longer by a number of bytes: of two zeros or more, the last one stays.
func Filling(zeros, by int64) int64 {
	if zeros < 2 {
		return 0
	}
	return -min(by, zeros-1)
}

// Added returns the number of bytes that the splice inserts.
func (s *Splice) Added() int64 {
	if s.New == nil {
		return 0
	}
	return s.New.Size()
}

// Sort sorts splices by offset; those at the same offset keep their order.
func Sort(splices []Splice) {
	slices.SortStableFunc(splices, func(a, b Splice) int { return cmp.Compare(a.Offset, b.Offset) })
}

// Splice returns the whole after an edit. The splices are in order and do not overlap.
func (p *Pieces) Splice(splices []Splice) *Pieces {
	n := len(p.list) + 2*len(splices)
	edited, at := &Pieces{list: make([]Piece, 0, n), ends: make([]int64, 0, n)}, int64(0)
	for _, s := range splices {
		p.appendTo(edited, span.Between(at, s.Offset))
		if s.New != nil {
			s.New.appendTo(edited, span.Between(0, s.New.Size()))
		}
		at = s.End()
	}
	p.appendTo(edited, span.Between(at, p.Size()))
	return edited
}

// Inverse returns the splices that undo an edit.
func (p *Pieces) Inverse(splices []Splice) []Splice {
	back, moved := make([]Splice, len(splices)), Moved(splices)
	for i, s := range splices {
		back[i] = Splice{span.Span{Offset: s.Offset + moved[i], Length: s.Added()}, p.Slice(s.Span)}
	}
	return back
}

// maxCompared is the size in bytes of the largest splice that is compared with the bytes it replaces.
const maxCompared = 1 << 20

// comparedBytes is memory for bytes that are compared: one of many splices in one another may be as large as the buffer.
var comparedBytes = sync.Pool{New: func() any { return new([2][]byte) }}

// Minimal returns the same edit without the bytes that it does not change: at both ends of a splice, and
// inside one that does not change the length.
func (p *Pieces) Minimal(splices []Splice) ([]Splice, error) {
	least := make([]Splice, 0, len(splices))
	var small smallReads
	memory := comparedBytes.Get().(*[2][]byte)
	defer comparedBytes.Put(memory)
	for _, s := range splices {
		if most := max(s.Length, s.Added()); most > maxCompared || most > 0 && min(s.Length, s.Added()) == 0 {
			least = append(least, s)
			continue
		}
		was, is := slices.Grow(memory[0][:0], int(s.Length))[:s.Length], slices.Grow(memory[1][:0], int(s.Added()))[:s.Added()]
		memory[0], memory[1] = was, is
		if _, err := small.readAt(p, was, s.Offset); err != nil {
			if hole := (*HoleError)(nil); !errors.As(err, &hole) {
				return nil, err
			}
			least = append(least, s)
			continue
		}
		if s.New != nil {
			if _, err := s.New.ReadAt(is, 0); err != nil {
				return nil, err
			}
		}
		least = appendMinimal(least, s, was, is)
	}
	return least, nil
}

func appendMinimal(least []Splice, s Splice, was, is []byte) []Splice {
	if len(was) != len(is) {
		head := commonPrefix(was, is)
		tail := commonSuffix(was[head:], is[head:])
		return append(least, s.part(head, len(was)-tail, len(is)-tail))
	}
	for i := 0; i < len(was); {
		if was[i] == is[i] {
			i++
			continue
		}
		end := i + 1
		for end < len(was) && was[end] != is[end] {
			end++
		}
		least = append(least, s.part(i, end, end))
		i = end
	}
	return least
}

// part returns the splice that replaces the old bytes [from, wasEnd) by the new bytes
// [from, isEnd).
func (s *Splice) part(from, wasEnd, isEnd int) Splice {
	part := Splice{Span: span.Between(s.Offset+int64(from), s.Offset+int64(wasEnd))}
	switch {
	case from == 0 && int64(isEnd) == s.Added():
		part.New = s.New
	case s.New != nil:
		part.New = s.New.Slice(span.Between(int64(from), int64(isEnd)))
	}
	return part
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// Since returns the splices that lead from base to the whole, which was made from it by edits. Bytes of
// base that are out of order count as new.
func (p *Pieces) Since(base Source) []Splice {
	var splices []Splice
	at := int64(0) // in base
	var fresh []Piece
	put := func(upTo int64) {
		if len(fresh) > 0 || upTo > at {
			splices = append(splices, Splice{span.Between(at, upTo), Join(fresh...)})
		}
		fresh = fresh[:0]
	}
	for _, piece := range p.list {
		if !Same(piece.Src, base) || piece.End() <= at {
			fresh = append(fresh, piece)
			continue
		}
		if again := at - piece.Offset; again > 0 { // a copy that continues after its original
			fresh = append(fresh, Piece{Src: piece.Src, Span: span.Between(piece.Offset, at)})
			piece.Span = span.Between(at, piece.End())
		}
		put(piece.Offset)
		at = piece.End()
	}
	put(base.Size())
	return splices
}

// Map returns the offset of a byte after an edit. The first byte that a splice removes maps to the start of
// the replacement, the others to its end. Bytes inserted before a byte move it. The time is linear in the
// number of splices before the byte.
func Map(splices []Splice, off int64) int64 {
	moved := int64(0)
	for i := range splices {
		s := &splices[i]
		if s.Offset > off || s.Offset == off && s.Length > 0 {
			break
		}
		if off < s.End() {
			return s.Offset + moved + s.Added()
		}
		moved += s.Added() - s.Length
	}
	return off + moved
}

// Moved returns how far the bytes before each splice have moved and, last, how far those after all splices
// have.
func Moved(splices []Splice) []int64 {
	moved := make([]int64, len(splices)+1)
	for i := range splices {
		moved[i+1] = moved[i] + splices[i].Added() - splices[i].Length
	}
	return moved
}

// A Mapping maps many offsets like Map, each in logarithmic time.
type Mapping struct {
	splices []Splice
	moved   []int64 // result of Moved for the splices
}

// NewMapping prepares to map the offsets of an edit.
func NewMapping(splices []Splice) Mapping { return Mapping{splices, Moved(splices)} }

// Map returns the offset of a byte after the edit.
func (m Mapping) Map(off int64) int64 {
	i := sort.Search(len(m.splices), func(i int) bool {
		s := &m.splices[i]
		return s.Offset > off || s.Offset == off && s.Length > 0
	})
	if i > 0 && off < m.splices[i-1].End() {
		s := &m.splices[i-1]
		return s.Offset + m.moved[i-1] + s.Added()
	}
	return off + m.moved[i]
}
