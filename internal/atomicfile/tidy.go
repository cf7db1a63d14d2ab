package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"varview/decoder/engine/openfile"
	"varview/internal/filelock"
)

const (
	// maxListed is the largest number of names in a folder that are searched for abandoned files.
	maxListed = 100_000
	// staleAge is the age from which a temporary file counts as abandoned if files cannot be locked.
	staleAge = 24 * time.Hour
)

// Tidy removes the temporary files in the folder of path that killed programs have left
// there. Those that cannot be removed stay.
func Tidy(path string) {
	if target, _, err := follow(path); err == nil {
		tidy(target)
	}
}

// SyncFolder writes the names in the folder of path to the disk, where the system can.
func SyncFolder(path string) error { return syncFolder(path) }

func (r *replacement) tidy() error {
	tidy(r.target)
	if r.Backup != "" && filepath.Dir(r.Backup) != filepath.Dir(r.target) {
		tidy(r.Backup)
	}
	return nil
}

func tidy(path string) {
	folder, _ := filepath.Split(path)
	dir, err := os.Open(folderName(folder))
	if err != nil {
		return
	}
	defer dir.Close()
	for range maxListed / 1000 {
		names, err := dir.Readdirnames(1000)
		for _, name := range names {
			if of, owner, ok := parseTemporary(name); ok && !isRunning(owner) && isAbandoned(folder+name) {
				discard(folder, name, of)
			}
		}
		if err != nil {
			return
		}
	}
}

// discard removes an abandoned file. A file that was moved out of the way gets its name back, if nothing has taken its place.
func discard(folder, name, of string) {
	if strings.HasSuffix(name, asideMark) && !errors.Is(moveNew(folder+name, folder+of), fs.ErrExist) {
		return
	}
	os.Remove(folder + name)
}

// temporary matches the names of temporary files. It is compiled when first needed.
var temporary = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.(.*)` + regexp.QuoteMeta(mark) + `(\d{1,10})-\d{1,10}(` + asideMark + `)?$`)
})

// IsTemporary reports whether a file has the name of a temporary file, of this process or of another one.
func IsTemporary(name string) bool {
	_, _, ok := parseTemporary(name)
	return ok
}

// parseTemporary returns the name of the file to which a temporary file belongs, which may be cut, and the id of the process
// that created it.
func parseTemporary(name string) (of string, process int, ok bool) {
	if !strings.Contains(name, mark) { // most names
		return "", 0, false
	}
	m := temporary().FindStringSubmatch(name)
	if m == nil {
		return "", 0, false
	}
	process, err := strconv.Atoi(m[2])
	return m[1], process, err == nil && process > 0
}

// isAbandoned reports whether nobody is writing the file; its process may be invisible from here.
func isAbandoned(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || !openfile.IsRegular(info.Mode()) {
		return false
	}
	f, err := openfile.Read(name)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := filelock.Try(f)
	if err != nil {
		return time.Since(info.ModTime()) > staleAge
	}
	return free
}
