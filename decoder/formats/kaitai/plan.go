package kaitai

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/change"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// A plan is how the elements of a list lie in their bytes: each part stands before those in it. What is asked of every value that
// is passed is read from there; a node is made only for one that somebody looks at.
type plan []planned

// A planned is a part of an element: a value in an element, or the element.
type planned struct {
	attr   *spec.Attr
	typ    *spec.TypeRef
	kind   plannedKind
	up     int   // part around it
	slot   int64 // which child of it; -1 for the elements of a list
	first  int   // of a struct or a list, the first part in it
	count  int64 // of a struct, parts in it
	size   int64 // bytes; -1 if only those of the element say that
	each   int64 // of a list, bytes of an element
	term   int64 // of a text or bytes, bytes of the terminator
	isText bool
	names  [][]byte // of a struct, of the parts in it

	isSummed bool // there may be checksums in the element
}

type plannedKind uint8

const (
	nodePart   plannedKind = iota // what only a node knows
	structPart                    // a value of a type
	listPart                      // of numbers
	numberPart
	bytesPart // or a text
)

// planOf returns the plan of the elements of an attribute; nil for none.
func planOf(a *spec.Attr) plan {
	if a.Process != nil || a.Switch != nil || !isPlanned(a, &a.Type) {
		return nil
	}
	s := plan{{attr: a, typ: &a.Type, kind: structPart, size: -1, slot: -1}}
	for i := 0; i < len(s); i++ { // which grows
		p := &s[i]
		switch p.kind {
		case structPart:
			seq := p.typ.User.Seq
			p.first, p.count = len(s), int64(len(seq))
			for k, a := range seq {
				part := newPart(a)
				part.up, part.slot = i, int64(k)
				s = append(s, part)
				s[i].names = append(s[i].names, []byte(a.ID))
			}
		case listPart:
			p.first = len(s)
			s = append(s, planned{attr: p.attr, typ: p.typ, kind: numberPart, size: p.each, up: i, slot: -1})
		}
		s[0].isSummed = s[0].isSummed || change.IsSum(p.attr)
	}
	for i := range s {
		s[i].isSummed = s[0].isSummed
	}
	return s
}

// plansOf returns the plans of the elements of all lists.
func plansOf(t *spec.Type) map[*spec.Attr]plan {
	all := map[*spec.Attr]plan{}
	for a := range t.All() {
		if a.Repeat != spec.Once {
			all[a] = planOf(a)
		}
	}
	return all
}

// isPlanned reports whether an attribute of a type, once or each element, is a struct of which only the bytes matter.
func isPlanned(a *spec.Attr, t *spec.TypeRef) bool {
	u := t.User
	return u != nil && !a.IsSized() && !a.NoParent && a.ParentExpr == nil && len(u.Params)+len(t.Args)+len(u.Instances) == 0 && u.EndianOn == nil && len(u.Seq) > 0
}

// newPart returns an attribute as a part.
func newPart(a *spec.Attr) planned {
	p := planned{attr: a, typ: &a.Type, size: wholeBytes(a.ElementBits())}
	if a.If != nil || a.Switch != nil || a.Process != nil {
		return p
	}
	switch {
	case isNumber(p.typ) && !a.IsSized() && (p.size == 1 || p.typ.Endian != spec.NoEndian):
		if p.kind = numberPart; a.Repeat == spec.Times {
			p.kind, p.each, p.size = listPart, p.size, wholeBytes(a.FixedBits())
			return p
		}
	case p.hasEnd() && a.Pad < 0:
		p.kind, p.isText, p.term = bytesPart, p.typ.Kind == spec.Str, int64(len(a.EndOf(p.typ)))
	case p.size > 0 && isPlanned(a, p.typ):
		p.kind = structPart
	}
	if a.Repeat != spec.Once {
		p.kind = nodePart
	}
	return p
}

// wholeBytes returns a number of bits in bytes; -1 if it is none or not known.
func wholeBytes(bits int64) int64 {
	if bits < 0 || bits%8 != 0 {
		return -1
	}
	return bits / 8
}

