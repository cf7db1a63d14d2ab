package tree

import (
	"context"
	"io"
	"strconv"

	"varview/decoder/engine/background"
	"varview/decoder/engine/source"
)

// A Writer collects text and writes it to an io.Writer, or stops at a limit.
type Writer struct {
	Dst []byte // text that has not been flushed
	Cut bool   // the rest of a literal was left out

	ctx   context.Context
	out   io.Writer // if nil, everything stays in Dst
	start int       // length of Dst at the beginning
	limit int       // limit of what is added to Dst, if out is nil
	err   error
}

// NewWriter returns a writer that flushes text to out until ctx is done.
func NewWriter(ctx context.Context, out io.Writer) Writer { return Writer{ctx: ctx, out: out} }

// NewLiteral returns a writer that appends a literal of about limit bytes to dst.
func NewLiteral(dst []byte, limit int) Writer {
	return Writer{Dst: dst, start: len(dst), limit: limit}
}

// Text implements TextVisitor for types that embed a Writer.
func (t *Writer) Text() *Writer { return t }

// flushAt is the number of bytes that are collected before they are flushed.
const flushAt = 64 << 10

// Limited reports whether the writer writes a literal, whose length is limited.
func (t *Writer) Limited() bool { return t.out == nil }

// Full flushes the text if there is much of it. It reports whether further text would be dropped.
func (t *Writer) Full() bool {
	if t.out == nil {
		return t.Cut || len(t.Dst)-t.start > t.limit
	}
	if len(t.Dst) > flushAt {
		t.Flush()
	}
	return t.err != nil
}

// Flush writes all collected text and returns the first error of any flush.
func (t *Writer) Flush() error {
	if t.err == nil {
		t.err = t.ctx.Err()
	}
	if t.err == nil {
		_, t.err = t.out.Write(t.Dst)
	}
	t.Dst = t.Dst[:0]
	return t.err
}

// Literal returns Dst with the literal cut to the limit.
func (t *Writer) Literal() []byte {
	if len(t.Dst)-t.start > t.limit {
		t.Dst, t.Cut = cutRune(t.Dst, t.start+t.limit), true
	}
	if t.Cut {
		t.Dst = append(t.Dst, "…"...)
	}
	return t.Dst
}

// cutRune cuts b to at most n bytes without splitting a character.
func cutRune(b []byte, n int) []byte {
	for n > 0 && b[n]&0xc0 == 0x80 {
		n--
	}
	return b[:n]
}

// A Visitor writes the values that it is shown in file order.
type Visitor interface {
	Before(slot Slot)   // a child or key comes next
	Open(v *Value) bool // a value with children; the result is false if they are not wanted
	Close()             // the value opened last ends
	Atom(v *Value)      // a value in one piece, or of fixed layout
	Full() bool         // no further value is wanted
}

// A TextVisitor is a Visitor that writes text: it embeds a Writer.
type TextVisitor interface {
	Visitor
	Text() *Writer // the writer of the text
}

// Write writes v to out with the visitor that is made for a writer.
func Write(ctx context.Context, out io.Writer, r *Reader, v *Value, visitor func(Writer) TextVisitor) error {
	return background.Writing(out, func(out io.Writer) error {
		w := NewWriter(ctx, out)
		w.Dst, r.text = r.text, nil
		x := visitor(w)
		Visit(r, v, x)
		err := x.Text().Flush()
		r.text = x.Text().Dst
		return err
	})
}

// Visit shows v and everything in it to x.
func Visit(r *Reader, v *Value, x Visitor) {
	if v.Layout < Sequence {
		x.Atom(v)
		return
	}
	n := r.visited
	if r.visited = nil; n == nil {
		n = new(Node)
	}
	*n = Node{Value: *v, KeyAt: Unknown}
	s := r.Scan(n)
	defer func() {
		r.Keep(s)
		r.visited = n
	}()
	if !x.Open(v) {
		return
	}
	for hidden, events := 0, 0; !x.Full(); events++ { // hidden is the depth of s below a value whose children are not wanted
		if r.Passed != nil && events%1024 == 0 {
			r.Passed(s.Pos(), r.Tree.Source.Size())
		}
		ev := s.Next()
		switch {
		case ev == Done:
			return
		case hidden > 0 && ev == Enter:
			hidden++
		case hidden > 0 && ev == Leave:
			hidden--
		case hidden > 0:
		case ev == Leave:
			x.Close()
		default:
			x.Before(s.Slot())
			if ev == Atom {
				x.Atom(s.Value())
			} else if !x.Open(s.Value()) {
				hidden = 1
			}
		}
	}
}

