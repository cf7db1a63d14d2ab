//go:build unix

package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Files that go with a save are regular and of bounded size: nothing else is waited for or read.
func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	pipe, small, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "small"), filepath.Join(dir, "large")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	const most = 1 << 20
	for path, size := range map[string]int{small: most, large: most + 1} {
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		pipe:                     "is a pipe, not a regular file",
		large:                    "larger than 1 MiB, the most that is read",
		"/dev/zero":              "is not a regular file",
		dir:                      "is a directory",
		filepath.Join(dir, "no"): "no such file or directory",
	} {
		if b, err := ReadRegular(path, most); b != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %d bytes, %v; want %s", path, len(b), err, want)
		}
	}
	if b, err := ReadRegular(small, most); len(b) != most || err != nil {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if _, err := ReadAtMost(strings.NewReader("four"), 3); err == nil {
		t.Error("no limit")
	}
	if b, err := ReadAtMost(strings.NewReader("four"), 4); string(b) != "four" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := ReadRegular(filepath.Join(dir, "no"), most); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
