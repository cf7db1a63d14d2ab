// Package ui is the terminal program: panes, keys and layout over an explorer
// of the model. It holds no state of the document.
package ui

import (
	"context"
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
	"varview/themes"
)

// focus is the pane that the keys go to.
type focus uint8

const (
	onTree focus = iota
	onBytes
)

// A Model is the whole program as Bubble Tea sees it.
type Model struct {
	ctx     context.Context
	doc     *model.Document
	look           // at the buffer that is shown
	looks   []look // at all buffers, by number; that of the one shown is out of date
	keys    keyMap
	theme   string // the theme asked for, "" to follow the terminal
	profile termenv.Profile
	styles  styles
	layout  layout
	focus   focus
	prompt  *prompt // open at the bottom, nil if none is
	help    *help   // open over the panes, nil if it is not
	message message

	jobs      jobs               // a search, or a way to a path
	opening   jobs               // the document opened anew
	stopIndex context.CancelFunc // ends the reading of the whole file
	query     model.Query
	changed   string // how the file on disk differs, "" if it does not
	ticking   bool

	askBackground tea.Cmd // asks the terminal for its background, nil if that is known

	bytes   []byte // scratch of the hex pane, used again for each frame
	cellBuf []cell
	marks   []model.Mark
	holes   []span.Span
}

// A message stands in the bottom line until the next key.
type message struct {
	text  string
	error bool
}

// New returns the program over an open document. The theme is dark or light, a
// file, or "" for the one that fits the terminal, which is taken to be dark
// unless it says otherwise.
func New(ctx context.Context, doc *model.Document, theme string, dark bool, profile termenv.Profile) (*Model, error) {
	m := &Model{ctx: ctx, keys: newKeyMap(), theme: theme, profile: profile, stopIndex: func() {}}
	m.setDocument(doc)
	m.layout.perRow = 16 // until the size of the window is known
	if err := m.setTheme(dark); err != nil {
		return nil, err
	}
	return m, nil
}

// setTheme loads the theme asked for, or the one for the background.
func (m *Model) setTheme(dark bool) error {
	name := m.theme
	if name == "" {
		name = "light"
		if dark {
			name = "dark"
		}
	}
	t, err := themes.Load(name)
	if err != nil {
		return err
	}
	m.styles = newStyles(t, m.profile)
	return nil
}

// backgroundMsg tells what the terminal answered about its background.
type backgroundMsg struct{ dark bool }

// settledMsg comes when a window that was made lower has been drawn. Bubble Tea
// erases what is below the new last line, and with it that line's last cell, so
// that all has to be drawn again.
type settledMsg struct{}

const settleTime = 50 * time.Millisecond

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.askBackground, m.startIndex(), m.watch(), m.settle(), m.tick())
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Height < m.layout.height {
			cmd = tea.Tick(settleTime, func(time.Time) tea.Msg { return settledMsg{} })
		}
		m.resize(msg.Width, msg.Height)
	case settledMsg:
		cmd = tea.ClearScreen
	case tea.KeyMsg:
		cmd = m.press(msg)
	case tea.MouseMsg:
		m.mouse(msg)
	case tea.ResumeMsg: // the rest of the terminal Bubble Tea restores by itself
		cmd = tea.EnableMouseCellMotion
	case backgroundMsg:
		if m.theme == "" {
			m.report(m.setTheme(msg.dark))
		}
	case tickMsg:
		m.ticking = false
		m.view.Tick()
		m.hex.follow(m.view.Offset(), &m.layout)
	case indexedMsg, foundMsg, resolvedMsg, changedMsg, reopenedMsg:
		cmd = m.finish(msg)
	default:
		if m.prompt != nil { // the blinking of its cursor
			cmd = m.prompt.update(msg)
		}
	}
	return m, tea.Batch(cmd, m.tick())
}

func (m *Model) resize(width, height int) {
	m.layout = newLayout(width, height, m.view.Buffer.Size(), len(m.doc.Buffers))
	m.view.SetHeight(m.layout.treeHeight)
	m.hex.follow(m.view.Offset(), &m.layout)
}

