package variant

import (
	"encoding/binary"
	"math"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// value passes a value with at most the given number of levels in it.
func (p *passer) value(at, levels int) int {
	b := p.b[at:]
	if len(b) < 4 {
		return -1
	}
	header := binary.LittleEndian.Uint32(b)
	id := header & 0xff
	if unknown := header&0xff00 | header>>16&^uint32(p.table.Known[id]); unknown != 0 && p.checks {
		return -1
	}
	wide := header >> 16 & types.WideFlag
	size := int(p.table.Sizes[wide][id])
	end := at + 4 + size
	switch follows := p.table.Follows[id]; follows {
	case types.FollowsFixed, types.FollowsNumber, types.FollowsBool:
		if end > len(p.b) || p.checks && (wide != 0 || follows != types.FollowsNumber) && !p.isOrdinary(id, follows, b[4:]) {
			return -1
		}
	case types.FollowsText:
		end = p.content(at, p.text(at+4))
	case types.FollowsElements, types.FollowsBytes, types.FollowsSignal:
		end = p.counted(at, id, size)
	case types.FollowsDict, types.FollowsArray, types.FollowsTyped, types.FollowsObject, types.FollowsStrings, types.FollowsPath:
		return p.container(at, header, levels)
	default:
		return -1
	}
	if p.tally != nil && end >= 0 {
		p.count(id)
		p.compare(at, end)
	}
	return end
}

// isOrdinary reports whether engines write such a payload of one size; a number has 64 bits.
func (p *passer) isOrdinary(id uint32, follows types.Following, payload []byte) bool {
	switch follows {
	case types.FollowsNumber:
		return p.f.Dialect.NoFlags || needsWide(id, binary.LittleEndian.Uint64(payload))
	case types.FollowsBool:
		return binary.LittleEndian.Uint32(payload) <= 1
	}
	return !p.table.Odd[id]
}

// counted passes a value that begins with a count, and is rarer than a text; size is that of an element.
func (p *passer) counted(at int, id uint32, size int) int {
	switch p.table.Follows[id] {
	case types.FollowsBytes:
		return p.content(at, p.bytes(at+4))
	case types.FollowsSignal:
		if end := p.content(at, p.text(at+4)); end >= 0 && end+8 <= len(p.b) {
			return end + 8
		}
		return -1
	}
	if p.table.Odd[id] && p.checks {
		return -1
	}
	return p.elements(at+4, size)
}

// content notes the text or bytes of a value that ends at a place, if it could be passed.
func (p *passer) content(at, end int) int {
	if end >= 0 {
		p.note(at, at+8, int64(p.number(at+4)))
	}
	return end
}

// compare notes the size of a value without children.
func (p *passer) compare(at, end int) {
	if end-at >= tree.LargeFrom {
		p.tally.CompareLater(span.Span{Offset: p.s.Pos + int64(at-p.at), Length: int64(end - at)})
	}
}

// count counts a value of a type.
func (p *passer) count(id uint32) { p.tally.CountLater(uint16(p.f.Dialect.Table[id])) }

// needsWide reports whether 64 bits of a payload are a number that does not fit 32 bits.
func needsWide(id uint32, payload uint64) bool {
	if id == 2 {
		return int64(payload) != int64(int32(payload))
	}
	return !numeric.FitsFloat32(math.Float64frombits(payload))
}

// number reads a u32; -1 if it is incomplete or does not fit 31 bits.
func (p *passer) number(at int) int {
	if at < 0 || len(p.b)-at < 4 {
		return -1
	}
	return int(int32(binary.LittleEndian.Uint32(p.b[at:])))
}

// text passes a string and its padding.
func (p *passer) text(at int) int {
	n := p.number(at)
	if n < 0 || n > len(p.b)-at-4 {
		return -1
	}
	end := at + 4 + n + int(types.Pad(int64(n)))
	if end > len(p.b) || p.checks && !isPlain(p.b[at+4:end], int64(n)) {
		return -1
	}
	return end
}

// packedString passes an element of a packed array of strings, which counts its NUL.
func (p *passer) packedString(at int) int {
	n := p.number(at)
	if n < 0 || n > len(p.b)-at-4 {
		return -1
	}
	end := at + 4 + n + int(types.Pad(int64(n)))
	if end > len(p.b) {
		return -1
	}
	if p.checks && !isPlainNul(p.b[at+4:end], n) {
		return -1
	}
	p.note(at, at+4, int64(n)-1)
	if p.tally != nil {
		p.compare(at, end)
	}
	return end
}

// isPlainNul reports whether b, a text of n bytes with its padding, is plain except for a NUL at its end.
func isPlainNul(b []byte, n int) bool {
	if n == 0 || b[n-1] != 0 {
		return false
	}
	if pad := types.Pad(int64(n)); pad < 3 {
		return isPlain(b, int64(n)-1)
	}
	text := int64(n) - 1 // a multiple of four: the NUL begins the four bytes after the text
	return binary.LittleEndian.Uint32(b[text:]) == 0 && isPlain(b[:text], text)
}

// elements passes counted elements of a size.
func (p *passer) elements(at, size int) int {
	n := p.number(at)
	if n < 0 || n > (len(p.b)-at-4)/size {
		return -1
	}
	return at + 4 + n*size
}

// bytes passes counted bytes and their padding.
func (p *passer) bytes(at int) int {
	n := p.number(at)
	if n < 0 || n > len(p.b)-at-4 {
		return -1
	}
	data := at + 4 + n
	end := data + int(types.Pad(int64(n)))
	if end > len(p.b) {
		return -1
	}
	for ; p.checks && data < end; data++ {
		if p.b[data] != 0 {
			return -1
		}
	}
	return end
}

// path passes a NodePath in its current form. The padding of its parts may be anything.
func (p *passer) path(at int) int {
	if len(p.b)-at < 12 {
		return -1
	}
	names, subnames, flags := binary.LittleEndian.Uint32(p.b[at:]), p.number(at+4), binary.LittleEndian.Uint32(p.b[at+8:])
	if names&types.SharedBit == 0 || subnames < 0 || p.checks && flags&^1 != 0 {
		return -1
	}
	n := int(names&^types.SharedBit) + subnames
	if flags&2 != 0 {
		n++
	}
	if at += 12; n > (len(p.b)-at)/4 {
		return -1
	}
	for ; n > 0; n-- {
		size := p.number(at)
		if size < 0 || size > len(p.b)-at-4 {
			return -1
		}
		end := at + 4 + size + int(types.Pad(int64(size)))
		if end > len(p.b) || p.checks && !isCleanText(p.b[at+4:at+4+size]) {
			return -1
		}
		p.note(at, at+4, int64(size))
		if p.tally != nil {
			p.compare(at, end)
		}
		at = end
	}
	return at
}
