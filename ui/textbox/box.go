// Package textbox is an editable text: its characters, a cursor, and how both are
// drawn in a number of columns and rows.
package textbox

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"varview/internal/text"
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
	at   int // byte after the cursor
	from int // of what is selected
	to   int // where that ends; not after from for nothing
	want int // column that moving up and down keeps, negative after anything else
	left int // single line: first byte in view
	top  int // several lines: first row in view

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

// SelectAll selects all of the text.
func (b *Box) SelectAll() { b.Select(0, len(b.text)) }

// Select selects a part of the text, with the cursor at its end: what is typed or deleted next replaces it. A key that moves the
// cursor only ends the selection and moves.
func (b *Box) Select(from, to int) {
	b.goTo(to)
	b.from, b.to = from, to
}

// Set replaces the text and puts the cursor at its end.
func (b *Box) Set(text string) {
	b.text = b.clean(text)
	b.at, b.left, b.top = len(b.text), 0, 0
	b.changed()
}

// changed records that the text has changed.
func (b *Box) changed() { b.Fault, b.want, b.rows, b.from, b.to = -1, -1, nil, 0, 0 }

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
	b.cut(b.at)
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
	if b.from < b.to {
		from, to = b.from, b.to
	}
	b.text = b.text[:from] + b.text[to:]
	b.at = from
	b.changed()
}

// GoTo puts the cursor before a byte.
func (b *Box) GoTo(at int) { b.goTo(min(at, len(b.text))) }

// goTo puts the cursor before a byte.
func (b *Box) goTo(at int) { b.at, b.want, b.from, b.to = at, -1, 0, 0 }

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

// targets are where keys move the cursor, and to where other keys delete the text.
var targets = []struct {
	moves, cuts string
	to          func(*Box) int
}{
	{"left ctrl+b", "backspace ctrl+h", func(b *Box) int { return b.before(b.at) }},
	{"right ctrl+f", "delete ctrl+d", func(b *Box) int { return b.after(b.at) }},
	{"home ctrl+a", "ctrl+u", (*Box).lineStart},
	{"end ctrl+e", "ctrl+k", (*Box).lineEnd},
	{"ctrl+left alt+left alt+b", "ctrl+w alt+backspace", (*Box).wordBefore},
	{"ctrl+right alt+right alt+f", "alt+d", (*Box).wordAfter},
	{"ctrl+home", "", func(*Box) int { return 0 }},
	{"ctrl+end", "", func(b *Box) int { return len(b.text) }},
}

// climbs are the rows by which keys move the cursor.
var climbs = map[string]int{"up": -1, "down": 1, "pgup": -10, "pgdown": 10}

// Press handles a key; typed reports whether the text has changed.
func (b *Box) Press(msg tea.KeyMsg) (typed bool) {
	if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
		b.Type(string(msg.Runes))
		return true
	}
	name := action.NameOf(msg)
	for _, t := range targets {
		switch {
		case slices.Contains(strings.Fields(t.moves), name):
			b.goTo(t.to(b))
			return false
		case slices.Contains(strings.Fields(t.cuts), name):
			was := len(b.text)
			b.cut(t.to(b))
			return len(b.text) != was
		}
	}
	switch by := climbs[name]; {
	case b.Single:
	case name == "enter":
		b.Type("\n")
		return true
	case by != 0:
		b.climb(by)
	}
	return false
}

// Role says how a part of a text is drawn.
type Role uint8

// The roles of parts.
const (
	Plain  Role = iota
	Cursor      // under the cursor
	Fault       // an error
	Marked      // the bracket that belongs to the one at the cursor, and what is selected
)

// A Part is clean text of one role.
type Part struct {
	Text  string
	Role  Role
	Class byte // of its characters; see Box.Classes
}

// A row is the bytes [start, end) of the text in one row of the view.
type row struct{ start, end int }

// clusterAt returns the length of the character at the start of s. A newline is a character.
func clusterAt(s string) int {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return 1
	}
	head := s[:min(len(s), maxCluster)]
	cluster, _ := ansi.FirstGraphemeCluster(head, ansi.GraphemeWidth)
	return max(1, len(cluster))
}

// shown returns a character as it is drawn.
func shown(cluster string) string {
	switch cluster {
	case "\n":
		return " "
	case "\t":
		return "⇥"
	}
	return text.Clean(cluster)
}

func columnsOf(cluster string) int {
	if len(cluster) == 1 && cluster[0] >= ' ' && cluster[0] < 0x7f {
		return 1
	}
	return text.Width(shown(cluster))
}

// Line draws the part of a single line around the cursor in at most width columns.
// An ellipsis replaces the text to the left.
func (b *Box) Line(width int) []Part {
	width = max(2, width)
	b.scroll(width)
	if b.left == 0 || width < 4 {
		return b.parts(b.left, len(b.text), width)
	}
	b.scroll(width - 1)
	return append([]Part{{Text: "…"}}, b.parts(b.left, len(b.text), width-1)...)
}

