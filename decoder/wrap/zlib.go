package wrap

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"

	"varview/decoder/source"
	"varview/decoder/span"
)

// zlibHeader is the size of the two bytes that tell method and flags.
const zlibHeader = 2

// isZlib reports whether two bytes can begin a zlib stream (RFC 1950): method
// deflate, a window that exists, no dictionary, and the check of both.
func isZlib(cmf, flg byte) bool {
	return cmf&15 == 8 && cmf>>4 <= 7 && flg&0x20 == 0 && (int(cmf)<<8|int(flg))%31 == 0
}

// openZlib unpacks a zlib stream.
func openZlib(ctx context.Context, l *Layer, src source.Source, o Options) error {
	in := &reader{ctx: ctx, win: source.NewWindow(src), off: l.Region.Offset, region: l.Region, progress: o.progress}
	if l.Region.Length < zlibHeader || !isZlib(in.win.Byte(in.off), in.win.Byte(in.off+1)) {
		l.reject("zlib", "these bytes do not begin a zlib stream")
		return in.win.Err()
	}
	in.off += zlibHeader
	packed := bufio.NewReaderSize(in, 64<<10) // flate takes no byte too many from it
	z := zlibStream{spool: spool{limit: o.MaxUnpacked}, win: in.win}
	sum := adler32.New()
	_, z.err = io.CopyBuffer(io.MultiWriter(sum, &z.spool), onlyReader{flate.NewReader(packed)}, make([]byte, 64<<10))
	if err := in.failed(&z.spool); err != nil {
		z.spool.close()
		return err
	}
	z.end, z.sum = in.off-int64(packed.Buffered()), sum.Sum32()
	l.Title = "zlib"
	if err := l.hold(&z.spool); err != nil {
		return err
	}
	l.describeZlib(&z, o)
	return in.win.Err()
}

// zlibStream is what came of unpacking a stream.
type zlibStream struct {
	spool spool
	win   *source.Window
	end   int64  // behind the packed bytes that were used
	sum   uint32 // Adler-32 of what was unpacked
	err   error  // why it ended early
}

// onlyReader hides all other methods, so that a copy uses its own buffer.
type onlyReader struct{ io.Reader }

// describeZlib makes the format of a stream.
func (l *Layer) describeZlib(z *zlibStream, o Options) {
	end := l.Region.End()
	head := part{name: "header", Span: span.Span{Offset: l.Region.Offset}, text: "deflate"}
	head.put(1, end, span.Flags, "method and window")
	head.put(1, end, span.Flags, "flags")
	body := part{name: "deflate stream", Span: span.Span{Offset: head.End()}}
	if errors.Is(z.err, errFull) {
		body.put(end-head.End(), end, span.Data, body.name)
		body.warn(body.Span, TooLarge, onlyFirst(o.MaxUnpacked), "")
	} else {
		body.put(z.end-head.End(), end, span.Data, body.name)
	}
	body.text = fmt.Sprintf("%s → %s", byteCount(body.Length), span.Grouped(l.Payload.Size()))
	parts := []part{head, body}
	again := &zlibLayer{end: body.End(), err: z.err, head: [zlibHeader]byte(z.win.View(head.Offset, zlibHeader))}
	l.again = again
	switch {
	case z.err == nil:
		sum := l.adler(z)
		parts = append(parts, sum)
		again.end = sum.End()
		if spare, any := l.spare(sum.End()); any {
			parts = append(parts, spare)
		}
	case !errors.Is(z.err, errFull):
		err, code := explain(z.err), BadStream
		if errors.Is(err, errEarly) {
			code = TruncatedData
		}
		at := span.Between(max(head.End(), z.end-1), z.end)
		parts[1].fail(at, code, fmt.Sprintf("%v: only the first %s could be unpacked", err, byteCount(l.Payload.Size())), "")
	}
	l.Format = &format{layer: l, about: l.describe(), parts: parts}
}

// onlyFirst is the message of a payload that is cut, where it is not known how
// long it would be.
func onlyFirst(limit int64) string {
	return fmt.Sprintf("cut by --max-unpacked: only the first %s are unpacked", byteCount(limit))
}

// adler describes the checksum behind the stream.
func (l *Layer) adler(z *zlibStream) part {
	p := part{name: "checksum", Span: span.Span{Offset: z.end}}
	sum := binary.BigEndian.AppendUint32(nil, z.sum)
	want := fmt.Sprintf("%x", sum)
	if !p.put(4, l.Region.End(), span.Hash, "Adler-32") {
		p.text = "cut"
		p.fail(p.Span, TruncatedData, "the checksum behind the stream is cut; the stream itself is whole", "").
			cure("add the checksum "+want, source.Put(p.Offset, p.Length, sum))
		return p
	}
	p.text = fmt.Sprintf("%x", z.win.View(p.Offset, 4))
	state := Matches
	if p.text != want {
		state = Differs
		p.fail(p.Span, Checksum, fmt.Sprintf("damaged bytes: the Adler-32 is %s, that of the unpacked bytes is %s", p.text, want), "").
			cure("write the checksum that the bytes have, "+want, source.Put(p.Offset, 4, sum))
	}
	l.checksum.Store(int32(state))
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

// failed is the error of ctx, of reading, or of the temporary file that ended a
// copy to s; an error of the bytes themselves is none.
func (r *reader) failed(s *spool) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if err := r.win.Err(); err != nil {
		return err
	}
	return s.err
}
