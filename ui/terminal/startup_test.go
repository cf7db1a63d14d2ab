//go:build unix

package terminal

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// buildProgram builds a program of testdata.
func buildProgram(t *testing.T, name string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	if output, err := exec.Command("go", "build", "-o", program, "./testdata/"+name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return program
}

// A program that links this package reaches main without a byte to the
// terminal and without waiting for it.
func TestNoQueryBeforeMain(t *testing.T) {
	program := buildProgram(t, "quiet")
	screen := startOn(t, exec.Command(program))
	before, found := screen.until("main")
	if !found || before != "" {
		t.Fatalf("main reached: %v; written before: %q", found, before)
	}
}

// Bubble Tea alone asks before main. Where it no longer does, package
// nocolorquery has no purpose left.
func TestBubbleTeaQueriesBeforeMain(t *testing.T) {
	screen := startOn(t, exec.Command(buildProgram(t, "asks")))
	if before, found := screen.until("\x1b]11;?"); !found {
		t.Fatalf("no query, but %q", before)
	}
}
