package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/model/bytesize"
)

// open opens the document again in the background, by calling do. said is the
// message on success.
func (m *Model) open(name, said string, do func(context.Context, *model.Progress) (*model.Document, error)) tea.Cmd {
	if m.task.name != "" {
		m.report(fmt.Errorf("%s: wait until it ends, or press esc to stop it", m.task.name))
		return nil
	}
	ctx, number, progress := m.opening.start(m.ctx, name)
	var open tea.Cmd
	open = m.inBackground(func() tea.Msg {
		d, err := do(ctx, progress)
		return reopenedMsg{number, d, err, said, open}
	})
	return open
}

// reopen opens the same bytes with other options.
func (m *Model) reopen(name, said string, changes ...model.Change) tea.Cmd {
	doc := m.doc
	return m.open(name, said, func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		return doc.Reopen(ctx, p, changes...)
	})
}

// reload opens the file again as it is now.
func (m *Model) reload() tea.Cmd {
	doc := m.doc
	return m.open("reloading", "reloaded", func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		d, err := doc.Reload(ctx, p)
		if err != nil {
			err = fmt.Errorf("cannot reload: %w", err)
		}
		return d, err
	})
}

// unpack unpacks what was put off before the first frame because it takes long, or
// unpacks again with another limit.
func (m *Model) unpack(size string) tea.Cmd {
	if size != "" {
		most, err := bytesize.Parse(size)
		if err != nil {
			m.report(err)
			return nil
		}
		return m.reopen("unpacking", "unpacked up to "+bytesize.Format(most), model.WithMaxUnpacked(most))
	}
	switch {
	case m.doc.IsDeferred():
		return m.reopen("unpacking", "")
	case m.doc.IsCut():
		m.say("it was cut by the limit: :unpack 2G unpacks up to 2 GiB")
	default:
		m.say("there is nothing left to unpack")
	}
	return nil
}

// addSchemas opens the file again with the schemas of a GML file or folder.
func (m *Model) addSchemas(path string) tea.Cmd {
	switch {
	case path == "":
		m.report(fmt.Errorf(":schema needs a GML file or a folder with GML files"))
		return nil
	case m.doc.Format != "" && !m.doc.Hints().Schemas:
		m.report(fmt.Errorf("schemas are for Elephant's files; this is %s", m.doc.Title))
		return nil
	}
	doc := m.doc
	return m.open("reading schemas", "schemas of "+path+" are used", func(ctx context.Context, p *model.Progress) (*model.Document, error) {
		return doc.AddSchemas(ctx, p, path)
	})
}

// reopened shows the document that was opened again, with the cursor where it was.
func (m *Model) reopened(msg reopenedMsg) tea.Cmd {
	if msg.number != m.opening.number {
		return closing(msg.doc)
	}
	if msg.err != nil {
		m.opening.stop()
		m.report(msg.err)
		return nil
	}
	if !msg.doc.TakeOver(m.doc) {
		return tea.Batch(closing(msg.doc), msg.again)
	}
	m.opening.stop()
	cmd := m.replaceDocument(msg.doc, msg.said)
	if m.locked {
		cmd = tea.Batch(cmd, m.findUnsaved(false))
	}
	return cmd
}

// replaceDocument shows another document of the file, with the cursor where it was.
func (m *Model) replaceDocument(doc *model.Document, said string) tea.Cmd {
	old, number, place := m.doc, m.view.Buffer.Number, m.view.Place()
	m.jobs.stop()
	m.stopRead()
	m.setDocument(doc)
	m.changed, m.disk = "", nil
	m.resize(m.layout.width, m.layout.height)
	if len(old.Buffers) == len(doc.Buffers) {
		m.showBuffer(doc.Buffers[number])
		m.report(m.view.Return(place))
		m.setFocus(m.focus)
		m.hex.follow(m.view.Offset(), &m.layout)
	}
	m.say(said)
	return tea.Batch(closing(old), m.startIndex(), m.watch(), m.settle(), m.relistEdited())
}

// closing closes a document once the work on it has stopped.
func closing(d *model.Document) tea.Cmd {
	if d == nil {
		return nil
	}
	return func() tea.Msg {
		d.Close()
		return nil
	}
}

// settle does what a newly opened document needs: it asks for a password, or
// unpacks. It reports problems of the schemas.
func (m *Model) settle() tea.Cmd {
	if n := len(m.doc.Notices); n > 0 {
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" (and %d more)", n-1)
		}
		m.report(fmt.Errorf("%w%s", m.doc.Notices[0], more))
	}
	switch {
	case m.doc.IsLocked():
		return m.ask(m.passwordPrompt())
	case m.doc.IsDeferred():
		return m.unpack("")
	}
	return nil
}
