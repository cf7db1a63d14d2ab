package model

import (
	"context"
	"fmt"
	"os"

	"varview/decoder/detect"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// within is the value of another document that holds the bytes of a document. As an error it says why they cannot be put back.
type within struct {
	document, path string
	value          Cursor
	fixed          error // why the bytes cannot be put back; nil if they can

	stream *Document // that has the bytes in a stream, which no value holds; nil for others
	begun  string    // file of the description of that which describing the bytes has begun; "" for none
}

func (w *within) name() string { return w.document + ": " + w.path }

func (w *within) Error() string {
	return fmt.Sprintf("the bytes of %s cannot be put back: %v", w.name(), w.fixed)
}

// Is implements errors.Is: such a document is read only.
func (w *within) Is(target error) bool { return target == ErrReadOnly }

// OpenWithin opens the content of a range as a document of its own. The value
// n, whose path is given, holds the range. It may run in the background.
func (d *Document) OpenWithin(ctx context.Context, r Range, n *tree.Node, path string) (*Document, error) {
	b := r.buffer.Tree().NewReader().Look(&n.Value).Text // set if the text has escapes
	if b == nil {
		var err error
		if b, err = r.Bytes(ctx, new(Progress)); err != nil {
			return nil, err
		}
	}
	w := &within{document: d.Name, path: path, value: CursorOf(n), fixed: d.CanEdit(r.buffer)}
	if _, ok := r.buffer.Tree().Reading.(edit.ByteEditor); !ok && w.fixed == nil {
		w.fixed = errNoByteEditor
	}
	return d.openBytes(ctx, b, w)
}

// IsSave reports whether the document is a save, as far as that can be told.
func (d *Document) IsSave() bool {
	return !d.IsForeign() && (len(d.Buffers) > 1 || d.Confidence != detect.Weak)
}

// Within returns the name of the document that contains this one, and the path of the value that holds
// it; both are "" for a file.
func (d *Document) Within() (document, path string) {
	if w := d.options.within; w != nil {
		return w.document, w.path
	}
	return "", ""
}

// writeWithin writes the bytes that are to be put back.
func (s *Saving) writeWithin(ctx context.Context, p *Progress) error {
	src, err := source.Written(func(f *os.File) error { return s.write(ctx, f, p) })
	if err != nil {
		return err
	}
	return s.look(ctx, src)
}

// PutBack returns the edit of the containing document that replaces the bytes of the value by what Write
// has written.
func (s *Saving) PutBack() Intention {
	w := s.doc.options.within
	return Intention{Label: "set the bytes of " + w.path, Before: w.value, Do: func(ctx context.Context, t *Transaction) (Cursor, error) {
		n, err := w.value.Find(t.read)
		if err != nil {
			return w.value, err
		}
		b, err := heldBytes(s.latest)
		if err != nil {
			return w.value, err
		}
		return w.value, t.SetBytes(ctx, n, b)
	}}
}
