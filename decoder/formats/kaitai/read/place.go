package read

import (
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
)

// A Place is where a value is: an attribute of a struct, or an element of one.
type Place struct {
	Of    *Struct
	Attr  *spec.Attr
	Index int64 // -1 for the attribute as a whole
}

// elementOf returns the index of the element of a that is being read; -1 if it is not repeated.
func (sc *scope) elementOf(a *spec.Attr) int64 {
	if a.Repeat == spec.Once {
		return -1
	}
	return sc.index
}

// Cell returns the value at a place; it has a problem where there is none.
func (p Place) Cell() Cell {
	if p.Index < 0 {
		return *p.Of.Of(p.Attr)
	}
	c := p.Of.begun(p.Attr)
	if c.Bad != nil {
		return *c
	}
	if a, ok := c.Val.Ref.(*Array); ok && a.Has(p.Index) {
		return a.Cell(p.Index)
	}
	return Cell{Buf: c.Buf, Bad: &Problem{Code: Unevaluated, Text: p.String() + " does not exist", In: c.Buf, Where: p.Attr.Place}}
}

func (p Place) String() string {
	if p.Index < 0 {
		return p.Attr.ID
	}
	return fmt.Sprintf("%s[%d]", p.Attr.ID, p.Index)
}

// Steps returns the places that lead from the root to p, with p.
func (p Place) Steps() []Place {
	if p.Of.In.Of == nil {
		return []Place{p}
	}
	return append(p.Of.In.Steps(), p)
}

// Path returns the path that leads from the root to p: ".items[2].name".
func (p Place) Path() (path string) {
	for _, s := range p.Steps() {
		path += "." + s.String()
	}
	return path
}

// In returns the place in another struct of the same type.
func (p Place) In(s *Struct) Place { return Place{s, p.Attr, p.Index} }

// Eval evaluates an expression of the attribute where a value of it begins.
func (p Place) Eval(n expr.Node, at int64) (expr.Value, error) {
	io := p.Of.IO
	was := io.mark()
	defer io.restore(was)
	io.seek(at)
	return n.Eval(&scope{Struct: p.Of, index: max(0, p.Index)})
}

// A Decision is a value that must be what is wanted, so that an expression is.
type Decision struct {
	Place
	Want expr.Value
}

// A Rank says of a field which could change how much rather it does than another one.
type Rank func(d Decision) int

