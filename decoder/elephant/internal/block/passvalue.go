package block

import (
	"encoding/binary"
	"slices"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/tree"
)

// tagged passes a tag and its value, with at most the given number of levels in it.
func (p *passer) tagged(at, levels int) int {
	if at >= len(p.b) {
		return -1
	}
	tag := p.b[at]
	if t := &p.f.table[tag]; t.following == followsTagged || t.isForeign && p.checks {
		return -1
	}
	return p.value(at, at+1, tag, levels)
}

// value passes what follows a tag; the value begins at start, which includes the tag if
// that belongs to it.
func (p *passer) value(start, at int, tag byte, levels int) int {
	t := &p.f.table[tag]
	switch t.following {
	case followsFixed:
		return p.skip(at, int(t.width))
	case followsBool:
		return p.bools(at, 1)
	case followsText:
		return p.text(at)
	case followsTagged:
		return p.tagged(at, levels)
	case followsArray:
		return p.array(start, at, levels)
	case followsStruct:
		return p.structure(start, at, levels)
	case followsCtor:
		if levels > 0 {
			return p.constructed(start, at, uint16(tag), levels-1)
		}
	}
	return -1
}

// skip passes n bytes.
func (p *passer) skip(at, n int) int {
	if len(p.b)-at < n {
		return -1
	}
	return at + n
}

// bools passes n bools, which should be 0 or 1.
func (p *passer) bools(at, n int) int {
	end := p.skip(at, n)
	if !p.checks || end < 0 {
		return end
	}
	for ; end-at >= 8; at += 8 {
		if binary.LittleEndian.Uint64(p.b[at:])&^lowest != 0 {
			return -1
		}
	}
	for ; at < end; at++ {
		if p.b[at] > 1 {
			return -1
		}
	}
	return end
}

// number gives the array or struct at a place its number, if the version has numbers.
func (p *passer) number(at int, t datatype.ID) {
	if p.f.Rules.CtorTags {
		return
	}
	if m := p.f.marks; m != nil {
		m.Numbered = append(m.Numbered, p.from+int64(at))
	}
	if p.serial != tree.NoSerial {
		p.f.kinds.set(p.serial, t)
		p.serial++
	}
}

// count reads a u16; it is -1 if not all of it is there.
func (p *passer) count(at int) int {
	if len(p.b)-at < 2 {
		return -1
	}
	return int(binary.LittleEndian.Uint16(p.b[at:]))
}

// reference passes the number of an array or struct; t says which.
func (p *passer) reference(start, at int, t datatype.ID) int {
	n := p.count(at)
	to := uint32(n)
	if n < 0 || p.checks && p.serial != tree.NoSerial && !p.leadsTo(to, t) {
		return -1
	}
	p.refs = append(p.refs, tree.Reference{To: to, At: p.from + int64(start)})
	if m := p.f.marks; m != nil {
		m.Refs = append(m.Refs, RefMark{p.from + int64(at), to, uint32(len(m.Numbered)), t})
	}
	return at + 2
}

// leadsTo reports whether the value with a number comes before, and may be of the given
// type.
func (p *passer) leadsTo(to uint32, t datatype.ID) bool {
	kind := p.f.kinds.of(to)
	return to < p.serial && p.serial <= MarkRef+1 && (kind == t || kind == 0)
}

// array passes an array, or a reference to one.
func (p *passer) array(start, at, levels int) int {
	n := p.count(at)
	at += 2
	switch {
	case n < 0:
		return -1
	case n == MarkRef && !p.f.Rules.CtorTags:
		return p.reference(start, at, datatype.Array)
	case n == 0:
		p.number(at-2, datatype.Array)
		return at
	case at >= len(p.b):
		return -1
	}
	tag := p.b[at]
	at++
	t := &p.f.table[tag]
	if t.isForeign && p.checks {
		return -1
	}
	end := at
	switch t.following {
	case followsFixed:
		end = p.skip(at, n*int(t.width))
	case followsBool:
		end = p.bools(at, n)
	case followsOther:
		end = -1
	default:
		if levels == 0 {
			return -1
		}
		p.number(at-3, datatype.Array)
		return p.elements(at, n, tag, levels-1)
	}
	if end >= 0 {
		p.number(at-3, datatype.Array)
	}
	return end
}

// elements passes n elements of an array.
func (p *passer) elements(at, n int, tag byte, levels int) int {
	for ; n > 0 && at >= 0; n-- {
		at = p.value(at, at, tag, levels)
	}
	return at
}

// structure passes a struct, or a reference to one.
func (p *passer) structure(start, at, levels int) int {
	n := p.count(at)
	at += 2
	switch {
	case n < 0 || levels == 0:
		return -1
	case n == MarkRef && !p.f.Rules.CtorTags:
		return p.reference(start, at, datatype.Struct)
	case n == MarkCtor && !p.f.Rules.CtorTags:
		index := p.count(at)
		if index < 0 {
			return -1
		}
		return p.constructed(start, at+2, uint16(index), levels-1)
	}
	p.number(at-2, datatype.Struct)
	return p.members(at, n, levels-1)
}

// passNames is the number of members up to which a struct inside another value is passed if
// names must not repeat.
const passNames = 64

// members passes the n names and values of a struct. It does not pass them if a name
// repeats, or two names have the same hash.
func (p *passer) members(at, n, levels int) int {
	if !p.checks {
		for ; n > 0 && at >= 0; n-- {
			if at = textEnd(p.b, at); at >= 0 {
				at = p.tagged(at, levels)
			}
		}
		return at
	}
	if n > passNames {
		return -1
	}
	var names [passNames]uint32 // hashes
	var seen uint64             // a bit set of them
	for i := range n {
		end, h := p.hashedName(at)
		if end < 0 {
			return -1
		}
		if bit := uint64(1) << (h >> 26); seen&bit == 0 {
			seen |= bit
		} else if slices.Contains(names[:i], h) {
			return -1
		}
		names[i] = h
		if at = p.tagged(end, levels); at < 0 {
			return -1
		}
	}
	return at
}

// constructed passes a struct from its schema version on.
func (p *passer) constructed(start, at int, index uint16, levels int) int {
	if at >= len(p.b) {
		return -1
	}
	use := p.f.known(index, p.b[at], p.from+int64(start))
	if use == nil || use.isOdd && p.checks {
		return -1
	}
	if m := p.f.marks; m != nil {
		m.Ctors = append(m.Ctors, CtorMark{At: p.from + int64(at), Index: index})
	}
	if !use.isVerbose {
		return p.schemaBody(at+1, use.tags, levels)
	}
	n := p.count(at + 1)
	if n < 0 {
		return -1
	}
	p.number(at-4, datatype.Struct)
	return p.members(at+3, n, levels)
}

// schemaBody passes the members that a schema lays out.
func (p *passer) schemaBody(at int, tags []byte, levels int) int {
	list, skips := at, 0 // for the members that are left out
	if p.f.Rules.Skips {
		for last := 0; ; skips++ {
			skip := p.count(at)
			at += 2
			if skip == 0 {
				break
			}
			if skip <= last || skip > len(tags) {
				return -1
			}
			last = skip
		}
	}
	p.number(list-5, datatype.Struct)
	for i, tag := range tags {
		if skips > 0 && p.count(list) == i+1 {
			skips--
			list += 2
			continue
		}
		if t := &p.f.table[tag]; t.following == followsFixed { // the most common tags need no call
			at = p.skip(at, int(t.width))
		} else {
			at = p.value(at, at, tag, levels)
		}
		if at < 0 {
			return -1
		}
	}
	return at
}
