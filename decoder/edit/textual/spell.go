package textual

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// copied returns the text of a copy from a text of the same grammar, or else its literal.
func (e *editing) copied(c edit.Content) (text, literal string) {
	n, err := c.Copied()
	if !e.Keep(err) {
		return "", ""
	}
	other, ok := c.From.Tree.Reading.(texter)
	if ok && other.text().Grammar == e.Grammar && e.at.in == nil && n.Layout < tree.Sequence && n.Flags&(Unclosed|Bare) == 0 {
		return string(c.From.Window().All(span.Between(n.Head, n.Tail))), ""
	}
	c.Copy = n
	return "", e.Literal(&c)
}

// content returns the text of content in a container. old is the value that it replaces; nil if it is new.
func (e *editing) content(c edit.Content, old, in *tree.Node) (text string) {
	if c.Copy != nil {
		if text, c.Literal = e.copied(c); text != "" {
			return text
		}
	}
	if e.Err != nil {
		return ""
	}
	if e.Spell != nil && old != nil && old.Flags&Quoted != 0 && old.Tail-old.Head <= maxSpelled {
		if text, ok := e.Spell(c.Literal, string(e.Window.All(span.Between(old.Head, old.Tail)))); ok {
			c.Literal = text
		}
	}
	v, err := e.parse(c.Literal)
	switch {
	case !e.Keep(err):
		return ""
	case isList(in):
		text, err = e.SpellElement(&v)
		e.Keep(err)
		return text
	}
	var l Layout
	if kind, is := containers[v.Kind]; is && in != nil {
		l = e.childLayout(in, kind)
	}
	return string(e.value(nil, &v, c.Literal, old, l))
}

// maxSpelled is the length in bytes of the longest text that may stand for a value of another type.
const maxSpelled = 1024

var containers = map[notation.Kind]tree.Layout{notation.List: tree.Sequence, notation.Pairs: tree.Pairs}

// value appends the text of a literal in the place of an old value, nil for a new one.
func (e *editing) value(dst []byte, v *notation.Value, literal string, old *tree.Node, l Layout) []byte {
	if kind, is := containers[v.Kind]; is && !isPacked(e.at.in) && e.Line == nil {
		return e.container(dst, v, literal, kind, old, l)
	}
	d, err := datumOf(v)
	if d.Own == nil && !e.Keep(err) {
		return dst
	}
	d.In, d.Key, d.Like = e.at.in, e.at.key, e.beside
	var was []byte
	if old != nil {
		d.Was = &old.Value
		if old.Layout < tree.Sequence {
			was = bytes.Clone(e.Window.View(old.Head, old.End-old.Head))
		}
	}
	if b := e.Encode(d, was); b != nil {
		return append(dst, b...)
	}
	e.Keep(cmp.Or(err, v.NotIn(e.Dialect.Title, d.Key)))
	return dst
}

// datumOf returns what a literal means. A number that exceeds all types is an error, but text has it: its spelling is in Own.
func datumOf(v *notation.Value) (d Datum, err error) {
	switch v.Kind {
	case notation.Call:
		d.Own = v.Text
	case notation.Text:
		d.Kind, d.Data = tree.Text, v.Text
	case notation.Word:
		d.Scalar, err = v.Scalar()
	case notation.Number:
		if d.Scalar, err = v.Scalar(); err != nil {
			if !isDecimal(v.Text) {
				return d, err
			}
			d.Kind = tree.Float64
		}
		d.Own = v.Text
	}
	return d, err
}

// Write returns a value as it is written where no others are around it.
func (f *Format) Write(v *notation.Value) (string, error) {
	e := &editing{Reading: &Reading{Format: f}, Editing: edit.Editing{Ctx: context.Background()}}
	return string(e.value(nil, v, "", nil, compact)), e.Err
}

// isDecimal reports whether a number has decimal digits only, a point and an exponent.
func isDecimal(text []byte) bool { return len(bytes.Trim(text, "0123456789.+-eE")) == 0 }

// childrenOf returns the children of an old value and their layout, or else the one that new children have: l, or that of the grammar.
func (e *editing) childrenOf(old *tree.Node, kind tree.Layout, l Layout) (map[string]*tree.Node, Layout) {
	switch {
	case old != nil && old.Layout == kind && old.Count != 0:
		before, err := edit.Children(e.Ctx, e.Reader, old, notation.MaxText)
		e.Keep(err)
		return before, e.layoutOf(old)
	case old == nil && e.at.in == nil && e.Fresh != nil:
		return nil, e.Fresh(kind)
	}
	return nil, l
}

// container appends the text of a list or of pairs. What is in the old value too stays as it is there.
func (e *editing) container(dst []byte, v *notation.Value, literal string, kind tree.Layout, old *tree.Node, l Layout) []byte {
	before, l := e.childrenOf(old, kind, l)
	e.at = place{}
	open, closing := e.brackets(v, kind, old)
	dst = append(dst, open...)
	used := map[string]bool{}
	for n, items := 0, v.Items; len(items) > 0 && e.Err == nil; n++ {
		if n == 0 {
			dst = append(dst, l.First...)
		} else {
			dst = append(dst, l.Comma...)
		}
		name := strconv.Itoa(n)
		if kind == tree.Pairs {
			key := e.value(nil, &items[0], literal, nil, l)
			name = e.nameOf(key, name, used, &items[0])
			items = items[1:]
			if was := before[name]; was != nil {
				dst = append(dst, e.between(e.Reader.Key(was).Head, was.Head)...)
			} else {
				dst = append(append(dst, key...), l.Colon...)
			}
		}
		dst = e.child(dst, &items[0], literal, before[name], l)
		items = items[1:]
	}
	if len(v.Items) > 0 {
		dst = append(dst, l.Last...)
	} else {
		dst = append(dst, l.Empty...)
	}
	return append(dst, closing...)
}

