package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestKilled kills the program before each step of a replacement, and finds the old
// file whole until it is replaced, and then the new one. The files that
// killed programs leave do no harm.
func TestKilled(t *testing.T) {
	was, is := strings.Repeat("old ", 50_000), strings.Repeat("new", 80_000)
	names := stepNames()
	names = slices.Insert(names, slices.Index(names, "write")+1, "half")
	names = append(names, "end")
	for _, c := range []struct {
		about  string
		before map[string]string
		backup string
	}{
		{"a file", map[string]string{"a": was}, ""},
		{"a file with a backup", map[string]string{"a": was}, "a~"},
		{"a file with another backup", map[string]string{"a": was, "a~": "older"}, "a~"},
		{"a new file", map[string]string{}, "a~"},
	} {
		t.Run(c.about, func(t *testing.T) {
			for i, name := range names {
				dir := folder(t)
				o := order{Path: filepath.Join(dir, "a"), Content: is, KillAt: name}
				if c.backup != "" {
					o.Backup = filepath.Join(dir, c.backup)
				}
				want := map[string]string{}
				for name, content := range c.before {
					file(t, dir, name, content, 0o600)
					want[name] = content
				}
				cmd := child(t, o)
				if out, err := cmd.Output(); err == nil || !wasKilled(cmd.ProcessState) {
					t.Fatalf("before %s: the child was not killed (%v): %s", name, err, out)
				}
				if i > slices.Index(names, "backup") && c.backup != "" && want["a"] != "" {
					want["a~"] = was
				}
				if i > slices.Index(names, "place") {
					want["a"] = is
				}
				holdsWithLeftOvers(t, dir, name, want)
				replacesAgain(t, dir, o.Backup, want)
			}
		})
	}
}

// holdsWithLeftOvers checks the files that a killed program has left.
func holdsWithLeftOvers(t *testing.T, dir, step string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, entry := range entries {
		content, known := want[entry.Name()]
		b, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		switch {
		case known && err == nil && string(b) == content:
			found++
		case known:
			t.Errorf("killed before %s: %s holds %d bytes (%v), want %d", step, entry.Name(), len(b), err, len(content))
		case !strings.HasPrefix(entry.Name(), ".a.varview-") && !strings.HasPrefix(entry.Name(), ".a~.varview-"):
			t.Errorf("killed before %s: %s is in the folder", step, entry.Name())
		}
	}
	if found != len(want) {
		t.Errorf("killed before %s: %d files, want %d", step, found, len(want))
	}
}

// replacesAgain replaces the file again, which removes what is left.
func replacesAgain(t *testing.T, dir, backup string, want map[string]string) {
	t.Helper()
	if err := Replace(t.Context(), filepath.Join(dir, "a"), Options{Backup: backup}, put("newer")); err != nil {
		t.Fatal(err)
	}
	if old := want["a"]; backup != "" && old != "" {
		want["a~"] = old
	}
	want["a"] = "newer"
	holds(t, dir, want)
}
