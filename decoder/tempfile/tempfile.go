// Package tempfile makes temporary files that are gone once they are closed, however the
// program ends.
package tempfile

import "os"

// Create makes an empty file for reading and writing in folder, "" for the system's folder
// of temporary files. Only the user can read it, and nobody can find it by its name: on
// Unix it has none any more, and Windows removes it when it is closed.
func Create(folder string) (*os.File, error) {
	if folder == "" {
		folder = os.TempDir()
	}
	return create(folder)
}
