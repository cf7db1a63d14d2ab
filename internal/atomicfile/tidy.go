package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

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
			if !strings.Contains(name, mark) { // most names
				continue
			}
			if owner, ok := ownerOf(name); ok && !isRunning(owner) && isAbandoned(folder+name) {
				os.Remove(folder + name)
			}
		}
		if err != nil {
			return
		}
	}
}

// temporary matches the names of temporary files. It is compiled when first needed.
// IsTemporary reports whether a file has the name of a temporary file, of this process or of another one.
func IsTemporary(name string) bool {
	return strings.Contains(name, mark) && temporary().MatchString(name)
}

var temporary = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\..*` + regexp.QuoteMeta(mark) + `(\d{1,10})-\d{1,10}$`)
})

// ownerOf returns the id of the process that created the temporary file with a name.
func ownerOf(name string) (process int, ok bool) {
	m := temporary().FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	process, err := strconv.Atoi(m[1])
	return process, err == nil && process > 0
}

// isAbandoned reports whether nobody is writing the file; its process may be invisible from here.
func isAbandoned(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
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
