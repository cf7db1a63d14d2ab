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
		e.setStream(n, c)
		return e.Done(n)
	}
	root := e.Subject(n)
	if root == nil && e.Err == nil { // the buffer is empty
		e.Replace(n.Body, n.Body, e.content(&n.Value, tree.Slot{}, c))
		return e.Done(n)
	}
	if e.Err == nil {
		e.setRoot(root, &c, o)
	}
	return e.Done(root)
}

// setRoot gives a value content.
func (e *Editing) setRoot(n *tree.Node, c *edit.Content, o edit.Options) {
	if c.Copy != nil && isWhole(n) && isWhole(c.Copy) && sameBytes(e.Format, c.From.Tree.Reading) {
		e.setCopy(n, c, o)
		return
	}
	if c.Literal = e.Literal(c); !e.IsWrittenAs(n, c.Literal) && e.Err == nil {
		e.setLiteral(n, c, o)
	}
}

// setLiteral puts a literal in the place of a value. Errors in it name places in what was typed.
func (e *Editing) setLiteral(n *tree.Node, c *edit.Content, o edit.Options) {
	l, added, err := e.written(n, c, o.Infer && !o.Retype)
	switch {
	case !e.Keep(err):
	case isWhole(n):
		e.set(n, &l, o)
	default:
		e.setPart(n, &l)
	}
	if syntax := (*edit.SyntaxError)(nil); errors.As(e.Err, &syntax) {
		syntax.At = max(0, syntax.At-added)
	}
}

// written parses what is to become the value of n. Where infers is set, what is written without a type gets that of n;
// added is how many bytes that adds to the text before it.
func (e *Editing) written(n *tree.Node, c *edit.Content, infers bool) (l literal.Literal, added int, err error) {
	text := c.Literal
	l, err = e.parse(text, c.Copy == nil)
	switch parts := edit.PartsOf(text); {
	case err != nil && infers && n.Layout == tree.Fixed && parts != "":
		name := e.Format.TypeName(&n.Value)
		added = len(name) + 1 - strings.Index(text, parts[:1])
		l, err = e.parse(name+"("+parts+")", true)
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
	if l, err = e.parse(text, true); err != nil || l.TypeText() != was {
		l, err = e.parse(written, true)
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
	e.putElements(&n.Value, 0, n.Count, b)
	return e.Done(n)
}

// setStream changes the values of a stream to those of a list. What does not change in a frame keeps its
// bytes; frames are added or removed at the end.
func (e *Editing) setStream(base *tree.Node, c edit.Content) {
	l := e.literal(c)
	if l.Kind != types.Array || l.Elem.Kind != types.KindNone {
		e.Keep(l.Errorf("a list of the values of the stream is expected, in [ ]"))
	} else if !e.IsWrittenAs(base, e.Text) && e.Err == nil {
		e.mergeChildren(base, &l)
	}
}

// isWhole reports whether n is a value with a header rather than a part of one.
func isWhole(n *tree.Node) bool { return n.Type < types.Raw || n.Type == types.Unknown }

// set changes a value with a header to that of a literal.
func (e *Editing) set(n *tree.Node, l *literal.Literal, o edit.Options) {
	w := e.Format.Constraint(&n.Parent.Value, n.Slot)
	fitting, fits := encode.Fit(*l, w)
	if !fits {
		e.Keep(e.mismatch(&n.Parent.Value, n.Slot, l.TypeText()))
		return
	}
	if l = &fitting; w.Any && n.Type == types.Float && l.Kind == types.Int && !o.Retype {
		l.Kind = types.Float
	}
	repairs := n.Type == types.Unknown || !w.Allows(n.Type) || w.T == types.Object && !w.Any
	if was := string(e.Format.AppendType(nil, e.Window, &n.Value)); !repairs && !e.sameType(&n.Value, l) && !o.Retype {
		e.Keep(&edit.TypeError{Was: was, Is: l.TypeText()})
		return
	}
	if n.Slot.Key {
		e.takeKey(n.Parent, n.Slot.Index, encode.KeyName(e.Format, e.Text, l, false))
	}
	if e.Err == nil {
		e.merge(n, l)
	}
}

// setPart changes a component, an element, a name or an entry of a packed string
// array.
func (e *Editing) setPart(n *tree.Node, l *literal.Literal) {
	v := &n.Value
	switch v.Type {
	case types.Name, types.Part, types.Entry, types.Property:
		e.setName(n, l)
		return
	case types.Record, types.List, types.Properties, types.Reserved:
		e.Keep(l.Errorf("%s cannot be set as a whole", e.Format.TypeName(v)))
		return
	case types.Element:
		if name := e.Format.TypeName(v); types.Of(l.Kind).Name != name {
			e.Keep(l.Errorf("%s is expected here", name))
			return
		}
		e.mergeNumbers(v.Body, variant.ElementComp(v), v.Count, l)
		return
	}
	if l.Kind != types.Int && l.Kind != types.Float {
		e.Keep(l.Errorf("a number is expected here"))
		return
	}
	e.mergeNumbers(v.Start, v.Type, 1, &literal.Literal{Parts: &literal.Parts{Children: []literal.Literal{*l}}})
}

// setName changes a name or an entry of a packed string array.
func (e *Editing) setName(n *tree.Node, l *literal.Literal) {
	v := &n.Value
	if l.Kind != types.String {
		e.Keep(l.Errorf(wantsText))
		return
	}
	if v.Type == types.Name || v.Type == types.Property {
		e.takeKey(n.Parent, n.Slot.Index, encode.KeyName(e.Format, e.Text, l, false))
	}
	if v.Type == types.Part || v.Type == types.Property {
		e.mergePart(v, l.Text)
	} else {
		e.mergeText(v, v.Start, l.Text)
	}
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

// setCopy replaces a whole value by the bytes of a copy.
func (e *Editing) setCopy(n *tree.Node, c *edit.Content, o edit.Options) {
	w := e.Format.Constraint(&n.Parent.Value, n.Slot)
	is, was := string(e.Format.AppendType(nil, c.From.Window(), &c.Copy.Value)), string(e.Format.AppendType(nil, e.Window, &n.Value))
	areObjects := c.Copy.Type == types.Object && n.Type == types.Object
	switch {
	case w.T == types.Float && !w.Any && c.Copy.Type == types.Int:
		e.setRoot(n, &edit.Content{Literal: e.Literal(c)}, o)
		return
	case !w.Allows(c.Copy.Type):
		e.Keep(e.mismatch(&n.Parent.Value, n.Slot, is))
	case is != was && n.Type != types.Unknown && w.Allows(n.Type) && !o.Retype && !areObjects:
		e.Keep(&edit.TypeError{Was: was, Is: is})
	case n.Slot.Key:
		e.takeKey(n.Parent, n.Slot.Index, e.keyOf(c.From, &c.Copy.Value, false))
	}
	if bytes := e.copied(*c); e.Err == nil {
		n = e.Finish(n)
		e.Replace(n.Head, n.Tail, bytes)
	}
}
