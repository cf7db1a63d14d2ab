// Package atomicfile replaces files without ever losing one: whatever happens,
// the path holds the old content whole or the new.
package atomicfile

import (
	"context"
	"io/fs"
	"os"
)

// Options say how to replace a file.
type Options struct {
	// Backup is the path at which the old file is kept, in place of what is there.
	// Empty for none. It is not touched unless all else is ready.
	Backup string

	// Unchanged, if not nil, is asked before anything is written and again right
	// before the old file is replaced. Its error ends the replacement and is given
	// as it is.
	Unchanged func() error

	// Mode is what a file gets that did not exist, less the umask; 0 for 0666.
	Mode fs.FileMode

	// New refuses a path that is there already.
	New bool

	// Size is how many bytes will be written, 0 if that is not known. It is told
	// where they do not fit.
	Size int64

	step func(name string) error // tests: called before each step; an error is taken for the step's own
}

// Replace writes a file beside path and puts it in its place. A symbolic link is
// followed: what it leads to is replaced, or made. The new file keeps mode, owner,
// group and extended attributes of the old one as far as the system lets it; other
// hard links to the old file keep the old content. A file without write permission
// is not replaced, nor is what is no regular file.
//
// write fills the new file, which is empty. What fails in a step of Replace, a
// write to the new file included, is told as an *Error; other errors of write,
// and that of ctx, are given as they are. After an error the old file is as it was,
// unless Error.Placed says else, and no temporary file is left.
//
// A killed program can leave temporary files, named .NAME.varview-NUMBER. The
// next replacement of the same file removes those that are older than a day.
func Replace(ctx context.Context, path string, o Options, write func(ctx context.Context, f *os.File) error) error {
	r := &replacement{Options: o, path: path, need: o.Size}
	defer r.cleanUp()
	for _, s := range r.steps(ctx, write) {
		if err := ctx.Err(); err != nil && !r.placed {
			return err
		}
		if err := r.take(s); err != nil {
			return err
		}
	}
	return nil
}

// A step is a part of a replacement.
type step struct {
	name   string
	cannot string // what is not possible if it fails; "" if its errors tell that themselves
	do     func() error
}

func (r *replacement) steps(ctx context.Context, write func(context.Context, *os.File) error) []step {
	return []step{
		{"look", "", r.look},
		{"ask", "", r.ask},
		{"tidy", "", r.removeStale},
		{"create", "no file can be made in its folder", r.create},
		{"write", "", func() error { return r.writeError(write(ctx, r.temp)) }},
		{"attributes", "its permissions cannot be kept", r.keepAttributes},
		{"sync", notWritten, func() error { return r.temp.Sync() }},
		{"close", notWritten, func() error { return r.temp.Close() }},
		{"prepare backup", "the old file cannot be kept as " + r.Backup, func() error { return r.prepareBackup(ctx) }},
		{"ask again", "", r.ask},
		{"backup", "the old file cannot be kept as " + r.Backup, r.placeBackup},
		{"place", "the new file cannot be put in its place", r.place},
		{"sync folder", "it is not sure to survive a power failure", func() error { return syncFolder(r.target) }},
	}
}

// notWritten is what is not possible when bytes do not reach the disk.
const notWritten = "the new content cannot be written"

func (r *replacement) take(s step) error {
	if r.step != nil {
		if err := r.step(s.name); err != nil {
			return r.failed(s.cannot, err)
		}
	}
	if err := s.do(); err != nil {
		return r.failed(s.cannot, err)
	}
	return nil
}
