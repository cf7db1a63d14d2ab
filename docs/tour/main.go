//go:build unix

// Command tour makes docs/tour.svg, the animated picture in the README, from the running program:
//
//	go run ./docs/tour
//
// It runs varview in a pseudo-terminal, presses keys, and draws what an emulator shows.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const columns, rows = 120, 30

// A scene is keys that are pressed, what they do, and how long the result is shown.
type scene struct {
	keys, about string
	seconds     float64
}

var scenes = []scene{
	{"", "varview inventory.dat: values on the left, bytes on the right, one cursor", 3},
	{"jl", "l unfolds: records stand in columns, under the names of their values", 3},
	{"jjjl", "j k move; the bytes of the selected value are marked", 2.5},
	{"/gold\r", "/gold finds a key, a text or a number", 2.5},
	{"e5000\r", "e changes the value: • marks what differs from the file", 3},
	{":changes\r", ":changes shows what differs, old and new", 3},
	{"\x1b", "", 0.5},
	{"u", "u undoes, also past a save", 2},
	{"/slots\rt", "t shows a list as a table: s sorts, V selects rows, e *2 doubles them", 3},
	{"\x1b\tjj", "tab goes to the bytes: the tree follows", 2.5},
	{"\t\x10fold", "ctrl+p finds every action and command by its name", 3},
	{"\x1b?", "? shows all keys; / searches them", 3},
	{"\x1b", "", 0.5},
}

func main() {
	log.SetFlags(0)
	if err := run("docs/tour.svg"); err != nil {
		log.Fatal(err)
	}
}

func run(out string) error {
	work, err := os.MkdirTemp("", "tour")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program, file := filepath.Join(work, "varview"), filepath.Join(work, "inventory.dat")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	save, err := os.ReadFile("testdata/godot4/save-inventory.bin")
	if err == nil {
		err = os.WriteFile(file, save, 0o600)
	}
	if err != nil {
		return err
	}
	t, err := start(exec.Command(program, "--no-state", "--theme", "dark", file), filepath.Join(work, "state"))
	if err != nil {
		return err
	}
	var p picture
	for _, s := range scenes {
		t.press(s.keys)
		p.add(t.cells(), s)
	}
	t.press(":q!\r")
	if err := t.cmd.Wait(); err != nil {
		return err
	}
	return os.WriteFile(out, p.svg(), 0o644)
}

// A terminal is the program with an emulator of what it draws on.
type terminal struct {
	cmd *exec.Cmd
	pty *os.File

	mu     sync.Mutex
	screen *vt.Emulator
	drawn  time.Time
}

func start(cmd *exec.Cmd, state string) (*terminal, error) {
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "VARVIEW_CONFIG=", "XDG_STATE_HOME="+state)
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return nil, err
	}
	t := &terminal{cmd: cmd, pty: master, screen: vt.NewEmulator(columns, rows), drawn: time.Now()}
	go io.Copy(io.Discard, t.screen) // its answers
	go func() {
		buffer := make([]byte, 1<<16)
		for {
			n, err := master.Read(buffer)
			t.mu.Lock()
			t.screen.Write(buffer[:n])
			t.drawn = time.Now()
			t.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return t, nil
}

// press presses keys one after the other, and waits until nothing more is drawn.
func (t *terminal) press(keys string) {
	for _, r := range keys {
		t.pty.WriteString(string(r))
		time.Sleep(60 * time.Millisecond)
	}
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		t.mu.Lock()
		quiet := time.Since(t.drawn) > 500*time.Millisecond
		t.mu.Unlock()
		if quiet && time.Since(start) > 700*time.Millisecond {
			return
		}
	}
}
