package files

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/env"
)

// Selected holds the flags with which a command takes files from a list, and only a part of them.
type Selected struct {
	from  string // a file with names; "" for none
	shard string // "3/16"; "" for all
}

// Register adds the flags to a command.
func (s *Selected) Register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.from, "files-from", "", "`LIST` of further files, a name each line or, if it has NULs, each NUL; - for standard input")
	cmd.Flags().StringVar(&s.shard, "shard", "", "only a part of the files, `I/N` for the I-th of N, as for several machines")
	cmd.RegisterFlagCompletionFunc("shard", cobra.NoFileCompletions)
}

// IsUsed reports whether files also come from a list.
func (s *Selected) IsUsed() bool { return s.from != "" }

// maxList is the largest size of a list of files in bytes.
const maxList = 256 << 20

// Several reports whether the arguments of a command can stand for several files, however many there are
// now.
func (s *Selected) Several(names []string) bool {
	return len(names) != 1 || s.from != "" || s.shard != "" || IsFolder(names[0]) || isPattern(names[0])
}

// IsOne reports whether the files found are a single one that is not part of a set.
func (s *Selected) IsOne(found []File) bool {
	return len(found) == 1 && found[0].Folder == "" && s.from == "" && s.shard == ""
}

// Find returns the files that names and the list stand for, each once, and of these the shard.
func (s *Selected) Find(ctx context.Context, e *env.Env, f *Finder, names []string) (iter.Seq[File], error) {
	keep, err := s.part()
	if err != nil {
		return nil, err
	}
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
			if keep(file.Path) && !yield(file) {
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

// listed returns the names in a list.
func listed(b []byte) (names []string) {
	end := "\n"
	if bytes.IndexByte(b, 0) >= 0 {
		end = "\x00"
	}
	for name := range strings.SplitSeq(string(b), end) {
		if name = strings.TrimSuffix(name, "\r"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// part returns a function that decides whether a file is in the shard. It decides by the path, so that
// adding or removing a file does not move the others.
func (s *Selected) part() (func(path string) bool, error) {
	if s.shard == "" {
		return func(string) bool { return true }, nil
	}
	first, second, ok := strings.Cut(s.shard, "/")
	i, err := strconv.ParseUint(first, 10, 32)
	n, err2 := strconv.ParseUint(second, 10, 32)
	if !ok || err != nil || err2 != nil || i < 1 || i > n {
		return nil, fmt.Errorf("--shard %s: I/N has I from 1 to N, as in 3/16", s.shard)
	}
	return func(path string) bool {
		h := fnv.New64a()
		h.Write([]byte(filepath.ToSlash(filepath.Clean(path))))
		return h.Sum64()%n == i-1
	}, nil
}
