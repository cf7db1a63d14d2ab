package hex

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// typing is the typing of bytes in the hex pane, which becomes one step of the history.
type typing struct {
	insert bool   // bytes are inserted, not overwritten
	chars  bool   // characters are typed, not digits
	at     int64  // offset of the next byte; up to the size of the buffer
	half   string // the first digit of a byte; "" if none was typed
	since  int    // number of steps before the typing
	count  int    // number of bytes typed
}

// Typing reports whether bytes are being typed.
func (p *Pane) Typing() bool { return p.typing != nil }

// startTyping starts typing bytes at the cursor, or a number of bytes after it.
func (p *Pane) startTyping(insert bool, after int64) tea.Cmd {
	if err := p.CanEdit(); err != nil {
		return p.Report(err)
	}
	p.Selection = desk.Selection{}
	p.TypesBytes = true
	p.typing = &typing{insert: insert, chars: p.Layout.IsText, at: min(p.Explorer.Offset()+after, p.Explorer.Buffer.Size()), since: p.Doc.Steps()}
	return nil
}

// stopTyping ends the typing and makes it one step.
func (p *Pane) stopTyping() tea.Cmd {
	t := p.typing
	p.typing, p.TypesBytes = nil, false
	label := fmt.Sprintf("type %s", span.Bytes(int64(t.count)))
	if p.Doc.Steps()-t.since < 2 {
		return p.Settle()
	}
	p.Doc.Join(t.since, label)
	p.Say(label + "; u undoes it")
	return p.Settle()
}

// press handles a key while bytes are typed.
func (p *Pane) press(msg tea.KeyMsg) tea.Cmd {
	t := p.typing
	switch {
	case msg.Type == tea.KeyEnter && t.chars && p.Layout.IsText:
		end := p.endOf(t.at)
		line := "\n"
		if strings.HasSuffix(string(p.text().Read(p.rowOf(t.at), end)), "\r\n") {
			line = "\r\n"
		}
		t.count += len(line)
		return p.putBytes(t.at, 0, []byte(line), t.at+int64(len(line)))
	case msg.Type == tea.KeyEsc, msg.Type == tea.KeyEnter:
		return p.stopTyping()
	case p.typeKeys.Of(msg) == action.Save:
		return tea.Batch(p.stopTyping(), p.Program.Do(action.Save))
	case msg.Type == tea.KeyTab, msg.Type == tea.KeyShiftTab:
		t.chars, t.half = !t.chars, ""
	case msg.Type == tea.KeyBackspace:
		return p.backspace()
	case msg.Type == tea.KeyDelete:
		t.half = ""
		return p.putBytes(t.at, 1, nil, t.at)
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		if !msg.Alt {
			return p.typed(string(msg.Runes))
		}
	default:
		start, end := p.rowOf(t.at), p.endOf(t.at)
		if at, ok := map[string]int64{"left": t.at - 1, "right": t.at + 1, "up": p.vertical(t.at, -1), "down": p.vertical(t.at, 1), "home": start, "end": end - 1}[action.NameOf(msg)]; ok {
			t.half = ""
			p.typeAt(at)
		}
	}
	return nil
}

// typeAt moves the typing to a byte, or after the last one.
func (p *Pane) typeAt(at int64) {
	p.typing.at = max(0, min(at, p.Explorer.Buffer.Size()))
	p.GoToByte(p.typing.at)
}

// typed takes characters, or hex digits, two per byte.
func (p *Pane) typed(s string) tea.Cmd {
	t := p.typing
	if t.chars {
		return p.typeBytes([]byte(s))
	}
	digits := t.half
	for _, r := range s {
		switch {
		case r < 0x80 && strings.ContainsRune("0123456789abcdefABCDEF", r):
			digits += string(r)
		case r != ' ' && r != '\n' && r != '\r' && r != '\t':
			return p.Report(fmt.Errorf("%q is not a hex digit; tab changes to text, esc ends the typing", r))
		}
	}
	whole := len(digits) &^ 1
	t.half = digits[whole:]
	b, err := hex.DecodeString(digits[:whole])
	if err != nil || len(b) == 0 {
		return nil
	}
	return p.typeBytes(b)
}

// typeBytes inserts bytes at the cursor, or overwrites those there.
func (p *Pane) typeBytes(b []byte) tea.Cmd {
	t := p.typing
	over := int64(0)
	if !t.insert {
		over = min(int64(len(b)), p.Explorer.Buffer.Size()-t.at)
	}
	t.count += len(b)
	return p.putBytes(t.at, over, b, t.at+int64(len(b)))
}

