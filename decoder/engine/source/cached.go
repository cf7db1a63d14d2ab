package source

import (
	"errors"
	"io"
	"sort"
	"sync"

	"varview/decoder/engine/span"
)

// cachedBytes is the number of bytes that a Cached source reads at once.
const cachedBytes = 64 << 10

// Cached returns a source over the slow source src that keeps the last parts read in memory, at most the
// given number of bytes. It is for readers that jump back and forth between a few places.
func Cached(src Source, most int64) Source {
	if _, ok := src.(Bytes); ok {
		return src
	}
	return &cached{src: src, size: src.Size(), most: int(max(1, most/cachedBytes)), kept: map[int64]*part{}}
}

type cached struct {
	src  Source
	size int64
	most int // largest number of parts that are kept

	mu    sync.Mutex
	kept  map[int64]*part // by their number
	reads int64
	spare []byte // memory of a part that is no longer kept
}

// A part is a part of the source in memory.
type part struct {
	from  int64
	bytes []byte
	holes []keptHole // in order
	read  int64      // count of reads at its last one
}

// A keptHole is a hole, and the error of reading there.
type keptHole struct {
	span.Span
	err error
}

// maxHoles is the number of holes of a part from which on neighbouring ones are kept as one. A part with
// twice as many is not kept.
const maxHoles = 1 << 10

var errHoles = errors.New("they cannot be unpacked")

// Size implements Source.
func (c *cached) Size() int64 { return c.size }

// ReadAt implements Source. Holes are kept as well: otherwise a part would be read again for every few
// bytes around them. Other failures are not kept.
func (c *cached) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		if at < 0 || at >= c.size {
			return n, io.EOF
		}
		got, err, ok := c.copyKept(p[n:], at)
		if !ok {
			k := c.read(at / cachedBytes * cachedBytes)
			if k == nil {
				got, err := c.src.ReadAt(p[n:], at)
				return n + got, err
			}
			got, err = k.copy(p[n:], at)
			c.keep(k)
		}
		if n += got; err != nil {
			return n, err
		}
	}
	return n, nil
}

// copyKept copies from the part that contains at, up to a hole; ok is false if the part is not kept.
func (c *cached) copyKept(p []byte, at int64) (n int, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads++
	k := c.kept[at/cachedBytes]
	if k == nil {
		return 0, nil, false
	}
	k.read = c.reads
	n, err = k.copy(p, at)
	return n, err, true
}

// copy copies bytes from at on, up to a hole, whose bytes it clears.
func (k *part) copy(p []byte, at int64) (n int, err error) {
	b := k.bytes
	if i := sort.Search(len(k.holes), func(i int) bool { return k.holes[i].End() > at }); i < len(k.holes) {
		h := &k.holes[i]
		if h.Offset <= at {
			clear(p[:min(int64(len(p)), h.End()-at)])
			return 0, h.err
		}
		b = b[:h.Offset-k.from]
	}
	return copy(p, b[at-k.from:]), nil
}

// read reads the part that begins at an offset; nil if it cannot be kept.
func (c *cached) read(from int64) *part {
	k := &part{from: from, bytes: c.memory()[:min(cachedBytes, c.size-from)]}
	for n := 0; n < len(k.bytes); {
		at := from + int64(n)
		got, err := c.src.ReadAt(k.bytes[n:], at)
		if n += got; n == len(k.bytes) {
			break
		}
		var hole *HoleError
		if !errors.As(err, &hole) || errors.Is(err, io.EOF) || hole.End() <= at+int64(got) {
			return nil
		}
		end := min(hole.End(), from+int64(len(k.bytes)))
		if !k.addHole(keptHole{span.Between(from+int64(n), end), err}) {
			return nil
		}
		n = int(end - from)
	}
	return k
}

// addHole adds a hole after all others. It returns false if there are too many.
func (k *part) addHole(h keptHole) bool {
	if n := len(k.holes); n >= maxHoles && k.holes[n-1].End() == h.Offset {
		last := &k.holes[n-1]
		last.Length += h.Length
		last.err = &HoleError{last.Span, errHoles}
		return true
	}
	k.holes = append(k.holes, h)
	return len(k.holes) <= 2*maxHoles
}

// memory returns memory for a part. It is filled without holding the lock, so that others can read
// meanwhile.
func (c *cached) memory() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.spare; b != nil {
		c.spare = nil
		return b[:cachedBytes] // there is more than one part
	}
	return make([]byte, min(cachedBytes, c.size))
}

// keep keeps a part, in place of the one that was not read for the longest time.
func (c *cached) keep(k *part) {
	c.mu.Lock()
	defer c.mu.Unlock()
	number := k.from / cachedBytes
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
	k.read = c.reads
	c.kept[number] = k
}
