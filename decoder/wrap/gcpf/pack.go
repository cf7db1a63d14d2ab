package gcpf

import (
	"bytes"
	"io"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/fastlz"
)

// A blockPacker packs blocks of one mode, one after the other.
type blockPacker struct {
	mode   Mode
	buf    bytes.Buffer
	stream interface { // of Deflate, Gzip and Brotli
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
	case Deflate:
		p.stream = zlib.NewWriter(nil) // with the level that gives Godot's 78 9c
	case Zstandard:
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
	case FastLZ:
		return append(dst, fastlz.Pack(plain)...), nil
	case Zstandard:
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
