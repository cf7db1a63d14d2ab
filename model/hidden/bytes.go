// Package hidden decodes content that bytes and texts hold in another form, as games store it: packed
// streams, wrappers, digits.
package hidden

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/wrap/fastlz"
)

// A Content is what bytes or a text hold in another form.
type Content struct {
	How   string // "gzip", "base64"
	Bytes []byte
	Err   error // why this is not all of it; nil if it is
}

// errTooMuch is the error of a stream with more content than is allowed.
var errTooMuch = errors.New("more is packed in it than varview looks into")

// surelyPacked is the number of unpacked bytes from which a stream is believed: fewer can come from
// random bytes.
const surelyPacked = 64

// attempt is the cost of starting to unpack a stream, in bytes read.
const attempt = 8 << 10

// packedAt returns a reader of what the stream holds that begins b, and how it is packed; how is "" if none begins there.
func packedAt(b []byte) (r io.Reader, how string, err error) {
	switch {
	case bytes.HasPrefix(b, []byte("\x1f\x8b\x08")):
		r, err = gzip.NewReader(bytes.NewReader(b))
		return r, "gzip", err
	case bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")):
		d, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err != nil {
			return nil, "Zstandard", err
		}
		return d.IOReadCloser(), "Zstandard", nil
	case source.IsZlib(b):
		r, err = zlib.NewReader(bytes.NewReader(b))
		return r, "zlib", err
	}
	return nil, "", nil
}

// Packed calls each with the content of streams that begin anywhere in b. spend takes a number of bytes
// that are read, and returns how many a stream may hold; 0 ends the search.
func Packed(b []byte, spend func(int) int64, each func(Content)) {
	for at := 0; at+8 <= len(b); at++ {
		r, how, err := packedAt(b[at:])
		if how == "" {
			continue
		}
		most := spend(attempt)
		if most <= 0 {
			return
		}
		if err != nil {
			continue
		}
		c := unpack(r, most)
		if z, ok := r.(io.Closer); ok {
			z.Close()
		}
		if len(c.Bytes) > 0 && (c.Err == nil || len(c.Bytes) >= surelyPacked) {
			c.How = how
			if isSurplus(c.Err) {
				c.Err = nil
			}
			each(c)
		}
	}
	for _, at := range []int{0, 4, 8} { // such streams have no signature, but may follow their size
		if at+8 <= len(b) {
			unsigned(b[at:], spend(attempt), each)
		}
	}
}

// archives lists, by their first bytes, what is not looked into.
var archives = []struct{ magic, what string }{
	{"PK\x03\x04", "a ZIP archive"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"Rar!\x1a\x07", "a RAR archive"},
	{"\xfd7zXZ\x00", "an xz archive"},
	{"BZh", "a bzip2 archive"},
	{"\x04\x22\x4d\x18", "an LZ4 archive"},
	{"GDPC", "a Godot pack"},
	{"GDSC", "a compiled GDScript"},
}

// Archive returns the kind of archive or program that b is and that is not looked into; "" if it is none.
func Archive(b []byte) string {
	for _, a := range archives {
		if bytes.HasPrefix(b, []byte(a.magic)) {
			return a.what
		}
	}
	if n := len(b); n > 4 && b[0] == 0x80 && 2 <= b[1] && b[1] <= 5 && b[n-1] == '.' {
		return "a Python pickle"
	}
	return ""
}

// isSurplus reports whether the error of a stream is only about what follows it.
func isSurplus(err error) bool {
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, zstd.ErrMagicMismatch)
}

// unsigned calls each with the content of streams without a signature. These only count if they are
// complete.
func unsigned(b []byte, most int64, each func(Content)) {
	room := min(int64(len(b))*64+1024, most)
	if room <= 0 {
		return
	}
	if b[0]>>5 <= 1 {
		if plain, err := fastlz.Unpack(make([]byte, 0, room), b); err == nil {
			each(Content{"FastLZ", plain, nil})
		}
	}
	whole := func(how string, r io.Reader) {
		if c := unpack(r, most); c.Err == nil && len(c.Bytes) > 0 {
			c.How = how
			each(c)
		}
	}
	if mayBeDeflate(b) {
		inflater := inflaters.Get().(io.Reader)
		defer inflaters.Put(inflater)
		inflater.(flate.Resetter).Reset(bytes.NewReader(b), nil)
		whole("deflate", inflater)
	}
	if mayBeBrotli(b) {
		r := brotlis.Get().(*brotli.Reader)
		defer brotlis.Put(r)
		r.Reset(bytes.NewReader(b))
		whole("Brotli", r)
	}
}

// The readers are kept, because making one costs more than finding that most bytes are not a stream.
var (
	inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}
	brotlis   = sync.Pool{New: func() any { return brotli.NewReader(nil) }}
)

// mayBeDeflate reports whether the head of the first block in b is valid (RFC 1951, section 3.2).
func mayBeDeflate(b []byte) bool {
	const stored, fixed, dynamic = 0, 1, 2
	if len(b) < 5 {
		return false
	}
	switch b[0] >> 1 & 3 {
	case stored:
		return binary.LittleEndian.Uint16(b[1:]) == ^binary.LittleEndian.Uint16(b[3:])
	case dynamic:
		return b[0]>>3 <= 29 && b[1]&31 <= 29 // numbers of codes
	case fixed:
		return true
	}
	return false
}

// mayBeBrotli reports whether the first block in b has no error visible before a window of megabytes is
// allocated for it (RFC 7932, section 9).
func mayBeBrotli(b []byte) bool {
	const head = 8
	if len(b) < head {
		return false
	}
	bits := binary.LittleEndian.Uint64(b)
	take := func(n int) (v int) {
		v = int(bits & (1<<n - 1))
		bits >>= n
		return v
	}
	if take(1) == 1 && take(3) == 0 && take(3) == 1 { // window sizes; the last is invalid
		return false
	}
	isLast := take(1) == 1
	if isLast && take(1) == 1 {
		return false // it is empty
	}
	nibbles := take(2)
	if nibbles == 3 { // metadata
		return !isLast
	}
	length := take(4*(4+nibbles)) + 1
	isStored := !isLast && take(1) == 1
	return !isStored || length <= len(b)
}

func unpack(r io.Reader, most int64) (c Content) {
	var plain bytes.Buffer
	n, err := io.Copy(&plain, io.LimitReader(r, most+1))
	if err == nil && n > most {
		err = errTooMuch
		plain.Truncate(int(most))
	}
	return Content{Bytes: plain.Bytes(), Err: err}
}
