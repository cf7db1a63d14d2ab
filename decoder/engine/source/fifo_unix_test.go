//go:build unix

package source

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is refused before anybody has to write into it.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := OpenFile(name); err == nil || err.Error() != "is a pipe, not a regular file" {
		t.Error(err)
	}
}
