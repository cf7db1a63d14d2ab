// Package types holds the types of all dialects, and the dialects that give them ids.
package types

import (
	"fmt"
	"iter"
	"maps"
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
)

// An ID is the number of a type among the types of all dialects. The ids in a file are those of its
// dialect. Types that only the tables of this package name begin with a small t.
type ID = uint16

const (
	Nil ID = iota
	Bool
	Int
	Float
	String
	Vector2
	tVector2i
	Rect2
	tRect2i
	Vector3
	tVector3i
	Vector4
	Vector4i
	Transform2D
	Plane
	Quat
	Quaternion
	tAABB
	Basis
	Transform
	Transform3D
	Projection
	Color
	StringName
	NodePath
	RID
	Object
	Callable
	Signal
	Dictionary
	Array
	TypedArray
	PackedTypedArray
	tPackedByteArray
	tPackedInt32Array
	PackedInt64Array
	PackedFloat32Array
	PackedFloat64Array
	tPackedStringArray
	tPackedVector2Array
	tPackedVector3Array
	tPackedVector4Array
	tPackedColorArray
	tPoolByteArray
	PoolIntArray
	PoolRealArray
	tPoolStringArray
	tPoolVector2Array
	tPoolVector2iArray
	tPoolVector3Array
	tPoolVector3iArray
	PoolVector4Array
	tPoolVector4iArray
	tPoolColorArray
	ExtResource // reference to another file, in the notation of resources
	SubResource // refers to a resource in the same file
	Resource    // the same by a path, in text
	Legacy      // an input event or image in the text of Godot 2

	// These have no id in any file: buffers, and parts of values.
	Raw        // a buffer of one bare value
	Stream     // a buffer of frames, or of bare values one after another
	Name       // name of an object's property
	Part       // name or subname of a NodePath
	Entry      // element of a packed string array
	Byte       // element of a packed byte array
	Int32      // component or element
	Int64      //
	Float32    //
	Float64    //
	Element    // vector in a packed array
	Record     // parts with names in a resource file
	List       // records, counted
	Properties // names and values of a resource, with a count
	Property   // name of one: the index of a string
	Reserved   // bytes without a meaning
	Unknown    // an id that the dialect's table lacks
	typeCount
)

// Shape is the layout of a payload.
type Shape uint8

const (
	ShapeNone      Shape = iota // nothing
	ShapeBool                   // u32
	ShapeNumber                 // int or float of 32 or 64 bits
	ShapeText                   // string
	ShapeFixed                  // components
	ShapePath                   // NodePath
	ShapeRID                    // u64 in Godot 4, else nothing
	ShapeObject                 // id, or class and properties
	ShapeSignal                 // string, u64
	ShapeDict                   // pairs
	ShapeArray                  // values
	ShapeTyped                  // Pandemonium's TypedArray
	ShapeBytes                  // packed bytes
	ShapePacked                 // packed components
	ShapeStrings                // packed strings
	ShapeReference              // kind and index of a resource
	ShapeRecord                 // parts, some of which have names
	ShapeUnknown                // a type that the dialect lacks
)

// A Type describes a type; see section "Payloads" of the specification.
type Type struct {
	Name  string
	Shape Shape
	Comp  ID       // type of a component: Int32, Float32, …; Float32 may become Float64
	Parts []string // names of the components of one element, in file order
	Wide  bool     // flag bit 16 makes the components 64-bit
}

var (
	xy       = strings.Fields("x y")
	xyz      = strings.Fields("x y z")
	xyzw     = strings.Fields("x y z w")
	rgba     = strings.Fields("r g b a")
	plane    = strings.Fields("normal.x normal.y normal.z d")
	rect     = strings.Fields("position.x position.y size.x size.y")
	aabb     = strings.Fields("position.x position.y position.z size.x size.y size.z")
	columns2 = strings.Fields("x.x x.y y.x y.y origin.x origin.y")
	// Row order: measured with Godot 3.2.3 and 4.6, the documents say columns.
	rows3     = strings.Fields("x.x y.x z.x x.y y.y z.y x.z y.z z.z")
	transform = strings.Fields("basis.x.x basis.y.x basis.z.x basis.x.y basis.y.y basis.z.y basis.x.z basis.y.z basis.z.z origin.x origin.y origin.z")
	columns4  = strings.Fields("x.x x.y x.z x.w y.x y.y y.z y.w z.x z.y z.z z.w w.x w.y w.z w.w")
)

