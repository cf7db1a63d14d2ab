package edits

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/model"
)

// Convert writes all values in another dialect.
func (e *Values) Convert(to string) tea.Cmd {
	return e.Make(Request{
		Intend: func(edit.Options) model.Intention { return e.Explorer.Convert(to) },
		Done: func() {
			if decoder.IsOutdated(to) {
				e.Say("converted to " + to + ", which the current version of the library itself cannot read; u undoes it")
			}
		},
	})
}
