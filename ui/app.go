// Package ui is the terminal program: it routes keys and the mouse to panes and dialogs, lays them out,
// and takes the results of background work. It holds no state of the document.
package ui

import (
	"cmp"
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/internal/state"
	"varview/model"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/differ"
	"varview/ui/edits"
	"varview/ui/file"
	"varview/ui/find"
	"varview/ui/hex"
	"varview/ui/inspect"
	"varview/ui/jobs"
	"varview/ui/paint"
	"varview/ui/problems"
	"varview/ui/records"
	"varview/ui/table"
	"varview/ui/terminal"
	"varview/ui/tree"
	"varview/ui/tutor"
)

// A Model is the whole program as Bubble Tea sees it.
type Model struct {
	desk     *desk.Desk
	edits    *edits.Edits
	values   *edits.Values
	file     *file.File
	find     *find.Find
	problems *problems.Problems
	tables   *table.Tables
	differ   *differ.Differ
	records  *records.Records
	tutor    *tutor.Tutor

	layout   layout
	tree     *tree.Pane
	hex      *hex.Pane
	info     inspect.About
	inspect  *inspect.Pane
	title    title
	hints    hints
	commands commandLine

	keys action.KeyMap // of both panes
	does map[action.Action]func() tea.Cmd
	held []tea.Msg    // keys and clicks that wait for an edit
	said desk.Message // the last message

	guessed guessed // where :guess has led to
	listed  rowList // what it has listed
	view    string  // the last frame

	pressed time.Time // time of the last key

	live       *Live  // nil unless the file grows
	wish       wish   // how the panes should be arranged
	alone      bool   // the configuration wants one pane
	greets     bool   // a first start is welcomed
	height     int    // height of the window, with the message below
	low        int    // lines of a dialog below the panes
	beside     int    // columns of the tree beside a dialog; 0 without one
	dragging   bool   // the border is being moved with the mouse
	theme      string // the requested theme; "" to follow the terminal
	isDark     bool   // the theme is for dark terminals
	profile    termenv.Profile
	canSuspend func() bool
	background *bool         // whether it is dark; nil if unknown
	ticking    time.Duration // time until the next tick; 0 for none
}

// New returns the program with an open document. dark is the terminal's background, or the default if it
// is unknown.
func New(ctx context.Context, doc *model.Document, o Options, dark bool, profile termenv.Profile) (*Model, error) {
	d := &desk.Desk{Ctx: ctx, Actions: o.Actions, State: o.State}
	if d.State == nil {
		d.State = state.InMemory()
	}
	if d.Actions == nil {
		d.Actions = action.Default()
	}
	e := &edits.Edits{Desk: d}
	m := &Model{desk: d, edits: e, values: &edits.Values{Edits: e}, theme: o.Theme, wish: wish{perRow: o.BytesPerRow, share: o.TreeShare}, alone: o.Alone, profile: profile, canSuspend: terminal.CanSuspend}
	d.Program = m
	m.file = file.New(d, e)
	m.find = &find.Find{Desk: d, Guess: m.guess}
	m.tables = table.New(d, m.values)
	m.differ = differ.New(d, e)
	m.differ.Pending, m.file.Compare = o.Merge, m.differ.Show
	m.differ.Reload, m.differ.CompareBytes = m.file.Reloaded, m.guess
	m.problems = problems.New(d, e)
	m.records = records.New(d)
	m.live = o.Live
	m.file.Grows, m.records.Follows = m.live != nil, m.live != nil
	m.file.Spoils = m.live != nil && len(m.live.Rules) > 0
	m.tutor = &tutor.Tutor{Desk: d}
	m.tree, m.hex, m.info = tree.New(d, m.values), hex.New(d, m.values), inspect.About{Desk: d}
	m.problems.Copy, m.tree.Copy = m.file.Copy, m.file.Copy
	m.hex.Marks = cmp.Or(o.Marks, hex.MarksAuto)
	m.inspect = inspect.New(d, m.values)
	m.hex.Settle, m.inspect.Enter = m.file.Settle, m.file.Enter
	m.title, m.hints = title{d, m.file, m.differ}, hints{d, m.values, m.find, m.records, m.differ}
	m.keys, m.does = d.Actions.KeyMap(action.Panes), newDoes(m)
	m.commands = commandLine{d, append(editCommands(m), otherCommands(m)...), m.find.GoTo}
	m.find.Terms = m.commands.terms
	d.SetDocument(doc)
	d.SetFocus(desk.OnTree)
	d.Report(o.Notice)
	m.hex.Layout.PerRow = 16 // until the size of the window is known
	if err := m.setTheme(dark); err != nil {
		return nil, err
	}
	return m, nil
}

// Document returns the document that is shown.
func (m *Model) Document() *model.Document { return m.desk.Doc }

// setTheme loads the requested theme, or the one for the background.
func (m *Model) setTheme(dark bool) error {
	t, err := themes.Load(cmp.Or(m.theme, darkOrLight[dark]))
	if err != nil {
		return err
	}
	m.desk.Styles = paint.New(t, m.profile)
	if m.isDark = t.IsDark(); m.theme != "" {
		m.desk.Styles.PaintGround()
	}
	return nil
}

