// Package paint turns text and its roles into what a terminal shows: the paints of a theme,
// pieces of text, and lines of them.
package paint

import (
	"fmt"
	"strings"

	"github.com/muesli/termenv"

	"varview/decoder/engine/span"
	"varview/themes"
)

// A Paint is a style as the bytes that turn it on. Text is painted with these bytes, not with a style
// object for each piece, because a frame has thousands of pieces.
type Paint string

// Reset ends a paint.
const Reset = "\x1b[0m"

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
	if s.Bold {
		codes = append(codes, "1")
	}
	if s.Dim {
		codes = append(codes, "2")
	}
	if s.Underline {
		codes = append(codes, "4")
	}
	if s.Reverse {
		codes = append(codes, "7")
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

// FrameRole returns the role of a pane's frame.
func FrameRole(focused bool) themes.Role {
	if focused {
		return themes.Accent
	}
	return themes.Border
}

// Frame draws a piece of a pane's frame.
func (s *Styles) Frame(focused bool, line string) string { return s.In(FrameRole(focused), line) }

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
