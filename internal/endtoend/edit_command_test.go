package endtoend

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readFile returns the content of a file.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// leaves returns the paths of some values of a file that have fields of their own.
func leaves(t *testing.T, name string, flags []string, most int) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(run(t, 0, append(slices.Clone(flags), "dump", "--json", name)...).stdout) {
		var f field
		decode(t, line, &f)
		if (f.Kind == "value" || f.Kind == "text") && f.Path != "$" && !slices.Contains(all, f.Path) {
			all = append(all, f.Path)
		}
	}
	if n := len(all); n > most {
		all = []string{all[0], all[n/3], all[n-1]}
	}
	return all
}

// TestSetOwnLiteral checks that setting what get prints leaves every byte of a file
// as it is, whatever wraps it. A save waits for the disk, so only every eighth file
// is saved.
func TestSetOwnLiteral(t *testing.T) {
	t.Parallel()
	n := 0
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		if n++; n%8 != 0 {
			return
		}
		flags := append(tr.unlock(), "--as", tr.dialect(), "--framing", tr.framing())
		setOwnLiterals(t, name, flags)
	})
	for i, name := range elephantFiles(t) {
		if i%8 != 0 {
			continue
		}
		t.Run(strings.TrimPrefix(name, "testdata/"), func(t *testing.T) { setOwnLiterals(t, name, nil) })
	}
}

func setOwnLiterals(t *testing.T, name string, flags []string) {
	out := filepath.Join(t.TempDir(), "out")
	args := append(slices.Clone(flags), "set", name, "-o", out)
	paths := leaves(t, name, flags, 3)
	for _, path := range paths {
		literal := run(t, 0, append(slices.Clone(flags), "get", name, path)...).stdout
		args = append(args, path+"="+strings.TrimSuffix(literal, "\n"))
	}
	if len(paths) == 0 {
		return
	}
	run(t, 0, args...)
	if !bytes.Equal(readFile(t, out), readFile(t, name)) {
		t.Errorf("%q changes the file", args)
	}
}

// elephantFiles lists the Elephant files that can be read.
func elephantFiles(t *testing.T) []string {
	names := corpusFiles(t, "v[0-9]*.bin", "testdata/elephant")
	return slices.DeleteFunc(names, func(name string) bool {
		return strings.Contains(name, "second-write-same-session") // whose constructors' names are in another file
	})
}

// TestWrappedSet checks that values of wrapped files can be changed, and that the
// result has the same wrappers and the new values.
func TestWrappedSet(t *testing.T) {
	long(t)
	t.Parallel()
	n := 0
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		if len(tr.wrappers()) == 0 {
			return
		}
		if n++; n%3 != 0 {
			return
		}
		flags := append(tr.unlock(), "--as", tr.dialect(), "--framing", tr.framing())
		out := filepath.Join(t.TempDir(), "out")
		path, command := "[0]", []string{"insert"}
		if tr.framing() == "raw" {
			path, command = "$", []string{"set", "--retype"}
		}
		run(t, 0, slices.Concat(flags, command, []string{name, path + `=["new", 12345]`, "-o", out})...)
		if got := run(t, 0, append(slices.Clone(flags), "get", out, path)...).stdout; got != "[\"new\", 12345]\n" {
			t.Errorf("%s is %s", path, got)
		}
		was, is := wrappersOf(t, name, flags), wrappersOf(t, out, flags)
		if !slices.Equal(was, is) {
			t.Errorf("wrapped in %s, was %s", is, was)
		}
		if tr.framing() == "stream" {
			run(t, 0, slices.Concat(flags, []string{"delete", out, "[0]", "--no-backup"})...)
			before, after := exported(t, name, flags), exported(t, out, flags)
			if before != after {
				t.Errorf("the values are %s, were %s", after, before)
			}
		}
		run(t, 0, slices.Concat(flags, []string{"check", "--strict", out})...)
	})
}

// wrappersOf names the wrappers of a file, with modes.
func wrappersOf(t *testing.T, name string, flags []string) []string {
	t.Helper()
	var info struct{ Wrappers []string }
	decode(t, run(t, 0, slices.Concat(flags, []string{"info", "--json", name})...).stdout, &info)
	return info.Wrappers
}

func exported(t *testing.T, name string, flags []string) string {
	t.Helper()
	return run(t, 0, slices.Concat(flags, []string{"export", name})...).stdout
}
