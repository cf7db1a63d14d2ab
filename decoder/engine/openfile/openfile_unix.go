//go:build unix

package openfile

import (
	"io/fs"
	"os"
)

// Replaceable says that an open file can always be replaced.
const Replaceable = true

const alsoRegular fs.FileMode = 0

func open(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, perm)
}
