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
	"varview/ui/text"
)

// A prompt is the line at the bottom in which something is typed.
type prompt struct {
	input  textinput.Model
	secret bool                                 // what is typed is not shown, and no blanks are cut off
	enter  func(m *Model, typed string) tea.Cmd // takes what was typed
	leave  string                               // what is said when nothing was
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
	switch {
	case m.doc.IsLocked():
		p.input.Placeholder = "password   key   goto 0x1f4   quit"
	case m.doc.IsDeferred():
		p.input.Placeholder = "unpack   goto 0x1f4   quit"
	case m.doc.IsCut():
		p.input.Placeholder = "unpack 2G   goto 0x1f4 or $.path   quit"
	case m.doc.Format == "elephant":
		p.input.Placeholder = "goto $.path   schema scripts/   theme light   quit"
	default:
		p.input.Placeholder = "goto 0x1f4 or $.path   as godot3   theme light   quit"
	}
	return p
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

// secretView has the cursor always in the same place.
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
		{[]string{"as"}, "DIALECT [FRAMING]", "read as another dialect", (*Model).readAs},
		{[]string{"buffer", "b"}, "NUMBER", "show a buffer; the file is 0", (*Model).goToBuffer},
		{[]string{"schema"}, "PATH", "lay structs out by GML", (*Model).addSchemas},
		{[]string{"password"}, "", "ask for the password", func(m *Model, arg string) tea.Cmd { return m.askSecret(arg, m.passwordPrompt) }},
		{[]string{"key"}, "", "ask for the key, in hex", func(m *Model, arg string) tea.Cmd { return m.askSecret(arg, keyPrompt) }},
		{[]string{"unpack"}, "[SIZE]", "unpack what was put off, or more: up to 2G", (*Model).unpack},
		{[]string{"theme"}, "dark, light, FILE", "change the colours", (*Model).changeTheme},
		{[]string{"reload"}, "", "open the file as it is now", func(m *Model, _ string) tea.Cmd { return m.reload() }},
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
		if m.view.Buffer.IsWrapper() {
			m.report(errors.New("a wrapper has no paths: > goes to what is in it, :goto 0x10 to a byte of it"))
			return nil
		}
		return m.goToPath(where)
	}
	off, err := strconv.ParseInt(where, 0, 64)
	switch {
	case err != nil:
		m.report(fmt.Errorf("%q is no offset: it is a number, as 500 or 0x1f4", where))
	case off >= m.view.Buffer.Size():
		m.report(fmt.Errorf("offset %#x is behind the last byte, %#x", off, max(0, m.view.Buffer.Size()-1)))
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
	if m.doc.Missing != nil {
		m.report(fmt.Errorf("there are no values to read yet: %s", m.doc.Missing.Message))
		return nil
	}
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
	return m.reopen("opening", "read as "+strings.TrimSpace(strings.Join(words, " ")), model.As(words[0], words[1]))
}

// goToBuffer shows a buffer by its number.
func (m *Model) goToBuffer(number string) tea.Cmd {
	n, err := strconv.Atoi(number)
	last := len(m.doc.Buffers) - 1
	switch {
	case err != nil || n < 0:
		m.report(errors.New(":buffer wants a number, as in :buffer 0"))
	case n > last && last == 0:
		m.report(errors.New("there is only buffer 0, the file itself"))
	case n > last:
		m.report(fmt.Errorf("there are buffers 0 to %d", last))
	default:
		m.showBuffer(m.doc.Buffers[n])
	}
	return nil
}
