package edits

import (
	"context"
	"errors"
	"io"
	"slices"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/model"
)

// severalAbout ends the help of commands that edit several files.
const severalAbout = `

Several files can be named before --, or be a folder, a pattern with * and **,
or come from --files-from. Each is edited by itself: what cannot be edited is
named, and the others are changed. A folder's copies FILE~ are left alone.`

// isFile reports whether an argument among PATH=VALUE is a file.
func isFile(arg string) bool {
	_, _, ok := model.CutAssignment(arg)
	return !ok && files.IsThere(arg)
}

// editEach has do edit the files that arguments mean, several of them beside each other. Of those that
// could not be edited it says how many they are.
func (e commands) editEach(ctx context.Context, from *files.Selected, names []string, o *flags.Edit, do func(context.Context, commands, string) error) error {
	batch := &files.Batch{Env: e.Env}
	all, err := from.Originals(ctx, batch, names)
	if err != nil {
		return err
	}
	if !from.Several(names) {
		return do(ctx, e, all[0].Path)
	}
	if err := o.CheckSeveral(); err != nil {
		return err
	}
	err = files.Each(ctx, batch, e.ForPeople(e.Stdout), slices.Values(all), func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		return do(ctx, commands{Env: one, file: f, out: out}, f.Path)
	})
	if n := batch.Failed(); n > 0 && len(all) > 0 && errors.Is(err, env.ErrReported) {
		e.Tell("%d of %d files not changed", n, len(all))
	}
	return err
}
