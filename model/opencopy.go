package model

import (
	"context"

	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/span"
)

// OpenCopy opens a private copy of the file at path, which nobody else can change. It is to be
// looked at only, or to be the source of patches.
func OpenCopy(ctx context.Context, path string, o Options) (*Document, error) {
	f, _, err := source.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return openPiped(ctx, source.Interruptible(ctx, f), path, o)
}

// IsWhole reports whether the file can be read without an error, as one can that was written
// to its end.
func (d *Document) IsWhole(ctx context.Context) (bool, error) {
	switch {
	case d.Size() == 0 || d.IsOther():
		return false, nil
	case d.Missing != nil:
		return d.IsLocked(), nil
	}
	whole := true
	for _, b := range d.Buffers {
		has, err := score.HasProblem(ctx, b.Tree(), false, func(p *span.Problem) bool { return p.Severity == span.Error })
		if err != nil {
			return false, err
		}
		whole = whole && !has
	}
	return whole, nil
}
