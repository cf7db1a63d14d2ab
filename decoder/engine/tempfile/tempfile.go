// Package tempfile makes temporary files that are gone once they are closed, however the
// program ends.
package tempfile

import "os"

// Create makes an empty file for reading and writing in folder, or in the system's folder of temporary
// files if folder is "". Only the user can read it, and nobody can find it by name: on Unix its name is
// removed at once, and Windows removes the file when it is closed.
func Create(folder string) (*os.File, error) {
	if folder == "" {
		folder = os.TempDir()
	}
	return create(folder)
}
