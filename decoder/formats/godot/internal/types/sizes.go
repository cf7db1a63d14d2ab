package types

import "sync"

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
