package ui

import (
	"errors"
	"fmt"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/patch"
)

// patchMsg is the result of reading or writing a patch.
type patchMsg struct {
	patch   patch.Patch
	written string // the file that it was written to, "" if it was read
	err     error
}

// maxPatch is the largest patch in bytes that is read.
const maxPatch = 64 << 20

// writePatch is :patch FILE: it writes the changes since the file was opened.
func (m *Model) writePatch(path string, force bool) tea.Cmd {
	p, err := m.doc.Patch()
	switch {
	case path == "":
		err = errors.New(":patch needs a file name; it writes the changes, for :apply")
	case err == nil && len(p) == 0:
		err = errors.New("there are no changes to write as a patch")
	}
	if err != nil {
		m.report(err)
		return nil
	}
	return func() tea.Msg {
		err := p.Save(m.ctx, path, force)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%s exists already; :patch! %s replaces it", path, path)
		}
		return patchMsg{written: path, err: err}
	}
}

// applyPatch is :apply FILE: it reads a patch and makes its changes.
func (m *Model) applyPatch(path string) tea.Cmd {
	if path == "" {
		m.report(errors.New(":apply needs the name of a patch"))
		return nil
	}
	return func() tea.Msg {
		f, err := os.Open(path)
		if err != nil {
			if pe := (*os.PathError)(nil); errors.As(err, &pe) {
				err = fmt.Errorf("%s: %w", path, pe.Err)
			}
			return patchMsg{err: err}
		}
		defer f.Close()
		p, err := patch.Read(io.LimitReader(f, maxPatch))
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return patchMsg{patch: p, err: err}
	}
}

// patched says that a patch was written, or makes the changes of one that was read.
func (m *Model) patched(msg patchMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.report(msg.err)
		return nil
	case msg.written != "":
		m.say("wrote the changes to " + msg.written)
		return nil
	}
	return m.run(request{intend: func(o edit.Options) model.Intention { return m.view.Patch(msg.patch, o) }})
}
