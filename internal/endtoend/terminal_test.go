package endtoend

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestTerminal plays the scripts under testdata/terminal: the program runs in a window of tmux, gets
// keys, and its screen must show what the script says. Besides the commands of testscript they have
//
//	open WIDTHxHEIGHT [ARGUMENT...] run varview in a new window
//	keys KEY...                     press keys, as tmux names them: Enter, C-s, BTab
//	type TEXT                       type characters
//	screen TEXT                     wait until the screen shows a text; with ! until it does not
//	ended                           wait until the program has ended
//	killed                          kill the program, so that it can do nothing any more
func TestTerminal(t *testing.T) {
	long(t)
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: no terminal to run the program in")
	}
	data, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	w := &windows{tmux}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/terminal",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"open": w.open, "keys": w.keys, "type": w.typeText, "screen": w.screen, "ended": w.ended, "killed": w.killed,
		},
		Setup: func(env *testscript.Env) error {
			folder, err := os.MkdirTemp("", "vt") // the path of a socket must be short
			if err != nil {
				return err
			}
			env.Defer(func() {
				exec.Command(tmux, "-S", filepath.Join(folder, "s"), "kill-server").Run()
				os.RemoveAll(folder)
			})
			env.Setenv("DATA", data)
			env.Setenv("SOCKET", filepath.Join(folder, "s"))
			state := filepath.Join(env.WorkDir, "state")
			env.Setenv("XDG_STATE_HOME", state)
			if err := os.MkdirAll(filepath.Join(state, "varview"), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(state, "varview", "state.json"), []byte(`{"version":1,"greeted":true}`), 0o600); err != nil {
				return err
			}
			env.Setenv("VARVIEW_CONFIG", "")
			return os.WriteFile(filepath.Join(folder, "s.conf"), []byte("set -s escape-time 0\nset -g status off\n"), 0o600)
		},
	})
}

// windows run the program in tmux.
type windows struct{ tmux string }

// call runs a command of tmux and returns what it prints.
func (w *windows) call(ts *testscript.TestScript, args ...string) (string, error) {
	socket := ts.Getenv("SOCKET")
	cmd := exec.Command(w.tmux, append([]string{"-S", socket, "-f", socket + ".conf", "-u"}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME", "VARVIEW_CONFIG", "EDITOR", "VISUAL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C.UTF-8", "TERM=xterm-256color")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (w *windows) must(ts *testscript.TestScript, args ...string) string {
	out, err := w.call(ts, args...)
	if err != nil {
		ts.Fatalf("tmux %q: %v, %s", args, err, out)
	}
	return out
}

func (w *windows) open(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: open WIDTHxHEIGHT [ARGUMENT...]")
	}
	width, height, _ := strings.Cut(args[0], "x")
	line := "exec varview"
	for _, a := range args[1:] {
		line += " '" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	said := ""
	until(ts, func() bool { // the tmux of a window before may be just ending
		out, err := w.call(ts, "new-session", "-d", "-x", width, "-y", height, line)
		said = out
		return err == nil
	}, func() string { return said })
}

func (w *windows) keys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: keys KEY...")
	}
	w.must(ts, append([]string{"send-keys"}, args...)...)
	if args[len(args)-1] == "Escape" {
		time.Sleep(afterEscape)
	}
}

// afterEscape is how long a script waits after Escape: read together with the next key, it
// would be Alt with that key.
const afterEscape = 200 * time.Millisecond

func (w *windows) typeText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: type TEXT")
	}
	w.must(ts, "send-keys", "-l", args[0])
}

// patience is how long a script waits for what should happen at once.
const patience = 30 * time.Second

// until waits until a condition holds.
func until(ts *testscript.TestScript, holds func() bool, failed func() string) {
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("%s", failed())
		}
	}
}

func (w *windows) screen(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] screen TEXT")
	}
	shown := ""
	until(ts, func() bool {
		shown = w.must(ts, "capture-pane", "-p")
		return strings.Contains(shown, args[0]) != neg
	}, func() string { return fmt.Sprintf("%q (absent: %v) on the screen:\n%s", args[0], neg, shown) })
}

func (w *windows) killed(ts *testscript.TestScript, neg bool, args []string) {
	pid, err := strconv.Atoi(strings.TrimSpace(w.must(ts, "list-panes", "-F", "#{pane_pid}")))
	ts.Check(err)
	program, err := os.FindProcess(pid)
	ts.Check(err)
	ts.Check(program.Kill())
	w.ended(ts, neg, args)
}

func (w *windows) ended(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: ended")
	}
	until(ts, func() bool { _, err := w.call(ts, "has-session"); return err != nil }, func() string { return "the program still runs" })
}
