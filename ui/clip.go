package ui

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model"
	"varview/ui/terminal"
)

// A clip is the value that was last copied, and its document.
type clip struct {
	model.Clip
	doc *model.Document // nil if nothing was copied
}

// copyValue copies the selected value, puts its literal on the terminal's
// clipboard, and returns the value.
func (m *Model) copyValue() (n *tree.Node, cmd tea.Cmd) {
	if n = m.value(); n == nil {
		m.report(errors.New("there is no value here to copy"))
		return nil, nil
	}
	n, err := m.entryOf(n)
	if err != nil {
		m.report(err)
		return nil, nil
	}
	ctx, stop := context.WithTimeout(m.ctx, soon)
	defer stop()
	c, err := m.view.Copy(ctx, n)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		m.report(err)
		return nil, nil
	}
	m.clip = clip{c, m.doc}
	what := "copied " + m.view.Path(n)
	if err != nil || c.Literal == "" || len(c.Literal) > terminal.MaxClipboard {
		m.say(what + "; as text it is too long for the clipboard of the terminal")
		return n, nil
	}
	m.say(what)
	if m.toClipboard != nil {
		cmd = m.toClipboard(c.Literal)
	}
	return n, cmd
}

// cutValue copies the selected value and deletes it.
func (m *Model) cutValue() tea.Cmd {
	if _, err := m.subject(); err != nil && !errors.Is(err, errOnlyBytes) {
		m.report(err)
		return nil
	}
	n, cmd := m.copyValue()
	if n == nil {
		return nil
	}
	return tea.Batch(cmd, m.remove())
}

// paste puts the copied value into a gap. It asks for a key where the value has
// none, or where its key exists already.
func (m *Model) paste(g gap, err error) tea.Cmd {
	switch {
	case m.clip.doc == nil:
		err = errors.New("nothing was copied yet: y copies the selected value, x cuts it out")
	case err == nil && m.clip.doc != m.doc && m.clip.Literal == "":
		err = errors.New("the copy is from a file that is closed, and was too long to keep as text")
	}
	if err != nil {
		m.report(err)
		return nil
	}
	c := m.clip
	pasting := func(key string) request {
		return request{intend: func(o edit.Options) model.Intention {
			if c.doc != m.doc {
				return m.view.Insert(g.parent, g.index, key, c.Literal, o)
			}
			return m.view.Paste(c.Clip, g.parent, g.index, key, o)
		}}
	}
	if g.parent.Layout != tree.Pairs {
		return m.run(pasting(""))
	}
	ask := func(m *Model) *editor {
		m.askKey(g, c.Key, func(m *Model, e *editor, key string) tea.Cmd {
			return m.runTyped(e, pasting(key))
		})
		m.editor.fill(c.Key)
		return m.editor
	}
	if c.Key == "" {
		c.Key = m.keyLike(g)
		ask(m).fill("")
		return nil
	}
	r := pasting(c.Key)
	r.refused = func(m *Model, err error) bool {
		ask(m).setError(fmt.Errorf("%w; another key?", err))
		return true
	}
	return m.run(r)
}
