package endtoend

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts plays the transcripts in testdata/script, and those of single codes in a folder below. With
// -update, the actual output becomes the expected one; with -short, a quarter of them is played.
func TestScripts(t *testing.T) {
	data, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if flag.Lookup("test.run").Value.String() == "" { // 2,000 commands: the program alone starts faster than these tests do
		program, err := exec.LookPath("varview")
		if err = errors.Join(err, os.Remove(program)); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", program, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for _, dir := range []string{"testdata/script", "testdata/script/codes"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			scripts, err := filepath.Glob(dir + "/*.txtar")
			if err != nil || len(scripts) < 10 {
				t.Fatalf("%d scripts in %s, %v", len(scripts), dir, err)
			}
			if testing.Short() {
				i := 0
				scripts = slices.DeleteFunc(scripts, func(string) bool { i++; return i%4 > 0 })
			}
			testscript.Run(t, testscript.Params{
				Files:         scripts,
				UpdateScripts: *update,
				Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "assemble": assembleFile, "capture": captureFile},
				Condition: func(cond string) (bool, error) {
					return cond == "root" && os.Geteuid() == 0, nil
				},
				Setup: func(env *testscript.Env) error {
					env.Setenv("DATA", data)
					return nil
				},
			})
		})
	}
}

// assembleFile writes a file from the notation of handmade files: assemble FILE WORDS.
func assembleFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: assemble FILE WORDS")
	}
	data, err := assemble(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// exits runs a command that must end with the given status: exits 2 varview x.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var status *exec.ExitError
	if errors.As(err, &status) {
		got = status.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}
