package digits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// A Decoder turns the digits of a text into bytes.
type Decoder struct {
	*Text
	Ctx  context.Context
	Win  *source.Window
	At   int64  // start of the piece being decoded
	Runs []Run  // of the piece
	Out  []byte // decoded, but not yet in the spool

	Digits int64 // number of digits, including those without a pair
	Lost   int64 // characters of class IsLost
	Wrong  int64 // characters of class IsWrong
	Last   int64 // end of the last digit
	notes  []part.Problem
	more   int64 // problems that were not kept
	spool  layer.Spool
	report func(done, all int64)
}

// A Decoding is the state of decoding one text in a notation.
type Decoding interface {
	// Piece decodes the piece b.
	Piece(b []byte) error

	// Finish decodes the rest, and records the problems of the text as a whole.
	Finish()

	// HasStray reports whether the number of digits is right only if no wrong character is
	// in the place of a digit.
	HasStray() bool

	// Packer wraps the payload again.
	Packer(o Old) layer.Packer
}

// Open opens a text of digits.
func Open(ctx context.Context, l *layer.Layer, t *Text, src source.Source, o layer.Options) error {
	win := source.NewWindow(src)
	d, state, err := decode(ctx, t, win, o)
	if (err == nil || errors.Is(err, layer.ErrFull)) && state.HasStray() {
		d.spool.Close()
		again := *t
		again.Stray = true
		t = &again
		d, state, err = decode(ctx, t, win, o)
	}
	cut := errors.Is(err, layer.ErrFull)
	if err != nil && !cut {
		d.spool.Close()
		return err
	}
	if cut {
		at := min(d.At, l.Region.End()-1) // what was held back may be surplus
		d.Note(span.Between(at, l.Region.End()), span.Warning, layer.TooLarge, layer.OnlyFirst(o.MaxUnpacked))
	}
	if err := l.Hold(&d.spool); err != nil {
		return err
	}
	if d.more > 0 {
		d.notes[len(d.notes)-1].Message += fmt.Sprintf("; %s like it are not listed", span.Counted(d.more, "more problem"))
	}
	l.Title = t.Title
	l.Packer = state.Packer(Old{Text: t, Layout: d.layout(), Size: l.Payload.Size(), Last: d.Last, Cut: cut})
	l.Reading = &reading{text: t, notes: d.notes, Reading: l.Describe(struct {
		part.About
		Form string `json:"form"`
	}{l.About(), t.Title})}
	return nil
}

// decode decodes a whole text.
func decode(ctx context.Context, t *Text, win *source.Window, o layer.Options) (*Decoder, Decoding, error) {
	d := &Decoder{Text: t, Ctx: ctx, Win: win, Last: t.Region.Offset, spool: layer.Spool{Limit: o.MaxUnpacked}, report: o.Report}
	state := d.Decode(d)
	err := d.decode(state)
	slices.SortStableFunc(d.notes, func(a, b part.Problem) int { return cmp.Compare(a.Offset, b.Offset) })
	return d, state, err
}

func (d *Decoder) decode(state Decoding) error {
	end := d.Region.End()
	var reported int64
	for d.At = d.Region.Offset; d.At < end; {
		b := d.Piece(d.Win, d.At)
		if err := d.Win.Err(); err != nil {
			return err
		}
		if err := state.Piece(b); err != nil {
			return err
		}
		d.At += int64(len(b))
		if d.At-reported >= 256<<10 {
			reported = d.At
			if err := d.Ctx.Err(); err != nil {
				return err
			}
			d.report(d.At-d.Region.Offset, d.Region.Length)
		}
	}
	state.Finish()
	return d.Flush(0)
}

// Count counts the characters of the piece by their classes.
func (d *Decoder) Count() {
	at := d.At
	for _, r := range d.Runs {
		at += int64(r.N)
		switch r.Class {
		case IsDigits:
			d.Digits += int64(r.N)
		case IsOdd:
			d.Digits += int64(r.N)
			continue
		case IsLost:
			d.Lost += int64(r.N)
		case IsWrong:
			d.Wrong += int64(r.N)
			continue
		case IsText:
			continue
		}
		d.Last = at
	}
}

// Flush moves the decoded bytes to the spool, if there are more than the given number.
func (d *Decoder) Flush(more int) error {
	if len(d.Out) <= more {
		return nil
	}
	_, err := d.spool.Write(d.Out)
	d.Out = d.Out[:0]
	return err
}

// MaxNotes is the number of problems kept of those that cannot be found again from their
// own line.
const MaxNotes = 10_000

// Note records a problem; the result is valid until the next one.
func (d *Decoder) Note(at span.Span, severity span.Severity, code, message string) *part.Problem {
	problem := part.Problem{Problem: span.Problem{Span: at, Severity: severity, Code: code, Message: message}}
	if len(d.notes) == MaxNotes {
		d.more++
		return &problem
	}
	d.notes = append(d.notes, problem)
	return &d.notes[len(d.notes)-1]
}
