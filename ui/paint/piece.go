package paint

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/search"
	"varview/themes"
)

// A Piece is text of one role, or in a colour of its own.
type Piece struct {
	Text  string
	Role  themes.Role
	Paint Paint // colours in place of the role's, if it is not ""

	Differs bool // whether it differs from what it is compared with
}

// In returns text in a role.
func In(r themes.Role, text string) Piece { return Piece{Text: text, Role: r} }

// Plain returns text without a role.
func Plain(text string) Piece { return Piece{Text: text} }

// Columns returns the number of columns that pieces take.
func Columns(pieces []Piece) int {
	n := 0
	for _, p := range pieces {
		n += text.Width(p.Text)
	}
	return n
}

// Line draws pieces one after another in exactly width columns, cut with … if they are longer. A selected
// line has the selection's background.
func (s *Styles) Line(pieces []Piece, width int, selected bool) string {
	if !selected {
		return s.LineOver(pieces, width, "")
	}
	return s.LineOver(pieces, width, s.Ground(true))
}

// LineOver is Line on a given background.
func (s *Styles) LineOver(pieces []Piece, width int, ground Paint) string {
	var b strings.Builder
	left := width
	for _, p := range pieces {
		if left <= 0 {
			break
		}
		t := p.Text
		w := text.Width(t)
		if w > left {
			t = text.Cut(t, left)
			w = text.Width(t)
		}
		left -= w
		style := s.Role(p.Role)
		if p.Paint != "" {
			style = p.Paint
		}
		if p.Paint == "" && p.Role != themes.Cursor && p.Role != themes.Match {
			style += ground
		}
		if p.Differs {
			style += "\x1b[1;4m"
		}
		b.WriteString(style.On(t))
	}
	if left > 0 {
		b.WriteString(ground.On(strings.Repeat(" ", left)))
	}
	return b.String()
}

// Paragraph draws text in a role, broken into lines of exactly width columns with blanks at both ends.
func (s *Styles) Paragraph(r themes.Role, said string, width int) (lines []string) {
	for _, line := range text.Wrap(said, width-4) {
		lines = append(lines, s.Line([]Piece{Plain("  "), In(r, line)}, width, false))
	}
	return lines
}

// Marked returns a text in which some places are marked as found; all of it if there are none.
func Marked(role themes.Role, s string, places []search.Range) []Piece {
	if len(places) == 0 {
		return []Piece{In(themes.Match, s)}
	}
	var pieces []Piece
	at := 0
	for _, place := range places {
		pieces = append(pieces, In(role, s[at:place.From]), In(themes.Match, s[place.From:place.To]))
		at = place.To
	}
	return append(pieces, In(role, s[at:]))
}

// Changed is the mark before what differs from the file.
const Changed = "•"

// Taken marks a value that was edited and is now as in the file that it is compared with.
const Taken = "✓"

// SeverityMarks are drawn in the first column of a row with a problem.
var SeverityMarks = map[span.Severity]string{span.Note: "·", span.Warning: "!", span.Error: "✗"}

// SeverityRoles are the roles of these marks and of the problem's message.
var SeverityRoles = map[span.Severity]themes.Role{span.Note: themes.Note, span.Warning: themes.Warning, span.Error: themes.Error}

// Bytes formats the first bytes of a range: "57 00 00 00 …", "nothing".
func Bytes(b []byte, all span.Span, most int) string {
	if all.Length == 0 {
		return "nothing"
	}
	s := fmt.Sprintf("% x", b[:min(len(b), most)])
	if all.Length > int64(most) {
		s += " …"
	}
	return s
}

// BottomRoom returns the number of columns for text in the bottom line of a window.
func BottomRoom(width int) int { return width - 5 }

// Bottom draws the lower frame of a window with pieces in it.
func (s *Styles) Bottom(pieces []Piece, width int) string { return s.BottomWith(pieces, nil, width) }

// BottomWith is Bottom with other pieces at the right end.
func (s *Styles) BottomWith(pieces, end []Piece, width int) string {
	pieces = append([]Piece{In(themes.Border, "╰ ")}, pieces...)
	rest := width - Columns(pieces) - Columns(end) - 1
	if rest > 0 && !strings.HasSuffix(pieces[len(pieces)-1].Text, " ") {
		pieces = append(pieces, Plain(" "))
		rest--
	}
	line := strings.Repeat("─", max(0, rest))
	if end != nil {
		pieces = append(append(pieces, In(themes.Border, line)), end...)
		line = ""
	}
	pieces = append(pieces, In(themes.Border, line+"╯"))
	return s.Line(pieces, width, false)
}

// Keys draws keys and what they do.
func Keys(keys []key.Help) []Piece {
	var pieces []Piece
	for _, h := range keys {
		pieces = append(pieces, In(themes.Accent, h.Key), In(themes.Dim, " "+h.Desc+"  "))
	}
	return pieces
}

// FittingKeys returns the keys that fit into width columns: always the last two, and the first ones for
// which there is room.
func FittingKeys(keys []key.Help, width int) []key.Help {
	for len(keys) > 2 && Columns(Keys(keys)) > width {
		keys = append(keys[:len(keys)-3], keys[len(keys)-2:]...)
	}
	return keys
}
