package tree_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
)

// idTables are the type tables of the specification, by dialect.
var idTables = map[string][]string{
	"godot4": strings.Fields(`Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i
		Plane Quaternion AABB Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal Dictionary Array
		PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray
		PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array`),
	"godot3": strings.Fields(`Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quat AABB Basis Transform Color
		NodePath RID Object Dictionary Array PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array
		PoolVector3Array PoolColorArray`),
	"godot4-docs": strings.Fields(`Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quaternion AABB Basis Transform3D
		Color NodePath RID Object Dictionary Array PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array
		PackedFloat64Array PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray`),
	"pandemonium3": strings.Fields(`Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Plane Quat AABB
		Basis Transform Color NodePath RID Object StringName Dictionary Array PoolByteArray PoolIntArray PoolRealArray
		PoolStringArray PoolVector2Array PoolVector2iArray PoolVector3Array PoolVector3iArray PoolColorArray`),
	"pandemonium4": strings.Fields(`Nil bool int float String Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane
		Quaternion AABB Basis Transform Transform2D Projection Color NodePath RID Object StringName Dictionary Array
		PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array PoolVector2iArray PoolVector3Array
		PoolVector3iArray PoolVector4Array PoolVector4iArray PoolColorArray`),
	"pandemonium": strings.Fields(`Nil bool int float String Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane
		Quaternion AABB Basis Transform Transform2D Projection Color NodePath RID Object StringName Dictionary Array TypedArray
		PackedTypedArray PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array PoolVector2iArray
		PoolVector3Array PoolVector3iArray PoolVector4Array PoolVector4iArray PoolColorArray`),
}

func init() { idTables["godot3-early-docs"] = idTables["godot3"] }

// components is the number of numbers of a type.
var components = map[string]int{
	"Vector2": 2, "Vector2i": 2, "Rect2": 4, "Rect2i": 4, "Vector3": 3, "Vector3i": 3, "Vector4": 4, "Vector4i": 4,
	"Transform2D": 6, "Plane": 4, "Quat": 4, "Quaternion": 4, "AABB": 6, "Basis": 9, "Transform": 12, "Transform3D": 12,
	"Projection": 16, "Color": 4,
}

// packed are the names of the elements of arrays that are not named after them.
var packed = map[string]string{
	"PackedInt32Array": "i32", "PackedInt64Array": "i64", "PackedFloat32Array": "f32", "PackedFloat64Array": "f64",
	"PoolIntArray": "i32", "PoolRealArray": "real",
}

// elementOf returns the element type of a packed array of numbers or vectors; "" for other types.
func elementOf(name string) string {
	if e, ok := packed[name]; ok {
		return e
	}
	for _, prefix := range []string{"Packed", "Pool"} {
		if e, ok := strings.CutPrefix(name, prefix); ok {
			if e, ok = strings.CutSuffix(e, "Array"); ok && components[e] > 0 {
				return e
			}
		}
	}
	return ""
}

// A maker writes random values of a dialect, all well-formed, many unusual.
type maker struct {
	*rand.Rand
	dialect string
	double  bool
	b       []byte
	left    int // values that may still be written
}

func (m *maker) u32(v uint32) { m.b = binary.LittleEndian.AppendUint32(m.b, v) }

func (m *maker) bytes(n int) {
	for range n {
		m.b = append(m.b, byte(m.Uint32()))
	}
}

var someTexts = []string{"", "a", "hp", "name", "a b", "é", "script", "Node2D", "x\"]y", "quo\\te", "[1]", "北の塔", "#2", "{1}", "@key",
	"\x1b[2J", "\u202e", "res://a.gd", "a/b", "a:b", "Objekt(", "dup", "dup"}

func (m *maker) text(garbage, nul bool) {
	s := someTexts[m.IntN(len(someTexts))]
	if nul && m.IntN(4) > 0 {
		s += "\x00"
	}
	m.u32(uint32(len(s)))
	m.b = append(m.b, s...)
	for len(m.b)%4 > 0 {
		if garbage {
			m.bytes(1)
		} else {
			m.b = append(m.b, 0)
		}
	}
}

func (m *maker) count(n int, shared bool) {
	c := uint32(n)
	if shared && m.IntN(8) == 0 {
		c |= 1 << 31
	}
	m.u32(c)
}

// value writes a random value that nests at most depth levels.
func (m *maker) value(depth int) {
	table := idTables[m.dialect]
	id := m.IntN(len(table))
	if m.IntN(3) == 0 { // keep it nested
		for i, name := range table {
			if name == "Dictionary" || name == "Array" && m.IntN(2) == 0 {
				id = i
			}
		}
	}
	m.left--
	m.typed(id, table[id], depth)
}

