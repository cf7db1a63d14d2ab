package change

import (
	"cmp"
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
	place read.Place    // where the value will be
	typ   *spec.TypeRef // nil for the one that a switch chooses
	from  int64         // where it begins in the data
	data  []byte

	isInside bool   // only what is in the bytes of the value is built
	whole    []byte // all of the value, if its size is not a part of it
}

// zeros is the number of bytes that are read behind what is built.
const zeros = 1 << 16

// aligned is the number of bytes after which all is aligned as it was.
const aligned = 1 << 16

// build returns the bytes of a value at a place, at an offset of its stream. What the literal leaves out is zero or empty.
func build(p read.Place, t *spec.TypeRef, l *literal, at int64) ([]byte, error) {
	at %= aligned
	b := &builder{place: p, typ: t, from: at, data: make([]byte, at+zeros)}
	if t != nil && t.User != nil && p.Index >= 0 && isOfElement(p.Attr.Size) {
		b.isInside, b.from, b.data = true, 0, b.data[at:]
	}
	made, err := b.build(l)
	if err == nil && b.isInside && p.Attr.Process != nil {
		return p.Pack(made, nil)
	}
	return made, err
}

// made returns the bytes of a value in place of one that is at an offset of its stream.
func made(n Value, l *literal, at int64) ([]byte, error) {
	if n.Attr.IsSized() {
		return buildInside(&n, l)
	}
	return build(n.Place, n.Type, l, at)
}

// buildInside returns the bytes of what is inside a value that has its own bytes.
func buildInside(n *Value, l *literal) ([]byte, error) {
	b := &builder{place: n.Place, typ: n.Type, isInside: true, data: make([]byte, zeros)}
	inside, err := b.build(l)
	if err != nil {
		return nil, err
	}
	return fill(n, inside)
}

func (b *builder) build(l *literal) ([]byte, error) {
	if err := b.value(nil, l); err != nil {
		return nil, err
	}
	if b.whole != nil {
		return b.whole, nil
	}
	c, err := b.at(nil)
	if err == nil && c.Bad != nil {
		err = c.Bad
	}
	if err != nil {
		return nil, err
	}
	if s, ok := c.Val.Ref.(*read.Struct); ok && l == nil && s.Owns && s.IO.Buf.Is(b.data) && follows(&c, s.End-c.Start) {
		c.End = s.End // what else is in the size that is there would be unknown bytes
	}
	return b.data[b.from:c.End], nil
}

// at returns the value that steps lead to from the one that is built.
func (b *builder) at(steps []read.Place) (Value, error) {
	c, err := b.place.Reread(b.typ, b.data, b.from, b.isInside)
	v := Value{b.place, c}
	for _, s := range steps {
		of, ok := v.Val.Ref.(*read.Struct)
		if !ok {
			return v, errors.Join(err, fmt.Errorf("%s cannot be made: another kind of value is there", s))
		}
		v.Place = read.Place{Of: of, Attr: s.Attr, Index: s.Index}
		v.Cell = v.Place.Cell()
		err = nil // what is behind it may not be there yet
	}
	return v, err
}

// begun returns the value that steps lead to, with the size and the terminator that it needs before anything is put there.
func (b *builder) begun(steps []read.Place) (Value, error) {
	n, err := b.at(steps)
	if isUnsized(&n) && b.decide(n.Place, n.Attr.Size, 0) == nil {
		n, err = b.at(steps)
	}
	isMissing, bad := b.terminate(&n)
	switch {
	case !isMissing || len(steps) == 0 || err != nil:
	case bad != nil:
		return n, bad
	default:
		n, err = b.at(steps)
	}
	if n.Val.Ref != nil {
		err = nil
	}
	return n, err
}

// value builds what steps lead to.
func (b *builder) value(steps []read.Place, l *literal) error {
	n, err := b.begun(steps)
	if err != nil {
		return err
	}
	if l != nil && l.text == "null" {
		l = nil
	}
	isWhole := len(steps) == 0 || n.Index >= 0 // not an attribute that may be repeated or absent
	switch {
	case n.State == read.Absent && l != nil:
		return b.appear(steps, n, l)
	case n.State == read.Absent:
		return nil
	case !isWhole && n.Attr.Repeat != spec.Once:
		return b.list(steps, n, l)
	case n.Type.Kind == spec.User && n.Type.User != nil && n.Attr.IsSized() && len(steps) > 0:
		return b.sized(n, l)
	case n.Type.Kind == spec.User && n.Type.User != nil:
		return b.structure(steps, n, l)
	case n.Attr.IsContents:
		return b.put(span.Span{Offset: n.Start, Length: int64(len(n.Attr.Contents))}, n.Attr.Contents)
	}
	return b.leaf(n, l)
}

// appear builds a value that is absent, if what decides its size lets it be there.
func (b *builder) appear(steps []read.Place, n Value, l *literal) error {
	absent := fmt.Errorf("%s is absent here: its condition does not hold", n.Attr.ID)
	if n.Attr.Size == nil || n.Attr.Switch != nil || n.Attr.Type.Kind == spec.User {
		return absent
	}
	n.Type = &n.Attr.Type
	v, err := parse(&n, l.text)
	if err != nil {
		return err
	}
	if _, data, err := encode(n, v); err != nil || b.decide(n.Place, n.Attr.Size, int64(len(data))) != nil {
		return absent
	}
	if n, err = b.at(steps); err != nil || n.State == read.Absent {
		return absent
	}
	return b.value(steps, l)
}