var all = [typeCount]Type{
	Nil:                 {Name: "Nil"},
	Bool:                {Name: "bool", Shape: ShapeBool},
	Int:                 {Name: "int", Shape: ShapeNumber},
	Float:               {Name: "float", Shape: ShapeNumber},
	String:              {Name: "String", Shape: ShapeText},
	Vector2:             {Name: "Vector2", Shape: ShapeFixed, Comp: Float32, Parts: xy, Wide: true},
	tVector2i:           {Name: "Vector2i", Shape: ShapeFixed, Comp: Int32, Parts: xy},
	Rect2:               {Name: "Rect2", Shape: ShapeFixed, Comp: Float32, Parts: rect, Wide: true},
	tRect2i:             {Name: "Rect2i", Shape: ShapeFixed, Comp: Int32, Parts: rect},
	Vector3:             {Name: "Vector3", Shape: ShapeFixed, Comp: Float32, Parts: xyz, Wide: true},
	tVector3i:           {Name: "Vector3i", Shape: ShapeFixed, Comp: Int32, Parts: xyz},
	Vector4:             {Name: "Vector4", Shape: ShapeFixed, Comp: Float32, Parts: xyzw, Wide: true},
	Vector4i:            {Name: "Vector4i", Shape: ShapeFixed, Comp: Int32, Parts: xyzw},
	Transform2D:         {Name: "Transform2D", Shape: ShapeFixed, Comp: Float32, Parts: columns2, Wide: true},
	Plane:               {Name: "Plane", Shape: ShapeFixed, Comp: Float32, Parts: plane, Wide: true},
	Quat:                {Name: "Quat", Shape: ShapeFixed, Comp: Float32, Parts: xyzw, Wide: true},
	Quaternion:          {Name: "Quaternion", Shape: ShapeFixed, Comp: Float32, Parts: xyzw, Wide: true},
	tAABB:               {Name: "AABB", Shape: ShapeFixed, Comp: Float32, Parts: aabb, Wide: true},
	Basis:               {Name: "Basis", Shape: ShapeFixed, Comp: Float32, Parts: rows3, Wide: true},
	Transform:           {Name: "Transform", Shape: ShapeFixed, Comp: Float32, Parts: transform, Wide: true},
	Transform3D:         {Name: "Transform3D", Shape: ShapeFixed, Comp: Float32, Parts: transform, Wide: true},
	Projection:          {Name: "Projection", Shape: ShapeFixed, Comp: Float32, Parts: columns4, Wide: true},
	Color:               {Name: "Color", Shape: ShapeFixed, Comp: Float32, Parts: rgba},
	StringName:          {Name: "StringName", Shape: ShapeText},
	NodePath:            {Name: "NodePath", Shape: ShapePath},
	RID:                 {Name: "RID", Shape: ShapeRID},
	Object:              {Name: "Object", Shape: ShapeObject},
	Callable:            {Name: "Callable"},
	Signal:              {Name: "Signal", Shape: ShapeSignal},
	Dictionary:          {Name: "Dictionary", Shape: ShapeDict},
	Array:               {Name: "Array", Shape: ShapeArray},
	TypedArray:          {Name: "TypedArray", Shape: ShapeTyped},
	PackedTypedArray:    {Name: "PackedTypedArray", Shape: ShapeTyped},
	tPackedByteArray:    {Name: "PackedByteArray", Shape: ShapeBytes, Comp: Byte},
	tPackedInt32Array:   {Name: "PackedInt32Array", Shape: ShapePacked, Comp: Int32},
	PackedInt64Array:    {Name: "PackedInt64Array", Shape: ShapePacked, Comp: Int64},
	PackedFloat32Array:  {Name: "PackedFloat32Array", Shape: ShapePacked, Comp: Float32},
	PackedFloat64Array:  {Name: "PackedFloat64Array", Shape: ShapePacked, Comp: Float64},
	tPackedStringArray:  {Name: "PackedStringArray", Shape: ShapeStrings},
	tPackedVector2Array: {Name: "PackedVector2Array", Shape: ShapePacked, Comp: Float32, Parts: xy, Wide: true},
	tPackedVector3Array: {Name: "PackedVector3Array", Shape: ShapePacked, Comp: Float32, Parts: xyz, Wide: true},
	tPackedVector4Array: {Name: "PackedVector4Array", Shape: ShapePacked, Comp: Float32, Parts: xyzw, Wide: true},
	tPackedColorArray:   {Name: "PackedColorArray", Shape: ShapePacked, Comp: Float32, Parts: rgba},
	tPoolByteArray:      {Name: "PoolByteArray", Shape: ShapeBytes, Comp: Byte},
	PoolIntArray:        {Name: "PoolIntArray", Shape: ShapePacked, Comp: Int32},
	PoolRealArray:       {Name: "PoolRealArray", Shape: ShapePacked, Comp: Float32},
	tPoolStringArray:    {Name: "PoolStringArray", Shape: ShapeStrings},
	tPoolVector2Array:   {Name: "PoolVector2Array", Shape: ShapePacked, Comp: Float32, Parts: xy, Wide: true},
	tPoolVector2iArray:  {Name: "PoolVector2iArray", Shape: ShapePacked, Comp: Int32, Parts: xy},
	tPoolVector3Array:   {Name: "PoolVector3Array", Shape: ShapePacked, Comp: Float32, Parts: xyz, Wide: true},
	tPoolVector3iArray:  {Name: "PoolVector3iArray", Shape: ShapePacked, Comp: Int32, Parts: xyz},
	PoolVector4Array:    {Name: "PoolVector4Array", Shape: ShapePacked, Comp: Float32, Parts: xyzw, Wide: true},
	tPoolVector4iArray:  {Name: "PoolVector4iArray", Shape: ShapePacked, Comp: Int32, Parts: xyzw},
	tPoolColorArray:     {Name: "PoolColorArray", Shape: ShapePacked, Comp: Float32, Parts: rgba},

	ExtResource: {Name: "ExtResource", Shape: ShapeReference},
	SubResource: {Name: "SubResource", Shape: ShapeReference},
	Resource:    {Name: "Resource", Shape: ShapeReference},

	Record:     {Name: "record", Shape: ShapeRecord},
	List:       {Name: "list", Shape: ShapeRecord},
	Properties: {Name: "properties", Shape: ShapeDict},
	Property:   {Name: "property name", Shape: ShapeText},
	Legacy:     {Name: "value of Godot 2"},
	Reserved:   {Name: "reserved"},

	Raw:     {Name: "value"},
	Stream:  {Name: "stream"},
	Name:    {Name: "property name", Shape: ShapeText},
	Part:    {Name: "name", Shape: ShapeText},
	Entry:   {Name: "String", Shape: ShapeText},
	Byte:    {Name: "byte", Shape: ShapeNumber},
	Int32:   {Name: "int", Shape: ShapeNumber},
	Int64:   {Name: "int", Shape: ShapeNumber},
	Float32: {Name: "float", Shape: ShapeNumber},
	Float64: {Name: "float", Shape: ShapeNumber},
	Element: {Name: "element"},
	Unknown: {Name: "unknown", Shape: ShapeUnknown},
}

