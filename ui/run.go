package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	"varview/model/saves"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/jobs"
	"varview/ui/paint"
	"varview/ui/start"
	"varview/ui/terminal"
	"varview/ui/tutor"
)

// frameRate is the largest number of frames per second. A key that comes after a pause between keys does not wait for
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
	Learns      bool         // the file is the tutorial's save
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
	m, err := New(ctx, doc, o, dark || !known, terminal.Profile(environ, lipgloss.ColorProfile()))
	if err != nil {
		return err
	}
	m.file.Keeps, m.greets = true, o.State.IsKept() && !o.Learns
	if o.Learns {
		m.tutor.Begin(doc.Path())
	}
	defer m.tutor.End()
	m.values.Keys, m.values.Screen = keys, screen
	m.values.ToClipboard = func(text string) tea.Cmd {
		return func() tea.Msg {
			terminal.Copy(screen, environ, text)
			clipboard.Copy(m.desk.Ctx, environ, text)
			return nil
		}
	}
	if known {
		m.hasBackground(dark)
	}
	answer := func(dark bool) tea.Msg { return backgroundMsg{dark} }
	if !terminal.Queryable(environ) {
		if answer = nil; !known {
			m.desk.Styles.PaintGround()
		}
	}
	err = run(ctx, m, keys, screen, answer, func(frames *terminal.Screen) {
		m.desk.Reading.After = frames.Begun() // reading would take a processor from the first frame
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
// the screen before anything is read. If answer is not nil, the terminal is asked whether its background is dark; the answer
// arrives among the keys, or never: nothing waits for it.
func run(ctx context.Context, m shown, keys, screen *os.File, answer func(dark bool) tea.Msg, began func(*terminal.Screen)) error {
	defer parallel.Reserve()()
	frames := terminal.NewScreen(screen, frameRate)
	keep := terminal.Keep(keys, screen)
	restore := func() {
		frames.Stop()
		keep()
	}
	loop, stopLoop := context.WithCancel(context.WithoutCancel(ctx))
	defer stopLoop()
	g := &guard{shown: m, screen: frames, stopLoop: stopLoop, ended: make(chan struct{})}
	defer context.AfterFunc(ctx, func() { g.end(context.Cause(ctx)) })()
	var program *tea.Program
	input := cancelreader.File(keys)
	if answer != nil {
		input = terminal.NewInput(keys, func(dark bool) { program.Send(answer(dark)) })
		g.asks = func() tea.Msg {
			terminal.Query(screen)
			return nil
		}
	}
	program = tea.NewProgram(g, tea.WithContext(loop), tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithFPS(clockRate),
		tea.WithInput(guardedKeys{input, g}), tea.WithOutput(frames), tea.WithFilter(g.filter), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	began(frames)
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
		m.live.Rules, m.file.Spoils = rules, len(rules) > 0
	}
	if len(m.live.Rules) == 0 {
		return m.desk.Say("packets are passed on as they come; :fault drop=10% loses some")
	}
	return m.desk.Say("faults: " + strings.Join(m.live.Rules, "; ") + "; :fault none ends them")
}

// shown is what a guard watches: a model that can name its messages for the report about a panic, and
// knows the size of the window.
type shown interface {
	tea.Model
	nameOf(tea.Msg) string
	window() (width, height int)
}

// A guard is the program as Bubble Tea runs it. Whatever ends the program goes through end: the user, a
// signal, the loss of the terminal, or a panic anywhere. It keeps the names of the last actions for the
// report about a panic.
type guard struct {
	shown
	trail    background.Trail
	screen   *terminal.Screen
	stopLoop func()  // stops the loop and restores the terminal
	asks     tea.Cmd // asks the terminal for its background; nil if that is known

	once   sync.Once
	ended  chan struct{} // closed by end
	reason error         // why the program ended; nil if the user quit
}

// end ends the program. Several goroutines may call it; it acts once, for the first reason, before the
// terminal is restored. No other goroutine waits meanwhile: the program may be in the middle of Update.
func (g *guard) end(reason error) {
	g.once.Do(func() {
		g.reason = reason
		close(g.ended)
		if reason != nil { // a user who quits sees the last frame
			g.stopLoop()
		}
	})
}

// catch ends the program after a panic. It is deferred.
func (g *guard) catch() {
	if p := background.Recovered(recover()); p != nil {
		width, height := g.window()
		p.Notes = fmt.Sprintf("window %d×%d\n%s", width, height, g.trail.List())
		g.end(p)
	}
}

// Init implements tea.Model.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch()
	return g.guarded(tea.Batch(g.asks, g.shown.Init()))
}

// Update implements tea.Model.
func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g
	defer g.catch()
	g.trail.Add(g.nameOf(msg))
	switch msg.(type) {
	case tea.WindowSizeMsg:
		g.screen.Forget()
	case tea.KeyMsg:
		g.screen.Hurry()
	}
	_, cmd = g.shown.Update(msg)
	return g, g.guarded(cmd)
}

