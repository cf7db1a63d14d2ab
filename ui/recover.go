package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/internal/ending"
	"varview/model"
	"varview/themes"
	"varview/ui/paint"
)

type (
	// unsavedMsg brings the edits that were not saved before, with what became of the file.
	unsavedMsg struct {
		doc   *model.Document
		found *unsaved
		err   error
		asked bool // by the user, who hears too that there are none
	}
	// recoveredMsg brings the document with the edits that were not saved.
	recoveredMsg struct {
		number int
		doc    *model.Document
		err    error
		found  *unsaved
	}
)

// unsaved are edits that an earlier run of the program has not saved.
type unsaved struct {
	*model.Unsaved
	state string // what became of the file since
}

// startKeeping keeps the edits that are made from now on, and looks for those that were not
// saved before.
func (m *Model) startKeeping() tea.Cmd {
	if !m.keeps {
		return nil
	}
	if err := m.doc.KeepUnsaved(); err != nil {
		m.report(err)
		return nil
	}
	return m.findUnsaved(false)
}

// endKeeping ends that: once the user has left nothing is kept. Where err has ended the
// program all edits are on disk afterwards, and the error says so.
func (m *Model) endKeeping(err error) error {
	if err == nil {
		return m.doc.CloseJournal(false)
	}
	if m.doc.Journal().Keep() && m.doc.IsModified() {
		err = &ending.Noted{Err: err, Note: "the edits that were not saved are offered when the file is opened again"}
	}
	return err
}

// findUnsaved looks for edits of the file that were not saved before.
func (m *Model) findUnsaved(asked bool) tea.Cmd {
	doc, find := m.doc, m.doc.FindUnsaved()
	return m.inBackground(func() tea.Msg {
		list, err := find()
		for _, u := range list {
			if !u.IsAlive {
				return unsavedMsg{doc, &unsaved{u, u.State()}, err, asked}
			}
		}
		return unsavedMsg{doc, nil, err, asked}
	})
}

// offer asks what is to become of edits that were not saved before.
func (m *Model) offer(msg unsavedMsg) {
	u := msg.found
	m.locked = false
	switch {
	case msg.doc != m.doc:
	case msg.err != nil:
		m.report(msg.err)
	case u != nil && u.Locked > 0:
		m.locked = true
		if msg.asked || !m.doc.IsLocked() {
			m.say("unsaved edits are encrypted with another key of the file: :password, then :recover")
		}
	case u != nil:
		m.askUnsaved(u)
	case msg.asked:
		m.say("there are no unsaved edits of this file")
	}
}

// askUnsaved asks what is to become of unsaved edits.
func (m *Model) askUnsaved(u *unsaved) {
	steps := len(u.Lead)
	text := fmt.Sprintf("%s of %s not saved: %s", span.Counted(int64(steps), "edit"), when(u.When, time.Now()), u.Lead[steps-1].Step.Label)
	if steps == 1 {
		text = fmt.Sprintf("an edit of %s was not saved: %s", when(u.When, time.Now()), u.Lead[0].Step.Label)
	} else {
		text += " was the last"
	}
	if u.state != "" {
		text += "; " + u.state
	}
	m.question = &question{text: text, leave: ":recover offers the edits again", answers: []answer{
		{"t", "take", func(m *Model) tea.Cmd { return m.takeUnsaved(u) }},
		{"l", "look", func(m *Model) tea.Cmd { m.lookAtUnsaved(u); return nil }},
		{"d", "discard", func(m *Model) tea.Cmd {
			m.report(u.Discard())
			return m.findUnsaved(false)
		}},
	}}
}

// when is a time for a message: with the day only where that is another one.
func when(t, now time.Time) string {
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// lookAtUnsaved lists unsaved edits over the panes. Once that is closed the question is
// asked again.
func (m *Model) lookAtUnsaved(u *unsaved) {
	h := &help{then: func(m *Model) { m.askUnsaved(u) }}
	h.lines = append(h.lines, []paint.Piece{paint.In(themes.Title, "Edits that were not saved")}, nil)
	for _, op := range u.Ops() {
		h.lines = append(h.lines, []paint.Piece{paint.In(themes.Dim, op.Kind.String()+" "), paint.In(themes.Key, op.Path)})
		for _, line := range []paint.Piece{paint.In(themes.Padding, op.Old), paint.In(themes.Changed, op.New)} {
			if line.Text != "" {
				h.lines = append(h.lines, []paint.Piece{paint.Plain("    "), line})
			}
		}
	}
	m.help = h
}

// takeUnsaved makes edits that were not saved before. It needs the file as it is.
func (m *Model) takeUnsaved(u *unsaved) tea.Cmd {
	if err := m.busy(); err != nil {
		m.report(err)
		return nil
	}
	if u.state != "" {
		return m.reapply(u)
	}
	if m.doc.IsModified() {
		m.report(errors.New("save or undo your edits first; :recover then offers the others again"))
		return nil
	}
	doc := m.doc
	ctx, number, progress := m.task.start(m.ctx, "taking unsaved edits")
	return m.inBackground(func() tea.Msg {
		d, err := doc.Recover(ctx, progress, u.Unsaved)
		return recoveredMsg{number, d, err, u}
	})
}

// recovered shows the document with the edits.
func (m *Model) recovered(msg recoveredMsg) tea.Cmd {
	switch {
	case msg.number != m.task.number:
		return closing(msg.doc)
	case errors.Is(msg.err, context.Canceled):
		m.task.stop()
		m.say("stopped; :recover offers the edits again")
		return nil
	case msg.err != nil:
		m.task.stop()
		m.report(fmt.Errorf("the unsaved edits cannot be taken: %w", msg.err))
		return nil
	}
	m.task.stop()
	msg.doc.TakeOver(m.doc)
	return m.replaceDocument(msg.doc, "taken; u undoes them one by one")
}

// reapply makes those edits that still apply to a file that has changed since.
func (m *Model) reapply(u *unsaved) tea.Cmd {
	var r model.Reapplied
	said := func(m *Model) tea.Cmd {
		m.saidOf(u, &r)
		return nil
	}
	return m.run(request{
		intend: func(edit.Options) model.Intention { return m.view.Reapply(u.Unsaved, &r) },
		done:   said,
		refused: func(m *Model, err error) bool {
			said(m)
			return errors.Is(err, model.ErrNoChange)
		},
	})
}

// saidOf says what became of unsaved edits. Their journal stays where some could not be
// made.
func (m *Model) saidOf(u *unsaved, r *model.Reapplied) {
	text := fmt.Sprintf("%s taken", span.Counted(int64(r.Made), "edit"))
	if r.Already > 0 {
		text += fmt.Sprintf(", %s in the file already", span.Grouped(int64(r.Already)))
	}
	if len(r.Failed) == 0 {
		m.say(text)
		m.report(u.Discard())
		return
	}
	h := &help{}
	h.lines = append(h.lines, []paint.Piece{paint.In(themes.Title, "Edits that no longer apply")}, nil)
	for _, f := range r.Failed {
		h.lines = append(h.lines, []paint.Piece{paint.Plain("  " + f)})
	}
	h.lines = append(h.lines, nil, []paint.Piece{paint.In(themes.Dim, text+"; u undoes that. :recover offers all again, and can discard them.")})
	m.help = h
}
