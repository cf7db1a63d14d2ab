package layer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tempfile"
)

// A Run is a range of the new plain bytes that is in the payload as well.
type Run struct {
	At, From, Length int64 // offset in the new bytes, offset in the old payload, number of bytes
}

// CanRewrap returns why the layer cannot be wrapped again, or nil: the payload is missing or incomplete, or
// the key is not known to be right. The key counts as right if the MD5 matches, if the padding shows it, or
// if bytes of the payload are missing, because it cannot be verified then.
func (l *Layer) CanRewrap() error {
	if l.Payload == nil {
		return errors.New(l.Missing.Message)
	}
	return l.Packer.CanRewrap()
}

// Rewrap writes the wrapper around plain to out, from offset at on, and returns the number of bytes
// written. Mode, block size, key and text layout are kept, and the bytes of the region after the wrapper
// are copied. same lists the unchanged ranges of plain in order of At. progress, which may be nil, is
// called with the number of plain bytes that are done.
//
// A key that has not been verified is verified first. The error is that of CanRewrap, of ctx, or of reading
// and writing; it is also an error if bytes of plain are missing or it does not fit into the wrapper.
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
	w := &Rewrapping{Ctx: ctx, Source: l.Source, Region: l.Packed, Plain: plain, Same: same, Progress: progress, Memory: l.Memory, Inner: l.Inner, out: out, at: at}
	return l.Packer.Rewrap(w)
}

// A Packer wraps a payload again.
type Packer interface {
	CanRewrap() error
	Rewrap(w *Rewrapping) (n int64, err error)
}

// A Memory knows how blocks were packed before they were replaced. Its methods are called by several
// goroutines.
type Memory interface {
	Find(mode uint32, plain []byte) (packed []byte) // nil if unknown
	Remember(mode uint32, plain, packed []byte)
}

// ErrCut is the reason why a payload cut by Options.MaxUnpacked cannot be wrapped again.
var ErrCut = errors.New("only the beginning is unpacked (--max-unpacked), and the rest would be lost")

// An Inner says what a new payload holds, for numbers beside it that measure that.
type Inner struct {
	Held   []source.Source         // the buffers inside, from the payload to the values
	Starts func() ([]int64, error) // offsets of the outermost values in the last of them; nil if they are not known

	Beside int64 // number of bytes of the file outside the layer, which always stay as many
}

// Values returns the innermost buffer.
func (in *Inner) Values() source.Source { return in.Held[len(in.Held)-1] }

// A Rewrapping holds the arguments of Rewrap for a Packer.
type Rewrapping struct {
	Ctx      context.Context
	Source   source.Source // source of the old wrapper
	Region   span.Span     // of Source
	Plain    source.Source
	Same     []Run
	Progress func(done, all int64)
	Memory   Memory // nil without one
	Inner

	out io.WriterAt
	at  int64 // in out
}

// An Output writes from an offset on.
type Output struct {
	*bufio.Writer
	to *io.OffsetWriter
}

// WriteAt writes bytes at an offset of the wrapper.
func (w *Rewrapping) WriteAt(b []byte, off int64) error {
	_, err := w.out.WriteAt(b, w.at+off)
	return err
}

// Refilled returns the end of a wrapper, once what is before it has become longer by a number of bytes, with as many zeros
// as source.Filling says.
func Refilled(tail []byte, by int64) []byte {
	if more := source.Filling(int64(len(tail)-len(bytes.TrimRight(tail, "\x00"))), by); more >= 0 {
		return append(bytes.Clone(tail), make([]byte, more)...)
	} else {
		return tail[:int64(len(tail))+more]
	}
}

// KeepEnd copies the end of the old wrapper, behind all that was written, with zeros as Refilled says.
func (w *Rewrapping) KeepEnd(out *Output, s span.Span) error {
	tail := make([]byte, s.Length)
	if err := ReadAt(w.Source, tail, s.Offset); err != nil {
		return err
	}
	at, err := out.to.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	_, err = out.Write(Refilled(tail, at+int64(out.Buffered())-(s.Offset-w.Region.Offset)))
	return err
}

// Output writes from off on, counted from the start of the wrapper.
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

