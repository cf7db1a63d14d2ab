// Package diagnose finds the causes of problems in a buffer of values: the smallest
// change of its bytes with which they can be read.
package diagnose

import (
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Diagnosis is a problem of a buffer: one that concerns a single value, or the cause
// because of which the bytes after it cannot be read.
type Diagnosis struct {
	span.Problem
	Path string // of the value that owns the span

	// Only causes have these:
	Splices      []source.Splice // the repair
	Loss         string          // readable content that the repair removes, "" for nothing
	Symptoms     int             // number of consequences, which are not reported
	Alternatives []Diagnosis     // other causes that need as small a change, the likeliest first
	As           string          // the dialect and framing in which it is a cause, "godot3 raw"; "" for those of the tree
}

// Options control a Run.
type Options struct {
	// NoSearch reports problems as they are, without a search for causes, if the cause is
	// already known.
	NoSearch bool
	// Hasty searches as for a rating: among the causes that are common.
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
		return edit.Repair{Splices: f.Splices, Loss: f.Loss}, nil
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
