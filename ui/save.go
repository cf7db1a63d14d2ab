package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/source"
	"varview/model"
	"varview/model/bytesize"
)

// savedMsg is the result of a save.
type savedMsg struct {
	saving  *model.Saving
	options model.SaveOptions
	quit    bool
	size    int64
	backup  string
	err     error
}

// save writes the document in the background, and then quits if quit is set.
func (m *Model) save(o model.SaveOptions, quit bool) tea.Cmd {
	if err := m.busy(); err != nil {
		m.report(err)
		return nil
	}
	if o.Path == "" && !o.Force && !m.doc.IsModified() {
		switch {
		case quit:
			return tea.Quit
		case m.changed != "":
			m.askDisk()
		default:
			m.say("nothing to save")
		}
		return nil
	}
	s, err := m.doc.Save(o)
	if err != nil {
		m.report(notSaved(err))
		return nil
	}
	backup := s.Backup()
	ctx, _, progress := m.task.start(m.ctx, "saving")
	m.saving = true
	return func() tea.Msg {
		msg := savedMsg{saving: s, options: o, quit: quit, backup: backup}
		if msg.err = s.Write(ctx, progress); msg.err != nil {
			msg.err = withRemedy(s.Path(), o, msg.err)
		} else if info, err := os.Stat(s.Path()); err == nil {
			msg.size = info.Size()
		}
		return msg
	}
}

// withRemedy adds to the reason why a file was not written what else can be done.
func withRemedy(path string, o model.SaveOptions, err error) error {
	switch _, missing := os.Lstat(path); {
	case errors.Is(err, context.Canceled):
		return errors.New("not saved: it was stopped; the file is as it was")
	case strings.HasPrefix(err.Error(), "saved, but "):
		return err
	case errors.Is(err, source.ErrUnread) && !o.Force:
		return fmt.Errorf("%w; :w! takes it as it is now", notSaved(err))
	case errors.As(err, new(*model.LostError)):
		return fmt.Errorf("%w; :patch NAME keeps the edits", notSaved(err))
	case errors.As(err, new(*model.ChangedError)):
		return err
	case o.Path == "":
		return fmt.Errorf("%w; :w NAME saves elsewhere", notSaved(err))
	case o.Force || missing != nil:
		return notSaved(err)
	}
	return fmt.Errorf("%w; :w! %s replaces it", notSaved(err), o.Path)
}

// notSaved adds "not saved" to an error that does not say so itself.
func notSaved(err error) error {
	if strings.HasPrefix(err.Error(), "not saved: ") {
		return err
	}
	return fmt.Errorf("not saved: %w", err)
}

// saved records that a file was written, or reports why not.
func (m *Model) saved(msg savedMsg) tea.Cmd {
	m.saving = false
	m.task.stop()
	if changed := (*model.ChangedError)(nil); errors.As(msg.err, &changed) {
		return m.diskChanged(changed.How, func(m *Model) { m.askDisk() })
	}
	if msg.err != nil {
		m.report(msg.err)
		return nil
	}
	m.stopWork()
	edited := m.doc.ChangedBuffer()
	m.doc.Saved(msg.saving)
	m.work.Unlock()
	if m.keeps {
		m.report(m.doc.KeepUnsaved()) // what came from standard input has a name now
	}
	m.dropLooks(edited)
	m.changed, m.disk = "", nil
	text := fmt.Sprintf("saved %s (%s)", filepath.Base(msg.saving.Path()), bytesize.Format(msg.size))
	switch {
	case msg.options.Unwrap:
		text += ", without its wrappers"
	case msg.backup != "":
		text += ", the old file is " + filepath.Base(msg.backup)
	}
	m.say(text)
	if msg.quit {
		return tea.Quit
	}
	return tea.Batch(m.startIndex(), m.relistEdited())
}

// stopWork stops all background work and waits for its end. It leaves m.work locked.
func (m *Model) stopWork() {
	m.jobs.stop()
	m.preview.stop()
	m.stopRead()
	m.reading = nil
	m.work.Lock()
}

// dropLooks drops the looks at the buffers that a save has written again: those
// around the edited one. A new look at the shown one keeps its place.
func (m *Model) dropLooks(edited *model.Buffer) {
	for i, b := range m.doc.Buffers {
		if b == edited || !b.IsWrapper() {
			continue
		}
		m.looks[i] = look{}
		if b == m.view.Buffer {
			place := m.view.Place()
			m.look = look{view: model.Explore(b)}
			m.report(m.view.Return(place))
		}
	}
	m.catchUp()
}

// write is :w, with or without a file name.
func (m *Model) write(path string, force, quit bool) tea.Cmd {
	return m.save(model.SaveOptions{Path: path, Force: force}, quit)
}

// unwrap saves the values without their wrappers.
func (m *Model) unwrap(path string, force bool) tea.Cmd {
	switch {
	case path == "":
		m.report(errors.New(":unwrap needs a file name for the unwrapped content"))
		return nil
	case len(m.doc.Buffers) == 1:
		m.report(errors.New("the file is not wrapped in anything: :w NAME saves it under another name"))
		return nil
	}
	return m.save(model.SaveOptions{Path: path, Unwrap: true, Force: force}, false)
}
