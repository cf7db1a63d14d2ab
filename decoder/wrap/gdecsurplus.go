package wrap

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"encoding/binary"

	"varview/decoder/source"
	"varview/decoder/span"
)

const (
	surplusFile = 4 << 20  // most bytes of a GDEC in which a surplus is looked for
	surplusWork = 64 << 20 // bytes that may be decrypted and put through MD5 for it
)

// surplusOfGDEC looks for bytes too many in a GDEC: then its cipher text is not of
// whole cipher blocks.
func (l *Layer) surplusOfGDEC(ctx context.Context, src source.Source, o Options) (*surplus, error) {
	if l.Checksum() == Matches && !l.hasEarlierSurplus() || l.Region.Length > surplusFile {
		return nil, nil
	}
	if l.GDEC != nil && l.magic == gdecMagic && l.GDEC.fits(l.Region) {
		return nil, nil
	}
	all := make([]byte, l.Region.Length)
	if err := readAt(src, all, l.Region.Offset); err != nil {
		return nil, err
	}
	x := &gdecSurplus{src: src, region: l.Region, all: all, left: surplusWork, sums: map[gdecPlain][cipherSize]byte{}}
	if key := o.key(); key != nil {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		x.block = block
	}
	for _, generation := range []int{3, 4} {
		x.generation, x.start = generation, gdec3Header
		if generation == 4 {
			x.start = gdec4Header
		}
		for n := 1; n <= maxSurplus; n++ {
			if len(all) >= x.start+n && (len(all)-x.start-n)%cipherSize == 0 {
				x.inHeader(n)
				x.inText(n)
			}
			if err := ctx.Err(); err != nil || x.found != nil {
				return x.found, err
			}
		}
	}
	return x.guess(), nil
}

// hasEarlierSurplus reports whether the bytes that follow the end of a GDEC may belong
// into it, with others too many before them: its padding is not zero.
func (l *Layer) hasEarlierSurplus() bool {
	p, ok := l.Payload.(*gdecPayload)
	return ok && p.header.end < l.Region.End() && p.padding() == paddingWrong
}

// gdecSurplus looks for bytes too many in a GDEC.
type gdecSurplus struct {
	src        source.Source
	region     span.Span
	all        []byte // of the region
	block      cipher.Block
	generation int
	start      int // of the cipher text, without a surplus
	left       int // bytes that may still be decrypted

	sums    map[gdecPlain][cipherSize]byte
	found   *surplus // that the MD5 proves
	guesses []gdecGuess
}

// gdecPlain is what the plain bytes depend on, but for the cipher text.
type gdecPlain struct {
	generation, surplus, size int
	iv                        [cipherSize]byte
}

// A gdecGuess is a surplus without which the sizes fit, where nothing else is known.
type gdecGuess struct {
	bytes span.Span
	head  string // what the header is without it
}

// sizeAt is where the plain size is in the header, 8 bytes.
func (x *gdecSurplus) sizeAt() int {
	if x.generation == 3 {
		return 24
	}
	return 20
}

// hashAt is where the MD5 is.
func (x *gdecSurplus) hashAt() int { return x.sizeAt() - cipherSize }

// size is the plain size that a header says.
func (x *gdecSurplus) size(head []byte) uint64 {
	return binary.LittleEndian.Uint64(head[x.sizeAt():])
}

// hasMagic reports whether a header begins as those of its generation do.
func (x *gdecSurplus) hasMagic(head []byte) bool {
	return string(head[:4]) == gdecMagic && (x.generation == 4 || binary.LittleEndian.Uint32(head[4:]) == 1)
}

// fits reports whether a header is that of a cipher text of some length.
func (x *gdecSurplus) fits(head []byte, packed int) bool {
	return x.hasMagic(head) && x.size(head) <= uint64(packed) && padded(int64(x.size(head))) == int64(packed)
}

// proves reports whether the MD5 of a header is that of the plain bytes of a cipher
// text, which n bytes too many precede.
func (x *gdecSurplus) proves(head, packed []byte, n int) bool {
	what := gdecPlain{generation: x.generation, surplus: n, size: int(x.size(head))}
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

// plain decrypts a cipher text, with its padding; nil if there is no key, or it
// takes too long.
func (x *gdecSurplus) plain(head, packed []byte) []byte {
	if x.block == nil || x.left < len(packed) {
		return nil
	}
	x.left -= len(packed)
	plain := make([]byte, len(packed))
	if x.generation == 4 {
		(&gdecPayload{block: x.block}).cfb(plain, append(bytes.Clone(head[28:gdec4Header]), packed...), 0)
		return plain
	}
	for i := 0; i < len(plain); i += cipherSize {
		x.block.Decrypt(plain[i:], packed[i:])
	}
	return plain
}

// inHeader tries to take out n bytes at each place of the header behind the magic.
func (x *gdecSurplus) inHeader(n int) {
	packed := x.all[x.start+n:]
	for at := len(gdecMagic); at < x.start; at++ {
		head := cutOut(x.all[:x.start+n], at, n)
		if !x.fits(head, len(packed)) {
			continue
		}
		bytes := span.Span{Offset: x.region.Offset + int64(at), Length: int64(n)}
		x.guesses = append(x.guesses, gdecGuess{bytes, string(head)})
		if x.found == nil && x.proves(head, packed, n) {
			x.keep(bytes, x.place(at))
		}
	}
}

// inText tries to take out n bytes at each place of the cipher text.
func (x *gdecSurplus) inText(n int) {
	head := x.all[:x.start]
	if x.found != nil || x.block == nil || !x.fits(head, len(x.all)-x.start-n) {
		return
	}
	size := x.size(head)
	for at := x.start; at < len(x.all)-n && x.left > 0; at++ {
		if x.all[at-1] == x.all[at-1+n] && at > x.start {
			continue
		}
		plain := x.plain(head, cutOut(x.all[x.start:], at-x.start, n))
		if plain != nil && isZero(plain[size:]) && md5.Sum(plain[:size]) == [cipherSize]byte(head[x.hashAt():]) {
			x.keep(span.Span{Offset: x.region.Offset + int64(at), Length: int64(n)}, "the cipher text")
			return
		}
	}
}

// keep notes the surplus that the MD5 proves.
func (x *gdecSurplus) keep(bytes span.Span, place string) {
	where, n := bytes, int(bytes.Length)
	for at := int(bytes.Offset - x.region.Offset); at+n < len(x.all) && x.all[at] == x.all[at+n]; at++ {
		where.Length++
	}
	x.found = newSurplus(x.src, x.region, bytes, where, place+": with the MD5 of the plain bytes it fits", gdecCorrupt)
}

// place names what is at an offset of the header.
func (x *gdecSurplus) place(at int) string {
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

// isPlausible reports whether the header as it is can be one, so that a file whose size
// does not fit is cut, or has bytes behind its end.
func (x *gdecSurplus) isPlausible(generation int) bool {
	x.generation = generation
	return len(x.all) >= x.sizeAt()+8 && x.hasMagic(x.all) && x.size(x.all) < mostPlain
}

// guess is the surplus by the sizes alone: where more than one can be, what they have in
// common is told, and no repair.
func (x *gdecSurplus) guess() *surplus {
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
	s := newSurplus(x.src, x.region, first.bytes, where, x.place(at)+": without that the sizes fit", gdecCorrupt)
	if !certain {
		s.Repair = ""
	}
	return s
}
