package convert

import (
	"encoding/binary"
	"unicode/utf8"

	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// A copier passes ordinary values: those of which only the ids of types differ in the other
// dialect. Its methods take the place in b where something begins and return where it ends,
// or -1 if it is not ordinary or not all in b.
type copier struct {
	from   *variant.Format
	table  *types.PassTable
	ids    [2][256]int16 // in the other dialect, by the header's flag for 64 bits and the id; -1 if values are not copied
	strict bool          // texts must be valid UTF-8
	b      []byte        // what is in memory
	heads  []int         // places in b of the headers that were passed
}

// newCopier returns a copier for what c converts.
func newCopier(c *converter) *copier {
	p := &copier{from: c.from, table: c.from.Dialect.PassTable(c.from.Double), strict: c.to.Dialect.StrictText && !c.from.Dialect.StrictText}
	for i := range 256 {
		for wide := range 2 {
			p.ids[wide][i] = c.copiedID(uint32(i), wide)
		}
	}
	return p
}

// copiedID returns the id in the other dialect of a type whose values are the same there but
// for that id, -1 for any other.
func (c *converter) copiedID(id uint32, wide int) int16 {
	is := c.from.Dialect.TypeOf(id)
	to, ok := c.counterpart(is)
	shape := types.Of(is).Shape
	if !ok || shape != types.Of(to).Shape || c.to.Dialect.Misreads(to) || (is == types.StringName) != (to == types.StringName) {
		return -1
	}
	wideFlags := c.from.Dialect.KnownFlags(is)&c.to.Dialect.KnownFlags(to)&types.WideFlag != 0
	switch shape {
	case types.ShapeNumber:
		if !wideFlags {
			return -1
		}
	case types.ShapeFixed, types.ShapePacked:
		if wide == 1 && (!wideFlags || c.to.Double) {
			return -1
		}
	case types.ShapeObject, types.ShapeSignal, types.ShapeTyped:
		return -1
	default:
		if wide == 1 {
			return -1
		}
	}
	other, _ := c.to.Dialect.IDOf(to)
	if p := c.to.Dialect.PassTable(c.to.Double); p.Sizes[wide][other] != c.from.Dialect.PassTable(c.from.Double).Sizes[wide][id] {
		return -1
	}
	return int16(other)
}

// Pass implements tree.Passer: it copies the ordinary values that are the next children of
// parent.
func (c *converter) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	p := c.copier
	one := p.child(parent, s)
	if one == nil || c.hidden > 0 || parent.Type == types.Stream && c.to.Framing != variant.Stream {
		return
	}
	levels := s.Levels
	if d := c.to.Dialect.Depth; d > 0 {
		levels = min(levels, int(max(0, d+1-int64(len(c.levels)))))
	}
	l, at := c.top(), 0
	p.b = nil
	for fresh := false; s.Next.Index < parent.Count || parent.Count == tree.Unknown; {
		p.heads = p.heads[:0]
		end := one(at, levels)
		switch {
		case end > 0:
			c.copyValue(at, end)
			s.Pos += int64(end - at)
			at, fresh = end, false
			s.Next.Index++
			l.seen++
			l.written++
		case fresh:
			return
		default: // perhaps the value only continues after the bytes in memory
			p.b, at, fresh = s.Ahead(w), 0, true
		}
	}
}

// copyValue writes what the copier has passed last.
func (c *converter) copyValue(at, end int) {
	p := c.copier
	to := len(c.Out) - at
	c.Out = append(c.Out, p.b[at:end]...)
	for _, head := range p.heads {
		c.Out[to+head] = byte(p.ids[p.b[head+2]][p.b[head]])
	}
}

// child returns the method that passes a child of parent, nil if there is none.
func (p *copier) child(parent *tree.Value, s *tree.Stretch) func(at, levels int) int {
	switch {
	case parent.Type == types.Array:
		return p.value
	case parent.Type == types.Dictionary && s.Next.Key:
		return func(at, levels int) int { return p.values(at, 2, levels) }
	case parent.Type == types.Stream:
		return p.frame
	}
	return nil
}

// frame passes a frame that ends where its value does.
func (p *copier) frame(at, levels int) int {
	end := p.from.FrameEnd(p.b, at)
	if end < 0 || p.value(at+4, levels) != end {
		return -1
	}
	return end
}

// values passes n values.
func (p *copier) values(at, n, levels int) int {
	for ; n > 0 && at >= 0; n-- {
		at = p.value(at, levels)
	}
	return at
}

// value passes a value with at most the given number of levels in it.
func (p *copier) value(at, levels int) int {
	if len(p.b)-at < 4 {
		return -1
	}
	header := binary.LittleEndian.Uint32(p.b[at:])
	id, wide := byte(header), header>>16
	if header&0xff00 != 0 || wide > types.WideFlag || p.ids[wide][id] < 0 {
		return -1
	}
	p.heads = append(p.heads, at)
	size := int(p.table.Sizes[wide][id])
	at += 4
	switch p.table.Follows[id] {
	case types.FollowsFixed, types.FollowsNumber, types.FollowsBool:
		return p.upTo(at + size)
	case types.FollowsText:
		return p.text(at)
	case types.FollowsPath:
		return p.path(at)
	case types.FollowsElements:
		if n := p.count(at, size); n >= 0 {
			return at + 4 + n*size
		}
	case types.FollowsBytes:
		if n := p.count(at, 1); n >= 0 {
			return p.upTo(at + 4 + n + int(types.Pad(int64(n))))
		}
	case types.FollowsStrings:
		return p.texts(at+4, p.count(at, 4))
	case types.FollowsArray:
		if n := p.count(at, 4); n >= 0 && levels > 0 {
			return p.values(at+4, n, levels-1)
		}
	case types.FollowsDict:
		if n := p.count(at, 8); n >= 0 && levels > 0 {
			return p.values(at+4, 2*n, levels-1)
		}
	}
	return -1
}

// upTo passes everything before a place.
func (p *copier) upTo(end int) int {
	if end > len(p.b) {
		return -1
	}
	return end
}

// count reads a count of things that take at least size bytes each; it is -1 if there are
// not as many.
func (p *copier) count(at, size int) int {
	if len(p.b)-at < 4 {
		return -1
	}
	n := int(int32(binary.LittleEndian.Uint32(p.b[at:])))
	if n > (len(p.b)-at-4)/size {
		return -1
	}
	return n
}

// text passes a string and its padding.
func (p *copier) text(at int) int {
	n := p.count(at, 1)
	if n < 0 || p.strict && !utf8.Valid(p.b[at+4:at+4+n]) {
		return -1
	}
	return p.upTo(at + 4 + n + int(types.Pad(int64(n))))
}

// texts passes n strings, none if n is negative.
func (p *copier) texts(at, n int) int {
	if n < 0 {
		return -1
	}
	for ; n > 0 && at >= 0; n-- {
		at = p.text(at)
	}
	return at
}

// path passes a NodePath in its current form.
func (p *copier) path(at int) int {
	if len(p.b)-at < 12 {
		return -1
	}
	names, subnames := binary.LittleEndian.Uint32(p.b[at:]), p.count(at+4, 1)
	if names&types.SharedBit == 0 || subnames < 0 || binary.LittleEndian.Uint32(p.b[at+8:]) > 1 {
		return -1
	}
	n := int(names&^types.SharedBit) + subnames
	if n > (len(p.b)-at-12)/4 {
		return -1
	}
	return p.texts(at+12, n)
}
