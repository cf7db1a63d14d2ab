package ui

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/cancelreader"

	"varview/decoder/engine/background"
	"varview/decoder/engine/parallel"
	"varview/internal/clipboard"
	"varview/internal/state"
	"varview/model"
	"varview/model/diff"
	"varview/ui/action"
	"varview/ui/jobs"
	"varview/ui/terminal"
)

// frameRate is the largest number of frames per second. A key that comes after a pause does not wait for
// the next frame. Bubble Tea's own clock is only a fallback: each tick costs processor time.
const (
	frameRate = 120
	clockRate = 1
)

// Options says how the program looks and what it remembers.
type Options struct {
	Theme string       // dark, light, a file, or "" for the theme that fits the terminal
	State *state.Store // what is remembered between runs; nil to remember nothing

	Actions     action.Table // actions with the user's keys; nil for the defaults
	Marks       string       // marks of fields: auto, on or off
	BytesPerRow int          // 0 for as many as fit
	TreeShare   int          // the tree's percentage of the window; 0 for the default
	Alone       bool         // only the pane with the focus is shown at first
	Merge       *diff.Merge  // merge whose conflicts are to be decided; nil for none
	Live        *Live        // the recording that is shown while it grows; nil for a file that stays
	Notice      error        // what is wrong with the configuration, shown until the first key
}

// Run shows an open document in the terminal until the user quits or ctx is done; then its cause is the
// error. keys is the terminal that is read for keys, which is not standard input if the file came from
// there. Run closes the document.
func Run(ctx context.Context, doc *model.Document, o Options, keys, screen *os.File) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	environ := os.Environ()
	dark, known := terminal.Hint(environ)
	m, err := New(ctx, doc, o, dark || !known, lipgloss.ColorProfile())
	if err != nil {
		return err
	}
	m.file.Keeps, m.greets = true, o.State.IsKept()
	defer m.tutor.End()
	m.values.Keys = keys
	m.values.ToClipboard = func(text string) tea.Cmd {
		return func() tea.Msg {
			terminal.Copy(screen, environ, text)
			clipboard.Copy(m.desk.Ctx, environ, text)
			return nil
		}
	}
	var answer func(dark bool)
	input := cancelreader.File(keys)
	if known {
		m.hasBackground(dark)
	}
	if terminal.Queryable(environ) {
		// The answer arrives among the keys, or never; nothing waits for it.
		input = terminal.NewInput(keys, func(dark bool) { answer(dark) })
		m.askBackground = func() tea.Msg {
			terminal.Query(screen)
			return nil
		}
	} else if !known {
		m.desk.Styles.PaintGround()
	}
	err = run(ctx, m, input, screen, func(p *tea.Program, frames *terminal.Screen) {
		m.desk.Reading.After = frames.Begun() // reading would take a processor from the first frame
		answer = func(dark bool) { p.Send(backgroundMsg{dark}) }
	})
	stop()
	err = m.file.EndKeeping(err)
	m.desk.State.Save() // nobody would see the error
	m.desk.Doc.Close()  // waits for a save to end
	if other := m.file.Other(); other != nil {
		other.Close()
	}
	return err
}

// grace is how long the terminal may take for the last output. A terminal on hold accepts nothing.
const grace = time.Second

// run gives the terminal to the program, and restores it when the program has ended. It calls began with
// the program and its screen before anything is read.
func run(ctx context.Context, m shown, keys cancelreader.File, screen *os.File, began func(*tea.Program, *terminal.Screen)) error {
	defer parallel.Reserve()()
	frames := terminal.NewScreen(screen, os.Environ(), frameRate)
	keep := terminal.Keep(keys, screen)
	restore := func() {
		frames.Stop()
		keep()
	}
	loop, stopLoop := context.WithCancel(context.WithoutCancel(ctx))
	defer stopLoop()
	g := newGuard(m, frames, stopLoop)
	defer context.AfterFunc(ctx, func() { g.end(context.Cause(ctx)) })()
	program := tea.NewProgram(g, tea.WithContext(loop), tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithFPS(clockRate),
		tea.WithInput(guardedKeys{keys, g}), tea.WithOutput(frames), tea.WithFilter(g.filter), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	began(program, frames)
	var err error
	running := background.Start(func() {
		defer g.catch()
		_, err = program.Run()
	})
	select {
	case <-running.Done():
	case <-g.ended:
		select {
		case <-running.Done():
		case <-time.After(grace):
			restore()
			return g.reason
		}
	}
	g.end(err)
	var panicked *background.Panic
	if errors.As(g.reason, &panicked) {
		restore() // Bubble Tea may not have done it
	}
	return g.reason
}

// Live is what is known of a recording that grows while the program shows it.
type Live struct {
	Told  <-chan string              // what happens, a line each
	Rules []string                   // what is done to packets that are passed on
	Fault func(rules []string) error // replaces the rules; nil if nothing is passed on
}

// told waits for the next line about the recording, and shows it.
func (m *Model) told() tea.Cmd {
	if m.live == nil {
		return nil
	}
	told, ctx := m.live.Told, m.desk.Ctx
	return jobs.Alone("listening", func() func() tea.Cmd {
		select {
		case line := <-told:
			return func() tea.Cmd {
				m.desk.Say(line)
				return m.told()
			}
		case <-ctx.Done():
			return nil
		}
	})
}

// fault is :fault: it adds a rule for packets, says which there are, or ends them.
func (m *Model) fault(rule string) tea.Cmd {
	switch {
	case m.live == nil || m.live.Fault == nil:
		return m.desk.Report(errors.New(":fault is for packets on their way: varview listen udp :PORT HOST:PORT --tui"))
	case rule != "":
		var rules []string
		if rule != "none" {
			rules = append(slices.Clone(m.live.Rules), rule)
		}
		if err := m.live.Fault(rules); err != nil {
			return m.desk.Report(err)
		}
		m.live.Rules = rules
	}
	if len(m.live.Rules) == 0 {
		return m.desk.Say("packets are passed on as they come; :fault drop=10% loses some")
	}
	return m.desk.Say("faults: " + strings.Join(m.live.Rules, "; ") + "; :fault none ends them")
}
