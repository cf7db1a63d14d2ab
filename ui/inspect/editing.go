package inspect

import (
	"context"
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/explore"
	"varview/model/inspect"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
)

// editReading opens an editor on one way to read the bytes. It edits the value where that
// is read in this way, and else the bytes.
func (p *Pane) editReading(i *explore.Inspection, k *inspect.Interpretation, big bool) tea.Cmd {
	if err := p.CanEdit(); err != nil {
		return p.Report(err)
	}
	p.SetFocus(desk.OnInspector)
	x, was := p.Explorer, k.Text(i.Bytes, big)
	e := dialog.NewEditor(p, p.Actions.KeyMap(action.Editor), k.Name, was)
	e.SelectAll()
	e.Inspected, e.Describe, e.Hint = true, x.Describe, fmt.Sprintf("%s at %#x", k.Name, i.At)
	size := int64(k.Taken(i.Bytes, big))
	intend := func(typed string) (model.Intention, error) {
		b, err := k.Parse(typed, big)
		if err != nil {
			return model.Intention{}, err
		}
		if i.Owns(k, big) && x.Buffer.HasValues() {
			return x.Set(i.Value, typed, edit.Options{}), nil
		}
		return x.PutRead(k, i.At, size, b)
	}
	e.Check = func(_ context.Context, typed string) error {
		_, err := intend(typed)
		return err
	}
	e.Enter = func(typed string, _ bool) tea.Cmd {
		intention, err := intend(typed)
		if err != nil {
			e.Refuse(err)
			return nil
		}
		return p.values.MakeTyped(e, edits.Request{Intend: func(edit.Options) model.Intention { return intention }})
	}
	return p.Open(e)
}

// copying is shown while a letter is awaited.
const copying = "copy: the letter of it"

// askLetter asks for the letter of what is copied. The rows show the letters.
func (p *Pane) askLetter() tea.Cmd {
	keys := []key.Help{{Key: "enter", Desc: "the selected one"}, {Key: "esc", Desc: "nothing"}}
	return p.Await(copying, "", keys, func(msg tea.KeyMsg) tea.Cmd {
		if msg.Type == tea.KeyEnter {
			return p.copyCell(p.cell())
		}
		for _, r := range p.rows() {
			for i := range r.cells {
				if string(r.cells[i].letter) == action.NameOf(msg) {
					return p.copyCell(r.label, &r.cells[i])
				}
			}
		}
		return p.Say("no row has the letter " + action.Named(action.NameOf(msg)))
	})
}

// copyCell copies the content of a cell.
func (p *Pane) copyCell(label string, c *cell) tea.Cmd {
	switch {
	case c == nil:
		return nil
	case c.copy != nil:
		return c.copy()
	}
	return p.values.CopyText(label, c.text)
}
