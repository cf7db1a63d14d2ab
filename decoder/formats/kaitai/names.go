package kaitai

import (
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

var _ interface {
	format.MemberNamer
	tree.Twin
	tree.Dependent
	tree.Described
	tree.Speller
	tree.Traited
} = (*reading)(nil)

// Traits implements tree.Traited.
func (r *reading) Traits() tree.Traits {
	return tree.Traits{LeavesGaps: r.t.LeavesGaps(), PlainJSON: true}
}

// ReadsAs implements tree.Twin.
func (r *reading) ReadsAs(other tree.Reading) bool {
	o, ok := other.(*reading)
	return ok && r.t == o.t && !r.streams.hasInstances
}

// AreAlike implements tree.Dependent, for the elements of arrays.
func (r *reading) AreAlike(a, b *tree.Value) bool {
	defer r.lock()()
	x, _ := a.Object.(*node)
	y, _ := b.Object.(*node)
	return x != nil && y != nil && x.array() != nil && y.array() != nil && x.inner == nil && y.inner == nil && x.inFile && y.inFile && x.array().AreAlike(y.array())
}

// A vocabulary is what a description may say that is not in the bytes.
type vocabulary struct {
	words    [][]byte // names of attributes and in enums
	computes bool     // some texts or numbers are computed, unpacked, or in another encoding
}

func vocabularyOf(top *spec.Type) *vocabulary {
	v := &vocabulary{}
	for a := range top.All() {
		v.words = append(v.words, []byte(a.ID))
		if a.Enum != nil {
			for _, name := range a.Enum.Order {
				v.words = append(v.words, []byte(name))
			}
		}
		for _, r := range a.Types() {
			v.computes = v.computes || a.Process != nil || a.Value != nil || r.Kind == spec.Bits || r.Kind == spec.Other || r.Kind == spec.Str && !charset.IsPlain(a.Encoding)
			v.computes = v.computes || r.Kind == spec.User && r.User == nil
		}
	}
	return v
}

// MaySpell implements tree.Speller.
func (r *reading) MaySpell(matches func([]byte) bool) bool {
	v := r.vocabulary
	return v.computes || slices.ContainsFunc(v.words, matches) || r.hasOthers()
}

// hasOthers reports whether instances lie in bytes that something else reads.
func (r *reading) hasOthers() bool {
	defer r.lock()()
	if !r.streams.hasInstances || r.streams.haveOwn {
		return r.streams.haveOwn
	}
	x := r.survey(r.doc.Root, false)
	return !x.isCut && len(x.inGaps) < x.found
}

// MemberName implements format.MemberNamer: attributes have names.
func (r *reading) MemberName(parent *tree.Value, i int64) []byte {
	if p := partOf(parent); p != nil {
		return p.childName(i)
	}
	defer r.lock()()
	p := r.nodeOf(parent)
	if p == nil || p.inner != nil || p.object() == nil || p.cell.Bad != nil {
		return nil
	}
	return []byte(p.attrOf(r.kidAt(p, i)).ID)
}

// Spellings implements tree.Speller.
func (r *reading) Spellings(_ *source.Window, v *tree.Value) []string {
	defer r.lock()()
	if p := partOf(v); p != nil {
		return p.spellings(r.doc.Root.IO.Buf, v)
	}
	n := r.nodeOf(v)
	switch {
	case n == nil || n.cell.Bad != nil || v.Damage != nil || v.Layout != tree.Leaf:
		return nil
	case n.inner != nil:
		return n.embedded.spellings(n)
	case n.attr == nil || n.isReference() || r.isInGap(n):
		return nil
	}
	x, err := n.cell.Val, error(nil)
	if n.cell.State == read.OnDemand {
		if n.inFile && (n.cell.Type.Kind != spec.Str || charset.IsPlain(n.attr.Encoding)) {
			return nil
		}
		x, err = n.cell.Value(n.attr)
	}
	if err != nil {
		return nil
	}
	return spell(x)
}

// IsListed implements tree.Described.
func (r *reading) IsListed(v *tree.Value) bool {
	if partOf(v) != nil {
		return false
	}
	defer r.lock()()
	n := r.nodeOf(v)
	return n != nil && n.inner == nil && r.isInGap(n)
}

// spell returns a text, a number or a bool as text, a number with the name that an enum gives it.
func spell(x expr.Value) []string {
	if name, ok := x.Label(); ok {
		return []string{name, x.Digits()}
	}
	switch x.Kind {
	case expr.Str:
		return []string{x.Text()}
	case expr.Int, expr.Float:
		return []string{x.Digits()}
	case expr.Bool:
		return []string{strconv.FormatBool(x.N != 0)}
	}
	return nil
}

// spellings returns the text or number of a value of another format that is not in the file.
func (e *embedded) spellings(n *node) []string {
	if n.inFile && e.isHere {
		return nil
	}
	s := e.read.Plain(&n.inner.Value)
	switch s.Kind {
	case tree.Text:
		return []string{string(s.View(e.read.Window(), 0, s.Len()))}
	case tree.Bytes, tree.Null:
		return nil
	}
	return []string{string(s.AppendNumber(nil))}
}

// HasTitle implements tree.Titler: -webide-representation gives the title of a struct.
func (r *reading) HasTitle(v *tree.Value) bool {
	if p := partOf(v); p != nil { // asked of each row of a table
		return p.kind == structPart && (p.attr.Text != nil || p.typ.User.Text != nil)
	}
	defer r.lock()()
	n := r.nodeOf(v)
	if n != nil && n.inner != nil {
		t, ok := n.embedded.read.Tree.Reading.(tree.Titler)
		return ok && t.HasTitle(&n.inner.Value)
	}
	return n != nil && titleOf(n) != nil
}

func titleOf(n *node) spec.Title {
	if n.attr != nil && n.attr.Text != nil && n.object() != nil {
		return n.attr.Text
	}
	if s := n.object(); s != nil {
		return s.Type.Text
	}
	return nil
}

// title writes the title of a struct.
func (w *writer) title(s *read.Struct, t spec.Title) {
	for _, p := range t {
		if w.Put(p.Text); w.Full() || p.Value == nil {
			return
		}
		v, err := s.Eval(p.Value)
		switch {
		case err != nil:
			w.Put("?")
		case v.Kind == expr.Int && p.IsHex:
			w.Put("0x" + strconv.FormatUint(v.N, 16))
		case v.Kind == expr.Str:
			w.Dst = tree.AppendEscaped(w.Dst, []byte(v.Text()), 0)
		case v.Kind == expr.Struct || v.Kind == expr.List:
			x, ok := v.Ref.(*read.Struct)
			if !ok || x.Type.Text == nil || w.isTooDeep() {
				w.elsewhere(v)
				continue
			}
			w.depth++
			w.title(x, x.Type.Text)
			w.depth--
		default:
			w.value(v)
		}
	}
}

// Notes implements tree.Described: it returns the documentation in the description.
func (r *reading) Notes(v *tree.Value) (notes []string) {
	defer r.lock()()
	n := r.nodeOf(v)
	if n == nil {
		return nil
	}
	add := func(text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			notes = append(notes, text)
		}
	}
	if n.inner != nil {
		if a, ok := n.embedded.read.Tree.Reading.(tree.Described); ok {
			notes = a.Notes(&n.inner.Value)
		}
	}
	if n.attr != nil {
		add(n.attr.Doc)
		if e := n.attr.Enum; e != nil {
			if name, ok := n.cell.Val.Label(); ok {
				add(e.Docs[name])
			}
		}
		add(n.attr.DocRef)
		if t := n.cell.Type; n.inFile && t != nil && t.Kind == spec.Bits {
			add(bitsNote(n))
		}
	}
	if s := n.object(); s != nil && (n.attr == nil || n.attr.Doc == "") {
		add(s.Type.Doc)
		add(s.Type.DocRef)
	}
	return notes
}

// bitsNote says which bits a value has.
func bitsNote(n *node) string {
	size, first := n.cell.Type.Size, int(n.cell.Bit)
	order := "highest"
	if n.cell.Type.Endian == spec.Little {
		order = "lowest"
	}
	return span.Counted(int64(size), "bit") + " after " + span.Counted(int64(first), "bit") + " of a byte, the " + order + " first"
}
