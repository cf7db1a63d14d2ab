package source

import (
	"errors"
	"io"
	"slices"
	"sort"

	"varview/decoder/span"
)

// A Piece is a range of a source.
type Piece struct {
	Src Source
	span.Span
}

// Pieces is a Source put together from ranges of others. It never changes, and
// takes memory for its pieces only, whatever they hold.
type Pieces struct {
	list []Piece
	ends []int64 // offsets in the whole behind each piece
}

// Whole is a source as one piece.
func Whole(src Source) *Pieces {
	return Join(Piece{src, span.Between(0, src.Size())})
}

// Memory is a piece of bytes, which must not be changed any more.
func Memory(b []byte) *Pieces { return Whole(Bytes(b)) }

// Join puts pieces together. Empty ones are left out, and neighbours that adjoin
// in the same source become one.
func Join(pieces ...Piece) *Pieces {
	p := &Pieces{}
	for _, piece := range pieces {
		p.add(piece)
	}
	return p
}

func (p *Pieces) add(piece Piece) {
	if piece.Length == 0 {
		return
	}
	if n := len(p.list); n > 0 && p.list[n-1].End() == piece.Offset && Same(p.list[n-1].Src, piece.Src) {
		p.list[n-1].Length += piece.Length
		p.ends[n-1] += piece.Length
		return
	}
	p.list = append(p.list, piece)
	p.ends = append(p.ends, p.Size()+piece.Length)
}

// Same reports whether two sources are one and the same.
func Same(a, b Source) bool {
	x, isBytes := a.(Bytes)
	y, areBytes := b.(Bytes)
	if isBytes || areBytes {
		return isBytes && areBytes && len(x) == len(y) && len(x) > 0 && &x[0] == &y[0]
	}
	return a == b
}

// Size is the number of bytes of all pieces.
func (p *Pieces) Size() int64 {
	if len(p.ends) == 0 {
		return 0
	}
	return p.ends[len(p.ends)-1]
}

// start is where piece i begins in the whole.
func (p *Pieces) start(i int) int64 { return p.ends[i] - p.list[i].Length }

// at is the number of the piece that holds the byte at off.
func (p *Pieces) at(off int64) int {
	return sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > off })
}

// ReadAt implements io.ReaderAt. A hole of a piece is a hole of the whole.
func (p *Pieces) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	done := 0
	for i := p.at(off); done < len(b); i++ {
		if i == len(p.list) {
			return done, io.EOF
		}
		piece, from := p.list[i], off+int64(done)-p.start(i)
		part := b[done:min(int64(len(b)), int64(done)+piece.Length-from)]
		n, err := piece.Src.ReadAt(part, piece.Offset+from)
		done += n
		if n < len(part) {
			return done, p.failed(i, err)
		}
	}
	return done, nil
}

// failed is an error of piece i as the whole reports it.
func (p *Pieces) failed(i int, err error) error {
	var hole *HoleError
	if errors.As(err, &hole) {
		piece := p.list[i]
		start, end := max(hole.Offset, piece.Offset), min(hole.End(), piece.End())
		by := p.start(i) - piece.Offset
		return &HoleError{Span: span.Between(start+by, end+by), Err: hole.Err}
	}
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF // a source that has become shorter
	}
	return err
}

// Slice is a part of the whole.
func (p *Pieces) Slice(s span.Span) *Pieces {
	part := &Pieces{}
	p.appendTo(part, s)
	return part
}

// appendTo adds the bytes of s to another whole.
func (p *Pieces) appendTo(to *Pieces, s span.Span) {
	for i := p.at(s.Offset); i < len(p.list) && p.start(i) < s.End(); i++ {
		piece, by := p.list[i], p.list[i].Offset-p.start(i)
		start, end := max(s.Offset+by, piece.Offset), min(s.End()+by, piece.End())
		to.add(Piece{piece.Src, span.Between(start, end)})
	}
}

// List gives the pieces with their offsets in the whole.
func (p *Pieces) List(each func(at int64, piece Piece) bool) {
	for i, piece := range p.list {
		if !each(p.start(i), piece) {
			return
		}
	}
}

// A Splice puts other bytes in place of those of its span.
type Splice struct {
	span.Span         // in the bytes before the edit
	New       *Pieces // nil for nothing
}

// Put is a splice that puts b in place of n bytes at off.
func Put(off, n int64, b []byte) Splice {
	return Splice{span.Span{Offset: off, Length: n}, Memory(b)}
}

// Added is how many bytes a splice puts in place.
func (s *Splice) Added() int64 {
	if s.New == nil {
		return 0
	}
	return s.New.Size()
}

// Sort puts splices into the order of their offsets, keeping that of those at the
// same one.
func Sort(splices []Splice) {
	slices.SortStableFunc(splices, func(a, b Splice) int {
		switch {
		case a.Offset < b.Offset:
			return -1
		case a.Offset > b.Offset:
			return 1
		}
		return 0
	})
}

// Splice is the whole after an edit. The splices are in order and do not overlap.
func (p *Pieces) Splice(splices []Splice) *Pieces {
	edited, at := &Pieces{}, int64(0)
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

// Inverse gives the splices that take an edit back.
func (p *Pieces) Inverse(splices []Splice) []Splice {
	back := make([]Splice, len(splices))
	moved := int64(0)
	for i, s := range splices {
		back[i] = Splice{span.Span{Offset: s.Offset + moved, Length: s.Added()}, p.Slice(s.Span)}
		moved += s.Added() - s.Length
	}
	return back
}

// maxCompared is how many bytes of one splice are compared to find those that
// stay.
const maxCompared = 1 << 20

// Minimal is the same edit without the bytes that it leaves as they are: at both
// ends of a splice, and where a splice keeps the length also within it.
func (p *Pieces) Minimal(splices []Splice) ([]Splice, error) {
	var least []Splice
	for _, s := range splices {
		if max(s.Length, s.Added()) > maxCompared {
			least = append(least, s)
			continue
		}
		was, is := make([]byte, s.Length), make([]byte, s.Added())
		if _, err := p.ReadAt(was, s.Offset); err != nil {
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

// part is a splice that puts bytes [from, isEnd) of the new ones in place of
// [from, wasEnd) of the old ones.
func (s *Splice) part(from, wasEnd, isEnd int) Splice {
	part := Splice{Span: span.Between(s.Offset+int64(from), s.Offset+int64(wasEnd))}
	if s.New != nil {
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

// Since gives the splices that lead from a source to the whole, which was made
// of it by edits. What stands out of its order counts as new.
func (p *Pieces) Since(base Source) []Splice {
	var splices []Splice
	at := int64(0) // of base
	var fresh []Piece
	put := func(upTo int64) {
		if len(fresh) > 0 || upTo > at {
			splices = append(splices, Splice{span.Between(at, upTo), Join(fresh...)})
		}
		fresh = nil
	}
	for _, piece := range p.list {
		if !Same(piece.Src, base) || piece.Offset < at {
			fresh = append(fresh, piece)
			continue
		}
		put(piece.Offset)
		at = piece.End()
	}
	put(base.Size())
	return splices
}

// Map gives the offset that a byte has after an edit. One that the edit takes
// away gives the end of what stands in its place.
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
