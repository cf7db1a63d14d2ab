package godot

import (
	"encoding/binary"

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
	t := &types[id]
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

// Pass implements tree.Format: it goes over values in an Array or Dictionary of
// which Inspect would report nothing.
func (f *Format) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	pairs := parent.Type == tDictionary
	if !pairs && parent.Type != tArray || parent.Sub != 0 || f.Double || pairs && !s.Next.Key {
		return
	}
	var b []byte // what is held from Pos on
	fresh := false
	for s.Next.Index < parent.Count {
		n := f.passEntry(b, pairs, s.Levels)
		switch {
		case n > 0:
			b = b[n:]
			s.Pos += int64(n)
			s.Next.Index++
			fresh = false
		case fresh:
			return
		default: // perhaps it is only not all there
			b = w.Ahead(s.Pos)
			if left := s.Until - s.Pos; int64(len(b)) > left {
				b = b[:max(0, left)]
			}
			fresh = true
		}
	}
}

// passEntry is the length of the ordinary value at the start of b, with pairs
// also that of a second one behind it, 0 if they are none or not all there.
func (f *Format) passEntry(b []byte, pairs bool, levels int) int {
	n := f.passOne(b, levels)
	if n == 0 || !pairs {
		return n
	}
	m := f.passOne(b[n:], levels)
	if m == 0 {
		return 0
	}
	return n + m
}

// passOne is the length of the ordinary value at the start of b, which has at
// most the given levels of values in it; 0 if it is none or not all there.
func (f *Format) passOne(b []byte, levels int) int {
	if len(b) < 4 {
		return 0
	}
	header := binary.LittleEndian.Uint32(b)
	if header >= 256 {
		if (header == wideInt || header == wideFloat) && !f.Dialect.noFlags && len(b) >= 12 {
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
	for range count {
		n := f.passEntry(b[at:], pairs, levels)
		if n == 0 {
			return 0
		}
		at += n
	}
	return at
}
