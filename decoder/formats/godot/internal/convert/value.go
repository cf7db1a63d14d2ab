package convert

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// counterpart returns the type with the same meaning in the other dialect.
func (c *converter) counterpart(t types.ID) (types.ID, bool) {
	d := c.to.Dialect
	if same, ok := d.TypeNamed(types.Of(t).Name); ok && d.Has(same) {
		return same, true
	}
	to := t
	switch t {
	case types.StringName:
		to = types.String
	case types.PackedTypedArray, types.TypedArray:
		if to = types.TypedArray; !d.Has(to) {
			to = types.Array
		}
	case types.PackedInt64Array:
		to = types.PoolIntArray
	case types.PackedFloat64Array:
		to = types.PoolRealArray
	}
	return to, d.Has(to)
}

// reason returns why a value has no counterpart of a type; "" if that follows from its content only.
func (c *converter) reason(v *tree.Value, to types.ID) string {
	switch d := c.to.Dialect; {
	case !c.targets[v.Type].ok:
		return fmt.Sprintf("%s has no %s", d.Title, types.Of(v.Type).Name)
	case c.misreads(to):
		return fmt.Sprintf("%s misreads a %s that it has written itself", d.Title, types.Of(to).Name)
	case c.event == tree.Enter && c.isTooDeep(0):
		return fmt.Sprintf("it is nested more than %d levels deep, which %s cannot read", d.Depth, d.Title)
	}
	return c.scriptReason(v)
}

// value writes a value, or what precedes its children. If the value has no counterpart, it
// writes nothing and returns the reason.
func (c *converter) value(v *tree.Value) (reason string, err error) {
	switch v.Type {
	case types.Part, types.Entry, types.Name:
		return c.part(v)
	}
	to := c.targets[v.Type].to
	if reason := c.reason(v, to); reason != "" {
		return reason, nil
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeNone:
		c.Header(to, 0)
	case types.ShapeNumber:
		return "", c.number(v)
	case types.ShapeText:
		return c.text(v, to)
	case types.ShapeFixed, types.ShapePacked:
		return c.components(v, to)
	case types.ShapeRID:
		c.rid(v)
	case types.ShapeObject:
		return "", c.object(v)
	case types.ShapePath:
		return "", c.nodePath(v)
	case types.ShapeStrings:
		c.Header(to, 0)
		c.open(v, level{accepts: types.Constraint{T: types.String}})
	case types.ShapeArray, types.ShapeDict, types.ShapeTyped:
		c.container(v, to)
	default: // bool, bytes, Signal
		c.Header(to, 0)
		return "", c.payload(v)
	}
	return "", nil
}

// misreads reports whether the engine that will read a value misreads its type. Files of that engine itself
// have such values anyway.
func (c *converter) misreads(to types.ID) bool {
	lone := len(c.levels) == 1 && (to == types.Vector4 || to == types.Vector4i)
	return c.from.Dialect.Engine != c.to.Dialect.Engine && c.to.Dialect.Misreads(to) && !lone
}

// isTooDeep reports whether the engine does not follow values at the current depth and the
// given number of levels below it.
func (c *converter) isTooDeep(more int) bool {
	d := c.to.Dialect.Depth
	return d > 0 && int64(len(c.levels)+more) > d
}

// scriptReason returns why the script of an object has no counterpart; "" if it has one.
func (c *converter) scriptReason(v *tree.Value) string {
	l := c.top()
	if !l.script || four(c.from) == four(c.to) {
		return ""
	}
	switch {
	case v.Type == types.Object && c.event == tree.Enter:
		return c.to.Dialect.Title + " stores the path of an object's script, this is its source"
	case types.Of(v.Type).Shape == types.ShapeText:
		return c.to.Dialect.Title + " stores the source of an object's script, this is its path"
	}
	return ""
}

// payload copies what follows the header of a value.
func (c *converter) payload(v *tree.Value) error {
	err := c.copy(c.w, v.Head+4, v.Tail-v.Head-4)
	c.Pad(int((v.Tail - v.Head) & 3)) // it may be missing at the end of a buffer
	return err
}

// number writes an int or float in its own width.
func (c *converter) number(v *tree.Value) error {
	switch {
	case !c.from.Dialect.NoFlags:
		c.Header(v.Type, uint32(v.Flags&types.WideFlag))
		return c.payload(v)
	case v.Type == types.Int:
		c.PutInt(variant.Int(c.w, v))
	default:
		c.PutFloat(variant.Float(c.w, v))
	}
	return nil
}

// text writes a String or StringName.
func (c *converter) text(v *tree.Value, to types.ID) (reason string, err error) {
	if reason := c.textReason(v.Head + 4); reason != "" {
		return reason, nil
	}
	switch {
	case v.Type == types.StringName && to == types.String:
		c.note(v, "a StringName becomes a String")
	case c.q.StringNames && c.scan.Slot().Key && c.top().typ == types.Dictionary && c.top().keys.Any && c.to.Dialect.Has(types.StringName):
		to = types.StringName
	}
	c.Header(to, 0)
	return "", c.payload(v)
}

