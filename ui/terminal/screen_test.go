package terminal

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
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
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { from = int64(len(b)) }()
		return string(b[from:])
	}
}

// TestScreen holds which lines are drawn when, and when all are.
func TestScreen(t *testing.T) {
	s, written := screenOn(t)
	all := ansi.CursorHomePosition + ansi.EraseScreenBelow
	line := func(row int, text string) string { return ansi.CursorPosition(1, row) + ansi.EraseEntireLine + text }
	end := func(row int) string { return ansi.CursorPosition(1, row) }
	for _, step := range []struct {
		what, show, write string
		late, resized     bool // after a pause, after a change of size
		want              string
	}{
		{what: "before anything is known of the terminal", show: "a\nb", late: true},
		{what: "a mode", write: ansi.SetModeAltScreenSaveCursor, want: ansi.SetModeAltScreenSaveCursor},
		{what: "the first tick", write: ansi.CursorHomePosition + "a\r\nb", want: all + line(1, "a") + line(2, "b") + end(2)},
		{what: "just after a frame", show: "a\nc"},
		{what: "its tick", write: ansi.CursorHomePosition + "\nc", want: line(2, "c") + end(2)},
		{what: "the same frame later", show: "a\nc", late: true},
		{what: "after a pause", show: "d\nc", late: true, want: line(1, "d") + end(2)},
		{what: "its tick", write: ansi.CursorHomePosition + "d\n"},
		{what: "fewer lines", show: "d", late: true, want: end(2) + ansi.EraseScreenBelow + end(1)},
		{what: "the screen is cleared", write: ansi.EraseEntireScreen, want: ansi.EraseEntireScreen},
		{what: "the cursor alone is no frame", write: ansi.CursorHomePosition, want: ansi.CursorHomePosition},
		{what: "nothing is known again", show: "e", late: true},
		{what: "the tick after that", write: ansi.CursorHomePosition + "e", want: all + line(1, "e") + end(1)},
		{what: "another size", resized: true, show: "e", late: true},
		{what: "the tick after that", write: ansi.CursorHomePosition + "e", want: all + line(1, "e") + end(1)},
	} {
		if step.late {
			s.when = time.Time{}
		} else {
			s.when = time.Now().Add(time.Hour)
		}
		if step.resized {
			s.Forget()
		}
		if step.show != "" {
			s.Show(step.show)
		}
		if step.write != "" {
			if n, err := io.WriteString(s, step.write); n != len(step.write) || err != nil {
				t.Errorf("%s: %d, %v", step.what, n, err)
			}
		}
		if got := written(); got != step.want {
			t.Errorf("%s: %q is written, not %q", step.what, got, step.want)
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
	for _, text := range []string{"title", "frame 5", "frame 4", "frame 3", "frame 2", "frame 1", "frame 0"} {
		if n := strings.Count(all, text); n != 1 {
			t.Errorf("%q is written %d times in %q", text, n, all)
		}
	}
}
