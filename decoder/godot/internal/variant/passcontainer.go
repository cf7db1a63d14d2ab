package variant

import (
	"encoding/binary"
	"slices"

	"varview/decoder/godot/internal/types"
	"varview/decoder/tree"
)

// container passes a value with children.
func (p *passer) container(at int, header uint32, levels int) int {
	if levels == 0 {
		return -1
	}
	follows := p.table.Follows[header&0xff]
	key, elem := p.key, p.elem
	if at = p.leading(at+4, header, follows); at < 0 {
		p.key, p.elem = key, elem
		return -1
	}
	switch follows {
	case types.FollowsObject:
		at = p.object(at, header, levels-1)
	case types.FollowsPath:
		at = p.path(at)
	default:
		at = p.children(at, follows, levels-1)
	}
	p.key, p.elem = key, elem
	if p.tally != nil && at >= 0 {
		p.count(header & 0xff)
	}
	return at
}

// leading passes what comes between a container's header and its count, and notes what
// the children must be.
func (p *passer) leading(at int, header uint32, follows types.Following) int {
	flags := uint16(header >> 16)
	p.key, p.elem = 0, 0
	switch {
	case follows == types.FollowsTyped:
		return p.elementType(at, flags)
	case !p.f.Dialect.Typed || flags&15 == 0:
		return at
	case follows == types.FollowsArray:
		p.elem, at = p.containerType(at, flags&3)
	case follows == types.FollowsDict:
		p.key, at = p.containerType(at, flags&3)
		if at >= 0 {
			p.elem, at = p.containerType(at, flags>>2&3)
		}
	}
	return at
}

// containerType passes the declared type of keys, values or elements.
func (p *passer) containerType(at int, kind uint16) (id, end int) {
	switch kind {
	case types.KindBuiltin:
		id = p.number(at)
		if id < 0 || p.checks && id >= len(p.f.Dialect.Table) {
			return 0, -1
		}
		return id, at + 4
	case types.KindClass, types.KindScript:
		if p.checks {
			return 0, -1
		}
		return 0, p.text(at)
	}
	return 0, at
}

// elementType passes the element type of Pandemonium's TypedArray, and the class if it is
// Object.
func (p *passer) elementType(at int, flags uint16) int {
	v := tree.Value{Sub: uint32(p.number(at)), Flags: flags}
	if len(p.b)-at < 4 || p.checks && v.Sub >= uint32(len(p.f.Dialect.Table)) {
		return -1
	}
	v.Sub &^= types.SharedBit
	at += 4
	p.elem = int(v.Sub)
	if !p.f.HasClass(&v) {
		return at
	}
	if len(p.b)-at < 4 || p.checks || types.Of(p.f.Dialect.TypeOf(uint32(p.b[at]))).Shape != types.ShapeText {
		return -1
	}
	return p.text(at + 4)
}

// children passes a count and as many children.
func (p *passer) children(at int, follows types.Following, levels int) int {
	if len(p.b)-at < 4 {
		return -1
	}
	count := binary.LittleEndian.Uint32(p.b[at:])
	at += 4
	if count&types.SharedBit != 0 {
		if p.checks || follows == types.FollowsStrings {
			return -1
		}
		count &^= types.SharedBit
	}
	n := int(count)
	if n > (len(p.b)-at)/4 {
		return -1
	}
	switch {
	case follows == types.FollowsStrings:
		for ; n > 0 && at >= 0; n-- {
			at = p.packedString(at)
		}
	case follows == types.FollowsDict:
		return p.pairs(at, n, levels)
	case p.checks && p.elem != 0:
		for ; n > 0 && at >= 0; n-- {
			if !p.is(at, p.elem) {
				return -1
			}
			at = p.value(at, levels)
		}
	case !p.checks:
		return p.skip(at, n, levels)
	default:
		for ; n > 0 && at >= 0; n-- {
			at = p.value(at, levels)
		}
	}
	return at
}

// passKeys is the number of entries up to which a Dictionary in another value is passed,
// if no key may repeat.
const passKeys = 64

// pairs passes the entries of a Dictionary. They are not passed where a key repeats, or the
// hashes of two keys are the same.
func (p *passer) pairs(at, count, levels int) int {
	if !p.checks {
		return p.skip(at, 2*count, levels)
	}
	var keys FewKeys
	for range count {
		end := p.entryKey(at, levels)
		if end < 0 || !keys.AddNew(p.b[at:end]) {
			return -1
		}
		if at = p.value(end, levels); at < 0 {
			return -1
		}
	}
	return at
}

// FewKeys has the keys of a Dictionary with few entries.
type FewKeys struct {
	hashes [passKeys]uint32
	n      int
	seen   uint64 // bits of the hashes
}

// AddNew adds a key, whose length is a multiple of four. It reports whether there is room
// for it and it repeats no other.
func (k *FewKeys) AddNew(key []byte) bool {
	if k.n == passKeys {
		return false
	}
	h := hashKey(key)
	if bit := uint64(1) << (h >> 26); k.seen&bit == 0 {
		k.seen |= bit
	} else if slices.Contains(k.hashes[:k.n], h) {
		return false
	}
	k.hashes[k.n] = h
	k.n++
	return true
}

// hashKey is a hash of a value, whose length is a multiple of four.
func hashKey(b []byte) uint32 {
	h := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	if len(b) >= 4 {
		h = (h ^ uint64(binary.LittleEndian.Uint32(b))) * 0x9e3779b97f4a7c15
	}
	return uint32(h >> 32)
}

// object passes an object, of which there is always something to report: its id, or class
// and properties.
func (p *passer) object(at int, header uint32, levels int) int {
	if p.checks {
		return -1
	}
	if header>>16&types.WideFlag != 0 && !p.f.Dialect.NoFlags {
		if len(p.b)-at < 8 {
			return -1
		}
		return at + 8
	}
	class := at
	if at = p.text(at); at < 0 || at == class+4 {
		return at
	}
	n := p.number(at)
	if n < 0 || n > (len(p.b)-at)/8 {
		return -1
	}
	for at += 4; n > 0 && at >= 0; n-- {
		at = p.property(at, levels)
	}
	return at
}

// property passes a property of an object, where only sizes matter.
func (p *passer) property(at, levels int) int {
	if at = p.text(at); at < 0 {
		return -1
	}
	return p.value(at, levels)
}