// Solve returns what must change so that an expression of the attribute has another value. Where either of two fields would do,
// it is the one with the higher rank; with nil, nothing is.
func (p Place) Solve(n expr.Node, want expr.Value, rank Rank) ([]Decision, error) {
	causes, err := expr.Solve(n, want, &scope{Struct: p.Of, index: max(0, p.Index)}, func(c *expr.Cause) int {
		found, err := p.decide(c, rank)
		if rank == nil || err != nil || len(found) != 1 {
			return 0
		}
		return rank(found[0])
	})
	if err != nil {
		return nil, err
	}
	var all []Decision
	for _, c := range causes {
		found, err := p.decide(&c, rank)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// decide returns what must change so that a value which an expression names does.
func (p Place) decide(c *expr.Cause, rank Rank) ([]Decision, error) {
	s := p.Of
	switch of := c.Of.(type) {
	case *Array:
		return []Decision{{Place{of.Owner, of.Attr, c.Index}, c.Want}}, nil
	case *Struct:
		s = of
	case *scope:
	default:
		return nil, fmt.Errorf("%v has no bytes of its own", c)
	}
	r := s.Type.Find(c.Name)
	if r == nil {
		return nil, fmt.Errorf("%s has no %s", s.Type.Name, c.Name)
	}
	a := s.Type.Attr(r)
	switch {
	case r.In == expr.InParams && r.Index < len(s.args):
		return s.In.Solve(s.args[r.Index], c.Want, rank)
	case r.In == expr.InParams:
		return nil, fmt.Errorf("%s is not given", c.Name)
	case a.Value == nil:
		d := Decision{Place{s, a, -1}, c.Want}
		if is, err := s.Of(a).Value(a); err == nil && c.Want.Kind == expr.Str && a.Size == nil {
			d.Want = expr.Of(unfilled(is.Text(), c.Want.Text()))
		}
		return []Decision{d}, nil
	}
	if s.In.Of != nil && s.Type.IsGrouped() {
		return []Decision{{s.In, c.Want}}, nil
	}
	return Place{s, a, -1}.Solve(a.Value, c.Want, rank)
}

// unfilled returns digits that have the place of others without what fills these up, if nothing did so before.
func unfilled(was, digits string) string {
	const fill = "0 "
	if last := len(digits) - 1; was == strings.TrimLeft(was, fill) {
		return strings.TrimLeft(digits[:last], fill) + digits[last:]
	}
	return digits
}

// Outer returns the bytes from which a process has made those of the buffer; b is not the file.
func (b *Buffer) Outer() (of *Buffer, at span.Span) { return b.outer, span.Between(b.start, b.end) }

// Inside visits the values in a value at a place, each before those in it: in a struct the attributes, also the instances that lie in the
// data if isLed, and the elements of a list. visit reports whether those in a value are visited too.
func (p Place) Inside(c *Cell, isLed bool, visit func(Place, *Cell) (into bool)) {
	each := func(p Place, c *Cell) {
		if visit(p, c) {
			p.Inside(c, isLed, visit)
		}
	}
	switch x := c.Val.Ref.(type) {
	case *Struct:
		x.Ensure()
		for i := range x.Cells {
			each(Place{x, x.Type.Seq[i], -1}, &x.Cells[i])
		}
		for i, a := range x.Type.Instances {
			if isLed && a.Value == nil {
				each(Place{x, a, -1}, x.Instance(i))
			}
		}
	case *Array:
		for i := int64(0); x.Has(i); i++ {
			e := x.Cell(i)
			each(Place{p.Of, p.Attr, i}, &e)
		}
	}
}

// Path returns the steps to the value whose process has made the bytes.
func (b *Buffer) Path() []Place { return b.by.Steps() }

// Pack returns the bytes from which the process would make others than those of the buffer.
func (b *Buffer) Pack(data []byte) ([]byte, error) {
	return b.by.Pack(data, b.outer.Append(nil, b.start, b.end))
}

// Stream returns the stream in which an instance lies.
func (p Place) Stream() (*Stream, error) {
	if p.Attr.IO == nil {
		return p.Of.IO, nil
	}
	v, err := p.Of.Eval(p.Attr.IO)
	io, ok := v.Ref.(*Stream)
	if err == nil && !ok {
		err = fmt.Errorf("io must be a stream, not %v", v.Kind)
	}
	return io, err
}

// Kept returns what -varview-value keeps a value equal to, and whether it is that.
func (p Place) Kept(c *Cell) (want expr.Value, isKept bool, err error) {
	if want, err = p.Eval(p.Attr.Kept, c.Start); err != nil {
		return want, false, err
	}
	is, err := c.Value(p.Attr)
	if err != nil {
		return want, false, err
	}
	order, err := expr.Compare(is, want)
	return want, err == nil && order == 0, err
}

// ReadsAs reports whether bytes in the place of a struct are read as one whole value, with an instance that has a
// number.
func (s *Struct) ReadsAs(b []byte, number int64) bool {
	io := &Stream{Buf: &Buffer{data: b}, End: int64(len(b))}
	x := &Struct{doc: s.doc, Type: s.Type, Parent: s.Parent, Root: s.Root, IO: io, In: s.In, params: s.params, args: s.args}
	x.parse()
	if x.Ensure(); x.Bad != nil || io.at != io.End {
		return false
	}
	for i, a := range s.Type.Instances {
		if v, err := x.Instance(i).Value(a); err == nil && a.Value != nil && v.Kind == expr.Int && v.N == uint64(number) {
			return true
		}
	}
	return false
}

// Reread reads a value of a type, or of the one that a switch chooses, that would be at a place from an offset of bytes; only what is inside it if it has its
// own bytes and isInside.
func (p Place) Reread(t *spec.TypeRef, b []byte, at int64, isInside bool) (Cell, error) {
	io := &Stream{Buf: &Buffer{data: b}, End: int64(len(b)), at: at}
	sc := &scope{Struct: p.Of, index: max(0, p.Index)}
	switch {
	case t == nil:
		return p.Of.one(p.Attr, io, sc)
	case !isInside:
		return p.Of.typed(t, p.Attr, io, sc)
	}
	n, err := p.Of.newStruct(t, p.Attr, io, sc)
	if err == nil {
		n.Owns = true
		n.Ensure()
	}
	return Cell{State: Ready, Val: object(n), Buf: io.Buf, Type: t, Tail: n.End, End: n.End, Bad: n.Bad}, err
}

// Is reports whether the buffer is one that was read from bytes.
func (b *Buffer) Is(data []byte) bool {
	return len(b.data) > 0 && len(b.data) == len(data) && &b.data[0] == &data[0]
}
