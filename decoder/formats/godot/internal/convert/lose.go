package convert

import (
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// note reports a value that is written as something that means nearly the same.
func (c *converter) note(v *tree.Value, reason string) {
	if c.q.Report == nil {
		return
	}
	l := format.Loss{Type: c.from.TypeName(v), Reason: reason, Outcome: format.Changed}
	if c.q.Paths {
		l.Path = c.path()
	}
	c.q.Report(l)
}

// lose writes a replacement for a value without a counterpart. Nothing of the value itself
// has been written.
func (c *converter) lose(v *tree.Value, reason string) error {
	l, key := c.top(), c.scan.Slot().Key
	loss := format.Loss{Path: c.path(), Type: c.from.TypeName(v), Reason: reason, Outcome: c.outcome(l, v, key)}
	if c.q.Report != nil {
		c.q.Report(loss)
	}
	switch loss.Outcome {
	case format.Dropped:
		c.truncate(l.began)
		l.omits = key
		c.skip()
		return nil
	case format.Described:
		if c.event == tree.Enter {
			return c.describeObject(v)
		}
		if err := c.describe(v); err != nil {
			return err
		}
	case format.Texted:
		c.Header(types.String, 0)
		c.PutString(c.paths.AppendLiteral(nil, v, maxKeyText))
	case format.Nulled:
		c.Header(types.Nil, 0)
	default:
		if c.stopped++; c.stopped == 1 {
			c.first = loss
		}
	}
	c.skip()
	return c.end(v, key)
}

// maxKeyText is the length in bytes of the longest key that becomes its text.
const maxKeyText = 4096

// outcome returns what happens to a value without a counterpart: what was requested, if the value around it
// allows that.
func (c *converter) outcome(l *level, v *tree.Value, key bool) format.Outcome {
	o := c.q.Lost
	inPath := types.Of(l.typ).Shape == types.ShapePath
	switch {
	case o == format.Dropped && !inPath:
		return o
	case o == format.Stops, o == format.Dropped:
		return format.Stops
	case key && l.typ == types.Dictionary && l.keys.Allows(types.String):
		return format.Texted
	case key:
		return format.Stops
	case o == format.Nulled && l.accepts.Allows(types.Nil):
		return o
	case o == format.Described && l.accepts.Allows(types.Dictionary) && c.isDescribable(v):
		return o
	}
	return format.Stops
}

// isDescribable reports whether a Dictionary can describe a value: an object, or a value
// that contains no others.
func (c *converter) isDescribable(v *tree.Value) bool {
	return c.event == tree.Atom || v.Type == types.Object && !c.isTooDeep(1)
}

// describe writes a Dictionary with the members of the JSON form of a value.
func (c *converter) describe(v *tree.Value) error {
	t := types.Of(v.Type)
	members := map[types.Shape]uint32{types.ShapeSignal: 3, types.ShapeText: 2, types.ShapeFixed: 2, types.ShapePacked: 2}
	c.Header(types.Dictionary, 0)
	c.U32(max(1, members[t.Shape]))
	c.putText("type")
	c.putText(t.Name)
	switch t.Shape {
	case types.ShapeSignal:
		c.putText("name")
		if err := c.putString(v.Head + 4); err != nil {
			return err
		}
		c.putText("object_id")
		c.PutInt(int64(c.w.U64(v.Tail - 8)))
	case types.ShapeText:
		c.putText("bytes")
		bytes, _ := c.to.Dialect.TypeNamed("PackedByteArray")
		c.Header(bytes, 0)
		return c.payload(v)
	case types.ShapeFixed, types.ShapePacked:
		c.putText("args")
		return c.describeNumbers(v, t)
	}
	return nil
}

// putString writes the string at an offset as a String.
func (c *converter) putString(at int64) error {
	n := int64(c.w.U32(at))
	c.Header(types.String, 0)
	return c.copy(c.w, at, 4+n+types.Pad(n))
}

func (c *converter) putText(text string) {
	c.Header(types.String, 0)
	c.PutString([]byte(text))
}

// describeNumbers writes the components of a value as an Array.
func (c *converter) describeNumbers(v *tree.Value, t *types.Type) error {
	comp, n := types.ID(v.Sub), v.Count
	if t.Shape == types.ShapePacked {
		n *= int64(t.Each())
	}
	c.Header(types.Array, 0)
	c.U32(uint32(n))
	for i := range n {
		bits := numeric.BitsAt(c.w, comp, v.Body+i*types.Width(comp))
		if comp == types.Float32 || comp == types.Float64 {
			c.PutFloat(toFloat(comp, bits))
		} else {
			c.PutInt(toInt(comp, bits))
		}
		if err := c.room(); err != nil {
			return err
		}
	}
	return nil
}

// describeObject begins a Dictionary with the class of an object, and its properties as another Dictionary.
func (c *converter) describeObject(v *tree.Value) error {
	c.Header(types.Dictionary, 0)
	c.U32(2)
	c.putText("type")
	if err := c.putString(v.Head + 4); err != nil {
		return err
	}
	c.putText("props")
	c.Header(types.Dictionary, 0)
	c.open(v, level{names: true, accepts: types.Constraint{Any: true}})
	return nil
}

// open writes the count of a value with children, which follow.
func (c *converter) open(v *tree.Value, l level) {
	l.typ, l.count, l.key = v.Type, v.Count, c.scan.Slot().Key
	if types.HasSharedBit(v.Type) {
		l.shared = c.w.U32(v.Body-4) & types.SharedBit
	}
	l.countAt = c.size()
	c.U32(uint32(l.count) | l.shared)
	c.levels = append(c.levels, l)
}

// four reports whether a dialect is one of Godot 4.
func four(f *variant.Format) bool { return f.Dialect.Has(types.PackedInt64Array) }
