package ui

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/state"
	"varview/model/diff"
	"varview/model/explore"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/jobs"
)

// release handles keys and clicks, unless they have to wait for an edit or a search that has just begun,
// to whose result they refer.
func (m *Model) release() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.held) > 0 && !m.desk.Task.Holds() && !m.desk.Seeking.Holds() && !m.desk.Comparing.Holds() {
		msg := m.held[0]
		m.held = m.held[1:]
		switch msg := msg.(type) {
		case tea.KeyMsg:
			cmds = append(cmds, m.press(msg))
		case tea.MouseMsg:
			cmds = append(cmds, m.mouse(msg))
		}
	}
	return tea.Batch(cmds...)
}

// press handles keys that arrived together: as text where text is typed, and otherwise one by one.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.takesText() && m.question() == nil {
		return m.pressKey(action.Pasted(msg))
	}
	each := action.Strokes(msg)
	if len(each) == 0 {
		return m.desk.Say("pasted text is not taken for keys; e edits a value, and takes it")
	}
	var ahead []tea.Msg
	for _, key := range each[1:] {
		ahead = append(ahead, key)
	}
	m.held = append(ahead, m.held...)
	return m.pressKey(each[0])
}

// takesText reports whether keys are typed as text.
func (m *Model) takesText() bool {
	top := m.taker()
	_, typed := top.(dialog.Typed)
	return typed || top == nil && m.hex.Typing()
}

// pressKey handles a key: first a question, then the dialog on top, then the pane with the focus.
func (m *Model) pressKey(msg tea.KeyMsg) tea.Cmd {
	opens := m.opensMessage(msg)
	if m.desk.Message.Text != "" {
		m.said, m.desk.Message = m.desk.Message, desk.Message{}
	}
	m.desk.NotePress()
	if cmd, done := m.answers(msg); done {
		return cmd
	}
	switch top := m.taker(); {
	case msg.Type == tea.KeyCtrlC && m.takesText():
		return m.pressKey(tea.KeyMsg{Type: tea.KeyEsc})
	case msg.Type == tea.KeyCtrlC:
		return m.file.Leave()
	case m.keys.Of(msg) == action.Suspend:
		return m.suspend()
	case opens:
		return m.showMessage()
	case top != nil:
		if _, ok := top.(dialog.Roomed); ok && slices.Contains(everywhere, m.keys.Of(msg)) {
			return m.Do(m.keys.Of(msg))
		}
		return top.Update(msg)
	case m.hex.Typing(), m.desk.Focus == desk.OnBytes:
		return m.hex.Update(msg)
	case m.desk.Focus == desk.OnInspector:
		return m.inspect.Update(msg)
	}
	return m.tree.Update(msg)
}

// everywhere are the actions that are available in all panes and lists.
var everywhere = []action.Action{action.Command, action.Palette, action.Help, action.Save}

