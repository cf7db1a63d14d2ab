package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/tree"
	"varview/model"
	"varview/model/search"
)

// jobs is background work, one job at a time. Results carry the number of their
// job, so that a late one is dropped.
type jobs struct {
	number   int
	name     string // of the running job, "" if there is none
	cancel   context.CancelFunc
	progress *model.Progress
}

// start ends the running job and begins another.
func (j *jobs) start(ctx context.Context, name string) (context.Context, int, *model.Progress) {
	j.stop()
	ctx, j.cancel = context.WithCancel(ctx)
	j.number++
	j.name, j.progress = name, new(model.Progress)
	return ctx, j.number, j.progress
}

// stop ends the running job, if there is one.
func (j *jobs) stop() {
	if j.cancel != nil {
		j.cancel()
	}
	j.cancel, j.name = nil, ""
	j.number++
}

// interrupt asks the running job to end, and keeps it until it has.
func (j *jobs) interrupt() { j.cancel() }

type (
	tickMsg    struct{}
	indexedMsg struct {
		ctx    context.Context
		buffer *model.Buffer
		err    error
	}
	foundMsg struct {
		number  int
		hit     search.Hit
		wrapped bool
		err     error
	}
	resolvedMsg struct {
		number int
		node   *tree.Node
		err    error
		then   func(*Model, *tree.Node) tea.Cmd
	}
	changedMsg struct {
		doc    *model.Document
		how    string
		others []int // processes that have the file open too
		lost   error // why edits are not kept any more
	}
	reopenedMsg struct {
		number int
		doc    *model.Document
		err    error
		said   string  // message on success
		again  tea.Cmd // opens it once more if it was edited meanwhile
	}
)

const (
	retryEvery    = 20 * time.Millisecond  // while a row in view waits for the index
	progressEvery = 100 * time.Millisecond // while only a percentage changes
	watchEvery    = time.Second
)

// tick schedules a message while work is in progress, so that the screen follows
// it.
func (m *Model) tick() tea.Cmd {
	_, indexed := m.doc.Indexed()
	if m.ticking || indexed && m.reading == nil && m.jobs.name == "" && m.opening.name == "" && m.task.name == "" && !m.view.Waiting() {
		return nil
	}
	m.ticking = true
	every := progressEvery
	if m.view.Waiting() {
		every = retryEvery
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{} })
}

// inBackground returns f as background work; stopWork waits for its end.
func (m *Model) inBackground(f func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		m.work.RLock()
		defer m.work.RUnlock()
		return f()
	}
}

// startIndex reads all buffers that have not been read, the innermost first, and
// then diagnoses their problems.
func (m *Model) startIndex() tea.Cmd {
	for _, b := range slices.Backward(m.doc.Buffers) {
		if _, done := b.Indexed(); !done {
			return m.index(b)
		}
	}
	if m.reading != nil {
		return nil
	}
	for _, b := range m.doc.Buffers {
		if b.NeedsDiagnosis() {
			return m.diagnose(b)
		}
	}
	return nil
}

// index reads a buffer once in the background, in place of what is being read.
func (m *Model) index(b *model.Buffer) tea.Cmd {
	ctx := m.read(b, false)
	return m.inBackground(func() tea.Msg { return indexedMsg{ctx, b, b.Index(ctx)} })
}

// diagnose finds the causes of a buffer's problems in the same way.
func (m *Model) diagnose(b *model.Buffer) tea.Cmd {
	ctx := m.read(b, true)
	return m.inBackground(func() tea.Msg { return indexedMsg{ctx, b, b.Diagnose(ctx)} })
}

// read records that this buffer is now being read or checked, instead of any other.
func (m *Model) read(b *model.Buffer, checking bool) context.Context {
	m.stopRead()
	ctx, stop := context.WithCancel(m.ctx)
	m.stopRead, m.reading, m.checking = stop, b, checking
	return ctx
}

