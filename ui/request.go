package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/model"
)

// A request is an edit that the user asked for.
type request struct {
	intend  func(edit.Options) model.Intention
	options edit.Options
	ask     func(*model.Prepared) *question // returns a question to ask before it is made; nil, or no question, asks nothing
	done    func(*Model) tea.Cmd            // runs after it was made; nil shows its label
	refused func(*Model, error) (ok bool)   // shows an error, and reports whether it did; nil shows none
}

// soon is how long something may take before it continues in the background.
const soon = 100 * time.Millisecond

// canEdit reports why nothing can be edited, nil if it can.
func (m *Model) canEdit() error {
	if err := m.busy(); err != nil {
		return err
	}
	if err := m.doc.CanEdit(m.view.Buffer); err != nil {
		return fmt.Errorf("nothing can be changed: %w", err)
	}
	return nil
}

// busy reports work in progress during which nothing may be edited, nil if there is
// none.
func (m *Model) busy() error {
	for _, j := range []*jobs{&m.task, &m.opening} {
		if j.name != "" {
			return fmt.Errorf("%s: wait until it ends, or press esc to stop it", j.name)
		}
	}
	return nil
}

// run makes an edit, at once if that does not take long.
func (m *Model) run(r request) tea.Cmd {
	if err := m.canEdit(); err != nil {
		m.report(err)
		return nil
	}
	doc, buffer, intention := m.doc, m.view.Buffer, r.intend(r.options)
	ctx, stop := context.WithTimeout(m.ctx, m.patience)
	defer stop()
	p, err := doc.Prepare(ctx, buffer, intention)
	if err == nil || ctx.Err() == nil {
		return m.prepared(r, p, err)
	}
	ctx, number, _ := m.task.start(m.ctx, "working")
	return m.inBackground(func() tea.Msg {
		p, err := doc.Prepare(ctx, buffer, intention)
		return preparedMsg{number, r, p, err}
	})
}

// preparedMsg is an edit that was worked out in the background.
type preparedMsg struct {
	number  int
	request request
	p       *model.Prepared
	err     error
}

// prepared makes an edit that was worked out, or reports why it cannot be made.
func (m *Model) prepared(r request, p *model.Prepared, err error) tea.Cmd {
	var orphans *edit.OrphanError
	switch {
	case errors.As(err, &orphans):
		m.askOrphans(r, orphans)
		return nil
	case errors.Is(err, context.Canceled):
		m.say("stopped; nothing was changed")
		return nil
	}
	if err == nil && r.ask != nil {
		if q := r.ask(p); q != nil {
			m.question = q
			return nil
		}
	}
	var turn model.Turn
	var cmd tea.Cmd
	if err == nil {
		turn, err = m.doc.Make(m.ctx, p)
	}
	switch {
	case errors.Is(err, model.ErrNoChange):
		m.say("nothing changes: it is the same already")
	case err != nil:
		if r.refused == nil || !r.refused(m, err) {
			m.report(err)
		}
		return nil
	default:
		cmd = m.follow(turn)
		m.say(turn.Label + "; u undoes it")
	}
	if r.done == nil {
		return cmd
	}
	return tea.Batch(cmd, r.done(m))
}

// askOrphans asks what becomes of references to a value that is deleted.
func (m *Model) askOrphans(r request, err *edit.OrphanError) {
	settled := func(o edit.Orphans) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd {
			r.options.Orphans = o
			return m.run(r)
		}
	}
	text := fmt.Sprintf("%s leads to %s, which would be deleted: %s", span.Counted(int64(err.References), "reference"), err.Target, err.First)
	if err.References > 1 {
		text = fmt.Sprintf("%s lead to %s, which would be deleted; the first is %s", span.Counted(int64(err.References), "reference"), err.Target, err.First)
	}
	m.question = &question{text: text, leave: "nothing was changed", answers: []answer{
		{"i", "move it to the first", settled(edit.Inherit)},
		{"u", "make them undefined", settled(edit.Undefined)},
	}}
}

// follow shows what an edit, or undo, has done.
func (m *Model) follow(t model.Turn) tea.Cmd {
	m.jobs.stop() // its results would have outdated offsets
	m.closeEditor()
	if t.Doc != m.doc {
		return m.followTo(t)
	}
	m.showBuffer(m.doc.Buffers[t.Buffer])
	m.hit.Length = 0
	m.report(m.view.FollowTurn(t))
	m.catchUp()
	return tea.Batch(m.indexEdited(m.view.Buffer), m.relistEdited())
}

// catchUp brings layout and panes to where the cursor is.
func (m *Model) catchUp() {
	m.resize(m.layout.width, m.layout.height)
	m.setFocus(m.focus)
	m.hex.follow(m.view.Offset(), &m.layout)
}

// followTo continues with the document that an edit has made of this one.
func (m *Model) followTo(t model.Turn) tea.Cmd {
	old := m.doc
	m.stopRead()
	m.setDocument(t.Doc)
	m.showBuffer(t.Doc.Buffers[min(t.Buffer, len(t.Doc.Buffers)-1)])
	m.report(m.view.GoToCursor(t.Cursor))
	m.catchUp()
	cmd := tea.Batch(closing(old), m.startIndex(), m.watch(), m.relistEdited())
	if m.typing != nil {
		return cmd // the file is looked at again after the typing
	}
	return tea.Batch(cmd, m.settle())
}
