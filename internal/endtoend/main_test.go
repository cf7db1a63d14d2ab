// Package endtoend tests the whole program: its commands, its documents and its
// promises, on the files in testdata.
package endtoend

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"varview/cli"
)

var update = flag.Bool("update", false, "re-write the files with the expected results")

// TestMain lets scripts run this program as "varview".
func TestMain(m *testing.M) {
	// The flags of every command that ran here stay in memory, because cobra keeps their completions. At
	// the default rate, garbage collection would take half of the time of these tests.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	testscript.Main(atRoot{m}, map[string]func(){"varview": func() {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}})
}

// atRoot runs the tests in the module's root folder, so that they name files as
// the documents do: testdata/godot4/save-inventory.bin.
type atRoot struct{ *testing.M }

func (m atRoot) Run() int {
	os.Setenv("VARVIEW_CONFIG", "") // not that of whoever runs the tests
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// long says that a test takes longer than others: it is left out with -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes long")
	}
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
	status := cli.Run(args, os.Stdin, stdout, stderr)
	return output{contents(t, stdout), contents(t, stderr)}, status
}

// scratch returns a temporary file.
func scratch(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// contents returns what was written to f.
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
