package model_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varview/model/watch"
)

// TestWait holds that a file that is written in place, replaced or removed for a while is
// noticed, once it does not change any more.
func TestWait(t *testing.T) {
	name := filepath.Join(t.TempDir(), "save.dat")
	write := func(path, content string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(name, "1")
	w := &watch.Watcher{Path: name}
	if err := w.See(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	for i, change := range []func(){
		func() { write(name, "in place") },
		func() { write(name+".new", "1"); os.Rename(name+".new", name) },
		func() { os.Remove(name); time.Sleep(3 * watch.Every); write(name, "again") },
	} {
		go change()
		if err := w.Wait(ctx); err != nil {
			t.Fatalf("change %d: %v", i, err)
		}
		if !w.IsSeen() {
			t.Errorf("change %d is not seen", i)
		}
	}
	soon, stop := context.WithTimeout(ctx, 4*watch.Every)
	defer stop()
	if err := w.Wait(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a change: %v", err)
	}
}

// TestGone checks that a missing file is reported once, each time that it disappears.
func TestGone(t *testing.T) {
	const looks = 10
	name := filepath.Join(t.TempDir(), "save.dat")
	gone := 0
	w := &watch.Watcher{Path: name, Gone: func() { gone++ }}
	for want := 1; want <= 2; want++ {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		w.Look()
		os.Remove(name)
		for i := range 3 * looks {
			w.Look()
			if told := gone == want; told != (i+1 >= looks) {
				t.Fatalf("after %d looks it was told %d times", i+1, gone)
			}
		}
	}
}
