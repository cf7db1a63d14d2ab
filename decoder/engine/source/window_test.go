package source

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"
)

// shrunk is a source that claims more bytes than it has.
type shrunk struct {
	Bytes
	claims int64
}

func (s shrunk) Size() int64 { return s.claims }

// random returns n random bytes.
func random(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// TestWindow reads at random and in order, near all borders, and compares with the bytes themselves.
func TestWindow(t *testing.T) {
	for _, size := range []int{0, 1, 3, 4, 7, 8, 9, 8191, 8192, 8195, 700_000} {
		data := random(size)
		padded := append(append(make([]byte, 16), data...), make([]byte, 16)...) // zeros around
		for name, src := range map[string]Source{"memory": Bytes(data), "pieces": shrunk{data, int64(size)}} {
			w := NewWindow(src)
			r := rand.New(rand.NewPCG(3, uint64(size)))
			at := int64(0)
			for range 20_000 {
				if r.IntN(3) > 0 {
					at += int64(r.IntN(60))
				} else {
					at = r.Int64N(int64(size) + 10)
				}
				if at > int64(size)+8 {
					at = 0
				}
				b := padded[at+16:]
				if w.Byte(at) != b[0] || at%2 == 0 && w.U16(at) != binary.LittleEndian.Uint16(b) ||
					w.U32(at) != binary.LittleEndian.Uint32(b) || at%3 == 0 && w.U64(at) != binary.LittleEndian.Uint64(b) {
					t.Fatalf("%d bytes in %s: wrong number at %d", size, name, at)
				}
				n := r.Int64N(100)
				if r.IntN(50) == 0 {
					n = r.Int64N(2 * MaxView)
				}
				var want []byte
				if at >= 0 && at < int64(size) {
					want = data[at:min(at+min(n, MaxView), int64(size))]
				}
				if got := w.View(at, n); !bytes.Equal(got, want) {
					t.Fatalf("%d bytes in %s: view of %d at %d has %d bytes", size, name, n, at, len(got))
				}
			}
			if w.Err() != nil {
				t.Error(w.Err())
			}
		}
	}
}

// TestShrunk: bytes that no longer exist count as zero, and set Err.
func TestShrunk(t *testing.T) {
	data := random(10_000)
	w := NewWindow(shrunk{data, 20_000})
	if got := w.U32(9_998); got != uint32(data[9_998])|uint32(data[9_999])<<8 || w.Err() == nil {
		t.Errorf("%#x, %v", got, w.Err())
	}
	if w.U64(15_000) != 0 || w.Byte(19_999) != 0 || w.U32(19_998) != 0 {
		t.Error("what is gone is not zero")
	}
	if !bytes.Equal(w.View(9_000, 2_000), append(data[9_000:10_000:10_000], make([]byte, 1_000)...)) {
		t.Error("view over the end")
	}
	if w.U32(100) != binary.LittleEndian.Uint32(data[100:]) {
		t.Error("what is there is wrong")
	}
}

func TestBytes(t *testing.T) {
	b := Bytes("abc")
	p := make([]byte, 2)
	for _, c := range []struct {
		off  int64
		n    int
		fine bool
		err  error
	}{{0, 2, true, nil}, {1, 2, true, nil}, {2, 1, false, io.EOF}, {3, 0, false, io.EOF}, {-1, 0, false, nil}} {
		n, err := b.ReadAt(p, c.off)
		if n != c.n || (err == nil) != c.fine || c.err != nil && err != c.err {
			t.Errorf("at %d: %d %v", c.off, n, err)
		}
	}
}

// TestReadUpTo checks that a part that is read from start to end is fetched once, and that a look at what
// follows it fetches little.
func TestReadUpTo(t *testing.T) {
	const from, end = 100_000, 400_001
	data := random(1 << 20)
	src := &counted{Source: Bytes(data)}
	w := NewWindow(src)
	w.ReadUpTo(end)
	for at := int64(from); at < end; {
		b := w.Ahead(at)
		if len(b) == 0 || !bytes.Equal(b, data[at:at+int64(len(b))]) {
			t.Fatalf("%d bytes at %d, not those of the source", len(b), at)
		}
		at += min(end-at, max(1, int64(len(b))-5)) // the last value is not whole yet
	}
	if got := src.bytes.Load(); got > end-from+3*5 {
		t.Errorf("%d bytes of %d fetched", got, end-from)
	}
	src.bytes.Store(0)
	if w.U32(end) != binary.LittleEndian.Uint32(data[end:]) || src.bytes.Load() > firstRead {
		t.Errorf("%d bytes fetched for a look at four", src.bytes.Load())
	}
}

// TestReadInTurn looks at two places in turn, as a path does at the names around each of many values.
func TestReadInTurn(t *testing.T) {
	src := &counted{Source: shrunk{random(700_000), 700_000}}
	w := NewWindow(src)
	w.Byte(0)
	for at := int64(400_000); at < 600_000; at += 100 {
		w.Byte(at)
		w.Byte(12)
		w.Ahead(at)
	}
	if src.bytes.Load() > 600_000 {
		t.Errorf("%d bytes fetched of 200,000 that were looked at", src.bytes.Load())
	}
}

// TestReadBackwards looks at small values from the last to the first, as whoever deletes them does, also in a source that ends early.
func TestReadBackwards(t *testing.T) {
	data := random(700_000)
	src := &counted{Source: shrunk{data, 700_000}}
	w := NewWindow(src)
	for at := int64(600_000); at > 400_000; at -= 100 {
		for in := at; in < at+100; in += 30 {
			if w.Byte(in) != data[in] || !bytes.HasPrefix(data[in:], w.Ahead(in)) {
				t.Fatalf("other bytes at %d", in)
			}
		}
	}
	if n := src.bytes.Load(); n > 2_000_000 {
		t.Errorf("%d bytes fetched of 200,000 that were looked at", n)
	}
	w.ReadUpTo(700_000)
	for at := int64(400_000); at > 300_000; at -= 5000 {
		if w.Byte(at) != data[at] || !bytes.HasPrefix(data[at:], w.Ahead(at)) {
			t.Fatalf("other bytes at %d of a part that is read to its end", at)
		}
	}
	w = NewWindow(shrunk{data[:500_000], 700_000})
	for at := int64(510_000); at > 490_000; at -= 7 {
		want := byte(0)
		if at < 500_000 {
			want = data[at]
		}
		if w.Byte(at) != want {
			t.Fatalf("another byte at %d of a source that ends early", at)
		}
	}
}

// TestZerosBefore: what a window remembers of zeros is what it would read.
func TestZerosBefore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 3*MaxView)
	for range 6 {
		data[rng.IntN(len(data))] = 1
	}
	size := int64(len(data))
	w := NewWindow(shrunk{data, size})
	for range 2000 {
		end := []int64{size, size - 5, rng.Int64N(size + 1)}[rng.IntN(3)]
		from := rng.Int64N(end + 1)
		want := int64(len(data[from:end]) - len(bytes.TrimRight(data[from:end], "\x00")))
		if got := w.ZerosBefore(from, end); got != want {
			t.Fatalf("%d zeros in %d–%d, expected %d", got, from, end, want)
		}
	}
}