// hasEnd reports whether a part is bytes or a text, with a size or a terminator.
func (p *planned) hasEnd() bool {
	a := p.attr
	switch {
	case p.typ.Kind != spec.RawBytes && p.typ.Kind != spec.Str || a.IsContents || p.typ.Kind == spec.Str && !charset.IsPlain(a.Encoding):
		return false
	case a.EndOf(p.typ) == nil:
		return a.Size != nil
	}
	return a.Size == nil && !a.SizeEOS && a.Consume && a.EOSError && !a.Include
}

func isNumber(t *spec.TypeRef) bool {
	return t.Kind == spec.Unsigned || t.Kind == spec.Signed || t.Kind == spec.Float
}

// partOf returns the part of an element that a value is; nil if the reading keeps a node of it.
func partOf(v *tree.Value) *planned {
	if v.Type != partType {
		return nil
	}
	return &v.Object.(*node).plan[v.Flags]
}

// elementOf returns the index of the element in which a part lies.
func elementOf(v *tree.Value) int64 { return int64(v.Inner)<<32 | int64(v.Sub) }

// readElement reads an element of a list as a part of its plan, if it is one.
func (r *reading) readElement(list *node, i int64, v *tree.Value) bool {
	if list.plan == nil || !list.inFile || !list.array().IsSound(i) {
		return false
	}
	v.Type, v.Object, v.Sub, v.Inner = partType, list, uint32(i), uint32(i>>32)
	v.Contain(tree.Sequence, list.plan[0].count, 0)
	return true
}

// readPart reads a part of a part, if it is one.
func (r *reading) readPart(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) bool {
	list := parent.Object.(*node)
	in := &list.plan[parent.Flags]
	at, row := in.first+int(slot.Index), uint32(0)
	if in.kind == listPart {
		at, row = in.first, uint32(slot.Index)
	}
	p, size := &list.plan[at], int64(0)
	if size = p.size; p.kind == nodePart {
		return false
	} else if size < 0 {
		size = r.sizeOfPart(w, list, elementOf(parent), parent.Start, p)
	}
	if size < 0 || v.Start+size > v.Limit {
		return false
	}
	v.Type, v.Object, v.Sub, v.Inner, v.Flags, v.Rows = partType, list, parent.Sub, parent.Inner, uint16(at), row
	switch p.kind {
	case structPart:
		v.Contain(tree.Sequence, p.count, 0)
	case listPart:
		v.Contain(tree.Sequence, size/p.each, 0)
	default:
		v.Close(v.Start + size)
	}
	return true
}

// sizeOfPart returns the size of a part of an element that begins at an offset; -1 if it is not known without reading it.
func (r *reading) sizeOfPart(w *source.Window, list *node, i, at int64, p *planned) int64 {
	defer r.lock()()
	if p.up > 0 || list.of != r {
		return -1
	}
	return list.array().SizeOf(w, i, at, int(p.slot))
}

// nodeOfPart returns a part as a node.
func (r *reading) nodeOfPart(v *tree.Value) *node {
	of := v.Object.(*node)
	list := r.own(of)
	if list.cell.Bad != nil || list.array() == nil || !r.has(list, elementOf(v)) {
		return r.lost(of)
	}
	n := r.child(list, tree.Slot{Index: elementOf(v)})
	n.inFile = list.inFile
	return r.follow(n, of.plan, int(v.Flags), int64(v.Rows))
}

// follow returns a part of an element as a node; row is that of a number in a list.
func (r *reading) follow(n *node, s plan, at int, row int64) *node {
	if at == 0 {
		return n
	}
	slot := s[at].slot
	if slot < 0 {
		slot = row
	}
	up := r.follow(n, s, s[at].up, row)
	if up.cell.Bad != nil || !r.has(up, slot) {
		return r.lost(up)
	}
	c := r.child(up, tree.Slot{Index: slot})
	c.inFile = up.inFile
	return c
}

// fields lists the bytes of a part.
func (p *planned) fields(v *tree.Value, fields []span.Field) []span.Field {
	if v.Layout != tree.Leaf {
		return fields
	}
	kind := kindOf(p.attr, p.typ)
	for _, f := range []span.Field{{Span: p.body(v), Kind: kind, Label: labelOf(kind)}, {Span: span.Between(v.End-p.term, v.End), Kind: span.Terminator, Label: "terminator"}} {
		if f.Length > 0 {
			fields = append(fields, f)
		}
	}
	return fields
}

