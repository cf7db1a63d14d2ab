// Package deflate packs streams (RFC 1950 to 1952), short ones as small as zlib does.
package deflate

import (
	"bytes"
	"cmp"
	stdflate "compress/flate"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/flate"
)

const (
	short     = 64 << 10 // size in bytes up to which content is packed in several ways, of which the smallest counts
	veryShort = 1 << 10  // up to which that can be the fixed code
)

// NewWriter returns a writer that packs at a level of package flate.
func NewWriter(out io.Writer, level int) io.WriteCloser {
	return &writer{out: out, short: short, open: func() (*flate.Writer, error) { return flate.NewWriter(out, level) }}
}

// NewZlib returns a writer of a zlib stream, with the header and at the level and in the window of another one (RFC 1950, 2.2).
func NewZlib(out io.Writer, head [2]byte) io.WriteCloser {
	level := [...]int{1, 3, flate.DefaultCompression, flate.BestCompression}[head[1]>>6]
	w := NewWriter(out, level).(*writer)
	if window := 1 << (head[0]>>4 + 8); window < 1<<15 {
		w.short, w.open = min(short, window), func() (*flate.Writer, error) { return flate.NewWriterWindow(out, window) }
	}
	_, err := out.Write(head[:])
	sum := adler32.New()
	return &summed{w, sum, func() []byte { return sum.Sum(nil) }, err}
}

// NewGzip returns a writer of a member of a gzip file with a header (RFC 1952), at a level of package flate.
func NewGzip(out io.Writer, head []byte, level int) io.WriteCloser {
	_, err := out.Write(head)
	sum, size := crc32.NewIEEE(), new(counter)
	return &summed{NewWriter(out, level).(*writer), io.MultiWriter(sum, size), func() []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, sum.Sum32()), uint32(*size))
	}, err}
}

// A counter counts the bytes written to it.
type counter uint32

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// A summed stream ends with a checksum.
type summed struct {
	*writer
	sum io.Writer
	end func() []byte
	err error // of writing the header
}

// Write implements io.Writer.
func (z *summed) Write(p []byte) (int, error) {
	if z.err != nil {
		return 0, z.err
	}
	z.sum.Write(p)
	return z.writer.Write(p)
}

// Close implements io.Closer. It adds the checksum.
func (z *summed) Close() error {
	err := cmp.Or(z.err, z.writer.Close())
	if err == nil {
		_, err = z.out.Write(z.end())
	}
	return err
}

type writer struct {
	out   io.Writer
	open  func() (*flate.Writer, error)
	short int           // size in bytes up to which content is short
	held  []byte        // the content, while it is short
	long  *flate.Writer // nil while it is short
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	if w.long == nil && len(w.held)+len(p) <= w.short {
		w.held = append(w.held, p...)
		return len(p), nil
	}
	if w.long == nil {
		var err error
		if w.long, err = w.open(); err == nil {
			_, err = w.long.Write(w.held)
		}
		if err != nil {
			return 0, err
		}
	}
	return w.long.Write(p)
}

// Close implements io.Closer.
func (w *writer) Close() error {
	if w.long != nil {
		return w.long.Close()
	}
	_, err := w.out.Write(smallest(w.held))
	return err
}

// smallest packs short content in several ways, and returns the smallest result.
func smallest(plain []byte) []byte {
	var packed [3]bytes.Buffer
	usual, _ := stdflate.NewWriter(&packed[0], stdflate.DefaultCompression)
	best, _ := stdflate.NewWriter(&packed[1], stdflate.BestCompression)
	other, _ := flate.NewWriter(&packed[2], flate.BestCompression)
	var all [][]byte
	for i, w := range []io.WriteCloser{usual, best, other} {
		w.Write(plain)
		w.Close()
		all = append(all, ended(packed[i].Bytes(), len(plain)))
	}
	if len(plain) <= veryShort {
		all = append(all, fixed(plain))
	}
	return slices.MinFunc(all, func(a, b []byte) int { return len(a) - len(b) })
}

