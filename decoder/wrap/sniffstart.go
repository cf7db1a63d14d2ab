package wrap

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
)

// leastStart is how many digits a text begins with at least of which the rest is
// no digits.
const leastStart = 40

// startsBase64 reports whether head begins with digits of base64 that hold a save,
// or are nearly all of it; what comes behind them may be anything.
func startsBase64(head []byte) bool {
	n := bytes.IndexFunc(head, func(r rune) bool {
		return r >= 0x80 || r != '=' && base64Chars[r] != charDigit && base64Chars[r] != charBlank
	})
	if n < 0 {
		n = len(head)
	}
	first, _, _ := bytes.Cut(head[:n], []byte("="))
	c := countBase64(first)
	if c.digits < leastStart || c.words*longWord > c.digits {
		return false
	}
	held := make([]byte, len(first))
	got, _ := base64.RawStdEncoding.Decode(held, bytes.Join(bytes.Fields(first), nil))
	return looksSaved(held[:got]) || n >= len(head)/10*9 && c.upper*fewUpper >= c.digits
}

// startsHex is startsBase64 for hexadecimal digits, in pairs.
func startsHex(head []byte) bool {
	n := bytes.IndexFunc(head, func(r rune) bool { return r >= 0x80 || hexChars[r] != charDigit && hexChars[r] != charBlank })
	if n < 0 {
		n = len(head)
	}
	digits := bytes.Join(bytes.Fields(head[:n]), nil)
	if len(digits) < leastStart {
		return false
	}
	held := make([]byte, len(digits)/2)
	got, _ := hex.Decode(held, digits[:len(digits)&^1])
	return looksSaved(held[:got]) || n >= len(head)/10*9 && bytes.ContainsAny(digits, "abcdefABCDEF")
}

// looksSaved reports whether bytes can be the beginning of a save: they have the
// magic of one, are packed, or begin with a type or a length. Two of 65,536 random
// ones do.
func looksSaved(b []byte) bool {
	switch {
	case len(b) < 8:
		return false
	case bytes.HasPrefix(b, []byte(gcpfMagic)), bytes.HasPrefix(b, []byte(gdecMagic)):
		return true
	case isZlib(b[0], b[1]):
		return inflates(b[zlibHeader:], false)
	}
	return b[2] <= 1 && b[3] == 0
}
