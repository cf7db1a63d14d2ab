package wrap

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// maxSlip is the most bytes lost or too many in one place that are looked for.
const maxSlip = 4

// A slip is bytes lost from a wrapper, or too many in it, so that what is behind
// stands in another place than the rest of it says.
type slip struct {
	finding               // its span and its splices are of the file
	src     source.Source // the file without the slip
	region  span.Span     // of src
}

// newSlip is the slip that a splice undoes.
func newSlip(src source.Source, region span.Span, undo source.Splice) *slip {
	s := &slip{src: source.Whole(src).Splice([]source.Splice{undo}), region: region}
	s.region.Length += undo.Added() - undo.Length
	s.splices = []source.Splice{undo}
	s.Severity = span.Error
	return s
}

// tell says what slipped, in which places it can be, and how the repair says it;
// without a word on that there is none.
func (s *slip) tell(where span.Span, what, how string) *slip {
	undo := &s.splices[0]
	s.Span = where
	if n := undo.Length; n > 0 {
		s.Code, s.Message = span.ExtraBytes, byteCount(n)+" too many "+what
	} else {
		s.Code, s.Message = span.MissingBytes, fmt.Sprintf("%s %s lost %s", byteCount(undo.Added()), pick(undo.Added() == 1, "is", "are"), what)
	}
	s.Repair = how
	return s
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// undoing is how the repair of a slip is put into words.
func (s *slip) undoing() string {
	undo := &s.splices[0]
	if undo.Length > 0 {
		return fmt.Sprintf("take out the %s at %#x", byteCount(undo.Length), undo.Offset)
	}
	b := make([]byte, undo.Added())
	if err := readAt(undo.New, b, 0); err != nil {
		return ""
	}
	return fmt.Sprintf("put %x in at %#x", b, undo.Offset)
}

// unslip is a layer of the same bytes without what slipped in them; l itself where
// nothing is found to have.
func (l *Layer) unslip(ctx context.Context, src source.Source, o Options) (*Layer, error) {
	s, err := l.findSlip(ctx, src, o)
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

// findSlip looks for a slip where what is said and what is there do not fit.
func (l *Layer) findSlip(ctx context.Context, src source.Source, o Options) (*slip, error) {
	switch l.Kind {
	case GCPF:
		return l.slippedGCPF(ctx, src, o)
	case GDEC:
		return l.slippedGDEC(ctx, src, o)
	case Zlib:
		return l.slippedZlib(ctx, src)
	case Base64, Hex:
		return l.slippedText(ctx, src, o)
	}
	return nil, nil
}

// described is what all formats of wrappers have in common.
func (f *format) described() *format { return f }

// describe is the format of the file as it is, by that of a layer without the
// slip.
func (s *slip) describe(ctx context.Context, l *Layer) (tree.Reading, error) {
	inner := l.Format.(interface{ described() *format }).described()
	f := &format{layer: l, about: inner.about}
	for _, p := range inner.parts {
		f.parts = append(f.parts, part{name: p.name, text: p.text})
	}
	if len(f.parts) == 0 {
		f.parts = []part{{name: "digits"}}
	}
	m := slipMap{slip: s, undo: &s.splices[0], f: f}
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
	m.place()
	owner := 0
	for i := range f.parts {
		if f.parts[i].Offset <= s.Offset && f.parts[i].Length > 0 {
			owner = i
		}
	}
	f.parts[owner].problems = append(f.parts[owner].problems, s.finding)
	return f, err
}

// A slipMap makes fields of the file out of those that it has without a slip.
type slipMap struct {
	*slip
	undo *source.Splice
	f    *format
	at   int  // part that is being filled
	met  bool // the bytes too many have their field
}

// add adds a field that the file has without the slip.
func (m *slipMap) add(field span.Field) {
	o := m.undo.Offset
	if m.undo.Length == 0 {
		n := m.undo.Added()
		back := func(x int64) int64 { return max(min(x, o), x-n) }
		m.put(span.Between(back(field.Offset), back(field.End())), field.Kind, field.Label)
		return
	}
	m.put(span.Between(field.Offset, min(field.End(), o)), field.Kind, field.Label)
	if field.End() <= o {
		return
	}
	m.extra()
	n := m.undo.Length
	m.put(span.Between(max(field.Offset, o)+n, field.End()+n), field.Kind, field.Label)
}

// extra adds the field of the bytes that are too many.
func (m *slipMap) extra() {
	if !m.met {
		m.met = true
		m.put(m.undo.Span, span.Gap, "gap")
	}
}

func (m *slipMap) put(at span.Span, kind span.Kind, label string) {
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

// place puts the parts that have no bytes where the one before ends.
func (m *slipMap) place() {
	at := m.region.Offset
	for i := range m.f.parts {
		if p := &m.f.parts[i]; p.Length == 0 {
			p.Offset = at
		} else {
			at = p.End()
		}
	}
}
