package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
)

// unpack unpacks a compressed capture of at most limit bytes, so that its packets can be read in any
// order, and compresses what is written in the same way. end releases what this uses.
func (f *rewriter) unpack(limit int64) (end func(), err error) {
	s := &layer.Spool{Limit: limit}
	head := source.NewWindow(f.w.Source).View(f.w.Region.Offset, 2)
	if bytes.Equal(head, []byte{0x1f, 0x8b}) {
		err = f.gzip(f.in(), s)
	} else {
		err = f.zstd(f.in(), s)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	plain, _, err := s.Source()
	if err != nil {
		s.Close()
		return nil, err
	}
	w := *f.w
	w.Source, w.Region = plain, span.Between(0, plain.Size())
	f.w = &w
	return s.Close, nil
}

// gzip keeps the name and the time in the header of the file.
func (f *rewriter) gzip(in io.Reader, s *layer.Spool) error {
	r, err := gzip.NewReader(in)
	if err != nil {
		return notWhole(err)
	}
	w := gzip.NewWriter(f.out)
	w.Header = r.Header
	f.out, f.pack = w, w
	return f.spool(s, r)
}

func (f *rewriter) zstd(in io.Reader, s *layer.Spool) error {
	r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return notWhole(err)
	}
	defer r.Close()
	w, err := zstd.NewWriter(f.out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	f.out, f.pack = w, w
	return f.spool(s, r)
}

// spool stores what a reader unpacks.
func (f *rewriter) spool(s *layer.Spool, r io.Reader) error {
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		switch _, err := s.Write(buf[:n]); {
		case errors.Is(err, layer.ErrFull):
			return errTooMuch
		case err != nil:
			return err
		}
		switch {
		case errors.Is(err, io.EOF):
			return f.w.Ctx.Err()
		case err != nil:
			return notWhole(err)
		case f.w.Ctx.Err() != nil:
			return f.w.Ctx.Err()
		}
	}
}

func notWhole(err error) error {
	return fmt.Errorf("the compressed capture does not unpack as a whole, and the rest would be lost: %w", err)
}
