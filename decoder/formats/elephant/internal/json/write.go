// Package json writes values in the form of ElephantToJSON (section 12 of the
// specification), and reads their typed form (section 13), which package literal writes.
package json

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// A Writing implements tree.JSONWriter for a reading.
type Writing struct{ *block.Reading }

// WriteJSON writes a value as JSON like ElephantToJSON of 1.5.1 (section 12 of the specification). It
// visits the values as the library holds them after reading, the members of a struct in the order of their
// names. A reference visited before its target is replaced by the target. It builds the index of the tree
// if necessary.
func (f Writing) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	if _, done := r.Tree.Indexed(); !done {
		if err := r.Tree.BuildIndex(ctx); err != nil {
			return err
		}
	}
	j := jsonWriter{Writer: tree.NewWriter(ctx, out), f: f.Reading, r: r, w: r.Window(), paths: literal.NewPaths()}
	j.write(&tree.Node{Value: *v, KeyAt: tree.Unknown})
	j.Put("\n")
	if err := j.Flush(); err != nil {
		return err
	}
	return j.err
}

// A jsonWriter writes values in the form of ElephantToJSON. The members of a struct must be in memory to be
// sorted: a value that contains few values is loaded whole; for a larger one only the children are found,
// one by one.
type jsonWriter struct {
	tree.Writer
	f     *block.Reading
	r     *tree.Reader
	w     *source.Window
	path  []byte // path of the value being written, as the library writes it
	paths literal.Paths
	large int   // number of values around that are being written and are not in memory
	err   error // error of finding values

	items []item // items of the values being written, each after those that contain it
	names []byte // names of their members
	order []int
	open  []int // scratch of load
}

// write writes the value of a node and everything in it.
func (j *jsonWriter) write(n *tree.Node) {
	if !j.writeNode(n) {
		j.writeLarge(n)
	}
}

// writeNode writes the value of a node, unless it contains too much.
func (j *jsonWriter) writeNode(n *tree.Node) bool {
	ev := tree.Enter
	if n.Layout < tree.Sequence {
		ev = tree.Atom
	}
	return j.writeWhole(j.r.Scan(n), ev, &n.Value)
}

// writeWhole writes v, the value of the last event of s, and continues after it, unless v
// contains too much.
func (j *jsonWriter) writeWhole(s *tree.Scanner, ev tree.Event, v *tree.Value) bool {
	from, names := len(j.items), len(j.names)
	loaded := j.load(s, ev, v)
	if loaded {
		j.writeItem(j.items, from)
	}
	j.items, j.names = j.items[:from], j.names[:names]
	return loaded
}

// writeItem writes items[i] and everything in it. It can recurse, because values in memory
// are nested less than wholeItems deep.
func (j *jsonWriter) writeItem(items []item, i int) {
	v := &items[i].Value
	switch {
	case j.Full() || j.err != nil:
	case items[i].node != nil:
		j.write(items[i].node)
	case v.Type == datatype.File:
		if i+1 < items[i].next {
			j.writeItem(items, i+1)
		} else {
			j.Put("null")
		}
	case v.Refers:
		j.reference(v)
	case v.Type == datatype.Array, v.Type == datatype.Struct && (v.Damage == nil || v.Layout != tree.Leaf):
		if done, ok := j.begin(v); ok {
			if v.Type == datatype.Array {
				j.array(items, i)
			} else {
				j.structure(items, i)
			}
			done()
		}
	default:
		j.scalar(v)
	}
}

// begin records where a value is written; done must be called after it. A value that has already been
// written in place of a reference becomes a reference itself; ok is then false.
func (j *jsonWriter) begin(v *tree.Value) (done func(), ok bool) {
	if !v.Numbered || v.Serial == tree.NoSerial || !j.r.Tree.IsReferred(v.Serial) {
		return func() {}, true
	}
	if j.paths.Has(v.Serial) {
		j.circular(v.Serial)
		return nil, false
	}
	return j.paths.Enter(v.Serial, j.path), true
}

// circular writes a reference to an earlier value.
func (j *jsonWriter) circular(serial uint32) {
	j.PutQuoted(`{"__Elephant_Circular_Ref__":`, j.paths.Append(nil, serial))
	j.Put("}")
}

// reference writes a reference or, if its target is not written yet, the target.
func (j *jsonWriter) reference(v *tree.Value) {
	if j.paths.Has(v.Sub) {
		j.circular(v.Sub)
		return
	}
	if !block.LeadsNowhere(v) {
		if n, err := j.r.Numbered(v.Sub); err == nil {
			j.write(n)
			return
		}
	}
	j.Put("null")
}

