// Package ui is the terminal program: panes, keys and layout over an explorer
// of the model. It holds no state of the document.
package ui

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/decoder/span"
	"varview/model"
	"varview/model/search"
	"varview/themes"
	"varview/ui/paint"
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
	styles  paint.Styles
	layout  layout
	focus   focus
	prompt  *prompt // open at the bottom, nil if none is
	help    *help   // open over the panes, nil if it is not
	message message

	editor   *editor       // in which a value is typed, nil if none is
	typing   *typing       // of bytes, nil if none are
	question *question     // waits for an answer, nil if none does
	changes  *changesPane  // open over the panes, nil if it is not
	problems *problemsPane // open over the panes or below them, nil if it is not
	clip     clip

	jobs         jobs               // a search, or a way to a path
	preview      jobs               // of a repair
	previewDelay time.Duration      // how long a problem must be selected before its preview is worked out
	opening      jobs               // opens the document again
	task         jobs               // a long edit, or a save; no other edit can begin meanwhile
	saving       bool               // the task is a save
	patience     time.Duration      // how long an edit may take before it becomes a task
	work         sync.RWMutex       // held for reading by background work
	stopRead     context.CancelFunc // ends the reading of the whole file
	reading      *model.Buffer      // the buffer that is being read for that, nil if none is
	checking     bool               // it has been read, and its problems are being diagnosed
	listed       *problemList       // as they were last listed, nil if they never were
	visited      *visit             // the problem last gone to, nil if none was
	query        search.Query
	changed      string      // how the file on disk differs, "" if it does not
	keeps        bool        // edits are kept until they are saved, in case the program is killed
	locked       bool        // there are unsaved edits that another password opens
	others       []int       // processes that have the file open too
	disk         *model.Disk // what differs in it, nil while that is not known
	ticking      bool

	askBackground tea.Cmd                   // asks the terminal for its background, nil if that is known
	toClipboard   func(text string) tea.Cmd // copies text to the terminal's clipboard, nil if there is none

	bytes   []byte // scratch space of the hex pane, reused for each frame
	cellBuf []cell
	marks   []model.Mark
	holes   []span.Span

	changedIn []span.Span
}

// A message is shown in the bottom line until the next key.
type message struct {
	text  string
	error bool
}

// New returns the program over an open document. The theme is dark or light, a
// file, or "" for the one that fits the terminal's background; dark is that
// background, or the default where it is unknown.
func New(ctx context.Context, doc *model.Document, theme string, dark bool, profile termenv.Profile) (*Model, error) {
	m := &Model{ctx: ctx, keys: newKeyMap(), theme: theme, profile: profile, stopRead: func() {}, patience: soon, previewDelay: previewDelay}
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
	m.styles = paint.New(t, m.profile)
	return nil
}

// backgroundMsg is the terminal's answer about its background.
type backgroundMsg struct{ dark bool }

// settledMsg arrives after a window that became lower was drawn. Bubble Tea erases
// everything below the new last line, and with it that line's last cell, so the
// whole screen has to be drawn again.
type settledMsg struct{}

const settleTime = 50 * time.Millisecond

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.askBackground, m.startIndex(), m.watch(), m.settle(), m.startKeeping(), m.tick())
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
		if m.problems != nil {
			cmd = tea.Batch(cmd, m.showProblem())
		}
	case settledMsg:
		cmd = tea.ClearScreen
	case tea.KeyMsg:
		cmd = m.press(msg)
	case tea.MouseMsg:
		cmd = m.mouse(msg)
	case tea.ResumeMsg: // Bubble Tea restores the rest of the terminal itself
		cmd = tea.EnableMouseCellMotion
	case backgroundMsg:
		if m.theme == "" {
			m.report(m.setTheme(msg.dark))
		}
	case tickMsg:
		m.ticking = false
		m.view.Tick()
		m.hex.follow(m.view.Offset(), &m.layout)
		cmd = m.relist()
	case indexedMsg, foundMsg, previewMsg, resolvedMsg, changedMsg, reopenedMsg, preparedMsg, savedMsg, checkedMsg, changesMsg, patchMsg, diskMsg, unsavedMsg, recoveredMsg:
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
	if p := m.problems; p != nil {
		p.layout = newProblemsLayout(width, height)
		p.follow()
		if p.layout.docked {
			m.layout = p.layout.aboveProblems(width, height, m.view.Buffer.Size(), len(m.doc.Buffers))
		}
	}
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
