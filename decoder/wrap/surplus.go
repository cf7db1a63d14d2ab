package wrap

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// maxSurplus is the most bytes too many in one place that are looked for.
const maxSurplus = 4

// A surplus is bytes too many in a wrapper, so that what follows is not where the
// wrapper says.
type surplus struct {
	finding               // of the file; its first splice takes the bytes out
	src     source.Source // the file without them
	region  span.Span     // of src
}

// newSurplus makes a problem of bytes too many in some part of the region. They may
// be anywhere in where, with the same outcome.
func newSurplus(src source.Source, region, bytes, where span.Span, place, engine string) *surplus {
	undo := takeOut(bytes)
	s := &surplus{src: source.Whole(src).Splice([]source.Splice{undo}), region: region}
	s.region.Length -= bytes.Length
	n := byteCount(bytes.Length)
	s.Problem = span.Problem{Span: where, Severity: span.Error, Code: span.ExtraBytes, Message: n + " too many in " + place, Engine: engine}
	s.cure(fmt.Sprintf("take out the %s at %#x", n, bytes.Offset), undo)
	return s
}

// cutOut is b without n bytes from at on.
func cutOut(b []byte, at, n int) []byte { return append(bytes.Clone(b[:at]), b[at+n:]...) }

// without opens the wrapper without its surplus bytes, and describes them as a gap in
// it. It closes l, and is l itself where there is no surplus.
func (l *Layer) withoutSurplus(ctx context.Context, src source.Source, o Options) (*Layer, error) {
	s, err := l.findSurplus(ctx, src, o)
	if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
		return l, nil
	}
	if err != nil || s == nil {
		return l, err
	}
	n := &Layer{Kind: l.Kind, Region: s.region, src: s.src, packed: s.region}
	if err := n.open(ctx, s.src, o); err != nil {
		return l, errors.Join(err, n.Close())
	}
	f, err := s.describe(ctx, n)
	if err != nil {
		return l, errors.Join(err, n.Close())
	}
	n.Format, n.Region = f, l.Region
	return n, l.Close()
}

func (l *Layer) findSurplus(ctx context.Context, src source.Source, o Options) (*surplus, error) {
	switch l.Kind {
	case GCPF:
		return l.surplusOfGCPF(ctx, src, o)
	case GDEC:
		return l.surplusOfGDEC(ctx, src, o)
	}
	return nil, nil
}

// described is what all formats of wrappers have in common.
func (f *format) described() *format { return f }

// describe is the format of the file as it is, by that of the layer without the
// surplus.
func (s *surplus) describe(ctx context.Context, l *Layer) (tree.Reading, error) {
	inner := l.Format.(interface{ described() *format }).described()
	f := &format{layer: l, about: inner.about}
	for _, p := range inner.parts {
		f.parts = append(f.parts, part{name: p.name, text: p.text})
	}
	m := surplusMap{undo: s.splices[0].Span, f: f}
	err := tree.New(s.src, l.Format, s.region).EachField(ctx, func(field tree.OwnedField) error {
		if field.Offset >= s.region.Offset && field.Offset < s.region.End() {
			for m.at+1 < len(inner.parts) && field.Offset >= inner.parts[m.at].End() {
				m.at++
			}
			m.add(field.Field)
		}
		return nil
	})
	m.extra()
	at, owner := s.region.Offset, 0
	for i := range f.parts {
		p := &f.parts[i]
		if p.Length == 0 { // it begins where the one before ends
			p.Offset = at
			continue
		}
		at = p.End()
		if p.Offset <= s.Offset {
			owner = i
		}
	}
	f.parts[owner].problems = append(f.parts[owner].problems, s.finding)
	return f, err
}

// A surplusMap makes fields of the file out of those that it has without the surplus.
type surplusMap struct {
	undo span.Span
	f    *format
	at   int  // part that is being filled
	done bool // the surplus has its field
}

// add adds a field that the file has without the surplus.
func (m *surplusMap) add(field span.Field) {
	m.put(span.Between(field.Offset, min(field.End(), m.undo.Offset)), field.Kind, field.Label)
	if field.End() <= m.undo.Offset {
		return
	}
	m.extra()
	m.put(span.Between(max(field.Offset, m.undo.Offset)+m.undo.Length, field.End()+m.undo.Length), field.Kind, field.Label)
}

// extra adds the field of the surplus.
func (m *surplusMap) extra() {
	if !m.done {
		m.done = true
		m.put(m.undo, span.Gap, "gap")
	}
}

func (m *surplusMap) put(at span.Span, kind span.Kind, label string) {
	if at.Length <= 0 {
		return
	}
	p := &m.f.parts[m.at]
	if len(p.fields) == 0 {
		p.Offset = at.Offset
	}
	p.fields = append(p.fields, span.Field{Span: at, Kind: kind, Label: label})
	p.Length = at.End() - p.Offset
}
