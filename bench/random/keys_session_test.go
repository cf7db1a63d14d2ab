package random

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/internal/termtest"
	"varview/internal/text"
	"varview/model"
	"varview/ui"
)

// A session is the program with a file open. Background work is done when the session lets it, so that
// keys come before and after it.
type session struct {
	r       *rand.Rand
	m       *ui.Model
	width   int
	height  int
	waiting []tea.Cmd // background work that has not been done yet
	steps   []string  // what was done, for a report
	quit    bool

	held   *termtest.Held // a terminal on which the frames are drawn
	frames int            // number of frames

	opened map[string][]byte // the bytes of each document when it was opened, by name
	shown  *model.Document
}

// A Failure is a fault that a session has found.
type Failure struct {
	What  string
	Steps []string // the steps up to the fault
}

// Error implements error.
func (f *Failure) Error() string {
	return fmt.Sprintf("%s; after %d steps: %q", f.What, len(f.Steps), f.Steps)
}

// slow is how long a step may take before it counts as hanging.
const slow = 60 * time.Second

// Play opens a copy of a file in the working folder, uses it for a number of steps, and undoes all edits.
// It returns a *Failure for a panic, for a line that is not as wide as the window, and for a change of
// the bytes that undo does not name or undo.
func Play(ctx context.Context, file string, seed uint64, steps int) (err error) {
	s := &session{r: rand.New(rand.NewPCG(seed, 28)), opened: map[string][]byte{}}
	defer func() {
		if p := recover(); p != nil {
			err = &Failure{fmt.Sprintf("panic: %v\n%s", p, debug.Stack()), s.steps}
		}
	}()
	path, err := s.copy(file)
	if err != nil {
		return err
	}
	o := options(file)
	if s.r.IntN(2) == 0 { // what is wrapped is unpacked later, and in parts
		o.Defer = 1 + s.r.Int64N(1<<s.r.IntN(24))
	}
	doc, err := model.Open(ctx, path, o)
	if err != nil {
		return fmt.Errorf("not opened: %w", err)
	}
	doc.WaitForCopy()
	s.m, err = ui.New(ctx, doc, ui.Options{}, true, []termenv.Profile{termenv.Ascii, termenv.TrueColor}[s.r.IntN(2)])
	if err != nil {
		return err
	}
	defer func() { s.m.Document().Close() }()
	s.resize(80, 24)
	s.later(s.m.Init())
	for range steps {
		if s.quit {
			break
		}
		s.step()
		if err := s.check(); err != nil {
			return &Failure{err.Error(), s.steps}
		}
	}
	if err := s.undoAll(); err != nil {
		return &Failure{err.Error(), s.steps}
	}
	return nil
}

// copy writes a copy of the file; in one of five, some bytes are changed.
func (s *session) copy(file string) (path string, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	for range max(0, s.r.IntN(16)-12) {
		if len(b) > 0 && filepath.Ext(file) != ".gz" { // damaged, that is not opened
			b[s.r.IntN(len(b))] = byte(s.r.IntN(256))
		}
	}
	path = filepath.Base(file)
	return path, os.WriteFile(path, b, 0o600)
}

// later keeps commands to be done later, except those that only wait for the clock.
func (s *session) later(cmd tea.Cmd) {
	if cmd == nil || ticks(cmd) {
		return
	}
	s.waiting = append(s.waiting, cmd)
}

// ticks reports whether a command waits for the clock.
func ticks(cmd tea.Cmd) bool {
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	return strings.Contains(name, "Tick.func") || strings.Contains(name, "BlinkCmd")
}

// work does some of the pending background work.
func (s *session) work() {
	i := s.r.IntN(len(s.waiting))
	cmd := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.later(c)
		}
	case tea.QuitMsg:
		s.quit = true
	case tea.SuspendMsg:
	default:
		s.send(msg)
	}
}

// rest does all pending background work, as long as it comes to an end.
func (s *session) rest() error {
	for n := 0; len(s.waiting) > 0; n++ {
		if n > 10_000 {
			return fmt.Errorf("background work begins again and again")
		}
		s.work()
	}
	return nil
}

