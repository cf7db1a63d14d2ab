package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"varview/decoder/engine/background"
	"varview/decoder/engine/openfile"
)

// A replacement is a call of Replace in progress.
type replacement struct {
	Options
	path   string      // as given
	target string      // the file itself, after following symbolic links
	old    fs.FileInfo // state of the target; nil if it does not exist
	temp   *os.File    // the new file
	backup string      // temporary name of the backup; "" if there is none
	need   int64       // size of the file being written; 0 if unknown
	placed bool

	own     *Lock       // ends with the replacement; nil if the lock is the caller's
	seen    fs.FileInfo // state of the target when Unchanged was called; nil if it did not exist
	refusal error       // the error of Unchanged
	foreign bool        // the file with the new file's name belongs to another program
}

// look finds the file to be replaced and checks whether it may be.
func (r *replacement) look() error {
	var err error
	if r.target, r.old, err = follow(r.path); err != nil {
		return err
	}
	if _, name := filepath.Split(r.target); name == "" {
		return refuse(fs.ErrInvalid, "this is the name of a folder")
	}
	if r.old == nil {
		return checkFolder(r.target)
	}
	switch mode := r.old.Mode(); {
	case mode.IsDir():
		return refuse(fs.ErrInvalid, "it is a folder")
	case !openfile.IsRegular(mode):
		return refuse(fs.ErrInvalid, "it is a device, a pipe or a socket")
	case r.New:
		return refuse(fs.ErrExist, "the file exists already")
	case mode.Perm()&0o222 == 0:
		return refuse(fs.ErrPermission, "the file is read-only")
	}
	return checkWritable(r.target)
}

// checkFolder returns an error if there is no folder for a file that does not exist.
func checkFolder(path string) error {
	folder, _ := filepath.Split(path)
	_, err := os.Stat(folderName(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return refuse(fs.ErrNotExist, "there is no folder "+filepath.Clean(folder))
	}
	return nil
}

// checkWritable returns an error if the system does not let the file be written. A file without write
// permission is not replaced, even if its folder allows it.
func checkWritable(path string) error {
	f, err := openfile.Open(path, os.O_WRONLY, 0)
	if err != nil {
		return because("the file cannot be written to", err)
	}
	return f.Close()
}

// maxLinks is the number of symbolic links that are followed, as in Linux.
const maxLinks = 40

// follow returns the file that path leads to, and its info; nil if there is none. Paths are joined as
// text and never cleaned: if a is a link, a/../b is another file than b.
func follow(path string) (target string, info fs.FileInfo, err error) {
	for range maxLinks {
		info, err = os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil, nil
		}
		if err != nil {
			break
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, info, nil
		}
		var to string
		if to, err = os.Readlink(path); err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			folder, _ := filepath.Split(path)
			to = folder + to
		}
		path = to
	}
	if err == nil {
		return "", nil, refuse(fs.ErrInvalid, "its symbolic links lead in a circle")
	}
	return "", nil, because("its details cannot be read", err)
}

// checkFree returns an error if another program keeps the old file from being replaced, which only some systems let it do.
// It is asked before a backup is made, because a hard link to such a file could not be removed.
func (r *replacement) checkFree() error {
	if r.old == nil || r.InPlace {
		return nil
	}
	return checkFree(r.target)
}

// create makes the new file. Until it is complete nobody else may read it, because
// the old one may be private.
func (r *replacement) create() error {
	mode := fs.FileMode(0o600)
	if r.old == nil {
		if mode = r.Mode.Perm(); mode == 0 {
			mode = 0o666
		}
	}
	var err error
	r.temp, err = createBeside(r.target, mode)
	return err
}

// keepAttributes gives the new file the attributes of the old one.
func (r *replacement) keepAttributes() error {
	if r.old == nil {
		return nil
	}
	owner, err := keepAttributes(r.target, r.old, r.temp)
	if err == nil && !owner && !r.InPlace {
		return &Error{Err: fs.ErrPermission, InPlace: true, reason: "the file belongs to " + ownerName(r.old) + ", and a new one would belong to you"}
	}
	return err
}

// sync waits until the new file is on disk. If the context ends first, sync stops waiting, which can take
// long, and the file is removed.
func (r *replacement) sync(ctx context.Context) error {
	var err error
	syncing := background.Start(func() { err = r.temp.Sync() })
	select {
	case <-syncing.Done():
		syncing.Wait()
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// place puts the new file in the place of the old one. If there was none, a file
// that has appeared since is kept.
func (r *replacement) place() error {
	settle, err := r.Lock.extend(r.temp.Name())
	if err != nil {
		return err
	}
	switch {
	case r.old == nil:
		err = moveNew(r.temp.Name(), r.target)
	case r.InPlace:
		err = r.overwrite()
	case r.Unchanged == nil:
		err = rename(r.temp.Name(), r.target)
	default:
		err = r.swap()
	}
	r.placed = err == nil
	settle(r.placed && !r.InPlace)
	return err
}

// cleanUp removes temporary files.
func (r *replacement) cleanUp() {
	if r.temp != nil {
		r.temp.Close()
		if !r.placed && !r.foreign {
			remove(r.temp.Name())
		}
	}
	if r.backup != "" {
		remove(r.backup)
	}
	r.own.Release()
}
