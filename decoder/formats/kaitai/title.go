package kaitai

import (
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// HasTitle implements tree.Titler: -webide-representation gives the title of a struct.
func (r *reading) HasTitle(v *tree.Value) bool {
	if p := partOf(v); p != nil {
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
