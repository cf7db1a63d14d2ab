// Package atomicfile replaces files without ever losing one: whatever happens, the
// path has the complete old content or the complete new content.
package atomicfile

import (
	"context"
	"io/fs"
	"os"
)

// Options say how to replace a file.
type Options struct {
	// Backup is the path at which the old file is kept, replacing a file there; "" keeps none. It is not
	// touched before everything else is ready.
	Backup string

	// Unchanged, if not nil, is called before anything is written, and again under the lock right before
	// the old file is replaced. If it fails, the replacement ends and its error is returned as it is.
	Unchanged func() error

	// Lock is the caller's lock on the file; nil to lock it when it is replaced.
	Lock *Lock

	// InPlace writes into the old file itself, once the new content is on disk and a copy of the old one is
	// at Backup. It is for a file that cannot be replaced, or would get another owner. While it is being
	// written, it has neither content completely.
	InPlace bool

	// Mode is the mode of a file that did not exist, less the umask; 0 for 0666.
	Mode fs.FileMode

	// New refuses a path that exists.
	New bool

	// Size is the number of bytes that will be written; 0 if unknown. The error mentions it if they do not
	// fit.
	Size int64

	step               func(name string) error // tests: called before each step; its error stands for the step's own
	noLock, noExchange bool                    // tests: the system cannot do it
}

// Replace writes a file next to path and renames it to path. A symbolic link is
// followed: its target is replaced, or created. The new file keeps mode, owner,
// group and extended attributes of the old one as far as the system allows; other
// hard links to the old file keep the old content. A file without write permission
// is not replaced, nor is anything but a regular file, nor one that would get another owner.
//
// From the second call of Unchanged until the new file is in place, the file is locked, so that each of
// several programs sees what the others did. Programs that do not lock the file are noticed if the system
// can exchange files: the file that comes out is compared.
//
// write fills the new file, which is empty. A failure of a step of Replace,
// including a write to the new file, is an *Error; other errors of write, and that
// of ctx, are returned as they are. After an error the old file is as it was,
// unless Error.Placed is set, and no temporary file is left.
//
// A killed program can leave temporary files, named .NAME.varview-PROCESS-NUMBER. The next replacement of
// any file in the folder, or Tidy, removes them.
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
	cannot string // what is impossible if the step fails; "" if its errors say so themselves
	do     func() error
}

func (r *replacement) steps(ctx context.Context, write func(context.Context, *os.File) error) []step {
	return []step{
		{"look", "", r.look},
		{"check in place", "", r.checkInPlace},
		{"ask", "", func() error { return r.settled(ctx, r.ask()) }},
		{"tidy", "", r.tidy},
		{"create", notCreated, r.create},
		{"write", "", func() error { return r.settled(ctx, r.writeError(write(ctx, r.temp))) }},
		{"attributes", "its permissions cannot be kept", r.keepAttributes},
		{"sync", notWritten, func() error { return r.sync(ctx) }},
		{"close", notWritten, func() error { return r.temp.Close() }},
		{"lock", "", func() error { return r.acquire(ctx) }},
		{"ask again", "", r.ask},
		{"look again", notPlaced, r.checkFree},
		{"prepare backup", "the old file cannot be kept as " + r.Backup, func() error { return r.prepareBackup(ctx) }},
		{"backup", "the old file cannot be kept as " + r.Backup, r.placeBackup},
		{"place", notPlaced, r.place},
		{"sync folder", "it is not sure to survive a power failure", func() error { return syncFolder(r.target) }},
	}
}

// What is impossible when no new file can be made, its bytes do not reach the disk, or the old file cannot be replaced.
const (
	notCreated = "no file can be made in its folder"
	notWritten = "the new content cannot be written"
	notPlaced  = "the new file cannot be put in its place"
)

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
