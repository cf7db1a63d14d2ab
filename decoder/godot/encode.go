package godot

import (
	"encoding/binary"
	"math"
)

// An encoder writes literals as the engine of a dialect writes such values.
type encoder struct {
	f    *Format
	text string // what the literals are a part of
	out  []byte
}

// encode gives the bytes of a literal.
func (f *Format) encode(text string, l *literal) ([]byte, error) {
	e := encoder{f: f, text: text}
	err := e.value(l)
	return e.out, err
}

func (e *encoder) u32(n uint32) { e.out = binary.LittleEndian.AppendUint32(e.out, n) }

func (e *encoder) u64(n uint64) { e.out = binary.LittleEndian.AppendUint64(e.out, n) }

// header writes the id of a type and flags.
func (e *encoder) header(t typeID, flags uint32) {
	id, _ := e.f.Dialect.idOf(t)
	e.u32(id | flags<<16)
}

// putString writes length, text and padding.
func (e *encoder) putString(text []byte) {
	e.u32(uint32(len(text)))
	e.out = append(e.out, text...)
	e.pad(len(text))
}

func (e *encoder) pad(n int) { e.out = append(e.out, "\x00\x00\x00"[:pad(int64(n))]...) }

// value writes a header and what belongs behind it.
func (e *encoder) value(l *literal) error {
	switch typeOf(l.kind).shape {
	case shapeNone:
		e.header(l.kind, 0)
	case shapeBool:
		e.header(l.kind, 0)
		e.u32(uint32(l.id))
	case shapeNumber:
		return e.scalar(l)
	case shapeText:
		e.header(l.kind, 0)
		e.putString(l.text)
	case shapeFixed:
		e.header(l.kind, 0)
		return e.components(l, e.f.component(typeOf(l.kind), false))
	case shapePath:
		return e.path(l)
	case shapeRID:
		e.header(l.kind, 0)
		if e.f.Dialect.ridHasID {
			e.u64(l.id)
		}
	case shapeObject:
		return e.object(l)
	case shapeSignal:
		e.header(l.kind, 0)
		e.putString(l.text)
		e.u64(l.id)
	case shapeDict, shapeArray, shapeTyped:
		return e.container(l)
	case shapeBytes, shapePacked:
		return e.packed(l)
	case shapeStrings:
		e.header(l.kind, 0)
		e.u32(uint32(len(l.kids)))
		for i := range l.kids {
			e.entry(l.kids[i].text, true)
		}
	default:
		return fail(int(l.at), "<%s> stands for damaged bytes, which can stay where they are but not be written", l.text)
	}
	return nil
}

// scalar writes an int or float, in 32 bits where that loses nothing.
func (e *encoder) scalar(l *literal) error {
	if l.kind == tInt {
		n, err := e.int(l)
		if err == nil {
			e.putInt(n)
		}
		return err
	}
	x, err := e.float(l, 64)
	if err == nil && e.f.Dialect.noFlags {
		x, err = e.float(l, 32)
	}
	if err == nil {
		e.putFloat(x)
	}
	return err
}

func (e *encoder) putInt(n int64) {
	if e.f.Dialect.noFlags || n != int64(int32(n)) {
		e.wide(tInt, uint64(n))
		return
	}
	e.header(tInt, 0)
	e.u32(uint32(n))
}

func (e *encoder) putFloat(x float64) {
	if !e.f.Dialect.noFlags && !survives(x) {
		e.wide(tFloat, math.Float64bits(x))
		return
	}
	e.header(tFloat, 0)
	e.u32(math.Float32bits(float32(x)))
}

// survives reports whether an engine stores x in 32 bits.
func survives(x float64) bool { return float64(float32(x)) == x }

// wide writes a number in 64 bits.
func (e *encoder) wide(t typeID, bits uint64) {
	flags := uint32(flagWide)
	if e.f.Dialect.noFlags {
		flags = 0
	}
	e.header(t, flags)
	e.u64(bits)
}

// entry writes a string of a packed array, whose length counts a NUL behind it.
func (e *encoder) entry(text []byte, nul bool) {
	if !nul {
		e.putString(text)
		return
	}
	e.u32(uint32(len(text) + 1))
	e.out = append(append(e.out, text...), 0)
	e.pad(len(text) + 1)
}

func (e *encoder) path(l *literal) error {
	p, err := splitPath(l)
	if err != nil {
		return err
	}
	e.header(l.kind, 0)
	e.putPath(&p)
	return nil
}

// putPath writes what stands behind the header of a NodePath.
func (e *encoder) putPath(p *nodePath) {
	e.u32(uint32(len(p.names)) | shared)
	e.u32(uint32(len(p.subnames)))
	e.u32(p.flags())
	for _, parts := range [][][]byte{p.names, p.subnames} {
		for _, part := range parts {
			e.putString(part)
		}
	}
}

func (e *encoder) object(l *literal) error {
	if l.byID {
		e.header(l.kind, flagWide)
		e.u64(l.id)
		return nil
	}
	e.header(l.kind, 0)
	e.putString(l.text)
	if !l.whole {
		return nil
	}
	e.u32(uint32(len(l.kids) / 2))
	for i := range l.kids {
		if i%2 == 0 {
			e.putString(l.kids[i].text)
		} else if err := e.value(&l.kids[i]); err != nil {
			return err
		}
	}
	return nil
}