// leaf builds a value without members.
func (b *builder) leaf(n Value, l *literal) error {
	b.cut(&n)
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

// isUnsized reports whether the size of a value would be none: "size - 3", or digits of which there are none yet.
func isUnsized(n *Value) bool {
	if n.Attr == nil || n.Attr.Size == nil || n.State == read.Absent {
		return false
	}
	v, err := n.Eval(n.Attr.Size, n.Start)
	size, bad := v.Int64()
	return err != nil || bad != nil || size < 0
}

// sized builds a struct that has its own bytes.
func (b *builder) sized(n Value, l *literal) error {
	if l == nil && n.Attr.Process == nil {
		return nil // the size that is there says what can be made
	}
	b.cut(&n)
	data, err := buildInside(&n, l)
	if err != nil {
		return err
	}
	if n.Attr.Size != nil && n.Attr.Process == nil { // zeros fill up what has no such size
		data = append(data, make([]byte, filler(&n, len(data)))...)
	}
	return b.replace(n, span.Between(n.Start, n.End), data)
}

// cut lets what has no end yet end where it begins.
func (b *builder) cut(n *Value) {
	if (n.Attr.SizeEOS || n.Attr.Repeat == spec.UntilEnd && n.Index < 0) && n.Of.IO.End == int64(len(b.data)) {
		n.End, n.Tail = n.Start, n.Start
		b.data = b.data[:n.Start]
	}
}

// terminate writes the terminator of a text or of bytes that zeros do not end.
func (b *builder) terminate(n *Value) (isMissing bool, err error) {
	a := n.Attr
	if a.Size != nil || a.SizeEOS || n.Type == nil || n.End > n.Start {
		return false, nil
	}
	end := a.EndOf(n.Type)
	isMissing = slices.ContainsFunc(end, func(c byte) bool { return c != 0 })
	if isMissing {
		err = b.put(span.Span{Offset: n.Start}, end)
	}
	return isMissing, err
}

// set puts a value in place of zeros.
func (b *builder) set(n Value, v expr.Value) error {
	at, data, err := encode(n, v)
	if err != nil {
		return err
	}
	return b.replace(n, at, data)
}

// isOfElement reports whether a size is not the same for all elements of a list.
func isOfElement(size expr.Node) (is bool) {
	expr.EachName(size, func(name string) { is = is || name == "_index" })
	return is
}

// replace puts bytes of an attribute in place of others; its size follows.
func (b *builder) replace(n Value, at span.Span, data []byte) error {
	switch {
	case n.Attr.Size == nil || int64(len(data)) == at.Length:
		return b.put(at, data)
	case n.Place == b.place && isOfElement(n.Attr.Size):
		b.whole = data
		return nil
	}
	before := int64(len(b.data))
	if err := b.decide(n.Place, n.Attr.Size, int64(len(data))); err != nil {
		return err
	}
	at.Offset += int64(len(b.data)) - before
	return b.put(at, data)
}

// decide sets what an expression depends on, which precedes the attribute.
func (b *builder) decide(p read.Place, n expr.Node, want int64) error {
	found, err := p.Solve(n, expr.Of(want), nil)
	if err != nil {
		return fmt.Errorf("%s (%v): %w", p.Attr.ID, p.Attr.Place, err)
	}
	slices.SortFunc(found, func(x, y read.Decision) int { return cmp.Compare(y.Cell().Start, x.Cell().Start) }) // what is put does not move the others
	of := b.data
	for _, d := range found {
		c := d.Cell()
		if c.Bad != nil || c.Buf == nil || !c.Buf.Is(of) {
			return fmt.Errorf("%s decides %s, and is not a part of the new value", d.Place, p)
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
	if inner, ok := shown(&n); ok && l != nil && l.kind != notation.Pairs {
		return b.value(append(slices.Clip(steps), read.Place{Attr: inner.Attr, Index: -1}), l)
	}
	if v, ok := grouped(&n, l); ok {
		return b.set(n, v)
	}
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

// untilEnd builds a list that ends with the bytes that it is in.
func (b *builder) untilEnd(n Value, l *literal) error {
	if b.cut(&n); n.End != int64(len(b.data)) {
		return fmt.Errorf("%s cannot be made: nothing says how many there are", n.Attr.ID)
	}
	for i := 0; l != nil && i < len(l.items); i++ {
		data, err := buildElement(n.Place, int64(i), &l.items[i], int64(len(b.data)))
		if err != nil {
			return err
		}
		b.data = append(b.data, data...)
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
		is, ok := n.Val.Ref.(*read.Array)
		if l == nil && ok && is.Bad == nil && is.Len() == 1 {
			return nil // zeros end it
		}
		if l == nil {
			return fmt.Errorf("%s is missing: nothing else says what ends it", a.ID)
		}
	default:
		return b.untilEnd(n, l)
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