// Put writes s.
func (t *Writer) Put(s string) { t.Dst = append(t.Dst, s...) }

// PutInt writes s and a number.
func (t *Writer) PutInt(s string, n int64) { t.Dst = strconv.AppendInt(append(t.Dst, s...), n, 10) }

// PutUint writes s and a number.
func (t *Writer) PutUint(s string, n uint64) { t.Dst = strconv.AppendUint(append(t.Dst, s...), n, 10) }

// PutQuoted writes s and a text in quotes.
func (t *Writer) PutQuoted(s string, text []byte) { t.Dst = AppendQuoted(append(t.Dst, s...), text) }

// Quoted writes the string of n bytes at off in quotes.
func (t *Writer) Quoted(w *source.Window, off, n int64) {
	t.Dst = append(t.Dst, '"')
	t.Escaped(w, off, n)
	t.Dst = append(t.Dst, '"')
}

// Escaped writes a string piece by piece, in constant memory.
func (t *Writer) Escaped(w *source.Window, off, n int64) {
	if n <= 4096 {
		t.Dst = AppendEscaped(t.Dst, w.View(off, n), '"')
		return
	}
	for n > 0 && !t.Full() {
		b := w.View(off, min(n, 4096))
		if len(b) == 0 {
			return
		}
		if int64(len(b)) < n { // do not split a character
			for i := 1; i < 4 && len(b) > i; i++ {
				if c := b[len(b)-i]; c >= 0xc0 {
					b = b[:len(b)-i]
					break
				} else if c < 0x80 {
					break
				}
			}
		}
		t.Dst = AppendEscaped(t.Dst, b, '"')
		off += int64(len(b))
		n -= int64(len(b))
	}
}

// A Nest is a Writer with the values whose children are being written. It writes what is around and between
// them, so that the visitor that embeds it writes only the values. T is what the visitor keeps for each.
type Nest[T any] struct {
	Writer
	open []Level[T]
}

// Brackets are what is written between the children of a value and after them.
type Brackets struct {
	First string // what is written before the first child or key
	Comma string // before any other
	Colon string // what is written between a key and its value
	Last  string // after the last child, if there is one
	Close string // in the end
}

// A Level is a value whose children are being written.
type Level[T any] struct {
	Brackets
	Of   T
	Some bool // a child or key has been written
	Key  bool // the last thing written was a key, whose value comes next
}

// maxNest is the number of levels of nesting in a literal of limited length.
const maxNest = 32

// IsTooDeep reports whether a literal of limited length leaves out the children of one more value.
func (n *Nest[T]) IsTooDeep() bool {
	if n.Limited() && len(n.open) == maxNest {
		n.Cut = true
	}
	return n.Limited() && len(n.open) == maxNest
}

// Begin makes a value the innermost one, after its opening was written.
func (n *Nest[T]) Begin(b Brackets, of T) { n.open = append(n.open, Level[T]{Brackets: b, Of: of}) }

// Depth returns the number of open values.
func (n *Nest[T]) Depth() int { return len(n.open) }

// Top returns the innermost open value; nil if there is none.
func (n *Nest[T]) Top() *Level[T] {
	if len(n.open) == 0 {
		return nil
	}
	return &n.open[len(n.open)-1]
}

// Before implements Visitor.
func (n *Nest[T]) Before(slot Slot) {
	o := n.Top()
	switch {
	case o == nil:
		return
	case o.Key && !slot.Key:
		n.Put(o.Colon)
	case o.Some:
		n.Put(o.Comma)
	default:
		n.Put(o.First)
	}
	o.Some, o.Key = true, slot.Key
}

// Lacks reports whether the last key has no value, and if so writes what precedes that value.
func (n *Nest[T]) Lacks() bool {
	o := n.Top()
	if o.Key {
		n.Put(o.Colon)
	}
	return o.Key
}

// Close implements Visitor.
func (n *Nest[T]) Close() {
	o := n.Top()
	if o.Some {
		n.Put(o.Last)
	}
	n.Put(o.Close)
	n.open = n.open[:len(n.open)-1]
}
