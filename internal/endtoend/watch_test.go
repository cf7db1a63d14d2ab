package endtoend

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varview/cli"
)

// TestWatch holds that saves in place, by rename and in two parts are each listed once, with
// alerts and as patches that lead back.
func TestWatch(t *testing.T) {
	long(t)
	dir := t.TempDir()
	name, patches := filepath.Join(dir, "save.dat"), filepath.Join(dir, "patches")
	first := readFile(t, "testdata/godot4/save-player-stats.bin")
	if err := os.WriteFile(name, first, 0o644); err != nil {
		t.Fatal(err)
	}
	saved := func(assignment string) []byte {
		out := filepath.Join(t.TempDir(), "out.dat")
		run(t, 0, "set", name, assignment, "-o", out)
		return readFile(t, out)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	said := scratch(t)
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run([]string{"watch", name, "--count", "3", "--json", "--when", "[0].hp>90", "--when", "[0].gold=1", "--patches", patches}, os.Stdin, out, said)
		out.Close()
	}()
	lines := bufio.NewScanner(in)
	wait := func(parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !lines.Scan() || !strings.HasPrefix(lines.Text(), `{"time":"20`) || !strings.HasSuffix(lines.Text(), part) {
				t.Fatalf("%q, not %q; %s", lines.Text(), part, readFile(t, said.Name()))
			}
		}
	}
	untilSaid := func(what string) {
		t.Helper()
		for range 500 {
			if strings.Contains(string(readFile(t, said.Name())), what) {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("%q was not said", what)
	}
	untilSaid("--when [0].gold=1: waiting for such a value: $[0] has no .gold")
	untilSaid("waiting for it to be saved")
	write := func(b []byte) {
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(saved("[0].hp=95"))
	wait(`"path":"$[0].hp","old":"83","new":"95","old_plain":83,"new_plain":95}`, `"alert":"[0].hp>90","value":"95"}`)
	next := saved("[0].mana=1")
	if err := os.WriteFile(name+".new", next, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
	wait(`"path":"$[0].mana","old":"45.5","new":"1.0","old_plain":45.5,"new_plain":1.0}`)
	next = saved("[0].level=18")
	write(next[:300])
	untilSaid("not completely written yet")
	write(next)
	wait(`"path":"$[0].level","old":"17","new":"18","old_plain":17,"new_plain":18}`)
	if status := <-ended; status != 0 {
		t.Errorf("status %d", status)
	}
	if text := string(readFile(t, said.Name())); strings.Contains(text, "damaged") {
		t.Errorf("said %q", text)
	}
	steps, err := filepath.Glob(filepath.Join(patches, "*.patch"))
	if err != nil || len(steps) != 3 {
		t.Fatal(steps, err)
	}
	for i := range steps {
		run(t, 0, "set", name, "--apply", steps[len(steps)-1-i], "--reverse", "--no-backup")
	}
	if string(readFile(t, name)) != string(first) {
		t.Error("the patches do not lead back to the first save")
	}
}
