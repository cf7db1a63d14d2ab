package ui

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/model"
	"varview/themes"
	"varview/ui/paint"
)

// typing is the typing of bytes in the hex pane. All of it is one step of the
// history.
type typing struct {
	insert bool   // bytes are inserted, not overwritten
	chars  bool   // characters are typed, not digits
	at     int64  // offset of the next byte; up to the size of the buffer
	half   string // the first digit of a byte, "" if none was typed
	since  int    // number of steps before the typing
	count  int    // number of bytes typed
}

// startTyping starts typing bytes at the cursor, or a number of bytes after it.
func (m *Model) startTyping(insert bool, after int64) {
	if err := m.canEdit(); err != nil {
		m.report(err)
		return
	}
	m.typing = &typing{insert: insert, at: min(m.view.Offset()+after, m.view.Buffer.Size()), since: m.doc.Steps()}
}

// stopTyping ends the typing and makes one step of it.
func (m *Model) stopTyping() tea.Cmd {
	t := m.typing
	m.typing = nil
	label := fmt.Sprintf("type %s", span.Bytes(int64(t.count)))
	if m.doc.Steps()-t.since < 2 {
		return m.settle()
	}
	m.doc.Join(t.since, label)
	m.say(label + "; u undoes it")
	return m.settle()
}

// pressTyping handles a key while bytes are typed.
func (m *Model) pressTyping(msg tea.KeyMsg) tea.Cmd {
	t, row := m.typing, int64(m.layout.perRow)
	switch {
	case msg.Type == tea.KeyEsc, msg.Type == tea.KeyEnter:
		return m.stopTyping()
	case key.Matches(msg, m.keys.Save):
		return tea.Batch(m.stopTyping(), m.save(model.SaveOptions{}, false))
	case msg.Type == tea.KeyTab, msg.Type == tea.KeyShiftTab:
		t.chars, t.half = !t.chars, ""
	case msg.Type == tea.KeyBackspace:
		return m.backspace()
	case msg.Type == tea.KeyDelete:
		t.half = ""
		return m.putBytes(t.at, 1, nil, t.at)
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		if !msg.Alt {
			return m.typed(string(msg.Runes))
		}
	default:
		if by, ok := map[string]int64{"left": -1, "right": 1, "up": -row, "down": row, "home": -t.at % row, "end": row - 1 - t.at%row}[msg.String()]; ok {
			t.half = ""
			m.typeAt(t.at + by)
		}
	}
	return nil
}

// typeAt moves the place of typing to a byte, or after the last one.
func (m *Model) typeAt(at int64) {
	m.typing.at = max(0, min(at, m.view.Buffer.Size()))
	m.goToByte(m.typing.at)
	m.hex.follow(m.typing.at, &m.layout)
}

// typed takes characters, or hex digits, two for each byte.
func (m *Model) typed(s string) tea.Cmd {
	t := m.typing
	if t.chars {
		return m.typeBytes([]byte(s))
	}
	digits := t.half
	for _, r := range s {
		switch {
		case r < 0x80 && strings.ContainsRune("0123456789abcdefABCDEF", r):
			digits += string(r)
		case r != ' ' && r != '\n' && r != '\r' && r != '\t':
			m.report(fmt.Errorf("%q is not a hex digit; tab changes to text, esc ends the typing", r))
			return nil
		}
	}
	whole := len(digits) &^ 1
	t.half = digits[whole:]
	b, err := hex.DecodeString(digits[:whole])
	if err != nil || len(b) == 0 {
		return nil
	}
	return m.typeBytes(b)
}

// typeBytes inserts bytes at the cursor, or overwrites those there.
func (m *Model) typeBytes(b []byte) tea.Cmd {
	t := m.typing
	over := int64(0)
	if !t.insert {
		over = min(int64(len(b)), m.view.Buffer.Size()-t.at)
	}
	t.count += len(b)
	return m.putBytes(t.at, over, b, t.at+int64(len(b)))
}

// backspace takes back what was last typed: half a byte, or a whole one. If nothing
// was typed it deletes the byte before the cursor, or moves back over it.
func (m *Model) backspace() tea.Cmd {
	t := m.typing
	switch {
	case t.half != "":
		t.half = ""
	case t.at == 0:
	case t.insert:
		return m.putBytes(t.at-1, 1, nil, t.at-1)
	case m.doc.Steps() > t.since:
		size := m.view.Buffer.Size()
		cmd := m.undo()
		if t.at = m.view.Offset(); m.view.Buffer.Size() < size {
			t.at = m.view.Buffer.Size() // it was appended after the last byte
		}
		m.message = message{}
		return cmd
	default:
		m.typeAt(t.at - 1)
	}
	return nil
}

// deleteByte deletes the byte under the cursor.
func (m *Model) deleteByte() tea.Cmd {
	if m.view.Buffer.Size() == 0 {
		m.say("there are no bytes")
		return nil
	}
	at := m.view.Offset()
	return m.putBytes(at, 1, nil, at)
}

// putBytes replaces n bytes at off with b, and moves the cursor to the byte at. It
// reports a problem that this has caused.
func (m *Model) putBytes(off, n int64, b []byte, at int64) tea.Cmd {
	if off+n > m.view.Buffer.Size() {
		return nil
	}
	problems := m.doc.ProblemCount(span.Warning)
	return m.run(request{
		intend: func(edit.Options) model.Intention { return m.view.PutBytes(off, n, b, at) },
		done: func(m *Model) tea.Cmd {
			if m.typing != nil {
				m.typing.half = ""
				m.typing.at = max(0, min(at, m.view.Buffer.Size()))
				m.hex.follow(m.typing.at, &m.layout)
				m.message = message{}
			}
			if m.doc.ProblemCount(span.Warning) > problems {
				_, p, _ := m.view.NextProblem()
				m.report(errors.New("a new problem: " + p.Message))
			}
			return nil
		},
	})
}

// modePieces name the mode of typing in the bottom line.
func (t *typing) modePieces() []paint.Piece {
	mode, column := "OVERWRITE", " hex digits "
	if t.insert {
		mode = "INSERT"
	}
	if t.chars {
		column = " text "
	}
	return []paint.Piece{paint.In(themes.Cursor, " "+mode+column), paint.Plain("  ")}
}

// typingPieces are the bottom line: the mode, and a message or the keys.
func (m *Model) typingPieces() []paint.Piece {
	pieces, other := m.typing.modePieces(), "text"
	if m.message.text != "" {
		return append(pieces, m.message.piece(m.messageWidth()))
	}
	if m.typing.chars {
		other = "hex"
	}
	return append(pieces, paint.Keys([]key.Help{{Key: "tab", Desc: other}, {Key: "backspace", Desc: "back"}, {Key: "esc", Desc: "end"}})...)
}
