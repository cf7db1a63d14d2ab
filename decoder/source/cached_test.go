package source

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"varview/decoder/span"
)

// counted counts the reads of a source, and the bytes.
type counted struct {
	Source
	reads, bytes atomic.Int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Source.ReadAt(p, off)
	c.reads.Add(1)
	c.bytes.Add(int64(n))
	return n, err
}

// TestCached reads at random places, in several goroutines: what is read is the same as
// without the memory.
func TestCached(t *testing.T) {
	for _, size := range []int{0, 1, cachedBytes - 1, cachedBytes, cachedBytes + 1, 5*cachedBytes + 7} {
		data := random(size)
		c := Cached(&counted{Source: Bytes(data)}, 2*cachedBytes)
		var readers sync.WaitGroup
		for i := range 4 {
			readers.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), uint64(size)))
				for range 2000 {
					at, n := r.IntN(size+3), r.IntN(3*cachedBytes>>r.IntN(16))
					b := make([]byte, n)
					got, err := c.ReadAt(b, int64(at))
					want := data[min(at, size):min(at+n, size)]
					if !bytes.Equal(b[:got], want) || (err == io.EOF) != (got < n) || err != nil && err != io.EOF {
						t.Errorf("%d of %d bytes at %d of %d: %v", got, n, at, size, err)
						return
					}
				}
			})
		}
		readers.Wait()
	}
}

// TestCachedReads: what is near is read once, however often it is asked for; no more is
// kept than was allowed.
func TestCachedReads(t *testing.T) {
	src := &counted{Source: Bytes(random(4 * cachedBytes))}
	c := Cached(src, 2*cachedBytes)
	b := make([]byte, 100)
	for i := range int64(10_000) {
		c.ReadAt(b, cachedBytes-1000+i%2000)
	}
	if n := src.reads.Load(); n != 2 {
		t.Errorf("two parts take %d reads", n)
	}
	c.ReadAt(b, 3*cachedBytes) // in place of the part that was not read for longer
	c.ReadAt(b, cachedBytes)
	c.ReadAt(b, 0)
	if n := src.reads.Load(); n != 4 {
		t.Errorf("%d reads, not 4", n)
	}
}

// TestCachedHole: a hole stays one, and the bytes around it can be read.
func TestCachedHole(t *testing.T) {
	data := random(3 * cachedBytes)
	src := &holed{data, span.Between(cachedBytes+10, cachedBytes+20)}
	c := Cached(src, cachedBytes)
	for _, at := range []int64{0, cachedBytes, cachedBytes + 5, cachedBytes + 15, 2 * cachedBytes} {
		got, want := make([]byte, 50), make([]byte, 50)
		n, err := c.ReadAt(got, at)
		m, wantErr := src.ReadAt(want, at)
		if n != m || !bytes.Equal(got[:n], want[:n]) || errors.Is(err, errHole) != errors.Is(wantErr, errHole) {
			t.Errorf("at %d: %d bytes and %v, not %d and %v", at, n, err, m, wantErr)
		}
	}
}
