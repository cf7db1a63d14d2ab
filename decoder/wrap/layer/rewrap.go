package layer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Run is a range of the new plain bytes that are in the payload as well.
type Run struct {
	At, From, Length int64 // offset in the new bytes, in the old payload
}

// CanRewrap returns why the layer cannot be wrapped again, or nil: there is no payload, or
// only a part of it, or the key is not known to be right. It counts as right if the MD5
// matches, if the padding shows it, or if bytes of the payload are missing, because it
// cannot be verified then.
func (l *Layer) CanRewrap() error {
	if l.Payload == nil {
		return errors.New(l.Missing.Message)
	}
	return l.Packer.CanRewrap()
}

// Rewrap writes the wrapper around plain to out, from offset at on, and returns the number
// of bytes written. Mode, block size, key and text layout are kept, and the bytes of the
// region after the wrapper are copied. same lists the unchanged ranges of plain in order of
// At. progress, which may be nil, is called with the number of plain bytes that are done.
//
// A key that has not been verified is verified first. The error is that of CanRewrap, of
// ctx, or of reading and writing; it is also an error if plain has bytes missing or does
// not fit into the wrapper.
func (l *Layer) Rewrap(ctx context.Context, plain source.Source, same []Run, out io.WriterAt, at int64, progress func(done, all int64)) (n int64, err error) {
	if err := l.Verify(ctx, nil); err != nil {
		return 0, err
	}
	if err := l.CanRewrap(); err != nil {
		return 0, err
	}
	if progress == nil {
		progress = func(done, all int64) {}
	}
	w := &Rewrapping{Ctx: ctx, Source: l.Source, Region: l.Packed, Plain: plain, Same: same, Progress: progress, out: out, at: at}
	return l.Packer.Rewrap(w)
}

// A Packer wraps a payload again.
type Packer interface {
	CanRewrap() error
	Rewrap(w *Rewrapping) (n int64, err error)
}

// ErrCut says why a payload that Options.MaxUnpacked has cut cannot be wrapped
// again.
var ErrCut = errors.New("only the beginning is unpacked (--max-unpacked), and the rest would be lost")

// A Rewrapping holds the arguments of Rewrap for a Packer.
type Rewrapping struct {
	Ctx      context.Context
	Source   source.Source // that holds the old wrapper
	Region   span.Span     // of Source
	Plain    source.Source
	Same     []Run
	Progress func(done, all int64)

	out io.WriterAt
	at  int64 // in out
}

// An Output writes from an offset on.
type Output struct {
	*bufio.Writer
	to *io.OffsetWriter
}

// WriteHead writes bytes at the beginning of the wrapper.
func (w *Rewrapping) WriteHead(b []byte) error {
	_, err := w.out.WriteAt(b, w.at)
	return err
}

// Output writes from off on, which counts from the start of the wrapper.
func (w *Rewrapping) Output(off int64) *Output {
	to := io.NewOffsetWriter(w.out, w.at+off)
	return &Output{bufio.NewWriterSize(to, 256<<10), to}
}

// Finish writes the rest, and returns the number of all bytes written.
func (o *Output) Finish() (n int64, err error) {
	if err := o.Flush(); err != nil {
		return 0, err
	}
	return o.to.Seek(0, io.SeekCurrent)
}

// Keep copies bytes of the old wrapper.
func (w *Rewrapping) Keep(out io.Writer, s span.Span) error {
	buf := make([]byte, min(s.Length, 64<<10))
	for s.Length > 0 {
		if err := w.Ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(int64(len(buf)), s.Length)]
		if err := ReadAt(w.Source, b, s.Offset); err != nil {
			return err
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
		s = span.Between(s.Offset+int64(len(b)), s.End())
	}
	return nil
}

// Reader reads the plain bytes from the first to the last.
func (w *Rewrapping) Reader() *bufio.Reader {
	return bufio.NewReaderSize(&plainReader{Rewrapping: w}, 256<<10)
}

type plainReader struct {
	*Rewrapping
	off int64
}

// Read implements io.Reader.
func (r *plainReader) Read(p []byte) (int, error) {
	if err := r.Ctx.Err(); err != nil {
		return 0, err
	}
	all := r.Plain.Size()
	p = p[:min(int64(len(p)), all-r.off)]
	if len(p) == 0 {
		return 0, io.EOF
	}
	if err := ReadAt(r.Plain, p, r.off); err != nil {
		return 0, Lacking(err)
	}
	r.off += int64(len(p))
	r.Progress(r.off, all)
	return len(p), nil
}

// Lacking returns err or, if err is about a hole or the end of a source, an error that
// bytes are missing.
func Lacking(err error) error {
	var hole *source.HoleError
	switch {
	case errors.As(err, &hole):
		return fmt.Errorf("%s at %#x are missing and cannot be wrapped again: %w", span.Bytes(hole.Length), hole.Offset, hole.Err)
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF // a source that has become shorter
	}
	return err
}

// Runs are looked up from the first to the last.
type Runs []Run

// Find returns where the bytes of s are in the old payload, if they are in one piece. Calls
// must be in order of offsets.
func (r *Runs) Find(s span.Span) (from int64, ok bool) {
	for len(*r) > 0 && (*r)[0].At+(*r)[0].Length <= s.Offset {
		*r = (*r)[1:]
	}
	all := *r
	if len(all) == 0 || all[0].At > s.Offset {
		return 0, false
	}
	by := all[0].From - all[0].At
	end := s.Offset
	for _, next := range all {
		if end >= s.End() || next.At > end || next.From-next.At != by {
			break
		}
		end = next.At + next.Length
	}
	return s.Offset + by, end >= s.End()
}
