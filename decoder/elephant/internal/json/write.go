// Package json writes values in the form of ElephantToJSON (section 12 of the
// specification), and writes and reads their typed form (section 13).
package json

import (
	"context"
	"io"
	"math"
	"strconv"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Write writes a value in JSON, as ElephantToJSON of 1.5.1 does (section 12 of the
// specification). It visits the values as the library holds them after reading, the members
// of a struct in the order of their names. A reference that it visits before the target is
// replaced by the target. It builds the index of the tree if necessary.
func Write(ctx context.Context, f *block.Reading, out io.Writer, r *tree.Reader, v *tree.Value) error {
	if _, done := r.Tree.Indexed(); !done {
		if err := r.Tree.BuildIndex(ctx); err != nil {
			return err
		}
	}
	j := jsonWriter{Writer: tree.NewWriter(ctx, out), ctx: ctx, f: f, r: r, w: r.Window(), paths: literal.NewPaths()}
	j.write(&tree.Node{Value: *v, KeyAt: tree.Unknown})
	j.Put("\n")
	if err := j.Flush(); err != nil {
		return err
	}
	return j.err
}

// A jsonWriter writes values in the form of ElephantToJSON. The members of a struct must be
// in memory to be sorted: a value that contains few values is loaded whole; for a larger
// one only the children are found, one by one.
type jsonWriter struct {
	tree.Writer
	ctx   context.Context
	f     *block.Reading
	r     *tree.Reader
	w     *source.Window
	path  []byte // of the value being written, as the library writes it
	paths literal.Paths
	large int   // depth of the values being written that are not in memory
	err   error // of finding values

	items []item // of the values being written, each after those that contain it
	names []byte // of their members
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

// begin records where a value is written; done must be called after it. A value that has
// already been written, in the place of a reference, becomes a reference itself; ok is then
// false.
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

// circular writes a reference to what was written before.
func (j *jsonWriter) circular(serial uint32) {
	j.Put(`{"__Elephant_Circular_Ref__":`)
	j.Dst = tree.AppendQuoted(j.Dst, j.paths.Append(nil, serial))
	j.Put("}")
}

// reference writes a reference or, if that has not been written yet, its target.
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

// number writes a number as GameMaker's json_stringify does; numbers that JSON does not
// have become text.
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
