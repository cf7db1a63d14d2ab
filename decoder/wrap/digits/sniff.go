package digits

import (
	"bytes"

	"varview/decoder/wrap/gcpf"
	"varview/decoder/wrap/gdec"
	"varview/decoder/wrap/zlib"
)

// What makes a text with wrong characters count as digits nevertheless.
const (
	DamagedLeast = 16 // fewest digits and wrong characters
	DamagedRatio = 50 // digits for each wrong character
	DamagedStart = 64 // characters at the start with at most two wrong ones; with more a text begins there
	LeastStart   = 40 // fewest digits at the start of a text whose rest is not digits
)

// AreFew reports whether so few of some characters are wrong that nearly all are digits.
func AreFew(wrong, all int) bool {
	return all >= DamagedLeast && wrong <= max(1, all/DamagedRatio)
}

// HasControls reports whether head contains bytes that do not occur in text.
func HasControls(head []byte) bool {
	return bytes.ContainsFunc(head, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
	})
}

// LooksSaved reports whether bytes may be the beginning of a save: they have the magic of
// one, are packed, or begin with a type or a length. Of 65,536 random beginnings two do.
func LooksSaved(b []byte) bool {
	return len(b) >= 8 && (bytes.HasPrefix(b, []byte(gcpf.Magic)) || bytes.HasPrefix(b, []byte(gdec.Magic)) || zlib.Unpacks(b, false) || b[2] <= 1 && b[3] == 0)
}
