package model_test

import (
	"os"
	"path/filepath"
	"testing"

	"varview/model/schemas"
)

// TestDescriptions: descriptions are read once for all saves in it, and again for a later command.
func TestDescriptions(t *testing.T) {
	folder := t.TempDir()
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("meta: {id: x}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.ksy")
	write("save.dat")
	l := schemas.NewLoader(nil, nil)
	for range 2 {
		if got := l.Descriptions(folder); len(got) != 1 || got[0].Info().Dialect.About != "described by a.ksy" {
			t.Error(got)
		}
		write("b.ksy")
	}
	if got := schemas.NewLoader(nil, nil).Descriptions(folder); len(got) != 2 {
		t.Error(got)
	}
}
