package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/model"
)

// diskMsg brings what differs in the file on disk.
type diskMsg struct {
	doc  *model.Document
	disk *model.Disk
	err  error
	then func(*Model) // nil for nothing
}

// diskChanged records how the file on disk differs, and finds out what differs in it. Then
// it calls then.
func (m *Model) diskChanged(how string, then func(*Model)) tea.Cmd {
	if how == m.changed && then == nil {
		return nil
	}
	m.changed, m.disk = how, nil
	if how == "" || how == source.Gone {
		return nil
	}
	doc, ctx := m.doc, m.ctx
	return m.inBackground(func() tea.Msg {
		disk, err := doc.CompareDisk(ctx)
		return diskMsg{doc, disk, err, then}
	})
}

// compared takes what differs in the file on disk.
func (m *Model) compared(msg diskMsg) {
	if msg.doc != m.doc || m.changed == "" {
		return
	}
	if msg.err == nil {
		m.disk = msg.disk
	}
	if msg.then != nil {
		msg.then(m)
	}
}

// askDisk asks what is to be done about a file that another program has changed.
func (m *Model) askDisk() {
	text := m.changed
	if m.disk != nil {
		text += ": " + describeDisk(m.disk)
	}
	q := &question{text: text, leave: "nothing was saved", answers: []answer{
		{"k", "keep mine", func(m *Model) tea.Cmd { return m.save(model.SaveOptions{Force: true}, false) }},
		{"t", "take theirs", (*Model).reload},
	}}
	if m.disk != nil {
		q.answers = append(q.answers, answer{"l", "look at both", func(m *Model) tea.Cmd {
			m.changes = &changesPane{all: m.disk.Changes, cut: m.disk.More, onDisk: true}
			return nil
		}})
	}
	m.question = q
}

// describeDisk says in one line what differs.
func describeDisk(d *model.Disk) string {
	if len(d.Changes) == 0 {
		return "its values are the same"
	}
	what := span.Counted(int64(len(d.Changes)), "range")
	if d.More {
		what = "at least " + what
	}
	if by := d.Size - d.Was; by > 0 {
		what += fmt.Sprintf(", %s more", span.Bytes(by))
	} else if by < 0 {
		what += fmt.Sprintf(", %s less", span.Bytes(-by))
	}
	if path := d.Changes[0].Path; path != "" {
		what += ", first " + path
	}
	return what
}
