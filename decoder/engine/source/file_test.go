package source

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenFile(dir); err == nil || err.Error() != "is a directory" {
		t.Error(err)
	}
	if _, err := OpenFile(filepath.Join(dir, "none")); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("the error names the file, which the caller does: %v", err)
	}
}

func TestChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "save.dat")
	write := func(text string, at time.Time) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Unix(1_700_000_000, 0)
	write("12345678", then)
	f, err := OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Size() != 8 || f.Changed() != "" {
		t.Errorf("%d bytes, changed: %q", f.Size(), f.Changed())
	}
	write("87654321", then.Add(time.Second))
	if f.Changed() != "the file was changed by another program" {
		t.Error(f.Changed())
	}
	write("1234", then)
	if f.Changed() != "the file has become shorter" {
		t.Error(f.Changed())
	}
	w := NewWindow(f)
	if w.U32(4) != 0 || w.Err() == nil {
		t.Errorf("reading on: %v", w.Err())
	}
	write("12345678", then)
	if f.Changed() == "" {
		t.Error("a short read is forgotten")
	}
	os.Remove(name)
	if _, err := os.Stat(name); err == nil {
		t.Skip("Wine 8 keeps the name of a removed file while it is open")
	}
	if f.Changed() != "the file is gone, with a newer save" {
		t.Error(f.Changed())
	}
	write("12345678", then)
	again, err := OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	os.Remove(name)
	if again.Changed() != "the file is gone" { // that one has seen no other content
		t.Error(again.Changed())
	}
}

func TestSpool(t *testing.T) {
	f, err := Spool(strings.NewReader("piped"))
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 5)
	if _, err := f.ReadAt(b, 0); err != nil || string(b) != "piped" || f.Size() != 5 || f.Changed() != "" {
		t.Errorf("%q, %v", b, err)
	}
	if f.Close() != nil {
		t.Error("not closed")
	}
}

// TestHeld: few bytes need no temporary file, and are those that were given.
func TestHeld(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	b := []byte("content")
	f, err := Held(b)
	if err != nil {
		t.Fatal(err)
	}
	b[0] = 'x'
	got := make([]byte, 10)
	if n, err := f.ReadAt(got, 1); string(got[:n]) != "ontent" || err != io.EOF || f.Size() != int64(len(b)) {
		t.Errorf("%q of %d bytes, %v", got[:n], f.Size(), err)
	}
	if n, _ := f.ReadAt(got, 0); string(got[:n]) != "content" || f.Guard() || f.Changed() != "" || f.Close() != nil {
		t.Errorf("%q", got[:n])
	}
	if f, err := Held(make([]byte, 2<<20)); err == nil && runtime.GOOS != "windows" {
		t.Errorf("%d bytes are kept in memory", f.Size())
	}
}
