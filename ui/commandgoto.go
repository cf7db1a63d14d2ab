package ui

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
)

// goTo goes to an offset, decimal or 0x hexadecimal, or to a path.
func (m *Model) goTo(where string) tea.Cmd {
	if where == "" {
		m.report(errors.New(":goto needs an offset or a path, as in :goto 0x1f4 or :goto $.player"))
		return nil
	}
	if where[0] < '0' || where[0] > '9' {
		if m.view.Buffer.IsWrapper() {
			m.report(errors.New("a wrapper has no paths: > goes to its content, :goto 0x10 to a byte of it"))
			return nil
		}
		return m.goToPath(where)
	}
	off, err := strconv.ParseInt(where, 0, 64)
	switch {
	case err != nil:
		m.report(fmt.Errorf("%q is not an offset: a number like 500 or 0x1f4", where))
	case off >= m.view.Buffer.Size():
		m.report(fmt.Errorf("offset %#x is after the last byte, %#x", off, max(0, m.view.Buffer.Size()-1)))
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
			err = errors.New(":theme needs dark, light or a file")
		}
		m.report(err)
	}
	return nil
}

// readAs reads the same bytes in another dialect, and framing if one is given.
func (m *Model) readAs(arg string) tea.Cmd {
	words := strings.Fields(arg)
	if m.doc.Missing != nil {
		m.report(fmt.Errorf("there are no values to read yet: %s", m.doc.WhyMissing().Message))
		return nil
	}
	switch len(words) {
	case 0:
		text := fmt.Sprintf("read as %s, %s", m.doc.Dialect, m.doc.Framing)
		if len(m.doc.Also) > 0 {
			text += "; equally well: " + strings.Join(m.doc.Also, ", ")
		}
		if m.doc.Alternative != nil {
			or := m.doc.Alternative.Format.Info()
			text += fmt.Sprintf("; perhaps a damaged %s, %s", or.Dialect.Name, or.Framing)
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
		m.report(errors.New(":buffer needs a number, as in :buffer 0"))
	case n > last && last == 0:
		m.report(errors.New("there is only buffer 0, the file itself"))
	case n > last:
		m.report(fmt.Errorf("there are buffers 0 to %d", last))
	default:
		m.showBuffer(m.doc.Buffers[n])
	}
	return nil
}
