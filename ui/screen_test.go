package ui

import (
	"context"
	"flag"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	_ "varview/internal/lessgc"
	"varview/internal/text"
	"varview/model"
	"varview/ui/dialog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A screen is the program without a terminal: messages go in, frames come out.
type screen struct {
	t         testing.TB
	m         *Model
	path      string
	quit      bool
	suspended bool
	spoilt    bool // the file on disk was changed
}

// openScreen opens a file in a window. The whole file is read first.
func openScreen(t testing.TB, path string, width, height int, profile termenv.Profile) *screen {
	t.Helper()
	s := openUnread(t, path, width, height, profile)
	s.run(s.m.Init())
	return s
}

// openUnread opens a file and reads only what the first frame needs.
func openUnread(t testing.TB, path string, width, height int, profile termenv.Profile) *screen {
	t.Helper()
	s := openUnsized(t, path, profile)
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
	return s
}

func openUnsized(t testing.TB, path string, profile termenv.Profile) *screen {
	t.Helper()
	return openWith(t, path, model.Options{Guard: true, CopyLimit: 1 << 20}, profile)
}

// openWith opens a file with options, without a window.
func openWith(t testing.TB, path string, o model.Options, profile termenv.Profile) *screen {
	t.Helper()
	doc, err := model.Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	doc.WaitForCopy()
	m, err := New(context.Background(), doc, Options{}, true, profile)
	if err != nil {
		t.Fatal(err)
	}
	m.canSuspend = func() bool { return true }
	s := &screen{t: t, m: m, path: path}
	t.Cleanup(func() { s.m.desk.Doc.Close() })
	return s
}

// send gives the program a message and runs the commands it returns.
func (s *screen) send(msg tea.Msg) {
	s.t.Helper()
	switch msg.(type) {
	case nil:
		return
	case tea.QuitMsg:
		s.quit = true
		return
	case tea.SuspendMsg:
		s.suspended = true
		return
	}
	_, cmd := s.m.Update(msg)
	s.run(cmd)
}

// run runs commands at once, except those that only wait for the clock.
func (s *screen) run(cmd tea.Cmd) {
	s.t.Helper()
	if cmd == nil || waits(cmd) {
		return
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, c := range batch {
			s.run(c)
		}
		return
	}
	s.send(msg)
}

func waits(cmd tea.Cmd) bool {
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	return strings.Contains(name, "Tick.func")
}

// keyTypes are the keys that are not characters, as their bindings name them.
var keyTypes = map[string]tea.KeyType{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab,
	"shift+tab": tea.KeyShiftTab, "backspace": tea.KeyBackspace, " ": tea.KeySpace, "f1": tea.KeyF1, "ctrl+b": tea.KeyCtrlB, "ctrl+g": tea.KeyCtrlG, "ctrl+e": tea.KeyCtrlE, "ctrl+x": tea.KeyCtrlX, "ctrl+p": tea.KeyCtrlP, "ctrl+^": tea.KeyCtrlCaret,
	"ctrl+r": tea.KeyCtrlR, "ctrl+s": tea.KeyCtrlS, "ctrl+t": tea.KeyCtrlT, "shift+down": tea.KeyShiftDown, "shift+up": tea.KeyShiftUp,
	"delete": tea.KeyDelete, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD, "ctrl+f": tea.KeyCtrlF, "ctrl+n": tea.KeyCtrlN, "ctrl+o": tea.KeyCtrlO, "ctrl+u": tea.KeyCtrlU, "ctrl+w": tea.KeyCtrlW, "ctrl+z": tea.KeyCtrlZ,
}

func keyMsg(name string) tea.KeyMsg {
	if base, ok := strings.CutPrefix(name, "alt+"); ok {
		msg := keyMsg(base)
		msg.Alt = true
		return msg
	}
	if t, ok := keyTypes[name]; ok {
		msg := tea.KeyMsg{Type: t}
		if t == tea.KeySpace {
			msg.Runes = []rune{' '}
		}
		return msg
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// reopenReadOnly opens the same file read-only.
func (s *screen) reopenReadOnly() {
	s.t.Helper()
	width, height := s.m.desk.Width, s.m.desk.Height
	*s = *openWith(s.t, s.path, model.Options{ReadOnly: true}, s.m.profile)
	s.run(s.m.Init())
	s.resizeTo(width, height)
}

func (s *screen) resizeTo(width, height int) {
	s.t.Helper()
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// press presses keys one after the other.
func (s *screen) press(names ...string) {
	s.t.Helper()
	for _, name := range names {
		if first, second, two := strings.Cut(name, " "); two && name != " " {
			s.send(keyMsg(first))
			name = second
		}
		s.send(keyMsg(name))
	}
}

// wantTree checks how many columns the tree has.
func (s *screen) wantTree(columns int) {
	s.t.Helper()
	if got := s.m.layout.treeWidth; got != columns {
		s.t.Errorf("the tree has %d columns, want %d", got, columns)
	}
}

// wantRowAt checks which row of the tree, from 0 on, is selected.
func (s *screen) wantRowAt(want int) {
	s.t.Helper()
	lines := strings.Split(s.frame(), "\n")
	if got := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "│ ›") }) - 1; got != want {
		s.t.Errorf("row %d is selected, want %d:\n%s", got, want, s.frame())
	}
}

// typeText types characters; those of control keys press these.
func (s *screen) typeText(text string) {
	s.t.Helper()
	for _, r := range text {
		switch name, special := map[rune]string{'\r': "enter", '\t': "tab", '\x1b': "esc", '\x05': "end", '\x14': "ctrl+t", '\x15': "ctrl+u", '\b': "backspace"}[r]; {
		case special:
			s.press(name)
		default:
			s.press(string(r))
		}
	}
}

// look looks at the file on disk.
func (s *screen) look() {
	s.t.Helper()
	s.run(s.m.file.Look())
}

// editor returns the open editor; nil if there is none.
func (s *screen) editor() *dialog.Editor { return dialog.Find[*dialog.Editor](s.m.desk.Dialogs) }

// enter types a line into a prompt that a key opens.
func (s *screen) enter(key, line string) {
	s.t.Helper()
	s.press(key)
	s.typeText(line)
	s.press("enter")
}

func (s *screen) click(x, y int) {
	s.t.Helper()
	s.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	s.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionRelease, Button: tea.MouseButtonLeft})
}

