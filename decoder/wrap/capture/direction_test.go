package capture

import (
	"bytes"
	"math/rand"
	"testing"
)

// TestDirection: however a stream is cut into segments, which may overlap and be repeated, their new bytes
// are those of the changed stream at their new positions.
func TestDirection(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := range 300 {
		stream := make([]byte, 1+random.Intn(60))
		random.Read(stream)
		first := random.Uint32() // some of these wrap around
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
				d.add(splice{at: base + int64(at), end: base + int64(end), new: is})
				want = append(want, is...)
			}
			at = end
		}
		d.restart()
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

// TestDirectionAcknowledgedFirst: an acknowledgement captured before its bytes, near the wrap-around, does
// not move the bytes when they are read again.
func TestDirectionAcknowledgedFirst(t *testing.T) {
	const first = 1<<32 - 4
	d := &direction{}
	at := d.position(first)
	d.add(splice{at: at, end: at + 8, new: []byte("longer than before")})
	d.restart()
	if is := d.moved(d.near(8)) - at; is != 8+4+10 {
		t.Errorf("the end is acknowledged at %d", is)
	}
	if again := d.position(first); again != at {
		t.Errorf("the bytes are %d after where they were", again-at)
	}
	if d.add(splice{at: at + 7, end: at + 9}) || !d.add(splice{at: at + 8, end: at + 9}) {
		t.Error("splices of the same bytes, or none of others")
	}
}
