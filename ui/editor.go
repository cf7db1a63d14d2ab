package ui

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/ui/textbox"
)

// An editor is where a value or a key is typed: in its row, in a new row, or over
// the panes.
type editor struct {
	box   textbox.Box
	what  string // is typed: "value", "key"
	big   bool   // over the panes
	isKey bool   // in place of the row's name
	isNew bool   // in a row of its own below the selected one, or above it
	above bool   //
	deep  bool   // a child of the selected one
	first bool   // its value is typed afterwards
	key   string // new: the key that was typed before
	hint  string // what can be typed

	text bool   // what is typed is a text without quotes
	mark string // & or ^, before the quotes of its literal

	check  func(ctx context.Context, literal string) error // nil where nothing can be checked before enter
	enter  func(m *Model, literal string, retype bool) tea.Cmd
	retype bool  // the type may change: the user was asked
	err    error // why the typed text cannot be taken
	number int   // of the check that runs
	stop   context.CancelFunc
}

const (
	inRow   = 400     // length in bytes up to which a literal is edited in its row
	tooLong = 1 << 20 // limit of the typed text in bytes
)

// newEditor returns an editor for a literal, as plain text where the literal is a
// text that can be typed.
func newEditor(what, literal string) *editor {
	e := &editor{what: what, stop: func() {}}
	e.mark, _, e.text = plainText(literal)
	e.big = e.isLong(literal)
	e.fill(literal)
	return e
}

// isLong reports whether a literal does not fit a row.
func (e *editor) isLong(literal string) bool {
	_, text, _ := plainText(literal)
	return len(literal) > inRow || strings.Contains(text, "\n")
}

// fill puts a literal into the box.
func (e *editor) fill(literal string) {
	if e.text {
		_, literal, _ = plainText(literal)
	}
	e.box = textbox.New(literal, !e.big)
}

// literal returns the typed text as a literal.
func (e *editor) literal() string {
	if e.text {
		return quoted(e.mark, e.box.Text())
	}
	return strings.TrimSpace(e.box.Text())
}

// pressEditor handles a key while something is typed.
func (m *Model) pressEditor(msg tea.KeyMsg) tea.Cmd {
	e := m.editor
	switch {
	case msg.Type == tea.KeyEsc:
		m.closeEditor()
		return nil
	case msg.Type == tea.KeyEnter && !e.big, key.Matches(msg, m.keys.Save):
		e.stop()
		return e.enter(m, e.literal(), e.retype)
	case key.Matches(msg, m.keys.AsText):
		e.switchText(m)
		return m.checkTyped()
	}
	if msg.Paste && !e.big && e.text && strings.ContainsAny(string(msg.Runes), "\r\n") {
		e.big, e.box.Single = true, false
	}
	if len(e.box.Text())+len(string(msg.Runes)) > tooLong {
		m.say("that is too long to be typed")
		return nil
	}
	if !e.box.Press(msg) {
		return nil
	}
	return m.checkTyped()
}

// closeEditor leaves the editor.
func (m *Model) closeEditor() {
	if m.editor != nil {
		m.editor.stop()
		m.editor = nil
	}
}

// switchText turns a text into its literal, or a literal into its text.
func (e *editor) switchText(m *Model) {
	literal := e.literal()
	if !e.text {
		mark, _, ok := plainText(literal)
		switch {
		case ok:
			e.mark, e.text = mark, true
		case literal == "":
			e.mark, e.text = "", true
		default:
			m.say("only text in quotes, without escapes except \\n, can be typed as it is")
			return
		}
	} else {
		e.text = false
		if e.isNew && e.box.Text() == "" { // and not a text without characters
			literal = ""
		}
	}
	e.big = e.big || e.isLong(literal)
	e.fill(literal)
}

// checkTyped checks in the background whether the typed text can be taken.
func (m *Model) checkTyped() tea.Cmd {
	e := m.editor
	e.stop()
	e.retype, e.err = false, nil
	e.number++
	if e.check == nil {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	e.stop = stop
	number, literal := e.number, e.literal()
	return m.inBackground(func() tea.Msg { return checkedMsg{e, number, e.check(ctx, literal)} })
}

// checkedMsg is the result of a check: why the typed text cannot be taken, if it
// cannot.
type checkedMsg struct {
	editor *editor
	number int
	err    error
}

func (m *Model) checked(msg checkedMsg) {
	if e := msg.editor; e == m.editor && e.number == msg.number {
		e.setError(msg.err)
	}
}

// setError stores why the typed text cannot be taken.
func (e *editor) setError(err error) {
	var orphans *edit.OrphanError
	if errors.As(err, &orphans) {
		err = nil // the question comes with enter
	}
	e.err, e.box.Fault = err, -1
	var syntax *edit.SyntaxError
	if errors.As(err, &syntax) && !e.text {
		e.box.Fault = e.blanks() + syntax.At
	}
}

// blanks counts the leading blanks of the typed text, which its literal does not
// have.
func (e *editor) blanks() int {
	text := e.box.Text()
	return len(text) - len(strings.TrimLeft(text, " \t\n"))
}

// refused returns a function that shows, in the editor, why an edit cannot be made.
// For a change of type it asks.
func (m *Model) refused(e *editor) func(*Model, error) bool {
	return func(m *Model, err error) bool {
		if m.editor != e {
			return false
		}
		e.setError(err)
		var other *edit.TypeError
		e.retype = errors.As(err, &other)
		return true
	}
}