// newDoes returns the actions that mean the same in both panes.
func newDoes(m *Model) action.Does {
	plainly := action.Plainly
	return action.Does{
		action.Quit:            m.file.Leave,
		action.Suspend:         m.suspend,
		action.Zoom:            m.zoom,
		action.BorderLeft:      func() tea.Cmd { return m.moveBorder(-m.desk.Times()) },
		action.BorderRight:     func() tea.Cmd { return m.moveBorder(m.desk.Times()) },
		action.BorderReset:     m.resetBorder,
		action.Help:            m.help,
		action.ShowMessage:     m.showMessage,
		action.Palette:         func() tea.Cmd { return m.palette("") },
		action.JumpTo:          func() tea.Cmd { return m.palette("@ ") },
		action.OtherFile:       m.file.Alternate,
		action.Search:          m.find.Ask,
		action.Filter:          m.find.AskFilter,
		action.ListHits:        m.find.ListHits,
		action.ShowTable:       m.tables.Show,
		action.ShowRecords:     m.records.Show,
		action.Increase:        func() tea.Cmd { return m.Do(action.NextSame) },
		action.NextSame:        func() tea.Cmd { return m.find.SearchSame(false) },
		action.PreviousSame:    func() tea.Cmd { return m.find.SearchSame(true) },
		action.Command:         m.commands.ask,
		action.NextHit:         func() tea.Cmd { return m.find.Search(false) },
		action.PreviousHit:     func() tea.Cmd { return m.find.Search(true) },
		action.Cancel:          plainly(m.cancel),
		action.Outer:           func() tea.Cmd { return m.desk.StepBuffer(-1) },
		action.Inner:           func() tea.Cmd { return m.file.Inner() },
		action.Back:            m.find.Back,
		action.Forward:         m.find.Forward,
		action.Mark:            m.find.AskMark,
		action.GoToMark:        m.find.AskGoToMark,
		action.NextReference:   m.find.NextReference,
		action.OtherPane:       plainly(func() { m.desk.SwitchPane(1) }),
		action.PaneBefore:      plainly(func() { m.desk.SwitchPane(-1) }),
		action.Inspect:         m.toggleInspector,
		action.Draw:            m.inspect.Draw,
		action.ChangeOver:      m.hex.ChangeOver,
		action.Toggle:          func() tea.Cmd { return m.guess() }, // where there are no values
		action.Reload:          m.file.Reload,
		action.Recover:         m.file.Recover,
		action.TakeBackup:      m.file.AskBackup,
		action.ListProblems:    m.problems.Show,
		action.MergeSides:      func() tea.Cmd { return m.merge(diff.GitBase + " " + diff.GitTheirs) },
		action.NextProblem:     plainly(func() { m.problems.Step(1) }),
		action.PreviousProblem: plainly(func() { m.problems.Step(-1) }),
		action.TakeDifference:  func() tea.Cmd { return m.differ.Do(action.TakeDifference) },
		action.GiveDifference:  func() tea.Cmd { return m.differ.Do(action.GiveDifference) },
		action.OnlyChanges:     m.ofChanges(func() tea.Cmd { return m.differ.Do(action.OnlyChanges) }, m.find.OnlyChanged),
		action.NextChange:      m.ofChanges(func() tea.Cmd { return m.differ.Step(1) }, func() tea.Cmd { return m.find.NextChange(false) }),
		action.PreviousChange:  m.ofChanges(func() tea.Cmd { return m.differ.Step(-1) }, func() tea.Cmd { return m.find.NextChange(true) }),
		action.Edit:            m.values.EditValue,
		action.Undo:            m.undo,
		action.Redo:            m.edits.Redo,
		action.Save:            func() tea.Cmd { return m.file.Write("", false, false) },
	}
}

// ofChanges returns what is done among the differences from another file, or else among the changes of this one.
func (m *Model) ofChanges(differing, changed func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if m.differ.IsComparing() {
			return differing()
		}
		return changed()
	}
}

// Do implements desk.Program.
func (m *Model) Do(a action.Action) tea.Cmd {
	if do, ok := m.does[a]; ok {
		return do()
	}
	return nil
}

// Show implements desk.Program.
func (m *Model) Show(x *explore.Explorer) (cmd tea.Cmd, shown bool, err error) {
	if m.desk.ShowLook(x) {
		return nil, true, nil
	}
	return m.file.Return(x)
}

// suspend hands the terminal to the shell, if there is one that can resume the program.
func (m *Model) suspend() tea.Cmd {
	if !m.canSuspend() {
		return m.desk.Report(errors.New("the program cannot be suspended here: it was not started by a shell with job control, or the signal to suspend is ignored"))
	}
	return tea.Suspend
}

// cancel stops work in progress: first an edit or a save, then a search, then opening.
func (m *Model) cancel() {
	d := m.desk
	switch {
	case d.Task.Runs():
		d.Task.Interrupt()
	case d.Seeking.Runs():
		d.Seeking.Stop()
	case d.Opening.Runs():
		d.Opening.Stop()
		if d.Doc.IsDeferred() {
			d.Say("stopped; :unpack starts it again")
		}
	default:
		if (m.differ.Asks() || (d.Explorer.Filter() == nil || m.differ.ShowsChanges()) && !d.Searches) && m.differ.End() {
			return
		}
		m.find.End()
	}
}

func (m *Model) window() (width, height int) { return m.desk.Window() }

// nameOf names a message. The name contains nothing that was typed as text.
func (m *Model) nameOf(msg tea.Msg) string {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		mayBeText := m.takesText() || m.desk.Task.Holds()
		if isText := msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace; isText && (mayBeText || len(msg.Runes) > 1) {
			return "key: text"
		}
		return "key: " + msg.String()
	case tea.MouseMsg:
		return "mouse: " + msg.String()
	case jobs.Result:
		return "result: " + msg.Name
	}
	return fmt.Sprintf("%T", msg)
}

