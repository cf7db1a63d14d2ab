// Package openfile opens files so that other programs can rename, replace and remove them meanwhile. Unix always lets them;
// Windows only if everybody who has the file open has agreed to it.
package openfile

import (
	"io/fs"
	"os"
)

// Open opens a file like os.OpenFile, with flags for reading, writing, appending, creating and truncating.
func Open(path string, flag int, perm fs.FileMode) (*os.File, error) { return open(path, flag, perm) }

// Read opens a file for reading.
func Read(path string) (*os.File, error) { return open(path, os.O_RDONLY, 0) }

// IsRegular reports whether a file with this mode has bytes that can be read again and again.
func IsRegular(mode fs.FileMode) bool { return mode.Type()&^alsoRegular == 0 }
