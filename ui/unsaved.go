package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/source"
	"varview/model"
)

// leave ends the program. It asks first where something would be lost.
func (m *Model) leave() tea.Cmd {
	switch {
	case m.saving:
		m.say("saving ends in a moment; esc stops it")
		return nil
	case !m.doc.IsModified():
		return tea.Quit
	}
	m.question = &question{text: "save before quitting?", leave: "", answers: []answer{
		{"y", "save", func(m *Model) tea.Cmd { return m.save(model.SaveOptions{}, true) }},
		{"n", "discard", func(*Model) tea.Cmd { return tea.Quit }},
	}}
	return nil
}

// quitAnyway ends the program, whatever is lost.
func (m *Model) quitAnyway() tea.Cmd {
	m.task.stop()
	return tea.Quit
}

// askReload opens the file as it is now. It asks first where something would be
// lost.
func (m *Model) askReload() tea.Cmd {
	switch {
	case !m.doc.IsModified():
		return m.reload()
	case m.changed != "" && m.changed != source.Gone:
		m.askDisk()
		return nil
	}
	m.question = &question{text: fmt.Sprintf("reload %s and lose the changes?", m.doc.Name), leave: "", answers: []answer{
		{"y", "reload", (*Model).reload},
	}}
	return nil
}