// textReason returns why the engine does not read the string at an offset, although the engine that wrote
// it does; "" if it reads it.
func (c *converter) textReason(at int64) string {
	if !c.to.Dialect.StrictText || c.from.Dialect.StrictText {
		return ""
	}
	n := int64(c.w.U32(at))
	if n <= source.MaxView && utf8.Valid(c.w.View(at+4, n)) {
		return "" // quickly, as most are
	}
	bad, _ := tree.ScanText(c.w, at+4, n, tree.RuneSize)
	if bad == tree.Unknown {
		return ""
	}
	if own, _ := tree.ScanText(c.w, at+4, n, c.from.RuneSize); own != tree.Unknown && own <= bad {
		return "" // no engine reads it
	}
	return c.to.Dialect.Title + " reads no text with surrogates or code points past 10FFFF"
}

// part writes a name of a NodePath, an entry of a string array or the name of a property.
func (c *converter) part(v *tree.Value) (reason string, err error) {
	if reason := c.textReason(v.Start); reason != "" {
		return reason, nil
	}
	l := c.top()
	if v.Type == types.Name {
		l.script = string(c.w.View(v.Start+4, min(int64(c.w.U32(v.Start)), 8))) == "script"
		if l.names {
			c.Header(types.String, 0)
		}
	}
	err = c.copy(c.w, v.Start, v.Tail-v.Start)
	c.Pad(int((v.Tail - v.Start) & 3))
	return "", err
}

func (c *converter) rid(v *tree.Value) {
	c.Header(types.RID, 0)
	id := c.from.RID(c.w, v)
	if c.to.Dialect.RIDHasID {
		c.Out = numeric.AppendBinary(c.Out, types.Int64, id)
	} else if id != 0 {
		c.note(v, c.to.Dialect.Title+" does not store the id of a RID")
	}
}

// toFloat and toInt return the number given by the bits of a component.
func toFloat(comp types.ID, bits uint64) float64 {
	if comp == types.Float64 {
		return math.Float64frombits(bits)
	}
	return float64(math.Float32frombits(uint32(bits)))
}

func toInt(comp types.ID, bits uint64) int64 {
	if comp == types.Int32 {
		return int64(int32(bits))
	}
	return int64(bits)
}

// components writes a vector, or a packed array of numbers or vectors.
func (c *converter) components(v *tree.Value, to types.ID) (reason string, err error) {
	is := types.ID(v.Sub)
	if to == types.PackedFloat32Array && is == types.Float64 && c.q.Bits != 32 {
		to = types.PackedFloat64Array // from a double-precision build
	}
	t := types.Of(to)
	wide := is == types.Float64 && c.q.Bits == 0 || c.q.Bits == 64
	comp := c.to.Component(t, wide)
	isPacked, n := t.Shape == types.ShapePacked, v.Count
	if isPacked {
		n *= int64(t.Each())
	}
	if reason := c.narrowReason(v, is, comp, n); reason != "" {
		return reason, nil
	}
	flags := uint32(0)
	if comp != t.Comp && !c.to.Double {
		flags = types.WideFlag
	}
	if types.Of(v.Type).Comp == types.Int64 && comp == types.Int32 || v.Type == types.PackedFloat64Array && comp == types.Float32 {
		c.note(v, fmt.Sprintf("a %s becomes a %s, which can hold its numbers", types.Of(v.Type).Name, t.Name))
	}
	c.Header(to, flags)
	if isPacked {
		c.U32(uint32(v.Count))
	}
	return "", c.numbers(is, comp, v.Body, n)
}

// numbers converts n numbers at a place.
func (c *converter) numbers(is, to types.ID, at, n int64) error {
	if is == to {
		return c.copy(c.w, at, n*types.Width(is))
	}
	for i := range n {
		bits := numeric.BitsAt(c.w, is, at+i*types.Width(is))
		c.Out = numeric.AppendBinary(c.Out, to, converted(is, to, bits))
		if err := c.room(); err != nil {
			return err
		}
	}
	return nil
}

// converted returns the bits of a component of one type as those of another.
func converted(is, comp types.ID, bits uint64) uint64 {
	switch comp {
	case types.Float64:
		return math.Float64bits(toFloat(is, bits))
	case types.Float32:
		return uint64(math.Float32bits(float32(toFloat(is, bits))))
	}
	return uint64(toInt(is, bits))
}

