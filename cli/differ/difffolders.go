package differ

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync/atomic"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/output"
	"varview/internal/text"
	"varview/model/compare"
)

// Sides of a comparison of folders.
const (
	inA = 1 << iota
	inB
)

// A side is a folder to be compared: all files in it, or those that match a pattern.
type side struct{ folder, pattern string }

// diffFolders prints what differs between files of the same name in two folders, and which files only one
// of them has. A file that cannot be read does not stop the others.
func (e commands) diffFolders(ctx context.Context, a, b side, o *diffOptions) error {
	if o.patch {
		return errors.New("--patch is for two files, not for folders")
	}
	var different atomic.Int64
	batch := &files.Batch{Env: e.Env}
	finder := batch.Finder()
	sides := map[string]int{}
	for i, of := range []side{a, b} {
		for f := range finder.Find([]string{filepath.Join(of.folder, of.pattern)}) {
			name, err := filepath.Rel(of.folder, f.Path)
			if err != nil || name == of.pattern {
				finder.Fail("%s: no such file or directory", f.Path)
				continue
			}
			sides[name] |= inA << i
		}
	}
	names := slices.Sorted(maps.Keys(sides))
	err := files.Each(ctx, batch, e.Out(o.json), slices.Values(names), func(ctx context.Context, one *env.Env, name string, out io.Writer) error {
		of := *o
		of.label = name
		var differs bool
		var err error
		switch sides[name] {
		case inA:
			differs, err = true, writeOneSided(out, name, compare.Removed, &of)
		case inB:
			differs, err = true, writeOneSided(out, name, compare.Added, &of)
		default:
			differs, err = commands{one, e.decide}.diffFiles(ctx, filepath.Join(a.folder, name), filepath.Join(b.folder, name), &of, out)
		}
		if differs {
			different.Add(1)
		}
		return err
	})
	if err == nil && different.Load() > 0 {
		return env.ErrProblems
	}
	return err
}

// writeOneSided prints that only one folder has a file.
func writeOneSided(out io.Writer, name string, k compare.Kind, o *diffOptions) error {
	if o.names {
		_, err := fmt.Fprintln(out, text.Clean(name))
		return err
	}
	_, err := out.Write(output.AppendOneSided(nil, name, k, o.json))
	return err
}
