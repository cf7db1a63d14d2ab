//go:build unix

package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"varview/internal/ending"
	"varview/model"
	"varview/ui"
)

// panicVariable makes the test program a terminal program that panics in the part that it
// names.
const panicVariable = "VARVIEW_TEST_PANIC"

func runPanicking(part string) int {
	tell := func(format string, args ...any) { fmt.Fprintf(os.Stderr, "varview: "+format+"\n", args...) }
	ctx := context.Background()
	doc, err := model.Open(ctx, os.Args[1], model.Options{})
	if err == nil {
		err = ending.Run(ctx, func() error { return ui.RunPanicking(ctx, doc, part, os.Stdin, os.Stdout) })
	}
	return ending.Status(err, "of a test", tell)
}

// An endingConsole is a program in a terminal whose state before it is known.
type endingConsole struct {
	*console
	before *term.State
	stderr bytes.Buffer
}

func startEnding(t *testing.T, cmd *exec.Cmd) *endingConsole {
	t.Helper()
	c := new(endingConsole)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // the program would ignore it too, under nohup
	cmd.Stderr = &c.stderr
	// The shell waits until the state has been taken.
	shell := exec.Command("sh", append([]string{"-c", `read x; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)...)
	shell.Env, shell.Stderr = cmd.Env, &c.stderr
	c.console = startCommand(t, true, shell)
	c.before = c.state()
	c.press("\n")
	c.begun()
	if reflect.DeepEqual(c.state(), c.before) {
		t.Error("the terminal is as before while the program runs")
	}
	return c
}

func (c *endingConsole) state() *term.State {
	c.t.Helper()
	s, err := term.GetState(c.pty.Fd())
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

// endedWith waits for the end of the program with a status, checks that the terminal is as
// it was, and returns what was written to standard error.
func (c *endingConsole) endedWith(status int) string {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(patience):
		c.t.Fatalf("still running; the screen shows\n%s", strings.Join(c.lines(), "\n"))
	}
	if got := c.cmd.ProcessState.ExitCode(); got != status {
		c.t.Errorf("exit status %d, want %d", got, status)
	}
	c.restored()
	if after := c.state(); !reflect.DeepEqual(after, c.before) {
		c.t.Errorf("the terminal is in the state %v, was in %v", after, c.before)
	}
	return c.stderr.String()
}

func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := build(t)
	for signal, name := range map[syscall.Signal]string{
		syscall.SIGHUP: "SIGHUP", syscall.SIGINT: "SIGINT", syscall.SIGQUIT: "SIGQUIT", syscall.SIGABRT: "SIGABRT", syscall.SIGTERM: "SIGTERM",
	} {
		t.Run(name, func(t *testing.T) {
			c := startEnding(t, exec.Command(program, "testdata/saves/save-player-stats.bin"))
			c.framed(80, 24)
			c.cmd.Process.Signal(signal)
			if got, want := c.endedWith(128+int(signal)), "varview: ended by "+name+"\n"; got != want {
				t.Errorf("standard error %q, want %q", got, want)
			}
		})
	}
}

func TestPanics(t *testing.T) {
	for _, part := range []string{"Update", "View", "command", "goroutine"} {
		t.Run(part, func(t *testing.T) {
			state := t.TempDir()
			greeted(state)
			cmd := exec.Command(os.Args[0], "testdata/saves/save-player-stats.bin")
			cmd.Env = []string{panicVariable + "=" + part, "XDG_STATE_HOME=" + state}
			c := startEnding(t, cmd)
			c.framed(80, 24)
			c.press("j")
			c.shows("›    version")
			c.press("/qxzw")
			c.shows("/qxzw")
			c.press("\x1b")
			c.shows("? help")
			c.press("y")
			stderr := c.endedWith(2)
			reports, _ := filepath.Glob(filepath.Join(state, "varview", "crash-*.txt"))
			if len(reports) != 1 || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "varview: ended by a bug in the program: ") ||
				!strings.HasSuffix(stderr, "; the report about it is "+reports[0]+"\n") {
				t.Fatalf("reports %q, standard error %q", reports, stderr)
			}
			report, err := os.ReadFile(reports[0])
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"varview of a test, ", "window 80×24", "key: j\n", "key: text\n", "key: y\n", "goroutine ", "ui.RunPanicking"} {
				if want == "ui.RunPanicking" && part == "View" {
					want = ".View("
				}
				if !bytes.Contains(report, []byte(want)) {
					t.Errorf("the report has no %q:\n%s", want, report)
				}
			}
			for _, private := range []string{"Aria", "qxzw", "key: q"} { // a value, and what was typed
				if bytes.Contains(report, []byte(private)) {
					t.Errorf("the report has %q:\n%s", private, report)
				}
			}
		})
	}
}

// A terminal that is held takes no output; the program ends all the same.
func TestSignalWhileHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	cmd := exec.Command(build(t), "testdata/saves/save-player-stats.bin")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "CI=")
	master, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer master.Close()
	defer tty.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 100, Cols: 400}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if now, err := term.GetState(tty.Fd()); err == nil && !reflect.DeepEqual(now, before) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it never took the terminal")
		}
	}
	time.Sleep(500 * time.Millisecond) // its first frame does not fit into the terminal's buffer
	cmd.Process.Signal(syscall.SIGTERM)
	killed := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	cmd.Wait()
	if !killed.Stop() {
		t.Fatal("it did not end")
	}
	if got := cmd.ProcessState.ExitCode(); got != 128+int(syscall.SIGTERM) || stderr.String() != "varview: ended by SIGTERM\n" {
		t.Errorf("exit status %d, standard error %q", got, &stderr)
	}
	if after, err := term.GetState(tty.Fd()); err != nil || !reflect.DeepEqual(after, before) {
		t.Errorf("the terminal is in the state %v (%v), was in %v", after, err, before)
	}
}

// While a file is saved a signal leaves the old one whole, and no temporary file.
func TestSignalWhileSaving(t *testing.T) {
	if testing.Short() {
		t.Skip("writes large files")
	}
	program, folder := build(t), t.TempDir()
	path := filepath.Join(folder, "large.bin")
	// A PackedByteArray of 256 MiB, most of which is a hole in the file.
	data := []byte{29, 0, 0, 0, 0, 0, 0, 16}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	const size = 8 + 256<<20
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	c := startEnding(t, exec.Command(program, path))
	c.shows("PackedByteArray")
	c.press("\tGr01")
	c.shows("modified", "OVERWRITE")
	c.press("\x1b")
	c.shows("? help")
	c.press("\x13")
	c.until("temporary file", func() bool {
		entries, _ := os.ReadDir(folder)
		return len(entries) == 2
	})
	c.cmd.Process.Signal(syscall.SIGTERM)
	c.endedWith(128 + int(syscall.SIGTERM))
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("in the folder: %v (%v)", entries, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != size {
		t.Fatalf("the file: %v (%v)", info, err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	last := []byte{1}
	if _, err := f.ReadAt(last, size-1); err != nil || last[0] != 0 {
		t.Errorf("the last byte is %#x (%v), was 0", last[0], err)
	}
}

// The program removes what a killed one has left next to the file that it opens.
func TestTidiesAtStart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	path, _ := copied(t, "testdata/saves/save-player-stats.bin")
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(filepath.Dir(path), fmt.Sprintf(".other.bin.varview-%d-1", gone.Process.Pid))
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, true, build(t), path)
	c.shows("? help")
	c.until("end of "+left, func() bool {
		_, err := os.Lstat(left)
		return os.IsNotExist(err)
	})
	c.press("q")
	c.ended()
}

// TestSignalKeepsEdits: edits that a signal has kept from being saved are offered when the
// file is opened again; those that the user has discarded are not.
func TestSignalKeepsEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := build(t)
	data, err := os.ReadFile("testdata/saves/save-player-stats.bin")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "save.dat")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	edit := func() *endingConsole {
		c := startEnding(t, exec.Command(program, path))
		c.framed(80, 24)
		c.press(":", "set $[0].hp=5", "\r")
		c.shows("modified")
		return c
	}
	c := edit()
	c.cmd.Process.Signal(syscall.SIGHUP)
	want := "varview: ended by SIGHUP; the edits that were not saved are offered when the file is opened again\n"
	if got := c.endedWith(129); got != want {
		t.Errorf("standard error %q, want %q", got, want)
	}

	again := startEnding(t, exec.Command(program, path))
	again.shows("was not saved:", "set $[0].hp", "U take or discard")
	again.press("U")
	again.shows("was not saved:", "set $[0].hp", "t take")
	again.press("l")
	again.shows("Edits that were not saved", "set $[0].hp")
	again.press("q")
	again.shows("was not saved:", "set $[0].hp", "t take")
	again.press("t")
	again.shows("modified", "restored; u undoes them")
	again.press("u")
	again.shows("undone: set $[0].hp")
	again.press("\x12") // ctrl+r
	again.shows("modified")
	again.press("q")
	again.shows("n discard")
	again.press("n")
	if got := again.endedWith(0); got != "" {
		t.Error(got)
	}
	last := startEnding(t, exec.Command(program, path))
	last.framed(80, 24)
	last.press(":", "recover", "\r")
	last.shows("there are no unsaved edits of this file")
	last.press("q")
	last.endedWith(0)
}
