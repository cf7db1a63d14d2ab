package source

import (
	"errors"
	"io"
	"reflect"
	"sort"

	"varview/decoder/engine/span"
)

// A Piece is a range of a source.
type Piece struct {
	Src Source
	span.Span
}

// Pieces is a Source composed of ranges of others. It never changes, and its memory depends on the number
// of pieces, not on their size.
type Pieces struct {
	list []Piece
	ends []int64 // end of each piece, as an offset in the whole

	first    [1]Piece // memory for a list of one: most are, and there can be a million
	firstEnd [1]int64
}

// Whole returns a source as one piece.
func Whole(src Source) *Pieces { return Join(Piece{src, span.Between(0, src.Size())}) }

// Memory returns bytes as one piece. They must not be changed any more.
func Memory(b []byte) *Pieces { return Whole(Bytes(b)) }

// Join concatenates pieces. It drops empty pieces, and merges adjacent ranges of the same source.
func Join(pieces ...Piece) *Pieces {
	p := &Pieces{}
	for _, piece := range pieces {
		p.add(piece)
	}
	return p
}

// Concat returns bytes one after another.
func Concat(parts ...*Pieces) *Pieces {
	p := &Pieces{}
	for _, part := range parts {
		for _, piece := range part.list {
			p.add(piece)
		}
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
	if p.list == nil {
		p.list, p.ends = p.first[:0], p.firstEnd[:0]
	}
	p.list = append(p.list, piece)
	p.ends = append(p.ends, p.Size()+piece.Length)
}

// Same reports whether two sources are the same. Sources of a type that is neither Bytes nor comparable
// never are.
func Same(a, b Source) bool {
	x, isBytes := a.(Bytes)
	y, areBytes := b.(Bytes)
	if isBytes || areBytes {
		return isBytes && areBytes && len(x) == len(y) && len(x) > 0 && &x[0] == &y[0]
	}
	is := reflect.TypeOf(a)
	return is == reflect.TypeOf(b) && (is == nil || is.Kind() == reflect.Pointer || reflect.ValueOf(a).Comparable()) && a == b
}

// Size returns the number of bytes of all pieces.
func (p *Pieces) Size() int64 {
	if len(p.ends) == 0 {
		return 0
	}
	return p.ends[len(p.ends)-1]
}

// start returns the offset of piece i in the whole.
func (p *Pieces) start(i int) int64 { return p.ends[i] - p.list[i].Length }

// at returns the index of the piece that contains the byte at off.
func (p *Pieces) at(off int64) int {
	return sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > off })
}

// ReadAt implements io.ReaderAt. A hole of a piece is a hole of the whole.
func (p *Pieces) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	done := 0
	var small smallReads
	for i := p.at(off); done < len(b); i++ {
		if i == len(p.list) {
			return done, io.EOF
		}
		piece, from := p.list[i], off+int64(done)-p.start(i)
		part := b[done:min(int64(len(b)), int64(done)+piece.Length-from)]
		n, err := small.readAt(piece.Src, part, piece.Offset+from)
		done += n
		if n < len(part) {
			return done, p.failed(i, err)
		}
	}
	return done, nil
}

const (
	smallPiece = 256      // pieces up to this size are read together with others
	smallFetch = 16 << 10 // bytes read for such pieces at a time
)

// smallReads reads many small pieces that are close together in a source, as edits of many elements leave
// them, in a few steps.
type smallReads struct {
	src  Source // source of held
	off  int64
	held []byte
	many int // number of small pieces so far
}

func (r *smallReads) readAt(src Source, part []byte, off int64) (int, error) {
	if _, inMemory := src.(Bytes); inMemory || len(part) > smallPiece {
		return src.ReadAt(part, off)
	}
	if r.many++; r.many > 4 && (!Same(src, r.src) || off < r.off || off+int64(len(part)) > r.off+int64(len(r.held))) {
		if cap(r.held) == 0 {
			r.held = make([]byte, smallFetch)
		}
		n, _ := src.ReadAt(r.held[:min(int64(cap(r.held)), max(0, src.Size()-off))], off) // missing bytes are reported below
		r.src, r.off, r.held = src, off, r.held[:n]
	}
	if r.many > 4 && off+int64(len(part)) <= r.off+int64(len(r.held)) {
		return copy(part, r.held[off-r.off:]), nil
	}
	return src.ReadAt(part, off)
}

// failed returns an error of piece i as an error of the whole.
func (p *Pieces) failed(i int, err error) error {
	return shifted(err, p.list[i].Span, p.start(i)-p.list[i].Offset)
}

// Slice returns a part of the whole.
func (p *Pieces) Slice(s span.Span) *Pieces {
	part := &Pieces{}
	p.appendTo(part, s)
	return part
}

// appendTo adds the bytes of s to another whole.
func (p *Pieces) appendTo(to *Pieces, s span.Span) {
	last := p.at(s.End() - 1)
	for i := p.at(s.Offset); i < len(p.list) && p.start(i) < s.End(); i++ {
		piece, by := p.list[i], p.list[i].Offset-p.start(i)
		start, end := max(s.Offset+by, piece.Offset), min(s.End()+by, piece.End())
		to.add(Piece{piece.Src, span.Between(start, end)})
		if i+1 < last { // the pieces between the first and the last are whole, and none can be merged
			to.addAll(p, i+1, last)
			i = last - 1
		}
	}
}

// addAll adds pieces [from, to) of another whole; the first must not adjoin the last piece of p.
func (p *Pieces) addAll(other *Pieces, from, to int) {
	by := p.Size() - other.start(from)
	p.list = append(p.list, other.list[from:to]...)
	for _, end := range other.ends[from:to] {
		p.ends = append(p.ends, end+by)
	}
}

// List calls each for the pieces and their offsets in the whole, until each returns false.
func (p *Pieces) List(each func(at int64, piece Piece) bool) {
	for i, piece := range p.list {
		if !each(p.start(i), piece) {
			return
		}
	}
}
