package tree

import (
	"bytes"
	"cmp"
	"context"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// AppendFields appends the fields that belong to the last event: the leading fields of a value that was
// entered, all fields of one that was passed, the gap of one that was left.
func (s *Scanner) AppendFields(fields []span.Field, ev Event) []span.Field {
	v := &s.value
	switch ev {
	case Enter:
		return s.format.Fields(s.win, s.outer(), v, fields)
	case Atom:
		fields = s.format.Fields(s.win, s.Parent(), v, fields)
	}
	return appendEndFields(fields, s.can.footer, s.win, v)
}

// appendEndFields appends the fields of v after its children, and its gap.
func appendEndFields(fields []span.Field, f Footer, w *source.Window, v *Value) []span.Field {
	if v.Footed && v.Tail > v.Foot {
		fields = f.FootFields(w, v, fields)
	}
	if v.HasGap() {
		fields = append(fields, gapField(v))
	}
	return fields
}

// EachFieldIn calls each for the fields that have bytes in [from, to), in order, and says whether they
// belong to the key of an entry. It returns ErrPending if finding the rest exceeds the budget.
func (r *Reader) EachFieldIn(from, to int64, each func(f span.Field, inKey bool)) error {
	n, err := r.At(from)
	if err != nil {
		return err
	}
	var fields []span.Field
	emit := func(slot Slot) {
		for _, f := range fields {
			if f.End() > from && f.Offset < to {
				each(f, slot.Key)
			}
		}
	}
	var s *Scanner
	switch {
	case n.Parent == nil && from < n.Body:
		fields = r.Tree.Reading.Fields(r.win, nil, &n.Value, fields)
		emit(Slot{})
		s = r.Scan(n)
	case n.endContains(from):
		fields = appendEndFields(fields, r.Tree.can.footer, r.win, &n.Value)
		emit(n.Slot)
		if n.Parent == nil {
			return nil
		}
		s = r.scanFrom(after(n))
	case n.Parent == nil:
		return nil
	default:
		s = r.ScanFrom(n)
	}
	s.Elements = true
	for used := r.budget(s); s.pos < to; {
		ev := s.Next()
		if ev == Done {
			return nil
		}
		fields = s.AppendFields(fields[:0], ev)
		emit(s.Slot())
		if used(ev) {
			return ErrPending
		}
	}
	return nil
}

// endContains reports whether the byte at off is after the children of v: in the fields of its foot, or in
// a gap.
func (v *Value) endContains(off int64) bool {
	return v.Footed && v.Tail != Unknown && off >= v.Foot || v.HasGap() && off >= v.Tail
}

// AppendFields appends the fields of n that its children do not own. For a container these
// are its leading fields, and its gap if its end is known.
func (r *Reader) AppendFields(fields []span.Field, n *Node) []span.Field {
	fields = r.Tree.Reading.Fields(r.win, n.parentValue(), &n.Value, fields)
	if n.Tail == Unknown {
		return fields
	}
	return appendEndFields(fields, r.Tree.can.footer, r.win, &n.Value)
}

// gapField returns the field of the bytes without a meaning at the end of v.
func gapField(v *Value) span.Field {
	return span.Field{Span: span.Between(v.Tail, v.End), Kind: span.Gap, Label: "gap"}
}

// An OwnedField is a field with its position in the tree and its decoded content. Path
// and Value are valid until the next field.
type OwnedField struct {
	span.Field
	Depth    int    // depth of the value that owns the field; 0 for the buffer itself
	Path     []byte // path of the value that owns the field
	SamePath bool   // Path is the same as for the previous field
	Value    []byte // decoded content, as text

	Damage *span.Problem // for a gap: why the value before it could not be read further, if it was damaged
}

// EachField calls each for all fields of the buffer in order, until each returns an
// error.
func (t *Tree) EachField(ctx context.Context, each func(OwnedField) error) error {
	s := t.Scanner()
	s.Elements = true
	l := &fieldLister{t: t, s: s, paths: NewPather(t, s), each: each}
	l.fields = t.Reading.Fields(s.win, nil, &t.Base.Value, nil)
	err := l.list(&t.Base.Value, 0, l.paths.Open(0))
	if err != nil {
		return err
	}
	runErr := s.Run(ctx, func(ev Event) bool {
		l.paths.Step(ev)
		l.fields = s.AppendFields(l.fields[:0], ev)
		err = l.list(s.Value(), s.eventDepth(ev), l.pathOf(ev))
		return err == nil
	})
	return cmp.Or(err, runErr)
}

// A fieldLister calls each for fields in order, as a scanner reaches them.
type fieldLister struct {
	t      *Tree
	s      *Scanner
	paths  *Pather
	owner  []byte // the path that an Owner gives
	each   func(OwnedField) error
	fields []span.Field
	owned  OwnedField
	last   lastPath
}

// comparedPath is the length in bytes of the longest paths that are compared. Longer ones are taken to
// differ if the values do.
const comparedPath = 1024

// A lastPath is the path of the field listed last.
type lastPath struct {
	of     levelID
	length int
	text   []byte // if it has at most comparedPath bytes
}

// isSame reports whether a value has the same path, and keeps it.
func (l *lastPath) isSame(of levelID, path []byte) bool {
	same := l.of == of && l.length == len(path)
	if !same && l.length == len(path) && l.length <= comparedPath {
		same = bytes.Equal(l.text, path)
	}
	if !same {
		l.of, l.length, l.text = of, len(path), append(l.text[:0], path[:min(len(path), comparedPath)]...)
	}
	return same
}

// pathOf returns the path of the fields of the last event.
func (l *fieldLister) pathOf(ev Event) []byte {
	path := l.paths.Path(ev)
	o, ok := l.t.Reading.(Owner)
	if !ok {
		return path
	}
	depth := l.s.eventDepth(ev)
	up := o.Owner(l.s.Value(), func(n int) *Value {
		if at := depth - n - l.s.Depth() + len(l.s.levels); at >= 0 {
			return &l.s.levels[at].Value
		}
		return nil
	})
	if up > 0 {
		path = l.paths.Open(depth - up)
	}
	l.owner = o.AppendOwner(l.owner[:0], path)
	return l.owner
}

// list calls each for the fields of v.
func (l *fieldLister) list(v *Value, depth int, path []byte) error {
	w, f := l.s.win, &l.owned
	for i := range l.fields {
		f.Field, f.Depth, f.Path, f.Damage = l.fields[i], depth, path, nil
		f.SamePath = l.last.isSame(levelID{v.Start, depth}, path)
		f.Value = l.t.Reading.AppendField(f.Value[:0], w, v, f.Field)
		if w.TakeHole() != nil {
			f.Kind, f.Label, f.Value = span.Gap, "gap", append(f.Value[:0], "unreadable"...)
		}
		if f.Kind == span.Gap {
			f.Damage = v.Damage
		}
		if err := l.each(*f); err != nil {
			return err
		}
	}
	return nil
}

// FieldAt returns the field at an offset and the value that owns it; the field is empty if it is not known
// yet.
func (r *Reader) FieldAt(off int64) (*Node, span.Field, error) {
	n, err := r.At(off)
	if err != nil {
		return nil, span.Field{}, err
	}
	if n.HasGap() || n.End == Unknown {
		if done, err := r.Finish(n); err == nil {
			n = done
		}
	}
	return n, r.fieldIn(n, off), nil
}

// LabelAt is FieldAt for callers that do not need the end of the value: if the value begins with the field,
// its end is not looked for.
func (r *Reader) LabelAt(off int64) (*Node, span.Field, error) {
	n, err := r.At(off)
	if err == nil && off < n.Body {
		if f := r.fieldIn(n, off); f.Length > 0 {
			return n, f, nil
		}
	}
	return r.FieldAt(off)
}

func (r *Reader) fieldIn(n *Node, off int64) span.Field {
	for _, f := range r.AppendFields(nil, n) {
		if f.Contains(off) {
			return f
		}
	}
	return span.Field{}
}

// AppendGaps appends the gaps among the fields that belong to the last event, in their order.
func (s *Scanner) AppendGaps(gaps []span.Span, ev Event) []span.Span {
	v := &s.value
	atEnd := ev != Enter && (v.HasGap() || v.Footed)
	if ev != Enter && ev != Atom && ev != Leave || !atEnd && (ev == Leave || v.Head <= v.Start) {
		return gaps
	}
	s.gapFields = s.AppendFields(s.gapFields[:0], ev)
	return appendGaps(gaps, s.gapFields)
}

// AppendGapsBefore appends the gaps before all values of the buffer.
func (s *Scanner) AppendGapsBefore(gaps []span.Span, base *Value) []span.Span {
	s.gapFields = s.format.Fields(s.win, nil, base, s.gapFields[:0])
	return appendGaps(gaps, s.gapFields)
}

func appendGaps(gaps []span.Span, fields []span.Field) []span.Span {
	for _, f := range fields {
		if f.Kind == span.Gap {
			gaps = append(gaps, f.Span)
		}
	}
	return gaps
}

// BuildIndexAndGaps is BuildIndex for callers that call Gaps later, and ask for the paths of many entries of the only value of
// the buffer: all take one pass.
func (t *Tree) BuildIndexAndGaps(ctx context.Context) error {
	var gaps *[]span.Span
	var keys *keyTable
	var r *Reader
	each := func(s *Scanner, ev Event) {
		if gaps == nil {
			gaps, r = t.gapsBefore(s), t.readerOver(s.win)
		}
		*gaps = s.AppendGaps(*gaps, ev)
		if ev == Enter && s.readsKeys && s.eventDepth(ev) == 1 && s.value.Layout == Pairs {
			keys = &keyTable{in: s.Node()}
		} else if keys != nil && !keys.ended {
			if keys.note(r, s, ev); keys.ended && int64(len(keys.entries)) == s.value.Count && len(keys.entries) <= maxEntries {
				t.keys.Store(keys)
			}
		}
	}
	if t.can.LeavesGaps {
		each = nil
	}
	err := t.buildIndex(ctx, each)
	if err == nil && gaps != nil {
		t.gaps.Store(gaps)
	}
	return err
}

func (t *Tree) gapsBefore(s *Scanner) *[]span.Span {
	gaps := s.AppendGapsBefore(nil, &t.Base.Value)
	return &gaps
}

// Gaps returns the bytes of the buffer that no value claims, in their order.
func (t *Tree) Gaps(ctx context.Context) ([]span.Span, error) {
	if known := t.gaps.Load(); known != nil {
		return *known, nil
	}
	s := t.Scanner()
	s.PassOrdinary = !t.can.LeavesGaps
	gaps := t.gapsBefore(s)
	err := s.Run(ctx, func(ev Event) bool {
		*gaps = s.AppendGaps(*gaps, ev)
		return true
	})
	return *gaps, err
}

// BehindGap returns where a value begins behind a gap, whose bytes are among its own because they belong to nothing, unless they are all
// of it.
func (r *Reader) BehindGap(n *Node) int64 {
	start := n.Start
	for _, f := range r.AppendFields(nil, n) {
		if f.Kind == span.Gap && f.Offset == start && f.End() < n.End {
			start = f.End()
		}
	}
	return start
}
