package text

import (
	"bytes"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// decoding is the state of decoding a text.
type decoding struct {
	*digits.Decoder
	padFrom   int64
	bits      uint32          // bits of digits that are not yet decoded
	have      int             // how many bits
	joined    bool            // padding precedes the end
	blanks    []source.Splice // that delete blanks between digits of a line
	lastDigit byte
}

// Piece implements digits.Decoding.
func (d *decoding) Piece(b []byte) error {
	d.Runs = d.Text.Runs(d.Runs[:0], b, d.At)
	at := 0
	for i, r := range d.Runs {
		text := b[at : at+r.N]
		switch r.Class {
		case digits.IsWrong: // padding before the end
			d.joined = true
			d.endGroup()
		case digits.IsDigits, digits.IsLost:
			d.digits(text)
			if r.Class == digits.IsDigits {
				d.lastDigit = text[len(text)-1]
			}
		case digits.IsText:
			d.blank(i, text, d.At+int64(at))
		}
		at += r.N
	}
	d.Count()
	return d.Flush(64 << 10)
}

// digits decodes digits; a wrong one counts as 0.
func (d *decoding) digits(digit []byte) {
	for _, c := range digit {
		d.bits = d.bits<<6 | uint32(digits.Base64Values[c])
		if d.have++; d.have == 4 {
			d.Out = append(d.Out, byte(d.bits>>16), byte(d.bits>>8), byte(d.bits))
			d.have, d.bits = 0, 0
		}
	}
}

// endGroup decodes the digits of a group that has fewer than four.
func (d *decoding) endGroup() {
	switch d.have {
	case 2:
		d.Out = append(d.Out, byte(d.bits>>4))
	case 3:
		d.Out = append(d.Out, byte(d.bits>>10), byte(d.bits>>2))
	}
	d.have, d.bits = 0, 0
}

// blank records run i if it is blanks between digits of a line.
func (d *decoding) blank(i int, text []byte, off int64) {
	if i > 0 && i+1 < len(d.Runs) && d.Runs[i-1].Class == digits.IsDigits && d.Runs[i+1].Class == digits.IsDigits &&
		!bytes.ContainsAny(text, "\r\n=") && len(d.blanks) <= digits.MaxNotes {
		d.blanks = append(d.blanks, part.TakeOut(span.Span{Offset: off, Length: int64(len(text))}))
	}
}

// Finish implements digits.Decoding.
func (d *decoding) Finish() {
	if d.have == 1 {
		at := span.Between(d.Region.Offset, d.Last)
		d.Note(at, span.Error, layer.BadDigit, fmt.Sprintf("%s do not make whole bytes: one is lost or one is too many", span.Counted(d.Digits, "base64 digit")))
	} else {
		d.checkPadding()
		d.endGroup()
	}
	d.noteBlanks()
}

// noteBlanks records blanks between the digits of a line.
func (d *decoding) noteBlanks() {
	if len(d.blanks) == 0 {
		return
	}
	problem := d.Note(d.blanks[0].Span, span.Warning, layer.BadDigit, "a blank between digits of a line")
	problem.Engine = "Godot decodes nothing of the text"
	if len(d.blanks) > 1 {
		problem.Message = fmt.Sprintf("blanks between digits of a line, in %s", span.Counted(int64(len(d.blanks)), "place"))
	}
	if len(d.blanks) <= digits.MaxNotes {
		problem.RepairBy("delete the blanks between digits", d.blanks...)
	}
}

// HasStray implements digits.Decoding.
func (d *decoding) HasStray() bool {
	if d.Lost+d.Wrong == 0 {
		return false
	}
	pads := int64(len(d.pads()))
	return isFull(d.Digits, pads) && (d.Lost == 0 || !isFull(d.Digits+d.Lost, pads))
}

// Packer implements digits.Decoding.
func (d *decoding) Packer(o digits.Old) layer.Packer {
	pads := int64(len(d.pads()))
	rough := d.Stray || d.Lost > 0 && !isFull(d.Digits+d.Lost, pads)
	return &digits.Packer{Old: o, Sextets: true, Padded: pads > 0, Joined: d.joined, Rough: rough}
}

// isFull reports whether some digits and padding characters make whole groups.
func isFull(digits, pads int64) bool { return digits%4 != 1 && pads == (4-digits%4)%4 }

// pads returns the offsets of the padding characters at the end.
func (d *decoding) pads() (at []int64) {
	tail := d.Win.View(d.padFrom, d.Region.End()-d.padFrom)
	for i, c := range tail {
		if c == '=' {
			at = append(at, d.padFrom+int64(i))
		}
	}
	return at
}

// checkPadding records too few or too many padding characters at the end.
func (d *decoding) checkPadding() {
	at := d.pads()
	n, need := int64(len(at)), int64((4-d.have)%4)
	if n == need || d.Wrong > 0 && !d.Stray {
		return
	}
	message := fmt.Sprintf("%s at the end, and the digits need %d", span.Counted(n, "padding character"), need)
	if n > need {
		var splices []source.Splice
		for _, off := range at[need:min(n, need+digits.MaxNotes)] {
			splices = append(splices, part.TakeOut(span.Span{Offset: off, Length: 1}))
		}
		problem := d.Note(span.Between(at[need], at[n-1]+1), span.Warning, layer.DigitPadding, message)
		if n-need <= digits.MaxNotes {
			problem.RepairBy("delete the surplus ones", splices...)
		}
		return
	}
	end := d.Last
	if n > 0 {
		end = at[n-1] + 1
	}
	if end == d.Region.Offset {
		return
	}
	problem := d.Note(span.Between(end-1, end), span.Warning, layer.DigitPadding, message)
	loose := byte(1)<<(2*(4-d.have)) - 1 // bits of the last digit that are ignored
	if digits.Base64Values[d.lastDigit]&loose != 0 {
		problem.Message += "; a digit may be lost, since the last one has unused bits that are set"
	}
	missing := bytes.Repeat([]byte("="), int(need-n))
	problem.RepairBy(fmt.Sprintf("add %s", missing), source.Put(end, 0, missing))
}
