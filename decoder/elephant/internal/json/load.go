package json

import (
	"bytes"
	"fmt"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/tree"
)

// An item is a value in memory, or the node of one that is too large for that.
type item struct {
	tree.Value
	name []byte     // of a member
	next int        // position after the value's own items
	node *tree.Node // of a value whose children are not in memory
}

// How many values a value may contain to be loaded whole. If they are nested more deeply
// than usual, loading stops early, because every level tries it again.
const (
	wholeItems = 16 << 10
	deepItems  = 1024
	usualDepth = 64
)

// load reads v, the value of the last event of s, into memory with everything in it. It
// gives up if that is too much.
func (j *jsonWriter) load(s *tree.Scanner, ev tree.Event, v *tree.Value) bool {
	from := len(j.items)
	j.items = append(j.items, item{Value: *v, next: from + 1})
	if ev == tree.Atom {
		return true
	}
	open := append(j.open[:0], from)
	defer func() { j.open = open }()
	var name []byte
	for n := len(j.items) - from; n < deepItems || n < wholeItems && len(open) <= usualDepth; n = len(j.items) - from {
		switch ev := s.Next(); {
		case ev == tree.Done:
			return true
		case ev == tree.Leave:
			last := len(open) - 1
			j.items[open[last]].next = len(j.items)
			open = open[:last]
			if last == 0 {
				return true
			}
		case s.Slot().Key:
			name = j.keep(j.name(s.Value()))
		default:
			parent := &j.items[open[len(open)-1]].Value
			j.items = append(j.items, item{Value: *s.Value(), name: j.nameOf(parent, s.Slot(), name), next: len(j.items) + 1})
			if ev == tree.Enter {
				open = append(open, len(j.items)-1)
			}
		}
	}
	return false
}

// name returns the text of a member's name, valid until more is read.
func (j *jsonWriter) name(v *tree.Value) []byte {
	return j.w.View(v.Start, v.Tail-1-v.Start)
}

// keep copies a name.
func (j *jsonWriter) keep(name []byte) []byte {
	from := len(j.names)
	j.names = append(j.names, name...)
	return j.names[from:len(j.names):len(j.names)]
}

// nameOf returns the name of a child: the one that preceded it, or the schema's.
func (j *jsonWriter) nameOf(parent *tree.Value, slot tree.Slot, before []byte) []byte {
	switch {
	case parent.Type != datatype.Struct:
		return nil
	case parent.Layout == tree.Pairs:
		return before
	}
	return j.f.MemberName(parent, slot.Index)
}

// maxLarge is the depth to which values that are not in memory may be nested. For each of
// them the end of its children has to be found.
const maxLarge = 200

// writeLarge writes a value whose children are found one by one.
func (j *jsonWriter) writeLarge(n *tree.Node) {
	if j.large == maxLarge {
		j.err = fmt.Errorf("%#x: nested too deep for the form of ElephantToJSON; the typed form has no limit", n.Start)
		return
	}
	j.large++
	defer func() { j.large-- }()
	if n.Type == datatype.File {
		if root, err := j.r.Child(n, 0); err == nil {
			j.write(root)
		} else {
			j.Put("null")
		}
		return
	}
	done, ok := j.begin(&n.Value)
	switch {
	case !ok:
		return
	case n.Type == datatype.Array:
		j.largeArray(n)
	default:
		j.structure(j.members(n), 0)
	}
	done()
}

// members returns a struct and its members, which are not in memory themselves.
func (j *jsonWriter) members(n *tree.Node) []item {
	items := []item{{Value: n.Value}}
	c, err := j.r.Child(n, 0)
	for ; err == nil && !j.Full(); c, err = j.r.Next(c) {
		var name []byte
		if key := j.r.Key(c); key != nil {
			name = bytes.Clone(j.name(&key.Value))
		}
		items = append(items, item{Value: c.Value, node: c, name: j.nameOf(&n.Value, c.Slot, name), next: len(items) + 1})
	}
	items[0].next = len(items)
	return items
}

// largeArray writes an array whose elements are not all in memory.
func (j *jsonWriter) largeArray(n *tree.Node) {
	j.Put("[")
	length := len(j.path)
	c, err := j.r.Child(n, 0)
	for err == nil && j.err == nil {
		if c = j.smallElements(n, c, length); c == nil {
			break
		}
		j.writeLarge(c)
		c, err = j.r.Next(c)
	}
	j.path = j.path[:length]
	j.Put("]")
}

// smallElements writes elements of n from c on, up to one that is too large to be loaded,
// and returns that one. It has then written what precedes it.
func (j *jsonWriter) smallElements(n, c *tree.Node, length int) (tooLarge *tree.Node) {
	for s := j.r.ScanFrom(c); !j.Full() && j.err == nil; {
		ev := s.Next()
		if ev == tree.Done || ev == tree.Leave && s.Depth() <= n.Depth {
			return nil
		}
		if ev == tree.Leave {
			continue
		}
		index := s.Slot().Index
		if index > 0 {
			j.Put(",")
		}
		j.path = tree.AppendIndexStep(j.path[:length], index)
		if v := *s.Value(); !j.writeWhole(s, ev, &v) {
			large := s.Node() // somewhere in the element
			for large.Depth > n.Depth+1 {
				large = large.Parent
			}
			return large
		}
	}
	return nil
}
