package tree

import (
	"bytes"
	"context"
	"io"
	"slices"

	"varview/decoder/parallel"
	"varview/decoder/source"
)

// A FieldWriter writes the fields that it is given, in order.
type FieldWriter interface {
	// Field writes a field.
	Field(f *OwnedField) error

	// Flush writes what has been collected.
	Flush() error
}

// fieldSegmentBytes is about the greatest size of a segment whose fields are written: their
// text can take forty times as many bytes.
const fieldSegmentBytes = 64 << 10

// WriteFields writes all fields of the buffer to out. The segments of a large buffer are
// written at the same time, each by a writer of its own that begin returns, with its own
// window.
func (t *Tree) WriteFields(ctx context.Context, out io.Writer, begin func(io.Writer, *source.Window) FieldWriter) error {
	if t.Source.Size() <= t.TextSegment || parallel.Workers() == 1 {
		l := t.listFields(nil)
		x := begin(out, l.s.win)
		l.each = x.Field
		if err := l.run(ctx); err != nil {
			return err
		}
		return x.Flush()
	}
	windows := parallel.Spares[*source.Window]{New: func() *source.Window { return source.NewWindow(t.Source) }}
	p := t.fieldPlanner(ctx, min(fieldSegmentBytes, t.TextSegment))
	return parallel.Write(ctx, parallel.Workers(), out, p.next, func(ctx context.Context, seg fieldSegment, out io.Writer) error {
		w := windows.Get()
		defer windows.Put(w)
		return t.writeFields(ctx, seg, w, begin(out, w))
	})
}

// A fieldSegment is a segment whose fields are written. How a field is written depends on
// the one before it, so reading begins at a place before a field that precedes the
// segment.
type fieldSegment struct {
	segment
	before  fieldPlace // unless the segment is the first
	repeats []repeat   // keys from that place on
}

// A fieldPlace is a point and the paths to the values that are open there.
type fieldPlace struct {
	at     *point
	path   []byte
	levels []pathLevel
}

// writeFields passes the fields of a segment to x.
func (t *Tree) writeFields(ctx context.Context, seg fieldSegment, w *source.Window, x FieldWriter) error {
	l := t.listFieldsIn(seg, w)
	if seg.from != nil {
		l.each = func(*OwnedField) error { return nil }
		l.s.endAt(seg.from)
		if err := l.run(ctx); err != nil {
			return err
		}
	}
	l.each = x.Field
	l.s.endAt(seg.to)
	if err := l.run(ctx); err != nil {
		return err
	}
	return x.Flush()
}

// listFieldsIn returns a lister for a segment, which reads through w.
func (t *Tree) listFieldsIn(seg fieldSegment, w *source.Window) *fieldLister {
	s := t.scannerOver(w)
	if seg.from == nil {
		s.begin(t.Base)
	} else {
		s.resume(seg.before.at)
	}
	s.Elements = true
	paths := NewPather(t, s)
	if seg.from != nil {
		paths.path, paths.levels = seg.before.path, seg.before.levels
	}
	repeats := seg.repeats
	paths.known = func(at int64) int32 {
		if len(repeats) == 0 || repeats[0].at != at {
			return 0
		}
		r := repeats[0]
		repeats = repeats[1:]
		return r.before
	}
	return &fieldLister{t: t, s: s, paths: paths, begun: seg.from != nil}
}

// A fieldPlanner divides a buffer into segments whose fields are written. It passes over
// all values, to know the paths where segments begin.
type fieldPlanner struct {
	ctx     context.Context
	s       *Scanner
	size    int64
	paths   *Pather
	segment fieldSegment // the next one
	done    bool
}

// fieldPlanner returns a planner of segments of at least size bytes.
func (t *Tree) fieldPlanner(ctx context.Context, size int64) *fieldPlanner {
	s := t.Scanner()
	p := &fieldPlanner{ctx: ctx, s: s, size: size, paths: NewPather(t, s)}
	p.paths.note = func(r repeat) { p.segment.repeats = append(p.segment.repeats, r) }
	return p
}

// next returns the next segment. The segment after it begins at least one field, but only a
// few bytes, after a place where reading can begin.
func (p *fieldPlanner) next() (seg fieldSegment, more bool) {
	if p.done {
		return seg, false
	}
	start := p.s.pos
	size := max(p.size, int64(len(p.paths.path))) // the paths where segments begin take no more memory than the buffer
	var before fieldPlace
	known := 0 // repeats at that place
	err := p.s.Run(p.ctx, func(ev Event) bool {
		p.paths.Step(ev)
		if p.s.pos-start < size || !p.s.canLeavePoint() || len(p.s.levels) == 0 || before.at != nil && p.s.pos == before.at.pos {
			return true
		}
		if before.at != nil && p.s.pos-before.at.pos <= size {
			return false
		}
		before, known = p.place(), len(p.segment.repeats)
		return true
	})
	seg = p.segment
	if p.done = err != nil || len(p.s.levels) == 0; !p.done {
		at := p.s.position()
		seg.to = &at
		p.segment = fieldSegment{segment: segment{from: &at}, before: before, repeats: slices.Clone(seg.repeats[known:])}
	}
	return seg, true
}

// place returns the scanner's place.
func (p *fieldPlanner) place() fieldPlace {
	at := p.s.position()
	levels := make([]pathLevel, p.s.Depth())
	for i := range levels {
		levels[i] = pathLevel{end: p.paths.levels[i].end, step: p.paths.levels[i].step}
	}
	return fieldPlace{&at, bytes.Clone(p.paths.path), levels}
}
