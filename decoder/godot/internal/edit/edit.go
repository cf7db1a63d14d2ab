package edit

import (
	"context"
	"errors"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// An Editing collects the splices of one edit. The Encoder encodes the literal that
// the edit is about.
type Editing struct {
	encode.Encoder
	Ctx     context.Context
	Reader  *tree.Reader
	Window  *source.Window
	Splices []source.Splice
	steps   int
	blocked bool // the scanner has passed damage that takes all bytes up to the limit: nothing can be appended
}

// New begins an edit.
func New(ctx context.Context, f *variant.Format, r *tree.Reader) *Editing {
	return &Editing{Encoder: encode.Encoder{Format: f}, Ctx: ctx, Reader: r, Window: r.Window()}
}

// read parses the literal of the edit.
func (e *Editing) read(text string) (literal.Literal, error) {
	e.Text = text
	return literal.Parse(e.Format.Dialect, text)
}

// Put replaces n bytes at off.
func (e *Editing) Put(off, n int64, b []byte) {
	if n > 0 || len(b) > 0 {
		e.Splices = append(e.Splices, source.Put(off, n, b))
	}
}

// Cut removes the bytes [from, to).
func (e *Editing) Cut(from, to int64) { e.Put(from, to-from, nil) }

// PutU32 replaces the number at off if it is a different one.
func (e *Editing) PutU32(off int64, n uint32) {
	if n != e.Window.U32(off) {
		e.Put(off, 4, numeric.AppendBinary(nil, types.Int32, uint64(n)))
	}
}

// encode is the bytes of a literal.
func (e *Editing) encode(l *literal.Literal) ([]byte, error) {
	e.Out = nil
	err := e.Value(l)
	return e.Out, err
}

// Done returns the splices of an edit in n, including those of the length of the
// frame around it.
func (e *Editing) Done(n *tree.Node) ([]source.Splice, error) {
	source.Sort(e.Splices)
	if err := e.frame(n); err != nil {
		return nil, err
	}
	source.Sort(e.Splices)
	if err := e.Window.Err(); err != nil {
		return nil, err
	}
	return e.Splices, e.Ctx.Err()
}

// Set implements edit.Editor. It keeps what the literal does not specify: the width
// of numbers, unusual flags, padding, and the bytes of all parts of a container that
// do not change. Of a damaged value it replaces the bytes that could be read; the
// gap after them stays.
func Set(ctx context.Context, f *variant.Format, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f, r)
	if n.Parent == nil {
		root, err := e.root(n)
		if err != nil || root == nil {
			return e.setEmpty(n, c, err)
		}
		n = root
	}
	if c.Copy != nil {
		if from := c.From.Tree.Reading; isWhole(n) && isWhole(c.Copy) && sameBytes(f, from) {
			return e.setCopy(n, c, o)
		}
		text, err := copyText(ctx, c)
		if err != nil {
			return nil, err
		}
		c.Literal = text
	}
	if same, err := e.isWrittenAs(&n.Value, strings.TrimSpace(c.Literal)); same || err != nil {
		return nil, err
	}
	l, err := e.read(c.Literal)
	if err != nil {
		return nil, err
	}
	if isWhole(n) {
		err = e.set(n, &l, o)
	} else {
		err = e.setPart(n, &l)
	}
	if err != nil {
		return nil, err
	}
	return e.Done(n)
}

// root is the bare value of a buffer, nil where it has no bytes.
func (e *Editing) root(base *tree.Node) (*tree.Node, error) {
	if base.Type == types.Stream {
		return nil, errors.New("a stream is not set as a whole; set its values one by one")
	}
	n, err := e.Reader.Child(base, 0)
	if errors.Is(err, tree.ErrNoChild) {
		return nil, nil
	}
	return n, err
}

// set changes a value with a header to that of a literal.
func (e *Editing) setEmpty(base *tree.Node, c edit.Content, err error) ([]source.Splice, error) {
	if err != nil {
		return nil, err
	}
	bytes, err := e.content(&base.Value, tree.Slot{}, c)
	if err != nil {
		return nil, err
	}
	e.Splices = append(e.Splices, source.Splice{Span: span.Between(base.Body, base.Body), New: bytes})
	return e.Done(base)
}

// isWhole reports whether n is a value with a header, not a part of one.
func isWhole(n *tree.Node) bool { return n.Type < types.Raw || n.Type == types.Unknown }

