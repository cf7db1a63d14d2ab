package hex

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/edits"
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
	p.typing = &typing{insert: insert, chars: p.Layout.IsText, at: min(p.Explorer.Offset()+after, p.Explorer.Buffer.Size()), since: p.Doc.Steps()}
	return nil
}

// stopTyping ends the typing and makes it one step.
func (p *Pane) stopTyping() tea.Cmd {
	t := p.typing
	p.typing = nil
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

// deleteByte deletes the byte under the cursor.
func (p *Pane) deleteByte() tea.Cmd {
	if p.Explorer.Buffer.Size() == 0 {
		return p.Say("there are no bytes")
	}
	at := p.Explorer.Offset()
	return p.putBytes(at, 1, nil, at)
}

// putBytes replaces n bytes at off by b, and moves the cursor to the byte at. It reports a problem that
// this has caused.
func (p *Pane) putBytes(off, n int64, b []byte, at int64) tea.Cmd {
	if off+n > p.Explorer.Buffer.Size() {
		return nil
	}
	problems := p.Doc.ProblemCount(span.Warning)
	return p.edits.Make(edits.Request{
		Intend: func(edit.Options) model.Intention { return p.Explorer.PutBytes(off, n, b, at) },
		Done: func() {
			if p.typing != nil {
				p.typing.half = ""
				p.typing.at = max(0, min(at, p.Explorer.Buffer.Size()))
				p.Message = desk.Message{}
			}
			if p.Doc.ProblemCount(span.Warning) > problems {
				_, found, _ := p.Explorer.NextProblem()
				p.Report(errors.New("a new problem: " + found.Message))
			}
		},
	})
}

// Mode returns the mode of typing for the bottom line.
func (p *Pane) Mode() []paint.Piece {
	mode, column := "OVERWRITE", " hex digits "
	if p.typing.insert {
		mode = "INSERT"
	}
	if p.typing.chars {
		column = " text "
	}
	return []paint.Piece{paint.In(themes.Cursor, " "+mode+column), paint.Plain("  ")}
}

// Hints returns the keys of typing for the bottom line.
func (p *Pane) Hints() []paint.Piece {
	other := "text"
	if p.typing.chars {
		other = "hex"
	}
	return paint.Keys([]key.Help{{Key: "tab", Desc: other}, {Key: "backspace", Desc: "back"}, {Key: "esc", Desc: "end"}})
}
