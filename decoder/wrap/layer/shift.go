package layer

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap/part"
)

// MaxShift is the largest number of bytes lost or too many in one place that is searched
// for.
const MaxShift = 8

// A Shift is a run of bytes that a wrapper has lost, or has too many: the bytes after it are
// not at the offsets that the wrapper gives.
type Shift struct {
	part.Problem               // of the file; its first splice undoes the shift
	Source       source.Source // the file with that undone
	Region       span.Span     // of Source
}

// NewSurplus returns the shift by the surplus bytes of a region, with a problem at where:
// cutting the same number of bytes anywhere in where has the same result.
func NewSurplus(src source.Source, region, bytes, where span.Span, place, engine string) *Shift {
	n := span.Bytes(bytes.Length)
	s := newShift(src, region, part.TakeOut(bytes))
	s.Problem.Problem = span.Problem{Span: where, Severity: span.Error, Code: span.ExtraBytes, Message: n + " too many in " + place, Engine: engine}
	s.RepairBy(fmt.Sprintf("delete %s at %#x", n, bytes.Offset), s.Splices...)
	return s
}

// NewLoss returns the shift by the bytes that a region has lost at some offset.
func NewLoss(src source.Source, region span.Span, at int64, lost []byte, place, engine string) *Shift {
	s := newShift(src, region, source.Put(at, 0, lost))
	s.Problem.Problem = span.Problem{Span: span.Span{Offset: at}, Severity: span.Error, Code: span.MissingBytes,
		Message: fmt.Sprintf("%s missing in %s", span.BytesAre(int64(len(lost))), place), Engine: engine}
	s.RepairBy(fmt.Sprintf("insert % x at %#x", lost, at), s.Splices...)
	return s
}

func newShift(src source.Source, region span.Span, undo source.Splice) *Shift {
	s := &Shift{Source: source.Whole(src).Splice([]source.Splice{undo}), Region: region}
	s.Region.Length += undo.Added() - undo.Length
	s.Splices = []source.Splice{undo}
	return s
}

// CutOut returns a copy of b without the n bytes from at on.
func CutOut(b []byte, at, n int) []byte { return append(bytes.Clone(b[:at]), b[at+n:]...) }

// withoutShift closes l and returns a layer opened with a shift undone; surplus bytes are
// described as a gap in it. It returns l itself where there is no shift.
func (l *Layer) withoutShift(ctx context.Context, f ShiftFinder, src source.Source, o Options) (*Layer, error) {
	s, err := f.FindShift(ctx, l, src, o)
	if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
		return l, nil
	}
	if err != nil || s == nil {
		return l, err
	}
	n := New(l.Kind, s.Source, s.Region)
	if err := n.Kind.Open(ctx, n, s.Source, o); err != nil {
		return l, errors.Join(err, n.Close())
	}
	d, err := s.describe(ctx, n)
	if err != nil {
		return l, errors.Join(err, n.Close())
	}
	n.Reading, n.Region = d, l.Region
	return n, l.Close()
}

// describe returns the reading of the file as it is, made from that of l, which is opened
// with the shift undone.
func (s *Shift) describe(ctx context.Context, l *Layer) (tree.Reading, error) {
	inner := l.Reading.(interface{ Described() *part.Reading }).Described()
	f := &part.Reading{Name: inner.Name, Title: inner.Title, About: inner.About}
	for _, p := range inner.Parts {
		f.Parts = append(f.Parts, part.Part{Name: p.Name, Text: p.Text})
	}
	if len(f.Parts) == 0 {
		f.Parts = []part.Part{{Name: "digits"}}
	}
	m := shiftMap{undo: s.Splices[0].Span, new: s.Splices[0].Added(), f: f}
	err := tree.New(s.Source, l.Reading, s.Region).EachField(ctx, func(field tree.OwnedField) error {
		if field.Offset >= s.Region.Offset && field.Offset < s.Region.End() {
			for m.at+1 < len(inner.Parts) && field.Offset >= inner.Parts[m.at].End() {
				m.at++
			}
			m.add(field.Field)
		}
		return nil
	})
	m.extra()
	at, owner := s.Region.Offset, 0
	for i := range f.Parts {
		p := &f.Parts[i]
		if p.Length == 0 { // it begins where the one before ends
			p.Offset = at
			continue
		}
		at = p.End()
		if p.Offset <= s.Offset {
			owner = i
		}
	}
	f.Parts[owner].Problems = append(f.Parts[owner].Problems, s.Problem)
	return f, err
}

// A shiftMap converts fields of the file with the shift undone to fields of the file.
type shiftMap struct {
	undo span.Span // the surplus bytes
	new  int64     // number of lost bytes, which are in the place of undo
	f    *part.Reading
	at   int  // part that is being filled
	done bool // the surplus has its field
}

// add adds a field of the file with the shift undone.
func (m *shiftMap) add(field span.Field) {
	m.put(span.Between(field.Offset, min(field.End(), m.undo.Offset)), field.Kind, field.Label)
	if field.End() <= m.undo.Offset {
		return
	}
	m.extra()
	by := m.undo.Length - m.new
	m.put(span.Between(max(field.Offset+by, m.undo.End()), field.End()+by), field.Kind, field.Label)
}

// extra adds the field of the surplus.
func (m *shiftMap) extra() {
	if !m.done {
		m.done = true
		m.put(m.undo, span.Gap, "gap")
	}
}

func (m *shiftMap) put(at span.Span, kind span.Kind, label string) {
	if at.Length <= 0 {
		return
	}
	p := &m.f.Parts[m.at]
	if len(p.Fields) == 0 {
		p.Offset = at.Offset
	}
	p.Fields = append(p.Fields, span.Field{Span: at, Kind: kind, Label: label})
	p.Length = at.End() - p.Offset
}
