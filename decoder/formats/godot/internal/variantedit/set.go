package variantedit

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Set implements edit.Editor. It keeps what the literal does not specify: the width of
// numbers, unusual flags, padding, and the bytes of all parts of a container that do not
// change. In a damaged value it replaces the bytes that could be read; the gap after them
// stays.
func (f Editor) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := Begin(ctx, f.Format, r, o)
	if n.Type == types.Stream {
		return e.setStream(n, c)
	}
	root, err := e.Subject(n)
	switch {
	case err != nil:
		return nil, err
	case root == nil:
		return e.setEmpty(n, c)
	}
	n = root
	if c.Copy != nil {
		if from := c.From.Tree.Reading; isWhole(n) && isWhole(c.Copy) && sameBytes(f.Format, from) {
			return e.setCopy(n, c, o)
		}
		text, err := copyText(ctx, c)
		if err != nil {
			return nil, err
		}
		c.Literal = text
	}
	if same, err := edit.IsWrittenAs(e.Ctx, e.Reader, &n.Value, strings.TrimSpace(c.Literal)); same || err != nil {
		return nil, err
	}
	return e.Done(n, e.setLiteral(n, &c, o))
}

// setLiteral puts a literal in the place of a value. Errors in it name places in what was typed.
func (e *Editing) setLiteral(n *tree.Node, c *edit.Content, o edit.Options) error {
	l, added, err := e.written(n, c, o.Infer && !o.Retype)
	switch {
	case err != nil:
	case isWhole(n):
		err = e.set(n, &l, o)
	default:
		err = e.setPart(n, &l)
	}
	if syntax := (*edit.SyntaxError)(nil); errors.As(err, &syntax) {
		syntax.At = max(0, syntax.At-added)
	}
	return err
}

// written parses what is to become the value of n. Where infers is set, what is written without a type gets that of n;
// added is how many bytes that adds to the text before it.
func (e *Editing) written(n *tree.Node, c *edit.Content, infers bool) (l literal.Literal, added int, err error) {
	text := c.Literal
	l, err = e.read(text, c.Copy == nil)
	switch parts := edit.PartsOf(text); {
	case err != nil && infers && n.Layout == tree.Fixed && parts != "":
		name := e.Format.TypeName(&n.Value)
		added = len(name) + 1 - strings.Index(text, parts[:1])
		l, err = e.read(name+"("+parts+")", true)
	case err == nil && infers && isWhole(n):
		return e.inferred(n, l, text)
	}
	return l, added, err
}

// inferred gives a list or dictionary that is written without a type the type of the value, if it can have
// that; it also returns how many bytes that adds to the text before it.
func (e *Editing) inferred(n *tree.Node, l literal.Literal, written string) (inferred literal.Literal, added int, err error) {
	was, is, text := string(e.Format.AppendType(nil, e.Window, &n.Value)), l.TypeText(), strings.TrimSpace(written)
	added = len(was) - strings.Index(written, text)
	switch {
	case strings.HasPrefix(was, is+"["):
		text = was + "(" + text + ")"
		added++
	case is == "Array" && types.Of(n.Type).IsPacked() && strings.HasPrefix(text, "["):
		if numbers := elements(l, types.Of(n.Type).Element()); numbers != nil {
			l.Kind, l.Parts = n.Type, &literal.Parts{Children: numbers}
			return l, 0, nil
		}
		text = was + "(" + text[1:len(text)-1] + ")"
	default:
		return l, 0, nil
	}
	if l, err = e.read(text, true); err != nil || l.TypeText() != was {
		l, err = e.read(written, true)
		return l, 0, err
	}
	return l, added, nil
}

// elements returns the numbers in a list of values of a type, as Vector2, nil where it
// holds any other, or a colour in hex digits.
func elements(l literal.Literal, of string) (numbers []literal.Literal) {
	for _, c := range l.Children {
		if types.Of(c.Kind).Name != of || c.Parts == nil || c.Text != nil {
			return nil
		}
		numbers = append(numbers, c.Children...)
	}
	return numbers
}

// SetBytes implements edit.ByteEditor.
func (f Editor) SetBytes(ctx context.Context, r *tree.Reader, n *tree.Node, b []byte) ([]source.Splice, error) {
	switch {
	case n.Type == types.String && n.Damage == nil && utf8.Valid(b):
		return f.Set(ctx, r, n, edit.Content{Literal: string(tree.AppendQuoted(nil, b))}, edit.Options{})
	case types.Of(n.Type).Shape != types.ShapeBytes || n.Damage != nil:
		return nil, errors.New("bytes can be put only into a whole text or array of bytes")
	}
	e := Begin(ctx, f.Format, r, edit.Options{})
	return e.Done(n, e.putElements(&n.Value, 0, n.Count, b))
}

