package dialog

import (
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/jobs"
)

// A Prompt is the line at the bottom in which something is typed.
type Prompt struct {
	Context
	Input  textinput.Model
	Secret bool                       // the typed text is hidden, and its blanks are kept
	Enter  func(typed string) tea.Cmd // takes what was typed
	Leave  string                     // message if nothing was typed

	Changed func(typed string) tea.Cmd         // follows the typed text; nil for nothing
	Left    func()                             // called after esc; nil for nothing
	Aside   func() (said string, isError bool) // text beside the typed text; nil for nothing
	History []string                           // what was typed before, latest last

	Hints []key.Help // what can be typed, shown above the line while nothing is offered; then nothing is offered before tab is pressed

	// Complete offers what could be typed at the cursor; nil for nothing.
	Complete func(typed string) Offer
	// Take takes the chosen candidate instead of the typed text; if nil, the candidate is typed.
	Take func(Candidate) tea.Cmd

	completing jobs.Job
	offered    Completion
	chosen     int // index of the chosen candidate; -1 for none

	recalled int    // how far back in the history
	draft    string // what was typed before recalling
}

// NewPrompt returns an empty prompt after a label.
func NewPrompt(c Context, label string, enter func(string) tea.Cmd) *Prompt {
	p := &Prompt{Context: c, Input: textinput.New(), Enter: enter}
	p.Input.Prompt = label
	p.Input.CharLimit = 4096
	p.Input.Cursor.SetMode(cursor.CursorStatic)
	p.Input.Focus()
	return p
}

// Place implements Dialog.
func (p *Prompt) Place() Place { return AtBottom }

// Init implements Beginning: if a candidate has to be chosen, all are shown.
func (p *Prompt) Init() tea.Cmd {
	if p.Take == nil {
		return nil
	}
	return p.changed()
}

// TakesText implements Typed.
func (p *Prompt) TakesText() {}

// Update implements Dialog.
func (p *Prompt) Update(msg tea.KeyMsg) tea.Cmd {
	if p.Take != nil {
		if cmd, done := p.pick(msg); done {
			return cmd
		}
	}
	switch msg.Type {
	case tea.KeyEsc:
		p.leave()
		return p.Say(p.Leave)
	case tea.KeyTab:
		return p.choose(1)
	case tea.KeyShiftTab:
		return p.choose(-1)
	case tea.KeyUp:
		return p.recall(1)
	case tea.KeyDown:
		return p.recall(-1)
	case tea.KeyEnter:
		typed := p.Input.Value()
		if !p.Secret {
			typed = strings.TrimSpace(typed)
		}
		p.Close(p)
		return p.Enter(typed)
	case tea.KeyBackspace:
		if p.Input.Value() == "" && !p.Secret {
			p.leave()
			return nil
		}
	}
	was := p.Input.Value()
	if p.Input, _ = p.Input.Update(msg); p.Input.Value() == was {
		return nil
	}
	p.recalled = 0
	return p.changed()
}

// leave closes the prompt without taking the typed text.
func (p *Prompt) leave() {
	p.Close(p)
	if p.Left != nil {
		p.Left()
	}
}

// changed reacts to a change of the typed text.
func (p *Prompt) changed() tea.Cmd {
	var cmds []tea.Cmd
	if p.offered, p.chosen = (Completion{}), -1; p.Hints == nil && (p.Input.Value() != "" || p.Take != nil) {
		cmds = append(cmds, p.complete(func() {}))
	}
	if p.Changed != nil {
		cmds = append(cmds, p.Changed(strings.TrimSpace(p.Input.Value())))
	}
	return tea.Batch(cmds...)
}

// recall puts an earlier text into the prompt, by steps farther back.
func (p *Prompt) recall(by int) tea.Cmd {
	to := p.recalled + by
	if to < 0 || to > len(p.History) {
		return nil
	}
	if p.recalled == 0 {
		p.draft = p.Input.Value()
	}
	p.recalled = to
	typed := p.draft
	if to > 0 {
		typed = p.History[len(p.History)-to]
	}
	p.Input.SetValue(typed)
	p.Input.CursorEnd()
	return p.changed()
}

// View implements Dialog.
func (p *Prompt) View() []string {
	width, _ := p.Window()
	inner := width - 4
	said, room := p.aside(inner)
	inner -= room
	p.Input.Width = max(1, inner-1-text.Width(p.Input.Prompt))
	p.Input.SetCursor(p.Input.Position()) // what is in view follows the width
	shown := p.Input.View
	if p.Secret {
		shown = p.secretView
	}
	border := p.Paints().Role(themes.Border)
	line := lipgloss.NewStyle().Inline(true).Width(inner).MaxWidth(inner).Render(shown())
	return []string{border.On("╰ ") + line + said + border.On(" ╯")}
}

// aside draws the text beside the typed text, in the remaining width, or in a third of the width.
func (p *Prompt) aside(width int) (drawn string, columns int) {
	if p.Aside == nil {
		return "", 0
	}
	said, isError := p.Aside()
	role := themes.Dim
	if isError {
		role = themes.Error
	}
	left := width - text.Width(p.Input.Prompt) - text.Width(p.Input.Value()) - 3
	said = strings.TrimRight(text.Cut(text.Clean(said), max(left, width/3)), " ")
	if said == "" {
		return "", 0
	}
	return p.Paints().In(role, " "+said), text.Width(said) + 1
}

// secretView draws the cursor always in the same place, so that it does not reveal the length.
func (p *Prompt) secretView() string {
	p.Input.Cursor.SetChar(" ")
	return p.Input.Prompt + p.Input.Cursor.View()
}
