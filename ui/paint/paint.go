// Package paint turns text and its roles into what a terminal shows: the paints of a theme,
// pieces of text, and lines of them.
package paint

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/muesli/termenv"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/search"
	"varview/themes"
)

// A Paint is a style as the bytes that turn it on. Text is painted with these bytes, not with a style
// object for each piece, because a frame has thousands of pieces.
type Paint string

// Reset ends a paint; Underline is added to one.
const (
	Reset     = "\x1b[0m"
	Underline = "\x1b[4m"
)

// On returns the text painted.
func (p Paint) On(text string) string {
	if p == "" || text == "" {
		return text
	}
	return string(p) + text + Reset
}

// Fault marks an error in the typed text by underlining it.
const Fault themes.Role = "fault"

// Styles are the paints of a theme in the colours that the terminal has.
type Styles struct {
	Kinds    []Paint // by span.Kind
	InColour bool    // the terminal has colours; without them a selected row is underlined

	ground  Paint // background of the whole window; "" for the terminal's own
	roles   map[themes.Role]Paint
	profile termenv.Profile
}

// New returns the paints of a theme for a terminal with the colours of profile.
func New(t themes.Theme, profile termenv.Profile) Styles {
	s := Styles{InColour: profile != termenv.Ascii, roles: map[themes.Role]Paint{}, profile: profile}
	for _, role := range themes.Roles() {
		style := t.Style(role)
		switch profile {
		case termenv.ANSI256:
			style = t.Readable(role, func(c themes.Color) themes.Color {
				return themes.Color(termenv.ConvertToRGB(profile.Color(string(c))).Hex())
			})
		case termenv.ANSI:
			style = in16(t, role)
		}
		if !s.InColour && role == themes.Cursor {
			style.Reverse = true
		}
		if !s.InColour && role == themes.Match {
			style.Bold, style.Underline = true, true
		}
		if !s.InColour && (role == themes.Selection || role == themes.Unfocused) {
			style.Underline = true
		}
		s.roles[role] = newPaint(style, profile)
	}
	fault := t.Style(themes.Error)
	if profile == termenv.ANSI {
		fault = in16(t, themes.Error)
	}
	fault.Underline = true
	s.roles[Fault] = newPaint(fault, profile)
	for _, k := range span.Kinds() {
		s.Kinds = append(s.Kinds, s.roles[themes.OfKind(k.String())])
	}
	return s
}

// in16 returns how a role is drawn in a terminal with 16 colours, with their numbers as colours.
func in16(t themes.Theme, role themes.Role) themes.Style {
	style, foreground, background := t.In16(role, func(c themes.Color) int {
		n, _ := termenv.ANSI.Color(string(c)).(termenv.ANSIColor)
		return int(n)
	})
	if foreground >= 0 {
		style.Foreground = themes.Color(fmt.Sprint(foreground))
	}
	if background >= 0 {
		style.Background = themes.Color(fmt.Sprint(background))
	}
	return style
}

// PaintGround paints the background of the whole window, for a theme that does not suit the terminal.
func (s *Styles) PaintGround() {
	if s.InColour {
		s.ground = s.roles[themes.Background]
	}
}

// Window returns a frame on that background.
func (s *Styles) Window(frame string) string {
	if s.ground == "" {
		return frame
	}
	ground := string(s.ground)
	frame = strings.ReplaceAll(frame, Reset, Reset+ground)
	return ground + strings.ReplaceAll(frame, "\n", Reset+"\n"+ground) + Reset
}

// newPaint turns a style into the escape sequence that begins it. Attributes are not colours: they are
// kept if the user wants no colours.
func newPaint(s themes.Style, profile termenv.Profile) Paint {
	var codes []string
	for _, attribute := range []struct {
		on   bool
		code string
	}{{s.Bold, "1"}, {s.Dim, "2"}, {s.Underline, "4"}, {s.Reverse, "7"}} {
		if attribute.on {
			codes = append(codes, attribute.code)
		}
	}
	if profile != termenv.Ascii {
		if s.Foreground != "" {
			codes = append(codes, profile.Color(string(s.Foreground)).Sequence(false))
		}
		if s.Background != "" {
			codes = append(codes, profile.Color(string(s.Background)).Sequence(true))
		}
	}
	if len(codes) == 0 {
		return ""
	}
	return Paint("\x1b[" + strings.Join(codes, ";") + "m")
}

