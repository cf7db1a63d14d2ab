package inspect

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/span"
)

// maxUnpacked is the largest number of bytes that packed bytes may become.
const maxUnpacked = 256 << 20

// A Packing is how bytes are packed. The zero value means not at all.
type Packing struct {
	method string
	header gzip.Header
}

// The methods, with the names that Sniff uses.
const (
	methodGzip = "gzip"
	methodZlib = "zlib"
	methodZstd = "Zstandard"
)

// Unpack writes the content of packed bytes, and bytes that Sniff does not call packed unchanged. It
// fails if they are damaged or hold too much.
func Unpack(in io.Reader, out io.Writer) (p Packing, err error) {
	b := bufio.NewReader(in)
	head, _ := b.Peek(4)
	if d := Sniff(head); d.Packed {
		p.method = d.What
	}
	var plain io.Reader = b
	switch p.method {
	case methodGzip:
		var r *gzip.Reader
		if r, err = gzip.NewReader(b); err == nil {
			p.header, plain = r.Header, r
		}
	case methodZlib:
		plain, err = zlib.NewReader(b)
	case methodZstd:
		var d *zstd.Decoder
		if d, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked)); err == nil {
			defer d.Close()
			plain = d
		}
	}
	if err != nil {
		return p, err
	}
	n, err := io.Copy(out, io.LimitReader(plain, maxUnpacked+1))
	if err == nil && n > maxUnpacked {
		err = fmt.Errorf("more than %s are packed in there", span.Bytes(maxUnpacked))
	}
	return p, err
}

// Pack packs bytes in the way in which those were packed that Unpack read.
func (p *Packing) Pack(in io.Reader, out io.Writer) (err error) {
	var packer io.WriteCloser
	switch p.method {
	case methodGzip:
		w := gzip.NewWriter(out)
		w.Header, packer = p.header, w
	case methodZlib:
		packer = zlib.NewWriter(out)
	case methodZstd:
		if packer, err = zstd.NewWriter(out, zstd.WithEncoderConcurrency(1)); err != nil {
			return err
		}
	default:
		_, err = io.Copy(out, in)
		return err
	}
	if _, err := io.Copy(packer, in); err != nil {
		return err
	}
	return packer.Close()
}
