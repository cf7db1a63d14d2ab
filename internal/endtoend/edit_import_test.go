package endtoend

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// importAgain exports a file and returns what import makes of it.
func importAgain(t *testing.T, name string, exports, imports []string) string {
	t.Helper()
	values := filepath.Join(t.TempDir(), "values.json")
	writeFile(t, values, run(t, 0, append([]string{"export", name}, exports...)...).stdout)
	return run(t, 0, append([]string{"import", values, "-o", "-"}, imports...)...).stdout
}

// TestImport checks that import writes the exported file's bytes again, except for
// garbage in the padding of a NodePath, which becomes zero.
func TestImport(t *testing.T) {
	t.Parallel()
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		if len(tr.wrappers()) > 0 {
			return
		}
		flags := []string{"--as", tr.dialect(), "--framing", tr.framing()}
		want := readFile(t, name)
		clearPathPadding(t, name, flags, want)
		if got := importAgain(t, name, flags, flags); got != string(want) {
			t.Errorf("%d bytes\n%x\nof %d\n%x", len(got), got, len(want), want)
		}
	})
}

// clearPathPadding makes the padding in NodePaths zero.
func clearPathPadding(t *testing.T, name string, flags []string, data []byte) {
	for line := range strings.Lines(run(t, 0, append(slices.Clone(flags), "dump", "--json", name)...).stdout) {
		var f field
		decode(t, line, &f)
		if f.Kind == "padding" && (strings.Contains(f.Path, ".names[") || strings.Contains(f.Path, ".subnames[")) {
			clear(data[f.Offset : f.Offset+f.Length])
		}
	}
}

// TestImportElephant checks that import restores the bytes whose values export --typed has written.
func TestImportElephant(t *testing.T) {
	t.Parallel()
	for _, name := range elephantFiles(t) {
		t.Run(strings.TrimPrefix(name, "testdata/elephant/"), func(t *testing.T) {
			want, got := string(readFile(t, name)), importAgain(t, name, []string{"--typed"}, nil)
			if got != want {
				t.Errorf("%d bytes\n%x\nof %d\n%x", len(got), got, len(want), want)
			}
		})
	}
}

// TestConvert checks that every Elephant file has the same values in the newest
// version.
func TestConvert(t *testing.T) {
	long(t)
	t.Parallel()
	for i, name := range elephantFiles(t) {
		if i%4 != 0 {
			continue // a save waits for the disk
		}
		t.Run(strings.TrimPrefix(name, "testdata/elephant/"), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			run(t, 0, "convert", name, "--to", "elephant-1.5.1", "-o", out)
			schemas := []string{"--schema", "testdata/elephant"}
			was, is := exported(t, name, nil), exported(t, out, schemas)
			if was != is {
				t.Errorf("the values are %s, were %s", is, was)
			}
			var info struct {
				Dialect  string
				Problems int
			}
			decode(t, run(t, 0, append(schemas, "info", "--json", out)...).stdout, &info)
			if info.Dialect != "elephant-1.5.1" {
				t.Errorf("it is %s", info.Dialect)
			}
		})
	}
}
