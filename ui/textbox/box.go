// Package textbox is an editable text: its characters, a cursor, and how both are
// drawn in a number of columns and rows.
package textbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/action"
)

// A Box is a text with a cursor. The text is valid UTF-8. Its only control
// characters are tabs and, unless it is a single line, newlines.
type Box struct {
	Single  bool   // it is one line; newlines that are typed become blanks
	Mark    int    // byte offset drawn as marked; negative for none
	Classes []byte // what the bytes of the text are, for their colours; may be shorter than it
	Fault   int    // byte offset drawn as wrong; negative for none

	text string
	at   int  // byte after the cursor
	all  bool // all of it is selected
	want int  // column that moving up and down keeps, negative after anything else
	left int  // single line: first byte in view
	top  int  // several lines: first row in view

	rows  []row // the text divided for a width, none if it has changed since
	width int
}

// New returns a box with a text and the cursor at its end.
func New(text string, single bool) Box {
	b := Box{Single: single, Fault: -1, Mark: -1}
	b.Set(text)
	return b
}

// ToStart puts the cursor before the first character.
func (b *Box) ToStart() { b.goTo(0) }

// At returns the byte offset of the cursor.
func (b *Box) At() int { return b.at }

// Text returns the text.
func (b *Box) Text() string { return b.text }

// SelectAll selects all of the text: what is typed or deleted next replaces it. A key that moves the cursor
// only ends the selection and moves.
func (b *Box) SelectAll() { b.all = b.text != "" }

// Set replaces the text and puts the cursor at its end.
func (b *Box) Set(text string) {
	b.text = b.clean(text)
	b.at, b.left, b.top = len(b.text), 0, 0
	b.changed()
}

// changed records that the text has changed.
func (b *Box) changed() { b.Fault, b.want, b.rows, b.all = -1, -1, nil, false }

// clean returns text as the box can contain it.
func (b *Box) clean(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && b.Single:
			return ' '
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}

// Type inserts text at the cursor.
func (b *Box) Type(s string) {
	s = b.clean(s)
	if b.all {
		b.text, b.at, b.left = "", 0, 0
	}
	b.text = b.text[:b.at] + s + b.text[b.at:]
	b.at += len(s)
	b.changed()
}

// Replace replaces the text from a byte to the cursor, or what is selected.
func (b *Box) Replace(from int, s string) {
	b.cut(from)
	b.Type(s)
}

// cut deletes the text between the cursor and another byte, or what is selected.
func (b *Box) cut(to int) {
	from, to := min(b.at, to), max(b.at, to)
	if b.all {
		from, to = 0, len(b.text)
	}
	b.text = b.text[:from] + b.text[to:]
	b.at = from
	b.changed()
}

// GoTo puts the cursor before a byte.
func (b *Box) GoTo(at int) { b.goTo(min(at, len(b.text))) }

// goTo puts the cursor before a byte.
func (b *Box) goTo(at int) { b.at, b.want, b.all = at, -1, false }

// maxCluster is the largest number of bytes that are drawn, and passed by the
// cursor, as one character.
const maxCluster = 64

// after returns the byte after the character at i.
func (b *Box) after(i int) int {
	if i >= len(b.text) {
		return len(b.text)
	}
	return i + clusterAt(b.text[i:])
}

// before returns the first byte of the character that ends at i.
func (b *Box) before(i int) int {
	from := max(0, i-maxCluster)
	for from > 0 && !utf8.RuneStart(b.text[from]) {
		from--
	}
	if line := strings.LastIndexByte(b.text[from:i], '\n'); line >= 0 && from+line < i-1 {
		from += line + 1
	}
	last := from
	for from < i {
		last = from
		from += clusterAt(b.text[from:])
	}
	return last
}

// lineStart and lineEnd are the ends of the cursor's line.
func (b *Box) lineStart() int { return strings.LastIndexByte(b.text[:b.at], '\n') + 1 }

func (b *Box) lineEnd() int {
	if i := strings.IndexByte(b.text[b.at:], '\n'); i >= 0 {
		return b.at + i
	}
	return len(b.text)
}

// wordBefore and wordAfter are where moving by a word takes the cursor.
func (b *Box) wordBefore() int {
	i := strings.TrimRightFunc(b.text[:b.at], isNoLetter)
	return len(strings.TrimRightFunc(i, isLetter))
}

func (b *Box) wordAfter() int {
	i := strings.TrimLeftFunc(b.text[b.at:], isNoLetter)
	return len(b.text) - len(strings.TrimLeftFunc(i, isLetter))
}

func isLetter(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.N) }

func isNoLetter(r rune) bool { return !isLetter(r) }

// moves are the keys that move the cursor, and their targets.
var moves = map[string]func(*Box) int{
	"left":       func(b *Box) int { return b.before(b.at) },
	"ctrl+b":     func(b *Box) int { return b.before(b.at) },
	"right":      func(b *Box) int { return b.after(b.at) },
	"ctrl+f":     func(b *Box) int { return b.after(b.at) },
	"home":       (*Box).lineStart,
	"ctrl+a":     (*Box).lineStart,
	"end":        (*Box).lineEnd,
	"ctrl+e":     (*Box).lineEnd,
	"ctrl+left":  (*Box).wordBefore,
	"alt+left":   (*Box).wordBefore,
	"alt+b":      (*Box).wordBefore,
	"ctrl+right": (*Box).wordAfter,
	"alt+right":  (*Box).wordAfter,
	"alt+f":      (*Box).wordAfter,
	"ctrl+home":  func(*Box) int { return 0 },
	"ctrl+end":   func(b *Box) int { return len(b.text) },
}

// cuts are the keys that delete the text between the cursor and a target.
var cuts = map[string]func(*Box) int{
	"backspace":     func(b *Box) int { return b.before(b.at) },
	"ctrl+h":        func(b *Box) int { return b.before(b.at) },
	"delete":        func(b *Box) int { return b.after(b.at) },
	"ctrl+d":        func(b *Box) int { return b.after(b.at) },
	"ctrl+w":        (*Box).wordBefore,
	"alt+backspace": (*Box).wordBefore,
	"alt+d":         (*Box).wordAfter,
	"ctrl+u":        (*Box).lineStart,
	"ctrl+k":        (*Box).lineEnd,
}

// Press handles a key; typed reports whether the text has changed.
func (b *Box) Press(msg tea.KeyMsg) (typed bool) {
	if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
		b.Type(string(msg.Runes))
		return true
	}
	name := action.NameOf(msg)
	if to, ok := moves[name]; ok {
		b.goTo(to(b))
		return false
	}
	if to, ok := cuts[name]; ok {
		was := len(b.text)
		b.cut(to(b))
		return len(b.text) != was
	}
	if b.Single {
		return false
	}
	switch name {
	case "enter":
		b.Type("\n")
		return true
	case "up":
		b.climb(-1)
	case "down":
		b.climb(1)
	case "pgup":
		b.climb(-pageRows)
	case "pgdown":
		b.climb(pageRows)
	}
	return false
}

// pageRows is the number of rows that a page key moves the cursor.
const pageRows = 10