// View implements tea.Model. It also draws the frame itself, without waiting for Bubble Tea's clock.
func (g *guard) View() string {
	defer g.catch()
	frame := g.shown.View()
	g.screen.Show(frame)
	return frame
}

// guarded returns a command whose panics end the program.
func (g *guard) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.catch()
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, cmd := range batch {
				batch[i] = g.guarded(cmd)
			}
		}
		return msg
	}
}

// filter sees each message before Bubble Tea acts on it.
func (g *guard) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, quits := msg.(tea.QuitMsg); quits {
		g.end(nil)
	}
	return msg
}

// errNoTerminal says that there can be no more keys.
var errNoTerminal = errors.New("the terminal is gone")

// guardedKeys is the input from which keys are read.
type guardedKeys struct {
	cancelreader.File
	guard *guard
}

// Read implements io.Reader. A terminal ends once it is closed.
func (k guardedKeys) Read(p []byte) (int, error) {
	defer k.guard.catch()
	n, err := k.File.Read(p)
	if errors.Is(err, io.EOF) {
		k.guard.end(errNoTerminal)
	}
	return n, err
}

// Choose lets the user choose a file in a folder. With games set, it also lists those of games on this
// computer and those opened before. The file chosen before is selected. For the tutorial, the path is that of its save.
func Choose(ctx context.Context, folder string, before start.Choice, games bool, o Options, keys, screen *os.File) (chosen start.Choice, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if folder, err = filepath.Abs(folder); err != nil {
		return chosen, err
	}
	dark, known := terminal.Hint(os.Environ())
	profile := terminal.Profile(os.Environ(), lipgloss.ColorProfile())
	theme, err := themes.Load(cmp.Or(o.Theme, darkOrLight[dark || !known]))
	if err != nil {
		return chosen, err
	}
	files := make(chan saves.Found, 100)
	styles := paint.New(theme, profile)
	asks := terminal.Queryable(os.Environ())
	if o.Theme != "" || !known && !asks {
		styles.PaintGround()
	}
	p := &start.Picker{Ctx: ctx, Styles: styles, Folder: folder, Before: before, Files: files, Weak: !games, Now: time.Now}
	finding := background.Start(func() {
		defer close(files)
		var opened []string
		for _, f := range o.State.Data().Files {
			opened = append(opened, f.Path)
		}
		saves.All(ctx, folder, games, opened, files)
	})
	answer := func(dark bool) tea.Msg {
		theme, err := themes.Load(darkOrLight[dark])
		if err != nil {
			return nil
		}
		return paint.New(theme, profile)
	}
	if o.Theme != "" || !asks {
		answer = nil
	}
	err = run(ctx, choosing{p}, keys, screen, answer, func(*terminal.Screen) {})
	stop()
	finding.Wait()
	if chosen = p.Chosen; chosen.Learns && err == nil {
		chosen.Path, err = tutor.WriteSave()
	}
	return chosen, err
}

// choosing is the picker, in a form that a guard can watch.
type choosing struct{ *start.Picker }

func (c choosing) nameOf(msg tea.Msg) string { return fmt.Sprintf("%T", msg) }

func (c choosing) window() (width, height int) { return c.Size() }
