package variant

import (
	"encoding/binary"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// Pass implements tree.Passer.
func (f *Format) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	p := passer{f: f, table: f.Dialect.PassTable(f.Double), s: s, checks: s.Checks(), tally: s.Tally}
	p.key, p.elem = childTypes(parent)
	one := p.child(parent)
	if one == nil {
		return
	}
	for fresh := false; s.Next.Index < parent.Count || parent.Count == tree.Unknown; {
		end, known := -1, len(s.Contents)
		if p.at < len(p.b) {
			end = one(p.at, s.Levels)
		}
		if p.tally != nil {
			p.tally.Settle(end > 0)
		}
		if end <= 0 {
			s.Contents = s.Contents[:known]
		}
		switch {
		case end > 0:
			s.Pos += int64(end - p.at)
			p.at, fresh = end, false
			s.Next.Index++
			if s.Pos >= s.Enough {
				return
			}
		case fresh:
			return
		default: // perhaps the bytes in memory only end within the value
			p.b, p.at = s.Ahead(w), 0
			fresh = true
		}
	}
}

// A passer passes values in b, the bytes of a stretch that are in memory. Its methods take the place in b
// where something begins and return where it ends, or -1 if it must be read more closely or is not all in
// b.
type passer struct {
	f     *Format
	table *types.PassTable
	s     *tree.Stretch
	b     []byte
	at    int // place of s.Pos in b

	checks    bool // values must be ordinary; otherwise only sizes matter
	key, elem int  // type ids that the keys and the other children must have; 0 for any
	tally     *tree.Tally
}

// never is not the id of a type: no child is passed.
const never = -1

// childTypes returns the type ids that the keys and the other children of a value must have; 0 for any.
func childTypes(parent *tree.Value) (key, elem int) {
	first, second := parent.Sub&0xff, parent.Sub>>8&0xff
	switch parent.Type {
	case types.Array:
		elem = required(first)
	case types.Dictionary:
		key, elem = required(first), required(second)
	case types.TypedArray, types.PackedTypedArray:
		elem = int(parent.Sub)
	}
	return key, elem
}

// required returns the type id that one byte of Value.Sub asks of children.
func required(accepts uint32) int {
	switch accepts {
	case 0, 1:
		return 0
	case anyObject:
		return never
	}
	return int(accepts) - 1
}

// child returns the method that passes a child of parent; nil if children of such a value are not passed.
func (p *passer) child(parent *tree.Value) func(at, levels int) int {
	switch parent.Type {
	case types.Array, types.TypedArray, types.PackedTypedArray:
		return p.element
	case types.Dictionary:
		return p.entry
	case types.Stream:
		if p.f.Framing == Sequence {
			return p.bare
		}
		return p.frame
	}
	if types.Of(parent.Type).Shape == types.ShapeStrings {
		return func(at, _ int) int { return p.packedString(at) }
	}
	return nil
}

// element passes an element of an Array.
func (p *passer) element(at, levels int) int {
	if p.checks && p.elem != 0 && !p.is(at, p.elem) {
		return -1
	}
	return p.value(at, levels)
}

// entry passes an entry of a Dictionary whose key is not among the stretch's.
func (p *passer) entry(at, levels int) int {
	value := p.entryKey(at, levels)
	if value < 0 {
		return -1
	}
	end := p.value(value, levels)
	if p.f.Dialect.Engine == types.EngineGodot4 && p.table.Follows[p.b[at]] == types.FollowsText { // as KeyIdentity
		at += len("type")
	}
	if end >= 0 && p.s.Keys != nil && !p.s.Keys.AddNew(p.b[at:value]) {
		return -1
	}
	return end
}

// entryKey passes the key of an entry and looks at the type of the value.
func (p *passer) entryKey(at, levels int) int {
	if p.key != 0 && p.checks && !p.is(at, p.key) {
		return -1
	}
	elem, end := p.elem, p.textKey(at)
	if end < 0 {
		end = p.passKey(at, levels)
	}
	if end < 0 || elem != 0 && p.checks && !p.is(end, elem) {
		return -1
	}
	return end
}

// textKey passes a key that is a plain text, as most are; -1 for any other.
func (p *passer) textKey(at int) int {
	b := p.b[at:]
	if len(b) < 8 || binary.LittleEndian.Uint32(b)>>8 != 0 || p.table.Follows[b[0]] != types.FollowsText {
		return -1
	}
	n := int64(binary.LittleEndian.Uint32(b[4:]))
	end := 8 + n + types.Pad(n)
	if end > int64(len(b)) || !isPlain(b[8:end], n) {
		return -1
	}
	p.note(at, at+8, n)
	return at + int(end)
}

// note adds the n bytes at a place to the contents, as those of the value that begins at another place.
func (p *passer) note(value, at int, n int64) {
	if least := p.s.LeastContent; least > 0 && n >= least {
		by := p.s.Pos - int64(p.at)
		p.s.Contents = append(p.s.Contents, tree.Content{At: by + int64(value), Span: span.Span{Offset: by + int64(at), Length: n}})
	}
}

// passKey passes a key, which does not count as a value.
func (p *passer) passKey(at, levels int) int {
	if p.tally == nil {
		return p.value(at, levels)
	}
	if at+4 > len(p.b) || p.hasChildren(at) { // which are counted
		return -1
	}
	tally := p.tally
	p.tally = nil
	end := p.value(at, levels)
	p.tally = tally
	return end
}

// hasChildren reports whether the value at a place can have children that are passed.
func (p *passer) hasChildren(at int) bool {
	switch p.table.Follows[p.b[at]] {
	case types.FollowsDict, types.FollowsArray, types.FollowsTyped, types.FollowsObject, types.FollowsStrings, types.FollowsPath:
		return true
	}
	return false
}

// bare passes a value of a sequence.
func (p *passer) bare(at, levels int) int {
	end := p.value(at, levels)
	if end >= 0 && p.tally != nil {
		p.tally.Children++
	}
	return end
}

// frame passes a frame that ends where its value does or, if only sizes matter, any frame that is all in
// memory.
func (p *passer) frame(at, levels int) int {
	end := p.f.frameEnd(p.b, at)
	if end < 0 || !p.checks {
		return end
	}
	if p.tally != nil && end-at >= tree.LargeFrom && !p.hasChildren(at+4) {
		return -1 // it would count as large without its length
	}
	whole := p.b
	p.b = p.b[:end] // a value must not go beyond its frame
	passed := p.value(at+4, levels)
	p.b = whole
	if passed != end {
		return -1
	}
	if p.tally != nil {
		p.tally.Children++
	}
	return end
}

// is reports whether the value at a place is of a type.
func (p *passer) is(at, id int) bool { return at < len(p.b) && int(p.b[at]) == id }

// container passes a value with children.
func (p *passer) container(at int, header uint32, levels int) int {
	if levels == 0 {
		p.s.IsTooDeep = true
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

// pairs passes the entries of a Dictionary. They are not passed where a key may repeat, or there are many.
func (p *passer) pairs(at, count, levels int) int {
	var keys tree.FewKeys
	for range count {
		end := p.entryKey(at, levels)
		if end < 0 || p.checks && !keys.AddNew(p.b[at:end]) {
			return -1
		}
		if at = p.value(end, levels); at < 0 {
			return -1
		}
	}
	return at
}

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
