package ui

import (
	"encoding/hex"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/wrap"
	"varview/model"
)

// secretPrompt returns a prompt that shows nothing of the typed text, not even its
// length.
func secretPrompt(label string, enter func(*Model, string) tea.Cmd) *prompt {
	p := newPrompt(label, enter)
	p.secret = true
	p.leave = "encrypted: :password asks again, :key takes hex digits"
	return p
}

// passwordPrompt asks for the password. An empty one is a password too.
func (m *Model) passwordPrompt() *prompt {
	label := "password: "
	if m.doc.Missing != nil && m.doc.WhyMissing().Code == wrap.WrongKey {
		label = "wrong, try again; password: "
	}
	return secretPrompt(label, func(m *Model, typed string) tea.Cmd {
		return m.reopen("opening", "", model.WithPassword(typed))
	})
}

// keyPrompt asks for the key, until it has the right length.
func keyPrompt() *prompt {
	return secretPrompt("key, 64 hex digits: ", enterKey)
}

func enterKey(m *Model, typed string) tea.Cmd {
	key, err := hex.DecodeString(strings.TrimSpace(typed))
	if err != nil || len(key) != 32 {
		return m.ask(secretPrompt("not 64 hex digits; key: ", enterKey))
	}
	return m.reopen("opening", "", model.WithKey(key))
}

// askSecret opens a prompt for a secret. A secret typed after the command is
// refused, because it shows on the screen.
func (m *Model) askSecret(arg string, prompt func() *prompt) tea.Cmd {
	switch {
	case !m.doc.IsEncrypted():
		m.report(errors.New("nothing here is encrypted"))
		return nil
	case arg != "":
		m.report(errors.New("do not type it here: you are asked for it, and it is not shown"))
		return nil
	}
	return m.ask(prompt())
}
