package model

import (
	"context"
	"os"

	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/span"
)

// OpenCopy opens a private copy of the file at path, which nobody else can change. It is to be
// looked at only, or to be the source of patches.
func OpenCopy(ctx context.Context, path string, o Options) (*Document, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, source.Plain(err)
	}
	defer f.Close()
	src, err := source.Spool(source.Interruptible(ctx, f))
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, path, o, nil)
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
