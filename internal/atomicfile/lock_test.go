package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"varview/decoder/engine/openfile"
	"varview/internal/filelock"
)

// number reads the file as a number.
func number(t *testing.T, path string) int {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(string(b))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var errChanged = errors.New("it has changed")

// read reads a file as the program does.
func read(path string) ([]byte, error) {
	f, err := openfile.Read(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// increment adds one to the number in a file, if that is still what it was when it was read.
func increment(path string, o Options) error {
	b, err := read(path)
	if err != nil {
		return err
	}
	was, err := os.Stat(path)
	if err != nil {
		return err
	}
	o.Unchanged = func() error {
		now, err := read(path)
		info, err2 := os.Stat(path)
		if err != nil || err2 != nil || string(now) != string(b) || !os.SameFile(info, was) {
			return errChanged
		}
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return err
	}
	return Replace(context.Background(), path, o, put(fmt.Sprint(n+1)))
}

// TestExtendWaits: the lock under which the new file was written may be held for a moment by a process
// that was started meanwhile and has not yet run its program.
func TestExtendWaits(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.OpenFile(filepath.Join(t.TempDir(), name), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	l, next := &Lock{open("old")}, open("new")
	if ok, err := filelock.Try(next); !ok {
		t.Skip("files cannot be locked here: ", err)
	}
	time.AfterFunc(50*time.Millisecond, func() { next.Close() })
	settle, err := l.extend(next.Name())
	if err != nil {
		t.Fatal(err)
	}
	settle(false)
}

// TestWriters: the file counts exactly the increments that have succeeded, however many writers there
// are, with locks, and with exchanging alone if nothing can be locked.
func TestWriters(t *testing.T) {
	for _, noLock := range []bool{false, true} {
		for _, writers := range []int{2, 10, 50} {
			t.Run(fmt.Sprintf("%d, locked: %v", writers, !noLock), func(t *testing.T) {
				dir := folder(t)
				path := file(t, dir, "a", "0", 0o600)
				if noLock && exchange(path, path) != nil {
					t.Skip("files cannot be exchanged here")
				}
				var all sync.WaitGroup
				var done, refused atomic.Int64
				for i := range writers {
					all.Go(func() {
						for range 100 / writers {
							o := Options{noLock: noLock}
							if i%2 == 0 {
								o.Backup = path + "~"
							}
							switch err := increment(path, o); {
							case err == nil:
								done.Add(1)
							case errors.Is(err, errChanged), errors.Is(err, os.ErrNotExist), errors.Is(err, errUnsettled), errors.Is(err, os.ErrExist), errors.Is(err, ErrBusy):
								refused.Add(1)
							default:
								t.Error(err)
							}
						}
					})
				}
				all.Wait()
				if n := number(t, path); int64(n) != done.Load() || n == 0 {
					t.Errorf("%d have succeeded, %d are in the file", done.Load(), n)
				}
				t.Logf("%d done, %d refused", done.Load(), refused.Load())
				if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
					t.Errorf("left: %q", left)
				}
			})
		}
	}
}

// TestLocked: the second program waits, and fails after a while; a replaced file stays locked, whatever
// path leads to it; and a released lock is free.
func TestLocked(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "old", 0o600)
	link := filepath.Join(dir, "link")
	os.Symlink("a", link)
	names := map[string]string{"a": "mine", "link": "mine"}
	if _, err := os.Lstat(link); err != nil { // on Windows few may make links, and Wine 8 only says that it has made one
		link = path
		delete(names, "link")
	}
	l, err := Acquire(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), link, Options{Lock: l}, put("mine")); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	err = Replace(t.Context(), link, Options{}, put("theirs"))
	if !errors.Is(err, ErrBusy) || time.Since(begun) < patience || err.Error() != "not saved: another program has kept it locked for 2 s; try again" {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
	holds(t, dir, names)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Acquire(cancelled, path); err != context.Canceled {
		t.Error(err)
	}
	time.AfterFunc(50*time.Millisecond, l.Release)
	if err := Replace(t.Context(), path, Options{}, put("theirs")); err != nil {
		t.Error(err)
	}
	if l, err := Acquire(t.Context(), filepath.Join(dir, "none")); err != nil || l.f != nil {
		t.Error(err)
	}
}

// TestLockOfKilled: if a program is killed while it replaces the file, its lock is gone too.
func TestLockOfKilled(t *testing.T) {
	path := file(t, folder(t), "a", "old", 0o600)
	c := child(t, order{Path: path, Content: "new", HoldAt: "place"})
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	f, err := openLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := Acquire(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it is not locked: %v", err)
	}
	c.Process.Kill()
	c.Wait()
	l, err := Acquire(t.Context(), path)
	if err != nil {
		t.Error(err)
	}
	l.Release()
}

// TestSwap: what a program without locks does at the last moment is noticed.
func TestSwap(t *testing.T) {
	for _, c := range []struct {
		about   string
		meddle  func(path string) error
		content string // of the file afterwards
		error   error
	}{
		{"nothing", func(string) error { return nil }, "new", nil},
		{"replaced", func(path string) error {
			return errors.Join(os.WriteFile(path+".x", []byte("theirs"), 0o600), os.Rename(path+".x", path))
		}, "theirs", errChanged},
		{"replaced by one of the same size", func(path string) error {
			return errors.Join(os.WriteFile(path+".x", []byte("odd"), 0o600), os.Rename(path+".x", path))
		}, "odd", errChanged},
		{"written", func(path string) error { return os.WriteFile(path, []byte("odd"), 0o600) }, "odd", errChanged},
		{"replaced by the same", func(path string) error {
			return errors.Join(os.WriteFile(path+".x", []byte("old"), 0o600), os.Rename(path+".x", path))
		}, "new", nil},
		{"gone", os.Remove, "new", nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := folder(t)
			path := file(t, dir, "a", "old", 0o600)
			if exchange(path, path) != nil {
				t.Skip("files cannot be exchanged here")
			}
			time.Sleep(12 * time.Millisecond) // or the time of two writes can be the same
			err := Replace(t.Context(), path, Options{
				Unchanged: func() error {
					if b, err := os.ReadFile(path); err == nil && string(b) != "old" {
						return errChanged
					}
					return nil
				},
				step: func(name string) error {
					if name == "place" {
						return c.meddle(path)
					}
					return nil
				},
			}, put("new"))
			if err != c.error {
				t.Errorf("%v, want %v", err, c.error)
			}
			holds(t, dir, map[string]string{"a": c.content})
		})
	}
}

// TestInPlace writes into the file itself, which keeps its other names, and keeps a copy.
func TestInPlace(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "a long old file", 0o640)
	if err := os.Link(path, filepath.Join(dir, "b")); err != nil {
		t.Skip(err)
	}
	if err := Replace(t.Context(), path, Options{InPlace: true}, put("new")); err == nil {
		t.Error("without a copy")
	}
	if err := Replace(t.Context(), path, Options{InPlace: true, Backup: path + "~"}, put("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a": "new", "b": "new", "a~": "a long old file"})
}

