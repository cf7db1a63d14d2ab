// Package zlib opens a zlib stream (RFC 1950).
package zlib

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"

	"varview/decoder/engine/deflate"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// headerSize is the size of the header: method and flags.
const headerSize = 2

// Kind is this kind of wrapper.
var Kind layer.Wrapper = kind{layer.Info{Name: "zlib", About: "a zlib stream"}}

type kind struct{ layer.Info }

var _ layer.Deferrer = kind{}

// Sniff implements layer.Wrapper.
func (kind) Sniff(s *layer.Sample) bool { return Unpacks(s.Head, s.Whole) }

// Unpacks reports whether bytes begin a zlib stream that can be unpacked; whole says that b is all of it. A
// cut stream counts if it yields any bytes, a damaged one if it yields some bytes before the damage.
func Unpacks(b []byte, whole bool) bool {
	if len(b) <= headerSize || !source.IsZlib(b) {
		return false
	}
	packed := b[headerSize:]
	n, err := io.CopyN(io.Discard, flate.NewReader(bytes.NewReader(packed)), layer.Sniffed)
	switch err {
	case nil:
		return true
	case io.EOF:
		return !whole || n > 0 || len(packed) <= 8 // an empty stream takes 2 or 5 bytes, and 4 for its checksum
	case io.ErrUnexpectedEOF:
		return n > 0
	}
	return n >= 64 // fewer than one in a hundred random streams yield so many
}

// eagerRatio is the assumed ratio of a stream's unpacked to its packed size. Deflate
// reaches about 1,032, saves seldom more than 20.
const eagerRatio = 64

// Eager implements layer.Deferrer: the stream is unpacked at once.
func (kind) Eager(region span.Span, o layer.Options) int64 {
	if region.Length < o.MaxUnpacked/eagerRatio {
		return region.Length * eagerRatio
	}
	return max(region.Length, o.MaxUnpacked)
}

// Open implements layer.Wrapper.
func (kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	in := &reader{ctx: ctx, win: source.NewWindow(src), off: l.Region.Offset, region: l.Region, progress: o.Report}
	if l.Region.Length < headerSize || !source.IsZlib([]byte{in.win.Byte(in.off), in.win.Byte(in.off + 1)}) {
		l.Reject("zlib", "these bytes do not begin a zlib stream")
		return in.win.Err()
	}
	in.off += headerSize
	packed := bufio.NewReaderSize(in, 64<<10) // flate takes no surplus byte from it
	z := stream{spool: layer.Spool{Limit: o.MaxUnpacked}, win: in.win}
	sum := adler32.New()
	_, z.err = io.CopyBuffer(io.MultiWriter(sum, &z.spool), onlyReader{flate.NewReader(packed)}, make([]byte, 64<<10))
	if err := in.failed(&z.spool); err != nil {
		z.spool.Close()
		return err
	}
	z.end, z.sum = in.off-int64(packed.Buffered()), sum.Sum32()
	l.Title = "zlib"
	if err := l.Hold(&z.spool); err != nil {
		return err
	}
	z.describe(l, o)
	return in.win.Err()
}

// stream is the result of unpacking a stream.
type stream struct {
	spool layer.Spool
	win   *source.Window
	end   int64  // end of the packed bytes that were used
	sum   uint32 // Adler-32 of the unpacked bytes
	err   error  // why it ended early
}

// onlyReader hides all other methods, so that a copy uses its own buffer.
type onlyReader struct{ io.Reader }

// describe makes the reading of a stream.
func (z *stream) describe(l *layer.Layer, o layer.Options) {
	end := l.Region.End()
	head := part.Part{Name: "header", Span: span.Span{Offset: l.Region.Offset}, Text: "deflate"}
	head.Put(1, end, span.Flags, "method and window")
	head.Put(1, end, span.Flags, "flags")
	body := part.At("deflate stream", head.End())
	if errors.Is(z.err, layer.ErrFull) {
		body.Put(end-head.End(), end, span.Data, body.Name)
		body.Warn(body.Span, layer.TooLarge, layer.OnlyFirst(o.MaxUnpacked), "")
	} else {
		body.Put(z.end-head.End(), end, span.Data, body.Name)
	}
	body.Text = fmt.Sprintf("%s → %s", span.Bytes(body.Length), span.Grouped(l.Payload.Size()))
	parts := []part.Part{head, body}
	again := &packer{end: body.End(), err: z.err, head: [headerSize]byte(z.win.View(head.Offset, headerSize))}
	l.Packer = again
	switch {
	case z.err == nil:
		sum := z.adler(l)
		parts = append(parts, sum)
		again.end = sum.End()
		if spare, any := part.Spare(sum.End(), l.Region); any {
			parts = append(parts, spare)
		}
	case !errors.Is(z.err, layer.ErrFull):
		code, what := layer.Stopped(z.err, l.Payload.Size())
		at := span.Between(max(head.End(), z.end-1), z.end)
		parts[1].Fail(at, code, what, "")
	}
	d := l.Describe(l.About(), parts...)
	l.Reading = &d
}

// adler describes the checksum after the stream.
func (z *stream) adler(l *layer.Layer) part.Part {
	p := part.At("checksum", z.end)
	sum := binary.BigEndian.AppendUint32(nil, z.sum)
	want := fmt.Sprintf("%x", sum)
	if !p.Put(4, l.Region.End(), span.Hash, "Adler-32") {
		p.Text = "cut"
		p.Fail(p.Span, layer.TruncatedData, "the checksum after the stream is cut; the stream itself is complete", "").
			RepairBy("add the checksum "+want, source.Put(p.Offset, p.Length, sum))
		return p
	}
	p.Text = fmt.Sprintf("%x", z.win.View(p.Offset, 4))
	state := layer.Matches
	if p.Text != want {
		state = layer.Differs
		p.Fail(p.Span, layer.Checksum, fmt.Sprintf("damaged bytes: the Adler-32 is %s, that of the unpacked bytes is %s", p.Text, want), "").
			RepairBy("write the checksum that the bytes have, "+want, source.Put(p.Offset, 4, sum))
	}
	l.SetChecksum(state)
	return p
}

// A reader reads a region piece by piece. A hole reads as zeros.
type reader struct {
	ctx      context.Context
	win      *source.Window
	region   span.Span
	off      int64
	progress func(done, all int64)
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	r.progress(r.off-r.region.Offset, r.region.Length)
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n := copy(p, r.win.View(r.off, min(int64(len(p)), r.region.End()-r.off)))
	r.off += int64(n)
	if err := r.win.Err(); err != nil {
		return 0, err
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// failed returns the error of ctx, of reading, or of the temporary file that ended a copy to s; an error of
// the bytes themselves does not count.
func (r *reader) failed(s *layer.Spool) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if err := r.win.Err(); err != nil {
		return err
	}
	return s.Err
}

// packer wraps a stream again.
type packer struct {
	end  int64 // end of the old stream and its checksum
	err  error // why the old stream ended early
	head [headerSize]byte
}

// CanRewrap implements layer.Packer.
func (z *packer) CanRewrap() error { return layer.Repackable(z.err) }

// Rewrap implements layer.Packer.
func (z *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	pack := deflate.NewZlib(out, z.head)
	if _, err := io.CopyBuffer(pack, onlyReader{w.Reader()}, make([]byte, 64<<10)); err != nil {
		return 0, err
	}
	if err := pack.Close(); err != nil {
		return 0, err
	}
	if err := w.Keep(out, span.Between(z.end, w.Region.End())); err != nil {
		return 0, err
	}
	return out.Finish()
}
