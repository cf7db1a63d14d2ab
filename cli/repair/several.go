package repair

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"

	"varview/cli/env"
	"varview/cli/files"
	"varview/decoder/span"
)

// Each repairs the files that arguments mean, several of them beside each other, as Run does.
func Each(ctx context.Context, e *env.Env, from *files.Selected, names []string, o *Options) error {
	batch := &files.Batch{Env: e}
	all, err := from.Originals(ctx, batch, names)
	if err != nil {
		return err
	}
	if !from.Several(names) {
		return Run(ctx, e, all[0], o, e.Out(o.JSON))
	}
	if err := o.checkSeveral(); err != nil {
		return err
	}
	var left atomic.Int64 // files with errors
	err = files.Each(ctx, batch, e.Out(o.JSON), slices.Values(all), func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		err := Run(ctx, one, f, o, out)
		if errors.Is(err, env.ErrProblems) {
			left.Add(1)
			return nil
		}
		return err
	})
	if n := batch.Failed(); n > 0 {
		e.Tell("%d of %s could not be repaired", n, span.Counted(int64(len(all)), "file"))
	}
	if err == nil && left.Load() > 0 {
		return env.ErrProblems
	}
	return err
}

// checkSeveral reports flags that are about one file.
func (o *Options) checkSeveral() error {
	if err := o.CheckSeveral(); err != nil {
		return err
	}
	if o.At >= 0 || o.Choose > 1 {
		return errors.New("--at and --choose are about one file")
	}
	return nil
}
