package hex

import (
	"context"
	"errors"
	"fmt"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/inspect"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
)

// copy asks in which form the chosen bytes are copied.
func (p *Pane) copy() tea.Cmd {
	s := p.Chosen()
	if s.Length == 0 {
		return p.Say("there are no bytes here to copy")
	}
	var answers []dialog.Answer
	for _, f := range inspect.Forms {
		answers = append(answers, dialog.Answer{Key: f.Key, Does: f.Name, Run: func() tea.Cmd { return p.copyAs(s, f) }})
	}
	answers = append(answers, dialog.Answer{Key: "w", Does: "to a file", Run: p.askFile})
	p.Ask("copy "+span.Bytes(s.Length)+" as", "nothing was copied", answers...)
	return nil
}

// copyAs puts bytes on the clipboard in a form, and keeps them for pasting.
func (p *Pane) copyAs(s span.Span, f inspect.Form) tea.Cmd {
	r := p.Explorer.Buffer.Range(s)
	return p.Start(&p.Task, "copying", func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		b, err := r.Bytes(ctx, progress)
		text := ""
		if err == nil {
			text = f.Write(b)
		}
		return func() tea.Cmd {
			if err != nil {
				p.failed(err)
				return nil
			}
			p.clip = b
			return p.values.CopyText(fmt.Sprintf("%s as %s", span.Bytes(s.Length), f.Name), text)
		}
	})
}

// failed reports why something was not done; being stopped is not an error.
func (p *Pane) failed(err error) {
	if errors.Is(err, context.Canceled) {
		p.Say("stopped")
		return
	}
	p.Report(err)
}

// askFile asks to which file the chosen bytes are written.
func (p *Pane) askFile() tea.Cmd {
	return p.Open(dialog.NewPrompt(p, "write to file: ", func(path string) tea.Cmd { return p.Export(path, false) }))
}

// Export is :export-bytes FILE: it writes the chosen bytes to a file.
func (p *Pane) Export(path string, force bool) tea.Cmd {
	s, err := p.Chosen(), p.Busy()
	switch {
	case err != nil:
	case path == "":
		err = errors.New(":export-bytes needs the name of a file")
	case s.Length == 0:
		err = errors.New("there are no bytes here to write")
	}
	if err != nil {
		return p.Report(err)
	}
	r := p.Explorer.Buffer.Range(s)
	return p.Start(&p.Task, "writing", func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		err := r.Save(ctx, path, force, progress)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%s exists already; :export-bytes! %s replaces it", path, path)
		}
		return func() tea.Cmd {
			if err != nil {
				p.failed(err)
				return nil
			}
			return p.Say("wrote " + span.Bytes(s.Length) + " to " + path)
		}
	})
}

// askFill asks with which bytes the chosen ones are filled.
func (p *Pane) askFill() tea.Cmd {
	if err := p.CanEdit(); err != nil {
		return p.Report(err)
	}
	prompt := dialog.NewPrompt(p, "fill with: ", p.Fill)
	prompt.Input.Placeholder = "hex digits: 00"
	return p.Open(prompt)
}

// Fill is :fill HEX: it fills the chosen bytes with a pattern.
func (p *Pane) Fill(digits string) tea.Cmd {
	pattern, err := inspect.ParseHex(digits)
	s := p.Chosen()
	if err == nil && s.Length == 0 {
		err = errors.New("there are no bytes here to fill")
	}
	if err != nil {
		return p.Report(err)
	}
	return p.edits.Make(edits.Request{Intend: func(edit.Options) model.Intention { return p.Explorer.Fill(s, pattern) }})
}

// paste replaces bytes from the cursor or the selection on by the copied ones, or inserts them there.
func (p *Pane) paste(insert bool) tea.Cmd {
	if len(p.clip) == 0 {
		return p.Say("no bytes were copied yet: y copies")
	}
	at := p.Explorer.Offset()
	if p.Selection.Active {
		at = p.Chosen().Offset
	}
	over := min(int64(len(p.clip)), p.Explorer.Buffer.Size()-at)
	if insert {
		over = 0
	}
	return p.putBytes(at, over, p.clip, at)
}

// delete deletes the selection, or the byte under the cursor.
func (p *Pane) delete() tea.Cmd {
	if !p.Selection.Active {
		return p.deleteByte()
	}
	s := p.Chosen()
	return p.putBytes(s.Offset, s.Length, nil, s.Offset)
}

// toggleSelection begins a selection at the cursor, or ends it.
func (p *Pane) toggleSelection() tea.Cmd {
	p.Selection = desk.Selection{Active: !p.Selection.Active && p.Explorer.Buffer.Size() > 0, Anchor: p.Explorer.Offset()}
	return nil
}

// selectAround selects the field under the cursor, then its value, and then the values around that.
func (p *Pane) selectAround() tea.Cmd {
	s := span.Span{Offset: p.Explorer.Offset()}
	if p.Selection.Active {
		s = p.Chosen()
	}
	if s = p.Explorer.Wider(s); s.Length > 0 {
		p.Selection = desk.Selection{Active: true, Anchor: s.Offset}
		p.GoToByte(s.End() - 1)
	}
	return nil
}

// cancel ends the selection, or else stops work in progress.
func (p *Pane) cancel() tea.Cmd {
	if p.Selection.Active {
		p.Selection = desk.Selection{}
		return nil
	}
	return p.Program.Do(action.Cancel)
}

// Drag selects the bytes from where the mouse button was pressed to a place in the pane.
func (p *Pane) Drag(row, column int) {
	off, ok := p.byteAt(row, column)
	if !ok || p.typing != nil || p.Focus != desk.OnBytes {
		return
	}
	if !p.Selection.Active && off != p.Explorer.Offset() {
		p.Selection = desk.Selection{Active: true, Anchor: p.Explorer.Offset()}
	}
	p.GoToByte(off)
}
