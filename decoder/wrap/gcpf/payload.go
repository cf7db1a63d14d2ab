package gcpf

import (
	"container/list"
	"errors"
	"fmt"
	"io"
	"sync"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
)

const (
	cacheBytes  = 4 << 20 // of unpacked blocks that are kept, but at least one block
	cacheBlocks = 4096    // most blocks that are kept, which matters where they are tiny
)

// payload unpacks the blocks that are asked for.
type payload struct {
	*file
	size  int64
	codec *codec

	mu    sync.Mutex
	kept  map[int64]*list.Element
	order *list.List // of *unpacked, the last used first
	bytes int64      // in order
}

// unpacked is a block and what was wrong with it. Where err is set but data is
// not nil, all the bytes are there nonetheless.
type unpacked struct {
	index int64
	data  []byte // nil for a block that cannot be unpacked
	over  int64  // bytes it holds that it should not
	err   error
}

func newPayload(g *file, limit int64) *payload {
	p := &payload{file: g, kept: map[int64]*list.Element{}, order: list.New()}
	p.size = min(int64(g.PlainSize), g.here*int64(g.BlockSize), limit)
	return p
}

// Size is the number of plain bytes.
func (p *payload) Size() int64 { return p.size }

// Close frees what unpacking needs.
func (p *payload) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept, p.order, p.bytes = map[int64]*list.Element{}, list.New(), 0
	if p.codec != nil {
		p.codec.close()
		p.codec = nil
	}
	return nil
}

// ReadAt implements io.ReaderAt. A block that cannot be unpacked is a hole.
func (p *payload) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	done := 0
	for done < len(b) {
		at := off + int64(done)
		if at >= p.size {
			return done, io.EOF
		}
		i := at / int64(p.BlockSize)
		start := i * int64(p.BlockSize)
		u, err := p.block(i)
		if hole := (*source.HoleError)(nil); errors.As(err, &hole) { // of the packed bytes
			u, err = &unpacked{err: hole.Err}, nil
		}
		if err != nil {
			return done, err
		}
		end := min(start+p.plain(i), p.size)
		if u.data == nil {
			clear(b[done:min(int64(len(b)), int64(done)+end-at)])
			return done, &source.HoleError{Span: span.Between(start, end), Err: fmt.Errorf("block %d: %w", i, u.err)}
		}
		done += copy(b[done:], u.data[at-start:end-start])
	}
	return done, nil
}

// block gives block i. The error is that of reading the file.
func (p *payload) block(i int64) (*unpacked, error) {
	p.mu.Lock()
	if e, ok := p.kept[i]; ok {
		p.order.MoveToFront(e)
		p.mu.Unlock()
		return e.Value.(*unpacked), nil
	}
	c, err := p.opened()
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	u, err := p.unpack(c, i)
	if err != nil {
		return nil, err
	}
	p.keep(u)
	return u, nil
}

// opened gives the codec, which is made when it is first needed.
func (p *payload) opened() (*codec, error) {
	if p.codec == nil {
		c, err := newCodec(p.Mode)
		if err != nil {
			return nil, err
		}
		p.codec = c
	}
	return p.codec, nil
}

// keep puts a block into the cache, and others out of it.
func (p *payload) keep(u *unpacked) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.kept[u.index]; ok {
		return
	}
	p.kept[u.index] = p.order.PushFront(u)
	p.bytes += int64(len(u.data))
	for p.order.Len() > 1 && (p.bytes > cacheBytes || p.order.Len() > cacheBlocks) {
		last := p.order.Remove(p.order.Back()).(*unpacked)
		delete(p.kept, last.index)
		p.bytes -= int64(len(last.data))
	}
}

// unpack unpacks block i, as far as that is possible.
func (p *payload) unpack(c *codec, i int64) (*unpacked, error) {
	u := &unpacked{index: i}
	want := p.plain(i)
	if want > maxBlock {
		u.err = fmt.Errorf("blocks of more than %s are not unpacked", span.Bytes(maxBlock))
		return u, nil
	}
	at, whole, err := p.packed(i)
	if err != nil {
		return nil, err
	}
	most := min(p.most(), maxBlock)
	if p.Mode == FastLZ {
		most = max(most, fastLZLeast)
	}
	switch {
	case !whole:
		u.err = layer.ErrEarly
		return u, nil
	case at.Length > 2*most+64<<10:
		u.err = fmt.Errorf("%s of packed bytes are more than it can need", span.Bytes(at.Length))
		return u, nil
	}
	packed := make([]byte, at.Length)
	if err := layer.ReadAt(p.src, packed, at.Offset); err != nil {
		var hole *source.HoleError
		if !errors.As(err, &hole) {
			return nil, err
		}
		u.err = hole.Err
		return u, nil
	}
	p.fill(u, c, packed, want, most)
	return u, nil
}

// fill unpacks packed into u, which must hold want bytes and may hold most.
func (p *payload) fill(u *unpacked, c *codec, packed []byte, want, most int64) {
	room := want
	if p.Mode == FastLZ {
		room = max(room, fastLZLeast)
	}
	data, err := c.unpack(make([]byte, 0, room), packed)
	if errors.Is(err, layer.ErrTooMuch) && most > room { // engines let it hold more than it must
		data, err = c.unpack(make([]byte, 0, most), packed)
	}
	u.err = err
	n := int64(len(data))
	switch {
	case n < want && err == nil:
		u.err = fmt.Errorf("it holds %s of %s", span.Bytes(n), span.Bytes(want))
		return
	case n < want, want == 0 && err != nil:
		return
	}
	if p.Mode != FastLZ || n > fastLZLeast {
		u.over = n - want
	}
	u.data = data[:want:want]
}
