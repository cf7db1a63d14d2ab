package terminal

import (
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// screenOn returns a screen, and what was written to the terminal since the last call.
func screenOn(t *testing.T) (s *Screen, written func() string) {
	t.Helper()
	f, err := os.Create(t.TempDir() + "/terminal")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	from := int64(0)
	return NewScreen(f, 120), func() string {
		t.Helper()
		s.mu.Lock()
		defer s.mu.Unlock()
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { from = int64(len(b)) }()
		return string(b[from:])
	}
}

// TestScreen holds what is drawn when, and when all is.
func TestScreen(t *testing.T) {
	s, written := screenOn(t)
	together := func(what string) string {
		return ansi.SetModeSynchronizedOutput + what + ansi.ResetModeSynchronizedOutput
	}
	all := ansi.EraseEntireScreen
	begun, drawn := false, false
	for _, step := range []struct {
		what, show, write string
		soon              bool // after a frame that was drawn just before
		key, rapid        bool // a key was pressed after that; just after another
		resized           bool
		want              string // that is written, or a part of it
	}{
		{what: "before the program has a screen of its own", show: "a\nb"},
		{what: "its screen", write: ansi.SetModeAltScreenSaveCursor, want: all},
		{what: "a frame", show: "a\nc", want: together("\x1b[2;1H\x1b[?7lc\x1b[?7h")},
		{what: "just after a frame", show: "a\nd", soon: true, want: together("\x1b[2;1H\x1b[?7ld\x1b[?7h")},
		{what: "a key just after a frame", show: "a\ne", soon: true, key: true, want: together("\x1b[2;1H\x1b[?7le\x1b[?7h")},
		{what: "another key just after it", show: "a\nd", soon: true, key: true, rapid: true, want: together("\x1b[2;1H\x1b[?7ld\x1b[?7h")},
		{what: "the same frame", show: "a\nd"},
		{what: "Bubble Tea's own frame", write: ansi.CursorHomePosition + "a\r\nd"},
		{what: "one cell of many", show: "axb\nd", resized: true, want: all},
		{what: "another cell", show: "ayb\nd", want: together("\x1b[1;2Hy")},
		{what: "a mark behind a letter", show: "ae\u0301b\nd", want: "e\u0301"},
		{what: "cells far apart", show: "0123456789abcdef\nd", resized: true, want: all},
		{what: "cells far apart", show: "x123456789abcdex\nd", want: together("\x1b[Hx\x1b[14Cx")},
		{what: "cells close together", show: "y12z456789abcdex\nd", want: together("\x1b[Hy12z")},
		{what: "colours of blanks", show: "y12z456789\x1b[31m   \x1b[0mdex\nd", want: together("\x1b[1;11H   ")},
		{what: "colours of blanks that nobody sees", show: "y12z456789\x1b[32m   \x1b[0mdex\nd"},
		{what: "a line less", show: "ayb", want: all},
		{what: "the screen is cleared", write: ansi.EraseEntireScreen, want: all},
		{what: "the user's screen", write: ansi.ResetModeAltScreenSaveCursor, want: ansi.ResetModeAltScreenSaveCursor},
		{what: "a frame for the user's screen", show: "x"},
	} {
		s.mu.Lock()
		s.when = time.Time{}
		if step.soon {
			s.when = time.Now().Add(20 * time.Millisecond)
		}
		s.hurried = time.Time{}
		if step.rapid {
			s.hurried = time.Now().Add(time.Hour)
		}
		s.mu.Unlock()
		if step.resized {
			s.Forget()
		}
		if step.key {
			s.Hurry()
		}
		if step.show != "" {
			s.Show(step.show)
		}
		if step.soon && (!step.key || step.rapid) {
			if got := written(); got != "" {
				t.Errorf("%s: %q is written at once", step.what, got)
			}
		} else if step.soon && s.later != nil {
			t.Errorf("%s: it waits", step.what)
		}
		if step.write != "" {
			if n, err := io.WriteString(s, step.write); n != len(step.write) || err != nil {
				t.Errorf("%s: %d, %v", step.what, n, err)
			}
		}
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
			s.mu.Lock()
			waits := s.later != nil
			s.mu.Unlock()
			if !waits || time.Now().After(deadline) {
				break
			}
		}
		select {
		case <-s.Begun():
			begun = true
		default:
		}
		drawn = drawn || step.want != ""
		if begun != drawn {
			t.Errorf("%s: begun is %t", step.what, begun)
		}
		if got := written(); got != step.want && (len(step.want) == 0 || !strings.Contains(got, step.want)) {
			t.Errorf("%s: %q is written, not %q", step.what, got, step.want)
		}
	}
	s.Show("y")
	io.WriteString(s, ansi.SetModeAltScreenSaveCursor)
	s.Stop()
	written()
	time.Sleep(20 * time.Millisecond)
	if written() != "" {
		t.Error("a screen that was stopped draws")
	}
}

