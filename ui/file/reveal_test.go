//go:build linux

package file

import (
	"os"
	"path/filepath"
	"testing"
)

// The folder of the file is shown by the program that the user has for folders.
func TestRevealing(t *testing.T) {
	bin, folder := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	script := "#!/bin/sh\necho \"$*\" > " + filepath.Join(bin, "new") + "\n/bin/mv " + filepath.Join(bin, "new") + " " + filepath.Join(bin, "shown") + "\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := revealing(filepath.Join(folder, "a save.dat")).Run(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(bin, "shown")); string(got) != folder+"\n" {
		t.Errorf("%q, %v, want %s", got, err, folder)
	}
}
