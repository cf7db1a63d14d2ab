package godot

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// parseInt reads an int in the notation of literals.
func parseInt(text string) (int64, error) {
	if hex := strings.TrimPrefix(text, "-"); len(hex) > 1 && !isDigit(hex[1]) {
		return strconv.ParseInt(text, 0, 64)
	}
	return strconv.ParseInt(text, 10, 64)
}

// int is the number that a literal stands for.
func (e *encoder) int(l *literal) (int64, error) {
	if l.kind != tInt {
		return 0, fail(int(l.at), "a whole number is expected here")
	}
	n, err := parseInt(e.text[l.at:l.end])
	if err != nil {
		return 0, fail(int(l.at), "int fits 64 bits: %d to %d", math.MinInt64, math.MaxInt64)
	}
	return n, nil
}

// float is the number of the given size in bits that a literal stands for.
func (e *encoder) float(l *literal, size int) (float64, error) {
	text := e.text[l.at:l.end]
	if x, ok := special(text); ok {
		return x, nil
	}
	if n, err := parseInt(text); err == nil && l.kind == tInt && text != "-0" {
		if size == 32 {
			return float64(float32(n)), nil
		}
		return float64(n), nil
	}
	if l.kind == tInt && strings.ContainsAny(text, "xXbB") {
		return 0, fail(int(l.at), "a number in hex or binary digits fits 64 bits")
	}
	x, err := strconv.ParseFloat(text, size)
	if err != nil {
		if size == 32 {
			return 0, fail(int(l.at), "float32 holds up to 3.4e38")
		}
		return 0, fail(int(l.at), "float holds up to 1.8e308")
	}
	return x, nil
}

// bits is the number of a component or element of type comp.
func (e *encoder) bits(l *literal, comp typeID) (uint64, error) {
	switch comp {
	case tFloat32:
		x, err := e.float(l, 32)
		return uint64(math.Float32bits(float32(x))), err
	case tFloat64:
		x, err := e.float(l, 64)
		return math.Float64bits(x), err
	}
	n, err := e.int(l)
	switch {
	case err != nil:
	case comp == tByte && n != int64(byte(n)):
		err = fail(int(l.at), "this byte is 0 to 255")
	case comp == tInt32 && n != int64(int32(n)):
		err = fail(int(l.at), "this number fits 32 bits: %d to %d", math.MinInt32, math.MaxInt32)
	}
	return uint64(n), err
}

// appendComponent appends a number of type comp.
func appendComponent(dst []byte, comp typeID, bits uint64) []byte {
	switch width(comp) {
	case 1:
		return append(dst, byte(bits))
	case 4:
		return binary.LittleEndian.AppendUint32(dst, uint32(bits))
	}
	return binary.LittleEndian.AppendUint64(dst, bits)
}

// components writes the numbers of a vector or packed array.
func (e *encoder) components(l *literal, comp typeID) error {
	for i := range e.count(l) {
		bits, err := e.component(l, i, comp)
		if err != nil {
			return err
		}
		e.out = appendComponent(e.out, comp, bits)
	}
	return nil
}

// count is how many numbers a vector or packed array has.
func (e *encoder) count(l *literal) int {
	if l.text != nil { // a colour in hex digits
		return len(rgba)
	}
	return len(l.kids)
}

// component is the i-th number of a vector or packed array.
func (e *encoder) component(l *literal, i int, comp typeID) (uint64, error) {
	if l.text == nil {
		return e.bits(&l.kids[i], comp)
	}
	part := uint64(0xff)
	if 2*i < len(l.text) {
		part, _ = strconv.ParseUint(string(l.text[2*i:2*i+2]), 16, 8)
	}
	if comp == tFloat64 {
		return math.Float64bits(float64(part) / 255), nil
	}
	return uint64(math.Float32bits(float32(part) / 255)), nil
}

// isNaN reports whether a stored number is none.
func isNaN(comp typeID, bits uint64) bool {
	switch comp {
	case tFloat32:
		return math.IsNaN(float64(math.Float32frombits(uint32(bits))))
	case tFloat64:
		return math.IsNaN(math.Float64frombits(bits))
	}
	return false
}