func TestBackupName(t *testing.T) {
	long := ""
	for len(long) < 255 {
		long += "ä"[:min(2, 255-len(long))]
	}
	for name, want := range map[string]string{"/s/a": "/s/a~", "/s/" + long[:254]: "/s/" + long[:254] + "~", "/s/" + long: "/s/" + long[:254] + "~"} {
		if got := BackupName(name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAskedAgain: if another program is just about to replace the file, Unchanged is asked again once
// that program is done.
func TestAskedAgain(t *testing.T) {
	torn := errors.New("it seems to be written into")
	for _, when := range []string{"ask", "write"} {
		dir := folder(t)
		path := file(t, dir, "a", "0", 0o600)
		other, err := Acquire(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		var done atomic.Bool
		release := func() {
			done.Store(true)
			other.Release()
		}
		o := Options{Unchanged: func() error {
			switch {
			case done.Load():
				return errChanged
			case when == "ask":
				time.AfterFunc(20*time.Millisecond, release)
				return torn
			}
			return nil
		}}
		err = Replace(context.Background(), path, o, func(context.Context, *os.File) error {
			time.AfterFunc(20*time.Millisecond, release)
			return torn
		})
		if err != errChanged {
			t.Errorf("%s: %v, want %v", when, err, errChanged)
		}
	}
}
