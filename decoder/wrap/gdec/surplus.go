package gdec

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"encoding/binary"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

const (
	surplusFile = 4 << 20  // most bytes of a GDEC in which a surplus is searched for
	surplusWork = 64 << 20 // bytes that may be decrypted and hashed for it
)

// FindShift implements layer.ShiftFinder. With surplus bytes the cipher text does not
// consist of whole cipher blocks.
func (kind) FindShift(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) (*layer.Shift, error) {
	if l.Checksum() == layer.Matches && !hasEarlierSurplus(l) || l.Region.Length > surplusFile {
		return nil, nil
	}
	if f, ok := l.Reading.(*reading); ok && f.magic == Magic && f.header.fits(l.Region) {
		return nil, nil
	}
	all := make([]byte, l.Region.Length)
	if err := layer.ReadAt(src, all, l.Region.Offset); err != nil {
		return nil, err
	}
	x := &surplusSearch{src: src, region: l.Region, all: all, left: surplusWork, sums: map[plainKey][cipherSize]byte{}}
	if key := keyOf(&o); key != nil {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		x.block = block
	}
	for _, generation := range []int{3, 4} {
		x.generation, x.start = generation, header3Size
		if generation == 4 {
			x.start = header4Size
		}
		for n := 1; n <= layer.MaxShift; n++ {
			if len(all) >= x.start+n && (len(all)-x.start-n)%cipherSize == 0 {
				x.inHeader(n)
				x.inText(n)
			}
			if err := ctx.Err(); err != nil || x.found != nil {
				return x.found, err
			}
		}
	}
	surplus := x.likeliest()
	if f, ok := l.Reading.(*reading); ok && surplus == nil && x.ended {
		head := &f.Parts[0]
		head.Problems = append(head.Problems, part.Unsearched(head.Span, "taking bytes out of the cipher text was"))
	}
	return surplus, nil
}

// hasEarlierSurplus reports whether the bytes after the end of a GDEC may belong to it,
// with surplus bytes before them: its padding is not zero.
func hasEarlierSurplus(l *layer.Layer) bool {
	p, ok := l.Payload.(*payload)
	return ok && p.header.end < l.Region.End() && p.judgePadding() == layer.Differs
}

// surplusSearch finds surplus bytes in a GDEC.
type surplusSearch struct {
	src        source.Source
	region     span.Span
	all        []byte // of the region
	block      cipher.Block
	generation int
	start      int  // of the cipher text, without a surplus
	left       int  // bytes that may still be decrypted
	ended      bool // there were more to decrypt

	sums    map[plainKey][cipherSize]byte
	found   *layer.Shift // a surplus that the MD5 proves
	guesses []guess
}

// plainKey identifies plain bytes, except for their cipher text.
type plainKey struct {
	generation, surplus, size int
	iv                        [cipherSize]byte
}

// A guess is a surplus without which the sizes fit, if nothing else is known.
type guess struct {
	bytes span.Span
	head  string // the header without it
}

// sizeAt returns where the plain size is in the header, 8 bytes.
func (x *surplusSearch) sizeAt() int {
	if x.generation == 3 {
		return 24
	}
	return 20
}

// hashAt returns where the MD5 is.
func (x *surplusSearch) hashAt() int { return x.sizeAt() - cipherSize }

// size returns the plain size in a header.
func (x *surplusSearch) size(head []byte) uint64 {
	return binary.LittleEndian.Uint64(head[x.sizeAt():])
}

// hasMagic reports whether a header begins with the magic of its generation.
func (x *surplusSearch) hasMagic(head []byte) bool {
	return string(head[:4]) == Magic && (x.generation == 4 || binary.LittleEndian.Uint32(head[4:]) == 1)
}

// fits reports whether a header fits a cipher text of some length.
func (x *surplusSearch) fits(head []byte, packed int) bool {
	return x.hasMagic(head) && x.size(head) <= uint64(packed) && padded(int64(x.size(head))) == int64(packed)
}

// proves reports whether the MD5 in a header is that of the plain bytes of a cipher text
// which begins after n surplus bytes.
func (x *surplusSearch) proves(head, packed []byte, n int) bool {
	what := plainKey{generation: x.generation, surplus: n, size: int(x.size(head))}
	if x.generation == 4 {
		what.iv = [cipherSize]byte(head[28:])
	}
	sum, known := x.sums[what]
	if !known {
		plain := x.plain(head, packed)
		if plain == nil {
			return false
		}
		sum = md5.Sum(plain[:what.size])
		x.sums[what] = sum
	}
	return sum == [cipherSize]byte(head[x.hashAt():])
}

