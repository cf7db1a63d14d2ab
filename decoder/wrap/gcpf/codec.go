package gcpf

import (
	"bytes"
	"io"
	"sync"

	"varview/decoder/fastlz"
	"varview/decoder/wrap/layer"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// A codec unpacks blocks of one mode. It serves many goroutines.
type codec struct {
	mode    Mode
	streams sync.Pool // of stream
	zstd    *zstd.Decoder
}

// A stream unpacks what it is reset to.
type stream struct {
	io.Reader
	reset func(io.Reader) error
}

func newCodec(m Mode) (*codec, error) {
	c := &codec{mode: m}
	if m == Zstandard {
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

// unpack appends the content of packed to dst, as far as dst has capacity. With an error it
// returns the bytes before the damage.
func (c *codec) unpack(dst, packed []byte) ([]byte, error) {
	switch c.mode {
	case FastLZ:
		out, err := fastlz.Unpack(dst, packed)
		return out, layer.Explain(err)
	case Zstandard:
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
	case Deflate:
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
