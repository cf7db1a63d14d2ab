package ui

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/model"
)

// convert is :convert VERSION: it writes all values in another version of Elephant.
func (m *Model) convert(version string) tea.Cmd {
	if version == "" {
		m.report(errors.New(":convert needs a version of Elephant, as in :convert 1.5.1"))
		return nil
	}
	to := decoder.ConversionDialect(version)
	return m.run(request{
		intend: func(edit.Options) model.Intention { return m.view.Convert(to) },
		done: func(m *Model) tea.Cmd {
			if decoder.IsOutdated(to) {
				m.say("converted to " + to + ", which Elephant 1.5.1 itself can no longer read; u undoes it")
			}
			return nil
		},
	})
}