// Of describes a type.
func Of(t ID) *Type { return &all[t] }

// TypeByName finds a type of any dialect by its name.
func TypeByName(name string) (ID, bool) {
	id, ok := byName[name]
	return id, ok
}

var byName = func() map[string]ID {
	ids := map[string]ID{}
	for id := range Raw {
		ids[all[id].Name] = id
	}
	for old, name := range godot2 {
		ids[old] = ids[name]
	}
	return ids
}()

// godot2 are types by their names in Godot 2.
var godot2 = map[string]string{"ByteArray": "PoolByteArray", "IntArray": "PoolIntArray", "FloatArray": "PoolRealArray", "StringArray": "PoolStringArray",
	"Vector2Array": "PoolVector2Array", "Vector3Array": "PoolVector3Array", "ColorArray": "PoolColorArray", "Matrix32": "Transform2D", "Matrix3": "Basis", "Rect3": "AABB"}

// Names returns the names of all types, also those of Godot 2.
func Names() iter.Seq[string] { return maps.Keys(byName) }

// Each returns the number of numbers in a value of the type, or in an element of a packed array.
func (t *Type) Each() int { return max(1, len(t.Parts)) }

// IsPacked reports whether values of the type are packed arrays.
func (t *Type) IsPacked() bool { return t.Shape >= ShapeBytes && t.Shape <= ShapeStrings }

// Element names the type of a packed array's elements: Vector2 for a
// PackedVector2Array.
func (t *Type) Element() string {
	name := t.Name
	for _, prefix := range []string{"Packed", "Pool"} {
		if len(name) > len(prefix) && name[:len(prefix)] == prefix {
			name = name[len(prefix):]
		}
	}
	return name[:len(name)-len("Array")]
}

// CountMismatch describes how n numbers differ from what a vector or packed array of the type needs; "" if
// they fit. name is the type's name.
func (t *Type) CountMismatch(name string, n int64) string {
	here := "are " + strconv.FormatInt(n, 10)
	if n == 1 {
		here = "is 1"
	}
	switch each := int64(t.Each()); {
	case t.Shape == ShapeFixed && n != each:
		return fmt.Sprintf("%s needs %d numbers, here %s", name, each, here)
	case n%each != 0:
		return fmt.Sprintf("%s needs %d numbers for each element, here %s", name, each, here)
	}
	return ""
}

// Width returns the size of a component in bytes.
func Width(comp ID) int64 {
	switch comp {
	case Byte:
		return 1
	case Int64, Float64:
		return 8
	}
	return 4
}

