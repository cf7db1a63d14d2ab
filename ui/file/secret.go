package file

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/wrap"
	"varview/model"
	"varview/ui/dialog"
)

// secretPrompt returns a prompt that shows a dot for each character that is typed.
func (f *File) secretPrompt(label string, enter func(string) tea.Cmd) *dialog.Prompt {
	p := dialog.NewPrompt(f, label, enter)
	p.Secret, p.Input.EchoMode, p.Input.EchoCharacter = true, textinput.EchoPassword, '•'
	p.Leave = "encrypted: :password asks again, :key takes hex digits"
	return p
}

// passwordPrompt asks for the password, which may be empty.
func (f *File) passwordPrompt() *dialog.Prompt {
	label := "password: "
	if f.Doc.Missing != nil && f.Doc.WhyMissing().Code == wrap.WrongKey {
		label = "wrong, try again; password: "
	}
	return f.secretPrompt(label, func(typed string) tea.Cmd {
		return f.reopen("opening", "", model.WithPassword(typed))
	})
}

// keyPrompt asks for the key until it has the right length.
func (f *File) keyPrompt(label string) *dialog.Prompt {
	p := f.secretPrompt(label, func(typed string) tea.Cmd {
		key, err := hex.DecodeString(strings.TrimSpace(typed))
		if err != nil || len(key) != 32 {
			return f.Open(f.keyPrompt("not 64 hex digits; key: "))
		}
		return f.reopen("opening", "", model.WithKey(key))
	})
	p.Aside = func() (string, bool) { return fmt.Sprintf("%d of 64", len(strings.TrimSpace(p.Input.Value()))), false }
	return p
}

// AskPassword is :password.
func (f *File) AskPassword(arg string) tea.Cmd { return f.askSecret(arg, f.passwordPrompt()) }

// AskKey is :key.
func (f *File) AskKey(arg string) tea.Cmd {
	return f.askSecret(arg, f.keyPrompt("key, 64 hex digits: "))
}

// askSecret opens a prompt for a secret. It refuses a secret typed after the command, which would show on
// the screen.
func (f *File) askSecret(arg string, prompt *dialog.Prompt) tea.Cmd {
	switch {
	case !f.Doc.IsEncrypted():
		return f.Report(errors.New("nothing here is encrypted"))
	case arg != "":
		return f.Report(errors.New("do not type it here: you are asked for it, and it is not shown"))
	}
	return f.Open(prompt)
}
