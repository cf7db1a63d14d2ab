package variant

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"varview/decoder/formats/godot/internal/types"
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
	case types.FollowsObject: // every object has something to report
		at = -1
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

// leading passes what comes between a container's header and its count, and notes what the children must
// be.
func (p *passer) leading(at int, header uint32, follows types.Following) int {
	flags := uint16(header >> 16)
	p.key, p.elem = 0, 0
	switch {
	case follows == types.FollowsTyped:
		return -1
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
	default:
		isTyped := p.checks && p.elem != 0
		for ; n > 0 && at >= 0; n-- {
			if isTyped && !p.is(at, p.elem) {
				return -1
			}
			at = p.value(at, levels)
		}
	}
	return at
}

// passKeys is the largest number of entries of a Dictionary inside another value that is passed, if no key
// may repeat.
const passKeys = 64

var keySeed = maphash.MakeSeed()

// pairs passes the entries of a Dictionary. They are not passed where a key repeats, or the
// hashes of two keys are the same.
func (p *passer) pairs(at, count, levels int) int {
	var hashes [passKeys]uint32
	seen := uint64(0) // bits of the hashes
	for i := range count {
		end := p.entryKey(at, levels)
		if end < 0 {
			return -1
		}
		if p.checks {
			hash := uint32(maphash.Bytes(keySeed, p.b[at:end]))
			bit := uint64(1) << (hash >> 26)
			if i == passKeys || seen&bit != 0 && slices.Contains(hashes[:i], hash) {
				return -1
			}
			hashes[i], seen = hash, seen|bit
		}
		if at = p.value(end, levels); at < 0 {
			return -1
		}
	}
	return at
}