// pass passes numbers.
func (p *planned) pass(parent *tree.Value, s *tree.Stretch) {
	if p.kind != listPart || s.Levels < 1 || !s.SizesOnly && p.attr.CanFail() {
		return
	}
	n := min(parent.Count-s.Next.Index, (s.Until-s.Pos)/p.each)
	if s.Enough < s.Until {
		n = min(n, (max(0, s.Enough-s.Pos)+p.each-1)/p.each)
	}
	s.Next.Index, s.Pos = s.Next.Index+n, s.Pos+n*p.each
}

// body returns the bytes of a value without its terminator.
func (p *planned) body(v *tree.Value) span.Span { return span.Between(v.Start, v.End-p.term) }

// isPlainNumber reports whether a part, if there is one, is a number without names.
func (p *planned) isPlainNumber() bool { return p != nil && p.kind == numberPart && p.attr.Enum == nil }

// isLeaf reports whether a part, if there is one, has no parts.
func (p *planned) isLeaf() bool { return p != nil && p.kind >= numberPart }

// spellings returns the texts of a part that are not in its bytes.
func (p *planned) spellings(in *read.Buffer, v *tree.Value) []string {
	if p.kind != numberPart {
		return nil
	}
	return spell(p.numberOf(in.Append(nil, v.Start, v.End)))
}

// MayBeText implements tree.Texter.
func (r *reading) MayBeText(v *tree.Value) bool {
	p := partOf(v)
	return p == nil || p.isText
}

// childName returns the name of a value in a struct.
func (p *planned) childName(i int64) []byte {
	if p.kind != structPart {
		return nil
	}
	return p.names[i]
}

// typeName names the type of a part for people.
func (p *planned) typeName() string {
	switch p.kind {
	case structPart:
		return p.typ.User.Name
	case listPart:
		return nameOf(p.attr, p.typ) + "[]"
	}
	return nameOf(p.attr, p.typ)
}

// number returns a number.
func (p *planned) number(w *source.Window, v *tree.Value) expr.Value {
	return p.numberOf(w.View(v.Start, p.size))
}

func (p *planned) numberOf(b []byte) expr.Value {
	return read.Enumerated(read.Number(p.typ, b), p.attr)
}

// describe returns the meaning of a part without parts.
func (p *planned) describe(w *source.Window, v *tree.Value) tree.Scalar {
	switch {
	case p.isText:
		return tree.Scalar{Kind: tree.Text, Span: p.body(v)}
	case p.kind == bytesPart:
		return tree.Scalar{Kind: tree.Bytes, Span: p.body(v)}
	}
	return scalarOf(p.number(w, v))
}

// part writes a part of an element, if it can without a node.
func (w *writer) part(in *source.Window, v *tree.Value) bool {
	p := partOf(v)
	switch {
	case p == nil || p.kind == structPart:
		return false
	case p.kind == numberPart:
		w.value(p.number(in, v))
		return true
	case p.kind == listPart:
		w.numbers(p, in, v)
		return true
	case p.body(v).Length > source.MaxView:
		return false
	}
	b := in.View(v.Start, p.body(v).Length)
	if !p.isText {
		w.value(expr.Of(b))
	} else if text, err := charset.Decode(b, p.attr.Encoding); err == nil {
		w.text(text)
	} else {
		return false
	}
	return true
}

// numbers writes a list of numbers.
func (w *writer) numbers(p *planned, in *source.Window, v *tree.Value) {
	w.Put("[")
	for i := int64(0); i < v.Count && !w.Full(); i++ {
		if i > 0 {
			w.comma()
		}
		w.value(p.numberOf(in.View(v.Body+i*p.each, p.each)))
	}
	w.Put("]")
}

// scalarOf returns a number as the tree knows it.
func scalarOf(x expr.Value) tree.Scalar {
	switch {
	case x.Kind == expr.Float:
		return tree.Scalar{Kind: tree.Float64, Bits: x.N}
	case x.Wide || int64(x.N) >= 0:
		return tree.Scalar{Kind: tree.Uint, Bits: x.N}
	}
	return tree.Scalar{Kind: tree.Int, Bits: x.N}
}
