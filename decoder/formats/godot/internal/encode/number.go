package encode

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// Int returns the number of a literal.
func (e *Encoder) Int(l *literal.Literal) (int64, error) {
	if l.Kind != types.Int {
		return 0, l.Errorf("a whole number is expected here")
	}
	n, err := notation.ParseInt(e.Text[l.At:l.End])
	if err != nil {
		return 0, l.Errorf("an int must fit 64 bits: %d to %d", math.MinInt64, math.MaxInt64)
	}
	return n, nil
}

// Float returns the number of a literal, rounded to size bits.
func (e *Encoder) Float(l *literal.Literal, size int) (float64, error) {
	text := e.Text[l.At:l.End]
	if x, ok := literal.Special(text); ok {
		return x, nil
	}
	if n, err := notation.ParseInt(text); err == nil && l.Kind == types.Int && text != "-0" {
		if size == 32 {
			return float64(float32(n)), nil
		}
		return float64(n), nil
	}
	if l.Kind == types.Int && strings.ContainsAny(text, "xXbB") {
		return 0, l.Errorf("a number in hex or binary digits must fit 64 bits")
	}
	x, err := strconv.ParseFloat(text, size)
	if err != nil && !(e.Format.Dialect == types.TextAny && errors.Is(err, strconv.ErrRange)) { // in text it is infinite, as engines read it
		if size == 32 {
			return 0, l.Errorf("float32 holds up to 3.4e38")
		}
		return 0, l.Errorf("float holds up to 1.8e308")
	}
	return x, nil
}

// Bits returns the bits of a literal as a component or element of type comp.
func (e *Encoder) Bits(l *literal.Literal, comp types.ID) (uint64, error) {
	switch comp {
	case types.Float32:
		x, err := e.Float(l, 32)
		return uint64(math.Float32bits(float32(x))), err
	case types.Float64:
		x, err := e.Float(l, 64)
		return math.Float64bits(x), err
	}
	n, err := e.Int(l)
	switch {
	case err != nil:
	case comp == types.Byte && n != int64(byte(n)):
		err = l.Errorf("this byte must be 0 to 255")
	case comp == types.Int32 && n != int64(int32(n)):
		err = l.Errorf("this number must fit 32 bits: %d to %d", math.MinInt32, math.MaxInt32)
	}
	return uint64(n), err
}

// Components writes the numbers of a vector or packed array.
func (e *Encoder) Components(l *literal.Literal, comp types.ID) error {
	for i := range e.Count(l) {
		bits, err := e.Component(l, i, comp)
		if err != nil {
			return err
		}
		e.Out = e.Format.AppendBinary(e.Out, comp, bits)
	}
	return nil
}

// Count returns the number of components of a vector or packed array.
func (e *Encoder) Count(l *literal.Literal) int {
	if l.Text != nil { // a colour in hex digits
		return len(types.Of(types.Color).Parts)
	}
	return len(l.Children)
}

// Component returns the bits of the i-th number of a vector or packed array.
func (e *Encoder) Component(l *literal.Literal, i int, comp types.ID) (uint64, error) {
	if l.Text == nil {
		return e.Bits(&l.Children[i], comp)
	}
	part := uint64(0xff)
	if 2*i < len(l.Text) {
		part, _ = strconv.ParseUint(string(l.Text[2*i:2*i+2]), 16, 8)
	}
	if comp == types.Float64 {
		return math.Float64bits(float64(part) / 255), nil
	}
	return uint64(math.Float32bits(float32(part) / 255)), nil
}