// ended drops the empty block with which the libraries end a stream, if there is only one block before it.
func ended(packed []byte, size int) []byte {
	last := bytes.Clone(packed)
	last[0] |= 1
	in := bytes.NewReader(last)
	if n, err := io.Copy(io.Discard, stdflate.NewReader(in)); err != nil || n != int64(size) {
		return packed
	}
	return last[:len(last)-in.Len()]
}

// Lengths of matches (RFC 1951, 3.2.5).
const shortest, longest = 3, 258

// fixed packs content as one block of the fixed code, with the best matches.
func fixed(plain []byte) []byte {
	all := tokens(plain)
	var out bitWriter
	out.add(0b011, 3) // the last block, of the fixed code
	for i := 0; i < len(plain); i += all[i].length {
		t := &all[i]
		if t.length == 1 {
			out.add(code(int(plain[i])))
			continue
		}
		symbol, extra := lengthCode(t.length)
		out.add(code(symbol))
		out.add(t.length-shortest, extra)
		symbol, extra = split(t.distance-1, 2)
		out.add(int(bits.Reverse8(uint8(symbol))>>3), 5)
		out.add(t.distance-1, extra)
	}
	out.add(code(256)) // the end
	return out.bytes
}

// A token is a byte, of length 1, or a match with bytes at a distance before it.
type token struct {
	length, distance int
	bits             int // that it and all behind it take
}

// tokens returns the token with which each byte of content would best be packed in the fixed code, and an empty one for its
// end.
func tokens(plain []byte) []token {
	n := len(plain)
	all := make([]token, n+1)
	for i := n - 1; i >= 0; i-- {
		_, width := code(int(plain[i]))
		all[i] = token{length: 1, bits: all[i+1].bits + width}
		known, most := shortest-1, min(longest, n-i)
		for at := i - 1; at >= 0 && known < most; at-- { // a nearer match never takes more bits
			same := 0
			for same < most && plain[at+same] == plain[i+same] {
				same++
			}
			for length := known + 1; length <= same; length++ {
				if t := (token{length, i - at, matchBits(length, i-at) + all[i+length].bits}); t.bits < all[i].bits {
					all[i] = t
				}
			}
			known = max(known, same)
		}
	}
	return all
}

// matchBits returns how many bits a match takes.
func matchBits(length, distance int) int {
	symbol, extra := lengthCode(length)
	_, width := code(symbol)
	_, far := split(distance-1, 2)
	return width + extra + 5 + far
}

// lengthCode returns the symbol of a length and the number of its extra bits (RFC 1951, 3.2.5).
func lengthCode(length int) (symbol, extra int) {
	if length == longest {
		return 285, 0
	}
	symbol, extra = split(length-shortest, 3)
	return 257 + symbol, extra
}

// split returns the number of the interval in which a value lies and its extra bits, if the intervals double each time
// after the first two with the same size.
func split(x, kept int) (symbol, extra int) {
	extra = max(0, bits.Len(uint(x))-kept)
	return extra<<(kept-1) + x>>extra, extra
}

// code returns the fixed code of a symbol, first bit lowest (RFC 1951, 3.2.6).
func code(symbol int) (c, width int) {
	switch {
	case symbol < 144:
		c, width = symbol+0x30, 8
	case symbol < 256:
		c, width = symbol-144+0x190, 9
	case symbol < 280:
		c, width = symbol-256, 7
	default:
		c, width = symbol-280+0xc0, 8
	}
	return int(bits.Reverse16(uint16(c)) >> (16 - width)), width
}

// A bitWriter collects bits, first bit lowest.
type bitWriter struct {
	bytes []byte
	used  int // number of bits
}

// add adds the lowest bits of x.
func (w *bitWriter) add(x, width int) {
	for i := range width {
		if w.used%8 == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[w.used/8] |= byte(x>>i&1) << (w.used % 8)
		w.used++
	}
}
