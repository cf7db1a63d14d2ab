package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"

	"varview/bench/savegame"
)

// The test binary takes the place of varview. With this variable set it behaves as
// the words in it say: broken fails at once, calm has no background work, blind
// sees no damage.
const fakeVariable = "VARVIEW_BENCH_FAKE"

// How long the fake takes for its work.
const (
	fakeStart   = 60 * time.Millisecond // until the first full frame
	fakeAnswer  = 8 * time.Millisecond  // from a key to its frame
	fakeMemory  = 48 << 20              // after G
	fakeSearch  = 250 * time.Millisecond
	fakeSilent  = "x"                    // the key that draws nothing
	fakeCounter = 400 * time.Millisecond // how long it counts in a corner, unless calm
)

func TestMain(m *testing.M) {
	if words := os.Getenv(fakeVariable); words != "" {
		if err := fake(words, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "varview:", err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func fake(words string, args []string) error {
	switch {
	case strings.Contains(words, "broken"):
		return fmt.Errorf("%s: made to fail", args[0])
	case args[0] == "check":
		path := args[len(args)-1]
		fmt.Println(strings.Repeat("a warning of some length; ", 10))
		if wrong := strings.Contains(path, "damaged") || strings.Contains(path, "alone"); wrong && !strings.Contains(words, "blind") {
			os.Exit(1)
		}
		return warm(path)
	case slices.Contains([]string{"repair", "info", "find", "table", "diff", "merge"}, args[0]):
		return nil
	case args[0] == "set", args[0] == "delete":
		return os.WriteFile(args[slices.Index(args, "-o")+1], []byte("saved"), 0o600)
	case slices.Index(args, "-o") == 2: // import or convert
		return os.Link(args[1], args[3])
	case args[0] == "dump" || args[0] == "export" || args[0] == "convert":
		f, err := os.Open(args[len(args)-1])
		if err != nil {
			return err
		}
		_, err = io.Copy(os.Stdout, f)
		return err
	}
	return fakeTerminal(words)
}

// A fakeScreen draws whole frames with a counter, so that every frame differs.
type fakeScreen struct {
	cols, rows, frames    int
	state, place, command string
	kept                  []byte
}

// fakeReading is how many frames say that the file is still being read.
const fakeReading = 8

func (s *fakeScreen) draw() {
	s.frames++
	var out bytes.Buffer
	out.WriteString("\x1b[H")
	top := "the fake"
	if s.frames < fakeReading {
		top = fmt.Sprintf("the fake reading %d%%", s.frames)
	}
	fmt.Fprintf(&out, "%-*s\r\n", s.cols, top)
	for y := range s.rows - 2 {
		fmt.Fprintf(&out, "%-*.*s\r\n", s.cols, s.cols, fmt.Sprintf("[0] %d %s %s %s", s.frames, s.state, s.place, strings.Repeat("▾", s.cols-20-y)))
	}
	fmt.Fprintf(&out, "? help\x1b[K")
	os.Stdout.Write(out.Bytes())
}

func fakeTerminal(words string) error {
	if _, err := term.MakeRaw(os.Stdin.Fd()); err != nil {
		return err
	}
	cols, rows, err := term.GetSize(os.Stdout.Fd())
	if err != nil {
		return err
	}
	// As termenv does: ask for the background and wait for the answer.
	fmt.Print("\x1b]11;?\x1b\\")
	in := make([]byte, 256)
	if n, err := os.Stdin.Read(in); err != nil || !bytes.Contains(in[:n], []byte("rgb:")) {
		return fmt.Errorf("no background colour: %q, %v", in[:n], err)
	}
	fmt.Print("\x1b[?1049h\x1b[2J\x1b[Hopening")
	time.Sleep(fakeStart)
	s := &fakeScreen{cols: cols, rows: rows}
	s.draw()
	// Background work, with a counter that often changes a few cells.
	for end := time.Now().Add(fakeCounter); time.Now().Before(end) && !strings.Contains(words, "calm"); time.Sleep(20 * time.Millisecond) {
		fmt.Printf("\x1b[%d;60H%8d", rows, time.Now().UnixMilli()%1e8)
	}
	for {
		n, err := os.Stdin.Read(in)
		if err != nil {
			return nil
		}
		for _, key := range in[:n] {
			s.press(string(key))
		}
	}
}

func (s *fakeScreen) press(key string) {
	s.command += key
	switch {
	case key == fakeSilent:
		return
	case key == "G":
		s.kept = bytes.Repeat([]byte("page"), fakeMemory/4)
		s.place = strconv.Quote(savegame.LastText) + " 0x400–0xfffff" // in which all files end here
	case key == "\r" && strings.HasPrefix(s.command, ":goto 0x"):
		at := strings.TrimSpace(s.command[len(":goto 0x"):])
		s.place = fmt.Sprintf("0x%s–0x%s", at, at)
	case key == "\r" && strings.Contains(s.command, "/"):
		for end := time.Now().Add(fakeSearch); time.Now().Before(end); {
		}
		s.place = "not found: " + strings.TrimSpace(s.command[1:])
	}
	switch {
	case key == "\r" && strings.HasPrefix(s.command, ":set "):
		s.state = "modified"
	case s.command == "u":
		s.state = ""
	}
	if key == "\r" || s.command == "u" {
		s.command = ""
	}
	time.Sleep(fakeAnswer)
	s.draw()
}
