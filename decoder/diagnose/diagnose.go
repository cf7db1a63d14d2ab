// Package diagnose finds the causes of problems in a buffer of values: the smallest
// change of its bytes with which they can be read.
package diagnose

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/engine/work"
)

// A Diagnosis is a problem of a buffer: one that concerns a single value, or the cause that keeps the bytes
// after it from being read.
type Diagnosis struct {
	span.Problem
	Path string // path of the value that owns the span

	// Only causes have these:
	Splices      []source.Splice // the repair
	Loss         string          // readable content that the repair removes; "" if there is none
	Symptoms     int             // number of consequences, which are not reported
	Alternatives []Diagnosis     // other causes that need as small a change, the likeliest first
	Unsure       bool            // the first alternative is about as likely
	As           string          // dialect and framing in which it is a cause, "godot3 raw"; "" for those of the tree
	Reading      string          // the same for people
}

// Options control a Run.
type Options struct {
	// NoSearch reports problems as they are, without a search for causes, if the cause is already known.
	NoSearch bool
	// Hasty limits the search to common causes, as for a rating.
	Hasty bool
	// Progress, if set, is called with the number of bytes read.
	Progress func(done, all int64)
	// Known are the only problems of the values before the offset From.
	From  int64
	Known []Observed
}

// An Observed problem is a problem of a value, without its cause.
type Observed struct {
	span.Problem
	At *tree.Node
}

// ErrNoRepair is returned if no repair of a problem is known.
var ErrNoRepair = errors.New("there is no repair for this")

// Repair returns the repair of a diagnosis. r reads the buffer that was diagnosed, with
// its current bytes. The error is ErrNoRepair if there is none, or that of the format.
func Repair(ctx context.Context, r *tree.Reader, f *Diagnosis) (edit.Repair, error) {
	if f.Splices != nil {
		return edit.Repair{Splices: f.Splices, Loss: f.Loss, Intended: f.Code == span.MergeConflict}, nil
	}
	format, ok := r.Tree.Reading.(edit.Repairer)
	if f.Repair == "" || !ok {
		return edit.Repair{}, ErrNoRepair
	}
	n, err := r.At(f.Offset)
	if err != nil {
		return edit.Repair{}, err
	}
	return format.Repair(ctx, r, n, &f.Problem)
}

// whyNoSearch returns why no more causes are searched for; "" if they still are. Once there is a reason, it
// holds for all later problems.
func (r *run) whyNoSearch() string {
	switch {
	case r.causesLeft == 0:
		return "enough causes were found before it"
	case len(r.fruitless) >= maxFailures:
		return fmt.Sprintf("no cause was found for %d problems before it", maxFailures)
	case r.rating == nil && min(int64(r.valuesLeft), r.budget.Left()) <= int64(searchBudget(r.tree.Source.Size())/16):
		return work.UsedUp
	}
	return ""
}

// reportEnd reports once that problems from p on are reported as they are. It returns whether more are
// wanted.
func (r *run) reportEnd(p *observation, why string) bool {
	if r.ended || r.rating != nil {
		return true
	}
	r.ended = true
	return r.emit(Diagnosis{Problem: span.Problem{Span: span.Span{Offset: p.Offset}, Severity: span.Note, Code: span.Unsearched,
		Message: "from here on problems are listed as they are, without a search for their causes: " + why}}, p.at)
}

// A Suspect is a field that may be the cause of problems, and the bytes that it should
// have.
type Suspect struct {
	span.Span
	New     []byte // new bytes, as many as in the span
	Code    string // code of the cause: span.WrongLength, span.WrongType …
	Was     string // what the field says: "a length of 3"
	Is      string // what it should say: "12"
	Penalty int    // how implausible the new value is by itself; 0 for values that engines often write
}

// A Suspecter is a reading that knows which of its fields may be wrong.
type Suspecter interface {
	// Suspects calls try with each possible error in the leading fields of v, the likeliest first, until
	// try returns false: lengths and counts of the content of v itself, types, flags. The fields are read
	// as they are in w; what follows v does not matter here. Counts of children are left to Recount. New
	// may be reused after try returns, so try copies what it keeps.
	Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(Suspect) bool)

	// Recount returns the field and bytes that set the number of children of v to n (pairs
	// count once). ok is false if v has no such count, or n is out of range.
	Recount(w *source.Window, parent, v *tree.Value, n int64) (s Suspect, ok bool)

	// Oddness returns how unlikely it is that a game stores v in that place; 0 for most values. Examples
	// are a float of 1e-40, a vector as a key, and text with control characters. It decides between changes
	// with which everything can be read.
	Oddness(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) int
}

// A Resizer is a reading in which the length of a frame gives the end of some values.
type Resizer interface {
	// Resize returns the field and bytes that move the end of v, a Fenced value, to end. ok is false if v has no such field.
	Resize(w *source.Window, parent, v *tree.Value, end int64) (s Suspect, ok bool)
}

// A Texter is a reading whose texts are preceded by a length.
type Texter interface {
	// Relength returns the change of the length field of the text v by the given number of bytes, and the
	// splice of the padding that the new length needs. ok is false if v is not such a text, or its bytes do
	// not look like one.
	Relength(w *source.Window, parent, v *tree.Value, by int64) (s Suspect, padding source.Splice, ok bool)
}

// A Headed reading has leading fields in its buffer that determine how everything is read.
type Headed interface {
	// HeadChanges lists the smallest changes that make these fields right, if bytes were lost from them or
	// added to them.
	HeadChanges() []HeadChange
}

// A HeadChange replaces bytes of a span, whose offset counts from the start of the buffer.
type HeadChange struct {
	span.Span
	New []byte
}

// A Text is a reading of text, in which single characters, rather than any bytes, may be missing or
// surplus.
type Text interface {
	// Slips calls try with changes of one character between the values in the bytes from one offset to
	// another, the last first, until try returns false; if most is more than 1, with 2 to most characters left out.
	Slips(w *source.Window, from, to int64, most int, try func(source.Splice) bool)

	// Place returns the place of a byte for a message: " at line 3, column 5".
	Place(w *source.Window, off int64) string
}
