package types

import (
	"fmt"
	"strings"
	"sync"
)

// A Dialect is the meaning of the ids and flags of a file.
type Dialect struct {
	Name  string // name as in --as: "godot4"
	Title string // title for people: "Godot 4"
	About string // which versions write it

	Table      []ID  // by id
	RIDHasID   bool  // a RID carries a u64
	WideParts  bool  // flag bit 16 means 64-bit components
	Typed      bool  // containers carry element types (Godot 4.4)
	NoFlags    bool  // ints have 64 bits, floats 32, and flags mean nothing
	double     bool  // --double is meaningful: components may be 64-bit without a flag
	DoubleAll  bool  // and then all are: colours and PoolRealArray too
	StrictText bool  // surrogates and code points past 10FFFF fail
	Depth      int64 // number of levels of nesting that the engine accepts; 0 if there is no limit
	Engine     Engine
	Resource   bool // values are those of a resource file: no flags, no padding, a NUL after each string

	pass [2]func() *PassTable // the second where components are 64-bit without a flag
}

// Engine is the engine whose quirks apply.
type Engine uint8

const (
	EngineGodot4 Engine = iota
	engineGodot3
	EnginePandemonium
	engineNone // a table that no engine writes
)

// table returns the types by their ids; "-" is an id without a type.
func table(names string) []ID {
	var ids []ID
	for _, name := range strings.Fields(names) {
		id, ok := TypeByName(name)
		if name == "-" {
			id, ok = Unknown, true
		}
		if !ok {
			panic("godot: no type " + name)
		}
		ids = append(ids, id)
	}
	return ids
}

const godot3Types = `Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quat AABB Basis Transform Color
	NodePath RID Object Dictionary Array PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array
	PoolVector3Array PoolColorArray`

// dialects are ordered by likelihood, which settles a tie in detection.
var dialects = []*Dialect{
	{
		Name: "godot4", Title: "Godot 4", About: "Godot 4.0 to 4.6",
		Table: table(`Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i
			Plane Quaternion AABB Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal
			Dictionary Array PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array
			PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array`),
		RIDHasID: true, WideParts: true, Typed: true, StrictText: true, Depth: 1024, Engine: EngineGodot4,
	},
	{
		Name: "godot3", Title: "Godot 3", About: "Godot 3.0 to 3.6, Pandemonium before 3.5",
		Table: table(godot3Types), double: true, DoubleAll: true, Engine: engineGodot3,
	},
	{
		Name: "pandemonium", Title: "Pandemonium 5", About: "Pandemonium 5.0 to 5.3 (table of 40)",
		Table: table(`Nil bool int float String Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane
			Quaternion AABB Basis Transform Transform2D Projection Color NodePath RID Object StringName Dictionary Array
			TypedArray PackedTypedArray PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array
			PoolVector2iArray PoolVector3Array PoolVector3iArray PoolVector4Array PoolVector4iArray PoolColorArray`),
		double: true, DoubleAll: true, StrictText: true, Depth: 1025, Engine: EnginePandemonium,
	},
	{
		Name: "pandemonium4", Title: "Pandemonium 4", About: "Pandemonium 3.8 to 4.9 (table of 38)",
		Table: table(`Nil bool int float String Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane
			Quaternion AABB Basis Transform Transform2D Projection Color NodePath RID Object StringName Dictionary Array
			PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array PoolVector2iArray PoolVector3Array
			PoolVector3iArray PoolVector4Array PoolVector4iArray PoolColorArray`),
		double: true, DoubleAll: true, StrictText: true, Depth: 1025, Engine: EnginePandemonium,
	},
	{
		Name: "pandemonium3", Title: "Pandemonium 3", About: "Pandemonium 3.5 to 3.7 (table of 33)",
		Table: table(`Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Plane Quat AABB
			Basis Transform Color NodePath RID Object StringName Dictionary Array PoolByteArray PoolIntArray PoolRealArray
			PoolStringArray PoolVector2Array PoolVector2iArray PoolVector3Array PoolVector3iArray PoolColorArray`),
		double: true, DoubleAll: true, StrictText: true, Depth: 1025, Engine: EnginePandemonium,
	},
	{
		Name: "godot4-docs", Title: "Godot 4 (early documents)", About: "the table the 4.x page first carried; no engine writes it",
		Table: table(`Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quaternion AABB Basis Transform3D Color
			NodePath RID Object Dictionary Array PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array
			PackedFloat64Array PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray`),
		double: true, StrictText: true, Engine: engineNone,
	},
	{
		Name: "godot3-early-docs", Title: "Godot 3 (early documents)", About: "Godot 3's table as the first 3.0 page described it: no flags",
		Table: table(godot3Types), double: true, DoubleAll: true, NoFlags: true, Engine: engineNone,
	},
}

