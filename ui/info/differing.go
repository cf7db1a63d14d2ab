package info

import (
	"fmt"
	"strings"

	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/compare"
	"varview/themes"
	"varview/ui/paint"
)

// differing returns the bytes of a value in the other file and in this one, those that differ underlined.
// Where they are too many those before the first difference are left out, in a narrow window those of
// this file.
func (p Pane) differing(c *compare.Change, width int) (line []paint.Piece) {
	both := c.A != nil && c.B != nil && width >= 60
	if both {
		width /= 2
	}
	d, _ := p.Explorer.Differing()
	was, is := firstBytes(d.There(), c.A), firstBytes(d.Here(), c.B)
	if c.A != nil {
		line = p.oneSide(text.Clean(d.Name), themes.Removed, was, is, width)
	}
	if both || c.A == nil {
		line = append(line, p.oneSide("this file", themes.Added, is, was, width)...)
	}
	return line
}

func (p Pane) oneSide(name string, role themes.Role, b, other []byte, width int) []paint.Piece {
	label := " " + text.CutLeft(name, max(8, width/3)) + "  "
	line := []paint.Piece{paint.In(role, label)}
	from, most := 0, max(4, (width-text.Width(label)-2)/3)
	differs := func(i int) bool { return other != nil && (i >= len(other) || other[i] != b[i]) }
	if len(b) > most && other != nil {
		for from+1 < len(b) && !differs(from) {
			from++
		}
		from &^= 3
	}
	if from > 0 {
		line = append(line, paint.In(themes.Dim, fmt.Sprintf("+%#x: ", from)))
		most -= 3
	}
	for i := from; i < min(len(b), from+most); i++ {
		digits := paint.In(themes.Dim, fmt.Sprintf("%02x", b[i]))
		if differs(i) {
			digits.Role, digits.Differs = role, true
		}
		line = append(line, digits, paint.Plain(" "))
	}
	if from+most < len(b) {
		line = append(line, paint.In(themes.Dim, "…"))
	}
	return append(line, paint.Plain(strings.Repeat(" ", max(1, width-paint.Columns(line)))))
}

// maxCompared is the number of bytes of a value that are compared.
const maxCompared = 4096

// firstBytes returns the first bytes of a value; none if the value is not there.
func firstBytes(r *tree.Reader, n *tree.Node) []byte {
	if n == nil {
		return nil
	}
	end, err := r.End(n)
	if err != nil {
		end = n.Start + maxCompared
	}
	return r.Window().View(n.Start, min(maxCompared, end-n.Start))
}
