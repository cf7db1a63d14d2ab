package decoder

import (
	"encoding/binary"
	"os"
	"testing"

	"varview/decoder/engine/source"
)

// A counted source counts the bytes that are read.
type counted struct {
	source.Source
	read int
}

// ReadAt implements source.Source.
func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	c.read += len(b)
	return c.Source.ReadAt(b, off)
}

// TestGrowingReadsNew: of a capture that grows, opening it again reads what is new, and not all of it, as in search of a checksum.
func TestGrowingReadsNew(t *testing.T) {
	data, err := os.ReadFile("../testdata/sessions/godot3-calls.pcapng")
	if err != nil {
		t.Fatal(err)
	}
	const blocks, size = 200, 32 << 10 // of a kind that is passed over
	unknown := binary.LittleEndian.AppendUint32(nil, 0xBAD)
	unknown = append(binary.LittleEndian.AppendUint32(unknown, size), make([]byte, size-12)...)
	unknown = binary.LittleEndian.AppendUint32(unknown, size)
	for range blocks {
		data = append(data, unknown...)
	}
	grows := &Growing{}
	defer grows.Close()
	open := func(n int) int {
		src := &counted{Source: source.Bytes(data[:n])}
		d, err := Open(t.Context(), src, Options{Growing: grows})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if len(d.Buffers()) != 2 {
			t.Fatalf("%d buffers", len(d.Buffers()))
		}
		return src.read
	}
	open(len(data) - size)
	if n := open(len(data)); n > len(data)/4 {
		t.Errorf("%d of %d bytes were read, of which %d are new", n, len(data), size)
	}
}
