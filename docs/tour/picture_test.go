//go:build unix

package tour

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Sizes of the picture, in its own units.
const (
	cellWidth  = 8
	lineHeight = 18
	margin     = 12
	fontSize   = 13.3
)

const (
	ground  = "#14161b"
	ink     = "#d5d8df"
	caption = "#94b8f8"
)

// A cell is a place of the screen.
type cell struct {
	text           string
	ink, ground    string // "" for the usual one
	bold, isSecond bool   // isSecond is the right half of a wide sign
}

// cells returns what the screen shows.
func (t *terminal) cells() [rows][columns]cell {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all [rows][columns]cell
	for y := range rows {
		for x := range columns {
			c := t.screen.CellAt(x, y)
			if c == nil {
				all[y][x] = cell{text: " "}
				continue
			}
			at := cell{text: c.Content, ink: webColor(c.Style.Fg), ground: webColor(c.Style.Bg), bold: c.Style.Attrs&uv.AttrBold != 0, isSecond: c.Width == 0}
			if c.Style.Attrs&uv.AttrReverse != 0 {
				at.ink, at.ground = or(at.ground, ground), or(at.ink, ink)
			}
			if at.text == "" {
				at.text = " "
			}
			all[y][x] = at
		}
	}
	return all
}

func webColor(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// A picture is frames that follow one another, made of lines that are drawn once each.
type picture struct {
	lines  []string
	number map[string]int // of a line
	styles []string
	frames []frame
}

type frame struct {
	lines   []int // numbers of the lines, from the top one on
	about   string
	seconds float64
}

// add adds a frame.
func (p *picture) add(cells [rows][columns]cell, s scene) {
	if p.number == nil {
		p.number = map[string]int{}
	}
	f := frame{about: s.about, seconds: s.seconds}
	for y := range cells {
		line := p.draw(cells[y][:])
		n, known := p.number[line]
		if !known {
			n = len(p.lines)
			p.number[line] = n
			p.lines = append(p.lines, line)
		}
		f.lines = append(f.lines, n)
	}
	p.frames = append(p.frames, f)
}

// draw draws a line: grounds that are not the usual one, and runs of text in one style, which blanks do not end.
func (p *picture) draw(cells []cell) string {
	var grounds, text strings.Builder
	for x := 0; x < len(cells); {
		end := x
		for end < len(cells) && cells[end].ground == cells[x].ground {
			end++
		}
		if fill := cells[x].ground; fill != "" {
			fmt.Fprintf(&grounds, `<rect x="%d" width="%d" height="%d" class="%s"/>`, x*cellWidth, (end-x)*cellWidth, lineHeight, p.class(fill, false))
		}
		x = end
	}
	for x := 0; x < len(cells); x++ {
		c, end, run := cells[x], x, ""
		if c.text == " " || c.isSecond {
			continue
		}
		for i := x; i < len(cells) && (cells[i].isSecond || cells[i].text == " " || cells[i].ink == c.ink && cells[i].bold == c.bold); i++ {
			if !cells[i].isSecond {
				run += cells[i].text
			}
			if cells[i].text != " " {
				end = i + 1
			}
		}
		fmt.Fprintf(&text, `<text x="%d" textLength="%d" class="%s">%s</text>`, x*cellWidth, (end-x)*cellWidth, p.class(or(c.ink, ink), c.bold), html.EscapeString(strings.TrimRight(run, " ")))
		x = end - 1
	}
	return grounds.String() + `<g transform="translate(0 13)">` + text.String() + "</g>"
}

// class returns the name of a style.
func (p *picture) class(fill string, bold bool) string {
	style := "fill:" + fill
	if bold {
		style += ";font-weight:bold"
	}
	at := slices.Index(p.styles, style)
	if at < 0 {
		at = len(p.styles)
		p.styles = append(p.styles, style)
	}
	return fmt.Sprintf("s%d", at)
}

// svg returns the picture as a file.
func (p *picture) svg() []byte {
	width, height := 2*margin+columns*cellWidth, 2*margin+(rows+2)*lineHeight
	var all float64
	for _, f := range p.frames {
		all += f.seconds
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 %d %d" font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="%.1f">`+"\n<style>text{white-space:pre}", width, height, fontSize)
	for i, style := range p.styles {
		fmt.Fprintf(&b, ".s%d{%s}", i, style)
	}
	begin := 0.0
	for i, f := range p.frames {
		from, to := 100*begin/all, 100*(begin+f.seconds)/all
		begin += f.seconds
		first := "hidden"
		if i == 0 {
			first = "visible"
		}
		fmt.Fprintf(&b, "\n@keyframes f%d{0%%{visibility:%s}%.3f%%{visibility:visible}%.3f%%,100%%{visibility:hidden}}\n#f%d{visibility:%s;animation:f%d %.1fs step-end infinite}", i, first, from, to, i, first, i, all)
	}
	fmt.Fprintf(&b, "\n</style>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>\n<defs>\n", ground)
	for i, line := range p.lines {
		fmt.Fprintf(&b, "<g id=\"l%d\">%s</g>\n", i, line)
	}
	b.WriteString("</defs>\n")
	for i, f := range p.frames {
		fmt.Fprintf(&b, `<g id="f%d">`, i)
		for y, n := range f.lines {
			fmt.Fprintf(&b, `<use href="#l%d" x="%d" y="%d"/>`, n, margin, margin+y*lineHeight)
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text></g>`+"\n", margin, margin+(rows+1)*lineHeight, caption, html.EscapeString(f.about))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
