// Package inspect reads bytes as what they could be: numbers of every width, characters, times, colours.
package inspect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"varview/decoder/engine/tree"
)

// A Interpretation is one way to read bytes.
type Interpretation struct {
	Name string // "u16"
	Size int    // number of bytes; for a character, the largest
	Both bool   // the byte order matters

	text  func(b []byte, o order) string // "" if the bytes are not of the kind
	parse func(s string, o order) ([]byte, error)
}

// order is a byte order.
type order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func orderOf(big bool) order {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Kinds lists all ways to read bytes.
var Kinds = []*Interpretation{
	integer("u8", 1, false), integer("i8", 1, true),
	integer("u16", 2, false), integer("i16", 2, true),
	integer("u32", 4, false), integer("i32", 4, true),
	integer("u64", 8, false), integer("i64", 8, true),
	float("f16", 2, halfBits, half),
	float("f32", 4, single, func(b uint64) float64 { return float64(math.Float32frombits(uint32(b))) }),
	float("f64", 8, func(v float64) uint64 { return math.Float64bits(v) }, math.Float64frombits),
	{Name: "bool", Size: 1, text: boolText, parse: parseBool},
	{Name: "binary", Size: 1, text: func(b []byte, _ order) string { return fmt.Sprintf("%08b", b[0]) }, parse: parseBinary},
	{Name: "UTF-8", Size: 4, text: utf8Text, parse: parseUTF8},
	{Name: "UTF-16", Size: 4, Both: true, text: utf16Text, parse: parseUTF16},
	{Name: "time s", Size: 4, Both: true, text: secondsText, parse: parseSeconds},
	{Name: "time ms", Size: 8, Both: true, text: millisText, parse: parseMillis},
	{Name: "colour", Size: 4, text: colorText, parse: parseColor},
}

// OfNumber returns the way to read bytes that gives a number; nil if no way does.
func OfNumber(n tree.Number) *Interpretation {
	name := map[tree.ScalarKind]string{tree.Int: "i", tree.Uint: "u", tree.Float32: "f", tree.Float64: "f"}[n.Kind] + strconv.FormatInt(8*n.At.Length, 10)
	if n.Kind == tree.Bool {
		name = "bool"
	}
	if i := slices.IndexFunc(Kinds, func(k *Interpretation) bool { return k.Name == name }); i >= 0 {
		return Kinds[i]
	}
	return nil
}

// Text returns what bytes say when they are read as the kind, "" where they cannot be.
func (k *Interpretation) Text(b []byte, big bool) string {
	if len(b) < k.least() {
		return ""
	}
	return k.text(b[:min(len(b), k.Size)], orderOf(big))
}

// least returns the number of bytes below which there is nothing to be read.
func (k *Interpretation) least() int {
	switch k.Name {
	case "UTF-8":
		return 1
	case "UTF-16":
		return 2
	}
	return k.Size
}

// Parse returns the bytes of what was typed.
func (k *Interpretation) Parse(s string, big bool) ([]byte, error) { return k.parse(s, orderOf(big)) }

// get returns the number in 1, 2, 4 or 8 bytes.
func get(b []byte, o order) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(o.Uint16(b))
	case 4:
		return uint64(o.Uint32(b))
	}
	return o.Uint64(b)
}

// put returns a number in size bytes.
func put(v uint64, size int, o order) []byte {
	switch size {
	case 1:
		return []byte{byte(v)}
	case 2:
		return o.AppendUint16(nil, uint16(v))
	case 4:
		return o.AppendUint32(nil, uint32(v))
	}
	return o.AppendUint64(nil, v)
}

// integer returns an integer of a number of bytes.
func integer(name string, size int, signed bool) *Interpretation {
	bits := 8 * size
	k := &Interpretation{Name: name, Size: size, Both: size > 1}
	if signed {
		k.text = func(b []byte, o order) string {
			return strconv.FormatInt(int64(get(b, o))<<(64-bits)>>(64-bits), 10)
		}
		k.parse = func(s string, o order) ([]byte, error) {
			v, err := strconv.ParseInt(s, 0, bits)
			return put(uint64(v), size, o), explain(err, name, fmt.Sprint(int64(math.MinInt64)>>(64-bits)), fmt.Sprint(int64(math.MaxInt64)>>(64-bits)))
		}
		return k
	}
	k.text = func(b []byte, o order) string { return strconv.FormatUint(get(b, o), 10) }
	k.parse = func(s string, o order) ([]byte, error) {
		v, err := strconv.ParseUint(s, 0, bits)
		return put(v, size, o), explain(err, name, "0", fmt.Sprint(uint64(math.MaxUint64)>>(64-bits)))
	}
	return k
}

// explain replaces a parse error by one that says what an integer can be.
func explain(err error, name, least, most string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s is an integer from %s to %s", name, least, most)
}

// float returns a float of a number of bytes.
func float(name string, size int, bits func(float64) uint64, value func(uint64) float64) *Interpretation {
	return &Interpretation{Name: name, Size: size, Both: true,
		text: func(b []byte, o order) string {
			v := value(get(b, o))
			s := tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(v)}
			if size < 8 {
				s = tree.Scalar{Kind: tree.Float32, Bits: single(v)}
			}
			return string(s.AppendNumber(nil))
		},
		parse: func(s string, o order) ([]byte, error) {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil, fmt.Errorf("%s is a float: 1.5, 2e9, inf, -inf, nan", name)
			}
			b := bits(v)
			if math.IsInf(value(b), 0) && !math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s is too large for %s", s, name)
			}
			return put(b, size, o), nil
		}}
}

func single(v float64) uint64 { return uint64(math.Float32bits(float32(v))) }

func boolText(b []byte, _ order) string { return strconv.FormatBool(b[0] != 0) }

func parseBool(s string, _ order) ([]byte, error) {
	switch s {
	case "true":
		return []byte{1}, nil
	case "false":
		return []byte{0}, nil
	}
	return nil, errors.New("type true or false")
}

func parseBinary(s string, _ order) ([]byte, error) {
	v, err := strconv.ParseUint(s, 2, 8)
	if err != nil {
		return nil, errors.New("type eight binary digits: 01010011")
	}
	return []byte{byte(v)}, nil
}
