//go:build unix

package atomicfile

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// TestMode checks that a file keeps its mode, and that nobody else can read the new
// one until it has it.
func TestMode(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o640, 0o666, 0o777, 0o604, 0o200, 0o644 | fs.ModeSetuid} {
		path := file(t, folder(t), "a", "old", mode)
		err := Replace(t.Context(), path, Options{Backup: path + "~"}, func(_ context.Context, f *os.File) error {
			if got := modeOf(t, f.Name()); got != 0o600 {
				t.Errorf("%v while it is written", got)
			}
			return nil
		})
		if err != nil && !(mode == 0o200 && os.Geteuid() != 0) {
			t.Fatal(err)
		}
		if got := modeOf(t, path); got != mode {
			t.Errorf("%v, want %v", got, mode)
		}
		if got := modeOf(t, path+"~"); got != mode {
			t.Errorf("backup: %v, want %v", got, mode)
		}
	}
}

func TestModeOfNew(t *testing.T) {
	umask := syscall.Umask(0o027)
	defer syscall.Umask(umask)
	for mode, want := range map[fs.FileMode]fs.FileMode{0: 0o640, 0o666: 0o640, 0o600: 0o600, 0o777: 0o750} {
		path := filepath.Join(folder(t), "a")
		if err := Replace(t.Context(), path, Options{Mode: mode}, put("new")); err != nil {
			t.Fatal(err)
		}
		if got := modeOf(t, path); got != want {
			t.Errorf("%v becomes %v, want %v", mode, got, want)
		}
	}
}

func ownersOf(t *testing.T, path string) [2]uint32 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	s := info.Sys().(*syscall.Stat_t)
	return [2]uint32{s.Uid, s.Gid}
}

func TestOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	path := file(t, folder(t), "a", "old", 0o640)
	if err := os.Chown(path, 1234, 2345); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, Options{}, put("new")); err != nil {
		t.Fatal(err)
	}
	if got := ownersOf(t, path); got != [2]uint32{1234, 2345} {
		t.Errorf("owner and group are %d", got)
	}
	if got := modeOf(t, path); got != 0o640 {
		t.Errorf("mode %v", got)
	}
}
