package digits

import (
	"bytes"

	"varview/decoder/wrap/gcpf"
	"varview/decoder/wrap/gdec"
	"varview/decoder/wrap/zlib"
)

// What a text with wrong characters has to be to count as digits all the same.
const (
	damagedLeast = 16 // fewest digits and wrong characters
	DamagedRatio = 50 // digits for each wrong character
	DamagedStart = 64 // characters at the start with at most two wrong ones: else a text begins there
	LeastStart   = 40 // fewest digits at the start of a text of which the rest is no digits
)

// AreFew reports whether the wrong ones of some characters are so few that they are
// nearly all digits.
func AreFew(wrong, all int) bool {
	return all >= damagedLeast && wrong <= max(1, all/DamagedRatio)
}

// HasControls reports whether bytes are among head that text does not have.
func HasControls(head []byte) bool {
	return bytes.ContainsFunc(head, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
	})
}

// LooksSaved reports whether bytes can be the beginning of a save: they have the
// magic of one, are packed, or begin with a type or a length. Two of 65,536 random
// ones do.
func LooksSaved(b []byte) bool {
	return len(b) >= 8 && (bytes.HasPrefix(b, []byte(gcpf.Magic)) || bytes.HasPrefix(b, []byte(gdec.Magic)) || zlib.Unpacks(b, false) || b[2] <= 1 && b[3] == 0)
}
