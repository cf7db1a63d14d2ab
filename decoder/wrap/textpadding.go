package wrap

import (
	"bytes"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
)

// hasStray reports whether the number of digits is right only if the wrong
// characters stand in no digit's place.
func (d *textDecoder) hasStray() bool {
	lost := int64(d.lost)
	switch {
	case d.form == formBase64 && lost+d.inside > 0:
		pads, _ := d.pads()
		return isFull(d.met, pads) && (lost == 0 || !isFull(d.met+lost, pads))
	case d.form == formPlain && lost > 0:
		return d.tight && d.met%2 == 0 && (d.met+lost)%2 == 1
	}
	return false
}

// isRough reports whether what wrong characters are taken for depends on the others.
func (d *textDecoder) isRough() bool {
	if d.form == formBase64 && d.lost > 0 && !d.stray {
		pads, _ := d.pads()
		return !isFull(d.met+int64(d.lost), pads)
	}
	return d.stray || d.form != formBase64 && (d.lost > 1 || d.lost == 1 && d.wrong)
}

// isFull reports whether some digits and padding characters make whole groups.
func isFull(digits, pads int64) bool { return digits%4 != 1 && pads == (4-digits%4)%4 }

// pads are the padding characters at the end of a base64 text, and where the last
// ones begin.
func (d *textDecoder) pads() (n int64, at []int64) {
	tail := d.win.View(d.padFrom, d.region.End()-d.padFrom)
	for i, c := range tail {
		if c == '=' {
			at = append(at, d.padFrom+int64(i))
		}
	}
	return int64(len(at)), at
}

// isPadded reports whether padding characters end the text.
func (d *textDecoder) isPadded() bool {
	if d.form != formBase64 {
		return false
	}
	n, _ := d.pads()
	return n > 0
}

// checkPadding tells of padding characters at the end of a base64 text that are
// too few or too many.
func (d *textDecoder) checkPadding() {
	n, at := d.pads()
	need := int64((4 - d.have) % 4)
	if n == need || d.inside > 0 && !d.stray {
		return
	}
	if n > need {
		from := at[need]
		splices := make([]source.Splice, 0, n-need)
		for _, off := range at[need:min(n, need+maxNotes)] {
			splices = append(splices, takeOut(span.Span{Offset: off, Length: 1}))
		}
		found := d.note(span.Between(from, at[n-1]+1), span.Warning, DigitPadding,
			fmt.Sprintf("%s at the end, and the digits need %d", span.Counted(n, "padding character"), need))
		if n-need <= maxNotes {
			found.cure("take out what is too much of them", splices...)
		}
		return
	}
	end := d.last
	if n > 0 {
		end = at[n-1] + 1
	}
	if end == d.region.Offset {
		return
	}
	found := d.note(span.Between(end-1, end), span.Warning, DigitPadding,
		fmt.Sprintf("%s at the end, and the digits need %d", span.Counted(n, "padding character"), need))
	loose := byte(1)<<(2*(4-d.have)) - 1 // bits of the last digit that count for nothing
	if base64Values[d.lastDigit]&loose != 0 {
		found.Message += "; a digit may be lost, since the last one has bits that count for nothing"
	}
	found.cure(fmt.Sprintf("add %s", bytes.Repeat([]byte("="), int(need-n))), source.Put(end, 0, bytes.Repeat([]byte("="), int(need-n))))
}
