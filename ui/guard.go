package ui

import (
	"errors"
	"fmt"
	"io"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/cancelreader"

	"varview/decoder/engine/background"
	"varview/ui/terminal"
)

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
	trail    trail
	screen   *terminal.Screen
	stopLoop func() // stops the loop and restores the terminal

	once   sync.Once
	ended  chan struct{} // closed by end
	reason error         // why the program ended; nil if the user quit
}

func newGuard(m shown, screen *terminal.Screen, stopLoop func()) *guard {
	return &guard{shown: m, screen: screen, stopLoop: stopLoop, ended: make(chan struct{})}
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
		p.Notes = fmt.Sprintf("window %d×%d\n%s", width, height, g.trail.list())
		g.end(p)
	}
}

// Init implements tea.Model.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch()
	return g.guarded(g.shown.Init())
}

// Update implements tea.Model.
func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g
	defer g.catch()
	g.trail.add(g.nameOf(msg))
	if _, resized := msg.(tea.WindowSizeMsg); resized {
		g.screen.Forget()
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