func (m *maker) header(id int, flags uint32) { m.u32(uint32(id) | flags<<16) }

func (m *maker) typed(id int, name string, depth int) {
	n := m.IntN(4)
	if depth <= 0 || m.left <= 0 {
		n = 0
	}
	godot4 := m.dialect == "godot4"
	wide := uint32(m.IntN(2))
	switch name {
	case "Nil", "Callable":
		m.header(id, 0)
	case "bool":
		m.header(id, 0)
		m.u32(uint32(m.IntN(2)))
	case "int", "float":
		if m.dialect == "godot3-early-docs" {
			m.header(id, 0)
			m.bytes(map[string]int{"int": 8, "float": 4}[name])
			return
		}
		m.header(id, wide)
		m.bytes(4 + 4*int(wide))
	case "String", "StringName":
		m.header(id, 0)
		m.text(false, false)
	case "NodePath":
		names, subs := m.IntN(3), m.IntN(3)
		flags := uint32(m.IntN(4))
		m.header(id, 0)
		m.u32(uint32(names) | 1<<31)
		m.u32(uint32(subs))
		m.u32(flags)
		for range names + subs + int(flags>>1) {
			m.text(true, false)
		}
	case "RID":
		m.header(id, 0)
		if godot4 {
			m.bytes(8)
		}
	case "Object":
		if m.dialect != "godot3-early-docs" && m.IntN(3) == 0 {
			m.header(id, 1)
			m.bytes(8)
			return
		}
		m.header(id, 0)
		start := len(m.b)
		m.text(false, false)
		if len(m.b) == start+4 {
			return
		}
		m.u32(uint32(n))
		for range n {
			m.text(false, false)
			m.value(depth - 1)
		}
	case "Signal":
		m.header(id, 0)
		m.text(false, false)
		m.bytes(8)
	case "Dictionary", "Array":
		kinds := 1
		if name == "Dictionary" {
			kinds = 2
		}
		flags := uint32(0)
		if godot4 && m.IntN(3) == 0 {
			flags = m.Uint32N(1 << (2 * kinds))
		}
		m.header(id, flags)
		for i := range kinds {
			switch flags >> (2 * i) & 3 {
			case 1:
				m.u32(m.Uint32N(uint32(len(idTables[m.dialect]))))
			case 2, 3:
				m.text(false, false)
			}
		}
		m.count(n, true)
		for range n * kinds {
			m.value(depth - 1)
		}
	case "TypedArray", "PackedTypedArray":
		elem := m.Uint32N(uint32(len(idTables[m.dialect])))
		if m.IntN(3) == 0 {
			elem = 23 // Object
		}
		m.header(id, wide)
		m.u32(elem)
		if elem == 23 && wide == 0 {
			m.header(24, 0)
			m.text(false, false)
		}
		m.count(n, true)
		for range n {
			m.value(depth - 1)
		}
	case "PackedByteArray", "PoolByteArray":
		n = m.IntN(9)
		m.header(id, 0)
		m.u32(uint32(n))
		m.bytes(n)
		m.b = append(m.b, make([]byte, -n&3)...)
	case "PackedStringArray", "PoolStringArray":
		m.header(id, 0)
		m.u32(uint32(n))
		for range n {
			m.text(false, true)
		}
	default:
		elem, elements := name, 1
		if e := elementOf(name); e != "" {
			elem, elements = e, n
		}
		if !godot4 || strings.HasSuffix(elem, "i") || elem == "Color" || packed[name] != "" {
			wide = 0
		}
		m.header(id, wide)
		if elem != name {
			m.u32(uint32(elements))
		}
		m.bytes(elements * max(1, components[elem]) * componentSize(elem, wide, m.double))
	}
}

// componentSize returns the size in bytes of one number of an element type.
func componentSize(elem string, wide uint32, double bool) int {
	switch {
	case elem == "i64" || elem == "f64":
		return 8
	case elem == "i32" || elem == "f32" || strings.HasSuffix(elem, "i"):
		return 4
	case wide != 0 || double:
		return 8
	}
	return 4
}

// buffer writes a whole buffer: one value, or some frames.
func (m *maker) buffer(stream, bigEndian bool) []byte {
	if !stream {
		m.value(5)
		return m.b
	}
	var out []byte
	for range m.IntN(4) + 1 {
		m.b = nil
		m.left = 40
		m.value(4)
		if bigEndian {
			out = binary.BigEndian.AppendUint32(out, uint32(len(m.b)))
		} else {
			out = binary.LittleEndian.AppendUint32(out, uint32(len(m.b)))
		}
		out = append(out, m.b...)
	}
	return out
}
