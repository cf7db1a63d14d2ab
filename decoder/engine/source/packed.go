package source

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"
	"sort"

	"varview/decoder/engine/span"
)

// Packed is a list of splices in order, each in a few bytes besides those that it puts in: a million take ten megabytes.
type Packed struct {
	list  []byte // of each splice: how many bytes are kept before it, how many go, how many come, and these
	marks []mark // places in the list, one every packedStep splices
	n     int
	first int64 // offset of the first splice
	was   int64 // end of the last splice before the edit
	is    int64 // and after it, if nothing before the first one moves
}

// packedStep is the number of splices between two marks.
const packedStep = 64

// A mark is a place in a packed list, between two splices.
type mark struct {
	at      int   // offset in the list
	was, is int64 // end of the splice before it, before and after the edit
}

// Len returns the number of splices.
func (p *Packed) Len() int { return p.n }

// End returns the end of the last splice before the edit; 0 without any.
func (p *Packed) End() int64 { return p.was }

// Add adds a splice. It fails if that does not come after the others, or if its bytes cannot be read.
func (p *Packed) Add(s Splice) error {
	if p.n == 0 {
		p.first, p.was, p.is = s.Offset, s.Offset, s.Offset
	}
	kept, added := s.Offset-p.was, s.Added()
	if kept < 0 {
		return errors.New("a splice does not come after the one before")
	}
	if p.n%packedStep == 0 {
		p.marks = append(p.marks, mark{len(p.list), p.was, p.is})
	}
	for _, x := range [...]int64{kept, s.Length, added} {
		p.list = binary.AppendUvarint(p.list, uint64(x))
	}
	if added > 0 {
		at := len(p.list)
		p.list = append(p.list, make([]byte, added)...)
		if _, err := s.New.ReadAt(p.list[at:], 0); err != nil && err != io.EOF {
			return err
		}
	}
	p.n++
	p.was, p.is = s.End(), p.is+kept+added
	return nil
}

// next returns the splice at a mark, where it begins after the edit, and its new bytes, and moves the mark after it.
func (p *Packed) next(m *mark) (was span.Span, is int64, put []byte) {
	var x [3]int64
	for i := range x {
		u, n := binary.Uvarint(p.list[m.at:])
		x[i], m.at = int64(u), m.at+n
	}
	was, is, put = span.Span{Offset: m.was + x[0], Length: x[1]}, m.is+x[0], p.list[m.at:][:x[2]]
	m.at, m.was, m.is = m.at+len(put), was.End(), is+int64(len(put))
	return was, is, put
}

// All yields the splices.
func (p *Packed) All() iter.Seq[Splice] {
	return func(yield func(Splice) bool) {
		for m := (mark{0, p.first, p.first}); m.at < len(p.list); {
			was, _, put := p.next(&m)
			if !yield(Put(was.Offset, was.Length, put)) {
				return
			}
		}
	}
}

// Map returns the offset of a byte after the edit, as the function Map does.
func (p *Packed) Map(off int64) int64 {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].was > off }) - 1
	if i < 0 {
		return off
	}
	m := p.marks[i]
	for m.at < len(p.list) {
		before := m
		was, is, put := p.next(&m)
		switch {
		case was.Offset > off || was.Offset == off && was.Length > 0:
			return off - before.was + before.is
		case off < was.End():
			return is + int64(len(put))
		}
	}
	return off - m.was + m.is
}

// Splices returns the splices of the bytes in src: as one, if Minimal would not compare that.
func (p *Packed) Splices(src Source) []Splice {
	if p.was-p.first <= maxCompared {
		return slices.Collect(p.All())
	}
	return []Splice{{span.Between(p.first, p.was), Whole(&rewritten{p, src})}}
}

// rewritten is what packed splices leave of the bytes from the first to the last one.
type rewritten struct {
	*Packed
	src Source
}

// Size implements Source.
func (r *rewritten) Size() int64 { return r.is - r.first }

// ReadAt implements io.ReaderAt.
func (r *rewritten) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	off += r.first
	i := sort.Search(len(r.marks), func(i int) bool { return r.marks[i].is > off }) - 1
	done := 0
	var small smallReads
	for m := r.marks[max(i, 0)]; done < len(b); {
		if m.at == len(r.list) {
			return done, io.EOF
		}
		before := m
		_, is, put := r.next(&m)
		if at := off + int64(done); at < is {
			part := b[done:min(int64(len(b)), int64(done)+is-at)]
			n, err := small.readAt(r.src, part, at-before.is+before.was)
			if done += n; n < len(part) {
				return done, shifted(err, span.Span{Offset: before.was, Length: is - before.is}, before.is-before.was-r.first)
			}
		}
		if at := off + int64(done); at >= is && at < m.is {
			done += copy(b[done:], put[at-is:])
		}
	}
	return done, nil
}

// shifted returns an error of the bytes of a span as one of the bytes that they became, a number of bytes further.
func shifted(err error, of span.Span, by int64) error {
	if hole := (*HoleError)(nil); errors.As(err, &hole) {
		start, end := max(hole.Offset, of.Offset), min(hole.End(), of.End())
		return &HoleError{Span: span.Between(start+by, end+by), Err: hole.Err}
	}
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF // a source that has become shorter
	}
	return err
}
