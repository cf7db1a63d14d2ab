// Package files finds the files that arguments of commands stand for, which are files, folders and
// patterns, and works on several of them concurrently.
package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"

	"varview/cli/env"
	"varview/decoder"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/atomicfile"
)

// A File is a file that arguments stand for.
type File struct {
	Path   string
	Folder string // folder in which it was found; "" if it was named

	IsOneOf bool // it is one of several
}

// Label returns the name before what is printed about the file; "" if it is the only one.
func (f File) Label() string {
	if !f.IsOneOf {
		return ""
	}
	return env.DisplayName(f.Path)
}

// ErrNoSave is the error of a file in a folder that is not a save. Each leaves it out without a message.
var ErrNoSave = errors.New("this is not a save")

// Open opens a file that must have values. The error is ErrNoSave for a file in a folder that is not a save.
func (f File) Open(ctx context.Context, e *env.Env) (*env.File, error) {
	file, err := e.OpenFile(ctx, f.Path, decoder.Settle)
	if err != nil {
		return nil, err
	}
	if f.Folder != "" && file.IsOther() {
		return nil, cmp.Or(file.Document.Close(), ErrNoSave)
	}
	if err := file.CheckValues(); err != nil {
		file.Finish(&err)
		return nil, err
	}
	return file, nil
}

// A Finder finds files. It calls Fail for what cannot be read, and Tell for what is skipped.
type Finder struct {
	Fail, Tell func(format string, args ...any)
}

// Find returns the files that arguments stand for: themselves, all files below a folder, and the matches
// of a pattern with *, ? and, for folders at any depth, **, unless a file has that very name. Copies FILE~
// are left out of a folder, and of the matches of a pattern that does not itself end in ~.
func (f *Finder) Find(names []string) iter.Seq[File] {
	return func(yield func(File) bool) {
		for _, name := range names {
			paths, err := expand(name)
			if err != nil {
				f.Fail("%s: %v", name, err)
			}
			for _, path := range paths {
				if !f.fileOrFolder(path, yield) {
					return
				}
			}
		}
	}
}

// IsThere reports whether a file or folder has a name, or matches it as a pattern.
func IsThere(name string) bool {
	paths, err := expand(name)
	if err == nil {
		_, err = os.Lstat(paths[0])
	}
	return err == nil
}

// patternSigns are the wildcards of a pattern.
const patternSigns = "*?["

// isPattern reports whether a name is a pattern, and no file has that very name.
func isPattern(name string) bool {
	_, err := os.Lstat(name)
	return err != nil && strings.ContainsAny(name, patternSigns)
}

// Divide splits what stands for several files into a folder and a pattern in it, which is "" for all
// files of a folder. The folder of a single file is "".
func Divide(name string) (folder, pattern string) {
	switch {
	case IsFolder(name):
		return name, ""
	case !isPattern(name):
		return "", ""
	}
	folder = filepath.Dir(name[:strings.IndexAny(name, patternSigns)] + "*")
	pattern, err := filepath.Rel(folder, name)
	if err != nil {
		return "", ""
	}
	return folder, pattern
}

// expand returns the matches of a pattern, or else the name itself. What a folder would leave out, ** leaves out too, unless the
// pattern names it.
func expand(name string) ([]string, error) {
	if !isPattern(name) {
		return []string{name}, nil
	}
	paths, err := doublestar.FilepathGlob(name, doublestar.WithFailOnIOErrors(), doublestar.WithNoFollow())
	if err != nil && !errors.Is(err, doublestar.ErrBadPattern) {
		return nil, source.Plain(err)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		return isCopy(path) && !isCopy(name) || slices.ContainsFunc(histories, func(folder string) bool {
			return slices.Contains(strings.Split(path, string(filepath.Separator)), folder) && !strings.Contains(name, folder)
		})
	})
	if len(paths) == 0 {
		return []string{name}, nil
	}
	slices.Sort(paths)
	return paths, nil
}

// fileOrFolder yields a file, or all files below a folder. It reports whether more are wanted.
func (f *Finder) fileOrFolder(name string, yield func(File) bool) bool {
	if name == "-" || !IsFolder(name) {
		return yield(File{Path: name})
	}
	found, more := false, true
	inside := name + string(filepath.Separator) + "." // of the folder that a link leads to
	filepath.WalkDir(inside, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			found = true
			f.Fail("%s: %v", filepath.Clean(path), source.Plain(err))
		case isForPrograms(entry) && path != inside:
			if entry.IsDir() {
				return fs.SkipDir
			}
		case f.isSave(path, entry, &found):
			found = true
			if more = yield(File{Path: path, Folder: name}); !more {
				return fs.SkipAll
			}
		}
		return nil
	})
	if !found {
		f.Fail("%s: there are no files in this folder", name)
	}
	return more
}