const wheelRows = 3

// mouse handles clicks and the wheel: first the dialog on top, then the panes.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if cmd, done := m.dragBorder(msg); done {
		return cmd
	}
	if msg.Action == tea.MouseActionMotion && msg.Button == tea.MouseButtonLeft {
		m.drag(msg.X, msg.Y)
	}
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	by := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -wheelRows, tea.MouseButtonWheelDown: wheelRows}[msg.Button]
	if q := m.question(); q != nil && by == 0 {
		q.Withdraw()
	}
	top := m.taker()
	if below := top == nil || top.Place() != dialog.AtBottom; below && msg.Y == m.desk.Height-1 && msg.Button == tea.MouseButtonLeft {
		return m.clickBottom(msg.X)
	}
	if p := m.records.Pane(); p != nil && top == nil && !m.hex.Typing() { // it has left the keys to the panes
		top = p
	}
	if top == nil {
		return m.mousePanes(msg, by)
	}
	return m.mouseIn(top, msg, by)
}

// mouseIn gives a click or a turn of the wheel to a dialog, or to the panes if it is not for that.
func (m *Model) mouseIn(top dialog.Dialog, msg tea.MouseMsg, by int) tea.Cmd {
	pointed, ok := top.(dialog.Pointed)
	if !ok {
		return nil
	}
	at := msg
	if top.Place() == dialog.OverPanes {
		at.X -= m.beside
	}
	if cmd, done := pointed.Mouse(at, by); done {
		return cmd
	}
	return m.mousePanes(msg, by)
}

// drag moves what the mouse has taken: in the dialog on top, or in a pane.
func (m *Model) drag(x, y int) {
	switch top := m.taker().(type) {
	case dialog.Dragged:
		top.Drag(x, y)
	case nil:
		tree, hex, _ := m.places()
		if row, column, ok := hex.at(x, y); ok {
			m.hex.Drag(row, column)
		} else if row, _, ok := tree.at(x, y); ok {
			m.tree.Drag(row)
		}
	}
}

// mousePanes handles clicks and the wheel over the panes.
func (m *Model) mousePanes(msg tea.MouseMsg, by int) (cmd tea.Cmd) {
	clicked := msg.Button == tea.MouseButtonLeft
	tree, hex, inspector := m.places()
	if row, column, ok := inspector.at(msg.X, msg.Y); ok {
		m.inspect.Mouse(row, column, by, clicked)
	} else if row, column, ok := tree.at(msg.X, msg.Y); ok && !(clicked && m.hex.Typing()) {
		cmd = m.tree.Mouse(row, column+1, by, clicked)
	} else if row, column, ok := hex.at(msg.X, msg.Y); ok {
		m.hex.Mouse(row, column, by, clicked)
	}
	if by == 0 {
		m.hex.Follow(true)
	}
	return cmd
}

// borderStep is the number of columns by which a key moves the border between the panes.
const borderStep = 4

// moveBorder moves the border between the tree and the bytes by steps, and waits for more keys of that
// kind.
func (m *Model) moveBorder(steps int) tea.Cmd {
	l := &m.layout
	switch {
	case l.alone:
		return m.desk.Say("there is one pane: " + m.desk.Actions.Hint("", action.Zoom).Key + " shows both")
	case l.stacked:
		m.setBorder(l.treeHeight + steps)
	default:
		m.setBorder(l.treeWidth + borderStep*steps)
	}
	again := m.desk.Await("ctrl+w", "", []key.Help{{Key: "hjkl", Desc: "move the border"}, {Key: "=", Desc: "as usual"}}, func(msg tea.KeyMsg) tea.Cmd {
		i := slices.IndexFunc(m.desk.Actions, func(e action.Entry) bool { return slices.Contains(e.Keys, "ctrl+w "+action.NameOf(msg)) })
		switch {
		case i >= 0:
			return m.Do(m.desk.Actions[i].Action)
		case msg.Type == tea.KeyEnter:
			return nil
		}
		return m.pressKey(msg)
	})
	return tea.Batch(again, m.keepLayout())
}

// setBorder gives the tree a number of columns, or rows if it is above the bytes.
func (m *Model) setBorder(tree int) {
	m.wish.tree = max(1, tree)
	m.Arrange()
	if m.layout.stacked {
		m.wish.tree = m.layout.treeHeight
	} else {
		m.wish.tree = m.layout.treeWidth
	}
}

