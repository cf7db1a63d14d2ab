//go:build unix

package ui_test

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"varview/internal/text"
	"varview/themes"
)

// A console is the program in a pseudo-terminal whose screen an emulator draws.
type console struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	done chan error // the end of the program

	mu     sync.Mutex
	screen *vt.Emulator
	alt    bool
	cursor bool
	modes  map[int]bool
	output []byte
}

// start runs a command in a window of 80×24. A terminal that answers has a
// white background.
func start(t *testing.T, answers bool, name string, args ...string) *console {
	t.Helper()
	return startCommand(t, answers, exec.Command(name, args...))
}

// startCommand runs a command that has been prepared.
func startCommand(t *testing.T, answers bool, cmd *exec.Cmd) *console {
	t.Helper()
	own := cmd.Env
	cmd.Env = nil
	for _, entry := range os.Environ() {
		variable, _, _ := strings.Cut(entry, "=")
		if !slices.Contains([]string{"CI", "TMUX", "STY", "TERM", "COLORTERM", "COLORFGBG", "NO_COLOR", "CLICOLOR", "LANG", "LC_ALL"}, variable) {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(append(cmd.Env, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"), own...)
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	c := &console{t: t, cmd: cmd, pty: master, done: make(chan error, 1), screen: vt.NewEmulator(80, 24), cursor: true, modes: map[int]bool{}}
	c.screen.SetBackgroundColor(color.White)
	c.screen.SetCallbacks(vt.Callbacks{
		AltScreen:        func(on bool) { c.alt = on },
		CursorVisibility: func(on bool) { c.cursor = on },
		EnableMode:       func(m ansi.Mode) { c.modes[m.Mode()] = true },
		DisableMode:      func(m ansi.Mode) { c.modes[m.Mode()] = false },
	})
	answersTo := io.Discard
	if answers {
		answersTo = master
	}
	go io.Copy(answersTo, c.screen)
	go func() {
		c.read()
		c.done <- cmd.Wait()
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		master.Close()
		c.screen.InputPipe().(io.Closer).Close() // its own Close races with its Read
	})
	return c
}

func (c *console) read() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := c.pty.Read(buffer)
		c.mu.Lock()
		c.output = append(c.output, buffer[:n]...)
		c.screen.Write(buffer[:n])
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// lines returns the text of the screen.
func (c *console) lines() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Split(c.screen.String(), "\n")
}

// patience is how long a test waits for something that should happen at once.
const patience = 30 * time.Second

// until waits until a condition holds.
func (c *console) until(what string, so func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatalf("no %s; the screen shows\n%s", what, strings.Join(c.lines(), "\n"))
		}
	}
}

// shows waits until the screen shows texts.
func (c *console) shows(texts ...string) {
	c.t.Helper()
	for _, want := range texts {
		c.until(fmt.Sprintf("%q", want), func() bool { return strings.Contains(strings.Join(c.lines(), "\n"), want) })
	}
}

// framed waits for a frame that fills a window of this size.
func (c *console) framed(width, height int) {
	c.t.Helper()
	c.until(fmt.Sprintf("frame of %d×%d", width, height), func() bool {
		lines := c.lines()
		if len(lines) != height || !strings.HasPrefix(lines[0], "╭") || !strings.HasPrefix(lines[height-1], "╰") {
			return false
		}
		for _, line := range lines {
			if text.Width(line) != width || !strings.ContainsAny(line[len(line)-3:], "╮│┤╯") {
				return false
			}
		}
		return true
	})
}

// press writes keys as a keyboard sends them, one at a time.
func (c *console) press(keys ...string) {
	c.t.Helper()
	for _, key := range keys {
		if _, err := c.pty.WriteString(key); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *console) resize(width, height int) {
	c.t.Helper()
	c.mu.Lock()
	c.screen.Resize(width, height)
	c.mu.Unlock()
	if err := pty.Setsize(c.pty, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		c.t.Fatal(err)
	}
}

// begun checks that the program has taken over the screen.
func (c *console) begun() {
	c.t.Helper()
	c.until("alternate screen without a cursor", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.alt && !c.cursor && c.modes[mouseMotion] && c.modes[mouseSGR]
	})
}

const (
	mouseClicks   = 1000
	mouseMotion   = 1002
	mouseAll      = 1003
	mouseSGR      = 1006
	bracketedText = 2004
)

// restored checks that the terminal is as it was before.
func (c *console) restored() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alt {
		c.t.Error("the alternate screen stays")
	}
	if !c.cursor {
		c.t.Error("the cursor stays hidden")
	}
	for _, mode := range []int{mouseClicks, mouseMotion, mouseAll, mouseSGR, bracketedText} {
		if c.modes[mode] {
			c.t.Errorf("mode %d stays on", mode)
		}
	}
}

