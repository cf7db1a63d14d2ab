package detect

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// Offsets lists where values or packed bytes may begin behind a header of a game's own, by the first bytes of
// a region: everywhere in the first 64, after a first line and other parts of a text, after a text with its length, at a signature, and
// soon after the digits of a hash.
func Offsets(b []byte, signatures ...string) (all []int64) {
	blocks := blockEnds(b)
	b = b[:min(len(b), MostAhead)]
	for n := 1; n <= min(mostHead, len(b)-1); n++ {
		all = append(all, int64(n))
	}
	also := func(n int) {
		if n > mostHead && n < len(b) && !slices.Contains(all, int64(n)) {
			all = append(all, int64(n))
		}
	}
	also(bytes.IndexByte(b, '\n') + 1)
	for at, c := range b {
		if isText := c >= ' ' && c < 0x7f; strings.IndexByte("\n|;:,", c) >= 0 {
			also(at + 1)
		} else if !isText && c != '\r' {
			break
		}
	}
	for _, width := range []int{1, 2, 4} {
		if len(b) > width {
			n := int(binary.LittleEndian.Uint32(append(bytes.Clone(b[:width]), 0, 0, 0)))
			if end := width + n; n < len(b) && end < len(b) && printable(b[width:end]) {
				also(end)
			}
		}
	}
	if end := hashEnd(b); end > 0 {
		for n := range mostBehind + 1 {
			also(end + n)
		}
	}
	for _, s := range append(signatures, "{", "[") {
		for at := mostHead; at < len(b); at++ {
			if bytes.HasPrefix(b[at:], []byte(s)) {
				also(at)
			}
		}
	}
	all = append(all, blocks...)
	slices.Sort(all)
	return slices.Compact(all)
}

// blockEnds lists where a block ends that begins a file behind its length, or that and a word or two, and some places behind it: a game
// writes a picture so, a description of the save, or a first value.
func blockEnds(b []byte) (all []int64) {
	const most, word = 12, 4
	for at := 0; at <= most && at+word < len(b); at += word {
		for _, n := range []uint32{binary.LittleEndian.Uint32(b[at:]), binary.BigEndian.Uint32(b[at:])} {
			if end := int64(at+word) + int64(n); n >= leastBytes && end < int64(len(b)) {
				for more := range int64(most/word + 2) {
					all = append(all, end+word*more)
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(n int64) bool { return n <= mostHead || n+leastBytes > int64(len(b)) })
}

// hashEnd returns the end of the first run of digits that a hash may be; 0 for none.
func hashEnd(b []byte) int {
	const least = 32
	for at := 0; at < len(b); at++ {
		n := len(b) - at - len(bytes.TrimLeft(b[at:], "0123456789abcdefABCDEF"))
		if n >= least {
			return at + n
		}
		at += n
	}
	return 0
}

func printable(b []byte) bool {
	return !bytes.ContainsFunc(b, func(c rune) bool { return c < ' ' || c == 0x7f })
}
