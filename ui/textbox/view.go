package textbox

import (
	"sort"

	"github.com/charmbracelet/x/ansi"

	"varview/internal/text"
)

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
	case b.all, b.Mark >= start && b.Mark < end:
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