// report shows an error in the bottom line; nil shows nothing.
func (m *Model) report(err error) {
	if err != nil {
		m.message = message{err.Error(), true}
	}
}

func (m *Model) say(text string) { m.message = message{text: text} }

// press handles keys that came together: characters typed ahead are a key each,
// pasted ones belong into a prompt.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || len(msg.Runes) == 1 || m.prompt != nil {
		return m.pressKey(msg)
	}
	if msg.Paste {
		return nil
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		cmds = append(cmds, m.pressKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
	}
	return tea.Batch(cmds...)
}

// pressKey handles a key: first what is open over the panes, then the panes.
func (m *Model) pressKey(msg tea.KeyMsg) tea.Cmd {
	m.message = message{}
	switch {
	case msg.Type == tea.KeyCtrlC:
		return tea.Quit
	case key.Matches(msg, m.keys.Suspend):
		return tea.Suspend
	case m.prompt != nil:
		return m.pressPrompt(msg)
	case m.help != nil:
		if m.help.press(msg, m.keys, &m.layout) {
			m.help = nil
		}
		return nil
	}
	if cmd, done := m.pressGlobal(msg); done {
		return cmd
	}
	if m.focus == onTree {
		m.report(m.pressTree(msg))
	} else {
		m.report(m.pressBytes(msg))
	}
	m.hex.follow(m.view.Offset(), &m.layout)
	return nil
}

// pressGlobal handles the keys that mean the same in both panes.
func (m *Model) pressGlobal(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(msg, m.keys.Quit):
		return tea.Quit, true
	case key.Matches(msg, m.keys.Help):
		m.help = newHelp(m.keys, &m.styles)
	case key.Matches(msg, m.keys.Search):
		return m.ask(searchPrompt()), true
	case key.Matches(msg, m.keys.Command):
		return m.ask(m.commandPrompt()), true
	case key.Matches(msg, m.keys.Next):
		return m.search(false), true
	case key.Matches(msg, m.keys.Previous):
		return m.search(true), true
	case key.Matches(msg, m.keys.Cancel):
		m.cancel()
	case key.Matches(msg, m.keys.Outer):
		m.stepBuffer(-1)
	case key.Matches(msg, m.keys.Inner):
		m.stepBuffer(1)
	case key.Matches(msg, m.keys.Back):
		m.goBack()
	case key.Matches(msg, m.keys.Referrer):
		m.nextReferrer()
	case key.Matches(msg, m.keys.Switch):
		m.switchPane()
	case key.Matches(msg, m.keys.Reload):
		return m.reload(), true
	case key.Matches(msg, m.keys.Problem):
		m.nextProblem()
	default:
		return nil, false
	}
	return nil, true
}

// cancel stops what is under way, the last begun first.
func (m *Model) cancel() {
	m.hit = span.Span{}
	switch {
	case m.jobs.name != "":
		m.jobs.stop()
	case m.opening.name != "":
		m.opening.stop()
		if m.doc.IsDeferred() {
			m.say("stopped; :unpack starts it again")
		}
	}
}

// goBack takes back the last jump of a reference.
func (m *Model) goBack() {
	ok, err := m.view.Back()
	m.report(err)
	if !ok {
		m.say("no reference was followed")
	}
	m.setFocus(m.focus)
	m.hex.follow(m.view.Offset(), &m.layout)
}

// nextReferrer goes to the next reference to what is selected.
func (m *Model) nextReferrer() {
	if m.focus == onBytes {
		m.setFocus(onTree)
	}
	i, all, err := m.view.NextReferrer()
	_, indexed := m.doc.Indexed()
	switch {
	case err != nil:
		m.report(err)
	case all == 0 && indexed:
		m.say("nothing refers to this")
	case all == 0:
		m.say("nothing refers to this so far; the file is still being read")
	case all == 1:
		m.say("the only reference; ctrl+o goes back")
	default:
		m.say(fmt.Sprintf("reference %d of %d; * goes to the next, ctrl+o back", i, all))
	}
	m.hex.follow(m.view.Offset(), &m.layout)
}

