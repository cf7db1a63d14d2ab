package savegame

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// A choice is a way to make a value of a type, and how often in all it is made.
type choice struct {
	weight int
	kind   variantType
	make   func(g *generator, t variantType)
}

// leaves are the values without children. Their weights are those of the saves of games: mostly numbers, text and
// vectors, few of the rest.
var leaves = []choice{
	{160, typeInt, (*generator).smallInt},
	{60, typeInt, (*generator).anyInt},
	{120, typeFloat, (*generator).number},
	{160, typeString, (*generator).words},
	{90, typeBool, (*generator).truth},
	{50, typeStringName, (*generator).nameOf},
	{40, typeNil, (*generator).bare},
	{40, typeVector2, (*generator).vector},
	{50, typeVector3, (*generator).vector},
	{25, typeVector2i, (*generator).vector},
	{15, typeVector3i, (*generator).vector},
	{25, typeColor, (*generator).vector},
	{10, typeRect2, (*generator).vector},
	{8, typeRect2i, (*generator).vector},
	{15, typeTransform2D, (*generator).vector},
	{12, typeTransform3D, (*generator).vector},
	{10, typeQuaternion, (*generator).vector},
	{6, typeBasis, (*generator).vector},
	{6, typeAABB, (*generator).vector},
	{5, typePlane, (*generator).vector},
	{5, typeVector4, (*generator).vector},
	{5, typeVector4i, (*generator).vector},
	{3, typeProjection, (*generator).vector},
	{15, typeNodePath, (*generator).nodePath},
	{4, typeRID, (*generator).resource},
	{3, typeCallable, (*generator).bare},
	{3, typeSignal, (*generator).signal},
	{20, typeBytes, (*generator).fewBytes},
	{25, typeStrings, (*generator).fewStrings},
	{12, typeInt32s, (*generator).few},
	{6, typeInt64s, (*generator).few},
	{16, typeFloat32s, (*generator).few},
	{5, typeFloat64s, (*generator).few},
	{8, typeVector2s, (*generator).few},
	{8, typeVector3s, (*generator).few},
	{4, typeVector4s, (*generator).few},
	{5, typeColors, (*generator).few},
}

// drawn lists the choices that a dialect has, each as often as it weighs.
func drawn(ids [typeCount]int) (all []choice) {
	for _, c := range leaves {
		if ids[c.kind] >= 0 {
			all = append(all, slices.Repeat([]choice{c}, c.weight)...)
		}
	}
	return all
}

func (g *generator) smallInt(variantType) { g.int(int64(g.below(100_000)) - 1000) }

func (g *generator) anyInt(variantType) { g.int(int64(g.next()) >> g.below(40)) }

func (g *generator) number(variantType) { g.float(g.amount()) }

func (g *generator) words(variantType) { g.sentence(g.below(12)) }

func (g *generator) truth(variantType) { g.bool(g.below(3) != 0) }

func (g *generator) nameOf(variantType) { g.name(g.pick(words)) }

// bare appends a value that is only a header.
func (g *generator) bare(t variantType) { g.header(t, 0) }

func (g *generator) vector(t variantType) {
	g.header(t, g.width(t))
	g.elements(t, 1, g.component(t))
}

// component returns what makes the numbers of a type.
func (g *generator) component(t variantType) func() float64 {
	switch t {
	case typeColor, typeColors:
		return g.shade
	case typeInt64s:
		return g.stamp
	}
	return g.coordinate
}

// shade returns a part of a colour.
func (g *generator) shade() float64 { return float64(g.below(256)) / 255 }

// stamp returns a time in milliseconds.
func (g *generator) stamp() float64 { return 1_700_000_000_000 + float64(g.below(1e9)) }

// nodePath appends a path as an engine does: an absolute one to a node, or a relative one to a property.
func (g *generator) nodePath(variantType) {
	names, subnames, flags := 2+g.below(3), 0, uint32(1)
	if g.below(3) == 0 {
		names, subnames, flags = 1, 1+g.below(2), 0
	}
	g.header(typeNodePath, 0)
	g.u32(uint32(names) | 1<<31)
	g.u32(uint32(subnames))
	g.u32(flags)
	for range names + subnames {
		g.text(g.pick(words))
	}
}

// resource appends a RID, which has an id only in Godot 4.
func (g *generator) resource(variantType) {
	g.header(typeRID, 0)
	if g.dialect == Godot4 {
		g.u64(g.next() >> 16)
	}
}

func (g *generator) signal(variantType) {
	g.header(typeSignal, 0)
	g.text(g.pick(words))
	g.u64(g.next() >> 1)
}

func (g *generator) fewBytes(variantType) { g.bytes(g.below(64)) }

func (g *generator) fewStrings(variantType) { g.strings(g.below(5)) }

func (g *generator) few(t variantType) { g.packed(t, g.below(8)) }

// packed appends a packed array of n elements.
func (g *generator) packed(t variantType, n int) {
	at := g.open(t)
	g.elements(t, n, g.component(t))
	g.close(at, n)
}

// bytes appends a byte array of n bytes that do not repeat, like a compressed picture.
func (g *generator) bytes(n int) {
	at := g.open(typeBytes)
	for left := n; left > 0; left -= 8 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], g.next())
		g.buf = append(g.buf, word[:min(left, 8)]...)
	}
	g.pad(n)
	g.close(at, n)
}

// strings appends a packed array of n strings, each stored with a NUL that its length counts.
func (g *generator) strings(n int) {
	at := g.open(typeStrings)
	for range n {
		s := g.pick(words)
		g.u32(uint32(len(s) + 1))
		g.buf = append(append(g.buf, s...), 0)
		g.pad(len(s) + 1)
	}
	g.close(at, n)
}

// numbered appends a String such as quest_17; keys made so are unique in their Dictionary.
func (g *generator) numbered(word string, n int) {
	g.header(typeString, 0)
	at := g.openCount()
	g.buf = append(append(g.buf, word...), '_')
	g.buf = strconv.AppendInt(g.buf, int64(n), 10)
	length := len(g.buf) - at - 4
	g.close(at, length)
	g.pad(length)
}
