package zlib

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"

	"varview/decoder/span"
	"varview/decoder/wrap/layer"
)

// packer wraps a stream again.
type packer struct {
	end  int64 // of the old stream and its checksum
	err  error // why the old stream ended early
	head [headerSize]byte
}

// CanRewrap implements layer.Packer. A stream that is cut off can be wrapped again, because
// nothing follows it.
func (z *packer) CanRewrap() error {
	switch {
	case z.err == nil, errors.Is(layer.Explain(z.err), layer.ErrEarly):
		return nil
	case errors.Is(z.err, layer.ErrFull):
		return layer.ErrCut
	}
	return errors.New("the stream is damaged, and what follows the damage would be lost")
}

// rewrap implements layer.Packer.
func (z *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	if _, err := out.Write(z.head[:]); err != nil {
		return 0, err
	}
	pack, err := z.packer(out)
	if err != nil {
		return 0, err
	}
	sum := adler32.New()
	if _, err := io.CopyBuffer(io.MultiWriter(sum, pack), onlyReader{w.Reader()}, make([]byte, 64<<10)); err != nil {
		return 0, err
	}
	if err := pack.Close(); err != nil {
		return 0, err
	}
	if _, err := out.Write(binary.BigEndian.AppendUint32(nil, sum.Sum32())); err != nil {
		return 0, err
	}
	if err := w.Keep(out, span.Between(z.end, w.Region.End())); err != nil {
		return 0, err
	}
	return out.Finish()
}

// packer packs with the window and the level that the header gives (RFC 1950, 2.2).
func (z *packer) packer(out io.Writer) (*flate.Writer, error) {
	const largest = 7
	if window := z.head[0] >> 4; window < largest {
		return flate.NewWriterWindow(out, 1<<(window+8))
	}
	levels := [...]int{1, 3, flate.DefaultCompression, flate.BestCompression}
	return flate.NewWriter(out, levels[z.head[1]>>6])
}