// plain decrypts a cipher text, with its padding; nil if there is no key, or it would take
// too long.
func (x *surplusSearch) plain(head, packed []byte) []byte {
	if x.block == nil {
		return nil
	}
	if x.left < len(packed) {
		x.ended = true
		return nil
	}
	x.left -= len(packed)
	plain := make([]byte, len(packed))
	if x.generation == 4 {
		(&decrypter{block: x.block}).cfb(plain, append(bytes.Clone(head[28:header4Size]), packed...), 0)
		return plain
	}
	for i := 0; i < len(plain); i += cipherSize {
		x.block.Decrypt(plain[i:], packed[i:])
	}
	return plain
}

// inHeader tries deleting n bytes at each place of the header after the magic.
func (x *surplusSearch) inHeader(n int) {
	packed := x.all[x.start+n:]
	for at := len(Magic); at < x.start; at++ {
		head := layer.CutOut(x.all[:x.start+n], at, n)
		if !x.fits(head, len(packed)) {
			continue
		}
		bytes := span.Span{Offset: x.region.Offset + int64(at), Length: int64(n)}
		x.guesses = append(x.guesses, guess{bytes, string(head)})
		if x.found == nil && x.proves(head, packed, n) {
			x.keep(bytes, x.place(at))
		}
	}
}

// inText tries deleting n bytes at each place of the cipher text.
func (x *surplusSearch) inText(n int) {
	head := x.all[:x.start]
	if x.found != nil || x.block == nil || !x.fits(head, len(x.all)-x.start-n) {
		return
	}
	size := x.size(head)
	packed := bytes.Clone(x.all[x.start+n:]) // without the n bytes at the current place
	for at := x.start; at < len(x.all)-n; at++ {
		if at > x.start {
			packed[at-1-x.start] = x.all[at-1]
			if x.all[at-1] == x.all[at-1+n] {
				continue // the same as one byte earlier
			}
		}
		plain := x.plain(head, packed)
		if plain == nil {
			return
		}
		if layer.IsZero(plain[size:]) && md5.Sum(plain[:size]) == [cipherSize]byte(head[x.hashAt():]) {
			x.keep(span.Span{Offset: x.region.Offset + int64(at), Length: int64(n)}, "the cipher text")
			return
		}
	}
}

// keep records the surplus that the MD5 proves.
func (x *surplusSearch) keep(bytes span.Span, place string) {
	where, n := bytes, int(bytes.Length)
	for at := int(bytes.Offset - x.region.Offset); at+n < len(x.all) && x.all[at] == x.all[at+n]; at++ {
		where.Length++
	}
	x.found = layer.NewSurplus(x.src, x.region, bytes, where, place+": with the MD5 of the plain bytes it fits", corrupt)
}

// place names what is at an offset of the header.
func (x *surplusSearch) place(at int) string {
	switch {
	case at < x.hashAt():
		return "the mode"
	case at < x.sizeAt():
		return "the MD5"
	case at < x.sizeAt()+8:
		return "the plain size"
	}
	return "the start value"
}

// isPlausible reports whether the header is plausible as it is, so that a file whose size
// does not fit is cut off, or has bytes after its end.
func (x *surplusSearch) isPlausible(generation int) bool {
	x.generation = generation
	return len(x.all) >= x.sizeAt()+8 && x.hasMagic(x.all) && x.size(x.all) < mostPlain
}

// likeliest returns the surplus according to the sizes alone. If several are possible, it
// reports what they have in common, without a repair.
func (x *surplusSearch) likeliest() *layer.Shift {
	if len(x.guesses) == 0 || x.isPlausible(3) || x.isPlausible(4) {
		return nil
	}
	first := x.guesses[0]
	where, certain := first.bytes, true
	for _, g := range x.guesses[1:] {
		if g.bytes.Length == first.bytes.Length {
			where = span.Between(where.Offset, max(where.End(), g.bytes.End()))
			certain = certain && g.head == first.head
		}
	}
	at := int(first.bytes.Offset - x.region.Offset)
	s := layer.NewSurplus(x.src, x.region, first.bytes, where, x.place(at)+": without that the sizes fit", corrupt)
	if !certain {
		s.Repair = ""
	}
	return s
}
