package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
)

// jobs is the work that runs beside the program. Its results carry the number
// of the job, so that one that comes too late is dropped.
type jobs struct {
	number   int
	name     string // of the job that runs, "" if none does
	cancel   context.CancelFunc
	progress *model.Progress
}

// start ends the job that runs and begins another.
func (j *jobs) start(ctx context.Context, name string) (context.Context, int, *model.Progress) {
	j.stop()
	ctx, j.cancel = context.WithCancel(ctx)
	j.number++
	j.name, j.progress = name, new(model.Progress)
	return ctx, j.number, j.progress
}

// stop ends the job that runs, if one does.
func (j *jobs) stop() {
	if j.cancel != nil {
		j.cancel()
	}
	j.cancel, j.name = nil, ""
	j.number++
}

type (
	tickMsg    struct{}
	indexedMsg struct {
		doc *model.Document
		err error
	}
	foundMsg struct {
		number  int
		hit     span.Span
		wrapped bool
		err     error
	}
	resolvedMsg struct {
		number int
		node   *tree.Node
		err    error
	}
	changedMsg struct {
		doc *model.Document
		how string
	}
	reopenedMsg struct {
		doc  *model.Document
		err  error
		said string // what to say when it went well
	}
)

const (
	retryEvery    = 20 * time.Millisecond  // while something in view waits for the index
	progressEvery = 100 * time.Millisecond // while only a percentage counts
	watchEvery    = time.Second
)

// tick comes back soon while something is under way, so that what is shown
// follows it.
func (m *Model) tick() tea.Cmd {
	_, indexed := m.doc.Indexed()
	if m.ticking || indexed && m.jobs.name == "" && !m.view.Waiting() {
		return nil
	}
	m.ticking = true
	every := progressEvery
	if m.view.Waiting() {
		every = retryEvery
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{} })
}

// startIndex reads the whole file once in the background.
func (m *Model) startIndex() tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	m.stopIndex = stop
	doc := m.doc
	return func() tea.Msg { return indexedMsg{doc, doc.BuildIndex(ctx)} }
}

// watch looks once in a while whether the file on disk is still the same.
func (m *Model) watch() tea.Cmd {
	doc := m.doc
	return tea.Tick(watchEvery, func(time.Time) tea.Msg { return changedMsg{doc, doc.Changed()} })
}

// search looks for the next hit of the query, or the previous one.
func (m *Model) search(backward bool) tea.Cmd {
	if m.query.String() == "" {
		m.say("nothing was searched yet: / begins a search")
		return nil
	}
	ctx, number, progress := m.jobs.start(m.ctx, "searching")
	doc, query, from := m.doc, m.query, m.view.Offset()
	return func() tea.Msg {
		hit, wrapped, err := doc.Search(ctx, query, from, backward, progress)
		return foundMsg{number, hit, wrapped, err}
	}
}

// goToPath looks for the value at a path.
func (m *Model) goToPath(path string) tea.Cmd {
	_, number, _ := m.jobs.start(m.ctx, "looking for "+path)
	doc := m.doc
	return func() tea.Msg {
		n, err := doc.Resolve(path)
		return resolvedMsg{number, n, err}
	}
}

// reload opens the file again as it is now.
func (m *Model) reload() tea.Cmd {
	ctx, doc := m.ctx, m.doc
	return func() tea.Msg {
		d, err := doc.Reload(ctx)
		if err != nil {
			err = fmt.Errorf("cannot reload: %w", err)
		}
		return reopenedMsg{d, err, "reloaded"}
	}
}

// finish takes what a job has found.
func (m *Model) finish(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case indexedMsg:
		if msg.doc == m.doc {
			m.view.Indexed()
			if msg.err != nil && m.ctx.Err() == nil {
				m.changed = m.doc.Changed()
				m.report(msg.err)
			}
		}
	case foundMsg:
		if msg.number == m.jobs.number {
			m.jobs.stop()
			m.found(msg)
		}
	case resolvedMsg:
		if msg.number == m.jobs.number {
			m.jobs.stop()
			m.report(msg.err)
			if msg.err == nil {
				m.report(m.view.GoToValue(msg.node))
			}
		}
	case changedMsg:
		if msg.doc == m.doc {
			m.changed = msg.how
			return m.watch()
		}
	case reopenedMsg:
		return m.reopened(msg)
	}
	m.hex.follow(m.view.Offset(), &m.layout)
	return nil
}

func (m *Model) found(msg foundMsg) {
	switch {
	case errors.Is(msg.err, io.EOF):
		m.message = message{fmt.Sprintf("not found: %s", m.query), true}
		return
	case msg.err != nil:
		m.report(msg.err)
		return
	}
	m.hit = msg.hit
	m.goToByte(msg.hit.Offset)
	if msg.wrapped {
		m.say("the search went round the end of the file")
	}
}

// reopened shows the file as it is now, or as it is read now, with the cursor
// where it was.
func (m *Model) reopened(msg reopenedMsg) tea.Cmd {
	if msg.err != nil {
		m.report(msg.err)
		return nil
	}
	offset, width, height := m.view.Offset(), m.layout.width, m.layout.height
	m.jobs.stop()
	m.stopIndex()
	if !msg.doc.SharesFile(m.doc) {
		m.doc.Close()
	}
	m.doc, m.view = msg.doc, model.Explore(msg.doc)
	m.changed, m.hit = "", span.Span{}
	m.resize(width, height)
	if offset > 0 {
		m.goToByte(offset)
	}
	m.say(msg.said)
	return tea.Batch(m.startIndex(), m.watch())
}
