package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"varview/decoder/engine/openfile"
)

// checkInPlace refuses to write into a file of which no copy is kept.
func (r *replacement) checkInPlace() error {
	if r.InPlace && r.Backup == "" && r.old != nil {
		return refuse(fs.ErrInvalid, "a file is only written in place if a copy of it is kept")
	}
	return nil
}

// overwrite writes the new content into the old file itself. If that fails, it puts back the old content,
// of which there is a copy by then.
func (r *replacement) overwrite() error {
	err := copyInto(r.target, r.temp.Name())
	if err == nil {
		remove(r.temp.Name())
		return nil
	}
	cannot := notWritten
	if copyInto(r.target, r.Backup) != nil {
		cannot = "the file is damaged now, its old content is " + r.Backup
	}
	e := because(cannot, err)
	if info, err := os.Stat(r.temp.Name()); err == nil {
		r.need = info.Size()
	}
	e.reason += r.needed(e.Err)
	return e
}

// copyInto replaces the content of one file by another's.
func copyInto(to, from string) error {
	in, err := openfile.Read(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := openfile.Open(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, in)
	if err == nil {
		err = out.Truncate(n)
	}
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// maxName is the largest length in bytes of a file name on most systems.
const maxName = 255

// BackupName returns the path at which the old content of a file is kept, which ends in ~. A name that
// would become too long is cut.
func BackupName(path string) string {
	folder, name := filepath.Split(path)
	return folder + cut(name, maxName-1) + "~"
}
