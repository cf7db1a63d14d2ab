package capture

import (
	"bytes"
	"math/rand"
	"testing"
)

// TestDirection: however a stream is cut into segments, which may overlap and come again, their
// new bytes are those of the changed stream where they say they are.
func TestDirection(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := range 300 {
		stream := make([]byte, 1+random.Intn(60))
		random.Read(stream)
		first := random.Uint32() // near the end of what a sequence number counts, too
		if round%2 == 0 {
			first = 1<<32 - 1 - uint32(random.Intn(40))
		}
		d := &direction{}
		base := d.position(first)
		var want []byte
		for at := 0; at < len(stream); {
			n := 1 + random.Intn(8)
			end := min(at+n, len(stream))
			if random.Intn(3) > 0 {
				want = append(want, stream[at:end]...)
			} else {
				is := make([]byte, random.Intn(20))
				random.Read(is)
				d.add(splice{base + int64(at), base + int64(end), is})
				want = append(want, is...)
			}
			at = end
		}
		got := make([]byte, len(want))
		cut := func(at, end int) {
			pos := d.position(first + uint32(at))
			if pos != base+int64(at) {
				t.Fatalf("sequence number %d is position %d", at, pos-base)
			}
			is := d.content(pos, stream[at:end])
			start := int(d.moved(pos) - base)
			if start+len(is) != int(d.moved(base+int64(end))-base) || !bytes.Equal(want[start:start+len(is)], is) {
				t.Fatalf("round %d: %d bytes at %d, not %x", round, len(is), start, want)
			}
			copy(got[start:], is)
		}
		for at := 0; at < len(stream); {
			end := min(len(stream), at+1+random.Intn(10))
			cut(at, end)
			again := random.Intn(end)
			cut(again, again+random.Intn(end-again)+1)
			at = end
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("round %d: %x, not %x", round, got, want)
		}
	}
}
