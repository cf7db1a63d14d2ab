package desk

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/state"
)

// Remember stores what may reveal something about the content of the file: what was searched for,
// commands with their values, marks. For an encrypted file it is forgotten when the program ends.
func (d *Desk) Remember(change func(*state.Data)) tea.Cmd {
	if d.Doc.IsEncrypted() {
		d.State.RememberForNow(change)
		return nil
	}
	return d.RememberAlways(change)
}

// RememberOpened notes that the file was opened.
func (d *Desk) RememberOpened() tea.Cmd {
	path := d.Doc.Path()
	if path == "" {
		return nil
	}
	now := time.Now()
	return d.RememberAlways(func(s *state.Data) { s.Open(path, now) })
}

// RememberAlways stores what reveals nothing about the content of a file.
func (d *Desk) RememberAlways(change func(*state.Data)) tea.Cmd {
	d.State.Remember(change)
	return d.Go("remembering", func() func() tea.Cmd {
		err := d.State.Save()
		return func() tea.Cmd {
			return d.Report(err)
		}
	})
}
