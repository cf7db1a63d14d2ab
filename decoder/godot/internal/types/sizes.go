package types

// A PassTable has, for a header that is only a type id, the number of bytes that
// follow.
type PassTable struct {
	Sizes   [256]byte // or one of the codes
	Strides [256]byte // size of an element, for PassPacked
}

// Codes in place of a payload's size in a PassTable.
const (
	PassPacked = 0xf9 // elements of one size, counted
	PassArray  = 0xfa // values, counted
	PassDict   = 0xfb // keys and values, counted
	PassText   = 0xfc // a string
	PassBool   = 0xfd // a bool, which is 0 or 1
	passNever  = 0xff // needs a closer look
)

func init() {
	for _, d := range dialects {
		d.Pass = newPassTable(d)
	}
}

func newPassTable(d *Dialect) *PassTable {
	p := new(PassTable)
	for id := range p.Sizes {
		p.Sizes[id] = passNever
		if id < len(d.Table) {
			p.Sizes[id], p.Strides[id] = d.passSize(d.Table[id])
		}
	}
	return p
}

// passSize is the entry of a type.
func (d *Dialect) passSize(id ID) (size, stride byte) {
	if d.Engine == EnginePandemonium { // types that its own reader misreads
		switch id {
		case Projection, Vector4, Vector4i, PoolVector4Array:
			return passNever, 0
		}
	}
	t := Of(id)
	components := Width(t.Comp) * int64(max(1, len(t.Parts)))
	switch t.Shape {
	case ShapeNone:
		return 0, 0
	case ShapeBool:
		return PassBool, 0
	case ShapeNumber:
		if d.NoFlags && id == Int {
			return 8, 0
		}
		return 4, 0
	case ShapeText:
		return PassText, 0
	case ShapeFixed:
		return byte(components), 0
	case ShapePacked:
		return PassPacked, byte(components)
	case ShapeArray:
		return PassArray, 0
	case ShapeDict:
		return PassDict, 0
	}
	return passNever, 0
}