// Role returns the paint of a role.
func (s *Styles) Role(r themes.Role) Paint { return s.roles[r] }

// In returns text in a role.
func (s *Styles) In(r themes.Role, text string) string { return s.roles[r].On(text) }

// Ground returns the background of the selection in a pane.
func (s *Styles) Ground(focused bool) Paint {
	if focused {
		return s.roles[themes.Selection]
	}
	return s.roles[themes.Unfocused]
}

// Over returns a paint on a background, on which padding is as what is dim. With 16 colours the selection has no others.
func (s *Styles) Over(p, ground Paint) Paint {
	if s.profile == termenv.ANSI && ground != "" && ground == s.roles[themes.Selection] {
		return ground
	}
	if ground != "" && p == s.roles[themes.Padding] {
		p = s.roles[themes.Dim]
	}
	return p + ground
}

// FrameRole returns the role of a pane's frame.
func FrameRole(focused bool) themes.Role {
	if focused {
		return themes.Accent
	}
	return themes.Border
}

// Frame draws a piece of a pane's frame.
func (s *Styles) Frame(focused bool, line string) string { return s.In(FrameRole(focused), line) }

// Framed returns lines with the sides of a frame.
func (s *Styles) Framed(lines []string) []string {
	border := s.In(themes.Border, "│")
	for i, line := range lines {
		lines[i] = border + line + border
	}
	return lines
}

// Color returns the paint of text in a colour from the file, or the nearest that the terminal has; ""
// without colours.
func (s *Styles) Color(rgb [3]byte) Paint {
	return newPaint(themes.Style{Foreground: themes.Color(fmt.Sprintf("#%x", rgb))}, s.profile)
}

// Swatch returns the paint of a blank that shows a colour from the file.
func (s *Styles) Swatch(rgb [3]byte) Paint {
	return newPaint(themes.Style{Background: themes.Color(fmt.Sprintf("#%x", rgb))}, s.profile)
}

// A Painter writes text, and changes the paint only when necessary.
type Painter struct {
	Into *strings.Builder

	in Paint
}

// Put writes text in a paint.
func (p *Painter) Put(style Paint, text string) {
	if style != p.in {
		if p.in != "" {
			p.Into.WriteString(Reset)
		}
		p.Into.WriteString(string(style))
		p.in = style
	}
	p.Into.WriteString(text)
}

// End ends the last paint.
func (p *Painter) End() { p.Put("", "") }

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

// Line draws pieces one after another in exactly width columns, cut with … if they are longer.
func (s *Styles) Line(pieces []Piece, width int) string { return s.LineOver(pieces, width, "") }

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
			style = s.Over(style, ground)
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
		lines = append(lines, s.Line([]Piece{Plain("  "), In(r, line)}, width))
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
	return s.Line(pieces, width)
}

// Keys draws keys and what they do.
func Keys(keys []key.Help) []Piece {
	var pieces []Piece
	for _, h := range keys {
		pieces = append(pieces, In(themes.Accent, h.Key), In(themes.Dim, " "+h.Desc+"  "))
	}
	return pieces
}

// BottomKeys draws the keys that fit into the bottom line of a window.
func BottomKeys(keys []key.Help, width int) []Piece {
	return Keys(FittingKeys(keys, BottomRoom(width)))
}

// FittingKeys returns the keys that fit into width columns: always the last two, and the first ones for
// which there is room.
func FittingKeys(keys []key.Help, width int) []key.Help {
	for len(keys) > 2 && Columns(Keys(keys)) > width {
		keys = append(keys[:len(keys)-3], keys[len(keys)-2:]...)
	}
	return keys
}