// setStream changes the values of a stream to those of a list. What does not change in a frame keeps its
// bytes; frames are added or removed at the end.
func (e *Editing) setStream(base *tree.Node, c edit.Content) ([]source.Splice, error) {
	l, err := e.contentLiteral(c)
	if err != nil {
		return nil, err
	}
	if l.Kind != types.Array || l.Elem.Kind != types.KindNone {
		return nil, l.Errorf("a list of the values of the stream is expected, in [ ]")
	}
	if same, err := edit.IsWrittenAs(e.Ctx, e.Reader, &base.Value, strings.TrimSpace(e.Text)); same || err != nil {
		return nil, err
	}
	return e.Done(base, e.mergeChildren(base, &l))
}

// setEmpty puts a value into an empty buffer.
func (e *Editing) setEmpty(base *tree.Node, c edit.Content) ([]source.Splice, error) {
	bytes, err := e.content(&base.Value, tree.Slot{}, c)
	e.Replace(base.Body, base.Body, bytes)
	return e.Done(base, err)
}

// isWhole reports whether n is a value with a header rather than a part of one.
func isWhole(n *tree.Node) bool { return n.Type < types.Raw || n.Type == types.Unknown }

// set changes a value with a header to that of a literal.
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
		if err := e.checkFreeKey(n.Parent, n.Slot.Index, encode.KeyName(e.Format, e.Text, l, false)); err != nil {
			return err
		}
	}
	return e.merge(n, l)
}

// setPart changes a component, an element, a name or an entry of a packed string
// array.
func (e *Editing) setPart(n *tree.Node, l *literal.Literal) error {
	v := &n.Value
	switch v.Type {
	case types.Name, types.Part, types.Entry, types.Property:
		if l.Kind != types.String {
			return l.Errorf("a text in quotes is expected")
		}
		if v.Type == types.Name || v.Type == types.Property {
			if err := e.checkFreeKey(n.Parent, n.Slot.Index, encode.KeyName(e.Format, e.Text, l, false)); err != nil {
				return err
			}
		}
		if v.Type == types.Part || v.Type == types.Property {
			return e.mergePart(v, l.Text)
		}
		return e.mergeText(v, v.Start, l.Text)
	case types.Record, types.List, types.Properties, types.Reserved:
		return l.Errorf("%s cannot be set as a whole", e.Format.TypeName(v))
	case types.Element:
		if name := e.Format.TypeName(v); types.Of(l.Kind).Name != name {
			return l.Errorf("%s is expected here", name)
		}
		return e.mergeNumbers(v.Body, variant.ElementComp(v), v.Count, l)
	}
	if l.Kind != types.Int && l.Kind != types.Float {
		return l.Errorf("a number is expected here")
	}
	return e.mergeNumbers(v.Start, v.Type, 1, &literal.Literal{Parts: &literal.Parts{Children: []literal.Literal{*l}}})
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

// checkCopiedKey returns an error if a value is a key and its parent has the copied one already.
func (e *Editing) checkCopiedKey(n *tree.Node, c edit.Content) error {
	if !n.Slot.Key {
		return nil
	}
	key, err := Begin(e.Ctx, e.Format, c.From, edit.Options{}).keyOf(&c.Copy.Value, false)
	if err != nil {
		return err
	}
	return e.checkFreeKey(n.Parent, n.Slot.Index, key)
}

// setCopy replaces a whole value by the bytes of a copy.
func (e *Editing) setCopy(n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	w := e.Format.Constraint(&n.Parent.Value, n.Slot)
	is, was := string(e.Format.AppendType(nil, c.From.Window(), &c.Copy.Value)), string(e.Format.AppendType(nil, e.Window, &n.Value))
	if w.T == types.Float && !w.Any && c.Copy.Type == types.Int {
		text, err := copyText(e.Ctx, c)
		if err != nil {
			return nil, err
		}
		return Editor{e.Format}.Set(e.Ctx, e.Reader, n, edit.Content{Literal: text}, o)
	}
	areObjects := c.Copy.Type == types.Object && n.Type == types.Object
	switch {
	case !w.Allows(c.Copy.Type):
		return nil, e.mismatch(&n.Parent.Value, n.Slot, is)
	case is != was && n.Type != types.Unknown && w.Allows(n.Type) && !o.Retype && !areObjects:
		return nil, &edit.TypeError{Was: was, Is: is}
	}
	if err := e.checkCopiedKey(n, c); err != nil {
		return nil, err
	}
	bytes, err := e.copied(c)
	if err != nil {
		return nil, err
	}
	if n, err = e.Reader.Finish(n); err != nil {
		return nil, err
	}
	e.Replace(n.Head, n.Tail, bytes)
	return e.Done(n, nil)
}

// mismatch returns the error that parent does not accept a type.
func (e *Editing) mismatch(parent *tree.Value, slot tree.Slot, is string) error {
	container := string(e.Format.AppendType(nil, e.Window, parent))
	return errors.New(encode.MismatchMessage(container, e.Format.Constraint(parent, slot).Name, is))
}

// mismatchAt returns the error that v does not accept a part of a literal.
func (e *Editing) mismatchAt(v *tree.Value, slot tree.Slot, child *literal.Literal) error {
	return child.Errorf("%s", e.mismatch(v, slot, child.TypeText()))
}
