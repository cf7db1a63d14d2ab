package capture

import (
	"encoding/binary"
	"math"

	"varview/decoder/capture/payload"
)

// Bits of the first two bytes of a WebSocket frame (RFC 6455, 5.2; RFC 7692, 6).
const (
	bitFin    = 0x80
	bitPacked = 0x40
	bitMasked = 0x80
)

// headFor returns the head of a unit with another length, which is the only one of its message and not
// packed.
func headFor(f *payload.Flow, old []byte, n int) []byte {
	if f.Transport == payload.TCP {
		if f.BigEndian {
			return binary.BigEndian.AppendUint32(nil, uint32(n))
		}
		return binary.LittleEndian.AppendUint32(nil, uint32(n))
	}
	is := []byte{old[0]&^bitPacked | bitFin, old[1] & bitMasked}
	switch {
	case n < 126:
		is[1] |= byte(n)
	case n <= math.MaxUint16:
		is[1] |= 126
		is = binary.BigEndian.AppendUint16(is, uint16(n))
	default:
		is[1] |= 127
		is = binary.BigEndian.AppendUint64(is, uint64(n))
	}
	if old[1]&bitMasked != 0 {
		is = append(is, old[len(old)-4:]...)
	}
	return is
}

// maskIn returns the mask of a unit, zero if it has none.
func maskIn(f *payload.Flow, head []byte) (mask [4]byte) {
	if f.Transport == payload.WebSocket && head[1]&bitMasked != 0 {
		copy(mask[:], head[len(head)-4:])
	}
	return mask
}
