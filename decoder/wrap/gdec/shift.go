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
	shiftFile = 4 << 20  // most bytes of a GDEC in which a shift is searched for
	shiftWork = 64 << 20 // bytes that may be decrypted and hashed for it
)

// FindShift implements layer.ShiftFinder. With a shift the cipher text does not consist of
// whole cipher blocks.
func (kind) FindShift(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) (*layer.Shift, error) {
	if l.Checksum() == layer.Matches && !hasEarlierSurplus(l) || l.Region.Length > shiftFile {
		return nil, nil
	}
	if f, ok := l.Reading.(*reading); ok && f.magic == Magic && f.header.fits(l.Region) {
		return nil, nil
	}
	all := make([]byte, l.Region.Length)
	if err := layer.ReadAt(src, all, l.Region.Offset); err != nil {
		return nil, err
	}
	x := &shiftSearch{src: src, region: l.Region, all: all, left: shiftWork, sums: map[plainKey][cipherSize]byte{}}
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
			if len(all) >= x.start && (len(all)-x.start+n)%cipherSize == 0 {
				x.lost(n)
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

// shiftSearch finds bytes lost or too many in a GDEC.
type shiftSearch struct {
	src        source.Source
	region     span.Span
	all        []byte // of the region
	block      cipher.Block
	generation int
	start      int  // of the cipher text, without a shift
	left       int  // bytes that may still be decrypted
	ended      bool // there were more to decrypt

	sums    map[plainKey][cipherSize]byte
	found   *layer.Shift // one that the MD5 proves
	guesses []guess
}

// plainKey identifies plain bytes, except for their cipher text.
type plainKey struct {
	generation, shift, size int
	iv                      [cipherSize]byte
}

// A guess is a shift without which the sizes fit, if nothing else is known.
type guess struct {
	shift *layer.Shift
	head  string // the header without it
}

// sizeAt returns where the plain size is in the header, 8 bytes.
func (x *shiftSearch) sizeAt() int {
	if x.generation == 3 {
		return 24
	}
	return 20
}

// hashAt returns where the MD5 is.
func (x *shiftSearch) hashAt() int { return x.sizeAt() - cipherSize }

// size returns the plain size in a header.
func (x *shiftSearch) size(head []byte) uint64 {
	return binary.LittleEndian.Uint64(head[x.sizeAt():])
}

// hasMagic reports whether a header begins with the magic of its generation.
func (x *shiftSearch) hasMagic(head []byte) bool {
	return string(head[:4]) == Magic && (x.generation == 4 || binary.LittleEndian.Uint32(head[4:]) == 1)
}

// fits reports whether a header fits a cipher text of some length.
func (x *shiftSearch) fits(head []byte, packed int) bool {
	return x.hasMagic(head) && x.size(head) <= uint64(packed) && padded(int64(x.size(head))) == int64(packed)
}

// proves reports whether the MD5 in a header is that of the plain bytes of a cipher text
// which begins n bytes too late.
func (x *shiftSearch) proves(head, packed []byte, n int) bool {
	sum, ok := x.sum(head, packed, n)
	return ok && sum == [cipherSize]byte(head[x.hashAt():])
}

// sum returns the MD5 of the plain bytes; ok is false if they are not known.
func (x *shiftSearch) sum(head, packed []byte, n int) (sum [cipherSize]byte, ok bool) {
	what := plainKey{generation: x.generation, shift: n, size: int(x.size(head))}
	if x.generation == 4 {
		what.iv = [cipherSize]byte(head[28:])
	}
	sum, ok = x.sums[what]
	if !ok {
		plain := x.plain(head, packed)
		if plain == nil {
			return sum, false
		}
		sum = md5.Sum(plain[:what.size])
		x.sums[what] = sum
	}
	return sum, true
}

// plain decrypts a cipher text, with its padding; nil if there is no key, or it would take
// too long.
func (x *shiftSearch) plain(head, packed []byte) []byte {
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

// inHeader tries deleting n bytes at each place of the header.
func (x *shiftSearch) inHeader(n int) {
	packed := x.all[x.start+n:]
	for at := range x.start {
		head := layer.CutOut(x.all[:x.start+n], at, n)
		if !x.fits(head, len(packed)) {
			continue
		}
		bytes := span.Span{Offset: x.region.Offset + int64(at), Length: int64(n)}
		x.guesses = append(x.guesses, guess{layer.NewSurplus(x.src, x.region, bytes, bytes, x.place(at)+": without that the sizes fit", corrupt), string(head)})
		if x.found == nil && x.proves(head, packed, n) {
			x.keep(bytes, x.place(at))
		}
	}
}

// inText tries deleting n bytes at each place of the cipher text.
func (x *shiftSearch) inText(n int) {
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
func (x *shiftSearch) keep(bytes span.Span, place string) {
	where, n := bytes, int(bytes.Length)
	for at := int(bytes.Offset - x.region.Offset); at+n < len(x.all) && x.all[at] == x.all[at+n]; at++ {
		where.Length++
	}
	x.found = layer.NewSurplus(x.src, x.region, bytes, where, place+": with the MD5 of the plain bytes it fits", corrupt)
}

// place names what is at an offset of the header.
func (x *shiftSearch) place(at int) string {
	switch {
	case at < len(Magic):
		return "the magic"
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
func (x *shiftSearch) isPlausible(generation int) bool {
	x.generation = generation
	return len(x.all) >= x.sizeAt()+8 && x.hasMagic(x.all) && x.size(x.all) < mostPlain
}

// likeliest returns the shift according to the sizes alone. If several are possible, it
// reports what they have in common, without a repair.
func (x *shiftSearch) likeliest() *layer.Shift {
	if len(x.guesses) == 0 || x.isPlausible(3) || x.isPlausible(4) {
		return nil
	}
	first := x.guesses[0]
	s, certain := first.shift, true
	for _, g := range x.guesses[1:] {
		if g.shift.Region == s.Region {
			s.Span = span.Between(s.Offset, max(s.End(), g.shift.End()))
			certain = certain && g.head == first.head
		}
	}
	if !certain {
		s.Repair = ""
	}
	return s
}
