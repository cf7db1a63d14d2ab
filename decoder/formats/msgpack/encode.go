package msgpack

import (
	"encoding/binary"
	"math"
	"time"

	"varview/decoder/edit/simple"
	"varview/decoder/engine/tree"
)

// encode returns the shortest bytes of a value without children.
func encode(d simple.Datum) []byte {
	switch {
	case d.Kind == tree.Null:
		return []byte{0xc0}
	case d.Kind == tree.Bool:
		return []byte{0xc2 | byte(d.Bits)}
	case d.Kind == tree.Uint || d.Kind == tree.Int && int64(d.Bits) > math.MaxInt8:
		return number(d.Bits, 0xcc)
	case d.Kind == tree.Int:
		return signed(int64(d.Bits))
	case d.Kind == tree.Float64:
		return binary.BigEndian.AppendUint64([]byte{0xcb}, d.Bits)
	case d.Kind == tree.Text && len(d.Data) < 32:
		return append([]byte{0xa0 | byte(len(d.Data))}, d.Data...)
	case d.Kind == tree.Text:
		return append(number(uint64(len(d.Data)), 0xd9), d.Data...)
	}
	return encodeNamed(d)
}

// encodeNamed is encode of a value of a type that the literal names.
func encodeNamed(d simple.Datum) []byte {
	switch {
	case d.Data == nil && d.Name == "timestamp":
		return timestamp(d.Note)
	case d.Name == "bin" && !d.Coded:
		return append(number(uint64(len(d.Data)), 0xc4), d.Data...)
	case d.Name == "ext" && d.Code == int64(int8(d.Code)):
		return ext(int8(d.Code), d.Data)
	}
	return nil
}

// number returns an unsigned number of 1, 2, 4 or 8 bytes after its first byte, which tells the width:
// first means 1 byte, first+1 means 2, and so on.
func number(n uint64, first byte) []byte {
	switch {
	case n <= math.MaxUint8:
		return []byte{first, byte(n)}
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16([]byte{first + 1}, uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32([]byte{first + 2}, uint32(n))
	}
	return binary.BigEndian.AppendUint64([]byte{first + 3}, n)
}

// signed returns the shortest encoding of an integer up to 127.
func signed(n int64) []byte {
	switch {
	case n >= -32:
		return []byte{byte(n)}
	case n >= math.MinInt8:
		return []byte{0xd0, byte(n)}
	case n >= math.MinInt16:
		return binary.BigEndian.AppendUint16([]byte{0xd1}, uint16(n))
	case n >= math.MinInt32:
		return binary.BigEndian.AppendUint32([]byte{0xd2}, uint32(n))
	}
	return binary.BigEndian.AppendUint64([]byte{0xd3}, uint64(n))
}

// ext returns an ext: a fixext if it has 1, 2, 4, 8 or 16 bytes of data.
func ext(code int8, data []byte) []byte {
	head := number(uint64(len(data)), 0xc7)
	for i := range 5 {
		if len(data) == 1<<i {
			head = []byte{0xd4 + byte(i)}
		}
	}
	return append(append(head, byte(code)), data...)
}

// timestamp returns the shortest of the three forms of a time in RFC 3339; "" is the start of 1970.
func timestamp(text string) []byte {
	t := time.Unix(0, 0)
	if text != "" {
		var err error
		if t, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return nil
		}
	}
	seconds, nanoseconds := uint64(t.Unix()), uint64(t.Nanosecond())
	switch {
	case seconds>>34 != 0:
		return ext(-1, binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, uint32(nanoseconds)), seconds))
	case nanoseconds != 0 || seconds > math.MaxUint32:
		return ext(-1, binary.BigEndian.AppendUint64(nil, nanoseconds<<34|seconds))
	}
	return ext(-1, binary.BigEndian.AppendUint32(nil, uint32(seconds)))
}

// header returns the shortest header of an array of n items or a map of n entries.
func header(_ simple.Place, l tree.Layout, n, _ int64) []byte {
	short, long := byte(0x90), byte(0xdc)
	if l == tree.Pairs {
		short, long = 0x80, 0xde
	}
	switch {
	case n < 16:
		return []byte{short | byte(n)}
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16([]byte{long}, uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32([]byte{long + 1}, uint32(n))
	}
	return nil
}
