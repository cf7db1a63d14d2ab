package output

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"varview/decoder/engine/span"
	"varview/themes"
)

// A paint is the pair of control sequences that turn a style on and off; both are empty for plain output.
type paint struct{ start, end string }

func (p paint) on(dst []byte) []byte  { return append(dst, p.start...) }
func (p paint) off(dst []byte) []byte { return append(dst, p.end...) }

// A Palette holds the paints of a theme. Its zero value paints nothing.
type Palette struct {
	dim   paint
	error paint

	added, removed paint // values that are only in one file

	kinds map[span.Kind]paint
}

func (p *Palette) kind(k span.Kind) paint { return p.kinds[k] }

// LoadPalette returns the colours of a theme, given by name or file, as a terminal can show them, or in
// at least 256 colours if they are forced without a terminal. Without a name, the terminal decides the
// theme.
func LoadPalette(name string, out io.Writer, forced bool) (*Palette, error) {
	if name == "" {
		name = likelyTheme(os.Getenv("COLORFGBG"))
	}
	theme, err := themes.Load(name)
	if err != nil {
		return nil, err
	}
	terminal := lipgloss.NewRenderer(out)
	if forced && terminal.ColorProfile() >= termenv.ANSI { // no colours, or the few that CLICOLOR_FORCE asks for
		terminal.SetColorProfile(termenv.ANSI256)
	}
	p := &Palette{kinds: make(map[span.Kind]paint)}
	p.dim = paintOf(terminal, theme.Style(themes.Dim))
	p.error = paintOf(terminal, theme.Style(themes.Error))
	p.added = paintOf(terminal, theme.Style(themes.Added))
	p.removed = paintOf(terminal, theme.Style(themes.Removed))
	for _, k := range span.Kinds() {
		p.kinds[k] = paintOf(terminal, theme.Style(themes.OfKind(k.String())))
	}
	return p, nil
}

// likelyTheme returns a theme by COLORFGBG, which some terminals set to "fore;back" in colours 0 to 15: 7
// and those from 9 on are light backgrounds.
func likelyTheme(colorFGBG string) string {
	_, back, _ := strings.Cut(colorFGBG, ";")
	if i := strings.LastIndexByte(back, ';'); i >= 0 {
		back = back[i+1:] // rxvt: "fore;default;back"
	}
	switch back {
	case "7", "9", "10", "11", "12", "13", "14", "15":
		return "light"
	}
	return "dark"
}

func paintOf(terminal *lipgloss.Renderer, s themes.Style) paint {
	const mark = "x"
	style := terminal.NewStyle().Foreground(lipgloss.Color(s.Foreground)).Bold(s.Bold).Faint(s.Dim)
	start, end, _ := strings.Cut(style.Render(mark), mark)
	return paint{start, end}
}