// ended waits for the program to end with status 0.
func (c *console) ended() {
	c.t.Helper()
	select {
	case err := <-c.done:
		if err != nil {
			c.t.Errorf("exit status: %v", err)
		}
	case <-time.After(patience):
		c.t.Fatalf("still running; the screen shows\n%s", strings.Join(c.lines(), "\n"))
	}
	c.restored()
}

func (c *console) wrote(s string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Contains(c.output, []byte(s))
}

// copied returns the path of a copy of a file, and its bytes.
func copied(t *testing.T, name string) (path string, data []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "save.bin")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, data
}

// built builds the program once, in a folder that TestMain removes.
var built = sync.OnceValue(func() (err error) {
	if buildFolder, err = os.MkdirTemp("", "varview-test-*"); err != nil {
		return err
	}
	if output, err := exec.Command("go", "build", "-o", filepath.Join(buildFolder, "varview"), "varview").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
})

// buildFolder is "" as long as nothing is built.
var buildFolder string

// build returns the path of the program.
func build(t *testing.T) string {
	t.Helper()
	if err := built(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(buildFolder, "varview")
}

// greeted lets a folder be one that the program was started with before.
func greeted(home string) {
	os.MkdirAll(filepath.Join(home, "varview"), 0o700)
	if err := os.WriteFile(filepath.Join(home, "varview", "state.json"), []byte(`{"version":1,"greeted":true}`), 0o600); err != nil {
		panic(err)
	}
}

// TestMain runs the tests, or as a program of its own the part of one that panics.
func TestMain(m *testing.M) {
	if part := os.Getenv(panicVariable); part != "" {
		os.Exit(runPanicking(part))
	}
	// What the program keeps stays away from what it keeps for the user.
	home, err := os.MkdirTemp("", "varview-test-*")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_STATE_HOME", home)
	greeted(home)
	os.Setenv("VARVIEW_CONFIG", "")
	xdg.Reload()
	status := m.Run()
	os.RemoveAll(buildFolder)
	os.RemoveAll(home)
	os.Exit(status)
}

func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := build(t)
	const stats = "testdata/saves/save-player-stats.bin"
	frame := []string{"save-player-stats.bin ─ Godot 4 · stream of 1 · 716 B", "›▾ [0]  (18)", "$[0]", "? help"}

	t.Run("use", func(t *testing.T) {
		c := start(t, true, program, stats)
		c.shows(frame...)
		c.begun()
		c.framed(80, 24)
		c.press("j")
		c.shows("›    version  3", "$[0].version")
		c.press("/", "p", "e", "t", "\r")
		c.shows("›    pet  null", "$[0].pet")
		c.resize(60, 16)
		c.framed(60, 16)
		c.shows("›    pet  null")
		c.resize(200, 60)
		c.framed(200, 60)
		c.press("\x1b[<0;8;4M", "\x1b[<0;8;4m") // a click
		c.shows("›    name  \"Aria\"")
		c.press("?")
		c.shows("half a page down")
		c.press("q", "q") // the first closes the help
		c.ended()
	})
	t.Run("edit", func(t *testing.T) {
		path, data := copied(t, stats)
		holds := func(path string, want []byte) {
			t.Helper()
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s holds % x (%v), want % x", path, got, err, want)
			}
		}
		c := start(t, true, program, path)
		c.shows("›▾ [0]  (18)")
		c.press("j\r37\r")
		c.shows("• version  3 → 37", "modified", "set $[0].version; u undoes it")
		c.press("je\x05ß冒\r")
		c.shows("name  \"Aria\" → \"Ariaß冒\"")
		c.press("y")
		c.shows("copied $[0].name")
		c.until("clipboard", func() bool { return c.wrote("\x1b]52;c;IkFyaWHDn+WGkiI=\x07") }) // base64 of "Ariaß冒" with its quotes
		c.press("u")
		c.shows("undone: set $[0].name", "name  \"Aria\"")
		holds(path, data)
		c.press("\x13") // ctrl+s
		c.shows("saved save.bin (716 B), the old file is save.bin~")
		one := bytes.Clone(data)
		one[0x20] = 37
		holds(path, one)
		holds(path+"~", data)

		c.press("\x12") // ctrl+r
		c.shows("name  \"Aria\" → \"Ariaß冒\"", "modified")
		c.press("q")
		c.shows("save before quitting?")
		c.press("y")
		c.ended()
		// The text has 9 bytes and 3 of padding instead of 4; the frame is longer by 8.
		two := slices.Concat(one[:0x34], []byte{9, 0, 0, 0}, []byte("Ariaß冒\x00\x00\x00"), one[0x3c:])
		two[0] += 8
		holds(path, two)
	})
	t.Run("repair", func(t *testing.T) {
		path, data := copied(t, "../testdata/damaged/bool-of-7.bin")
		c := start(t, true, program, path)
		c.shows("✗07–00–00–00", "1 problem", "! problems")
		c.press("!")
		c.shows("›! 00000004 r $", "bool-value", "00000004  07 → 01  value", "r repair")
		c.resize(80, 40)
		c.framed(80, 40)
		c.shows("✗07–00–00–00", "00000004  07 → 01  value")
		c.press("r")
		c.shows("modified", "no problems found", "repair: set it to 1; u undoes it")
		c.press("\x13") // ctrl+s
		c.shows("saved save.bin (8 B)")
		data[4] = 1
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("the file holds % x (%v), want % x", got, err, data)
		}
		c.press("\x1b")
		c.shows("$  true", "tab bytes")
		c.press("q")
		c.ended()
	})
	t.Run("ctrl+c", func(t *testing.T) {
		c := start(t, true, program, stats)
		c.shows(frame...)
		c.begun()
		c.press("\x03")
		c.ended()
	})
	t.Run("light background", func(t *testing.T) {
		c := start(t, true, program, stats)
		c.until("light theme", func() bool { return c.wrote(foreground(t, "light", themes.Key)) })
		c.press("q")
		c.ended()
	})
	t.Run("no answer about the background", func(t *testing.T) {
		c := start(t, false, program, stats)
		c.shows(frame...)
		c.framed(80, 24)
		if !c.wrote("\x1b]11;?") {
			t.Error("the terminal was not asked")
		}
		if !c.wrote(foreground(t, "dark", themes.Key)) {
			t.Error("the theme is not the dark one")
		}
		c.press("q")
		c.ended()
	})
	t.Run("password", func(t *testing.T) {
		c := start(t, true, program, "../testdata/wrapped/godot4-gdec-pass-small.bin")
		c.shows("GDEC · encrypted · 108 B", "password: ", "The file is encrypted")
		c.begun()
		c.press("h", "u", "n", "t", "e", "r")
		c.press("\r")
		c.shows("wrong, try again; password: ")
		c.press("hunter2\r")
		c.shows("GDEC → Godot 4 · stream of 1 · 108 B", "name  \"Ann\"")
		for _, part := range []string{"hunt", "unter", "nter2"} {
			if c.wrote(part) {
				t.Errorf("%q of the password was written to the terminal", part)
			}
		}
		c.press("q")
		c.ended()
	})
	t.Run("suspend", func(t *testing.T) {
		// Only a job of a shell can stop.
		c := start(t, true, "sh", "-m", "-c", `"$0" "$1"; echo "stopped: $?"; read x; fg >/dev/null; echo "ended: $?"`, program, stats)
		c.shows(frame...)
		c.press("j", "\x1a")
		c.shows("stopped: 1")
		c.restored()
		c.press("\r")
		c.begun()
		c.framed(80, 24)
		c.shows("›    version  3")
		c.press("j")
		c.shows("›    name  \"Aria\"")
		c.press("q")
		c.shows("ended: 0")
		c.ended()
	})
	t.Run("file that shrinks", func(t *testing.T) {
		path, _ := copied(t, stats)
		c := start(t, true, program, path)
		c.shows("›▾ [0]  (18)")
		if err := os.Truncate(path, 100); err != nil {
			t.Fatal(err)
		}
		c.shows("the file has become shorter: R reloads")
		c.press("j", "G")
		c.framed(80, 24)
		c.press("R")
		c.shows("reloaded", "100 B")
		c.press("q")
		c.ended()
	})
	t.Run("empty file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "empty.bin")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		c := start(t, true, program, path)
		c.shows("This file is empty")
		c.press("j", "G", "\t", "l", "q")
		c.ended()
	})
	t.Run("no file", func(t *testing.T) {
		c := start(t, true, program, "no-such-file.bin")
		if err := <-c.done; err == nil || c.cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("exit status: %v, want 2", err)
		}
		c.shows("varview: no-such-file.bin: no such file")
		c.restored()
	})
}

// foreground is the sequence for the colour of a role.
func foreground(t *testing.T, theme string, role themes.Role) string {
	t.Helper()
	loaded, err := themes.Load(theme)
	if err != nil {
		t.Fatal(err)
	}
	var r, g, b uint8
	if _, err := fmt.Sscanf(string(loaded.Style(role).Foreground), "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("38;2;%d;%d;%d", r, g, b)
}