// TestScreenChanges holds that the terminal shows each frame after any other: of letters, wide ones, blanks and styles.
func TestScreenChanges(t *testing.T) {
	s, written := screenOn(t)
	io.WriteString(s, ansi.SetModeAltScreenSaveCursor)
	parts := []string{"a", "b", "日", "é", "          ", " ", "\x1b[31mr\x1b[0m", "\x1b[44m  \x1b[0m", "\x1b[4m \x1b[0m", "\x1b[1;7mx \x1b[0m"}
	rnd := rand.New(rand.NewPCG(1, 2))
	shown, afresh := vt.NewEmulator(24, 3), vt.NewEmulator(24, 3)
	for range 300 {
		var lines []string
		for range 3 {
			line, left := "", 24
			for left > 0 {
				part := parts[rnd.IntN(len(parts))]
				if w := ansi.StringWidth(part); w <= left {
					line, left = line+part, left-w
				}
			}
			lines = append(lines, line)
		}
		s.mu.Lock()
		s.when = time.Time{}
		s.frame = strings.Join(lines, "\n")
		s.draw()
		s.mu.Unlock()
		shown.WriteString(written())
		afresh.WriteString(ansi.EraseEntireScreen + ansi.CursorHomePosition + strings.Join(lines, "\r\n"))
		for y := range 3 {
			for x := range 24 {
				if got, want := shown.CellAt(x, y), afresh.CellAt(x, y); !looksSame(got, want) {
					t.Fatalf("%q: %v at %d, %d, not %v", lines[y], got, x, y, want)
				}
			}
		}
	}
}

// countdown shows numbers, each as a frame, and ends.
type countdown struct {
	*Screen
	n int
}

func (c *countdown) Init() tea.Cmd { return c.later() }

func (c *countdown) later() tea.Cmd {
	return tea.Tick(20*time.Millisecond, func(time.Time) tea.Msg { return c })
}

func (c *countdown) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg != any(c) {
		return c, nil
	}
	if c.n--; c.n == 0 {
		return c, tea.Quit
	}
	return c, c.later()
}

func (c *countdown) View() string {
	frame := "title\nframe " + string(rune('0'+c.n))
	c.Show(frame)
	return frame
}

// TestFramesOnce holds that Bubble Tea's own frames are known as such: each is written once.
func TestFramesOnce(t *testing.T) {
	s, written := screenOn(t)
	program := tea.NewProgram(&countdown{s, 5}, tea.WithAltScreen(), tea.WithInput(strings.NewReader("")), tea.WithOutput(s), tea.WithoutSignalHandler())
	if _, err := program.Run(); err != nil {
		t.Fatal(err)
	}
	all := written()
	if n := strings.Count(all, ansi.SetModeSynchronizedOutput); n > 7 {
		t.Errorf("%d frames are written: %q", n, all)
	}
	terminal := vt.NewEmulator(len("frame 0"), 2) // as wide as the frames
	before, _, _ := strings.Cut(all, ansi.EraseEntireLine)
	terminal.WriteString(before)
	if got := strings.Fields(terminal.String()); strings.Join(got, " ") != "title frame 0" {
		t.Errorf("%q is shown", got)
	}
}