func (s *session) send(msg tea.Msg) {
	began := time.Now()
	_, cmd := s.m.Update(msg)
	if took := time.Since(began); took > slow {
		panic(fmt.Sprintf("a step took %v", took))
	}
	s.later(cmd)
}

func (s *session) resize(width, height int) {
	s.width, s.height = width, height
	if s.held == nil {
		s.held = termtest.New(width, height)
	}
	s.held.Resize(width, height)
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// sgr are colours and attributes, the only control sequences that a frame may have.
var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// frame draws the window. It must be filled exactly.
func (s *session) frame() (string, error) {
	view := s.m.View()
	frame := sgr.ReplaceAllString(view, "")
	lines := strings.Split(frame, "\n")
	if len(lines) != s.height {
		return frame, fmt.Errorf("%d lines in a window of %d×%d", len(lines), s.width, s.height)
	}
	for i, line := range lines {
		if n := text.Width(line); n != s.width {
			return frame, fmt.Errorf("line %d has %d columns in a window of %d×%d: %q", i, n, s.width, s.height, line)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			return frame, fmt.Errorf("line %d has a control character: %q", i, line)
		}
	}
	s.held.Show(view)
	if s.frames++; s.frames%heldEvery == 0 { // what is wrong on a terminal stays there for a while
		return frame, s.held.Check(view)
	}
	return frame, nil
}

// heldEvery is the number of frames between two looks at the terminal.
const heldEvery = 5

// check looks at the window and at the document.
func (s *session) check() error {
	if _, err := s.frame(); err != nil {
		return err
	}
	doc := s.m.Document()
	if doc != s.shown && !doc.CanUndo() && !doc.CanRedo() { // opened, or opened again without its history
		b, err := sessionContent(doc)
		if err != nil {
			return err
		}
		s.opened[doc.Name] = b
	}
	s.shown = doc
	return nil
}

// content returns the bytes of the innermost buffer.
func sessionContent(doc *model.Document) ([]byte, error) {
	src := doc.Innermost().Tree().Source
	b, err := io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
	if err != nil { // bytes that could not be unpacked
		return nil, nil
	}
	return b, nil
}

// undoAll undoes all edits of each open document. Undo must name what it undoes, and restore the bytes
// that were opened.
func (s *session) undoAll() error {
	s.steps = append(s.steps, "undo all")
	if err := s.rest(); err != nil {
		return err
	}
	s.resize(200, 60)
	for {
		for range 8 {
			s.press(tea.KeyMsg{Type: tea.KeyEsc})
			if err := s.rest(); err != nil {
				return err
			}
		}
		if err := s.check(); err != nil {
			return err
		}
		doc := s.m.Document()
		for n := doc.Steps(); n > 0; n-- {
			s.line("undo")
			if err := s.rest(); err != nil {
				return err
			}
			frame, err := s.frame()
			if err != nil {
				return err
			}
			if doc = s.m.Document(); doc.Steps() != n-1 || !regexp.MustCompile(`undone: \S`).MatchString(frame) {
				return fmt.Errorf("step %d is not undone, or not named:\n%s", n, frame)
			}
		}
		b, err := sessionContent(doc)
		if was := s.opened[doc.Name]; err == nil && was != nil && b != nil && !bytes.Equal(b, was) {
			return fmt.Errorf("%s: after undo % x, was % x", doc.Name, b[:min(len(b), 400)], was[:min(len(was), 400)])
		}
		if outer, _ := doc.Within(); outer == "" {
			return nil
		}
		s.line("q!")
		if err := s.rest(); err != nil {
			return err
		}
		if s.m.Document() == doc {
			return fmt.Errorf("the bytes of a value are not left")
		}
		s.shown = s.m.Document()
	}
}

// press presses a key.
func (s *session) press(msg tea.KeyMsg) { s.send(msg) }

// line types a command.
func (s *session) line(command string) {
	s.press(written(":"))
	s.press(written(command))
	s.press(tea.KeyMsg{Type: tea.KeyEnter})
}

// written are characters that arrive in one write.
func written(text string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }
