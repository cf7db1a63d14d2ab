package files

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/env"
)

// Selected holds the flag with which a command takes files from a list.
type Selected struct {
	from string // a file with names; "" for none
}

// Register adds the flag to a command.
func (s *Selected) Register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.from, "files-from", "", "`LIST` of further files, a name each line or, if it has NULs, each NUL; - for standard input")
}

// IsUsed reports whether files also come from a list.
func (s *Selected) IsUsed() bool { return s.from != "" }

// maxList is the largest size of a list of files in bytes.
const maxList = 256 << 20

// Several reports whether the arguments of a command can stand for several files, however many there are
// now.
func (s *Selected) Several(names []string) bool {
	return len(names) != 1 || s.from != "" || IsFolder(names[0]) || isPattern(names[0])
}

// IsOne reports whether the files found are a single one that is not part of a set.
func (s *Selected) IsOne(found []File) bool {
	return len(found) == 1 && found[0].Folder == "" && s.from == ""
}

// Find returns the files that names and the list stand for, each once.
func (s *Selected) Find(ctx context.Context, e *env.Env, f *Finder, names []string) (iter.Seq[File], error) {
	if s.from != "" {
		b, err := e.ReadSide(ctx, s.from, maxList)
		if err != nil {
			return nil, err
		}
		names = append(names[:len(names):len(names)], listed(b)...)
	}
	all := f.Find(names)
	return func(yield func(File) bool) {
		seen := map[string]bool{}
		for file := range all {
			path, err := filepath.Abs(file.Path)
			if err == nil && file.Path != "-" {
				if seen[path] {
					continue
				}
				seen[path] = true
			}
			if !yield(file) {
				return
			}
		}
	}, nil
}

// Each calls do for all selected files, with the environment and the output of each. A file that cannot
// be read does not stop the others.
func (s *Selected) Each(ctx context.Context, e *env.Env, out io.Writer, names []string, do func(context.Context, *env.Env, File, io.Writer) error) error {
	if err := e.Flags.Check(); err != nil {
		return err
	}
	batch := &Batch{Env: e}
	found, err := s.Find(ctx, e, batch.Finder(), names)
	if err != nil {
		return err
	}
	return Each(ctx, batch, out, found, func(ctx context.Context, one *env.Env, f File, out io.Writer) error {
		f.IsOneOf = s.Several(names)
		return do(ctx, one, f, out)
	})
}

// All returns what Find returns, for a batch.
func (s *Selected) All(ctx context.Context, batch *Batch, names []string) ([]File, error) {
	found, err := s.Find(ctx, batch.Env, batch.Finder(), names)
	if err != nil {
		return nil, err
	}
	return slices.Collect(found), nil
}

// Once leaves out links to files that are among the others, so that each file is edited once.
func Once(all []File) (once []File) {
	isLink := func(f File) bool {
		info, err := os.Lstat(f.Path)
		return err == nil && info.Mode()&fs.ModeSymlink != 0
	}
	kept := map[string]int{} // the file that is edited, by the path without links
	paths := make([]string, len(all))
	for i, f := range all {
		paths[i] = f.Path
		if path, err := filepath.EvalSymlinks(f.Path); err == nil {
			paths[i], _ = filepath.Abs(path)
		}
		if other, ok := kept[paths[i]]; !ok || isLink(all[other]) && !isLink(f) {
			kept[paths[i]] = i
		}
	}
	for i, f := range all {
		if kept[paths[i]] == i {
			once = append(once, f)
		}
	}
	return once
}

// listed returns the names in a list.
func listed(b []byte) (names []string) {
	end := "\n"
	if bytes.IndexByte(b, 0) >= 0 {
		end = "\x00"
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(string(b), "\ufeff"), end) {
		if name = strings.TrimSuffix(name, "\r"); name != "" {
			names = append(names, name)
		}
	}
	return names
}
