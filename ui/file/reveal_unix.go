//go:build unix

package file

import (
	"os/exec"
	"path/filepath"
	"runtime"
)

// revealing returns the command that shows a file in its folder.
func revealing(path string) *exec.Cmd {
	if runtime.GOOS == "darwin" {
		return exec.Command("open", "-R", path)
	}
	return exec.Command("xdg-open", filepath.Dir(path)) // which selects no file
}