// isSave reports whether an entry of a folder may be a save: a file or a link to one.
func (f *Finder) isSave(path string, entry fs.DirEntry, failed *bool) bool {
	kind := entry.Type()
	if kind&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			*failed = true
			f.Fail("%s: a broken link: %v", path, source.Plain(err))
			return false
		case info.IsDir():
			f.Tell("%s: a link to a folder, which is not followed", path)
			return false
		}
		kind = info.Mode().Type()
	}
	return openfile.IsRegular(kind) && !isSource(path)
}

// histories are the folders in which version controls keep theirs.
var histories = []string{".git", ".hg", ".svn"}

// isForPrograms reports whether an entry of a folder is what programs keep for themselves: the history of a
// version control, a file that is being written, or a copy of one that was replaced.
func isForPrograms(entry fs.DirEntry) bool {
	name := entry.Name()
	return slices.Contains(histories, name) || atomicfile.IsTemporary(name) || isCopy(name) && !entry.IsDir()
}

// isCopy reports whether a file is the copy FILE~ of one that was replaced.
func isCopy(name string) bool { return strings.HasSuffix(name, "~") }

// isSource reports whether a file in a folder is GameMaker source rather than a save.
func isSource(path string) bool { return strings.EqualFold(filepath.Ext(path), ".gml") }

// Run does work on files, several concurrently: each with an environment of its own, and a writer whose
// output appears in the order of the files. A single file is worked on in the given environment. An error
// of do ends the work on all files.
func Run[F any](ctx context.Context, e *env.Env, out io.Writer, files iter.Seq[F], do func(context.Context, *env.Env, F, io.Writer) error) error {
	next, stop := iter.Pull(files)
	defer stop()
	first, ok := next()
	if !ok {
		return nil
	}
	second, more := next()
	if !more {
		return do(ctx, e, first, out)
	}
	waiting := []F{first, second}
	beside := e.Beside()
	return parallel.Write(ctx, parallel.Workers(), out, func() (F, bool) {
		if len(waiting) > 0 {
			one := waiting[0]
			waiting = waiting[1:]
			return one, true
		}
		return next()
	}, func(ctx context.Context, f F, out io.Writer) error { return do(ctx, beside.Beside(), f, out) })
}

// IsFolder reports whether there is a folder of that name.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// A Batch is work on several files. If one fails, the others continue.
type Batch struct {
	*env.Env
	failed, matched, unmatched, skipped atomic.Int64 // numbers of files
}

// Finder returns a finder of files for the batch. What it cannot read counts as failed.
func (b *Batch) Finder() *Finder {
	fail := func(format string, args ...any) {
		b.failed.Add(1)
		b.Tell(format, args...)
	}
	return &Finder{Fail: fail, Tell: b.Tell}
}

// Failed returns how many files have failed so far, or had nothing that was looked for.
func (b *Batch) Failed() int64 { return b.failed.Load() + b.unmatched.Load() }

// Each is Run for a batch. It prints the error of a file; its own error is env.ErrReported if any has
// failed, or env.ErrProblems if in no file there is what do looks for: its error is a tree.ErrNoMatch
// then, or env.ErrProblems if there is nothing to print.
func Each[F any](ctx context.Context, b *Batch, out io.Writer, files iter.Seq[F], do func(context.Context, *env.Env, F, io.Writer) error) error {
	err := Run(ctx, b.Env, out, files, func(ctx context.Context, one *env.Env, f F, out io.Writer) error {
		err := do(ctx, one, f, out)
		switch {
		case ctx.Err() != nil, errors.Is(err, syscall.EPIPE):
			return err
		case err == nil:
			b.matched.Add(1)
			return nil
		case errors.Is(err, ErrNoSave):
			b.skipped.Add(1)
			return nil
		case errors.Is(err, env.ErrProblems):
			b.unmatched.Add(1)
			return nil
		case errors.Is(err, tree.ErrNoMatch):
			b.unmatched.Add(1)
		default:
			b.failed.Add(1)
		}
		one.Tell("%v", err)
		return nil
	})
	switch {
	case err != nil:
		return err
	case b.failed.Load() > 0:
		return env.ErrReported
	case b.matched.Load() > 0, b.unmatched.Load()+b.skipped.Load() == 0:
		return nil
	case b.unmatched.Load() == 0:
		b.Tell("%s, and none is a save", span.Counted(b.skipped.Load(), "file"))
	}
	return env.ErrProblems
}