// indexEdited reads what an edit has made necessary to read again. An earlier
// reading of the buffer is stopped.
func (m *Model) indexEdited(b *model.Buffer) tea.Cmd {
	_, done := b.Indexed()
	switch {
	case m.reading == b && done:
		m.stopRead()
		m.reading = nil
		return m.startIndex()
	case m.reading == b, m.reading == nil && !done:
		return m.index(b)
	case m.reading == nil:
		return m.startIndex()
	}
	return nil // it will be read in its turn
}

// indexed records that a buffer has been read, and continues with another.
func (m *Model) indexed(msg indexedMsg) tea.Cmd {
	n := msg.buffer.Number
	if n >= len(m.doc.Buffers) || m.doc.Buffers[n] != msg.buffer || msg.ctx.Err() != nil {
		return nil // of a document that was replaced, or of bytes that were edited
	}
	m.reading = nil
	for _, l := range m.shown() {
		l.view.Indexed()
	}
	if msg.err != nil {
		m.report(msg.err)
		return m.relist()
	}
	return tea.Batch(m.startIndex(), m.relist())
}

// watch checks from time to time whether the file on disk has changed.
func (m *Model) watch() tea.Cmd {
	doc, journal := m.doc, m.doc.Journal()
	look := m.inBackground(func() tea.Msg { return changedMsg{doc, doc.Changed(), journal.Others(), journal.Lost()} })
	return tea.Tick(watchEvery, func(time.Time) tea.Msg { return look() })
}

// search looks for the next hit of the query, or the previous one.
func (m *Model) search(backward bool) tea.Cmd {
	if m.query.String() == "" {
		m.say("no search yet: / starts one")
		return nil
	}
	ctx, number, progress := m.jobs.start(m.ctx, "searching")
	buffer, query, from := m.view.Buffer, m.query, m.view.Spot()
	return m.inBackground(func() tea.Msg {
		hit, wrapped, err := buffer.Search(ctx, query, from, backward, progress)
		return foundMsg{number, hit, wrapped, err}
	})
}

// resolve finds the value at a path and calls then with it.
func (m *Model) resolve(path string, then func(*Model, *tree.Node) tea.Cmd) tea.Cmd {
	_, number, _ := m.jobs.start(m.ctx, "looking for "+path)
	buffer := m.view.Buffer
	return m.inBackground(func() tea.Msg {
		n, err := buffer.Resolve(path)
		return resolvedMsg{number, n, err, then}
	})
}

// goToPath selects the value at a path.
func (m *Model) goToPath(path string) tea.Cmd {
	return m.resolve(path, func(m *Model, n *tree.Node) tea.Cmd {
		m.report(m.view.GoToValue(n))
		return nil
	})
}

// finish takes the result of a job.
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
				cmd := msg.then(m, msg.node)
				m.hex.follow(m.view.Offset(), &m.layout)
				return cmd
			}
		}
	case changedMsg:
		if msg.doc == m.doc {
			m.others = msg.others
			m.report(msg.lost)
			return tea.Batch(m.diskChanged(msg.how, nil), m.watch())
		}
	case reopenedMsg:
		return m.reopened(msg)
	case preparedMsg:
		m.task.stop()
		return m.prepared(msg.request, msg.p, msg.err)
	case savedMsg:
		return m.saved(msg)
	case previewMsg:
		if p := m.problems; p != nil && msg.number == m.preview.number {
			p.preview = msg.preview
		}
		return nil
	case checkedMsg:
		m.checked(msg)
		return nil
	case changesMsg:
		m.showChanges(msg)
		return nil
	case patchMsg:
		return m.patched(msg)
	case unsavedMsg:
		m.offer(msg)
	case recoveredMsg:
		return m.recovered(msg)
	case diskMsg:
		m.compared(msg)
		return nil
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
	if n := msg.hit.Node; msg.hit.IsValue {
		m.goToNamed(n)
	} else {
		m.goToByte(msg.hit.Offset)
	}
	if msg.wrapped {
		m.say("the search wrapped around")
	}
}
