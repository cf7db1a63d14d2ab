// Package diagnose finds out what is wrong with a buffer of values: not only that
// bytes make no sense, but by which smallest change they would.
package diagnose

import (
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Finding is a problem of a buffer: one that a value has by itself, or the cause
// of what cannot be read behind it.
type Finding struct {
	span.Problem
	Path string // of the value that owns the span

	// Of causes only:
	Splices  []source.Splice // the repair
	Drops    string          // what can be read and is lost with the repair, "" for nothing
	Symptoms int             // problems that come of it and are not reported
	Also     []Finding       // other causes by as small a change, the likeliest first
}

// Options say how to look.
type Options struct {
	// Plain is set where the cause of all that is wrong is known, and none is searched.
	Plain bool
	// Progress, if set, is told how much of the buffer has been read.
	Progress func(done, all int64)
}

// ErrNoRepair says that nothing is known that would put a problem right.
var ErrNoRepair = errors.New("nothing is known that would put this right")

// Repair gives what puts a finding right. The reader is that of the buffer it was
// found in, as the bytes are now.
func Repair(ctx context.Context, r *tree.Reader, f *Finding) (edit.Repair, error) {
	if f.Splices != nil {
		return edit.Repair{Splices: f.Splices, Drops: f.Drops}, nil
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