// WideFlag is header flag bit 16: a 64-bit number, 64-bit components, or an
// object stored as its id.
const WideFlag = 1

// EncodedObject is the class, and ObjectID the property, that Godot gives an object that is stored as its id.
const (
	EncodedObject = "EncodedObjectAsID"
	ObjectID      = "object_id"
)

// SharedBit is bit 31 of a Dictionary's or Array's count: an obsolete mark that
// engines ignore.
const SharedBit = 1 << 31

// HasSharedBit reports whether bit 31 of the count or element type of a type is an
// obsolete mark.
func HasSharedBit(t ID) bool {
	return t == Dictionary || t == Array || t == TypedArray || t == PackedTypedArray
}

// Pad returns the number of bytes that round n up to a multiple of 4.
func Pad(n int64) int64 { return -n & 3 }

// A ContainerType is the declared type of the keys, values or elements of a typed
// container.
type ContainerType struct {
	Kind uint16
	Name string // type, class or script path
}

// Kinds of container types, as the bits 16–17 of a header have them for an Array's
// elements or a Dictionary's keys, and bits 18–19 for a Dictionary's values.
const (
	KindNone = iota
	KindBuiltin
	KindClass
	KindScript
)

// ContainerKinds are the names of the kinds in JSON, by KindNone, KindBuiltin and so on.
var ContainerKinds = [...]string{"", "type", "class", "script"}

// Text returns the notation of var_to_str: int, Resource, Resource("res://item.gd"), Variant.
func (c ContainerType) Text() string {
	switch c.Kind {
	case KindClass:
		return className(c.Name)
	case KindScript:
		return "Resource(" + string(tree.AppendQuoted(nil, []byte(c.Name))) + ")"
	case KindNone:
		return "Variant"
	}
	return c.Name
}

// className returns the notation of an element class: in quotes unless it is an identifier that is not a
// type. A class name in a file may be any text.
func className(name string) string {
	if _, isType := TypeByName(name); !isType && name != "Variant" && tree.IsIdentifier([]byte(name)) {
		return name
	}
	return string(tree.AppendQuoted(nil, []byte(name)))
}

// Short returns the name for a row of the tree; for a script only the file.
func (c ContainerType) Short() string {
	name := c.Name
	if c.Kind == KindScript {
		for i := len(name) - 1; i >= 0; i-- {
			if name[i] == '/' {
				name = name[i+1:]
				break
			}
		}
	}
	if name == "" {
		name = "Variant"
	}
	return string(tree.AppendEscaped(nil, []byte(name), 0))
}

// Constraint returns what a container of this type accepts.
func (c ContainerType) Constraint() Constraint {
	switch c.Kind {
	case KindClass, KindScript:
		return Constraint{T: Object, Name: "Object"}
	case KindBuiltin:
		if t, ok := TypeByName(c.Name); ok && t != Nil {
			return Constraint{T: t, Name: c.Name}
		}
	}
	return Constraint{Any: true}
}

// A Constraint is what a container accepts at a slot: values of one type, or any.
type Constraint struct {
	T    ID
	Name string // name of the type
	Any  bool
}

// Allows reports whether a value of type t is accepted. A container of objects
// accepts null.
func (w Constraint) Allows(t ID) bool { return w.Any || t == w.T || w.T == Object && t == Nil }

// ContainerNamed returns the container type that a name alone means in a container of type t.
func (d *Dialect) ContainerNamed(t ID, name string) ContainerType {
	if id, ok := d.TypeNamed(name); ok && d.Has(id) {
		return ContainerType{KindBuiltin, Of(id).Name}
	}
	digits, isNumber := strings.CutPrefix(name, "type ")
	if id, err := strconv.ParseUint(digits, 10, 32); isNumber && err == nil {
		return d.ContainerNumbered(uint32(id))
	}
	switch {
	case name == "" || name == "Variant":
		return ContainerType{}
	case strings.Contains(name, "/") && Of(t).Shape != ShapeTyped:
		return ContainerType{KindScript, name}
	}
	return ContainerType{KindClass, name}
}

// ContainerNumbered returns the builtin container type with an id. An id without a type is named by its
// number.
func (d *Dialect) ContainerNumbered(id uint32) ContainerType {
	return ContainerType{KindBuiltin, d.ElementName(id)}
}

// BuiltinID returns the id of a builtin container type.
func (d *Dialect) BuiltinID(c ContainerType) uint32 {
	if t, ok := TypeByName(c.Name); ok {
		id, _ := d.IDOf(t)
		return id
	}
	id, _ := strconv.ParseUint(c.Name[len("type "):], 10, 32)
	return uint32(id)
}