// narrowReason returns why n components do not fit a narrower type; "" if they do.
func (c *converter) narrowReason(v *tree.Value, is, comp types.ID, n int64) string {
	if types.Width(comp) >= types.Width(is) || comp == types.Float32 && c.q.Bits == 32 {
		return ""
	}
	for i := range n {
		bits := numeric.BitsAt(c.w, is, v.Body+i*types.Width(is))
		if comp == types.Int32 {
			if x := toInt(is, bits); x != int64(int32(x)) {
				return fmt.Sprintf("%d does not fit the 32 bits of numbers there", x)
			}
		} else if x := toFloat(is, bits); !math.IsNaN(x) && !numeric.FitsFloat32(x) {
			return fmt.Sprintf("%s is not the same in 32 bits", numeric.AppendFloat(nil, x, 64, numeric.StyleTagged))
		}
	}
	return ""
}

// container begins an Array, Dictionary or TypedArray.
func (c *converter) container(v *tree.Value, to types.ID) {
	elem, value := c.from.ContainerTypes(c.w, v)
	typed := c.to.Dialect.Typed
	if to == types.Array && elem.Kind != types.KindNone && c.to.Dialect.Has(types.TypedArray) {
		to = types.TypedArray
	}
	typed = typed || to == types.TypedArray
	l := literal.Literal{Kind: to, Parts: &literal.Parts{Elem: c.elements(elem, typed), Value: c.elements(value, typed)}}
	if l.Elem.Kind == types.KindNone && elem.Kind != types.KindNone || l.Value.Kind == types.KindNone && value.Kind != types.KindNone {
		name := types.Of(v.Type).Name
		c.note(v, fmt.Sprintf("a typed %s becomes an untyped one", name))
		if to == types.TypedArray && c.to.Dialect.Has(types.Array) {
			l.Kind = types.Array
		}
	}
	c.ContainerHeader(&l)
	in := level{accepts: l.Elem.Constraint()}
	if v.Type == types.Dictionary {
		in.accepts, in.keys = l.Value.Constraint(), l.Elem.Constraint()
	}
	c.open(v, in)
}

// elements returns the type that a container declares for its elements, in the other dialect; typed says
// whether that dialect has typed containers.
func (c *converter) elements(is types.ContainerType, typed bool) (none types.ContainerType) {
	if !typed || is.Kind == types.KindNone {
		return none
	}
	named := c.to.Dialect.Typed // classes and scripts, as in Godot 4
	switch {
	case is.Kind == types.KindScript && named:
		return is
	case is.Kind == types.KindClass && is.Name == types.EncodedObject && !named:
		return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(types.Object).Name}
	case is.Kind == types.KindClass:
		is.Name = string(c.className([]byte(is.Name)))
		return is
	case is.Kind != types.KindBuiltin:
		return none
	}
	t, known := types.TypeByName(is.Name)
	if t == types.Object && named {
		return types.ContainerType{Kind: types.KindClass, Name: types.EncodedObject}
	}
	to, ok := c.counterpart(t)
	same, _ := c.to.Dialect.TypeNamed(is.Name)
	if !known || !ok || to != same { // the new type depends on its numbers
		return none
	}
	return types.ContainerType{Kind: types.KindBuiltin, Name: types.Of(to).Name}
}

// object writes an object that is stored as its id or is null, or what precedes the properties of one.
func (c *converter) object(v *tree.Value) error {
	if c.event == tree.Atom {
		c.Header(types.Object, uint32(v.Flags&c.from.Dialect.KnownFlags(types.Object)))
		return c.payload(v) // of 4 or 8 bytes
	}
	c.Header(types.Object, 0)
	n := int64(c.w.U32(v.Head + 4))
	is := slices.Clone(c.w.View(v.Head+8, min(n, maxClass)))
	if class := c.className(is); string(class) != string(is) {
		c.note(v, fmt.Sprintf("the class %s is called %s", tree.Prose(is), tree.Prose(class)))
		c.PutString(class)
	} else if err := c.copy(c.w, v.Head+4, 4+n+types.Pad(n)); err != nil {
		return err
	}
	c.open(v, level{accepts: types.Constraint{Any: true}})
	return nil
}

// maxClass is greater than the length of every engine's class names.
const maxClass = 256

// className returns the name of a class in the other engine.
func (c *converter) className(class []byte) []byte {
	names := original
	switch {
	case four(c.from) == four(c.to):
		return class
	case four(c.to):
		names = renamed
	}
	if name, ok := names()[string(class)]; ok {
		return []byte(name)
	}
	return class
}

// nodePath writes a NodePath, with the counts of its names, which follow.
func (c *converter) nodePath(v *tree.Value) error {
	c.Header(types.NodePath, 0)
	if c.event == tree.Atom { // the old form, one string
		return c.payload(v)
	}
	err := c.copy(c.w, v.Head+4, v.Body-v.Head-4)
	c.levels = append(c.levels, level{typ: v.Type, count: v.Count, key: c.scan.Slot().Key, accepts: types.Constraint{T: types.String}})
	return err
}
