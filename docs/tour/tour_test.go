//go:build unix

// Package tour makes docs/tour.svg, the animated picture in the README, from the running program.
package tour

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
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

var update = flag.Bool("update", false, "draw the picture anew")

// TestTour plays the scenes of docs/tour.svg, the animated picture in the README: each of those with a caption shows something
// new. With -update the picture is drawn anew.
func TestTour(t *testing.T) {
	const picturePath = "../tour.svg"
	if testing.Short() && !*update {
		t.Skip("it waits for what is drawn")
	}
	work := t.TempDir()
	program, file := filepath.Join(work, "varview"), filepath.Join(work, "inventory.dat")
	if output, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	save, err := os.ReadFile("../../testdata/godot4/save-inventory.bin")
	if err == nil {
		err = os.WriteFile(file, save, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	screen := openScreen(t, exec.Command(program, "--no-state", "--theme", "dark", file), filepath.Join(work, "state"))
	var p picture
	var before [rows][columns]cell
	for _, s := range scenes {
		screen.press(s.keys)
		cells := screen.cells()
		if s.about != "" && cells == before {
			t.Errorf("nothing new is shown: %s", s.about)
		}
		before = cells
		p.add(cells, s)
	}
	screen.press(":q!\r")
	if err := screen.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if *update {
		err = os.WriteFile(picturePath, p.svg(), 0o644)
	} else {
		_, err = os.Stat(picturePath)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A terminal is the program with an emulator of what it draws on.
type terminal struct {
	cmd *exec.Cmd
	pty *os.File

	mu     sync.Mutex
	screen *vt.Emulator
	drawn  time.Time
}

func openScreen(t *testing.T, cmd *exec.Cmd, state string) *terminal {
	t.Helper()
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "VARVIEW_CONFIG=", "XDG_STATE_HOME="+state)
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{cmd: cmd, pty: master, screen: vt.NewEmulator(columns, rows), drawn: time.Now()}
	go io.Copy(io.Discard, x.screen) // its answers
	go func() {
		buffer := make([]byte, 1<<16)
		for {
			n, err := master.Read(buffer)
			x.mu.Lock()
			x.screen.Write(buffer[:n])
			x.drawn = time.Now()
			x.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return x
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
