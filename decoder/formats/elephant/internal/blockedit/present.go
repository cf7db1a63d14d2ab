package blockedit

import (
	"bytes"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// A present is a value of the block, with everything in it.
type present struct {
	*tree.Node
	w    *source.Window
	name []byte // name of a member
	kids []*present
}

// newPresent returns a value with its elements if these have no bytes, which a scanner passes: they are undefined.
func newPresent(n *tree.Node, w *source.Window) *present {
	p := &present{Node: n, w: w}
	if n.Layout == tree.Fixed && n.Stride == 0 {
		for i := range n.Count {
			v := tree.Value{Start: n.Body, Head: n.Body, Body: n.Body, Tail: n.Body, End: n.Body, Type: datatype.Undefined}
			p.kids = append(p.kids, &present{Node: &tree.Node{Value: v, Parent: n, Slot: tree.Slot{Index: i}, KeyAt: tree.Unknown}, w: w})
		}
	}
	return p
}

// load reads a value with everything in it.
func load(f *block.Reading, r *tree.Reader, n *tree.Node) (*present, error) {
	own := *n
	w := r.Window()
	root := &present{Node: &own, w: w}
	if n.Layout == tree.Leaf {
		return root, w.Err()
	}
	open := []*present{root}
	s := r.Scan(n)
	s.Elements = true
	var name []byte
	for {
		ev := s.Next()
		switch {
		case ev == tree.Leave:
			v := s.Value()
			last := open[len(open)-1].Node
			last.Tail, last.End, last.SerialEnd = v.Tail, v.End, v.SerialEnd
			if open = open[:len(open)-1]; len(open) == 0 {
				return root, w.Err()
			}
		case ev == tree.Done:
			return root, w.Err()
		case s.Slot().Key:
			name = NameOf(w, s.Value())
		default:
			node := *s.Current(ev)
			outer := open[len(open)-1]
			child := newPresent(&node, w)
			if child.name = name; outer.Layout == tree.Sequence {
				child.name = f.MemberName(&outer.Value, node.Slot.Index)
			}
			outer.kids = append(outer.kids, child)
			if ev == tree.Enter {
				open = append(open, child)
			}
		}
	}
}

// NameOf returns a member's name as stored in the file.
func NameOf(w *source.Window, key *tree.Value) []byte {
	return textAt(w, key.Start, key.Tail-1)
}

// textAt returns the text in [start, end).
func textAt(w *source.Window, start, end int64) []byte { return w.All(span.Between(start, end)) }

// equals reports whether a literal has the meaning of the present value: numbers are compared by value,
// however they are stored, unless the literal names a datatype.
func (e *Editor) equals(p *present, l *literal.Literal) bool {
	switch {
	case p.Damage != nil && p.Layout == tree.Leaf:
		return false
	case p.Refers:
		return l.Shape == literal.Ref && e.leadsTo(p, &l.Ref)
	case l.Shape == literal.Default, p.Type == datatype.Skipped:
		return l.Shape == literal.Default && p.Type == datatype.Skipped
	case l.Shape == literal.Ref:
		return false
	case l.IsAtom():
		return p.atomEquals(l)
	case p.Type == datatype.Array:
		return l.Shape == literal.Array && e.allEqual(p, l)
	case p.Type == datatype.Struct && l.Shape == literal.Struct && e.sameCtor(p.Node, l):
		if p.Layout != tree.Sequence {
			return e.allEqual(p, l)
		}
		return e.membersEqual(p, l)
	}
	return false
}

// leadsTo reports whether a reference has a target.
func (e *Editor) leadsTo(p *present, t *literal.Target) bool {
	serial := t.Serial
	if t.Lit != nil {
		var ok bool
		if serial, ok = e.merged[t.Lit]; !ok {
			return false
		}
	}
	return serial == p.Sub && (!block.LeadsNowhere(&p.Value) || t.Path == "" && t.Lit == nil)
}

func (e *Editor) allEqual(p *present, l *literal.Literal) bool {
	if len(p.kids) != len(l.Items) {
		return false
	}
	for i, item := range l.Items {
		c := p.kids[i]
		if p.Type == datatype.Struct && !bytes.Equal(c.name, l.Names[i]) || !e.equals(c, item) {
			return false
		}
	}
	return true
}

// membersEqual compares the members of a schema, in any order.
func (e *Editor) membersEqual(p *present, l *literal.Literal) bool {
	byName := map[string]*literal.Literal{}
	for i, item := range l.Items {
		byName[string(l.Names[i])] = item
	}
	if len(byName) != len(l.Items) {
		return false
	}
	for _, c := range p.kids {
		switch item := byName[string(c.name)]; {
		case item == nil && c.Type != datatype.Skipped, item != nil && !e.equals(c, item):
			return false
		}
		delete(byName, string(c.name))
	}
	return len(byName) == 0
}

// atomEquals compares a value without children.
func (p *present) atomEquals(l *literal.Literal) bool {
	if l.Of != 0 && l.Of != p.Type {
		return false
	}
	switch {
	case p.Type == datatype.Undefined:
		return l.Shape == literal.Undefined
	case datatype.IsText(p.Type):
		return l.Shape == literal.Text && int64(len(l.Text)) == p.Tail-1-p.Body && bytes.Equal(l.Text, textAt(p.w, p.Body, p.Tail-1))
	case p.Type == datatype.Bool:
		return l.Shape == literal.Bool && l.Num.Magnitude == min(1, datatype.NumberAt(p.w, datatype.Bool, p.Body).Bits) && l.Num.Bits == nil
	case !datatype.IsNumber(p.Type) || l.Shape != literal.Number:
		return false
	}
	return l.Num.Equals(datatype.NumberAt(p.w, p.Type, p.Body))
}
