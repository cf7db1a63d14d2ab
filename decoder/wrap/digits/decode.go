package digits

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// A decoder turns the digits of a text into bytes.
type decoder struct {
	*text
	win  *source.Window
	at   int64 // start of the piece being decoded
	some []run // of the piece
	out  []byte
	bits uint32 // bits of digits that are not yet decoded
	have int    // how many
	row  placing

	digits    int64 // number of digits, including those without a pair
	lost      int64 // characters of class isLost
	first     int64 // start of the first character that is not text; of the text if there is none
	last      int64 // end of the last one
	lastDigit byte
	apart     bool // base64: a line before the last ends with padding
	notes     []part.Problem
	more      int64 // number of problems that were not kept
	spool     layer.Spool
}

// maxNotes is the largest number of problems that are kept because their own line does not show them.
const maxNotes = 10_000

// open opens a text of digits.
func open(ctx context.Context, l *layer.Layer, t *text, src source.Source, o layer.Options) error {
	win := source.NewWindow(src)
	d, err := decode(ctx, t, win, o)
	if (err == nil || errors.Is(err, layer.ErrFull)) && d.hasStray() {
		d.spool.Close()
		again := *t
		again.stray = true
		t = &again
		d, err = decode(ctx, t, win, o)
	}
	cut := errors.Is(err, layer.ErrFull)
	if err != nil && !cut {
		d.spool.Close()
		return err
	}
	if cut {
		at := min(d.at, l.Region.End()-1) // characters held back may be surplus
		d.note(span.Between(at, l.Region.End()), span.Warning, layer.TooLarge, layer.OnlyFirst(o.MaxUnpacked))
	}
	if err := l.Hold(&d.spool); err != nil {
		return err
	}
	if d.more > 0 {
		d.notes[len(d.notes)-1].Message += fmt.Sprintf("; %s like it are not listed", span.Counted(d.more, "more problem"))
	}
	l.Title = t.title()
	l.Packer = d.packer(l.Payload.Size(), cut)
	l.Reading = &reading{text: t, notes: d.notes, Reading: l.Describe(struct {
		part.About
		Form string `json:"form"`
	}{l.About(), l.Title})}
	return nil
}

// decode decodes a whole text.
func decode(ctx context.Context, t *text, win *source.Window, o layer.Options) (*decoder, error) {
	d := &decoder{text: t, win: win, at: t.region.Offset, first: t.begin, last: t.begin, spool: layer.Spool{Limit: o.MaxUnpacked}}
	err := d.all(ctx, o)
	slices.SortStableFunc(d.notes, func(a, b part.Problem) int { return cmp.Compare(a.Offset, b.Offset) })
	return d, err
}

func (d *decoder) all(ctx context.Context, o layer.Options) error {
	var reported int64
	for d.at < d.region.End() {
		b := d.text.piece(d.win, d.at)
		if err := d.win.Err(); err != nil {
			return err
		}
		if err := d.piece(b); err != nil {
			return err
		}
		d.at += int64(len(b))
		if d.at-reported >= 256<<10 {
			reported = d.at
			if err := ctx.Err(); err != nil {
				return err
			}
			o.Report(d.at-d.region.Offset, d.region.Length)
		}
	}
	d.finish()
	return d.flush(0)
}

// piece decodes a piece.
func (d *decoder) piece(b []byte) error {
	line := bytes.TrimRight(b, "\r\n")
	d.apart = d.apart || d.base64 && len(line) < len(b) && d.at+int64(len(b)) < d.end && bytes.HasSuffix(line, []byte("="))
	if d.rows != nil {
		if skip, err := d.place(b); skip || err != nil {
			return err
		}
	}
	d.some = d.text.runs(d.some[:0], b, d.at)
	from := len(d.out)
	at := d.at
	for _, r := range d.some {
		d.run(r, b[:r.n], at)
		at, b = at+int64(r.n), b[r.n:]
	}
	d.row.add(d.out[from:])
	return d.flush(64 << 10)
}

