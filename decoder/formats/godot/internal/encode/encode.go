// Package encode writes literals as bytes, as the engine of a dialect does.
package encode

import (
	"math"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// An Encoder writes literals as the engine of a dialect writes their values.
type Encoder struct {
	Format *variant.Format
	Text   string // text of which the literals are parts
	Out    []byte
}

// Bytes returns the bytes of a literal in text.
func Bytes(f *variant.Format, text string, l *literal.Literal) ([]byte, error) {
	e := Encoder{Format: f, Text: text}
	err := e.Value(l)
	return e.Out, err
}

// U32 writes a 32-bit number.
func (e *Encoder) U32(n uint32) { e.Out = e.Format.AppendBinary(e.Out, types.Int32, uint64(n)) }

func (e *Encoder) u64(n uint64) { e.Out = e.Format.AppendBinary(e.Out, types.Int64, n) }

// Header writes a header: the id of a type, and flags.
func (e *Encoder) Header(t types.ID, flags uint32) {
	e.U32(e.Format.Dialect.AsHeader(t, flags))
}

// PutString writes a string: length, text, padding.
func (e *Encoder) PutString(text []byte) {
	if e.Format.Dialect.Resource {
		e.Entry(text, true)
		return
	}
	e.U32(uint32(len(text)))
	e.Out = append(e.Out, text...)
	e.Pad(len(text))
}

// Pad writes the padding after n bytes.
func (e *Encoder) Pad(n int) { e.Out = append(e.Out, "\x00\x00\x00"[:types.Pad(int64(n))]...) }

// Value writes a value: header and payload.
func (e *Encoder) Value(l *literal.Literal) error {
	switch types.Of(l.Kind).Shape {
	case types.ShapeNumber:
		return e.scalar(l)
	case types.ShapePath:
		return e.path(l)
	case types.ShapeRID:
		return e.rid(l)
	case types.ShapeReference:
		return e.reference(l)
	case types.ShapeObject:
		return e.object(l)
	case types.ShapeDict, types.ShapeArray, types.ShapeTyped:
		return e.container(l)
	case types.ShapeBytes, types.ShapePacked:
		return e.packed(l)
	case types.ShapeRecord, types.ShapeUnknown:
		return l.Errorf("<%s> marks damaged bytes; they can be kept but not written", l.Text)
	}
	return e.plain(l)
}

// plain writes a value whose header has no flags.
func (e *Encoder) plain(l *literal.Literal) error {
	e.Header(l.Kind, 0)
	switch types.Of(l.Kind).Shape {
	case types.ShapeBool:
		e.U32(uint32(l.ID))
	case types.ShapeText:
		e.PutString(l.Text)
	case types.ShapeFixed:
		return e.Components(l, e.Format.Component(types.Of(l.Kind), false))
	case types.ShapeSignal:
		if !e.Format.Dialect.Resource {
			e.PutString(l.Text)
			e.u64(l.ID)
		}
	case types.ShapeStrings:
		e.U32(uint32(len(l.Children)))
		return e.children(l)
	}
	return nil
}

// scalar writes an int or float, in 32 bits if that loses nothing.
func (e *Encoder) scalar(l *literal.Literal) error {
	if l.Kind == types.Int {
		n, err := e.Int(l)
		if err == nil {
			e.PutInt(n)
		}
		return err
	}
	x, err := e.Float(l, 64)
	if err == nil && e.Format.Dialect.NoFlags {
		x, err = e.Float(l, 32)
	}
	if err == nil {
		e.PutFloat(x)
	}
	return err
}

// PutInt writes an int, in 32 bits if that loses nothing.
func (e *Encoder) PutInt(n int64) {
	if e.Format.Dialect.NoFlags || n != int64(int32(n)) {
		e.wide(types.Int, uint64(n))
		return
	}
	e.Header(types.Int, 0)
	e.U32(uint32(n))
}

// PutFloat writes a float, in 32 bits if that loses nothing.
func (e *Encoder) PutFloat(x float64) {
	if !e.Format.Dialect.NoFlags && !numeric.FitsFloat32(x) {
		e.wide(types.Float, math.Float64bits(x))
		return
	}
	e.Header(types.Float, 0)
	e.U32(math.Float32bits(float32(x)))
}

// wide writes a number in 64 bits.
func (e *Encoder) wide(t types.ID, bits uint64) {
	flags := uint32(types.WideFlag)
	if e.Format.Dialect.NoFlags {
		flags = 0
	}
	e.Header(t, flags)
	e.u64(bits)
}

// Entry writes an entry of a packed string array. Its length counts a NUL at its end if nul is set.
func (e *Encoder) Entry(text []byte, nul bool) {
	if !nul {
		e.PutString(text)
		return
	}
	e.U32(uint32(len(text) + 1))
	e.Out = append(append(e.Out, text...), 0)
	if !e.Format.Dialect.Resource {
		e.Pad(len(text) + 1)
	}
}

func (e *Encoder) path(l *literal.Literal) error {
	p, err := literal.SplitPath(l)
	if err != nil {
		return err
	}
	if e.Format.Dialect.Resource && max(len(p.Names), len(p.Subnames)) > math.MaxInt16 {
		return l.Errorf("a NodePath may have at most %d names here", math.MaxInt16)
	}
	e.Header(l.Kind, 0)
	e.PutPath(&p)
	return nil
}

// PutPath writes the payload of a NodePath.
func (e *Encoder) PutPath(p *variant.NodePath) {
	if e.Format.Dialect.Resource {
		e.putIndexedPath(p)
		return
	}
	e.U32(uint32(len(p.Names)) | types.SharedBit)
	e.U32(uint32(len(p.Subnames)))
	e.U32(p.Flags())
	for _, parts := range [][][]byte{p.Names, p.Subnames} {
		for _, part := range parts {
			e.PutString(part)
		}
	}
}

func (e *Encoder) object(l *literal.Literal) error {
	if e.Format.Dialect.Resource {
		return l.Errorf("an object is a resource of its own here: SubResource(\"id\"), ExtResource(\"id\") or null")
	}
	if l.ByID {
		e.Header(l.Kind, types.WideFlag)
		e.u64(l.ID)
		return nil
	}
	e.Header(l.Kind, 0)
	e.PutString(l.Text)
	if !l.Whole {
		return nil
	}
	e.U32(uint32(len(l.Children) / 2))
	return e.children(l)
}