// set gives a whole value the value of a literal.
func (e *Editing) set(n *tree.Node, l *literal.Literal, o edit.Options) error {
	w := e.Format.Constraint(&n.Parent.Value, n.Slot)
	fitting, fits := encode.Fit(*l, w)
	if !fits {
		return e.mismatch(&n.Parent.Value, n.Slot, l.TypeText())
	}
	if l = &fitting; w.Any && n.Type == types.Float && l.Kind == types.Int && !o.Retype {
		l.Kind = types.Float
	}
	repairs := n.Type == types.Unknown || !w.Allows(n.Type) || w.T == types.Object && !w.Any
	if was := string(e.Format.AppendType(nil, e.Window, &n.Value)); !repairs && !e.sameType(&n.Value, l) && !o.Retype {
		return &edit.TypeError{Was: was, Is: l.TypeText()}
	}
	if n.Slot.Key {
		if err := e.checkFreeKey(n.Parent, n.Slot.Index, e.literalKey(l)); err != nil {
			return err
		}
	}
	return e.merge(n, l)
}

// merge changes n to a literal, and keeps the parts of n that do not change.
func (e *Editing) merge(n *tree.Node, l *literal.Literal) error {
	if !e.canMerge(&n.Value, l) {
		n, err := e.Reader.Finish(n)
		if err != nil {
			return err
		}
		return e.replace(&n.Value, l)
	}
	if n.Layout < tree.Sequence {
		return e.mergeAtom(&n.Value, l)
	}
	return e.mergeChildren(e.Reader.Scan(n), &n.Value, l)
}

// replace puts a literal in place of v, whose end is known. Flags without meaning
// stay if the type does.
func (e *Editing) replace(v *tree.Value, l *literal.Literal) error {
	b, err := e.encode(l)
	if err != nil {
		return err
	}
	if v.Type == l.Kind && v.Tail >= v.Head+4 && types.Of(v.Type).Shape == types.ShapeObject {
		header := e.Window.U32(v.Head)
		b[1], b[3] = byte(header>>8), byte(header>>24)
		b[2] = b[2]&types.WideFlag | byte(header>>16)&^types.WideFlag
	}
	e.Put(v.Head, v.Tail-v.Head, b)
	return nil
}

// sameType reports whether a literal has the type of v, including the types that a
// typed container declares.
func (e *Editing) sameType(v *tree.Value, l *literal.Literal) bool {
	if v.Type != l.Kind || l.Kind == literal.Damage {
		return false
	}
	if l.Parts == nil || v.Damage != nil && v.Layout == tree.Leaf {
		return true
	}
	elem, value := e.Format.ContainerTypes(e.Window, v)
	return elem == l.Elem && value == l.Value
}

// setPart changes a component, an element, a name or an entry of a packed string
// array.
func (e *Editing) setPart(n *tree.Node, l *literal.Literal) error {
	v := &n.Value
	switch v.Type {
	case types.Name, types.Part, types.Entry:
		if l.Kind != types.String {
			return literal.Errorf(int(l.At), "a text in quotes is expected")
		}
		if v.Type == types.Name {
			if err := e.checkFreeKey(n.Parent, n.Slot.Index, textKey(types.Name, l.Text)); err != nil {
				return err
			}
		}
		return e.mergeText(v, v.Start, l.Text)
	case types.Element:
		if name := e.Format.TypeName(v); types.Of(l.Kind).Name != name {
			return literal.Errorf(int(l.At), "%s is expected here", name)
		}
		return e.mergeNumbers(v.Body, variant.ElementComp(v), v.Count, l)
	}
	if l.Kind != types.Int && l.Kind != types.Float {
		return literal.Errorf(int(l.At), "a number is expected here")
	}
	return e.mergeNumbers(v.Start, v.Type, 1, &literal.Literal{Parts: &literal.Parts{Children: []literal.Literal{*l}}})
}

// mismatch is the error that parent does not accept a type.
func (e *Editing) mismatch(parent *tree.Value, slot tree.Slot, is string) error {
	container := string(e.Format.AppendType(nil, e.Window, parent))
	return errors.New(encode.MismatchMessage(container, e.Format.Constraint(parent, slot).Name, is))
}

// frame adds the bytes that the edit adds to the length of the frame around n. The
// error of a wrong length stays the same.
func (e *Editing) frame(n *tree.Node) error {
	for n != nil && n.Depth > 1 {
		n = n.Parent
	}
	if n == nil || n.Depth < 1 || n.Head == n.Start {
		return nil
	}
	added := int64(0)
	for i := range e.Splices {
		s := &e.Splices[i]
		if s.Offset < n.Head {
			return nil // the frame itself is inserted or removed
		}
		added += s.Added() - s.Length
	}
	length, err := e.Format.AppendFrameLength(nil, int64(e.Format.FrameLength(e.Window, n.Start))+added)
	if err == nil && added != 0 {
		e.Put(n.Start, 4, length)
	}
	return err
}

// frameOverruns reports whether the length of the frame n exceeds the bytes that
// exist: it would include bytes that are appended.
func (e *Editing) frameOverruns(n *tree.Node) bool {
	return n.Head > n.Start && n.Head+int64(e.Format.FrameLength(e.Window, n.Start)) > n.Parent.Limit
}
