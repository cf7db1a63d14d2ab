package variant

import (
	"encoding/binary"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
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