func (s *screen) wheel(x, y int, b tea.MouseButton) {
	s.t.Helper()
	s.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: b})
}

// frame checks the window and returns its text without colours.
func (s *screen) frame() string {
	s.t.Helper()
	view := s.m.View()
	checkFrame(s.t, view, s.m.desk.Width, s.m.desk.Height)
	return sgr.ReplaceAllString(view, "")
}

// selected is the row of the tree with the cursor, without blanks around it.
func (s *screen) selected() string {
	s.t.Helper()
	for line := range strings.Lines(s.frame()) {
		if _, row, ok := strings.Cut(line, "›"); ok {
			row, _, _ = strings.Cut(row, "│")
			return strings.TrimSpace(row)
		}
	}
	return ""
}

func (s *screen) wantSelected(want string) {
	s.t.Helper()
	if got := s.selected(); !strings.HasPrefix(got, want) && !strings.HasPrefix(wasShown.ReplaceAllString(got, "$1"), want) {
		s.t.Errorf("selected %q, want %q", got, want)
	}
}

func (s *screen) wantOffset(want int64) {
	s.t.Helper()
	if got := s.m.desk.Explorer.Offset(); got != want {
		s.t.Errorf("at %#x, want %#x", got, want)
	}
}

// wasShown is what a row that was edited shows before the value: what the file has in its place.
var wasShown = regexp.MustCompile(`(•[^│\n]*?  )[^│\n]*? → `)

// wantShown checks that a text is in the frame, with or without the old values of rows.
func (s *screen) wantShown(want string) {
	s.t.Helper()
	if frame := s.frame(); !strings.Contains(frame, want) && !strings.Contains(wasShown.ReplaceAllString(frame, "$1"), want) {
		s.t.Errorf("%q is not shown:\n%s", want, frame)
	}
}

// sgr is the only control sequence that a frame may contain: colours and
// attributes.
var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// checkFrame checks that a frame fills its window and has no other effect on the
// terminal.
func checkFrame(t testing.TB, view string, width, height int) {
	t.Helper()
	if width <= 0 || height <= 0 {
		return
	}
	lines := strings.Split(view, "\n")
	if len(lines) != height {
		t.Errorf("%d×%d: %d lines", width, height, len(lines))
	}
	for i, line := range lines {
		plain := sgr.ReplaceAllString(line, "")
		if w := text.Width(plain); w != width {
			t.Errorf("%d×%d: line %d has %d columns: %q", width, height, i, w, plain)
		}
		for _, r := range plain {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Errorf("%d×%d: line %d has the control character %U: %q", width, height, i, r, line)
			}
		}
	}
}
