package ui

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"varview/model"
)

// A prompt is the line at the bottom in which a search or command is typed.
type prompt struct {
	sign  rune // '/' or ':'
	input textinput.Model
}

func newPrompt(sign rune) *prompt {
	p := &prompt{sign: sign, input: textinput.New()}
	p.input.Prompt = string(sign)
	p.input.CharLimit = 4096
	if sign == ':' {
		p.input.Placeholder = "goto 0x1f4 or $.path   as godot3   theme light   quit"
	}
	p.input.Focus()
	return p
}

// view draws the prompt in exactly width columns.
func (p *prompt) view(width int) string {
	p.input.Width = width - 2
	return lipgloss.NewStyle().Inline(true).Width(width).MaxWidth(width).Render(p.input.View())
}

func (p *prompt) update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	p.input, cmd = p.input.Update(msg)
	return cmd
}

// pressPrompt handles a key while something is typed.
func (m *Model) pressPrompt(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		m.prompt = nil
		return nil
	case tea.KeyEnter:
		sign, typed := m.prompt.sign, strings.TrimSpace(m.prompt.input.Value())
		m.prompt = nil
		if sign == '/' {
			return m.startSearch(typed)
		}
		return m.command(typed)
	case tea.KeyBackspace:
		if m.prompt.input.Value() == "" {
			m.prompt = nil
			return nil
		}
	}
	return m.prompt.update(msg)
}

func (m *Model) startSearch(typed string) tea.Cmd {
	if typed != "" {
		q, err := model.ParseQuery(typed)
		if err != nil {
			m.report(err)
			return nil
		}
		m.query = q
	}
	return m.search(false)
}

// A command is what can be typed behind ":".
type command struct {
	names []string
	args  string // shown in the help
	does  string
	run   func(m *Model, arg string) tea.Cmd
}

// commands lists them in the order of the help.
func commands() []command {
	return []command{
		{[]string{"goto", "g"}, "OFFSET or PATH", "go to a byte, or to a value", (*Model).goTo},
		{[]string{"as"}, "DIALECT [FRAMING]", "read the bytes as another dialect", (*Model).readAs},
		{[]string{"theme"}, "dark, light or FILE", "change the colours", (*Model).changeTheme},
		{[]string{"reload"}, "", "open the file again as it is now", func(m *Model, _ string) tea.Cmd { return m.reload() }},
		{[]string{"help", "h"}, "", "show this help", func(m *Model, _ string) tea.Cmd { m.help = newHelp(m.keys, &m.styles); return nil }},
		{[]string{"quit", "q"}, "", "leave", func(*Model, string) tea.Cmd { return tea.Quit }},
	}
}

// command runs what was typed behind ":". An offset or a path alone is gone to.
func (m *Model) command(typed string) tea.Cmd {
	if typed == "" {
		return nil
	}
	name, arg, _ := strings.Cut(typed, " ")
	for _, c := range commands() {
		for _, n := range c.names {
			if n == name {
				return c.run(m, strings.TrimSpace(arg))
			}
		}
	}
	if strings.ContainsRune("$.[0123456789", rune(typed[0])) {
		return m.goTo(typed)
	}
	m.message = message{fmt.Sprintf("no command :%s; :help lists them", name), true}
	return nil
}

// goTo goes to an offset, decimal or 0x hexadecimal, or to a path.
func (m *Model) goTo(where string) tea.Cmd {
	if where == "" {
		m.report(errors.New(":goto wants an offset or a path, as in :goto 0x1f4 or :goto $.player"))
		return nil
	}
	if where[0] < '0' || where[0] > '9' {
		return m.goToPath(where)
	}
	off, err := strconv.ParseInt(where, 0, 64)
	switch {
	case err != nil:
		m.report(fmt.Errorf("%q is no offset: it is a number, as 500 or 0x1f4", where))
	case off >= m.doc.Size():
		m.report(fmt.Errorf("offset %#x is behind the last byte, %#x", off, max(0, m.doc.Size()-1)))
	default:
		m.focus = onBytes
		m.goToByte(off)
	}
	return nil
}

func (m *Model) changeTheme(name string) tea.Cmd {
	was := m.theme
	m.theme = name
	if err := m.setTheme(true); err != nil || name == "" {
		m.theme = was
		if name == "" {
			err = errors.New(":theme wants dark, light or a file")
		}
		m.report(err)
	}
	return nil
}

// readAs reads the same bytes in another dialect, and framing if one is given.
func (m *Model) readAs(arg string) tea.Cmd {
	words := strings.Fields(arg)
	switch len(words) {
	case 0:
		text := fmt.Sprintf("read as %s, %s", m.doc.Dialect, m.doc.Framing)
		if len(m.doc.Also) > 0 {
			text += "; as cleanly: " + strings.Join(m.doc.Also, ", ")
		}
		m.say(text)
		return nil
	case 1:
		words = append(words, "")
	}
	if slices.Contains([]string{"raw", "stream"}, words[0]) { // a framing alone
		words[0], words[1] = m.doc.Dialect, words[0]
	}
	ctx, doc := m.ctx, m.doc
	return func() tea.Msg {
		d, err := doc.As(ctx, words[0], words[1])
		return reopenedMsg{d, err, "read as " + strings.TrimSpace(strings.Join(words, " "))}
	}
}
