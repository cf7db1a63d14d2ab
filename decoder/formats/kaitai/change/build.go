package change

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/notation"
)

// A literal is a value as text: with members or items, or without.
type literal struct {
	text    string
	kind    notation.Kind // Pairs, List, or another one for what has no parts
	members map[string]*literal
	items   []literal
}

func parseLiteral(text string) (literal, error) {
	x := &notation.Lexer{Text: text}
	l := parseNext(x)
	x.End(notation.EndsBefore)
	return l, x.Err
}

func parseNext(x *notation.Lexer) (l literal) {
	c := x.Peek()
	start := x.At
	switch c {
	case '{':
		x.At++
		l.kind, l.members = notation.Pairs, map[string]*literal{}
		x.List('}', func() {
			name := ""
			if x.Peek() == '"' {
				name = string(x.Quoted())
			} else {
				name = x.Word()
			}
			x.Expect(':')
			m := parseNext(x)
			l.members[name] = &m
		})
	case '[':
		x.At++
		l.kind = notation.List
		x.List(']', func() { l.items = append(l.items, parseNext(x)) })
	case '"':
		x.Quoted()
	default:
		for x.At < len(x.Text) && !strings.ContainsRune(",]}", rune(x.Text[x.At])) {
			if x.At++; x.Text[x.At-1] == '(' {
				x.At += max(0, strings.IndexByte(x.Text[x.At:], ')'))
			}
		}
	}
	l.text = strings.TrimSpace(x.Text[start:x.At])
	return l
}

func (l *literal) member(name string) *literal {
	if l == nil {
		return nil
	}
	return l.members[name]
}

// A builder makes the bytes of a value from a literal. It reads zeros as the value and puts what the literal says in
// their place, one attribute after the other, so that what comes first decides how the rest is read.
type builder struct {
	place read.Place // where the value will be
	typ   *spec.TypeRef
	data  []byte
}

// zeros is the number of bytes that are read behind what is built.
const zeros = 1 << 16

// build returns the bytes of a value at a place. What the literal leaves out is zero or empty.
func build(p read.Place, t *spec.TypeRef, l *literal) ([]byte, error) {
	b := &builder{place: p, typ: t, data: make([]byte, zeros)}
	if err := b.value(nil, l); err != nil {
		return nil, err
	}
	c, err := b.at(nil)
	if err == nil && c.Bad != nil {
		err = c.Bad
	}
	if err != nil {
		return nil, err
	}
	if s, ok := c.Val.Ref.(*read.Struct); ok && l == nil && s.Owns && s.IO.Buf.Is(b.data) && follows(&c, s.End) {
		return b.data[:s.End], nil // what else is in the size that is there would be unknown bytes
	}
	return b.data[:c.End], nil
}

// at returns the value that steps lead to from the one that is built.
func (b *builder) at(steps []read.Place) (Value, error) {
	c, err := b.place.Reread(b.typ, b.data)
	v := Value{b.place, c}
	for _, s := range steps {
		of, ok := v.Val.Ref.(*read.Struct)
		if !ok || err != nil {
			return v, errors.Join(err, fmt.Errorf("%s cannot be made: another kind of value is there", s))
		}
		v.Place = read.Place{Of: of, Attr: s.Attr, Index: s.Index}
		v.Cell = v.Place.Cell()
	}
	return v, err
}

// value builds what steps lead to.
func (b *builder) value(steps []read.Place, l *literal) error {
	n, err := b.at(steps)
	switch {
	case err != nil:
		return err
	case l != nil && l.text == "null":
		l = nil
	}
	isWhole := len(steps) == 0 || n.Index >= 0 // not an attribute that may be repeated or absent
	switch {
	case n.State == read.Absent && l != nil:
		return fmt.Errorf("%s is absent here: its condition does not hold", n.Attr.ID)
	case n.State == read.Absent:
		return nil
	case !isWhole && n.Attr.Repeat != spec.Once:
		return b.list(steps, n, l)
	case n.Type.Kind == spec.User && n.Type.User != nil:
		return b.structure(steps, n, l)
	case n.Attr.IsContents:
		return b.put(span.Span{Offset: n.Start, Length: int64(len(n.Attr.Contents))}, n.Attr.Contents)
	case n.Attr.SizeEOS && n.Of.IO.End == int64(len(b.data)): // which has no end yet
		n.End, n.Tail = n.Start, n.Start
		b.data = b.data[:n.Start]
	}
	if l == nil {
		if v, ok := first(n.Attr); ok {
			return b.set(n, v)
		}
		return nil
	}
	v, err := parse(&n, l.text)
	if err != nil {
		return err
	}
	return b.set(n, v)
}

// set puts a value in place of zeros.
func (b *builder) set(n Value, v expr.Value) error {
	at, data, err := encode(n, v)
	if err != nil {
		return err
	}
	if n.Attr.Size != nil && int64(len(data)) != at.Length {
		if err := b.decide(n.Place, n.Attr.Size, int64(len(data))); err != nil {
			return err
		}
	}
	return b.put(at, data)
}

