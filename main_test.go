package main

import (
	"flag"
	"io"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"varview/cli"
)

var update = flag.Bool("update", false, "re-write the files that hold what is expected")

// TestMain lets scripts run this program as "varview".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"varview": main})
}

// output is what a command wrote.
type output struct{ stdout, stderr string }

// run runs a command of varview in this process; it must end with status.
func run(t *testing.T, status int, args ...string) output {
	t.Helper()
	out, got := start(t, args)
	if got != status {
		t.Fatalf("varview %q ended with status %d, want %d; %s", args, got, status, out.stderr)
	}
	return out
}

// start runs a command of varview in this process, whatever its status.
func start(t *testing.T, args []string) (output, int) {
	t.Helper()
	stdout, stderr := scratch(t), scratch(t)
	status := cli.Main(args, os.Stdin, stdout, stderr)
	return output{contents(t, stdout), contents(t, stderr)}, status
}

// scratch is a temporary file.
func scratch(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// contents is what was written to f.
func contents(t *testing.T, f *os.File) string {
	t.Helper()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
