package openfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is open for reading or writing can be renamed and removed, also by a long path.
func TestOpen(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("long/", 60))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	name, other := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	for _, flag := range []int{os.O_RDWR | os.O_CREATE | os.O_EXCL, os.O_RDWR | os.O_CREATE, os.O_WRONLY | os.O_TRUNC, os.O_RDONLY} {
		f, err := Open(name, flag, 0o600)
		if err != nil {
			t.Fatal(flag, err)
		}
		defer f.Close()
		if flag != os.O_RDONLY {
			if _, err := f.WriteString("text"); err != nil {
				t.Error(flag, err)
			}
		}
		if err := os.Rename(name, other); err != nil {
			t.Errorf("%#x: renamed: %v", flag, err)
		}
		if err := os.Rename(other, name); err != nil {
			t.Errorf("%#x: renamed back: %v", flag, err)
		}
	}
	f, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 10)
	if n, _ := f.Read(b); string(b[:n]) != "text" {
		t.Errorf("it holds %q", b[:n])
	}
	if err := os.Remove(name); err != nil {
		t.Error(err)
	}
	for _, flag := range []int{os.O_RDONLY, os.O_WRONLY} {
		if _, err := Open(filepath.Join(folder, "none"), flag, 0); !os.IsNotExist(err) {
			t.Errorf("no such file: %v", err)
		}
	}
}

// What is written to a file that is opened for appending comes last.
func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	for _, text := range []string{"one ", "two"} {
		f, err := Open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	if b, err := os.ReadFile(name); string(b) != "one two" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); !os.IsExist(err) {
		t.Errorf("it exists: %v", err)
	}
}

func TestIsRegular(t *testing.T) {
	for mode, want := range map[fs.FileMode]bool{0o644: true, fs.ModeDir | 0o755: false, fs.ModeNamedPipe: false, fs.ModeDevice | fs.ModeCharDevice: false} {
		if IsRegular(mode) != want {
			t.Errorf("%v: %v", mode, !want)
		}
	}
}