// Ids of numbers in 64 bits in resource files.
const (
	resourceInt64   = 40
	resourceFloat64 = 41
)

// Resource3 and Resource4 have the types of binary resources.
var (
	Resource3 = &Dialect{
		Name: "godot3-resource", Title: "Godot 3 resource", About: ".res and .scn files of Godot 3, and of Godot 2",
		Table: table(`- Nil bool int float String - - - - Vector2 Rect2 Vector3 Plane Quat AABB Basis Transform Transform2D - Color -
			NodePath RID Object - Dictionary - - - Array PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector3Array
			PoolColorArray PoolVector2Array - - int float`),
		Resource: true, RIDHasID: true, Engine: engineGodot3,
	}
	Resource4 = &Dialect{
		Name: "godot4-resource", Title: "Godot 4 resource", About: ".res and .scn files of Godot 4",
		Table: table(`- Nil bool int float String - - - - Vector2 Rect2 Vector3 Plane Quaternion AABB Basis Transform3D Transform2D
			- Color - NodePath RID Object - Dictionary - - - Array PackedByteArray PackedInt32Array PackedFloat32Array
			PackedStringArray PackedVector3Array PackedColorArray PackedVector2Array - - int float Callable Signal StringName
			Vector2i Rect2i Vector3i PackedInt64Array PackedFloat64Array Vector4 Vector4i Projection PackedVector4Array`),
		Resource: true, RIDHasID: true, StrictText: true, Engine: EngineGodot4,
	}
)

// Text3 and Text4 have the types of Godot's text, TextAny those of both.
var (
	Text3   = textDialect(dialects[1], "godot3-text", "Godot 3 text")
	Text4   = textDialect(dialects[0], "godot4-text", "Godot 4 text")
	TextAny = func() *Dialect {
		d := textDialect(dialects[2], "", "Godot's text")
		for id := Nil; id < Raw; id++ {
			if !d.Has(id) {
				d.Table = append(d.Table, id)
			}
		}
		return d
	}()
)

func textDialect(d *Dialect, name, title string) *Dialect {
	text := *d
	text.Name, text.Title, text.About = name, title, "var_to_str, .tres and .tscn of "+d.Title
	text.Table = append(d.Table[:len(d.Table):len(d.Table)], ExtResource, SubResource, Resource)
	text.Typed, text.RIDHasID, text.StrictText, text.Depth = d.Engine != engineGodot3, true, false, 0
	return &text
}

// Header returns the type that a header of four bytes says, and its flags.
func (d *Dialect) Header(header uint32) (t ID, flags uint16) {
	if !d.Resource {
		return d.TypeOf(header), uint16(header >> 16)
	}
	if header == resourceInt64 || header == resourceFloat64 {
		flags = WideFlag
	}
	return d.TypeOf(header), flags
}

// AsHeader returns the header of a type that the dialect has.
func (d *Dialect) AsHeader(t ID, flags uint32) uint32 {
	id, _ := d.IDOf(t)
	switch {
	case !d.Resource:
		return id | flags<<16
	case t == Int && flags != 0:
		return resourceInt64
	case t == Float && flags != 0:
		return resourceFloat64
	}
	return id
}

// Pad returns the number of bytes of padding after a string of n bytes.
func (d *Dialect) Pad(n int64) int64 {
	if d.Resource {
		return 0
	}
	return Pad(n)
}

// Dialects lists all dialects, the likeliest first.
func Dialects() []*Dialect { return dialects }

