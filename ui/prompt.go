package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"varview/model/search"
	"varview/ui/text"
)

// A prompt is the line at the bottom in which something is typed.
type prompt struct {
	input  textinput.Model
	secret bool                                 // the typed text is not shown, and its blanks are kept
	enter  func(m *Model, typed string) tea.Cmd // takes what was typed
	leave  string                               // message where nothing was typed
}

func newPrompt(label string, enter func(*Model, string) tea.Cmd) *prompt {
	p := &prompt{input: textinput.New(), enter: enter}
	p.input.Prompt = label
	p.input.CharLimit = 4096
	p.input.Focus()
	return p
}

func searchPrompt() *prompt { return newPrompt("/", (*Model).startSearch) }

func (m *Model) commandPrompt() *prompt {
	p := newPrompt(":", (*Model).command)
	if n := m.view.Subject(); n != nil && n.Depth > 0 {
		p.input.ShowSuggestions = true // tab completes them
		p.input.SetSuggestions(prefixed("type ", m.view.Types(n)))
	}
	switch {
	case m.doc.IsLocked():
		p.input.Placeholder = "password   key   goto 0x1f4   quit"
	case m.doc.IsDeferred():
		p.input.Placeholder = "unpack   goto 0x1f4   quit"
	case m.doc.IsCut():
		p.input.Placeholder = "unpack 2G   goto 0x1f4 or $.path   quit"
	case m.doc.Missing != nil:
		p.input.Placeholder = "goto 0x1f4   quit"
	default:
		p.input.Placeholder = m.doc.Hints().Commands
	}
	return p
}

// prefixed returns the words with a prefix.
func prefixed(before string, words []string) []string {
	var all []string
	for _, w := range words {
		all = append(all, before+w)
	}
	return all
}

// ask opens a prompt.
func (m *Model) ask(p *prompt) tea.Cmd {
	m.prompt = p
	return textinput.Blink
}

// view draws the prompt in exactly width columns.
func (p *prompt) view(width int) string {
	p.input.Width = max(1, width-1-text.Width(p.input.Prompt))
	shown := p.input.View
	if p.secret {
		shown = p.secretView
	}
	return lipgloss.NewStyle().Inline(true).Width(width).MaxWidth(width).Render(shown())
}

// secretView draws the cursor always in the same place, so that it does not show
// the length.
func (p *prompt) secretView() string {
	p.input.Cursor.SetChar(" ")
	return p.input.Prompt + p.input.Cursor.View()
}

func (p *prompt) update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(msg)
	return cmd
}

// pressPrompt handles a key while something is typed.
func (m *Model) pressPrompt(msg tea.KeyMsg) tea.Cmd {
	p := m.prompt
	switch msg.Type {
	case tea.KeyEsc:
		m.prompt = nil
		m.say(p.leave)
		return nil
	case tea.KeyEnter:
		typed := p.input.Value()
		if !p.secret {
			typed = strings.TrimSpace(typed)
		}
		m.prompt = nil
		return p.enter(m, typed)
	case tea.KeyBackspace:
		if p.input.Value() == "" && !p.secret {
			m.prompt = nil
			return nil
		}
	}
	return p.update(msg)
}

func (m *Model) startSearch(typed string) tea.Cmd {
	if typed != "" {
		q, err := search.ParseQuery(typed)
		if err != nil {
			m.report(err)
			return nil
		}
		m.query = q
	}
	return m.search(false)
}