// backspace undoes what was last typed: half a byte, or a whole one. If nothing was typed, it deletes the
// byte before the cursor, or moves back over it.
func (p *Pane) backspace() tea.Cmd {
	t := p.typing
	switch {
	case t.half != "":
		t.half = ""
	case t.at == 0:
	case t.insert:
		return p.putBytes(t.at-1, 1, nil, t.at-1)
	case p.Doc.Steps() > t.since:
		size := p.Explorer.Buffer.Size()
		return p.edits.UndoThen(func() {
			if t.at = p.Explorer.Offset(); p.Explorer.Buffer.Size() < size {
				t.at = p.Explorer.Buffer.Size() // it was appended after the last byte
			}
			p.Message = desk.Message{}
		})
	default:
		p.typeAt(t.at - 1)
	}
	return nil
}

// putBytes replaces n bytes at off by b, and moves the cursor to the byte at. It reports a problem that
// this has caused.
func (p *Pane) putBytes(off, n int64, b []byte, at int64) tea.Cmd {
	if off+n > p.Explorer.Buffer.Size() {
		return nil
	}
	problems := p.Doc.ProblemCount(span.Warning)
	return p.edits.Make(edits.Request{Intention: p.Explorer.PutBytes(off, n, b, at), Done: func() {
		if p.typing != nil {
			p.typing.half = ""
			p.typing.at = max(0, min(at, p.Explorer.Buffer.Size()))
			p.Message = desk.Message{}
		}
		if p.Doc.ProblemCount(span.Warning) > problems {
			found, ok := p.Explorer.Buffer.WorstIn(p.rowOf(at), p.endOf(at)+1)
			if !ok || found.Severity < span.Warning {
				found, _ = p.Explorer.Buffer.WorstIn(0, p.Explorer.Buffer.Size()+1)
			}
			p.Report(errors.New("a new problem: " + found.Message))
		}
	}})
}

// Mode returns the mode of typing for the bottom line.
func (p *Pane) Mode() []paint.Piece {
	mode := map[bool]string{true: " INSERT", false: " OVERWRITE"}[p.typing.insert]
	column := map[bool]string{true: " text ", false: " hex digits "}[p.typing.chars]
	return []paint.Piece{paint.In(themes.Cursor, mode+column), paint.Plain("  ")}
}

// Hints returns the keys of typing for the bottom line.
func (p *Pane) Hints() []paint.Piece {
	other := map[bool]string{true: "hex", false: "text"}[p.typing.chars]
	return paint.Keys([]key.Help{{Key: "tab", Desc: other}, {Key: "backspace", Desc: "back"}, {Key: "esc", Desc: "end"}})
}

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
	answers = append(answers, dialog.Answer{Key: "w", Does: "to a file", Run: func() tea.Cmd {
		return p.Open(dialog.NewPrompt(p, "write to file: ", func(path string) tea.Cmd { return p.Export(path, false) }))
	}})
	return p.AskWhich("copy "+span.Bytes(s.Length)+" as", "nothing was copied", answers...)
}

// copyAs puts bytes on the clipboard in a form, and keeps them for pasting.
func (p *Pane) copyAs(s span.Span, f inspect.Form) tea.Cmd {
	r := p.Explorer.Buffer.Range(s)
	text := ""
	return p.Start(&p.Task, "copying", jobs.Then(p.edits.Failed, func(ctx context.Context, progress *model.Progress) ([]byte, error) {
		b, err := r.Bytes(ctx, progress)
		if err == nil {
			text = f.Write(b)
		}
		return b, err
	}, func(b []byte) tea.Cmd {
		p.clip = b
		return p.values.CopyText(fmt.Sprintf("%s as %s", span.Bytes(s.Length), f.Name), text)
	}))
}

// Export is :export-bytes FILE: it writes the chosen bytes to a file.
func (p *Pane) Export(path string, force bool) tea.Cmd {
	s := p.Chosen()
	switch {
	case path == "":
		return p.Report(errors.New(":export-bytes needs the name of a file"))
	case s.Length == 0:
		return p.Report(errors.New("there are no bytes here to write"))
	}
	r := p.Explorer.Buffer.Range(s)
	return p.StartAlone(&p.Task, "writing", jobs.Then(p.edits.Failed, func(ctx context.Context, progress *model.Progress) (said string, err error) {
		if err = r.Save(ctx, path, force, progress); errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%s exists already; :export-bytes! %s replaces it", path, path)
		}
		return "wrote " + span.Bytes(s.Length) + " to " + path, err
	}, p.Say))
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
	return p.edits.Make(edits.Request{Intention: p.Explorer.Fill(s, pattern)})
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
	s := span.Span{Offset: p.Explorer.Offset(), Length: 1}
	switch {
	case p.Selection.Active:
		s = p.Chosen()
	case p.Explorer.Buffer.Size() == 0:
		return p.Say("there are no bytes")
	}
	return p.putBytes(s.Offset, s.Length, nil, s.Offset)
}

// toggleSelection begins a selection at the cursor, or ends it.
func (p *Pane) toggleSelection() {
	p.Selection = desk.Selection{Active: !p.Selection.Active && p.Explorer.Buffer.Size() > 0, Anchor: p.Explorer.Offset()}
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
