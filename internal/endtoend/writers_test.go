package endtoend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"varview/internal/atomicfile"
	"varview/model"
	"varview/model/explore"
)

// command is a command of varview in a process of its own.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, args...)
	c.Args[0] = "varview"
	return c
}

// TestWriters: if several commands add one to a value at the same time, each that reports success has
// added one, and the others report failure.
func TestWriters(t *testing.T) {
	for _, processes := range []int{2, 10, 50} {
		t.Run(fmt.Sprint(processes), func(t *testing.T) {
			path := ownCopy(t, "testdata/godot4/save-player-stats.bin")
			run(t, 0, "set", path, "[0].hp=0")
			var all sync.WaitGroup
			var mu sync.Mutex
			done := 0
			for range processes {
				all.Go(func() {
					c := command(t, "set", path, "[0].hp=+1")
					out, err := c.CombinedOutput()
					mu.Lock()
					defer mu.Unlock()
					switch busy := strings.Contains(string(out), "kept it locked for 2 s"); {
					case err == nil:
						done++
					case c.ProcessState.ExitCode() != 2 || !busy:
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			all.Wait()
			if got, want := run(t, 0, "get", path, "[0].hp").stdout, fmt.Sprintln(done); got != want || done == 0 {
				t.Errorf("%d of %d have added one; the value is %s", done, processes, got)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// TestLongName: a file whose name leaves no room for ~ is saved and kept nevertheless.
func TestLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	data, err := os.ReadFile("testdata/godot4/save-player-stats.bin")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Skip(err)
	}
	run(t, 0, "set", path, "[0].hp=1")
	if kept, err := os.ReadFile(path[:len(path)-1] + "~"); err != nil || string(kept) != string(data) {
		t.Error(err)
	}
}

// TestBusy: a command waits for a program that saves the file, and then fails. The file can be read
// meanwhile.
func TestBusy(t *testing.T) {
	long(t)
	path := ownCopy(t, "testdata/godot4/save-player-stats.bin")
	l, err := atomicfile.Acquire(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	want := "varview: " + path + ": not saved: another program has kept it locked for 2 s; try again\n"
	if got := run(t, 2, "set", path, "[0].hp=1").stderr; got != want {
		t.Errorf("%swant %s", got, want)
	}
	run(t, 0, "set", path, "[0].hp=1", "--dry-run")
	run(t, 0, "set", path, "[0].hp=1", "-o", path+".copy")
	run(t, 0, "get", path, "[0].hp")
}

// TestSavedTogether: if two programs save a file at the same time, one succeeds, and the other learns
// that it has changed.
func TestSavedTogether(t *testing.T) {
	ctx := context.Background()
	path := ownCopy(t, "testdata/godot4/save-player-stats.bin")
	for i := range 30 {
		var saved [2]error
		var values [2]string
		var saves [2]*model.Saving
		var together sync.WaitGroup
		for k := range saved {
			d := openModel(t, path, model.Options{NoBackup: i%2 == 0, Guard: i%3 > 0, CopyLimit: int64(i % 3)})
			defer func() { d.Close() }()
			b := d.Innermost()
			n, err := b.Resolve("[0].hp")
			if err != nil {
				t.Fatal(err)
			}
			values[k] = fmt.Sprint(1000 + 2*i + k)
			p, err := d.Prepare(ctx, b, explore.New(b).Set(n, values[k]))
			if err == nil {
				_, err = d.Make(ctx, p)
			}
			if err != nil {
				t.Fatal(err)
			}
			if saves[k], err = d.Save(model.SaveOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		for k, s := range saves { // once both are open: a file opened later has what was saved before
			together.Go(func() { saved[k] = s.Write(ctx, new(model.Progress)) })
		}
		together.Wait()
		winner := 0
		if saved[0] != nil {
			winner = 1
		}
		var changed *model.ChangedError
		if saved[winner] != nil || !errors.As(saved[1-winner], &changed) {
			t.Fatalf("%v, and %v", saved[0], saved[1])
		}
		if got := run(t, 0, "get", path, "[0].hp").stdout; got != values[winner]+"\n" {
			t.Fatalf("the value is %s, saved was %s", got, values[winner])
		}
	}
}
