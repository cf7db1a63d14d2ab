// Package gcpf opens the files of Godot's FileAccess.open_compressed: a header, a table of lengths, and
// blocks that are compressed one by one.
package gcpf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/fastlz"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind and Resource are the kinds of wrappers.
var (
	Kind     layer.Wrapper = kind{layer.Info{Name: "gcpf", About: "blocks compressed by Godot's FileAccess.open_compressed", File: true}, Magic}
	Resource layer.Wrapper = kind{layer.Info{Name: "rscc", About: "a resource of Godot that was saved with FLAG_COMPRESS", File: true, Bound: true}, resource}
)

type kind struct {
	layer.Info
	magic string
}

var _ layer.Deferrer = kind{}

// Sniff implements layer.Wrapper.
func (k kind) Sniff(s *layer.Sample) bool {
	return layer.IsCut(s.Head, k.magic) || k.hasMagic(s.Head, s.Window, s.Region)
}

// hasMagic reports whether bytes begin with the magic, or with one that differs in one byte if everything
// else is right.
func (k kind) hasMagic(head []byte, w *source.Window, region span.Span) bool {
	return layer.IsNear(head, k.magic) && (string(head[:len(k.magic)]) == k.magic || k.looksPacked(w, region))
}

// looksPacked reports whether the bytes of a region are a GCPF, whatever its magic: the header is
// plausible, and the magic follows the blocks.
func (k kind) looksPacked(w *source.Window, region span.Span) bool {
	const most = 1 << 20 // plain bytes of a block up to which a damaged magic is ignored
	at := region.Offset
	if region.Length < headerSize || Mode(w.U32(at+4)) >= modes {
		return false
	}
	size, plain := int64(w.U32(at+8)), int64(w.U32(at+12))
	if size == 0 || size > most {
		return false
	}
	blocks := plain/size + 1
	end := at + headerSize + 4*blocks
	if end > region.End() {
		return false
	}
	if 4*blocks > layer.Sniffed {
		return string(w.View(region.End()-4, 4)) == k.magic
	}
	for i := range blocks {
		end += int64(w.U32(at + headerSize + 4*i))
	}
	return end == region.End() || end+4 <= region.End() && string(w.View(end, 4)) == k.magic
}

// Eager implements layer.Deferrer: blocks are unpacked on demand.
func (kind) Eager(region span.Span, o layer.Options) int64 { return 0 }

// Open implements layer.Wrapper.
func (k kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	l.ShortTitle = k.magic
	b := make([]byte, min(headerSize, l.Region.Length))
	if err := layer.ReadAt(src, b, l.Region.Offset); err != nil {
		return err
	}
	switch {
	case layer.IsCut(b, k.magic):
		l.CutHeader(k.magic, l.Region.Length)
		return nil
	case !k.hasMagic(b, source.NewWindow(src), l.Region):
		l.Reject(k.magic, "these bytes do not begin with "+k.magic)
		return nil
	}
	g := &file{magic: k.magic, src: source.Cached(src, keptPacked), region: l.Region}
	f := &reading{layer: l, file: g, modeAt: l.Region.Offset + 4, blockAt: l.Region.Offset + 8, plainAt: l.Region.Offset + 12}
	l.Reading = f
	if len(b) < headerSize {
		l.Title = k.magic
		l.Miss(span.Truncated, fmt.Sprintf("the file ends in its header after %s", span.Bytes(int64(len(b)))))
		f.describe(o)
		return nil
	}
	f.head = [headerSize]byte(b)
	if err := g.parse(ctx, o); err != nil {
		return err
	}
	if err := g.correct(ctx, o); err != nil {
		return err
	}
	l.Title, l.ShortTitle = g.title(), k.magic+" "+g.Mode.String()
	if g.Mode == Brotli {
		l.Generation = 4 // Godot 3 has no Brotli
	}
	openBlocks(l, g, o)
	f.describe(o)
	return nil
}

// openBlocks gives l its payload, if it can have one.
func openBlocks(l *layer.Layer, g *file, o layer.Options) {
	switch {
	case g.BlockSize == 0:
		l.Miss(layer.BlockSize, "the block size is 0, so the number of blocks is unknown")
	case g.Mode >= modes:
		l.Miss(layer.UnknownMode, fmt.Sprintf("compression mode %d does not exist", uint32(g.Mode)))
	case g.here == 0 && g.PlainSize > 0:
		l.Miss(span.Truncated, "the file ends before its first block")
	default:
		l.Source = g.src
		p := newPayload(g, o.MaxUnpacked)
		l.Payload, l.Packer = p, p
		l.OnClose(p)
	}
}

// addMagic adds the problem of a wrong magic.
func (g *file) addMagic(report func(at span.Span, code, message, engine string) *part.Problem, is string, at int64, engine string) {
	message, repair, splice := part.IsNot(is, g.magic, at)
	report(splice.Span, layer.BadMagic, message, engine).RepairBy(repair, splice)
}

const (
	tinyBlock  = 1 << 10 // plain bytes of a block below which unpacking it takes longer than copying them
	keptBytes  = 4 << 20 // plain bytes of tiny blocks that are kept
	keptPacked = 1 << 20 // bytes of the file that are kept, so that lengths are not read one at a time
)

// A payload is the plain bytes of all blocks.
type payload struct {
	*blocks
	plain source.Source
}

