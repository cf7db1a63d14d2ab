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
	slipFile = 4 << 20  // most bytes of a GDEC in which a slip is looked for
	slipWork = 64 << 20 // bytes that may be decrypted and put through MD5 for it
	slipText = 1400     // most bytes of cipher text in which a lost byte is looked for
)

// slippedGDEC looks for bytes lost or too many in a GDEC: then its cipher text is
// not of whole cipher blocks.
func (l *Layer) slippedGDEC(ctx context.Context, src source.Source, o Options) (*slip, error) {
	if l.Checksum() == Matches && !l.standsBehind() || l.Region.Length > slipFile {
		return nil, nil
	}
	if l.GDEC != nil && l.magic == gdecMagic && l.GDEC.fits(l.Region) {
		return nil, nil
	}
	all := make([]byte, l.Region.Length)
	if err := readAt(src, all, l.Region.Offset); err != nil {
		return nil, err
	}
	x := &gdecSlips{src: src, region: l.Region, all: all, left: slipWork, sums: map[gdecPlain][cipherSize]byte{}}
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
		for n := 1; n <= maxSlip; n++ {
			if (len(all)-x.start-n)%cipherSize == 0 {
				x.extra(n)
			}
			if (len(all)-x.start+n)%cipherSize == 0 {
				x.lost(n)
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	if x.found != nil {
		return x.found, nil
	}
	return x.guess(), nil
}

// gdecSlips looks for what slipped in a GDEC.
type gdecSlips struct {
	src        source.Source
	region     span.Span
	all        []byte // of the region
	block      cipher.Block
	generation int
	start      int // of the cipher text, without a slip
	left       int // bytes that may still be decrypted

	sums    map[gdecPlain][cipherSize]byte
	found   *slip // that the MD5 proves
	guesses []gdecGuess
}

// gdecPlain is what the plain bytes depend on, but for the cipher text.
type gdecPlain struct {
	generation, slipped, size int
	iv                        [cipherSize]byte
}

// A gdecGuess is a slip with which the sizes fit, and no more is known.
type gdecGuess struct {
	undo source.Splice
	head string // what the header is then
}

// sizeAt is where the plain size stands in the header, 8 bytes.
func (x *gdecSlips) sizeAt() int {
	if x.generation == 3 {
		return 24
	}
	return 20
}

// hashAt is where the MD5 stands.
func (x *gdecSlips) hashAt() int { return x.sizeAt() - cipherSize }

// fits reports whether a header is one, of so many bytes of cipher text.
func (x *gdecSlips) fits(head []byte, packed int) bool {
	size := binary.LittleEndian.Uint64(head[x.sizeAt():])
	return string(head[:4]) == gdecMagic && (x.generation == 4 || binary.LittleEndian.Uint32(head[4:]) == 1) &&
		size <= uint64(packed) && padded(int64(size)) == int64(packed)
}

// proves reports whether the MD5 of a header is that of the plain bytes of a cipher
// text, of which n bytes are too many, or lost for negative n.
func (x *gdecSlips) proves(head, packed []byte, n int) bool {
	sum, ok := x.sum(head, packed, n)
	return ok && sum == [cipherSize]byte(head[x.hashAt():])
}

// sum is the MD5 of the plain bytes; false if there is no key, or it takes too long.
func (x *gdecSlips) sum(head, packed []byte, n int) (sum [cipherSize]byte, ok bool) {
	what := gdecPlain{generation: x.generation, slipped: n, size: int(binary.LittleEndian.Uint64(head[x.sizeAt():]))}
	if x.generation == 4 {
		what.iv = [cipherSize]byte(head[28:])
	}
	if sum, ok = x.sums[what]; ok {
		return sum, true
	}
	plain := x.plain(head, packed)
	if plain == nil {
		return sum, false
	}
	sum = md5.Sum(plain[:what.size])
	x.sums[what] = sum
	return sum, true
}

// plain decrypts a cipher text, with what fills it up; nil if there is no key, or it
// takes too long.
func (x *gdecSlips) plain(head, packed []byte) []byte {
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

// extra tries to take out n bytes at each place.
func (x *gdecSlips) extra(n int) {
	if len(x.all) < x.start+n {
		return
	}
	packed := x.all[x.start+n:]
	for at := range x.start {
		head := cutOut(x.all[:x.start+n], at, n)
		if !x.fits(head, len(packed)) {
			continue
		}
		undo := takeOut(span.Span{Offset: x.region.Offset + int64(at), Length: int64(n)})
		x.guesses = append(x.guesses, gdecGuess{undo, string(head)})
		if x.found == nil && x.proves(head, packed, n) {
			x.keep(undo, "in "+x.place(at))
		}
	}
	head := x.all[:x.start]
	if x.found != nil || x.block == nil || !x.fits(head, len(packed)) {
		return
	}
	for at := x.start; at < len(x.all)-n && x.left > 0; at++ {
		if x.all[at-1] == x.all[at-1+n] && at > x.start {
			continue
		}
		packed := cutOut(x.all[x.start:], at-x.start, n)
		size := int(binary.LittleEndian.Uint64(head[x.sizeAt():]))
		if plain := x.plain(head, packed); plain != nil && isZero(plain[size:]) && md5.Sum(plain[:size]) == [cipherSize]byte(head[x.hashAt():]) {
			x.keep(takeOut(span.Span{Offset: x.region.Offset + int64(at), Length: int64(n)}), "in the cipher text")
			return
		}
	}
}

// keep is what slipped for certain.
func (x *gdecSlips) keep(undo source.Splice, what string) {
	where := undo.Span
	if n := int(undo.Length); n > 0 {
		for at := int(undo.Offset - x.region.Offset); at+n < len(x.all) && x.all[at] == x.all[at+n]; at++ {
			where.Length++
		}
	}
	x.found = newSlip(x.src, x.region, undo).tell(where, what, "")
	x.found.Message += ": with the MD5 of the plain bytes it fits"
	x.found.Repair, x.found.Engine = x.found.undoing(), gdecCorrupt
}

// place names what stands at an offset of the header.
func (x *gdecSlips) place(at int) string {
	switch {
	case at < 4:
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

// isPlausible reports whether the header as it stands is one, so that a file whose size
// does not fit is cut, or has bytes behind its end.
func (x *gdecSlips) isPlausible(generation int) bool {
	x.generation = generation
	if len(x.all) < x.sizeAt()+8 || string(x.all[:4]) != gdecMagic || generation == 3 && binary.LittleEndian.Uint32(x.all[4:]) != 1 {
		return false
	}
	return binary.LittleEndian.Uint64(x.all[x.sizeAt():]) < 1<<40
}

// guess is the slip by the sizes alone: where more than one can be, what they have in
// common is told, and no repair.
func (x *gdecSlips) guess() *slip {
	if len(x.guesses) == 0 || x.isPlausible(3) || x.isPlausible(4) {
		return nil
	}
	first := x.guesses[0]
	at := int(first.undo.Offset - x.region.Offset)
	where, certain := first.undo.Span, true
	for _, g := range x.guesses[1:] {
		if g.undo.Length != first.undo.Length || g.undo.Added() != first.undo.Added() {
			continue
		}
		where = span.Between(where.Offset, max(where.End(), g.undo.End()))
		certain = certain && g.head == first.head
	}
	s := newSlip(x.src, x.region, first.undo).tell(where, "in "+x.place(at)+": without that the sizes fit", "")
	if s.Engine = gdecCorrupt; certain {
		s.Repair = s.undoing()
	}
	return s
}
