package block

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The lowest and the highest bit of each of eight bytes.
const (
	lowest  = 0x0101010101010101
	highest = 0x8080808080808080
)

// fewWords is the number of words of eight bytes that are searched one by one for the end
// of a text: most texts are short.
const fewWords = 4

// zeroIn sets the highest bit of the first zero byte of a word, and perhaps those of later
// bytes.
func zeroIn(word uint64) uint64 { return (word - lowest) & ^word & highest }

// before returns the bytes of a word before the one that zeroIn has marked.
func before(word, zero uint64) uint64 {
	return word & (1<<(bits.TrailingZeros64(zero)-7) - 1)
}

// textEnd passes a text and its NUL.
func textEnd(b []byte, at int) int {
	for range fewWords {
		if at+8 > len(b) {
			break
		}
		if zero := zeroIn(binary.LittleEndian.Uint64(b[at:])); zero != 0 {
			return at + bits.TrailingZeros64(zero)/8 + 1
		}
		at += 8
	}
	if n := bytes.IndexByte(b[at:], 0); n >= 0 {
		return at + n + 1
	}
	return -1
}

// text passes a text and its NUL, if there is nothing to report about it.
func (p *passer) text(at int) int {
	if !p.checks {
		return textEnd(p.b, at)
	}
	end, all := at, uint64(0) // the bytes of the text so far, or-ed together
	for n := fewWords; n > 0 && end+8 <= len(p.b); n-- {
		word := binary.LittleEndian.Uint64(p.b[end:])
		if zero := zeroIn(word); zero != 0 {
			all |= before(word, zero)
			end += bits.TrailingZeros64(zero)/8 + 1
			if all&highest == 0 || isOrdinary(p.b[at:end-1]) {
				return end
			}
			return -1
		}
		all |= word
		end += 8
	}
	if end = textEnd(p.b, end); end < 0 || !isOrdinary(p.b[at:end-1]) {
		return -1
	}
	return end
}

// isOrdinary reports whether a text is valid, and does not begin with a byte order mark.
func isOrdinary(text []byte) bool {
	return utf8.Valid(text) && !bytes.HasPrefix(text, []byte("\ufeff"))
}

// name passes the name of a member, if there is nothing to report about it.
func (p *passer) name(at int) int {
	end := p.text(at)
	if p.checks && end == at+1 { // an empty name is reported
		return -1
	}
	return end
}

// hashedName is name with a hash of the name, except for the last bytes of b.
func (p *passer) hashedName(at int) (end int, hash uint32) {
	end = at
	h, all := uint64(0), uint64(0) // the bytes of the name so far, or-ed together
	for end+8 <= len(p.b) {
		word := binary.LittleEndian.Uint64(p.b[end:])
		zero := zeroIn(word)
		if zero != 0 {
			word = before(word, zero)
		}
		all |= word
		h = (h ^ word) * 0x9e3779b97f4a7c15
		h ^= h >> 32
		if zero == 0 {
			end += 8
			continue
		}
		end += bits.TrailingZeros64(zero)/8 + 1
		if end == at+1 || all&highest != 0 && !isOrdinary(p.b[at:end-1]) {
			return -1, 0
		}
		return end, uint32(h >> 32)
	}
	return -1, 0
}
