package tree

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"

	"varview/decoder/parallel"
	"varview/decoder/source"
)

// A FieldWriter writes fields that it is shown in order.
type FieldWriter interface {
	// After is called first, unless the fields are the first of the buffer: path is that
	// of the value that owns the field before them.
	After(path []byte)

	// Field writes a field.
	Field(f *OwnedField) error

	// Flush writes what has been collected.
	Flush() error
}

// fieldPartSize is the number of bytes of a part whose fields are written, at most: they
// become up to forty times as many.
const fieldPartSize = 64 << 10

// WriteFields writes all fields of the buffer to out with the writers that begin returns,
// each with a window of its own: the parts of a large buffer beside each other.
func (t *Tree) WriteFields(ctx context.Context, out io.Writer, begin func(io.Writer, *source.Window) FieldWriter) error {
	if t.Source.Size() <= t.PartSize || parallel.Workers() == 1 {
		l := t.listFields(nil)
		x := begin(out, l.s.win)
		l.each = x.Field
		if err := l.run(ctx, nil); err != nil {
			return err
		}
		return x.Flush()
	}
	windows := sync.Pool{New: func() any { return source.NewWindow(t.Source) }}
	c := t.fieldCutter(ctx, min(fieldPartSize, t.PartSize))
	return parallel.Write(ctx, parallel.Workers(), out, c.next, func(ctx context.Context, p fieldPart, out io.Writer) error {
		w := windows.Get().(*source.Window)
		defer windows.Put(w)
		return t.writeFields(ctx, p, w, begin(out, w))
	})
}

// A fieldPart is a part whose fields are written. What is written of a field depends on the
// one before it, so that the part is begun at a place before some field that precedes it.
type fieldPart struct {
	part
	before  fieldPlace // unless the part is the first
	repeats []repeat   // keys from that place on
}

// A fieldPlace is a point and the paths to the values that are open there.
type fieldPlace struct {
	at     *point
	path   []byte
	levels []pathLevel
}

// writeFields shows the fields of a part to x.
func (t *Tree) writeFields(ctx context.Context, p fieldPart, w *source.Window, x FieldWriter) error {
	l := t.listFieldsIn(p, w)
	if p.from != nil {
		var path []byte
		l.each = func(f *OwnedField) error { path = append(path[:0], f.Path...); return nil }
		if err := l.run(ctx, p.from); err != nil {
			return err
		}
		x.After(path)
	}
	l.each = x.Field
	if err := l.run(ctx, p.to); err != nil {
		return err
	}
	if err := x.Flush(); err != nil {
		return err
	}
	return w.Err()
}

// listFieldsIn returns a lister for a part, which reads through w.
func (t *Tree) listFieldsIn(p fieldPart, w *source.Window) *fieldLister {
	s := t.scannerOver(w)
	if p.from == nil {
		s.begin(t.Base)
	} else {
		s.resume(p.before.at)
	}
	s.Elements = true
	paths := NewPather(t, s)
	if p.from != nil {
		paths.path, paths.levels = p.before.path, p.before.levels
	}
	repeats := p.repeats
	paths.known = func(at int64) int32 {
		if len(repeats) == 0 || repeats[0].at != at {
			return 0
		}
		r := repeats[0]
		repeats = repeats[1:]
		return r.before
	}
	return &fieldLister{t: t, s: s, paths: paths, begun: p.from != nil}
}

// A fieldCutter divides a buffer into parts whose fields are written. It passes over all
// values for the paths to where parts begin.
type fieldCutter struct {
	cutter
	paths *Pather
	part  fieldPart // the next one
}

// fieldCutter returns a cutter of the tree into parts of at least size bytes.
func (t *Tree) fieldCutter(ctx context.Context, size int64) *fieldCutter {
	s := t.Scanner()
	c := &fieldCutter{cutter: cutter{ctx: ctx, s: s, size: size}, paths: NewPather(t, s)}
	c.paths.note = func(r repeat) { c.part.repeats = append(c.part.repeats, r) }
	return c
}

// next returns the next part, as cutter.next does. The one after it begins at least a
// field, but few bytes, after a place where it can be begun.
func (c *fieldCutter) next() (p fieldPart, ok bool) {
	if c.done {
		return fieldPart{}, false
	}
	start := c.s.pos
	var before fieldPlace
	begun := 0
	err := c.s.Run(c.ctx, func(ev Event) bool {
		c.paths.Step(ev)
		if !c.s.canPart(start, c.size) || before.at != nil && c.s.pos == before.at.pos {
			return true
		}
		if before.at != nil && c.s.pos-before.at.pos <= c.size {
			return false
		}
		before, begun = c.place(), len(c.part.repeats)
		return true
	})
	p = c.part
	if c.done = len(c.s.levels) == 0; !c.done && err == nil {
		at := c.s.position()
		p.to = &at
		c.part = fieldPart{part: part{from: &at}, before: before, repeats: slices.Clone(p.repeats[begun:])}
	}
	return p, err == nil || c.done
}

// place returns the scanner's place.
func (c *fieldCutter) place() fieldPlace {
	at := c.s.position()
	levels := make([]pathLevel, c.s.Depth())
	for i := range levels {
		levels[i] = pathLevel{end: c.paths.levels[i].end, step: c.paths.levels[i].step}
	}
	return fieldPlace{&at, bytes.Clone(c.paths.path), levels}
}
