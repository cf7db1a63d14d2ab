package godot

import (
	"encoding/binary"
	"math"
	"slices"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// Codes in place of a payload's size.
const (
	passPacked = 0xf9 // elements of one size, counted
	passArray  = 0xfa // values, counted
	passDict   = 0xfb // keys and values, counted
	passText   = 0xfc // a string
	passBool   = 0xfd // a bool, which is 0 or 1
	passNever  = 0xff // needs a closer look
)

// A passTable tells for a header that is nothing but a type id how many bytes
// follow it.
type passTable struct {
	sizes   [256]byte // or one of the codes
	strides [256]byte // of passPacked, an element's size
}

func newPassTable(d *Dialect) *passTable {
	p := new(passTable)
	for id := range p.sizes {
		p.sizes[id] = passNever
		if id < len(d.table) {
			p.sizes[id], p.strides[id] = d.passSize(d.table[id])
		}
	}
	return p
}

// passSize is what a table of the dialect has for a type.
func (d *Dialect) passSize(id typeID) (size, stride byte) {
	if d.engine == enginePandemonium { // what its own reader gets wrong
		switch id {
		case tProjection, tVector4, tVector4i, tPoolVector4Array:
			return passNever, 0
		}
	}
	t := typeOf(id)
	components := width(t.comp) * int64(max(1, len(t.parts)))
	switch t.shape {
	case shapeNone:
		return 0, 0
	case shapeBool:
		return passBool, 0
	case shapeNumber:
		if d.noFlags && id == tInt {
			return 8, 0
		}
		return 4, 0
	case shapeText:
		return passText, 0
	case shapeFixed:
		return byte(components), 0
	case shapePacked:
		return passPacked, byte(components)
	case shapeArray:
		return passArray, 0
	case shapeDict:
		return passDict, 0
	}
	return passNever, 0
}

// wide are the headers of a 64-bit int and float.
const (
	wideInt   = uint32(flagWide<<16 | 2)
	wideFloat = uint32(flagWide<<16 | 3)
)

// needsWide reports whether a value with a header and a payload of 64 bits is a
// number that does not fit 32.
func needsWide(header uint32, payload uint64) bool {
	switch header {
	case wideInt:
		return int64(payload) != int64(int32(payload))
	case wideFloat:
		return !survives(math.Float64frombits(payload))
	}
	return false
}

// Pass implements tree.Reading: it goes over values in an Array of which Inspect
// would report nothing, or all entries of a Dictionary, no key of which stands
// twice.
func (f *Format) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Sub != 0 || f.Double {
		return
	}
	switch parent.Type {
	case tArray:
		f.passValues(w, parent, s)
	case tDictionary:
		if s.Next.Index > 0 || !s.Next.Key || parent.Count > passKeys {
			return
		}
		if n := f.passPairs(ahead(w, s), int(parent.Count), s.Levels); n > 0 {
			s.Pos += int64(n)
			s.Next.Index = parent.Count
		}
	}
}

// ahead are the bytes that are held of a stretch.
func ahead(w *source.Window, s *tree.Stretch) []byte {
	b := w.Ahead(s.Pos)
	if left := s.Until - s.Pos; int64(len(b)) > left {
		b = b[:max(0, left)]
	}
	return b
}

func (f *Format) passValues(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	var b []byte // what is held from Pos on
	fresh := false
	for s.Next.Index < parent.Count {
		n := f.passOne(b, s.Levels)
		switch {
		case n > 0:
			b = b[n:]
			s.Pos += int64(n)
			s.Next.Index++
			fresh = false
		case fresh:
			return
		default: // perhaps it is only not all there
			b = ahead(w, s)
			fresh = true
		}
	}
}

// passOne is the length of the ordinary value at the start of b, which has at
// most the given levels of values in it; 0 if it is none or not all there.
func (f *Format) passOne(b []byte, levels int) int {
	if len(b) < 4 {
		return 0
	}
	header := binary.LittleEndian.Uint32(b)
	if header >= 256 {
		if len(b) >= 12 && !f.Dialect.noFlags && needsWide(header, binary.LittleEndian.Uint64(b[4:])) {
			return 12
		}
		return 0
	}
	size := int(f.Dialect.pass.sizes[header])
	if size < passPacked {
		if len(b) < 4+size {
			return 0
		}
		return 4 + size
	}
	if len(b) < 8 {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(b[4:]))
	switch size {
	case passText:
		end := 8 + n + int(pad(int64(n)))
		if n <= len(b) && end <= len(b) && isPlain(b[8:end], int64(n)) {
			return end
		}
	case passBool:
		if n <= 1 {
			return 8
		}
	case passPacked:
		if end := 8 + n*int(f.Dialect.pass.strides[header]); n <= len(b) && end <= len(b) {
			return end
		}
	case passArray, passDict:
		if levels > 0 {
			return f.passContainer(b, n, size == passDict, levels-1)
		}
	}
	return 0
}

// passContainer is the length of the container at the start of b if all it
// holds is ordinary, else 0.
func (f *Format) passContainer(b []byte, count int, pairs bool, levels int) int {
	if count > len(b)/4 {
		return 0
	}
	at := 8
	if pairs {
		n := f.passPairs(b[at:], count, levels)
		if n == 0 && count > 0 {
			return 0
		}
		return at + n
	}
	for range count {
		n := f.passOne(b[at:], levels)
		if n == 0 {
			return 0
		}
		at += n
	}
	return at
}

// passKeys is how many entries a Dictionary has at most that is passed at once.
const passKeys = 64

// passPairs is the length of so many entries of a Dictionary at the start of b if
// all are ordinary and no key stands twice, else 0. Two keys that only seem to be
// the same need a closer look.
func (f *Format) passPairs(b []byte, count, levels int) int {
	if count > passKeys {
		return 0
	}
	var keys [passKeys]uint32 // hashes
	var some uint64           // bits of these
	at := 0
	for i := range count {
		n := f.passOne(b[at:], levels)
		if n == 0 {
			return 0
		}
		h := hashKey(b[at : at+n])
		if bit := uint64(1) << (h >> 26); some&bit == 0 {
			some |= bit
		} else if slices.Contains(keys[:i], h) {
			return 0
		}
		keys[i] = h
		at += n
		if n = f.passOne(b[at:], levels); n == 0 {
			return 0
		}
		at += n
	}
	return at
}

// hashKey tells most keys from others. A value is a multiple of four bytes long.
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
