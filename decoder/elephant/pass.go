package elephant

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// Pass implements tree.Format: it goes over elements of an array of which Inspect
// would report nothing. Structs made by constructors and references, which take
// looking things up, are left to Read.
func (f *Format) Pass(w *source.Window, parent *tree.Value, next tree.Slot, pos, until int64, levels int, serial uint32) (tree.Slot, int64, uint32) {
	if parent.Type != tArray || parent.Layout != tree.Sequence || parent.Sub&ctorElement != 0 || serial == tree.NoSerial {
		return next, pos, serial
	}
	p := passer{f: f, b: w.View(pos, until-pos), serial: serial}
	at := 0
	for next.Index < parent.Count {
		end := p.value(at, typeID(parent.Sub), levels)
		if end < 0 {
			break
		}
		at, serial = end, p.serial
		next.Index++
	}
	return next, pos + int64(at), serial
}

// A passer goes over values in b. Its methods return where a value ends, or -1
// where it needs a closer look or goes beyond b.
type passer struct {
	f      *Format
	b      []byte
	serial uint32
}

// value passes a value of type t at an offset of b, with so many levels in it at
// most.
func (p *passer) value(at int, t typeID, levels int) int {
	if t == tAny {
		if at >= len(p.b) {
			return -1
		}
		tag := p.b[at]
		at++
		if t = p.f.Rules.typeOf(tag); t == tAny || p.f.Rules.isForeign(tag) {
			return -1
		}
	}
	switch {
	case t == tBool:
		return p.bools(at, 1)
	case width(t) > 0:
		return p.skip(at, int(width(t)))
	case isText(t):
		return p.text(at)
	case t == tArray:
		return p.array(at, levels)
	case t == tStruct && levels > 0:
		return p.structure(at, levels-1)
	case t == tUndefined:
		return at
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

// bools passes n bools, which must be 0 or 1.
func (p *passer) bools(at, n int) int {
	end := p.skip(at, n)
	for i := at; i < end; i++ {
		if p.b[i] > 1 {
			return -1
		}
	}
	return end
}

// text passes a string that needs no escapes.
func (p *passer) text(at int) int {
	end := bytes.IndexByte(p.b[at:], 0)
	if end < 0 || !tree.IsPlain(p.b[at:at+end]) {
		return -1
	}
	return at + end + 1
}

// number gives an array or struct its number, if the version has any.
func (p *passer) number(t typeID) {
	if p.f.Rules.ctorTags {
		return
	}
	if p.serial <= markRef && p.f.kinds != nil {
		p.f.kinds[p.serial].Store(uint32(t))
	}
	p.serial++
}

// array passes an array that is no reference.
func (p *passer) array(at, levels int) int {
	if len(p.b)-at < 3 {
		return -1
	}
	n := int(binary.LittleEndian.Uint16(p.b[at:]))
	if n == markRef && !p.f.Rules.ctorTags {
		return -1
	}
	p.number(tArray)
	if n == 0 {
		return at + 2
	}
	tag := p.b[at+2]
	at += 3
	element := p.f.Rules.typeOf(tag)
	switch {
	case p.f.Rules.isForeign(tag):
		return -1
	case element == tBool:
		return p.bools(at, n)
	case width(element) > 0:
		return p.skip(at, n*int(width(element)))
	case element == tUndefined:
		return at
	case levels == 0:
		return -1
	}
	for ; n > 0 && at >= 0; n-- {
		at = p.value(at, element, levels-1)
	}
	return at
}

// fewMembers is how many names are told apart without memory.
const fewMembers = 24

// structure passes a struct without a constructor, whose names all differ.
func (p *passer) structure(at, levels int) int {
	if len(p.b)-at < 2 {
		return -1
	}
	n := int(binary.LittleEndian.Uint16(p.b[at:]))
	if n > fewMembers {
		return -1
	}
	p.number(tStruct)
	at += 2
	var seen [fewMembers]uint32
	for i := range n {
		end := p.text(at)
		if end < 0 {
			return -1
		}
		h := hash(p.b[at:end])
		for _, other := range seen[:i] {
			if h == other {
				return -1
			}
		}
		seen[i] = h
		if at = p.value(end, tAny, levels); at < 0 {
			return -1
		}
	}
	return at
}

// hash is FNV-1a.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
