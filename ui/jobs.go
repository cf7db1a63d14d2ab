package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

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
		ctx    context.Context
		buffer *model.Buffer
		err    error
	}
	foundMsg struct {
		number  int
		hit     model.Hit
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
		number int
		doc    *model.Document
		err    error
		said   string // what to say when it went well
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
	if m.ticking || indexed && m.jobs.name == "" && m.opening.name == "" && !m.view.Waiting() {
		return nil
	}
	m.ticking = true
	every := progressEvery
	if m.view.Waiting() {
		every = retryEvery
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{} })
}

// startIndex reads all buffers once in the background, the innermost first.
func (m *Model) startIndex() tea.Cmd {
	ctx, stop := context.WithCancel(m.ctx)
	m.stopIndex = stop
	return index(ctx, m.doc.Innermost())
}

func index(ctx context.Context, b *model.Buffer) tea.Cmd {
	return func() tea.Msg { return indexedMsg{ctx, b, b.Index(ctx)} }
}

// indexed takes note that a buffer has been read, and goes on with the one
// around it.
func (m *Model) indexed(msg indexedMsg) tea.Cmd {
	n := msg.buffer.Number
	if n >= len(m.doc.Buffers) || m.doc.Buffers[n] != msg.buffer {
		return nil // of a document that was replaced
	}
	for _, l := range m.shown() {
		l.view.Indexed()
	}
	if msg.err != nil && msg.ctx.Err() == nil {
		m.changed = m.doc.Changed()
		m.report(msg.err)
	}
	if n == 0 || msg.err != nil {
		return nil
	}
	return index(msg.ctx, m.doc.Buffers[n-1])
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
	buffer, query, from := m.view.Buffer, m.query, m.view.Spot()
	return func() tea.Msg {
		hit, wrapped, err := buffer.Search(ctx, query, from, backward, progress)
		return foundMsg{number, hit, wrapped, err}
	}
}

// goToPath looks for the value at a path.
func (m *Model) goToPath(path string) tea.Cmd {
	_, number, _ := m.jobs.start(m.ctx, "looking for "+path)
	buffer := m.view.Buffer
	return func() tea.Msg {
		n, err := buffer.Resolve(path)
		return resolvedMsg{number, n, err}
	}
}

// finish takes what a job has found.
func (m *Model) finish(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case indexedMsg:
		cmd := m.indexed(msg)
		m.hex.follow(m.view.Offset(), &m.layout)
		return cmd
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
	m.hit = msg.hit.Span
	if n := msg.hit.Named; n != nil {
		m.goToNamed(n)
	} else {
		m.goToByte(msg.hit.Offset)
	}
	if msg.wrapped {
		m.say("the search went round the end of the file")
	}
}
