package source

import (
	"io"
	"sync"
)

// cachedBytes is the number of bytes that a Cached source reads at once.
const cachedBytes = 64 << 10

// Cached returns a source over src, which is slow to read, that keeps the parts read last
// in memory: at most the given number of bytes. It is for readers that jump back and forth
// between a few places.
func Cached(src Source, most int64) Source {
	if _, ok := src.(Bytes); ok {
		return src
	}
	return &cached{src: src, size: src.Size(), most: int(max(1, most/cachedBytes)), kept: map[int64]*part{}}
}

type cached struct {
	src  Source
	size int64
	most int // number of parts that are kept

	mu    sync.Mutex
	kept  map[int64]*part // by their number
	reads int64
	spare []byte // memory of a part that is no longer kept
}

// A part is a part of the source that is kept in memory.
type part struct {
	bytes []byte
	read  int64 // when it was last read
}

// Size implements Source.
func (c *cached) Size() int64 { return c.size }

// ReadAt implements Source. What src cannot read is not kept.
func (c *cached) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		if at < 0 || at >= c.size {
			return n, io.EOF
		}
		got, err := c.read(p[n:], at)
		if err != nil {
			got, err = c.src.ReadAt(p[n:], at)
			return n + got, err
		}
		n += got
	}
	return n, nil
}

// read copies bytes of the part that contains at.
func (c *cached) read(p []byte, at int64) (n int, err error) {
	number := at / cachedBytes
	from := number * cachedBytes
	if n := c.copyKept(p, number, at-from); n > 0 {
		return n, nil
	}
	b := c.memory()[:min(cachedBytes, c.size-from)]
	if got, err := c.src.ReadAt(b, from); got < len(b) {
		return 0, orUnexpectedEOF(err)
	}
	n = copy(p, b[at-from:])
	c.keep(number, b)
	return n, nil
}

func orUnexpectedEOF(err error) error {
	if err == nil {
		return io.ErrUnexpectedEOF
	}
	return err
}

// copyKept copies from a part that is kept; it returns 0 if the part is not.
func (c *cached) copyKept(p []byte, number, from int64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads++
	k := c.kept[number]
	if k == nil {
		return 0
	}
	k.read = c.reads
	return copy(p, k.bytes[from:])
}

// memory returns memory for a part. It is filled without holding the lock, so that others
// can read meanwhile.
func (c *cached) memory() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.spare; b != nil {
		c.spare = nil
		return b[:cachedBytes] // there is more than one part
	}
	return make([]byte, min(cachedBytes, c.size))
}

// keep keeps a part, in place of the one that has not been read for the longest time.
func (c *cached) keep(number int64, b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[number] != nil {
		return // another reader was faster
	}
	if len(c.kept) == c.most {
		oldest := int64(-1)
		for n, k := range c.kept {
			if oldest < 0 || k.read < c.kept[oldest].read {
				oldest = n
			}
		}
		c.spare = c.kept[oldest].bytes
		delete(c.kept, oldest)
	}
	c.kept[number] = &part{b, c.reads}
}
