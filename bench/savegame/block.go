package savegame

import (
	"encoding/binary"
	"math"
	"strconv"
)

// tag is a datatype as Elephant 1.4.0 and later store it.
type tag byte

const (
	tagU8        tag = 1
	tagS8        tag = 2
	tagU16       tag = 3
	tagS16       tag = 4
	tagU32       tag = 5
	tagS32       tag = 6
	tagF16       tag = 7
	tagF32       tag = 8
	tagF64       tag = 9
	tagBool      tag = 10
	tagString    tag = 11
	tagU64       tag = 12
	tagText      tag = 13
	tagAny       tag = 204
	tagArray     tag = 205
	tagStruct    tag = 206
	tagUndefined tag = 207
)

const (
	isReference   = 0xffff // instead of a count: the number of an array or struct follows
	isConstructed = 0xfffe // instead of a member count: a constructor follows
	mostElements  = 65534
	verboseBody   = 0x80 // instead of a schema version: members are stored with names and tags
)

// A constructor of graph.gml.
type constructor int

const (
	vec2 constructor = iota
	item
	actor
	effect
	lamp
	constructors
)

var constructorNames = [constructors]string{"Vec2", "Item", "Actor", "Effect", "Lamp"}

// A block appends values of Elephant 1.5.1 to buf.
type block struct {
	buf     []byte
	started int               // arrays and structs so far, which are numbered from 0
	indexes [constructors]int // constructor indexes plus 1; 0 if unused
	used    int               // constructors that have an index
}

func (b *block) u16(n int) {
	b.buf = binary.LittleEndian.AppendUint16(b.buf, uint16(n))
}

func (b *block) tag(t tag) {
	b.buf = append(b.buf, byte(t))
}

// text appends a String, or the name of a member, without a tag.
func (b *block) text(s string) {
	b.buf = append(append(b.buf, s...), 0)
}

func (b *block) bool(v bool) {
	if v {
		b.buf = append(b.buf, 1)
	} else {
		b.buf = append(b.buf, 0)
	}
}

func (b *block) u64(v uint64) {
	b.buf = binary.LittleEndian.AppendUint64(b.buf, v)
}

func (b *block) u32(n uint32) {
	b.buf = binary.LittleEndian.AppendUint32(b.buf, n)
}

func (b *block) f32(v float32) {
	b.buf = binary.LittleEndian.AppendUint32(b.buf, math.Float32bits(v))
}

func (b *block) f64(v float64) {
	b.u64(math.Float64bits(v))
}

// member appends a name and the tag of the value that follows.
func (b *block) member(name string, t tag) {
	b.text(name)
	b.tag(t)
}

// numbered is member with a name such as actors_17; such names are unique in their struct.
func (b *block) numbered(word string, n int, t tag) {
	b.buf = append(append(b.buf, word...), '_')
	b.buf = append(strconv.AppendInt(b.buf, int64(n), 10), 0, byte(t))
}

// openArray begins an array, whose length closeArray fills in.
func (b *block) openArray(element tag) (at int) {
	b.started++
	b.u16(0)
	b.tag(element)
	return len(b.buf) - 3
}

func (b *block) closeArray(at, count int) {
	b.setCount(at, count)
	if count == 0 { // no element tag then
		b.buf = b.buf[:at+2]
	}
}

// openStruct begins a struct without a constructor, whose member count setCount fills in.
func (b *block) openStruct() (at int) {
	b.started++
	b.u16(0)
	return len(b.buf) - 2
}

func (b *block) setCount(at, count int) {
	binary.LittleEndian.PutUint16(b.buf[at:], uint16(count))
}

// construct begins a struct of c, up to its version byte.
func (b *block) construct(c constructor, version byte) {
	b.started++
	b.u16(isConstructed)
	first := b.indexes[c] == 0
	if first {
		b.used++
		b.indexes[c] = b.used
	}
	b.u16(b.indexes[c] - 1)
	if first {
		b.text(constructorNames[c])
	}
	b.buf = append(b.buf, version)
}

// skip appends the list of members that equal their default, by their position
// among the sorted names, counted from 1.
func (b *block) skip(members ...int) {
	for _, m := range members {
		b.u16(m)
	}
	b.u16(0)
}

// refer appends a reference to an array or struct that begins before.
func (b *block) refer(number int) {
	b.u16(isReference)
	b.u16(number)
}