func (m *Model) nextProblem() {
	b, p, ok := m.view.NextProblem()
	_, indexed := m.doc.Indexed()
	switch {
	case ok:
		m.showBuffer(b)
		m.goToByte(p.Offset)
		m.message = message{fmt.Sprintf("%s: %s (%s)", p.Severity, p.Message, p.Code), p.Severity == span.Error}
	case indexed:
		m.say("no problems")
	default:
		m.say("no problems so far; the file is still being read")
	}
}

func (m *Model) switchPane() {
	if m.focus == onTree {
		m.setFocus(onBytes)
	} else {
		m.setFocus(onTree)
	}
}

// setFocus gives the keys to a pane; the cursor then moves by its rows or bytes.
func (m *Model) setFocus(f focus) {
	m.focus = f
	if f == onTree {
		m.view.ToRows()
	} else {
		m.view.ToBytes()
	}
}

// goToByte puts the cursor on a byte without leaving the pane that has the keys.
func (m *Model) goToByte(off int64) {
	m.report(m.view.GoTo(off))
	m.setFocus(m.focus)
	m.hex.follow(m.view.Offset(), &m.layout)
}

// goToNamed selects a value that was found by its name. One without bytes can only
// be selected in the tree.
func (m *Model) goToNamed(n *tree.Node) {
	m.report(m.view.GoToValue(n))
	if n.Start == n.End {
		m.focus = onTree
	}
	m.setFocus(m.focus)
	m.hex.follow(m.view.Offset(), &m.layout)
}

// pressTree handles a key in the tree.
func (m *Model) pressTree(msg tea.KeyMsg) error {
	v, k, page := m.view, m.keys, m.layout.treeHeight
	switch {
	case key.Matches(msg, k.Down):
		return v.MoveRows(1)
	case key.Matches(msg, k.Up):
		return v.MoveRows(-1)
	case key.Matches(msg, k.HalfDown):
		return v.MoveRows(max(1, page/2))
	case key.Matches(msg, k.HalfUp):
		return v.MoveRows(-max(1, page/2))
	case key.Matches(msg, k.PageDown):
		return v.MoveRows(max(1, page-1))
	case key.Matches(msg, k.PageUp):
		return v.MoveRows(-max(1, page-1))
	case key.Matches(msg, k.First):
		return v.First()
	case key.Matches(msg, k.Last):
		return v.Last()
	case key.Matches(msg, k.Right):
		return v.Unfold()
	case key.Matches(msg, k.Left):
		return v.Fold()
	case key.Matches(msg, k.Toggle):
		if ok, err := v.Follow(); ok {
			return err
		}
		v.Toggle()
	case key.Matches(msg, k.FoldAll):
		return v.FoldAll()
	}
	return nil
}

// pressBytes handles a key in the hex pane.
func (m *Model) pressBytes(msg tea.KeyMsg) error {
	v, k := m.view, m.keys
	row := int64(m.layout.perRow)
	page := row * int64(max(1, m.layout.hexHeight-1))
	switch {
	case key.Matches(msg, k.Down):
		return v.MoveBytes(row)
	case key.Matches(msg, k.Up):
		return v.MoveBytes(-row)
	case key.Matches(msg, k.Right):
		return v.MoveBytes(1)
	case key.Matches(msg, k.Left):
		return v.MoveBytes(-1)
	case key.Matches(msg, k.HalfDown):
		return v.MoveBytes(max(row, page/2/row*row))
	case key.Matches(msg, k.HalfUp):
		return v.MoveBytes(-max(row, page/2/row*row))
	case key.Matches(msg, k.PageDown):
		return v.MoveBytes(page)
	case key.Matches(msg, k.PageUp):
		return v.MoveBytes(-page)
	case key.Matches(msg, k.First):
		return v.GoTo(0)
	case key.Matches(msg, k.Last):
		return v.GoTo(v.Buffer.Size() - 1)
	case key.Matches(msg, k.Toggle):
		m.switchPane()
	}
	return nil
}
