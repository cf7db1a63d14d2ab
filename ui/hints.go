package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/span"
	"varview/model"
	"varview/ui/paint"
)

// hints are the keys that the file, or the selected value, asks for.
func (m *Model) hints() []key.Help {
	var hints []key.Help
	switch {
	case m.opening.name != "":
		hints = append(hints, key.Help{Key: "esc", Desc: "stop"})
	case m.doc.IsLocked():
		hints = append(hints, key.Help{Key: ":password", Desc: "open"})
	case m.doc.IsDeferred():
		hints = append(hints, key.Help{Key: ":unpack", Desc: "open"})
	case m.doc.IsCut():
		hints = append(hints, key.Help{Key: ":unpack SIZE", Desc: "more"})
	}
	if m.doc.ProblemCount(span.Warning) > 0 {
		hints = append(hints, key.Help{Key: "!", Desc: "problems"})
	}
	switch {
	case m.task.name != "":
		hints = append(hints, key.Help{Key: "esc", Desc: "stop"})
	case m.doc.IsModified():
		hints = append(hints, key.Help{Key: "u", Desc: "undo"}, key.Help{Key: "ctrl+s", Desc: "save"})
	}
	if m.focus == onBytes {
		return hints
	}
	switch {
	case m.view.LacksSchema():
		hints = append(hints, key.Help{Key: ":schema PATH", Desc: "load"})
	case m.view.Refers():
		hints = append(hints, key.Help{Key: "enter", Desc: "follow"})
	}
	if m.view.IsReferred() {
		hints = append(hints, key.Help{Key: "*", Desc: "references"})
	}
	if m.view.CanGoBack() {
		hints = append(hints, key.Help{Key: "ctrl+o", Desc: "back"})
	}
	return hints
}

// shortHelp lists the keys that fit into width columns, help and quit always.
func (m *Model) shortHelp(width int) []key.Help {
	keys := m.hints()
	for _, b := range m.keys.short(m.focus == onBytes, len(m.doc.Buffers) > 1, m.editKeyName()) {
		keys = append(keys, b.Help())
	}
	return paint.FittingKeys(keys, width)
}

// editKeyName is the key that edits what is selected, "" if none does.
func (m *Model) editKeyName() string {
	if m.doc.CanEdit(m.view.Buffer) != nil || m.view.Buffer.CannotEditValues() != nil {
		return ""
	}
	n := m.value()
	switch {
	case m.focus == onBytes:
		return "e"
	case n == nil:
		return ""
	case model.CanOpen(n), m.view.Refers():
		return "e"
	}
	return "enter"
}
