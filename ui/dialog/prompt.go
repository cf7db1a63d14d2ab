package dialog

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"varview/themes"
	"varview/ui/text"
)

// A Prompt is the line at the bottom in which something is typed.
type Prompt struct {
	Context
	Input  textinput.Model
	Secret bool                       // the typed text is not shown, and its blanks are kept
	Enter  func(typed string) tea.Cmd // takes what was typed
	Leave  string                     // message where nothing was typed
}

// NewPrompt returns an empty prompt after a label.
func NewPrompt(c Context, label string, enter func(string) tea.Cmd) *Prompt {
	p := &Prompt{Context: c, Input: textinput.New(), Enter: enter}
	p.Input.Prompt = label
	p.Input.CharLimit = 4096
	p.Input.Focus()
	return p
}

// Place implements Dialog.
func (p *Prompt) Place() Place { return AtBottom }

// Init implements Moving: the cursor blinks.
func (p *Prompt) Init() tea.Cmd { return textinput.Blink }

// Tick implements Moving.
func (p *Prompt) Tick(msg tea.Msg) (cmd tea.Cmd) {
	p.Input, cmd = p.Input.Update(msg)
	return cmd
}

// TakesText implements Typed.
func (p *Prompt) TakesText() {}

// Update implements Dialog.
func (p *Prompt) Update(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		p.Close(p)
		p.Say(p.Leave)
		return nil
	case tea.KeyEnter:
		typed := p.Input.Value()
		if !p.Secret {
			typed = strings.TrimSpace(typed)
		}
		p.Close(p)
		return p.Enter(typed)
	case tea.KeyBackspace:
		if p.Input.Value() == "" && !p.Secret {
			p.Close(p)
			return nil
		}
	}
	return p.Tick(msg)
}

// View implements Dialog.
func (p *Prompt) View() []string {
	width, _ := p.Window()
	inner := width - 4
	p.Input.Width = max(1, inner-1-text.Width(p.Input.Prompt))
	shown := p.Input.View
	if p.Secret {
		shown = p.secretView
	}
	border := p.Paints().Role(themes.Border)
	line := lipgloss.NewStyle().Inline(true).Width(inner).MaxWidth(inner).Render(shown())
	return []string{border.On("╰ ") + line + border.On(" ╯")}
}

// secretView draws the cursor always in the same place, so that it does not show
// the length.
func (p *Prompt) secretView() string {
	p.Input.Cursor.SetChar(" ")
	return p.Input.Prompt + p.Input.Cursor.View()
}
