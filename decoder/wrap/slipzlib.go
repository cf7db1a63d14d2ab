package wrap

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/adler32"
	"io"
	"math"

	"github.com/klauspost/compress/flate"

	"varview/decoder/source"
	"varview/decoder/span"
)

const (
	slipStream = 4 << 10  // most bytes of a zlib stream in which a slip is looked for
	slipPacked = 16 << 20 // packed bytes that may be gone through for it
)

// slippedZlib looks for a byte lost from a zlib stream, or some too many, without
// which its checksum is right.
func (l *Layer) slippedZlib(ctx context.Context, src source.Source) (*slip, error) {
	if l.Checksum() == Matches || l.Region.Length > slipStream || l.isCutSum() {
		return nil, nil
	}
	b := make([]byte, l.Region.Length)
	if err := readAt(src, b, l.Region.Offset); err != nil {
		return nil, err
	}
	p := newZlibProver()
	undo, last, ok := p.slip(ctx, b)
	if !ok {
		return nil, ctx.Err()
	}
	undo.Offset += l.Region.Offset
	s := newSlip(src, l.Region, undo)
	s.tell(span.Between(undo.Offset, l.Region.Offset+last), pick(undo.Length > 0, "in", "from")+" the stream: with that put right its checksum is", "")
	s.Repair, s.Engine = s.undoing(), "unpacking fails"
	return s, nil
}

// isCutSum reports whether a zlib stream lacks nothing but some of its checksum.
func (l *Layer) isCutSum() bool {
	parts := l.Format.(*format).parts
	last := &parts[len(parts)-1]
	return len(last.problems) == 1 && last.problems[0].Code == TruncatedData && last.problems[0].Repair != ""
}

// A zlibProver tells whether bytes are a whole zlib stream.
type zlibProver struct {
	in   *bytes.Reader
	z    io.Reader
	left int           // packed bytes that may be gone through
	buf  [1 << 10]byte // that are unpacked at a time
}

func newZlibProver() *zlibProver {
	p := &zlibProver{in: bytes.NewReader(nil), left: slipPacked}
	p.z = flate.NewReader(p.in)
	return p
}

// proves reports whether bytes are a zlib stream with the right checksum at the end.
func (p *zlibProver) proves(b []byte) bool {
	if len(b) < zlibHeader+4 || !isZlib(b[0], b[1]) || p.left < len(b) {
		return false
	}
	p.left -= len(b)
	sum, n, ok := p.unpack(b, slipPacked)
	p.left -= int(n) / 8 // what is unpacked costs less
	return ok && p.in.Len() == 4 && binary.BigEndian.Uint32(b[len(b)-4:]) == sum
}

// nearly reports whether bytes are a zlib stream with the right checksum behind it, but
// for the bits of the header that do not agree and for what follows.
func (p *zlibProver) nearly(b []byte) bool {
	if len(b) < zlibHeader+4 || rightZlib(b[0], b[1]) == [zlibHeader]byte{} {
		return false
	}
	sum, _, ok := p.unpack(b, math.MaxInt64)
	return ok && p.in.Len() >= 4 && binary.BigEndian.Uint32(b[len(b)-p.in.Len():]) == sum
}

// unpack gives the checksum of at most so many unpacked bytes, and how many these are.
func (p *zlibProver) unpack(b []byte, most int64) (sum uint32, n int64, ok bool) {
	p.in.Reset(b[zlibHeader:])
	if p.z.(flate.Resetter).Reset(p.in, nil) != nil {
		return 0, 0, false
	}
	h := adler32.New()
	n, err := io.CopyBuffer(h, io.LimitReader(onlyReader{p.z}, most), p.buf[:])
	return h.Sum32(), n, err == nil
}

// slip is the splice that makes a stream of bytes, and where the last place is that
// does.
func (p *zlibProver) slip(ctx context.Context, b []byte) (undo source.Splice, last int64, ok bool) {
	for n := 1; n <= maxSlip; n++ {
		for at := 0; at+n <= len(b) && ctx.Err() == nil; at++ {
			if at > 0 && b[at-1] == b[at-1+n] || !p.proves(cutOut(b, at, n)) {
				continue
			}
			end := at + n
			for end < len(b) && b[end] == b[end-n] {
				end++
			}
			return takeOut(span.Span{Offset: int64(at), Length: int64(n)}), int64(end), true
		}
	}
	whole := make([]byte, len(b)+1)
	for at := 0; at <= len(b) && p.left > 0 && ctx.Err() == nil; at++ {
		copy(whole, b[:at])
		copy(whole[at+1:], b[at:])
		for c := range 256 {
			if at > 0 && byte(c) == b[at-1] {
				continue
			}
			if whole[at] = byte(c); p.proves(whole) {
				return source.Put(int64(at), 0, []byte{byte(c)}), int64(at), true
			}
		}
	}
	return undo, 0, false
}

// isSlippedZlib reports whether bytes are a zlib stream that has a byte too many in
// its header, or has lost one there.
func isSlippedZlib(b []byte) bool {
	const usual = 0x78 // deflate, with the largest window
	if len(b) < zlibHeader+4 || len(b) > slipStream {
		return false
	}
	tries := [][]byte{b[1:], cutOut(b, 1, 1), append([]byte{usual}, b...)}
	for _, flags := range []byte{0x01, 0x5e, 0x9c, 0xda} {
		if b[0] == usual {
			tries = append(tries, append([]byte{usual, flags}, b[1:]...))
		}
	}
	for _, try := range tries {
		if isZlib(try[0], try[1]) && newZlibProver().proves(try) {
			return true
		}
	}
	return false
}