// brackets returns those of a list or of pairs, with the call around them.
func (e *editing) brackets(v *notation.Value, kind tree.Layout, old *tree.Node) (open, closing string) {
	open, closing = "[", "]"
	if kind == tree.Pairs {
		open, closing = "{", "}"
	}
	if v.Name != "" {
		return v.Name + "(" + open, closing + ")"
	}
	if old != nil && old.Layout == kind && old.Flags&inCall != 0 && !e.retype {
		return e.between(old.Head, old.Body), closing + ")"
	}
	return open, closing
}

// nameOf returns what tells a key of pairs from others, and notes that it is used: its literal, or the number of a pair from another
// file, which may repeat its keys.
func (e *editing) nameOf(key []byte, number string, used map[string]bool, v *notation.Value) (name string) {
	if e.Err != nil {
		return number
	}
	if name = number; e.Reader != nil {
		name = e.literal(string(key))
	}
	switch {
	case key[0] != '"' && !e.AnyKey:
		e.Keep(v.Errorf("a key is a text in quotes"))
	case e.Reader != nil && used[name]:
		e.Keep(v.Errorf("the key %s is repeated", name))
	}
	used[name] = true
	return name
}

// child appends the text of a child, which stays that of the old one if that means the same.
func (e *editing) child(dst []byte, v *notation.Value, literal string, old *tree.Node, l Layout) []byte {
	if old != nil && e.Err == nil {
		same, err := edit.IsWrittenAs(e.Ctx, e.Reader, &old.Value, literal[v.At:v.End])
		if e.Keep(err); same {
			return append(dst, e.Window.All(span.Between(old.Head, old.End))...)
		}
	}
	return e.value(dst, v, literal, old, l.within())
}

// typeOf returns the name of the type of a text in a container; "" if it has none of its own.
func (e *editing) typeOf(text string, in *tree.Node) string {
	switch {
	case isList(in):
		list, _ := e.Elements([]byte("["+text+", ]"), 0)
		return e.TypeName(&tree.Value{Type: list.Items[0].Type})
	case in != nil && isPacked(&in.Value):
		return ""
	}
	if is, ok := e.typeOfToken(text); ok {
		return is
	}
	src, region := source.Bytes(text), span.Between(0, int64(len(text)))
	r := e.reading(src, region)
	root, w, v := r.Root(region.Length, region), source.NewWindow(src), tree.Value{}
	if marker, ok := r.(tree.Marker); ok && root.Marked && !marker.HasChild(w, &root, tree.Slot{}, root.Body) {
		return ""
	}
	if r.Read(w, &root, tree.Slot{}, root.Body, &v); v.Damage != nil {
		return ""
	}
	return r.TypeName(&v)
}

// typeOfToken is typeOf for a text that is one token, as most are.
func (e *editing) typeOfToken(text string) (name string, ok bool) {
	r := e.Reading
	if e.Value != nil {
		if r = e.alone.Load(); r == nil {
			one, is := e.Value(source.Bytes(nil), span.Span{}).(texter)
			if !is {
				return "", false
			}
			r = one.text()
			e.alone.Store(r)
		}
	}
	if text == "" || isUnused[text[0]] || r.Line != nil {
		return "", false
	}
	root := r.Root(0, span.Span{})
	t := r.Lex([]byte(text), tree.Slot{}, &root)
	ok = t.Len == len(text) && t.Layout == tree.Leaf && !t.Quoted && !t.Around && !t.Lacks && t.Bad == "" && t.Parts == 0
	return r.TypeName(&tree.Value{Type: t.Type, Inner: t.Role, Rows: t.Kind}), ok
}

// isPacked reports whether what is in a value has no type of its own: numbers and texts in parentheses.
func isPacked(in *tree.Value) bool {
	return in != nil && (in.Layout == tree.Fixed || in.Layout == tree.Sequence && in.Sub == ')')
}

// samples are literals of new values, one of which has the type that is asked for.
func (d Editor) samples() []string {
	if d.Samples != nil {
		return d.Samples()
	}
	return notation.Samples
}

// isOf reports whether a literal has the named type in the place of a value.
func (e *editing) isOf(text, name string, old *tree.Node) bool {
	in := old.Parent
	if !isList(in) {
		in = nil
	}
	e.Err = nil
	b := e.content(edit.Content{Literal: text}, nil, in)
	return e.Err == nil && e.typeOf(b, in) == name
}

// Types implements edit.Editor.
func (d Editor) Types(r *tree.Reader, n *tree.Node) (names []string) {
	e := d.begin(context.Background(), r, edit.Options{})
	for _, name := range d.Dialect.Types {
		if n.Parent != nil && slices.ContainsFunc(d.samples(), func(s string) bool { return e.isOf(s, name, n) }) {
			names = append(names, name)
		}
	}
	return names
}

// Retyped implements edit.Editor. It converts numbers, bools and texts to one another.
func (d Editor) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	e := d.begin(ctx, r, edit.Options{})
	text, ok, err := notation.Retype(ctx, r, &n.Value, d.samples(), func(s string) bool { return e.isOf(s, name, n) })
	if err == nil && !ok {
		err = fmt.Errorf("%s has no type %s", d.Dialect.Title, name)
	}
	return text, err
}