// ByName finds a dialect by its name.
func ByName(name string) (*Dialect, bool) {
	for _, d := range dialects {
		if d.Name == name {
			return d, true
		}
	}
	return nil, false
}

// HasDouble reports whether double-precision builds of the dialect's engine write
// wider numbers without marking them, so that the user has to say so.
func (d *Dialect) HasDouble() bool { return d.double }

// Generation returns the generation of Godot whose encrypted files the engine of the dialect reads: Godot 4
// encrypts differently from all others.
func (d *Dialect) Generation() int {
	if d.Engine == EngineGodot4 {
		return 4
	}
	return 3
}

// Written reports whether an engine writes the dialect. Others exist only in
// documents.
func (d *Dialect) Written() bool { return d.Engine != engineNone }

// Common reports whether many files are of the dialect.
func (d *Dialect) Common() bool { return d.Engine == EngineGodot4 || d.Engine == engineGodot3 }

// Types lists the names of the dialect's types by their ids.
func (d *Dialect) Types() []string {
	names := make([]string, len(d.Table))
	for i, t := range d.Table {
		if t != Unknown {
			names[i] = Of(t).Name
		}
	}
	return names
}

// TypeOf returns the type with an id. Engines use only the low 8 bits.
func (d *Dialect) TypeOf(id uint32) ID {
	if !d.Resource {
		id &= 0xff
	}
	if id < uint32(len(d.Table)) {
		return d.Table[id]
	}
	return Unknown
}

// TypeName returns the name of the type with an id; "type 77" if the dialect has none.
func (d *Dialect) TypeName(id uint32) string {
	if t := d.TypeOf(id); t != Unknown {
		return Of(t).Name
	}
	if !d.Resource {
		id &= 0xff
	}
	return fmt.Sprintf("type %d", id)
}

// ElementName returns the name of the element type with an id. Engines use all bits.
func (d *Dialect) ElementName(id uint32) string {
	if id > 0xff {
		return fmt.Sprintf("type %d", id)
	}
	return d.TypeName(id)
}

// Has reports whether the dialect has a type.
func (d *Dialect) Has(t ID) bool {
	_, ok := d.IDOf(t)
	return ok
}

// IDOf returns the id of a type. ok is false if the dialect does not have the type.
func (d *Dialect) IDOf(t ID) (id uint32, ok bool) {
	if d.Resource && Of(t).Shape == ShapeReference {
		t = Object
	}
	for id, other := range d.Table {
		if t == other {
			return uint32(id), true
		}
	}
	return 0, false
}

// TypeNamed finds a type by its name. For a type that the dialect lacks it is the
// dialect's type of the same meaning, if there is one.
func (d *Dialect) TypeNamed(name string) (ID, bool) {
	t, ok := TypeByName(name)
	if ok && !d.Has(t) {
		for _, same := range synonyms {
			for i, s := range same {
				if s == t && d.Has(same[1-i]) {
					return same[1-i], true
				}
			}
		}
	}
	return t, ok
}

// synonyms are types that have different names in Godot 3 and 4 but the same
// meaning.
var synonyms = [][2]ID{
	{Quat, Quaternion}, {Transform, Transform3D}, {tPoolByteArray, tPackedByteArray}, {PoolIntArray, tPackedInt32Array},
	{PoolRealArray, PackedFloat32Array}, {tPoolStringArray, tPackedStringArray}, {tPoolVector2Array, tPackedVector2Array},
	{tPoolVector3Array, tPackedVector3Array}, {PoolVector4Array, tPackedVector4Array}, {tPoolColorArray, tPackedColorArray},
}

// Newest returns the type that means the same as t in the newest engine that has it under
// another name.
func Newest(t ID) ID {
	for _, same := range synonyms {
		if same[0] == t {
			return same[1]
		}
	}
	return t
}

// A PassTable says for each type id of a dialect what follows the header. The first index
// of its sizes is 1 where the header's flag for 64 bits is set.
type PassTable struct {
	Follows [256]Following
	Sizes   [2][256]uint8 // bytes of a payload of one size, or of an element
	Known   [256]uint16   // flags that have a meaning
	Odd     [256]bool     // not all values of the type are read by their engine
}

