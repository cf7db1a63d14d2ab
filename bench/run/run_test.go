package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varview/bench/savegame"
	"varview/internal/variantref"
)

// fakeBench is a bench of the fake, with files of a few hundred KiB.
func fakeBench(t *testing.T, words string) *bench {
	t.Helper()
	s := settings{
		size: 256 << 10, engine: 64 << 10, cut: 64 << 10, outputs: [2]int64{64 << 10, 128 << 10}, linear: [2]int64{8e3, 32e3},
		frames: 1, presses: 12, checks: 1, hostile: 2000, outputTime: time.Second,
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(s, self, "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.family = "json,gdec"
	b.env = append(b.env, fakeVariable+"="+words)
	b.log = t.Output()
	return b
}

func TestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds, most of them waiting")
	}
	for name, whats := range map[string][]string{
		"frame":   {"first frame, 256KiB mixed", "first frame, 256KiB mixedraw"},
		"jump":    {"G after opening, 256KiB mixed", "goto the middle after opening, 256KiB mixed", "G after opening, 256KiB mixedraw"},
		"search":  {"search in vain, 256KiB mixed"},
		"memory":  {"private memory, 256KiB mixed", "private memory, 256KiB mixedraw"},
		"keys":    {"key to its frame, 256KiB mixed", "key to its frame, 256KiB mixedraw"},
		"reading": {"key while reading, 256KiB mixed", "key while reading, 256KiB mixedraw", "14 presses; the file was opened 2 times"},
		"check": {"check, 256KiB mixed ", "info, 256KiB mixed ", "check, 256KiB mixedraw ", "info, 256KiB mixedraw ",
			"check, 64KiB mixed, end cut off", "check, 64KiB mixedraw, end cut off", "check, 64KiB objects", "check, 64KiB godot3 mixedraw"},
		"output":  {"dump, 128KiB", "dump --json, 128KiB", "export, 128KiB", "export --text, 128KiB", "memory meanwhile"},
		"edit":    {"edit to its frame, 256KiB mixed", "set and save, 256KiB mixed", "edit to its frame, 256KiB mixedraw", "set and save, 256KiB mixedraw"},
		"hostile": {"gdec-noise, 2032B", "gcpf-zeros", "letters, 2KB", "zeros, 2KB"},
		"json":    {"first frame, 256KiB jsonl", "private memory, 78643B json", "key while reading, 256KiB jsonl", "index, 256KiB jsonl", "check, 78643B json"},
		"linear":  {"check, 32KB json", "find by key, 32KB gdec", "set, 32KB json", "set --apply, 32KB gdec", "merge, 32KB json"},
		"gcpf":    {"first frame, 256KiB gcpf", "private memory, 256KiB gcpf", "check, 256KiB gcpf"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := fakeBench(t, "calm")
			var table bytes.Buffer
			if err := b.measure(t.Context(), name, &table); err != nil && err != errMissed {
				t.Fatal(err)
			}
			t.Log("\n" + table.String())
			for _, what := range whats {
				if !strings.Contains(table.String(), what) {
					t.Errorf("no row %q", what)
				}
			}
			if strings.Contains(table.String(), string(failed)) {
				t.Error("a row failed")
			}
			for _, pattern := range []string{"*.tmp", "*.part"} {
				if left, _ := filepath.Glob(filepath.Join(b.dir, pattern)); len(left) > 0 {
					t.Errorf("not removed: %q", left)
				}
			}
		})
	}
}

func TestProgramThatFails(t *testing.T) {
	t.Parallel()
	b := fakeBench(t, "broken")
	for _, name := range names() {
		var table bytes.Buffer
		if err := b.measure(t.Context(), name, &table); err != errMissed {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(table.String(), "made to fail") {
			t.Errorf("%s: the message is not passed on:\n%s", name, table.String())
		}
	}
}

func TestProgramThatOnlyPretends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ words, name, message string }{
		{"calm blind", "check", "finds nothing wrong"},
		{"calm blind", "gcpf", "finds nothing wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var table bytes.Buffer
			b := fakeBench(t, c.words)
			if err := b.measure(t.Context(), c.name, &table); err != errMissed || !strings.Contains(table.String(), c.message) {
				t.Errorf("%v\n%s", err, table.String())
			}
		})
	}
}

func TestWrongArguments(t *testing.T) {
	if _, err := newBench(quick, filepath.Join(t.TempDir(), "varview"), "", ""); err == nil || !strings.Contains(err.Error(), "go build") {
		t.Errorf("a missing program: %v", err)
	}
	b := fakeBench(t, "plain")
	if err := b.measure(t.Context(), "frame,speed", &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), `"speed"`) {
		t.Errorf("an unknown measurement: %v", err)
	}
	if _, err := newBench(quick, b.bin, "1 GiB", ""); err == nil {
		t.Error("a size that is none was taken")
	}
}

func TestCountValues(t *testing.T) {
	b := fakeBench(t, "calm")
	path, err := b.file(savegame.Mixed, savegame.Godot4, b.size)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := variantref.Read(data, variantref.Options{Dialect: string(savegame.Godot4), Stream: true, Objects: true})
	if err != nil {
		t.Fatal(err)
	}
	n, err := countValues(savegame.Mixed, path)
	if err != nil || n != len(r.Frames) {
		t.Fatalf("%d values, not %d (%v)", n, len(r.Frames), err)
	}
	for _, i := range []int{0, n / 2, n - 2} {
		var frame int
		if _, err := fmt.Sscanf(framePath(i), "$[%d].frame", &frame); err != nil || !strings.HasPrefix(r.Frames[frame].Value, `Dictionary[String "frame": int `) {
			t.Errorf("%s: %.40s (%v)", framePath(i), r.Frames[frame].Value, err)
		}
	}
}
