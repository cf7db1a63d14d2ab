//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLinks replaces the targets of symbolic links, and creates missing ones. The
// links stay.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		about  string
		link   string // what saves/a leads to
		target string // where that is
		exists bool
	}{
		{"in the same folder", "b", "saves/b", true},
		{"in another folder", "../elsewhere/b", "elsewhere/b", true},
		{"absolute", "/", "elsewhere/b", true},
		{"to another link", "link", "elsewhere/b", true},
		{"back through a linked folder", "linked/../b", "elsewhere/b", true},
		{"to nothing", "../elsewhere/b", "elsewhere/b", false},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := folder(t)
			for _, name := range []string{"saves", "elsewhere", "elsewhere/deep"} {
				if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			target := filepath.Join(dir, c.target)
			to := c.link
			if to == "/" {
				to = target
			}
			path := filepath.Join(dir, "saves/a")
			for name, to := range map[string]string{path: to, dir + "/saves/link": "../elsewhere/b", dir + "/saves/linked": "../elsewhere/deep"} {
				if err := os.Symlink(to, name); err != nil {
					t.Fatal(err)
				}
			}
			if c.exists {
				file(t, filepath.Dir(target), "b", "old", 0o600)
			}
			if err := Replace(t.Context(), path, Options{}, put("new")); err != nil {
				t.Fatal(err)
			}
			if got, err := os.Readlink(path); err != nil || got != to {
				t.Errorf("the link leads to %s (%v), want %s", got, err, to)
			}
			if b, err := os.ReadFile(target); err != nil || string(b) != "new" {
				t.Errorf("%s holds %q (%v)", target, b, err)
			}
			for _, pattern := range []string{"saves/.*", "elsewhere/.*"} {
				if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) > 0 {
					t.Errorf("left: %s", left)
				}
			}
		})
	}
}

func TestCircle(t *testing.T) {
	dir := folder(t)
	for from, to := range map[string]string{"a": "b", "b": "a"} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	err := Replace(t.Context(), filepath.Join(dir, "a"), Options{}, put("new"))
	if !errors.Is(err, fs.ErrInvalid) || err.Error() != "not saved: its symbolic links lead in a circle" {
		t.Error(err)
	}
}

// TestBackupLink checks that a backup takes the place of a link and does not write
// through it.
func TestBackupLink(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "old", 0o600)
	file(t, dir, "b", "precious", 0o600)
	if err := os.Symlink("b", path+"~"); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, Options{Backup: path + "~"}, put("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a": "new", "a~": "old", "b": "precious"})
}

// TestHardLinks checks that the other names of a file keep its old content.
func TestHardLinks(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "old", 0o600)
	if err := os.Link(path, filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, Options{}, put("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a": "new", "b": "old"})
}

// TestBackupOfTheSame checks that nothing is left where file and backup are one, as
// they are when the program is killed between the two renamings.
func TestBackupOfTheSame(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "old", 0o600)
	if err := os.Link(path, path+"~"); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, Options{Backup: path + "~"}, put("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a": "new", "a~": "old"})
}

// TestPipe checks that a pipe is refused, and not opened, which would wait.
func TestPipe(t *testing.T) {
	path := filepath.Join(folder(t), "a")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, Options{}, put("new")); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}
