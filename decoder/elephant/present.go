package elephant

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// A present is a value as it stands in a block, with all that is in it.
type present struct {
	*tree.Node
	f    *Reading
	w    *source.Window
	name []byte     // of a member
	kids []*present // but for those of Fixed layout
}

// load reads a value with all that is in it.
func load(f *Reading, r *tree.Reader, n *tree.Node) (*present, error) {
	w := r.Window()
	root := &present{Node: n, f: f, w: w}
	if n.Layout < tree.Sequence {
		return root, w.Err()
	}
	own := *n
	root.Node = &own
	open := []*present{root}
	s := r.Scan(n)
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
			name = nameOf(w, s.Value())
		default:
			node := *s.Current(ev)
			outer := open[len(open)-1]
			child := &present{Node: &node, f: f, w: w, name: name}
			if outer.Layout == tree.Sequence {
				child.name = f.MemberName(&outer.Value, node.Slot.Index)
			}
			outer.kids = append(outer.kids, child)
			if ev == tree.Enter {
				open = append(open, child)
			}
		}
	}
}

// nameOf is a member's name as it stands in the file.
func nameOf(w *source.Window, key *tree.Value) []byte {
	return textAt(w, key.Start, key.Tail-1)
}

// textAt is the text in [start, end).
func textAt(w *source.Window, start, end int64) []byte {
	var text []byte
	for start < end {
		b := w.View(start, end-start)
		if len(b) == 0 {
			break
		}
		text = append(text, b...)
		start += int64(len(b))
	}
	return text
}

// count is how many children the value has.
func (p *present) count() int {
	if p.Layout == tree.Fixed {
		return int(p.Count)
	}
	return len(p.kids)
}

// element is the i-th child.
func (p *present) element(i int) *present {
	if p.Layout != tree.Fixed {
		return p.kids[i]
	}
	n := &tree.Node{Parent: p.Node, Slot: tree.Slot{Index: int64(i)}, KeyAt: tree.Unknown, Depth: p.Depth + 1}
	p.f.Read(p.w, &p.Value, n.Slot, p.Body+int64(i)*int64(p.Stride), &n.Value)
	n.Serial, n.SerialEnd = p.Serial, p.Serial
	return &present{Node: n, f: p.f, w: p.w}
}

// equals reports whether a literal says what stands there: of a number its value,
// however it is stored, if the literal does not choose a datatype.
func (e *editor) equals(p *present, l *literal) bool {
	switch {
	case p.Damage != nil && p.Layout == tree.Leaf:
		return false
	case p.Refers:
		return l.shape == ofRef && e.leadsTo(p, &l.ref)
	case l.shape == ofDefault, p.Type == tSkipped:
		return l.shape == ofDefault && p.Type == tSkipped
	case l.shape == ofRef:
		return false
	case l.isAtom():
		return p.atomEquals(l)
	case p.Type == tArray:
		return l.shape == ofArray && p.count() == len(l.items) && e.allEqual(p, l)
	case p.Type == tStruct && l.shape == ofStruct && e.sameCtor(p.Node, l):
		if p.Layout != tree.Sequence {
			return p.count() == len(l.items) && e.allEqual(p, l)
		}
		return e.membersEqual(p, l)
	}
	return false
}

// leadsTo reports whether a reference leads to a target.
func (e *editor) leadsTo(p *present, t *target) bool {
	serial := t.serial
	if t.lit != nil {
		var ok bool
		if serial, ok = e.merged[t.lit]; !ok {
			return false
		}
	}
	return serial == p.Sub && (!leadsNowhere(&p.Value) || t.path == "" && t.lit == nil)
}

func (e *editor) allEqual(p *present, l *literal) bool {
	for i, item := range l.items {
		c := p.element(i)
		if p.Type == tStruct && !bytes.Equal(c.name, l.names[i]) || !e.equals(c, item) {
			return false
		}
	}
	return true
}

// membersEqual compares the members of a schema, in any order.
func (e *editor) membersEqual(p *present, l *literal) bool {
	byName := map[string]*literal{}
	for i, item := range l.items {
		byName[string(l.names[i])] = item
	}
	if len(byName) != len(l.items) {
		return false
	}
	for _, c := range p.kids {
		switch item := byName[string(c.name)]; {
		case item == nil && c.Type != tSkipped, item != nil && !e.equals(c, item):
			return false
		}
		delete(byName, string(c.name))
	}
	return len(byName) == 0
}

// atomEquals compares a value without children.
func (p *present) atomEquals(l *literal) bool {
	if l.of != 0 && l.of != p.Type {
		return false
	}
	switch {
	case p.Type == tUndefined:
		return l.shape == ofUndefined
	case isText(p.Type):
		return l.shape == ofText && int64(len(l.text)) == p.Tail-1-p.Body && bytes.Equal(l.text, textAt(p.w, p.Body, p.Tail-1))
	case p.Type == tBool:
		return l.shape == ofBool && l.num.magnitude == min(1, numberAt(p.w, tBool, p.Body).bits) && l.num.bits == nil
	case !isNumber(p.Type) || l.shape != ofNumber:
		return false
	}
	return l.num.equals(numberAt(p.w, p.Type, p.Body))
}
