package edits

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/model"
)

// Convert is :convert VERSION: it writes all values in another version of Elephant.
func (e *Values) Convert(version string) tea.Cmd {
	if version == "" {
		e.Report(errors.New(":convert needs a version of Elephant, as in :convert 1.5.1"))
		return nil
	}
	to := decoder.ConversionDialect(version)
	return e.Make(Request{
		Intend: func(edit.Options) model.Intention { return e.Explorer.Convert(to) },
		Done: func() {
			if decoder.IsOutdated(to) {
				e.Say("converted to " + to + ", which Elephant 1.5.1 itself can no longer read; u undoes it")
			}
		},
	})
}