// scroll moves the start of the line so that the cursor is among its first width
// columns.
func (b *Box) scroll(width int) {
	b.left = max(0, min(b.left, b.at))
	if b.at-b.left > maxCluster*width {
		b.left = b.at
		for range width / 2 {
			b.left = b.before(b.left)
		}
	}
	columns := columnsOf(b.under())
	for i, next := b.left, 0; i < b.at; i = next {
		next = min(b.at, b.after(i)) // the cursor can be within a character, after its base was typed
		columns += columnsOf(b.text[i:next])
	}
	for b.left < b.at && columns > width {
		next := min(b.at, b.after(b.left))
		columns -= columnsOf(b.text[b.left:next])
		b.left = next
	}
}

// under returns the character under the cursor; a blank at the end of the text.
func (b *Box) under() string {
	if b.at >= len(b.text) {
		return " "
	}
	return b.text[b.at:b.after(b.at)]
}

// parts draws the characters of [start, end) that fit into width columns, and the
// cursor after them.
func (b *Box) parts(start, end, width int) []Part {
	var parts []Part
	class := byte(0)
	put := func(s string, role Role) {
		if n := len(parts); n > 0 && parts[n-1].Role == role && parts[n-1].Class == class {
			parts[n-1].Text += s
			return
		}
		parts = append(parts, Part{Text: s, Role: role, Class: class})
	}
	for i := start; i < end; {
		next := min(end, b.after(i))
		if class = 0; i < len(b.Classes) {
			class = b.Classes[i]
		}
		columns := columnsOf(b.text[i:next])
		if columns > width {
			put(text.Cut(shown(b.text[i:next]), width), b.role(i, next))
			return parts
		}
		width -= columns
		put(shown(b.text[i:next]), b.role(i, next))
		i = next
	}
	if b.at == end && width > 0 && (end == len(b.text) || b.text[end] == '\n') {
		put(" ", Cursor)
	}
	return parts
}

func (b *Box) role(start, end int) Role {
	switch {
	case b.at >= start && b.at < end:
		return Cursor
	case b.Fault >= start && b.Fault < end:
		return Fault
	case start >= b.from && start < b.to, b.Mark >= start && b.Mark < end:
		return Marked
	}
	return Plain
}

// divide breaks the text into rows of a width, whose last column is for the cursor.
// It breaks between words where that leaves more than half of a row.
func (b *Box) divide(width int) {
	width = max(2, width)
	if b.width == width && b.rows != nil {
		return
	}
	b.width, b.rows = width, nil
	start, columns, blank := 0, 0, -1
	end := func(i int) {
		b.rows = append(b.rows, row{start, i})
		start, columns, blank = i, 0, -1
	}
	for i := 0; i < len(b.text); {
		next := b.after(i)
		if b.text[i] == '\n' {
			if columns >= width { // no room for the cursor
				end(i)
			}
			end(i)
			start = next
			i = next
			continue
		}
		w := columnsOf(b.text[i:next])
		hangs := b.text[i] == ' ' && columns+w == width // a blank may take that column too
		if columns+w > width-1 && i > start && !hangs {
			if blank > start+width/2 {
				i = blank
			}
			end(i)
			continue
		}
		columns += w
		if b.text[i] == ' ' {
			blank = next
		}
		i = next
	}
	if columns >= width {
		end(len(b.text))
	}
	end(len(b.text))
}

// cursorRow returns the row that the cursor is in.
func (b *Box) cursorRow() int {
	return max(0, sort.Search(len(b.rows), func(i int) bool { return b.rows[i].start > b.at })-1)
}

// Rows draws the part of the text that is in view, scrolled so that it contains the
// cursor.
func (b *Box) Rows(width, height int) [][]Part {
	b.divide(width)
	at := b.cursorRow()
	b.top = max(at-height+1, min(b.top, at, len(b.rows)-height), 0)
	var lines [][]Part
	for i := b.top; i < len(b.rows) && i < b.top+height; i++ {
		lines = append(lines, b.parts(b.rows[i].start, b.rows[i].end, width))
	}
	return lines
}

// climb moves the cursor by rows, as near to its column as the text reaches.
func (b *Box) climb(by int) {
	b.divide(b.width)
	from := b.cursorRow()
	if b.want < 0 {
		b.want = 0
		for i := b.rows[from].start; i < b.at; i = b.after(i) {
			b.want += columnsOf(b.text[i:b.after(i)])
		}
	}
	to := b.rows[max(0, min(from+by, len(b.rows)-1))]
	at, columns := to.start, 0
	for at < to.end && columns < b.want {
		next := b.after(at)
		columns += columnsOf(b.text[at:next])
		if next == to.end && next < len(b.text) && b.text[next] != '\n' {
			break // that is where the next row begins
		}
		at = next
	}
	b.at = at
}