// resetBorder moves the border to its default position.
func (m *Model) resetBorder() tea.Cmd {
	m.wish.tree = 0
	m.Arrange()
	return m.keepLayout()
}

// zoom shows the pane with the focus alone, or both again.
func (m *Model) zoom() tea.Cmd {
	m.wish.alone = !m.wish.alone
	m.Arrange()
	if m.layout.alone && !m.wish.alone {
		m.desk.Say(fmt.Sprintf("both panes need %d×%d", bothWidth, bothHeight))
	}
	return m.keepLayout()
}

// windowSize names the size of the window.
func (m *Model) windowSize() string { return fmt.Sprintf("%dx%d", m.desk.Width, m.desk.Height) }

// keepLayout remembers the layout for windows of this size.
func (m *Model) keepLayout() tea.Cmd {
	size, l := m.windowSize(), state.Layout{Used: time.Now(), Tree: m.wish.tree, Alone: m.wish.alone, Inspector: m.inspect.Wish()}
	return m.desk.RememberAlways(func(s *state.Data) { s.SetLayout(size, l) })
}

// recallLayout applies the layout for windows of this size, or that of the configuration.
func (m *Model) recallLayout() {
	m.wish.tree, m.wish.alone = 0, m.alone
	if l := m.desk.State.Data().Layouts[m.windowSize()]; l != nil {
		m.wish.tree, m.wish.alone = max(0, l.Tree), l.Alone
		m.inspect.SetWish(l.Inspector)
	}
}

// dragBorder handles the mouse on the border, and reports whether the event was for it.
func (m *Model) dragBorder(msg tea.MouseMsg) (cmd tea.Cmd, done bool) {
	l := &m.layout
	switch {
	case msg.Action == tea.MouseActionRelease && m.dragging:
		m.dragging = false
		return m.keepLayout(), true
	case msg.Action == tea.MouseActionMotion && m.dragging && l.stacked:
		m.setBorder(msg.Y - 1)
	case msg.Action == tea.MouseActionMotion && m.dragging:
		m.setBorder(msg.X - 1)
	case msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft && m.onBorder(msg.X, msg.Y):
		m.dragging = true
	default:
		return nil, m.dragging
	}
	return nil, true
}

// onBorder reports whether a point of the window is between the panes.
func (m *Model) onBorder(x, y int) bool {
	l := &m.layout
	switch {
	case l.alone, m.desk.Dialogs.Top() != nil:
		return false
	case l.stacked:
		return y == 1+l.treeHeight
	}
	return x == 1+l.treeWidth && y >= 1 && y <= l.treeHeight
}

// pause is how long no key may have been pressed before a late question takes one: until then, keys are
// for what the user is doing.
const pause = 500 * time.Millisecond

// question returns the question that takes the keys that answer it; nil if there is none.
func (m *Model) question() *dialog.Question {
	q, _ := m.desk.Dialogs.Top().(*dialog.Question)
	if q != nil && q.Late && (m.hex.Typing() || time.Since(m.pressed) < pause) {
		return nil
	}
	return q
}

// begins are the actions after which a line of text is typed.
var begins = []action.Action{action.Command, action.Palette, action.JumpTo, action.Search, action.Filter}

// answers handles a key while a question is asked, and reports whether one is. A key pressed before the
// question was on the screen is dropped, with everything typed after it. A key that begins a line of text
// withdraws the question and begins the line, so that the text is not taken for keys.
func (m *Model) answers(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	q := m.question()
	m.pressed = time.Now()
	switch {
	case q == nil:
		return nil, false
	case slices.Contains(begins, m.keys.Of(msg)) && !q.Takes(msg):
		q.Withdraw()
		return nil, false
	case !q.IsShown:
		m.held = nil
		return nil, true
	}
	return q.Update(msg), true
}

// taker returns the dialog that receives the keys that do not answer a question; nil if the panes do.
func (m *Model) taker() dialog.Dialog {
	all := m.desk.Dialogs
	if _, asks := all.Top().(*dialog.Question); asks {
		all = all[:len(all)-1]
	}
	return all.Top()
}

// undo undoes the last edit, or what :describe has written since.
func (m *Model) undo() tea.Cmd {
	if cmd, done := m.file.Undescribe(); done {
		return cmd
	}
	return m.edits.Undo()
}