// decide sets what an expression depends on, which precedes the attribute.
func (b *builder) decide(p read.Place, n expr.Node, want int64) error {
	found, err := p.Solve(n, expr.Of(want), func(string) bool { return true })
	if err != nil {
		return fmt.Errorf("%s (%v): %w", p.Attr.ID, p.Attr.Place, err)
	}
	for _, d := range found {
		c := d.Cell()
		if c.Bad != nil || c.Buf == nil || !c.Buf.Is(b.data) {
			return fmt.Errorf("%s decides %s, and is not a part of the new value", d.Place, p)
		}
		if c.Type.Bits() < 0 {
			return fmt.Errorf("%s is missing: it decides %s", d.Place, p)
		}
		at, data, err := encode(Value{d.Place, c}, d.Want)
		if err != nil {
			return err
		}
		if err := b.put(at, data); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) put(at span.Span, data []byte) error {
	if at.End() > int64(len(b.data)) {
		return errors.New("the value is too large to be made")
	}
	b.data = slices.Concat(b.data[:at.Offset], data, b.data[at.End():])
	return nil
}

func (b *builder) structure(steps []read.Place, n Value, l *literal) error {
	if l != nil && l.kind != notation.Pairs {
		return fmt.Errorf("%s is expected here, such as { name: value }", n.Type)
	}
	t := n.Type.User
	for name := range l.all() {
		if t.Find(name) == nil {
			return fmt.Errorf("%s has no %s", t.Name, name)
		}
	}
	for _, a := range t.Seq {
		if err := b.value(append(slices.Clip(steps), read.Place{Attr: a, Index: -1}), l.member(a.ID)); err != nil {
			return err
		}
	}
	return nil
}

func (l *literal) all() map[string]*literal {
	if l == nil {
		return nil
	}
	return l.members
}

func (b *builder) list(steps []read.Place, n Value, l *literal) error {
	if l != nil && l.kind != notation.List {
		return fmt.Errorf("a list is expected for %s", n.Attr.ID)
	}
	want := int64(0)
	if l != nil {
		want = int64(len(l.items))
	}
	a := n.Attr
	switch a.Repeat {
	case spec.Times:
		is, err := n.Eval(a.RepeatExpr, n.Start)
		if err != nil {
			return err
		}
		if has, err := is.Int64(); err != nil || has != want {
			if l == nil {
				return fmt.Errorf("%s is missing, which has %s elements", a.ID, is.Digits())
			}
			if err := b.decide(n.Place, a.RepeatExpr, want); err != nil {
				return err
			}
		}
	case spec.Until:
		if l == nil {
			return fmt.Errorf("%s is missing: nothing else says what ends it", a.ID)
		}
	default:
		return fmt.Errorf("%s cannot be made: nothing says how many there are", a.ID)
	}
	for i := range want {
		s := slices.Clone(steps)
		s[len(s)-1].Index = i
		if err := b.value(s, &l.items[i]); err != nil {
			return err
		}
	}
	return nil
}

// Set gives a value what a literal says.
func (f *File) Set(n Value, text string) error {
	isWhole := n.Type.Kind == spec.User && n.Type.User != nil
	a, isList := n.Val.Ref.(*read.Array)
	if !isWhole && !isList {
		v, err := parse(&n, text)
		if err != nil {
			return err
		}
		return f.Put(n, v)
	}
	l, err := parseLiteral(text)
	if err != nil {
		return err
	}
	e := &replacement{at: n.Place, buf: n.Buf, span: span.Between(n.Start, n.End), isWhole: true}
	if !isList {
		if n.Attr.IsSized() {
			return errors.New("only the values inside it can be set")
		}
		e.new, err = build(n.Place, n.Type, &l)
	} else if e.grows = int64(len(l.items)) - a.Len(); l.kind != notation.List {
		err = errors.New("a list is expected here")
	} else {
		e.new, err = f.items(n, l.items)
	}
	if err != nil {
		return err
	}
	if bytes.Equal(e.new, n.Buf.Append(nil, n.Start, n.End)) {
		return f.given(n.Place, &l)
	}
	if err = f.settle(e); err != nil {
		return err
	}
	return f.given(n.Place, &l)
}

// items builds the elements of a list.
func (f *File) items(n Value, items []literal) (all []byte, err error) {
	for i := range items {
		b, err := f.element(n.Place, int64(i), &items[i])
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		all = append(all, b...)
	}
	return all, nil
}

func (f *File) element(list read.Place, i int64, l *literal) ([]byte, error) {
	list.Index = i
	t := &list.Attr.Type
	if list.Attr.Switch != nil || list.Attr.Type.Kind == spec.Bits {
		return nil, errors.New("nothing says what type a new element has; one that is there can be duplicated")
	}
	return build(list, t, l)
}

// Insert inserts an element that a literal describes into a list.
func (f *File) Insert(list Value, at int64, text string) error {
	if _, ok := list.Val.Ref.(*read.Array); !ok {
		return errors.New("only elements of a list can be inserted, deleted and moved")
	}
	l, err := parseLiteral(text)
	if err != nil {
		return err
	}
	b, err := f.element(list.Place, at, &l)
	if err != nil {
		return err
	}
	if err = f.insert(list.Place, at, b, nil); err != nil {
		return err
	}
	if err = f.giveApart(list.Place.Steps(), at, &l); err != nil {
		return err
	}
	list.Place.Index = at
	return f.given(list.Place, &l)
}
