package engine_test

import (
	"os"
	"runtime"
	"testing"

	"varview/decoder/engine/tempfile"
)

func TestCreate(t *testing.T) {
	folder := t.TempDir()
	f, err := tempfile.Create(folder)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(names(t, folder)); runtime.GOOS != "windows" && n != 0 {
		t.Errorf("%d files in the folder while it is open", n)
	}
	const want = "content"
	got := make([]byte, len(want))
	if _, err := f.WriteString(want); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAt(got, 0); err != nil || string(got) != want {
		t.Errorf("read %q, %v", got, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left := names(t, folder); len(left) != 0 {
		t.Errorf("%s is left", left)
	}
}

func TestCreateWithoutFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := tempfile.Create("")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := tempfile.Create(t.TempDir() + "/none"); err == nil {
		t.Error("made in a folder that is not there")
	}
}

func names(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
