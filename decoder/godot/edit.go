package godot

import (
	"context"
	"errors"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var _ edit.Editor = (*Format)(nil)

// An editing collects the splices of one edit.
type editing struct {
	encoder // of the literal that is put somewhere
	ctx     context.Context
	r       *tree.Reader
	w       *source.Window
	splices []source.Splice
	steps   int
	behind  bool // a scanner has met damage that takes all bytes up to the limit
}

func (f *Format) newEditing(ctx context.Context, r *tree.Reader) *editing {
	return &editing{encoder: encoder{f: f}, ctx: ctx, r: r, w: r.Window()}
}

// read parses the literal that is put somewhere.
func (e *editing) read(text string) (literal, error) {
	e.text = text
	return parse(e.f.Dialect, text)
}

// put puts b in place of n bytes at off.
func (e *editing) put(off, n int64, b []byte) {
	if n > 0 || len(b) > 0 {
		e.splices = append(e.splices, source.Put(off, n, b))
	}
}

// cut takes the bytes [from, to) away.
func (e *editing) cut(from, to int64) { e.put(from, to-from, nil) }

// putU32 puts a number in place of the one at off, if it is another.
func (e *editing) putU32(off int64, n uint32) {
	if n != e.w.U32(off) {
		e.put(off, 4, appendComponent(nil, tInt32, uint64(n)))
	}
}

// fresh gives the bytes of a literal.
func (e *editing) fresh(l *literal) ([]byte, error) {
	e.out = nil
	err := e.value(l)
	return e.out, err
}

// done gives the splices of an edit in n, with the lengths of the frame around it.
func (e *editing) done(n *tree.Node) ([]source.Splice, error) {
	source.Sort(e.splices)
	if err := e.frame(n); err != nil {
		return nil, err
	}
	source.Sort(e.splices)
	if err := e.w.Err(); err != nil {
		return nil, err
	}
	return e.splices, e.ctx.Err()
}

// Set implements edit.Editor. What the literal does not say stays: the width of
// numbers, unusual flags, padding, and the bytes of all parts of a container that
// are as before. A value that could not be read to its end is replaced up to
// where it was understood; the bytes of its gap stay behind it.
func (f *Format) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := f.newEditing(ctx, r)
	if n.Parent == nil {
		root, err := e.root(n)
		if err != nil || root == nil {
			return e.setEmpty(n, c, err)
		}
		n = root
	}
	if c.Copy != nil {
		if from := c.From.Tree.Reading; isWhole(n) && isWhole(c.Copy) && f.sameBytes(from) {
			return e.setCopy(n, c, o)
		}
		text, err := copyText(ctx, c)
		if err != nil {
			return nil, err
		}
		c.Literal = text
	}
	if same, err := e.sameText(&n.Value, strings.TrimSpace(c.Literal)); same || err != nil {
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
	return e.done(n)
}

// root is the bare value of a buffer, nil where it has no bytes.
func (e *editing) root(base *tree.Node) (*tree.Node, error) {
	if base.Type == tStream {
		return nil, errors.New("a stream is not set as a whole; set its values one by one")
	}
	n, err := e.r.Child(base, 0)
	if errors.Is(err, tree.ErrNoChild) {
		return nil, nil
	}
	return n, err
}

// setEmpty puts a value into a buffer that has no bytes.
func (e *editing) setEmpty(base *tree.Node, c edit.Content, err error) ([]source.Splice, error) {
	if err != nil {
		return nil, err
	}
	bytes, err := e.content(&base.Value, tree.Slot{}, c)
	if err != nil {
		return nil, err
	}
	e.splices = append(e.splices, source.Splice{Span: span.Between(base.Body, base.Body), New: bytes})
	return e.done(base)
}

// isWhole reports whether n is a value with a header, not a part of one.
func isWhole(n *tree.Node) bool { return n.Type < tRaw || n.Type == tUnknown }

// set gives a whole value the value of a literal.
func (e *editing) set(n *tree.Node, l *literal, o edit.Options) error {
	w := e.f.wants(&n.Parent.Value, n.Slot)
	fitting, fits := fit(*l, w)
	if !fits {
		return e.refused(&n.Parent.Value, n.Slot, l.typeText())
	}
	if l = &fitting; w.any && n.Type == tFloat && l.kind == tInt && !o.Retype {
		l.kind = tFloat
	}
	repairs := n.Type == tUnknown || !w.takes(n.Type) || w.t == tObject && !w.any
	if was := string(e.f.AppendType(nil, e.w, &n.Value)); !repairs && !e.sameType(&n.Value, l) && !o.Retype {
		return &edit.TypeError{Was: was, Is: l.typeText()}
	}
	if n.Slot.Key {
		if err := e.freeKey(n.Parent, n.Slot.Index, e.literalKey(l)); err != nil {
			return err
		}
	}
	return e.merge(n, l)
}

// merge puts a literal in place of n, and keeps of it what stays the same.
func (e *editing) merge(n *tree.Node, l *literal) error {
	if !e.merges(&n.Value, l) {
		n, err := e.r.Finish(n)
		if err != nil {
			return err
		}
		return e.replace(&n.Value, l)
	}
	if n.Layout < tree.Sequence {
		return e.mergeAtom(&n.Value, l)
	}
	return e.mergeChildren(e.r.Scan(n), &n.Value, l)
}

// replace puts a literal in place of v, whose end is known. Flags that mean
// nothing stay if the type does.
func (e *editing) replace(v *tree.Value, l *literal) error {
	b, err := e.fresh(l)
	if err != nil {
		return err
	}
	if v.Type == l.kind && v.Tail >= v.Head+4 && typeOf(v.Type).shape == shapeObject {
		header := e.w.U32(v.Head)
		b[1], b[3] = byte(header>>8), byte(header>>24)
		b[2] = b[2]&flagWide | byte(header>>16)&^flagWide
	}
	e.put(v.Head, v.Tail-v.Head, b)
	return nil
}

// sameType reports whether a literal has the type of v, and if that is a typed
// container, holds the same.
func (e *editing) sameType(v *tree.Value, l *literal) bool {
	if v.Type != l.kind || l.kind == tDamage {
		return false
	}
	if l.parts == nil || v.Damage != nil && v.Layout == tree.Leaf {
		return true
	}
	elem, value := e.f.containerTypes(e.w, v)
	return elem == l.elem && value == l.value
}

// setPart gives a component, an element, a name or a string of a packed array
// the value of a literal.
func (e *editing) setPart(n *tree.Node, l *literal) error {
	v := &n.Value
	switch v.Type {
	case tName, tPart, tEntry:
		if l.kind != tString {
			return fail(int(l.at), "a text in quotes is expected")
		}
		if v.Type == tName {
			if err := e.freeKey(n.Parent, n.Slot.Index, textKey(tName, l.text)); err != nil {
				return err
			}
		}
		return e.mergeText(v, v.Start, l.text)
	case tElement:
		if name := e.f.TypeName(v); typeOf(l.kind).name != name {
			return fail(int(l.at), "%s is expected here", name)
		}
		return e.mergeNumbers(v.Body, elementComp(v), v.Count, l)
	}
	if l.kind != tInt && l.kind != tFloat {
		return fail(int(l.at), "a number is expected here")
	}
	return e.mergeNumbers(v.Start, v.Type, 1, &literal{parts: &parts{kids: []literal{*l}}})
}
