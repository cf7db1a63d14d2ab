package ui

import (
	"strings"

	"github.com/muesli/termenv"

	"varview/decoder/span"
	"varview/themes"
)

// A paint is a style as the bytes that turn it on. Text is painted with these
// bytes, not with a style object for each piece, because a frame has thousands of
// pieces.
type paint string

const unpaint = "\x1b[0m"

// on returns the text painted.
func (p paint) on(text string) string {
	if p == "" || text == "" {
		return text
	}
	return string(p) + text + unpaint
}

// faultRole marks an error in the typed text by underlining it.
const faultRole themes.Role = "fault"

// styles are the paints of a theme in the colours that the terminal has.
type styles struct {
	kinds    []paint // by span.Kind
	selected []paint // the same on the selection's background
	roles    map[themes.Role]paint
	plain    paint // text on the selection's background
}

func newStyles(t themes.Theme, profile termenv.Profile) styles {
	s := styles{roles: map[themes.Role]paint{}}
	selection := t.Style(themes.Selection)
	colourless := profile == termenv.Ascii
	if colourless {
		selection = themes.Style{Underline: true}
	}
	for _, role := range themes.Roles() {
		style := t.Style(role)
		if colourless && role == themes.Cursor {
			style.Reverse = true
		}
		s.roles[role] = newPaint(style, profile)
	}
	fault := t.Style(themes.Error)
	fault.Underline = true
	s.roles[faultRole] = newPaint(fault, profile)
	for _, k := range span.Kinds() {
		style := t.Style(themes.Role(k.String()))
		s.kinds = append(s.kinds, newPaint(style, profile))
		style.Background = selection.Background
		style.Underline = style.Underline || selection.Underline
		s.selected = append(s.selected, newPaint(style, profile))
	}
	s.plain = newPaint(selection, profile)
	return s
}

// newPaint turns a style into the escape sequence that begins it. Attributes are
// not colours: they are kept where the user wants no colours.
func newPaint(s themes.Style, profile termenv.Profile) paint {
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
	return paint("\x1b[" + strings.Join(codes, ";") + "m")
}

// over returns p with the selection's background.
func (s *styles) over(p paint) paint { return p + s.plain }
