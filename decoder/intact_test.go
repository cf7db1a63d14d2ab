package decoder

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/engine/source"
)

// TestIntact: bytes of a game's own whose CRC-32 fits are not damaged: what reads them with problems is not what they are.
func TestIntact(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 200 {
		order := []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}[r.IntN(2)]
		body := order.AppendUint16(nil, uint16(1+r.IntN(8)))
		body = order.AppendUint32(body, uint32(r.IntN(60000)))
		for range 4 + r.IntN(8) {
			body = order.AppendUint32(body, uint32(r.IntN(200)))
		}
		magic, sum := []byte("HMSV"), order.AppendUint32(nil, crc32.ChecksumIEEE(body))
		data := slices.Concat(magic, sum, body)
		switch i % 3 {
		case 1:
			data = slices.Concat(body, sum)
		case 2:
			data = slices.Concat(magic, order.AppendUint32(nil, uint32(len(body))), sum, body)
		}
		d, err := Open(context.Background(), source.Bytes(data), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Format != "" {
			t.Errorf("% x: %s, %s", data, d.Dialect, d.Confidence)
		}
		d.Close()
	}
}
