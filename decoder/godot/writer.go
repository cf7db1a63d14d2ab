package godot

import (
	"context"
	"io"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// A writer collects text and hands it on, or stops at a limit.
type writer struct {
	ctx   context.Context
	dst   []byte
	out   io.Writer // nil: everything stays in dst
	start int       // length of dst at the beginning
	limit int       // of what is added to dst, if out is nil
	cut   bool      // what follows is left out
	err   error
}

// flushAt is how much text is kept back before it is handed on.
const flushAt = 64 << 10

// full hands on what has been collected if it is much; it reports whether
// writing on is pointless.
func (t *writer) full() bool {
	if t.out == nil {
		return t.cut || len(t.dst)-t.start > t.limit
	}
	if len(t.dst) > flushAt {
		t.flush()
	}
	return t.err != nil
}

func (t *writer) flush() {
	if t.err == nil {
		t.err = t.ctx.Err()
	}
	if t.err == nil {
		_, t.err = t.out.Write(t.dst)
	}
	t.dst = t.dst[:0]
}

// A visitor writes the values it is shown in file order.
type visitor interface {
	before(slot tree.Slot)   // a child or key is next
	open(v *tree.Value) bool // a value with children; false if they are not wanted
	close()                  // the value opened last ends
	atom(v *tree.Value)      // a value in one piece, or of fixed layout
	full() bool              // nothing more is wanted
}

// visit shows v and everything in it to x.
func visit(r *tree.Reader, v *tree.Value, x visitor) {
	if v.Layout < tree.Sequence {
		x.atom(v)
		return
	}
	s := r.Walk(v)
	hidden := 0 // depth below a value whose children are not wanted
	if !x.open(v) {
		return
	}
	for !x.full() {
		ev := s.Next()
		switch {
		case ev == tree.Done:
			return
		case hidden > 0 && ev == tree.Enter:
			hidden++
		case hidden > 0 && ev == tree.Leave:
			hidden--
		case hidden > 0:
		case ev == tree.Leave:
			x.close()
		default:
			x.before(s.Slot())
			if ev == tree.Atom {
				x.atom(s.Value())
			} else if !x.open(s.Value()) {
				hidden = 1
			}
		}
	}
}

func (t *writer) put(s string) { t.dst = append(t.dst, s...) }

// quoted writes the string of n bytes at off in quotes.
func (t *writer) quoted(w *source.Window, off, n int64) {
	t.dst = append(t.dst, '"')
	t.escaped(w, off, n)
	t.dst = append(t.dst, '"')
}

// escaped writes a string piece by piece, so that its length costs nothing.
func (t *writer) escaped(w *source.Window, off, n int64) {
	if n <= 4096 {
		t.dst = tree.AppendEscaped(t.dst, w.View(off, n), '"')
		return
	}
	for n > 0 && !t.full() {
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
		t.dst = tree.AppendEscaped(t.dst, b, '"')
		off += int64(len(b))
		n -= int64(len(b))
	}
}