// run decodes the characters of a run.
func (d *decoder) run(r run, text []byte, at int64) {
	switch r.class {
	case isText:
		return
	case isHalf:
		d.out = append(d.out, d.values[text[0]])
	case isLost:
		d.lost += int64(r.n)
		d.take(text)
	case isDigits:
		d.digits += int64(r.n)
		d.take(text)
		d.lastDigit = text[len(text)-1]
	case isOdd:
		if d.chars[text[0]] == charDigit {
			d.digits += int64(r.n)
		}
	}
	if d.last == d.begin {
		d.first = at
	}
	d.last = at + int64(r.n)
}

// take decodes digits; a wrong one counts as 0.
func (d *decoder) take(text []byte) {
	width := 4
	if d.base64 {
		width = 6
	}
	for _, c := range text {
		d.bits = d.bits<<width | uint32(d.values[c])
		if d.have += width; d.have >= 8 {
			d.have -= 8
			d.out = append(d.out, byte(d.bits>>d.have))
		}
	}
}

// flush moves the decoded bytes to the spool, if there are more than a number of them.
func (d *decoder) flush(more int) error {
	if len(d.out) <= more {
		return nil
	}
	_, err := d.spool.Write(d.out)
	d.out = d.out[:0]
	return err
}

// note records a problem; the result is valid until the next one.
func (d *decoder) note(at span.Span, severity span.Severity, code, message string) *part.Problem {
	problem := part.Problem{Problem: span.Problem{Span: at, Severity: severity, Code: code, Message: message}}
	if len(d.notes) == maxNotes {
		d.more++
		return &problem
	}
	d.notes = append(d.notes, problem)
	return &d.notes[len(d.notes)-1]
}

// hasStray reports whether the number of digits is right only if no wrong character takes the place of a
// digit.
func (d *decoder) hasStray() bool {
	switch {
	case d.lost == 0 || d.stray:
		return false
	case d.base64:
		pads := int64(len(d.pads()))
		return isFull(d.digits, pads) && !isFull(d.digits+d.lost, pads)
	}
	return d.rows == nil && d.tight && d.digits%2 == 0 && d.lost%2 == 1
}

// isFull reports whether a number of base64 digits and padding characters make whole groups.
func isFull(digits, pads int64) bool { return digits%4 != 1 && pads == (4-digits%4)%4 }

// pads returns the offsets of the padding characters at the end.
func (d *decoder) pads() (at []int64) {
	for i, c := range d.win.View(d.end, min(d.region.End()-d.end, source.MaxView)) {
		if c == '=' {
			at = append(at, d.end+int64(i))
		}
	}
	return at
}

// finish records the problems of the text as a whole.
func (d *decoder) finish() {
	switch {
	case d.row.star:
		d.note(span.Span{Offset: d.row.starAt, Length: 1}, span.Error, layer.WrongOffset,
			"rows are left out here, and no later offset says how many")
	case d.base64 && d.have == 6:
		d.note(span.Between(d.region.Offset, d.last), span.Error, layer.BadDigit,
			fmt.Sprintf("%s do not make whole bytes: one is lost or one is too many", span.Counted(d.digits, "base64 digit")))
	case d.base64:
		d.checkPadding()
	}
}

// checkPadding records missing or surplus padding characters at the end.
func (d *decoder) checkPadding() {
	at, need := d.pads(), d.have/2
	n := len(at)
	if n == need || d.last == d.begin {
		return
	}
	message := fmt.Sprintf("%s at the end, and the digits need %d", span.Counted(int64(n), "padding character"), need)
	if n > need {
		var splices []source.Splice
		for _, off := range at[need:min(n, need+maxNotes)] {
			splices = append(splices, part.TakeOut(span.Span{Offset: off, Length: 1}))
		}
		d.note(span.Between(at[need], at[n-1]+1), span.Warning, layer.DigitPadding, message).RepairBy("delete the surplus ones", splices...)
		return
	}
	end := d.last
	if n > 0 {
		end = at[n-1] + 1
	}
	problem := d.note(span.Between(end-1, end), span.Warning, layer.DigitPadding, message)
	if d.values[d.lastDigit]&(1<<d.have-1) != 0 {
		problem.Message += "; a digit may be lost, since the last one has unused bits that are set"
	} else if n == 0 {
		problem.Guess, problem.Message = true, message+"; some games write none"
	}
	missing := bytes.Repeat([]byte("="), need-n)
	problem.RepairBy(fmt.Sprintf("add %s", missing), source.Put(end, 0, missing))
}
