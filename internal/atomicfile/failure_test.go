package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stepNames are the steps of a replacement in their order.
func stepNames() []string {
	var names []string
	for _, s := range new(replacement).steps(context.Background(), nil) {
		names = append(names, s.name)
	}
	return names
}

// TestEveryStepFails checks that whichever step fails, the old file is whole, or
// the new one if Placed is set, and that no temporary file is left.
func TestEveryStepFails(t *testing.T) {
	names := stepNames()
	if len(names) < 10 {
		t.Fatalf("%d steps", len(names))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			path := file(t, dir, "a", "old", 0o600)
			file(t, dir, "a~", "older", 0o600)
			failed := errors.New("the sky has fallen")
			err := Replace(t.Context(), path, Options{Backup: path + "~", step: func(s string) error {
				if s == name {
					return &fs.PathError{Op: "fall", Path: "/secret", Err: failed}
				}
				return nil
			}}, put("new"))
			if !errors.Is(err, failed) {
				t.Fatalf("the error is %v", err)
			}
			want := map[string]string{"a": "old", "a~": "older"}
			switch name {
			case "place":
				want["a~"] = "old"
			case "sync folder":
				want = map[string]string{"a": "new", "a~": "old"}
			}
			var e *Error
			placed := errors.As(err, &e) && e.Placed
			if placed != (want["a"] == "new") || e != nil && strings.Contains(err.Error(), "/secret") {
				t.Errorf("placed: %v; %v", placed, err)
			}
			holds(t, dir, want)
		})
	}
}

// TestCancelled checks the same for a context that ends.
func TestCancelled(t *testing.T) {
	for _, name := range stepNames() {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			path := file(t, dir, "a", "old", 0o600)
			ctx, cancel := context.WithCancel(t.Context())
			err := Replace(ctx, path, Options{step: func(s string) error {
				if s == name {
					cancel()
				}
				return nil
			}}, put("new"))
			cancel()
			if name == "place" || name == "sync folder" {
				if err != nil {
					t.Error(err)
				}
				holds(t, dir, map[string]string{"a": "new"})
				return
			}
			if err != context.Canceled {
				t.Errorf("the error is %v", err)
			}
			holds(t, dir, map[string]string{"a": "old"})
		})
	}
}

func TestWriteFails(t *testing.T) {
	failed := errors.New("the source is gone")
	for _, c := range []struct {
		about string
		write func(context.Context, *os.File) error
		want  string
	}{
		{"of its own", func(context.Context, *os.File) error { return failed }, failed.Error()},
		{"of the new file", func(_ context.Context, f *os.File) error {
			return fmt.Errorf("copying: %w", &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC})
		}, "not saved: the new content cannot be written: no space left on the device; 12.4 MiB are needed"},
		{"of another file", func(context.Context, *os.File) error {
			return &fs.PathError{Op: "read", Path: "/b", Err: failed}
		}, "read /b: the source is gone"},
	} {
		t.Run(c.about, func(t *testing.T) {
			if isWindows && c.about == "of the new file" {
				t.Skip("ENOSPC is no error of this system")
			}
			path := file(t, folder(t), "a", "old", 0o600)
			err := Replace(t.Context(), path, Options{Size: 12_988_000}, c.write)
			if err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
			holds(t, filepath.Dir(path), map[string]string{"a": "old"})
		})
	}
}

// TestPanic checks that a panic while the new file is written leaves no part of it.
func TestPanic(t *testing.T) {
	path := file(t, folder(t), "a", "old", 0o600)
	func() {
		defer func() { recover() }()
		Replace(t.Context(), path, Options{}, func(context.Context, *os.File) error { panic("oh") })
	}()
	holds(t, filepath.Dir(path), map[string]string{"a": "old"})
}

// TestFolderVanishes removes the folder while the new file is written.
func TestFolderVanishes(t *testing.T) {
	if isWindows {
		t.Skip("an open file keeps its folder")
	}
	for _, gone := range []bool{true, false} {
		dir := filepath.Join(folder(t), "saves")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := file(t, dir, "a", "old", 0o600)
		err := Replace(t.Context(), path, Options{Backup: path + "~"}, func(context.Context, *os.File) error {
			if gone {
				return os.RemoveAll(dir)
			}
			return os.Remove(path)
		})
		want := "not saved: the old file cannot be kept as " + path + "~: the folder or the file is gone"
		if !errors.Is(err, fs.ErrNotExist) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestBackupImpossible checks that a file is not replaced if no backup can be kept.
func TestBackupImpossible(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "old", 0o600)
	inTheWay := filepath.Join(dir, "kept")
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, backup := range []string{inTheWay, filepath.Join(dir, "none", "a~"), filepath.Join(dir, strings.Repeat("x", 300))} {
		err := Replace(t.Context(), path, Options{Backup: backup}, put("new"))
		if err == nil || !strings.HasPrefix(err.Error(), "not saved: the old file cannot be kept as "+backup+": ") {
			t.Errorf("%s: %v", backup, err)
		}
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a": "old"})
}

func TestByteSize(t *testing.T) {
	for n, want := range map[int64]string{
		1: "1 B", 1023: "1023 B", 1024: "1.0 KiB", 1048575: "1.0 MiB", 12_988_000: "12.4 MiB",
		1 << 30: "1.0 GiB", 1<<63 - 1: "8.0 EiB",
	} {
		if got := byteSize(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