// darkOrLight are the themes for dark terminals and for others.
var darkOrLight = map[bool]string{true: "dark", false: "light"}

// hasBackground adapts to the terminal's background once it is known.
func (m *Model) hasBackground(dark bool) {
	if m.theme == "" {
		m.desk.Report(m.setTheme(dark))
	} else if dark != m.isDark && m.desk.Message.Text == "" {
		m.desk.Say(fmt.Sprintf("this theme is for %s terminals, so varview paints its background", darkOrLight[m.isDark]))
	}
	m.background = &dark
}

// backgroundMsg is the terminal's answer about its background.
type backgroundMsg struct{ dark bool }

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.file.Settle(), m.desk.ReadOn(), m.file.Watch(), m.file.StartKeeping(), m.desk.RememberOpened(), m.records.Opened(), m.differ.Decide(), m.greet(), m.told(), m.tick())
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	isKey := false
	m.desk.Unchanged = false
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		cmd = m.resize(msg.Width, msg.Height)
	case tea.KeyMsg, tea.MouseMsg:
		_, isKey = msg.(tea.KeyMsg)
		m.held = append(m.held, msg)
	case tea.ResumeMsg: // Bubble Tea restores the rest of the terminal itself
		cmd = tea.EnableMouseCellMotion
	case backgroundMsg:
		m.hasBackground(msg.dark)
	case tickMsg:
		if msg.after == m.ticking {
			m.ticking = 0
		}
		m.desk.Explorer.Tick()
		cmd = m.problems.Relist()
	case jobs.Result:
		if msg.Take != nil {
			cmd = tea.Batch(msg.Take(), m.problems.Relist(), m.find.Resume())
		}
	}
	cmd = tea.Batch(cmd, m.release())
	if m.tutor.Follow(); m.height > 0 && m.height-m.tutor.Height(m.height) != m.desk.Height {
		cmd = tea.Batch(cmd, m.resize(m.desk.Width, m.height))
	}
	m.accompany()
	m.arrangeInspector()
	if q, asks := m.desk.Dialogs.Top().(*dialog.Question); asks {
		q.IsShown = true
	}
	m.hex.Follow(isKey)
	cmd = tea.Batch(cmd, m.desk.Sum(), m.inspect.Follow(), m.hex.Overview(), m.tree.Notice(), m.tick())
	m.desk.Unchanged = m.desk.Unchanged && m.ticking == 0 // else work may have changed something
	return m, cmd
}

// resize follows the size of the window.
func (m *Model) resize(width, height int) tea.Cmd {
	m.height = height
	m.desk.Width = width
	m.desk.Height = height - m.tutor.Height(height)
	m.recallLayout()
	m.Arrange()
	return tea.Batch(m.records.Resized(), m.problems.Resized())
}

// greet says, at the first start, what to press.
func (m *Model) greet() tea.Cmd {
	if !m.greets || m.desk.State.Data().Greeted {
		return nil
	}
	m.desk.Say("? lists all keys, ctrl+p finds them by name, :tutor teaches them")
	return m.desk.RememberAlways(func(s *state.Data) { s.Greeted = true })
}

// teach is :tutor.
func (m *Model) teach() tea.Cmd {
	path, err := tutor.WriteSave()
	if err != nil {
		return m.desk.Report(err)
	}
	m.tutor.Begin(path)
	return m.file.OpenOther(path)
}

// Edited implements desk.Program.
func (m *Model) Edited() tea.Cmd {
	m.desk.Unask()
	return tea.Batch(m.desk.ReadEdited(), m.problems.Edited(), m.find.Edited(), m.differ.Edited(), m.tables.Edited(), m.guessAgain())
}

// Opened implements desk.Program.
func (m *Model) Opened() tea.Cmd {
	var settle tea.Cmd
	if !m.hex.Typing() { // it will be read again afterwards
		settle = m.file.Settle()
	}
	return tea.Batch(settle, m.desk.ReadOn(), m.file.Watch(), m.problems.Edited(), m.differ.Edited(), m.records.Opened(), m.find.Opened(), m.guessOn())
}

type tickMsg struct{ after time.Duration }

const (
	retryEvery    = 20 * time.Millisecond  // while a row in view waits for the index
	progressEvery = 100 * time.Millisecond // while only a percentage changes
)

// tick schedules a message while work is in progress, so that the screen follows it.
func (m *Model) tick() tea.Cmd {
	d := m.desk
	_, indexed := d.Doc.Indexed()
	waiting := d.Explorer.Waiting()
	if indexed && d.Reading.Buffer == nil && !d.Works() && !waiting {
		return nil
	}
	every := progressEvery
	if waiting {
		every = retryEvery
	}
	if 0 < m.ticking && m.ticking <= every {
		return nil
	}
	m.ticking = every
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{every} })
}