// Following is what follows a header.
type Following uint8

const (
	FollowsUnknown  Following = iota // there is no such type
	FollowsFixed                     // a payload of one size
	FollowsNumber                    // an int or float, of one size
	FollowsBool                      // a u32, which is 0 or 1
	FollowsText                      // a string
	FollowsPath                      // a NodePath
	FollowsObject                    // an object
	FollowsSignal                    // a string and a u64
	FollowsDict                      // keys and values, counted
	FollowsArray                     // values, counted
	FollowsTyped                     // an element type and values, counted
	FollowsElements                  // elements of one size, counted
	FollowsBytes                     // bytes, counted and padded
	FollowsStrings                   // strings, counted
)

// followings are the shapes' payloads.
var followings = [...]Following{
	ShapeNone: FollowsFixed, ShapeBool: FollowsBool, ShapeNumber: FollowsNumber, ShapeText: FollowsText, ShapeFixed: FollowsFixed,
	ShapePath: FollowsPath, ShapeRID: FollowsFixed, ShapeObject: FollowsObject, ShapeSignal: FollowsSignal, ShapeDict: FollowsDict,
	ShapeArray: FollowsArray, ShapeTyped: FollowsTyped, ShapeBytes: FollowsBytes, ShapePacked: FollowsElements,
	ShapeStrings: FollowsStrings, ShapeUnknown: FollowsUnknown,
}

func init() {
	for _, d := range dialects {
		for i := range d.pass {
			d.pass[i] = sync.OnceValue(func() *PassTable { return newPassTable(d, i == 1) })
		}
	}
}

// PassTable returns the table of the dialect; double means that components are 64-bit
// without a flag. It is nil for dialects of resources and text.
func (d *Dialect) PassTable(double bool) *PassTable {
	table := d.pass[0]
	if double {
		table = d.pass[1]
	}
	if table == nil {
		return nil
	}
	return table()
}

func newPassTable(d *Dialect, double bool) *PassTable {
	p := new(PassTable)
	for i, id := range d.Table {
		t := Of(id)
		p.Follows[i], p.Known[i], p.Odd[i] = followings[t.Shape], d.KnownFlags(id), d.Misreads(id)
		for wide := range p.Sizes {
			p.Sizes[wide][i] = d.payload(id, double, wide == 1)
		}
	}
	return p
}

// payload returns the size of a payload of fixed size, or of an element; 0 for others.
func (d *Dialect) payload(id ID, double, wide bool) uint8 {
	t := Of(id)
	switch t.Shape {
	case ShapeBool:
		return 4
	case ShapeNumber:
		if wide && !d.NoFlags || d.NoFlags && id == Int {
			return 8
		}
		return 4
	case ShapeFixed, ShapePacked:
		return uint8(Width(d.Component(t, double, wide)) * int64(t.Each()))
	case ShapeRID:
		if d.RIDHasID {
			return 8
		}
	}
	return 0
}

// Misreads reports whether the dialect's engine misreads values of a type that are sound.
func (d *Dialect) Misreads(id ID) bool {
	if d.Engine != EnginePandemonium {
		return false
	}
	switch id {
	case Projection, Vector4, Vector4i, PoolVector4Array:
		return true
	}
	return false
}

// Component returns the type of the components of t. With double they are 64-bit without a flag, with wide
// by the flag.
func (d *Dialect) Component(t *Type, double, wide bool) ID {
	if t.Comp == Float32 && (double && (t.Wide || d.DoubleAll) || wide && t.Wide && d.WideParts) {
		return Float64
	}
	return t.Comp
}

// KnownFlags returns the flag bits that have a meaning on a type.
func (d *Dialect) KnownFlags(t ID) uint16 {
	if d.NoFlags {
		return 0
	}
	switch t {
	case Int, Float, Object, TypedArray, PackedTypedArray:
		return WideFlag
	case Array:
		if d.Typed {
			return 3
		}
	case Dictionary:
		if d.Typed {
			return 15
		}
	default:
		if Of(t).Wide && d.WideParts {
			return WideFlag
		}
	}
	return 0
}
