package wrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"varview/decoder/source"
	"varview/decoder/span"
)

// Mangled lists, in the order in which they are taken off, the kinds of what
// programs do to a file that they take for text, and that the bytes of region can
// have met. It reads at most 256 KiB. Whether they have shows when what Open gives
// is read: bytes that were never mangled can look like it.
func Mangled(src source.Source, region span.Span) (kinds []Kind) {
	const judged = 256 << 10
	head := span.Span{Offset: region.Offset, Length: min(region.Length, judged)}
	for k := ByteOrderMark; k <= Reencoded; k++ {
		m := newMangling(k)
		in := &mangled{region: head, win: source.NewWindow(src), cut: head != region}
		if err := in.undo(context.Background(), m, io.Discard); err == nil && m.changes().all > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// A mangling is what a program has done to all bytes of a file.
type mangling interface {
	// undo appends what b was, as far as its first n bytes tell; more of it follows
	// unless it is the last. ok is false where no such program writes b.
	undo(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool)

	// redo appends what becomes of b.
	redo(dst, b []byte, first bool) []byte

	// changes are those that undo has made.
	changes() *changed

	// tell says what was done, and what undoes it.
	tell() (message, repair string)
}

func newMangling(k Kind) mangling {
	switch k {
	case ByteOrderMark:
		return &markBefore{}
	case TextMode:
		return &textMode{}
	}
	return &reencoded{}
}

// mangledCodes are the codes of what is wrong, and what a payload is called.
var mangledCodes = map[Kind][2]string{
	TextMode:      {TextTransfer, "text transfer"},
	ByteOrderMark: {LeadingBOM, "byte order mark"},
	Reencoded:     {ReencodedBytes, "re-encoded"},
}

// maxChanges is how many changes are remembered one by one.
const maxChanges = 64

// changed are the places that a program has changed.
type changed struct {
	all   int64
	first span.Span       // where all > 0
	list  []source.Splice // that undo them; fewer than all where there are many
}

func (c *changed) changes() *changed { return c }

// add notes that the bytes of s stand in place of was.
func (c *changed) add(s span.Span, was ...byte) {
	if c.all++; c.all == 1 {
		c.first = s
	}
	if len(c.list) < maxChanges {
		c.list = append(c.list, source.Put(s.Offset, s.Length, slices.Clone(was)))
	}
}

// mangled are bytes to which a program has done something.
type mangled struct {
	region   span.Span
	win      *source.Window
	cut      bool // the bytes go on behind the region
	progress func(done, all int64)
}

// errNotMangled says that a program that does this does not write such bytes.
var errNotMangled = errors.New("not mangled")

// undo writes what the bytes were. The error is errNotMangled, that of ctx, of
// reading, or of out.
func (in *mangled) undo(ctx context.Context, m mangling, out io.Writer) error {
	var was []byte
	for at, end := in.region.Offset, in.region.End(); at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := in.win.View(at, end-at)
		if err := in.win.Err(); err != nil {
			return err
		}
		if hole := in.win.TakeHole(); hole != nil {
			return hole
		}
		last := at+int64(len(b)) == end
		next, n, ok := m.undo(was[:0], b, at, last && !in.cut)
		switch {
		case !ok:
			return errNotMangled
		case n == 0 && last:
			return nil // what is cut off tells the rest
		case n == 0:
			return errNotMangled
		}
		if _, err := out.Write(next); err != nil {
			return err
		}
		was = next
		if at += int64(n); in.progress != nil {
			in.progress(at-in.region.Offset, in.region.Length)
		}
	}
	return nil
}

// openMangled undoes what a program has done to the region.
func openMangled(ctx context.Context, l *Layer, src source.Source, o Options) error {
	m := newMangling(l.Kind)
	code, title := mangledCodes[l.Kind][0], mangledCodes[l.Kind][1]
	in := &mangled{region: l.Region, win: source.NewWindow(src), progress: o.progress}
	was := &spool{limit: o.MaxUnpacked}
	err := in.undo(ctx, m, was)
	hole := (*source.HoleError)(nil)
	if err == nil && m.changes().all > 0 {
		l.Title = title
		if err := l.hold(was); err != nil {
			return err
		}
		l.again = &mangledLayer{m}
		l.describeMangled(m, code)
		return nil
	}
	was.close()
	switch {
	case errors.Is(err, errFull):
		l.reject(title, "this is more than --max-unpacked allows")
	case err == nil, errors.Is(err, errNotMangled), errors.As(err, &hole):
		l.reject(title, "this is not "+l.Kind.Meaning())
	default:
		return err
	}
	return nil
}

// describeMangled makes the format of a file that a program took for text.
func (l *Layer) describeMangled(m mangling, code string) {
	c := m.changes()
	p := part{name: "bytes", Span: span.Span{Offset: l.Region.Offset}}
	end := l.Region.End()
	splices := c.list
	if c.all > int64(len(c.list)) {
		splices = []source.Splice{{Span: l.Region, New: source.Whole(l.Payload)}}
	} else {
		for _, s := range c.list {
			if s.Added() == 0 { // these bytes are nothing of the payload
				p.put(s.Offset-p.End(), end, span.Data, "bytes")
				p.put(s.Length, end, span.Gap, "gap")
			}
		}
	}
	p.put(end-p.End(), end, span.Data, "bytes")
	p.text = fmt.Sprintf("%s → %s", byteCount(l.Region.Length), span.Grouped(l.Payload.Size()))
	message, repair := m.tell()
	p.fail(c.first, code, message, "loading fails, or gives other values").cure(repair, splices...)
	l.Format = &format{layer: l, about: l.describe(), parts: []part{p}}
}

// mangledLayer does to a payload what was done to the old one.
type mangledLayer struct{ mangling }

// canRewrap implements rewrapper.
func (*mangledLayer) canRewrap() error { return nil }

// rewrap implements rewrapper.
func (l *mangledLayer) rewrap(w *wrapping) (int64, error) {
	out, in := w.output(0), w.reader()
	piece, changed := make([]byte, 32<<10), []byte(nil)
	for first := true; ; first = false {
		n, err := in.Read(piece)
		if err != nil && err != io.EOF {
			return 0, err
		}
		changed = l.redo(changed[:0], piece[:n], first)
		if _, err := out.Write(changed); err != nil {
			return 0, err
		}
		if err == io.EOF {
			return out.finish()
		}
	}
}