func newPayload(g *file, limit int64) *payload {
	p := &payload{blocks: newBlocks(g, limit)}
	p.plain = p.blocks
	if p.BlockSize < tinyBlock {
		p.plain = source.Cached(p.blocks, keptBytes)
	}
	return p
}

// ReadAt implements io.ReaderAt. A block that cannot be unpacked is a hole.
func (p *payload) ReadAt(b []byte, off int64) (int, error) { return p.plain.ReadAt(b, off) }

// Size returns the number of plain bytes.
func (p *blocks) Size() int64 { return p.size }

// ReadAt implements io.ReaderAt.
func (p *blocks) ReadAt(b []byte, off int64) (int, error) {
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
		end := min(start+p.plainSize(i), p.size)
		err := p.use(i, func(u *unpacked) error {
			if u.broken {
				clear(b[done:min(int64(len(b)), int64(done)+end-at)])
				return &source.HoleError{Span: span.Between(start, end), Err: fmt.Errorf("block %d: %w", i, u.err)}
			}
			done += copy(b[done:], u.data[at-start:end-start])
			return nil
		})
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// A blockPacker packs blocks of one mode, one after the other.
type blockPacker struct {
	mode   Mode
	buf    bytes.Buffer
	stream interface { // writer of Deflate, Gzip or Brotli
		io.WriteCloser
		Reset(io.Writer)
	}
	zstd  *zstd.Encoder
	plain []byte // of the current block
}

func newBlockPacker(m Mode) (*blockPacker, error) {
	p := &blockPacker{mode: m}
	var err error
	switch m {
	case deflate:
		p.stream = zlib.NewWriter(nil) // with the level that gives Godot's 78 9c
	case zstandard:
		p.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true),
			zstd.WithZeroFrames(true), zstd.WithEncoderConcurrency(1))
	case Gzip:
		p.stream = gzip.NewWriter(nil)
	case Brotli:
		p.stream = brotli.NewWriter(nil)
	}
	return p, err
}

// close releases what packing uses.
func (p *blockPacker) close() {
	if p.zstd != nil {
		p.zstd.Close()
	}
}

// pack appends the packed bytes of plain to dst.
func (p *blockPacker) pack(dst, plain []byte) ([]byte, error) {
	switch p.mode {
	case fastLZ:
		return append(dst, fastlz.Pack(plain)...), nil
	case zstandard:
		return p.zstd.EncodeAll(plain, dst), nil
	}
	p.buf.Reset()
	p.stream.Reset(&p.buf)
	if z, ok := p.stream.(*gzip.Writer); ok { // as zlib writes it, which engines use
		z.ModTime, z.OS = time.Unix(0, 0), 3
	}
	if _, err := p.stream.Write(plain); err != nil {
		return dst, err
	}
	if err := p.stream.Close(); err != nil {
		return dst, err
	}
	return append(dst, p.buf.Bytes()...), nil
}

// A codec unpacks blocks of one mode. It serves many goroutines.
type codec struct {
	mode    Mode
	streams sync.Pool // of stream
	zstd    *zstd.Decoder
}

// A stream unpacks the reader to which it is reset.
type stream struct {
	io.Reader
	reset func(io.Reader) error
}

func newCodec(m Mode) (*codec, error) {
	c := &codec{mode: m}
	if m == zstandard {
		d, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderConcurrency(0))
		if err != nil {
			return nil, err
		}
		c.zstd = d
	}
	return c, nil
}

func (c *codec) close() {
	if c.zstd != nil {
		c.zstd.Close()
	}
}

// unpack appends the content of packed to dst, up to its capacity. On an error it returns the bytes before
// the damage as well.
func (c *codec) unpack(dst, packed []byte) ([]byte, error) {
	switch c.mode {
	case fastLZ:
		out, err := fastlz.Unpack(dst, packed)
		return out, layer.Explain(err)
	case zstandard:
		out, err := c.zstd.DecodeAll(packed, dst)
		return out, layer.Explain(err)
	}
	s, err := c.stream(bytes.NewReader(packed))
	if err != nil {
		return dst, layer.Explain(err)
	}
	out, err := fill(dst, s)
	c.streams.Put(s)
	return out, layer.Explain(err)
}

// stream returns an unpacker for the bytes of in.
func (c *codec) stream(in io.Reader) (*stream, error) {
	if s, ok := c.streams.Get().(*stream); ok {
		return s, s.reset(in)
	}
	switch c.mode {
	case deflate:
		r, err := zlib.NewReader(in)
		if err != nil {
			return nil, err
		}
		return &stream{r, func(in io.Reader) error { return r.(zlib.Resetter).Reset(in, nil) }}, nil
	case Gzip:
		r, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		r.Multistream(false)
		return &stream{r, func(in io.Reader) error {
			err := r.Reset(in)
			r.Multistream(false)
			return err
		}}, nil
	}
	r := brotli.NewReader(in)
	return &stream{r, r.Reset}, nil
}

// fill reads to the end of r, or until dst is full and more would follow.
func fill(dst []byte, r io.Reader) ([]byte, error) {
	for len(dst) < cap(dst) {
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
	var more [1]byte
	for {
		n, err := r.Read(more[:])
		switch {
		case n > 0:
			return dst, layer.ErrTooMuch
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, err
		}
	}
}
