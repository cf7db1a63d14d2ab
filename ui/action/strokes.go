package action

import tea "github.com/charmbracelet/bubbletea"

// NameOf returns the name of a key as in bindings; "" for text. Bubble Tea reports characters that arrive
// together as one key named after them: the word "home" would be that key.
func NameOf(msg tea.KeyMsg) string {
	if isText(msg) {
		return ""
	}
	return msg.String()
}

// isText reports whether several characters arrived together or were pasted.
func isText(msg tea.KeyMsg) bool {
	return msg.Type == tea.KeyRunes && (msg.Paste || len(msg.Runes) != 1)
}

// Strokes returns one key for each of the characters that arrived together; none if they were pasted.
func Strokes(msg tea.KeyMsg) (each []tea.KeyMsg) {
	switch {
	case !isText(msg):
		return []tea.KeyMsg{msg}
	case msg.Paste:
		return nil
	}
	for _, r := range msg.Runes {
		each = append(each, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt})
	}
	return each
}

// Pasted marks characters that arrived together as pasted, for components that compare names.
func Pasted(msg tea.KeyMsg) tea.KeyMsg {
	msg.Paste = isText(msg)
	return msg
}