// array writes an array from its elements.
func (j *jsonWriter) array(items []item, i int) {
	v := &items[i].Value
	j.Put("[")
	if v.Layout == tree.Fixed {
		j.elements(v)
	}
	length, index := len(j.path), int64(0)
	for c := i + 1; c < items[i].next && !j.Full(); c = items[c].next {
		if index > 0 {
			j.Put(",")
		}
		j.path = tree.AppendIndexStep(j.path[:length], index)
		j.writeItem(items, c)
		index++
	}
	j.path = j.path[:length]
	j.Put("]")
}

// elements writes the elements of an array of fixed stride.
func (j *jsonWriter) elements(v *tree.Value) {
	element := datatype.ID(v.Sub)
	for i := int64(0); i < v.Count && !j.Full(); i++ {
		if i > 0 {
			j.Put(",")
		}
		if element == datatype.Undefined {
			j.Put("null")
			continue
		}
		j.number(datatype.NumberAt(j.w, element, v.Body+i*int64(v.Stride)))
	}
}

// scalar writes a value without children.
func (j *jsonWriter) scalar(v *tree.Value) {
	switch {
	case v.Damage != nil, v.Type == datatype.Undefined, v.Type == datatype.Skipped:
		j.Put("null")
	case datatype.IsText(v.Type):
		j.Quoted(j.w, v.Body, v.Tail-1-v.Body)
	default:
		j.number(datatype.NumberAt(j.w, v.Type, v.Body))
	}
}

// number writes a number as GameMaker's json_stringify does; numbers that JSON does not have become text.
func (j *jsonWriter) number(n datatype.Number) {
	x := 0.0
	if n.IsFloat() {
		x = n.Float()
	}
	switch {
	case n.Of == datatype.U64:
		j.Put(`"@i64@`)
		j.Dst = strconv.AppendUint(j.Dst, n.Bits, 16)
		j.Put(`$i64$"`)
	case math.IsNaN(x):
		j.Put(`"@@nan$$"`)
	case math.IsInf(x, 1):
		j.Put(`"@@infinity$$"`)
	case math.IsInf(x, -1):
		j.Put(`"@@-infinity$$"`)
	case n.IsFloat() && x == 0:
		j.Put("0")
	default:
		j.Dst = n.Append(j.Dst)
	}
}

// An item is a value in memory, or the node of one that is too large for that.
type item struct {
	tree.Value
	name []byte     // name of a member
	next int        // position after the value's own items
	node *tree.Node // node of a value whose children are not in memory
}

// Limits of a value that is loaded whole. If values are nested more deeply than usual, loading stops early,
// because every level tries it again.
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
func (j *jsonWriter) name(v *tree.Value) []byte { return j.w.View(v.Start, v.Tail-1-v.Start) }

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

// maxLarge is the depth to which values that are not in memory may be nested. Each of them needs a search
// for the end of its children.
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

// members returns a struct and its members, without their contents.
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

// smallElements writes elements of n from c on, up to one that is too large to be loaded, and returns that
// one after writing what precedes it.
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

// structure writes the struct items[i] from its members.
func (j *jsonWriter) structure(items []item, i int) {
	from := len(j.order)
	for c := i + 1; c < items[i].next; c = items[c].next {
		j.order = append(j.order, c)
	}
	members := written(sorted(j.order[from:], items), items)
	j.Put("{")
	some := j.constructor(&items[i].Value)
	length := len(j.path)
	for _, m := range members {
		if some {
			j.Put(",")
		}
		j.Dst = tree.AppendQuoted(j.Dst, items[m].name)
		j.Put(":")
		j.path = append(append(j.path[:length], '.'), items[m].name...)
		j.writeItem(items, m)
		some = true
	}
	j.path, j.order = j.path[:length], j.order[:from]
	j.Put("}")
}

// sorted returns members in the order of their names.
func sorted(members []int, items []item) []int {
	compare := func(a, b int) int { return bytes.Compare(items[a].name, items[b].name) }
	if !slices.IsSortedFunc(members, compare) {
		slices.SortStableFunc(members, compare)
	}
	return members
}

// written removes the members that are not written: skipped ones, and all but the last with the same name,
// which the library keeps.
func written(members []int, items []item) []int {
	kept := members[:0]
	for at, m := range members {
		if items[m].Type == datatype.Skipped || at+1 < len(members) && bytes.Equal(items[members[at+1]].name, items[m].name) {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// constructor writes the beginning of a constructed struct; it reports whether the struct is one.
func (j *jsonWriter) constructor(v *tree.Value) bool {
	if v.Flags&block.Constructed == 0 {
		return false
	}
	j.PutQuoted(`"__Elephant_Constructor__":`, []byte(j.f.CtorName(v)))
	version, _ := j.f.Rules.SchemaVersion(j.w.Byte(j.f.VersionAt(j.w, v)))
	j.PutInt(`,"__Elephant_Schema_Version__":`, int64(version))
	return true
}
