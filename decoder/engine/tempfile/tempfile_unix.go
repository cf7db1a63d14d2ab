//go:build unix

package tempfile

import "os"

func create(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "varview-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
