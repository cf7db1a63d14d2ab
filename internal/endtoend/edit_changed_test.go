package endtoend

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/cli"
)

// TestSetChanged checks that a file which another program changed or removed after it was
// opened is not written. The patch, which is written before the file, does not fit
// into the pipe, so that nothing is saved until somebody reads it.
func TestSetChanged(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "save.dat")
	original := readFile(t, "testdata/godot4/save-player-stats.bin")
	rewrite := func() error { return os.WriteFile(name, []byte("another game"), 0o666) }
	replace := func() error {
		if err := os.WriteFile(name+".new", []byte("another game"), 0o666); err != nil {
			return err
		}
		return os.Rename(name+".new", name)
	}
	remove := func() error { return os.Remove(name) }
	for _, c := range []struct {
		what   string
		flags  []string
		change func() error
		status int
		said   string
	}{
		{"replaced", nil, replace, 2, "since it was opened; saving now would undo that"},
		{"replaced, --force", []string{"--force"}, replace, 0, ""},
		{"rewritten", nil, rewrite, 2, "the bytes that were not edited are gone"},
		{"rewritten, --force", []string{"--force"}, rewrite, 2, "the bytes that were not edited are gone"},
		{"removed", nil, remove, 2, "the file is gone since it was opened"},
		{"removed, --force", []string{"--force"}, remove, 0, ""},
		{"left alone", nil, func() error { return nil }, 0, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			if err := os.WriteFile(name, original, 0o666); err != nil {
				t.Fatal(err)
			}
			status, stderr := setWhile(t, name, c.flags, c.change)
			if status != c.status || !strings.Contains(stderr, c.said) || c.said == "" && stderr != "" {
				t.Errorf("status %d, want %d; %s", status, c.status, stderr)
			}
			now, _ := os.ReadFile(name) // which may be removed
			if isEdited := bytes.Contains(now, []byte("nnnn")); isEdited != (c.status == 0) {
				t.Errorf("the file begins %.20q", now)
			}
		})
	}
}

// setWhile sets a long value of a file, and changes the file before it is saved.
func setWhile(t *testing.T, name string, flags []string, change func() error) (status int, stderr string) {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	told := scratch(t)
	ended := make(chan int, 1)
	go func() {
		value := strings.Repeat("n", 1<<20-100)
		args := append([]string{"set", name, `[0].name="` + value + `"`, "--patch", "-", "--no-backup"}, flags...)
		status := cli.Run(args, os.Stdin, out, told)
		out.Close()
		ended <- status
	}()
	patch := bufio.NewReader(in)
	if line, err := patch.ReadString('\n'); err != nil || line != "varview patch 1\n" {
		t.Errorf("the patch begins %q (%v)", line, err)
	}
	if err := change(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, patch); err != nil {
		t.Fatal(err)
	}
	return <-ended, contents(t, told)
}
