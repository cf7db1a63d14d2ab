package gcpf

import (
	"container/list"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/fastlz"
	"varview/decoder/wrap/layer"
)

const (
	cacheBytes  = 8 << 20 // unpacked bytes that are kept: the blocks that all segments use at one time
	largeBytes  = 4 << 20 // size of a block from which on only one is kept
	cacheBlocks = 4096    // most blocks that are kept, if they are tiny
)

// blocks unpacks blocks on demand.
type blocks struct {
	*file
	size int64 // number of plain bytes, up to the limit

	mu    sync.Mutex
	codec *codec
	kept  map[int64]*list.Element
	order *list.List // *unpacked, the last used first
	bytes int64      // in order

	large largeBlock
}

// A largeBlock is the only block that is kept if blocks are larger than the cache. All are unpacked into
// the same memory.
type largeBlock struct {
	sync.Mutex
	is            *unpacked // nil for none
	packed, plain []byte
}

// An unpacked is a block and its problem. If err is set but broken is not, the block still has all its
// bytes.
type unpacked struct {
	index  int64
	broken bool // it cannot be unpacked
	data   []byte
	holds  int64 // number of bytes that it unpacks to
	short  bool  // it unpacks to fewer bytes than it should
	over   int64 // number of bytes beyond its size
	err    error
	sum    []byte // the checksum that it should have, if the one it has is wrong
}

func newBlocks(g *file, limit int64) *blocks {
	return &blocks{file: g, size: min(int64(g.PlainSize), g.here*int64(g.BlockSize), limit), kept: map[int64]*list.Element{}, order: list.New()}
}

// isCut reports whether there is more to unpack than the limit allows.
func (p *blocks) isCut() bool { return p.size < min(int64(p.PlainSize), p.here*int64(p.BlockSize)) }

// Close releases what unpacking uses.
func (p *blocks) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept, p.order, p.bytes = map[int64]*list.Element{}, list.New(), 0
	if p.codec != nil {
		p.codec.close()
		p.codec = nil
	}
	return nil
}

// use calls f with block i, which is valid until f returns. The error is that of f or of
// reading the file.
func (p *blocks) use(i int64, f func(*unpacked) error) error {
	if p.plainSize(i) > largeBytes {
		return p.useLarge(i, f)
	}
	u, err := p.block(i)
	if err != nil {
		return err
	}
	return f(u)
}

func (p *blocks) useLarge(i int64, f func(*unpacked) error) error {
	p.large.Lock()
	defer p.large.Unlock()
	if p.large.is == nil || p.large.is.index != i {
		c, err := p.opened()
		if err != nil {
			return err
		}
		p.large.is = nil
		if p.large.is, err = p.unpack(c, i, &p.large); err != nil {
			return err
		}
	}
	return f(p.large.is)
}

// block returns block i. The error is that of reading the file.
func (p *blocks) block(i int64) (*unpacked, error) {
	p.mu.Lock()
	if e, ok := p.kept[i]; ok {
		p.order.MoveToFront(e)
		p.mu.Unlock()
		return e.Value.(*unpacked), nil
	}
	p.mu.Unlock()
	c, err := p.opened()
	if err != nil {
		return nil, err
	}
	u, err := p.unpack(c, i, &largeBlock{})
	if err != nil {
		return nil, err
	}
	p.keep(u)
	return u, nil
}

// opened returns the codec, and makes it at the first call.
func (p *blocks) opened() (*codec, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.codec == nil {
		c, err := newCodec(p.Mode)
		if err != nil {
			return nil, err
		}
		p.codec = c
	}
	return p.codec, nil
}

// keep puts a block into the cache, and drops others from it.
func (p *blocks) keep(u *unpacked) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.kept[u.index]; ok {
		return
	}
	p.kept[u.index] = p.order.PushFront(u)
	p.bytes += int64(len(u.data))
	for p.bytes > cacheBytes || p.order.Len() > cacheBlocks {
		last := p.order.Remove(p.order.Back()).(*unpacked)
		delete(p.kept, last.index)
		p.bytes -= int64(len(last.data))
	}
}

// unpack unpacks block i as far as possible, in the memory of in, which may be reused.
func (p *blocks) unpack(c *codec, i int64, in *largeBlock) (*unpacked, error) {
	u := &unpacked{index: i, broken: true}
	want, most := p.plainSize(i), min(p.most(), maxBlock)
	if p.Mode == fastLZ {
		most = max(most, fastlz.Least)
	}
	if want > maxBlock {
		u.err = fmt.Errorf("blocks of more than %s are not unpacked", span.Bytes(maxBlock))
		return u, nil
	}
	err := p.readPacked(i, in, 2*most+64<<10)
	switch hole, damage := (*source.HoleError)(nil), (*blockError)(nil); {
	case err == nil:
		p.fill(u, c, in, want, most)
	case errors.As(err, &hole):
		u.err = hole.Err
	case errors.As(err, &damage):
		u.err = damage.error
	default:
		return nil, err
	}
	return u, nil
}

// A blockError says why a block cannot be unpacked.
type blockError struct{ error }

// readPacked reads the packed bytes of block i, unless there are more than most. The error is a blockError,
// a HoleError, or that of reading.
func (p *blocks) readPacked(i int64, in *largeBlock, most int64) error {
	at, whole, err := p.packed(i)
	switch {
	case err != nil:
		return err
	case !whole:
		return &blockError{layer.ErrEarly}
	case at.Length > most:
		return &blockError{fmt.Errorf("%s of packed bytes are more than a block can have", span.Bytes(at.Length))}
	}
	in.packed = atLeast(in.packed, at.Length)
	return layer.ReadAt(p.src, in.packed, at.Offset)
}

// atLeast returns n bytes of memory: b, if it is large enough.
func atLeast(b []byte, n int64) []byte {
	if int64(cap(b)) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// fill unpacks the packed bytes into u, which must hold want bytes and may hold most.
func (p *blocks) fill(u *unpacked, c *codec, in *largeBlock, want, most int64) {
	room := want
	if p.Mode == fastLZ {
		room = max(room, fastlz.Least)
	}
	in.plain = atLeast(in.plain, room)
	data, err := c.unpack(in.plain[:0:room], in.packed)
	if errors.Is(err, layer.ErrTooMuch) && most > room { // engines let it hold more than it must
		in.plain = atLeast(in.plain, most)
		data, err = c.unpack(in.plain[:0:most], in.packed)
	}
	u.err = err
	n := int64(len(data))
	u.holds = n
	switch {
	case n < want && err == nil:
		u.short = true
		u.err = fmt.Errorf("it holds %s of %s", span.Bytes(n), span.Bytes(want))
		return
	case n < want, want == 0 && err != nil:
		return
	}
	if p.Mode != fastLZ || n != fastlz.Least || !layer.IsZero(data[want:]) { // engines fill up small FastLZ blocks
		u.over = n - want
	}
	u.data, u.broken = data[:want:want], false
	if errors.Is(err, layer.ErrChecksum) {
		u.sum = p.checksum(u.data)
	}
}

// checksum returns the end of a block with these plain bytes; nil if the mode has no checksum.
func (p *blocks) checksum(plain []byte) []byte {
	switch p.Mode {
	case deflate:
		return binary.BigEndian.AppendUint32(nil, adler32.Checksum(plain))
	case Gzip: // the length follows
		sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(plain))
		return binary.LittleEndian.AppendUint32(sum, uint32(len(plain)))
	}
	return nil
}
