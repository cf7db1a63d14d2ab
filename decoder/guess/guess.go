// Package guess says what the bytes of unknown files may be: where values that are known stand, and what else there
// is. It knows no format. What it finds is ranked by how improbable it would be by chance.
package guess

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"varview/decoder/engine/source"
)

// A Buffer is the bytes of a file, or what is unpacked from some of them.
type Buffer struct {
	Name string // "" for the file; "zlib at 0x12"
	Data []byte

	number     int    // in the file; those of the same number are compared
	apart      []part // what is in no stream that has a checksum
	kind       string // of a stream
	at, length int    // where it is in the file

	odds *odds
}

// A File is a file with all that can be unpacked from it.
type File []Buffer

// maxUnpacked bounds what is unpacked from one file, in bytes, and maxStreams the number of streams.
const (
	maxUnpacked = 64 << 20
	maxStreams  = 64
)

// Open returns a file with the streams in it; more are buffers that were unpacked in another way.
func Open(data []byte, more ...Buffer) File {
	f := File{{Data: data}}
	left := maxUnpacked
	for at := 0; at+8 < len(data) && len(f) < maxStreams; at++ {
		kind := streamAt(data, at)
		if kind == "" {
			continue
		}
		in := bytes.NewReader(data[at:])
		plain := unpack(in, kind, left)
		size := len(data) - at - in.Len()
		if plain == nil || isFixed(data[at:]) && kind == "deflate" && !isSized(data, at, size, len(plain)) {
			continue
		}
		left -= len(plain)
		f = append(f, Buffer{Name: fmt.Sprintf("%s at %#x", kind, at), Data: plain, kind: kind, at: at, length: size})
		at += size - 1
	}
	for _, b := range more {
		if !slices.ContainsFunc(f, func(x Buffer) bool { return bytes.Equal(x.Data, b.Data) }) {
			f = append(f, b)
		}
	}
	for i := range f {
		b := &f[i]
		b.number, b.apart = i, []part{{to: len(b.Data)}}
		if b.kind == "zlib" || b.kind == "gzip" {
			f[0].apart[len(f[0].apart)-1].to = b.at
			f[0].apart = append(f[0].apart, part{from: b.at + b.length, to: len(data)})
		}
	}
	return f
}

// openers open what is packed in some ways.
var openers = map[string]func(io.Reader) (io.Reader, error){
	"zlib":    func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
	"deflate": func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil },
	"gzip": func(r io.Reader) (io.Reader, error) {
		z, err := gzip.NewReader(r)
		if err == nil {
			z.Multistream(false)
		}
		return z, err
	},
}

// rawStreams is the number of bytes in which a stream without a header may begin, leastRaw the bytes that it has.
const (
	rawStreams = 64
	leastRaw   = 24
	trailer    = 16 // bytes that may follow it
)

// streamAt returns how what may begin at an offset is packed; "" if nothing does.
func streamAt(data []byte, at int) (kind string) {
	switch b := data[at:]; {
	case b[0] == 0x1f && b[1] == 0x8b && b[2] == 8:
		return "gzip"
	case source.IsZlib(b):
		return "zlib"
	case at <= rawStreams && len(b) >= leastRaw && (b[0]>>1&3 == 2 || isFixed(b)):
		return "deflate"
	}
	return ""
}

// isFixed reports whether a stream without a header would begin with the fixed codes, as one of few bytes does. Many bytes may be one.
func isFixed(b []byte) bool { return b[0]>>1&3 == 1 }

// isSized reports whether a number of 2 bytes directly before an offset, or of more anywhere before it, is one of some sizes.
func isSized(data []byte, at int, sizes ...int) bool {
	return slices.ContainsFunc(wholes[1:], func(form string) bool {
		from := at - sizeOf(form)
		for ; from >= 0; from-- {
			if slices.Contains(sizes, int(bitsOf(data[from:from+sizeOf(form)], form))) {
				return true
			}
			if sizeOf(form) == 2 {
				return false
			}
		}
		return false
	})
}

// unpack returns what is unpacked from a stream that is whole; nil if none is there. A stream without a check must go
// on to nearly the end, so that it is one.
func unpack(in *bytes.Reader, kind string, most int) []byte {
	r, err := openers[kind](in)
	if err != nil {
		return nil
	}
	plain, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil || len(plain) < 8 || len(plain) > most || kind == "deflate" && in.Len() > trailer {
		return nil
	}
	return plain
}

// Named returns the buffer with a name; nil if there is none.
func (f File) Named(name string) *Buffer {
	if i := slices.IndexFunc(f, func(b Buffer) bool { return b.Name == name }); i >= 0 {
		return &f[i]
	}
	return nil
}

// id returns the name of a stream in a description: zlib, zlib_2.
func (b *Buffer) id() string { return strings.TrimSuffix(fmt.Sprint(b.kind, "_", b.number), "_1") }

// like returns the buffer of the file that is compared with one of another file; nil if there is none.
func (f File) like(b *Buffer) *Buffer {
	if b.number < len(f) && f[b.number].kind == b.kind {
		return &f[b.number]
	}
	return nil
}

// IsStream reports whether the buffer was unpacked from a stream in the file.
func (b *Buffer) IsStream() bool { return b.length > 0 }

// odds are how often a byte follows a zero byte, or another one, as the natural logarithm of its share.
type odds [2][256]float64

// Of the bytes of any save some shares are expected before one sees them, as if there had been so many others.
const (
	expectedBytes = 32.0
	zeroShare     = 0.3
	otherShare    = (1 - zeroShare) / 255
)

// oddsOf returns the odds of a buffer.
func (b *Buffer) oddsOf() *odds {
	if b.odds != nil {
		return b.odds
	}
	var n [2][256]int
	var all [2]int
	after := 1
	for _, c := range b.Data {
		n[after][c]++
		all[after]++
		after = kindOf(c)
	}
	b.odds = &odds{}
	for i := range n {
		for c, x := range n[i] {
			expected := otherShare
			if c == 0 {
				expected = zeroShare
			}
			b.odds[i][c] = math.Log((float64(x) + expected*expectedBytes) / (float64(all[i]) + expectedBytes))
		}
	}
	return b.odds
}

// chance returns the logarithm of the probability that bytes stand at an offset of the buffer by chance.
func (b *Buffer) chance(at int, data []byte) (p float64) {
	o := b.oddsOf()
	after := 1
	if at > 0 {
		after = kindOf(b.Data[at-1])
	}
	for _, c := range data {
		p += o[after][c]
		after = kindOf(c)
	}
	return p
}

// kindOf tells zero bytes, 0, from others.
func kindOf(c byte) int { return int(min(c, 1)) }
