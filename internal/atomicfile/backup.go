package atomicfile

import (
	"context"
	"io"
	"os"

	"varview/decoder/engine/openfile"
)

// prepareBackup gives the old file a second, temporary name in the folder of the backup. It is copied if files cannot have two
// names, or not across these folders, and if this one has more: whoever writes into it by another name would change the backup.
func (r *replacement) prepareBackup(ctx context.Context) error {
	if r.Backup == "" || r.old == nil {
		return nil
	}
	if !r.InPlace && !hasOtherNames(r.old) {
		err := tryNames(r.Backup, func(name string) error {
			err := os.Link(r.target, name)
			if err == nil {
				r.backup = name
			}
			return err
		})
		if err == nil {
			return nil
		}
	}
	r.need = r.old.Size()
	f, err := createBeside(r.Backup, 0o600)
	if err != nil {
		return err
	}
	r.backup = f.Name()
	defer f.Close()
	return r.copyOld(ctx, f)
}

// copyOld makes f a copy of the old file.
func (r *replacement) copyOld(ctx context.Context, f *os.File) error {
	old, err := openfile.Read(r.target)
	if err != nil {
		return err
	}
	defer old.Close()
	if _, err := io.Copy(f, &cancelled{ctx, old}); err != nil {
		return err
	}
	if _, err := keepAttributes(r.target, r.old, f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Chtimes(f.Name(), r.old.ModTime(), r.old.ModTime())
}

// A cancelled reader ends with its context.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// placeBackup renames the backup to its final name.
func (r *replacement) placeBackup() error {
	if r.backup == "" {
		return nil
	}
	if err := rename(r.backup, r.Backup); err != nil {
		return err
	}
	// Renaming does nothing if both names are of one file, as they are when an earlier replacement ended
	// here.
	remove(r.backup)
	r.backup = ""
	return syncFolder(r.Backup)
}
