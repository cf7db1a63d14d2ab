package ordinary

import (
	"bytes"
	"encoding/binary"
	"math"

	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Write appends the ordinary values that are the next children of parent, and advances s
// past them. first precedes the first child of parent, between precedes all others.
func (t *Table) Write(dst []byte, w *source.Window, parent *tree.Value, s *tree.Stretch, first, between string) []byte {
	x := writer{Table: t, dst: dst, keys: s.Keys}
	x.key, x.elem = variant.ChildTypes(parent)
	one := x.child(parent, s)
	if one == nil {
		return dst
	}
	for fresh := false; s.Next.Index < parent.Count || parent.Count == tree.Unknown; {
		before := len(x.dst)
		if s.Next.Index == 0 {
			x.put(first)
		} else {
			x.put(between)
		}
		end := -1
		if x.at < len(x.b) {
			end = one(x.at, s.Levels)
		}
		switch {
		case end > 0:
			s.Pos += int64(end - x.at)
			x.at, fresh = end, false
			s.Next.Index++
			continue
		case !fresh: // perhaps the value only continues after the bytes in memory
			x.b, x.at = s.Ahead(w), 0
			fresh = true
			x.dst = x.dst[:before]
			continue
		}
		return x.dst[:before]
	}
	return x.dst
}

// A writer writes values in b, the bytes of a stretch that are in memory. Its methods take
// the place in b where something begins and return where it ends, or -1 if it is not
// ordinary or not all in b; what they have then written must be dropped.
type writer struct {
	*Table
	dst []byte
	b   []byte
	at  int // the place of the next child in b

	keys      *tree.KeySet // earlier keys, which must not repeat; nil if they may
	key, elem int          // type ids that keys and the other values must have, 0 for any
}

func (x *writer) put(s string) { x.dst = append(x.dst, s...) }

// child returns the method that writes a child of parent, nil if there is none.
func (x *writer) child(parent *tree.Value, s *tree.Stretch) func(at, levels int) int {
	switch {
	case parent.Type == types.Array:
		return x.element
	case parent.Type == types.Dictionary && s.Next.Key:
		return x.newEntry
	case parent.Type == types.Stream:
		return x.frame
	}
	return nil
}

// frame writes the value of a frame that ends where the value does.
func (x *writer) frame(at, levels int) int {
	end := x.format.FrameEnd(x.b, at)
	if end < 0 || x.value(at+4, levels) != end {
		return -1
	}
	return end
}

// newEntry writes an entry whose key is not among the earlier ones.
func (x *writer) newEntry(at, levels int) int {
	value, end := x.entry(at, levels)
	if end >= 0 && x.keys != nil && !x.keys.AddNew(x.b[at:value]) {
		return -1
	}
	return end
}

// entry writes a key and its value, and returns where these end.
func (x *writer) entry(at, levels int) (value, end int) {
	if !x.is(at, x.key) {
		return -1, -1
	}
	if value = x.value(at, levels); value < 0 {
		return -1, -1
	}
	x.put(x.Colon)
	return value, x.element(value, levels)
}

// element writes a value that is no key.
func (x *writer) element(at, levels int) int {
	if !x.is(at, x.elem) {
		return -1
	}
	return x.value(at, levels)
}

// is reports whether the value at a place is of a type, 0 for any.
func (x *writer) is(at, id int) bool { return id == 0 || at < len(x.b) && int(x.b[at]) == id }

// value writes a value with at most the given number of levels in it.
func (x *writer) value(at, levels int) int {
	if len(x.b)-at < 4 {
		return -1
	}
	header := binary.LittleEndian.Uint32(x.b[at:])
	id := byte(header)
	f := &x.forms[0][id]
	switch {
	case header <= 0xff:
	case header&0xff00 == 0 && (f.how == asArray || f.how == asDictionary):
		return x.typed(at+4, f.how == asDictionary, header>>16, levels)
	case header != types.WideFlag<<16|uint32(id):
		return -1
	default:
		f = &x.forms[1][id]
	}
	at += 4
	size := int(x.sizes.Sizes[header>>16][id])
	if f.how <= asColumns && at+size > len(x.b) {
		return -1
	}
	switch f.how {
	case asNothing:
		x.put(f.open)
	case asBool:
		return x.bool(at)
	case asInt:
		return x.int(at, size)
	case asFloat:
		return x.float(at, size)
	case asText:
		return x.text(at, f.open, false)
	case asPath:
		return x.path(at, f.open)
	case asParts:
		x.put(f.open)
		x.dst = numeric.AppendList(x.dst, f.comp, x.b[at:at+size], x.Part, x.Comma)
		x.put(x.End)
	case asColumns:
		x.put(f.open)
		x.columns(x.b[at:at+size], f.comp)
		x.put(x.End)
	case notOrdinary:
		return -1
	default:
		return x.counted(at, f, size, levels)
	}
	return at + size
}

// columns writes numbers of which the first nine are the rows of a matrix, as its columns.
func (x *writer) columns(b []byte, comp types.ID) {
	var in [12 * 8]byte
	copy(in[:], b)
	size := int(types.Width(comp))
	for i := range 9 {
		copy(in[i*size:(i+1)*size], b[(i%3*3+i/3)*size:])
	}
	x.dst = numeric.AppendList(x.dst, comp, in[:len(b)], x.Part, x.Comma)
}

func (x *writer) bool(at int) int {
	switch binary.LittleEndian.Uint32(x.b[at:]) {
	case 0:
		x.put("false")
	case 1:
		x.put("true")
	default:
		return -1
	}
	return at + 4
}

// int writes an int with the width that engines choose.
func (x *writer) int(at, size int) int {
	n := int64(int32(binary.LittleEndian.Uint32(x.b[at:])))
	if size == 8 {
		wide := int64(binary.LittleEndian.Uint64(x.b[at:]))
		if wide == n && !x.format.Dialect.NoFlags {
			return -1
		}
		n = wide
	}
	x.put(x.Int[0])
	x.dst = numeric.AppendInt(x.dst, n)
	x.put(x.Int[1])
	return at + size
}

// float writes a float with the width that engines choose, unless it is a NaN.
func (x *writer) float(at, size int) int {
	n := float64(math.Float32frombits(binary.LittleEndian.Uint32(x.b[at:])))
	if size == 8 {
		n = math.Float64frombits(binary.LittleEndian.Uint64(x.b[at:]))
		if numeric.FitsFloat32(n) && !x.format.Dialect.NoFlags {
			return -1
		}
	}
	if math.IsNaN(n) {
		return -1
	}
	x.put(x.Float[0])
	x.dst = numeric.AppendFloat(x.dst, n, 64, x.Whole)
	x.put(x.Float[1])
	return at + size
}

// count reads a count of things that take at least size bytes each; it is -1 if there are
// not as many.
func (x *writer) count(at, size int) int {
	if len(x.b)-at < 4 {
		return -1
	}
	n := int(int32(binary.LittleEndian.Uint32(x.b[at:])))
	if n > (len(x.b)-at-4)/size {
		return -1
	}
	return n
}

// text writes a plain string. If nul is set, its length counts a NUL at the end, which is not
// written.
func (x *writer) text(at int, open string, nul bool) int {
	n := x.count(at, 1)
	if n < 0 {
		return -1
	}
	at += 4
	end := at + n + int(types.Pad(int64(n)))
	if end > len(x.b) {
		return -1
	}
	switch b := x.b[at:end]; {
	case !nul && !variant.IsPlain(b, int64(n)):
		return -1
	case nul && !variant.IsPlainNul(b, n):
		return -1
	case nul:
		n--
	}
	x.put(open)
	x.dst = tree.AppendEscaped(x.dst, x.b[at:at+n], '"')
	x.put(`"`)
	return end
}

// path writes a NodePath in its current form, if no part could be mistaken for several.
func (x *writer) path(at int, open string) int {
	if len(x.b)-at < 12 {
		return -1
	}
	names, subnames := binary.LittleEndian.Uint32(x.b[at:]), binary.LittleEndian.Uint32(x.b[at+4:])
	absolute := binary.LittleEndian.Uint32(x.b[at+8:])
	if names <= types.SharedBit || subnames >= types.SharedBit || absolute > 1 {
		return -1
	}
	names &^= types.SharedBit
	x.put(open)
	if absolute == 1 {
		x.put("/")
	}
	at += 12
	for i := range names + subnames {
		switch {
		case i >= names:
			x.put(":")
		case i > 0:
			x.put("/")
		}
		n := x.count(at, 1)
		if n <= 0 || n > tree.MaxKey {
			return -1
		}
		part := x.b[at+4 : at+4+n]
		if bytes.ContainsAny(part, "/:") || !variant.IsCleanText(part) {
			return -1
		}
		x.dst = tree.AppendEscaped(x.dst, part, '"')
		if at += 4 + n + int(types.Pad(int64(n))); at > len(x.b) {
			return -1
		}
	}
	x.put(`"`)
	return at
}
