package inspect

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"varview/decoder/span"
)

// maxUnpacked is the number of bytes that packed bytes may become.
const maxUnpacked = 256 << 20

// Unpack writes what packed bytes hold. What Sniff does not call packed is written as it is.
// The error is of what is damaged, or holds too much.
func Unpack(in io.Reader, out io.Writer) error {
	b := bufio.NewReader(in)
	head, _ := b.Peek(4)
	var plain io.Reader = b
	var err error
	switch Sniff(head).What {
	case "gzip":
		plain, err = gzip.NewReader(b)
	case "zlib":
		plain, err = zlib.NewReader(b)
	case "Zstandard":
		var d *zstd.Decoder
		if d, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked)); err == nil {
			defer d.Close()
			plain = d
		}
	}
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(plain, maxUnpacked+1))
	if err == nil && n > maxUnpacked {
		err = fmt.Errorf("more than %s are packed in there", span.Bytes(maxUnpacked))
	}
	return err
}
