// Package variantedit turns changes of values into splices: set, insert, delete, move, retype.
package variantedit

import (
	"context"
	"errors"
	"math"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// An Editor implements edit.Editor for a format.
type Editor struct{ *variant.Format }

// An Editing collects the splices of one edit. The Encoder encodes the literal of the edit.
type Editing struct {
	encode.Encoder
	edit.Editing
}

// Begin begins an edit.
func Begin(ctx context.Context, f *variant.Format, r *tree.Reader, o edit.Options) *Editing {
	return &Editing{Encoder: encode.Encoder{Format: f}, Editing: edit.Begin(ctx, r, o)}
}

// read parses the literal of the edit. What is typed, rather than copied, must not have a key twice.
func (e *Editing) read(text string, isTyped bool) (literal.Literal, error) {
	e.Text = text
	l, err := literal.Parse(e.Format.Dialect, text)
	if err == nil && isTyped {
		err = encode.CheckKeys(e.Format, text, &l)
	}
	return l, err
}

// encode returns the bytes of a literal.
func (e *Editing) encode(l *literal.Literal) ([]byte, error) {
	e.Out = nil
	err := e.Value(l)
	return e.Out, err
}

// PutU32 replaces the number at off if it is a different one.
func (e *Editing) PutU32(off int64, n uint32) {
	if n != e.Window.U32(off) {
		e.Put(off, 4, e.Format.AppendBinary(nil, types.Int32, uint64(n)))
	}
}

// Recount adds to the count that v has stored, right or wrong. Bit 31 stays as it is if it is not part of
// the number.
func (e *Editing) Recount(v *tree.Value, added int64) error {
	if added == 0 {
		return nil
	}
	at, f, name := v.Body-4, e.Format, e.Format.TypeName(v) // of many edits nothing else is kept
	count, mark := e.Window.U32(at), uint32(0)
	if types.HasSharedBit(v.Type) {
		mark = count & types.SharedBit
	}
	was := int64(count &^ mark)
	if was > math.MaxInt32 && types.Of(v.Type).Shape == types.ShapeStrings && v.Count == 0 {
		was = 0 // engines read a negative count as 0
	}
	return e.Add(span.Span{Offset: at, Length: 4}, added, func(added int64) ([]byte, error) {
		n := was + added
		if n > math.MaxInt32 && added > 0 {
			return nil, errors.New(name + " holds at most " + span.Counted(math.MaxInt32, "value"))
		}
		return f.AppendBinary(nil, types.Int32, uint64(uint32(n)|mark)), nil
	})
}

// repad adjusts the padding of a byte array to n bytes.
func (e *Editing) repad(v *tree.Value, n int64) {
	at := v.Body + v.Count
	switch have, need := v.Tail-at, types.Pad(n); {
	case have > need:
		e.Cut(at, at+have-need)
	case have < need:
		e.Put(v.Tail, 0, make([]byte, need-have))
	}
}

// Done returns the splices of an edit in n, including those of the length of the frame around it, or an error. n is nil if
// that length has been set.
func (e *Editing) Done(n *tree.Node, err error) ([]source.Splice, error) {
	if err == nil {
		source.Sort(e.Splices)
		err = e.frame(n)
	}
	return e.Sorted(err)
}

// frame adds the bytes that the edit adds to the length of the frame around n. A wrong
// length stays wrong by the same amount.
func (e *Editing) frame(n *tree.Node) error {
	n = frameAround(n)
	if n == nil {
		return nil
	}
	for i := range e.Splices {
		if e.Splices[i].Offset < n.Head {
			return nil // the frame itself is inserted or removed
		}
	}
	return e.lengthen(n.Start, e.Splices)
}

// frameAround returns the value of the frame around n; nil if there is none.
func frameAround(n *tree.Node) *tree.Node {
	for n != nil && n.Depth > 1 {
		n = n.Parent
	}
	if n == nil || n.Depth < 1 || n.Head == n.Start {
		return nil
	}
	return n
}

// lengthen adds the bytes that splices add to the length of the frame at an offset.
func (e *Editing) lengthen(frame int64, splices []source.Splice) error {
	added := edit.Added(splices)
	if added == 0 {
		return nil
	}
	return e.Add(span.Span{Offset: frame, Length: 4}, added, func(added int64) ([]byte, error) {
		return e.Format.AppendFrameLength(nil, int64(e.Format.FrameLength(e.Window, frame))+added)
	})
}

// isFrames reports whether the children of a value are frames, which need no padding.
func (e *Editing) isFrames(v *tree.Value) bool {
	return v.Type == types.Stream && e.Format.Framing == variant.Stream
}

// frameOverruns reports whether the length of the frame n exceeds the bytes that
// exist: it would include bytes that are appended.
func (e *Editing) frameOverruns(n *tree.Node) bool {
	return n.Head > n.Start && n.Head+int64(e.Format.FrameLength(e.Window, n.Start)) > n.Parent.Limit
}
