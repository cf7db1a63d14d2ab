package start

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/paint"
)

// previewRows is the number of values of the selected file that are shown.
const previewRows = 7

// listHeight returns the number of files in view.
func (p *Picker) listHeight() int {
	if rows := p.height - 3 - p.previewHeight(); p.previewHeight() > 0 {
		return rows
	}
	return max(1, p.height-2)
}

// previewHeight returns the number of lines below the list for the selected file; 0 in a low window.
func (p *Picker) previewHeight() int {
	if p.height < 16 {
		return 0
	}
	return previewRows + 1
}

// View implements tea.Model.
func (p *Picker) View() string {
	if p.width < 4 || p.height < 3 {
		return ""
	}
	s := &p.Styles
	border := s.In(themes.Border, "│")
	lines := []string{p.title()}
	for i := range p.listHeight() {
		line := strings.Repeat(" ", p.width-2)
		switch at := p.top + i; {
		case at < len(p.shown):
			line = p.line(p.shown[at], p.width-2)
		case i == 1 && len(p.shown) == 0:
			line = s.Line([]paint.Piece{paint.In(themes.Dim, "  "+p.none())}, p.width-2, false)
		}
		lines = append(lines, border+line+border)
	}
	if p.previewHeight() > 0 {
		lines = append(lines, s.In(themes.Border, "├"+strings.Repeat("─", p.width-2)+"┤"))
		for _, pieces := range p.preview() {
			lines = append(lines, border+s.Line(pieces, p.width-2, false)+border)
		}
	}
	keys := []key.Help{{Key: "↑/↓", Desc: "move"}, {Key: "letters", Desc: "filter"}, {Key: "enter", Desc: "open"}, {Key: "esc", Desc: "leave"}}
	bottom := paint.Keys(paint.FittingKeys(keys, paint.BottomRoom(p.width)))
	if p.filter != "" {
		bottom = []paint.Piece{paint.In(themes.Accent, "filter "), paint.Plain(p.filter), paint.In(themes.Cursor, " "), paint.In(themes.Dim, "  esc all files")}
	}
	return s.Window(strings.Join(append(lines, s.Bottom(bottom, p.width)), "\n"))
}

// title draws the upper frame.
func (p *Picker) title() string {
	said := "open a save · " + span.Counted(int64(len(p.shown)), "file")
	if p.searching {
		said += "…"
	}
	pieces := []paint.Piece{paint.In(themes.Border, "╭ "), paint.In(themes.Title, "varview"), paint.In(themes.Dim, text.Cut(" ─ "+said+" ", max(0, p.width-12)))}
	pieces = append(pieces, paint.In(themes.Border, strings.Repeat("─", max(0, p.width-1-paint.Columns(pieces)))+"╮"))
	return p.Styles.Line(pieces, p.width, false)
}

func (p *Picker) none() string {
	switch {
	case p.filter != "":
		return "no file or game has this in its name"
	case p.searching:
		return "looking for saves…"
	}
	return "no game files here; varview FILE opens one"
}

// line draws a file.
func (p *Picker) line(r *row, width int) string {
	pieces := []paint.Piece{paint.Plain(" "), paint.Plain("  ")}
	if r == p.at {
		pieces[1] = paint.In(themes.Accent, "› ")
	}
	if r.Group == Unsaved {
		pieces[0] = paint.In(themes.Changed, paint.Changed)
	}
	title, role := "…", themes.Dim
	if l := r.look; l != nil {
		title = l.Title
		switch {
		case l.Err != nil:
			title, role = "cannot be read", themes.Warning
		case l.IsLocked:
			title = "encrypted"
		case l.IsWeak:
			title += "?"
		case l.IsSave:
			role = themes.Keyword
		}
	}
	abouts, titles := 20, 18
	if p.isAllHere() || width >= wide {
		titles = 28
	}
	if p.isAllHere() {
		abouts = 0
	}
	columns := []struct {
		text  string
		role  themes.Role
		width int // width without the blank after it
		from  int // width of the window from which it is shown
	}{
		{r.about(), themes.Dim, abouts, 90}, {title, role, titles, 60}, {problemsOf(r), themes.Warning, 12, 100},
		{fmt.Sprintf("%9s", bytesize.Format(r.Size)), themes.Number, 9, 0}, {age(p.Now(), r.When), themes.Dim, 10, 50},
	}
	room := width - 3
	for _, c := range columns {
		if width >= c.from {
			room -= c.width + 1
		}
	}
	nameRole := themes.Key
	if r.look != nil && !r.look.IsSave {
		nameRole = themes.Dim
	}
	pieces = append(pieces, paint.In(nameRole, text.FitLeft(r.name, room)))
	for _, c := range columns {
		if width >= c.from {
			pieces = append(pieces, paint.Plain(" "), paint.In(c.role, text.Fit(text.Head(c.text, c.width), c.width)))
		}
	}
	return p.Styles.Line(pieces, width, r == p.at)
}

// wide is the width from which the names of formats have room.
const wide = 110

// isAllHere reports whether all files are in the folder and of no game, so that none has to say so.
func (p *Picker) isAllHere() bool {
	return !slices.ContainsFunc(p.shown, func(r *row) bool { return r.Group != Here || r.Of != "" })
}

// about says why a file is listed, and of which game it is.
func (r *row) about() string {
	return text.Clean(cmp.Or(r.Of, map[Group]string{Unsaved: "unsaved edits", Recent: "opened before", Here: "in this folder"}[r.Group]))
}

func problemsOf(r *row) string {
	if r.look == nil || r.look.Problems == 0 {
		return ""
	}
	return span.Counted(int64(r.look.Problems), "problem")
}

// preview returns the lines about the selected file.
func (p *Picker) preview() [][]paint.Piece {
	lines := make([][]paint.Piece, p.previewHeight())
	if p.at == nil {
		return lines
	}
	lines[0] = []paint.Piece{paint.In(themes.Title, " "+text.CutLeft(text.Clean(p.at.Path), max(1, p.width-4)))}
	say := func(role themes.Role, all ...string) {
		for i, s := range all {
			if i+1 < len(lines) {
				lines[i+1] = []paint.Piece{paint.In(role, "   "+text.Head(s, p.width))}
			}
		}
	}
	switch l := p.at.look; {
	case l == nil:
		say(themes.Dim, "reading…")
	case l.Err != nil:
		say(themes.Warning, text.Wrap(l.Err.Error(), max(10, p.width-6))...)
	case l.IsLocked:
		say(themes.Dim, "its content is encrypted; the password is asked for when it is opened")
	case !l.IsSave:
		say(themes.Dim, "this is not a save: "+l.Title)
	default:
		for i, row := range l.Rows[:min(len(l.Rows), len(lines)-1)] {
			indent := len(row) - len(strings.TrimLeft(row, " "))
			label, value, _ := strings.Cut(row[indent:], "  ")
			lines[i+1] = []paint.Piece{paint.Plain("   " + row[:indent]), paint.In(themes.Key, text.Head(label, p.width)), paint.In(themes.Value, "  "+text.Head(value, p.width))}
		}
	}
	return lines
}

// age says how long ago something was.
func age(now, then time.Time) string {
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	case d < 60*24*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
	return then.Format("2006-01-02")
}
