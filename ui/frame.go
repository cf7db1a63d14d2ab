package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/themes"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/paint"
	"varview/ui/text"
)

// View implements tea.Model: the whole window, each line exactly as wide as it.
func (m *Model) View() string {
	d := m.desk
	over := d.Dialogs.At(dialog.OverPanes)
	if top := d.Dialogs.Top(); top != nil && top.Place() == dialog.InPane {
		over = nil // a key is typed in the tree, also when it is asked for over it
	}
	modest, _ := over.(dialog.Modest)
	var lines []string
	switch {
	case d.Width == 0:
		return ""
	case tooSmall(d.Width, d.Height) && (modest == nil || !modest.Fits(d.Width, d.Height)):
		return m.smallWindow()
	case over != nil:
		lines = append([]string{m.title.view()}, over.View()...)
	default:
		lines = m.panes()
	}
	if x, ok := d.Dialogs.Top().(dialog.Popping); ok {
		popup := x.Popup()
		copy(lines[max(0, len(lines)-len(popup)):], popup)
	}
	above := m.overflow()
	copy(lines[max(0, len(lines)-len(above)):], above)
	return strings.Join(append(lines, m.bottomLine()), "\n")
}

// panes draws the panes, and what is below them.
func (m *Model) panes() []string {
	s, divided := &m.desk.Styles, m.divided()
	lines := make([]string, 0, m.desk.Height)
	border := s.In(themes.Border, "│")
	tree, hex := m.drawn()
	ofTree, ofHex := border, border // the borders of the pane with the focus are seen at a glance
	top := m.desk.Dialogs.Top()
	switch focus := m.desk.Focus; {
	case top != nil && top.Place() == dialog.BelowPanes: // that has the focus
	case focus == desk.OnTree:
		ofTree = s.In(themes.Accent, "│")
	case focus == desk.OnBytes:
		ofHex = s.In(themes.Accent, "│")
	}
	switch {
	case m.layout.alone:
		for _, t := range tree {
			lines = append(lines, border+t+border)
		}
	case m.layout.stacked:
		for _, t := range tree {
			lines = append(lines, ofTree+t+ofTree)
		}
		lines = append(lines, s.In(themes.Border, "├"+strings.Repeat("─", m.layout.hex.Width)+"┤"))
		for _, h := range hex {
			lines = append(lines, ofHex+h+ofHex)
		}
	default:
		middle := border
		if ofTree != border || ofHex != border {
			middle = s.In(themes.Accent, "│")
		}
		for i := range tree {
			lines = append(lines, ofTree+tree[i]+middle+hex[i]+ofHex)
		}
	}
	lines = append([]string{m.title.view(divided...)}, m.withInspector(lines)...)
	lines = append(lines, m.rule(divided))
	if below := m.desk.Dialogs.At(dialog.BelowPanes); below != nil {
		return append(lines, below.View()...)
	}
	about := m.info.View
	if in := m.desk.Dialogs.At(dialog.InPane); in != nil {
		about = in.View
	}
	for _, line := range about() {
		lines = append(lines, border+line+border)
	}
	return lines
}

// smallWindow is the message in a window that is too small.
func (m *Model) smallWindow() string {
	width, height := m.desk.Window()
	lines := make([]string, max(1, height))
	for i := range lines {
		lines[i] = strings.Repeat(" ", width)
	}
	lines[0] = text.Fit(fmt.Sprintf("varview needs %d×%d, this is %d×%d", minWidth, minHeight, width, height), width)
	return strings.Join(lines, "\n")
}

// divided are the columns in which lines between panes meet those above and below.
func (m *Model) divided() []int {
	var columns []int
	if !m.layout.stacked && !m.layout.alone {
		columns = append(columns, 1+m.layout.treeWidth)
	}
	if n := m.inspect.Columns(); n > 0 {
		columns = append(columns, m.desk.Width-1-n)
	}
	return columns
}

// rule draws the line below the panes, with an offer that waits for an answer.
func (m *Model) rule(divided []int) string {
	line := slices.Repeat([]string{"─"}, m.desk.Width)
	for _, at := range divided {
		line[at] = "┴"
	}
	line[0], line[len(line)-1] = "├", "┤"
	var offer []paint.Piece
	if said, remedy := m.file.Offer(); said != "" {
		offer = drawOffer(said, remedy, len(line)-4)
	}
	if _, asks := m.desk.Dialogs.Top().(*dialog.Question); asks || offer == nil {
		return m.desk.Styles.In(themes.Border, strings.Join(line, ""))
	}
	pieces := append([]paint.Piece{paint.In(themes.Border, line[0]+line[1])}, offer...)
	return m.desk.Styles.Line(append(pieces, paint.In(themes.Border, strings.Join(line[paint.Columns(pieces):], ""))), len(line), false)
}

// drawOffer draws an offer and what is to be done about it in at most width columns, the latter always.
func drawOffer(said string, remedy key.Help, width int) []paint.Piece {
	keys := append([]paint.Piece{paint.Plain(" ")}, paint.Keys([]key.Help{remedy})...)
	keys[len(keys)-1].Text = strings.TrimRight(keys[len(keys)-1].Text, " ") + " "
	said = strings.TrimRight(text.Cut(text.Clean(said), max(1, width-1-paint.Columns(keys))), " ")
	return append([]paint.Piece{paint.In(themes.Warning, " "+said+" ")}, keys...)
}

// bottomLine draws the lower frame with a dialog, a message, or the keys.
func (m *Model) bottomLine() string {
	d, top := m.desk, m.desk.Dialogs.Top()
	if top != nil && top.Place() == dialog.AtBottom {
		return top.View()[0]
	}
	hinting, _ := top.(dialog.Hinting)
	var pieces []paint.Piece
	end := m.hints.search()
	if m.hex.Typing() {
		pieces, hinting = m.hex.Mode(), m.hex
	}
	said := m.inBottom()
	switch {
	case said != "":
		pieces = append(pieces, paint.In(d.Message.Role(), said))
		if paint.Columns(pieces)+paint.Columns(end) > paint.BottomRoom(d.Width) {
			end = nil
		}
	case hinting != nil:
		pieces, end = append(pieces, hinting.Hints()...), nil
	case d.Focus == desk.OnInspector:
		pieces, end = m.inspect.Hints(), nil
	default:
		pieces = m.hints.view(paint.BottomRoom(d.Width) - paint.Columns(end))
	}
	return d.Styles.BottomWith(pieces, end, d.Width)
}
