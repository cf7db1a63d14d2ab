package godot

import (
	"encoding/binary"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// Sizes of payloads that are no sizes.
const (
	passText  = 0xfd // a string
	passBool  = 0xfe // a bool, which is 0 or 1
	passNever = 0xff // needs a closer look
)

// passTable gives, for a header that is nothing but a type id, how many bytes
// follow it.
func (d *Dialect) passTable() *[256]byte {
	var sizes [256]byte
	for id := range sizes {
		sizes[id] = passNever
		if id >= len(d.table) {
			continue
		}
		switch t := &types[d.table[id]]; t.shape {
		case shapeNone:
			sizes[id] = 0
		case shapeBool:
			sizes[id] = passBool
		case shapeNumber:
			sizes[id] = 4
			if d.noFlags && d.table[id] == tInt {
				sizes[id] = 8
			}
		case shapeText:
			sizes[id] = passText
		case shapeFixed:
			sizes[id] = byte(width(t.comp) * int64(len(t.parts)))
		}
		if d.engine == enginePandemonium { // what its own reader gets wrong
			switch d.table[id] {
			case tProjection, tVector4, tVector4i:
				sizes[id] = passNever
			}
		}
	}
	return &sizes
}

// wide are the headers of a 64-bit int and float.
const (
	wideInt   = uint32(flagWide<<16 | 2)
	wideFloat = uint32(flagWide<<16 | 3)
)

// Pass implements tree.Format: it goes over scalars and strings in an Array or
// Dictionary of which Inspect would report nothing.
func (f *Format) Pass(w *source.Window, parent *tree.Value, next tree.Slot, pos, until int64) (tree.Slot, int64) {
	pairs := parent.Type == tDictionary
	if !pairs && parent.Type != tArray || parent.Sub != 0 || f.Double || pairs && !next.Key {
		return next, pos
	}
	var b []byte // what is held from pos on
	fresh := false
	for next.Index < parent.Count {
		n := f.passOne(b)
		if n > 0 && pairs {
			if m := f.passOne(b[n:]); m > 0 {
				n += m
			} else {
				n = 0
			}
		}
		switch {
		case n > 0:
			b = b[n:]
			pos += int64(n)
			next.Index++
			fresh = false
		case fresh:
			return next, pos
		default: // perhaps it is only not all there
			b = w.Ahead(pos)
			if left := until - pos; int64(len(b)) > left {
				b = b[:max(0, left)]
			}
			fresh = true
		}
	}
	return next, pos
}

// passOne is the length of the ordinary value at the start of b, 0 if it is
// none or not all there.
func (f *Format) passOne(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	header := binary.LittleEndian.Uint32(b)
	n := 0
	switch {
	case header < 256:
		n = int(f.Dialect.sizes[header])
	case (header == wideInt || header == wideFloat) && !f.Dialect.noFlags:
		n = 8
	default:
		return 0
	}
	switch n {
	case passNever:
		return 0
	case passBool:
		if len(b) < 8 || binary.LittleEndian.Uint32(b[4:]) > 1 {
			return 0
		}
		return 8
	case passText:
		return passString(b)
	}
	if len(b) < 4+n {
		return 0
	}
	return 4 + n
}

// passString is the length of the string value at the start of b if it is
// ordinary, else 0.
func passString(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	n := int64(binary.LittleEndian.Uint32(b[4:]))
	end := 8 + n + pad(n)
	if end > int64(len(b)) || !isPlain(b[8:end], n) {
		return 0
	}
	return int(end)
}
