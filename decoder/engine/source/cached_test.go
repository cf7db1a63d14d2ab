package source

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"varview/decoder/engine/span"
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

// TestCached reads at random places, in several goroutines, and gets the same bytes as without the cache.
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

// TestCachedReads: neighbouring bytes are read once, however often they are asked for; no more is kept than
// allowed.
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

// TestCachedHole: a hole stays a hole, and the bytes around it can be read.
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

// TestCachedHoles: with holes everywhere the same is read as without the cache, and no more than once.
func TestCachedHoles(t *testing.T) {
	data := random(2 * cachedBytes)
	for _, every := range []int64{40, 64, 4096} {
		src := &riddled{counted{Source: Bytes(data)}, every}
		c := Cached(src, 2*cachedBytes)
		for at := int64(0); at < int64(len(data)); at += 7 {
			got, want := make([]byte, 9), make([]byte, 9)
			n, err := c.ReadAt(got, at)
			m, wantErr := (&riddled{counted{Source: Bytes(data)}, every}).ReadAt(want, at)
			if n != m || !bytes.Equal(got[:n], want[:n]) || errors.Is(err, errHole) != errors.Is(wantErr, errHole) {
				t.Fatalf("at %d: %d bytes and %v, not %d and %v", at, n, err, m, wantErr)
			}
		}
		if read := src.bytes.Load(); read > int64(len(data)) && every > 40 {
			t.Errorf("a hole every %d bytes: %d bytes are read", every, read)
		}
	}
}

// TestCachedHolesBesideEachOther: a part that is all holes is read once.
func TestCachedHolesBesideEachOther(t *testing.T) {
	src := &hollow{Source: Bytes(random(cachedBytes))}
	c := Cached(src, cachedBytes)
	for at := range int64(cachedBytes) {
		var hole *HoleError
		if n, err := c.ReadAt(make([]byte, 4), at); n != 0 || !errors.As(err, &hole) || !hole.Contains(at) {
			t.Fatalf("at %d: %d bytes and %v", at, n, err)
		}
	}
	if src.reads != cachedBytes {
		t.Errorf("%d reads", src.reads)
	}
}

// hollow has a separate hole in place of each byte.
type hollow struct {
	Source
	reads int
}

func (h *hollow) ReadAt(_ []byte, off int64) (int, error) {
	h.reads++
	return 0, &HoleError{span.Span{Offset: off, Length: 1}, errHole}
}

// riddled is a source in which half of every so many bytes are a hole.
type riddled struct {
	counted
	every int64
}

func (r *riddled) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && off < r.Size() {
		start := off - off%r.every
		middle := start + r.every/2
		if off >= middle {
			return n, &HoleError{span.Between(middle, start+r.every), errHole}
		}
		got, err := r.counted.ReadAt(p[n:min(int64(len(p)), int64(n)+middle-off)], off)
		if n, off = n+got, off+int64(got); err != nil {
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