// Lacking returns err or, if err is about a hole or the end of a source, an error that bytes are missing.
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

// Find returns the offset of s in the old payload, if all of s is in one run. Calls must be in order of
// offsets.
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

// inMemory is the size of the largest payload that is kept in memory; a larger one that is unpacked as a
// whole goes to a temporary file.
const inMemory = 8 << 20

// A Spool stores a payload while it is unpacked, up to a limit.
type Spool struct {
	Limit int64
	n     int64 // bytes taken
	mem   []byte
	file  *temporary
	out   *bufio.Writer
	Err   error // of the temporary file
}

// OnlyFirstOf returns the message about a payload that is cut.
func OnlyFirstOf(all, limit int64) string {
	return "cut by --max-unpacked: only the first " + span.Bytes(limit) + " of " + span.Bytes(all) + " are unpacked"
}

// OnlyFirst returns the message about a cut payload whose full size is unknown.
func OnlyFirst(limit int64) string {
	return "cut by --max-unpacked: only the first " + span.Bytes(limit) + " are unpacked"
}

// ErrFull is returned by Write when a Spool has reached its limit.
var ErrFull = errors.New("no more may be unpacked")

// Write appends p. The error is ErrFull if the limit allows only a part of it, or that of the temporary
// file.
func (s *Spool) Write(p []byte) (int, error) {
	whole := len(p)
	p = p[:min(int64(whole), s.Limit-s.n)]
	if s.out == nil && int64(len(s.mem)+len(p)) > inMemory {
		s.spill()
	}
	if s.Err != nil {
		return 0, s.Err
	}
	if s.out == nil {
		if len(s.mem)+len(p) > cap(s.mem) { // append would copy a long payload more often
			s.mem = slices.Grow(s.mem, max(len(s.mem), len(p)))
		}
		s.mem = append(s.mem, p...)
	} else if _, err := s.out.Write(p); err != nil {
		s.Err = fmt.Errorf("writing a temporary file: %w", err)
		return 0, s.Err
	}
	s.n += int64(len(p))
	if len(p) < whole {
		return len(p), ErrFull
	}
	return whole, nil
}

// Size returns how many bytes were written.
func (s *Spool) Size() int64 { return s.n }

// Left returns how many more bytes may be written.
func (s *Spool) Left() int64 { return s.Limit - s.n }

// spill moves the bytes written so far to a temporary file.
func (s *Spool) spill() {
	f, err := tempfile.Create("")
	if err != nil {
		s.Err = fmt.Errorf("no temporary file: %w", err)
		return
	}
	s.file = &temporary{File: f}
	s.out = bufio.NewWriterSize(f, 256<<10)
	if _, err = s.out.Write(s.mem); err != nil {
		s.Err = fmt.Errorf("writing a temporary file: %w", err)
	}
	s.mem = nil
}

// Close discards the bytes.
func (s *Spool) Close() {
	if s.file != nil {
		s.file.Close()
	}
}

// Source returns the bytes written; closer is nil if nothing must be closed.
func (s *Spool) Source() (payload source.Source, closer io.Closer, err error) {
	if s.file == nil {
		return source.Bytes(s.mem), nil, nil
	}
	s.file.size = s.n
	if err := s.out.Flush(); err != nil {
		return nil, nil, fmt.Errorf("writing a temporary file: %w", err)
	}
	return s.file, s.file, nil
}

// Now returns the bytes that were written so far. More may be written; they are valid until the spool is closed.
func (s *Spool) Now() (source.Source, error) {
	if s.file == nil {
		return source.Bytes(s.mem), s.Err
	}
	if err := s.out.Flush(); err != nil {
		return nil, fmt.Errorf("writing a temporary file: %w", err)
	}
	return io.NewSectionReader(s.file.File, 0, s.n), nil
}

// temporary is a temporary file as a source.
type temporary struct {
	*os.File
	size int64
}

// Size implements source.Source.
func (t *temporary) Size() int64 { return t.size }

// Hold makes the bytes of s the payload of l. They are valid until l is closed.
func (l *Layer) Hold(s *Spool) error {
	src, closer, err := s.Source()
	if closer != nil {
		l.OnClose(closer)
	}
	l.Payload = src
	return err
}
