package wrap

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A textDecoder turns digits into bytes.
type textDecoder struct {
	lexer
	ctx      context.Context
	win      *source.Window
	spool    spool
	progress func(done, all int64)

	at    int64 // start of the piece being decoded
	runs  []run
	out   []byte // decoded, not yet in the spool
	bits  uint32 // base64: digits not yet decoded
	have  int    // how many
	high  int    // hexadecimal: first digit of a pair, -1 without one
	notes []finding

	rows      rowState
	last      int64           // base64, plain: behind the last digit
	joined    bool            // base64: padding is met before the end
	wrong     bool            // a character of class isWrong is met
	lost      int             // how many are of class isLost
	met       int64           // digits, also those without a pair
	blanks    []source.Splice // base64: that take out blanks between digits of a line
	inside    int64           // base64: padding characters that digits follow
	lastDigit byte            // base64
}

// maxNotes bounds how many problems that need more than their own line are
// remembered.
const maxNotes = 1000

// note notes a problem; what is returned is good until the next one.
func (d *textDecoder) note(at span.Span, severity span.Severity, code, message string) *finding {
	found := finding{Problem: span.Problem{Span: at, Severity: severity, Code: code, Message: message}}
	if len(d.notes) == maxNotes {
		return &found
	}
	d.notes = append(d.notes, found)
	return &d.notes[len(d.notes)-1]
}

func (d *textDecoder) decode() error {
	d.high, d.last = -1, d.region.Offset
	end := d.region.End()
	var told int64
	for d.at = d.region.Offset; d.at < end; {
		b := d.piece(d.win, d.at)
		if err := d.win.Err(); err != nil {
			return err
		}
		if err := d.decodePiece(b); err != nil {
			return err
		}
		d.at += int64(len(b))
		if d.at-told >= 256<<10 {
			told = d.at
			if err := d.ctx.Err(); err != nil {
				return err
			}
			d.progress(d.at-d.region.Offset, d.region.Length)
		}
	}
	d.finish()
	return d.flush(0)
}

// decodePiece decodes one piece of the text.
func (d *textDecoder) decodePiece(b []byte) error {
	if d.form >= formXXD {
		return d.decodeRow(b)
	}
	d.runs = d.lex(d.runs[:0], b, d.at)
	d.digits(b)
	d.findBlanks(b)
	at := d.at
	for _, r := range d.runs {
		at += int64(r.n)
		if r.class == isDigits || r.class == isHalf || r.class == isLost {
			d.last = at
		}
		switch r.class {
		case isDigits, isOdd:
			d.met += int64(r.n)
			if r.class == isDigits {
				d.lastDigit = b[at-d.at-1]
			}
		case isWrong:
			d.wrong = true
			d.inside += int64(r.n)
		}
		if r.class == isLost {
			d.lost += r.n
		}
	}
	return d.flush(64 << 10)
}

// findBlanks notes where blanks stand between base64 digits of a line.
func (d *textDecoder) findBlanks(b []byte) {
	if d.form != formBase64 || len(d.blanks) > maxNotes {
		return
	}
	at := 0
	for i, r := range d.runs {
		if r.class == isText && i > 0 && i+1 < len(d.runs) && d.runs[i-1].class == isDigits && d.runs[i+1].class == isDigits &&
			!bytes.ContainsAny(b[at:at+r.n], "\r\n=") {
			d.blanks = append(d.blanks, takeOut(span.Span{Offset: d.at + int64(at), Length: int64(r.n)}))
		}
		at += r.n
	}
}

// tellBlanks tells of blanks between the digits of a line.
func (d *textDecoder) tellBlanks() {
	if len(d.blanks) == 0 {
		return
	}
	found := d.note(d.blanks[0].Span, span.Warning, BadDigit, "a blank between digits of a line")
	found.Engine = "Godot decodes nothing of the text"
	if len(d.blanks) > 1 {
		found.Message = fmt.Sprintf("blanks between digits of a line, in %s", span.Counted(int64(len(d.blanks)), "place"))
	}
	if len(d.blanks) <= maxNotes {
		found.cure("take out the blanks between digits", d.blanks...)
	}
}

// flush moves what is decoded to the spool, if it is more than the given number
// of bytes.
func (d *textDecoder) flush(more int) error {
	if len(d.out) <= more {
		return nil
	}
	_, err := d.spool.Write(d.out)
	d.out = d.out[:0]
	return err
}

// digits decodes the runs of b.
func (d *textDecoder) digits(b []byte) {
	for _, r := range d.runs {
		switch {
		case r.class == isWrong && d.form == formBase64: // padding before the end
			d.joined = true
			d.endGroup()
		case r.class == isText || r.class == isOdd || r.class == isWrong:
		case d.form == formBase64:
			d.base64(b[:r.n])
		case r.class == isHalf:
			d.out = append(d.out, hexValue(b[0]))
		default:
			for _, c := range b[:r.n] {
				d.nibble(hexValue(c))
			}
		}
		b = b[r.n:]
	}
}

// nibble takes a hexadecimal digit.
func (d *textDecoder) nibble(v byte) {
	if d.high < 0 {
		d.high = int(v)
		return
	}
	d.out = append(d.out, byte(d.high)<<4|v)
	d.high = -1
}

// hexValue is the value of a hexadecimal digit, 0 for anything else.
func hexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0
}

// base64 takes digits; a wrong one counts as 0.
func (d *textDecoder) base64(digits []byte) {
	for _, c := range digits {
		d.bits = d.bits<<6 | uint32(base64Values[c])
		if d.have++; d.have == 4 {
			d.out = append(d.out, byte(d.bits>>16), byte(d.bits>>8), byte(d.bits))
			d.have, d.bits = 0, 0
		}
	}
}

var base64Values = func() (t [256]byte) {
	for i := range len(base64Digits) {
		t[base64Digits[i]] = byte(i)
	}
	return t
}()

// finish decodes the last, incomplete digits of a base64 text.
func (d *textDecoder) finish() {
	switch {
	case d.form >= formXXD:
		d.endRows()
	case d.have == 1:
		at := span.Between(d.region.Offset, d.last)
		d.note(at, span.Error, BadDigit, fmt.Sprintf("%s do not make whole bytes: one is lost or one is too many", span.Counted(d.met, "base64 digit")))
	default:
		if d.form == formBase64 {
			d.checkPadding()
		}
		d.endGroup()
	}
	d.tellBlanks()
	slices.SortStableFunc(d.notes, func(a, b finding) int { return cmp.Compare(a.Offset, b.Offset) })
}

// endGroup decodes the digits of a base64 group that has fewer than four.
func (d *textDecoder) endGroup() {
	switch d.have {
	case 2:
		d.out = append(d.out, byte(d.bits>>4))
	case 3:
		d.out = append(d.out, byte(d.bits>>10), byte(d.bits>>2))
	}
	d.have, d.bits = 0, 0
}
