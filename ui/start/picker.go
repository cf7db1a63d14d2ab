// Package start is the screen on which a save is chosen.
package start

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/bytesize"
	"varview/model/saves"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// A Choice is what the user has chosen.
type Choice struct {
	Path   string // "" if the user has quit
	Filter string // what was typed to find it
	Learns bool   // the tutorial was chosen instead
}

// A Picker lists files. Its methods are those of a tea.Model.
type Picker struct {
	Ctx    context.Context
	Styles paint.Styles
	Folder string             // folder that is left out of the names of its files
	Before Choice             // what was chosen before, which is selected
	Files  <-chan saves.Found // closed after the last one
	Weak   bool               // whether files are listed that neither their bytes nor their names show to be saves
	Chosen Choice
	Now    func() time.Time // for tests

	width, height int
	all           []*row
	shown         []*row // rows that the filter leaves
	at            *row   // the selected one
	moved         bool   // the user has chosen the selection
	top           int    // index of the first row in view
	filter        string // in lower case
	kept          bool   // it is from before, and what is typed replaces it
	searching     bool   // files are still being found
	looking       bool
}

// A row is a file in the list.
type row struct {
	saves.Found
	name   string // as shown
	lower  string // what the filter is compared with
	look   *saves.Look
	hidden bool // it is not a save, and was only wanted if it were
}

type (
	foundMsg  []saves.Found
	lookedMsg struct {
		row  *row
		look saves.Look
	}
)

// Init implements tea.Model.
func (p *Picker) Init() tea.Cmd {
	p.searching, p.filter, p.kept = true, p.Before.Filter, true
	return p.wait
}

// wait returns the files found since the last call.
func (p *Picker) wait() tea.Msg {
	var found foundMsg
	f, more := <-p.Files
	for more {
		found = append(found, f)
		if len(found) == 200 {
			break
		}
		select {
		case f, more = <-p.Files:
			continue
		default:
		}
		break
	}
	return found
}

// Update implements tea.Model.
func (p *Picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.width, p.height = msg.Width, msg.Height
	case paint.Styles:
		p.Styles = msg
	case foundMsg:
		if p.searching = len(msg) > 0; p.searching {
			p.add(msg)
			cmd = p.wait
		}
	case lookedMsg:
		p.looking = false
		msg.row.look = &msg.look
		msg.row.lower += " " + strings.ToLower(msg.look.Title)
		msg.row.hidden = msg.row.Saves && !msg.look.IsSure
		p.list()
	case tea.KeyMsg:
		cmd = p.press(msg)
	case tea.MouseMsg:
		cmd = p.mouse(msg)
	}
	at := max(0, slices.Index(p.shown, p.at))
	p.top = max(0, min(max(p.top, at-p.listHeight()+1), at))
	return p, tea.Batch(cmd, p.lookOn())
}

// add adds files that were found. A file that is already listed keeps its first group.
func (p *Picker) add(found []saves.Found) {
	for _, f := range found {
		i := slices.IndexFunc(p.all, func(r *row) bool { return r.Path == f.Path })
		switch {
		case i < 0:
			r := &row{Found: f, name: p.nameOf(f.Path), hidden: f.Saves}
			r.lower = strings.ToLower(r.name + " " + f.Of)
			p.all = append(p.all, r)
			if f.Path == p.Before.Path && !p.moved {
				p.at, p.moved = r, true
			}
		case f.Group < p.all[i].Group:
			p.all[i].Group, p.all[i].hidden = f.Group, false
		}
		if i >= 0 && p.all[i].Of == "" {
			p.all[i].Of = f.Of
			p.all[i].lower += " " + strings.ToLower(f.Of)
		}
	}
	p.list()
}

// rank returns the group of a file. Where files were found, what is named as saves are comes first, then what its bytes
// show to be one, what may be one or was not looked into, what neither its bytes nor its name show to be one, and what is
// none.
func (r *row) rank() int {
	rank := 5 * int(r.Group)
	switch l := r.look; {
	case r.Group < saves.Here:
		return rank
	case saves.IsNamed(r.Path) && (l == nil || l.IsSave):
		return rank
	case l == nil:
		return rank + 2
	case l.IsSure:
		return rank + 1
	case l.IsWeak:
		return rank + 3
	case l.IsSave:
		return rank + 2
	}
	return rank + 4
}

// nameOf returns a path relative to the folder, or its end.
func (p *Picker) nameOf(path string) string {
	if inside, err := filepath.Rel(p.Folder, path); err == nil && !strings.HasPrefix(inside, "..") {
		return text.Clean(inside)
	}
	return text.Clean(filepath.Base(path))
}

// list sorts the files, latest first, and applies the filter: names that have it come before formats. A row selected by the user stays selected
// if it is still there.
func (p *Picker) list() {
	slices.SortStableFunc(p.all, func(a, b *row) int { return cmp.Or(cmp.Compare(a.rank(), b.rank()), b.When.Compare(a.When)) })
	p.shown = p.shown[:0]
	var weak []*row  // shown if there is nothing else, or if something is typed
	var other []*row // whose names do not have all that was typed
	words := strings.Fields(p.filter)
	has := func(text string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	}
	for _, r := range p.all {
		switch {
		case r.hidden || !has(r.lower):
		case r.look != nil && r.look.IsWeak && r.Group >= saves.Here && p.filter == "" && !p.Weak:
			weak = append(weak, r)
		case !has(strings.ToLower(r.name)):
			other = append(other, r)
		default:
			p.shown = append(p.shown, r)
		}
	}
	if p.shown = append(p.shown, other...); len(p.shown) == 0 {
		p.shown = weak
	}
	if !p.moved || !slices.Contains(p.shown, p.at) {
		p.at = nil
		if len(p.shown) > 0 {
			p.at = p.shown[0]
		}
	}
}

// lookOn looks into the next file: the selected one, those in view, then all others.
func (p *Picker) lookOn() tea.Cmd {
	next := p.next()
	if p.looking || next == nil || p.width == 0 {
		return nil
	}
	p.looking = true
	return func() tea.Msg {
		ctx, done := context.WithTimeout(p.Ctx, 5*time.Second)
		defer done()
		return lookedMsg{next, saves.LookInto(ctx, next.Path, previewRows, 200)}
	}
}

func (p *Picker) next() *row {
	unknown := func(r *row) bool { return r.look == nil }
	if p.at != nil && unknown(p.at) {
		return p.at
	}
	inView := p.shown[min(p.top, len(p.shown)):min(p.top+p.listHeight(), len(p.shown))]
	for _, rows := range [][]*row{inView, p.all} {
		if i := slices.IndexFunc(rows, unknown); i >= 0 {
			return rows[i]
		}
	}
	return nil
}

// press handles a key.
func (p *Picker) press(msg tea.KeyMsg) tea.Cmd {
	page := max(1, p.listHeight()-1)
	moves := map[string]int{"up": -1, "ctrl+p": -1, "shift+tab": -1, "down": 1, "ctrl+n": 1, "tab": 1, "pgup": -page, "pgdown": page, "home": -len(p.shown), "end": len(p.shown)}
	if by, ok := moves[action.NameOf(msg)]; ok {
		p.move(by)
		return nil
	}
	switch action.NameOf(msg) {
	case "ctrl+c":
		return tea.Quit
	case "esc":
		if p.filter == "" {
			return tea.Quit
		}
		p.setFilter("")
	case "enter":
		return p.choose()
	case "ctrl+u":
		p.setFilter("")
	case "backspace":
		if r := []rune(p.filter); len(r) > 0 {
			p.setFilter(string(r[:len(r)-1]))
		}
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			if p.kept {
				p.filter = ""
			}
			p.setFilter(p.filter + strings.ToLower(text.Clean(string(msg.Runes))))
		}
	}
	return nil
}

func (p *Picker) setFilter(s string) {
	p.filter, p.moved, p.kept = s, false, false
	p.list()
}

func (p *Picker) choose() tea.Cmd {
	switch {
	case p.filter == tutorial:
		p.Chosen.Learns = true
	case p.at == nil:
		return nil
	default:
		p.Chosen = Choice{Path: p.at.Path, Filter: p.filter}
	}
	return tea.Quit
}

func (p *Picker) move(by int) {
	if p.moved = true; len(p.shown) > 0 {
		at := slices.Index(p.shown, p.at) + by
		p.at = p.shown[max(0, min(at, len(p.shown)-1))]
	}
}

// mouse handles a click, which chooses the selected row, and the wheel.
func (p *Picker) mouse(msg tea.MouseMsg) tea.Cmd {
	by := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -3, tea.MouseButtonWheelDown: 3}[msg.Button]
	if msg.Action != tea.MouseActionPress || len(p.shown) == 0 {
		return nil
	}
	rows := dialog.Rows[int]{At: max(0, slices.Index(p.shown, p.at)), Top: p.top}
	if rows.Pick(msg, by, msg.Y-1, p.listHeight(), len(p.shown)) {
		return p.choose()
	}
	p.at, p.moved = p.shown[rows.At], true
	return nil
}

// Size returns the size of the window.
func (p *Picker) Size() (width, height int) { return p.width, p.height }

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
	out := dialog.Lines{Styles: s, Width: p.width - 2, All: []string{p.title()}, Focused: true}
	name, behind := p.widths(p.width - 2)
	none := text.Wrap(p.none(), max(10, p.width-6))
	for i := range p.listHeight() {
		switch at := p.top + i; {
		case at < len(p.shown):
			out.Put(p.shown[at] == p.at, p.line(p.shown[at], name, behind)...)
		case i > 0 && i <= len(none) && len(p.shown) == 0:
			out.Put(false, paint.In(themes.Dim, "  "+none[i-1]))
		default:
			out.Put(false)
		}
	}
	if p.previewHeight() > 0 {
		out.Rule()
		for _, pieces := range p.preview() {
			out.Put(false, pieces...)
		}
	}
	keys := []key.Help{{Key: "↑/↓", Desc: "move"}, {Key: "letters", Desc: "filter"}, {Key: "enter", Desc: "open"}, {Key: "esc", Desc: "leave"}}
	if len(p.all) == 0 {
		keys = []key.Help{{Key: tutorial, Desc: "learn"}, {Key: "esc", Desc: "leave"}}
	}
	bottom := paint.BottomKeys(keys, p.width)
	if p.filter != "" {
		bottom = []paint.Piece{paint.In(themes.Accent, "filter "), paint.Plain(p.filter), paint.In(themes.Cursor, " "), paint.In(themes.Dim, "  esc all files")}
	}
	return s.Window(strings.Join(append(out.All, s.Bottom(bottom, p.width)), "\n"))
}

// title draws the upper frame.
func (p *Picker) title() string {
	said := "open a save · " + span.Counted(int64(len(p.shown)), "file")
	if len(p.all) >= saves.MaxIn {
		said += fmt.Sprintf(", at most %d of a folder", saves.MaxIn)
	}
	if p.searching {
		said += "…"
	}
	pieces := []paint.Piece{paint.In(themes.Border, "╭ "), paint.In(themes.Title, "varview"), paint.In(themes.Dim, text.Cut(" ─ "+said+" ", max(0, p.width-12)))}
	pieces = append(pieces, paint.In(themes.Border, strings.Repeat("─", max(0, p.width-1-paint.Columns(pieces)))+"╮"))
	return p.Styles.Line(pieces, p.width)
}

// tutorial is the command that can be typed before a file is open.
const tutorial = ":tutor"

func (p *Picker) none() string {
	switch {
	case p.filter == tutorial:
		return "enter begins the tutorial, on a save of its own"
	case strings.HasPrefix(p.filter, ":"):
		return "commands are typed once a file is open: open one, then " + p.filter
	case p.filter != "":
		return "no file or game has this in its name"
	case p.searching:
		return "looking for saves…"
	}
	return "no game files here; varview FILE opens one, :tutor teaches on a save of its own"
}

// A column is what stands in a column of a row.
type column struct {
	text string
	role themes.Role
}

// The columns behind the name: the most that each takes, and the smallest window in which it is shown.
var most, shownFrom = [...]int{20, 28, 12, 9, 10}, [...]int{70, 50, 60, 0, 40}

// columns returns what stands behind the name of a file.
func (p *Picker) columns(r *row) [len(most)]column {
	title, role, problems := "…", themes.Dim, ""
	if l := r.look; l != nil {
		switch title, problems = l.Title, l.Problems; {
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
	return [...]column{{r.about(), themes.Dim}, {title, role}, {problems, themes.Warning}, {fmt.Sprintf("%9s", bytesize.Format(r.Size)), themes.Number}, {age(p.Now(), r.When), themes.Dim}}
}

// yielding are the columns that become narrower, or go, where names have no room, in this order.
var yielding = []struct{ column, to int }{{1, 14}, {0, 0}, {2, 0}, {4, 0}, {1, 0}}

// leastName is the room in columns that names have first.
const leastName = 24

// widths returns the columns of the window that names take, and those behind them, as wide as their widest content.
func (p *Picker) widths(width int) (name int, behind [len(most)]int) {
	for _, r := range p.shown {
		name = max(name, text.Width(r.name))
		for i, c := range p.columns(r) {
			if width >= shownFrom[i] {
				behind[i] = max(behind[i], min(most[i], text.Width(c.text)))
			}
		}
	}
	if !slices.ContainsFunc(p.shown, func(r *row) bool { return r.Group != saves.Here }) { // none has to say so
		behind[0] = 0
	}
	room := func() int {
		left := width - 4
		for _, n := range behind {
			if n > 0 {
				left -= n + between
			}
		}
		return left
	}
	for _, y := range yielding {
		if room() < min(name, leastName) {
			behind[y.column] = min(behind[y.column], y.to)
		}
	}
	return max(1, min(name, room())), behind
}

// between is the number of blanks between columns.
const between = 2

// line draws a file in columns of some widths.
func (p *Picker) line(r *row, name int, behind [len(most)]int) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" "), paint.Plain("  ")}
	if r == p.at {
		pieces[1] = paint.In(themes.Accent, "› ")
	}
	if r.Group == saves.Unsaved {
		pieces[0] = paint.In(themes.Changed, paint.Changed)
	}
	role := themes.Key
	if r.look != nil && !r.look.IsSave {
		role = themes.Dim
	}
	pieces = append(pieces, paint.In(role, text.FitLeft(r.name, name)))
	for i, c := range p.columns(r) {
		if n := behind[i]; n > 0 {
			pieces = append(pieces, paint.Plain(strings.Repeat(" ", between)), paint.In(c.role, text.Fit(text.Head(c.text, n), n)))
		}
	}
	return pieces
}

// about says why a file is listed, and of which game it is.
func (r *row) about() string {
	return text.Clean(cmp.Or(r.Of, map[saves.Group]string{saves.Unsaved: "unsaved edits", saves.Recent: "opened before", saves.Here: "in this folder"}[r.Group]))
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
		say(themes.Dim, "no save that varview reads: "+l.Title)
	default:
		for i, row := range l.Rows[:min(len(l.Rows), len(lines)-1)] {
			indent := len(row) - len(strings.TrimLeft(row, " "))
			label, value, _ := strings.Cut(row[indent:], "  ")
			role := themes.Value
			switch {
			case strings.HasPrefix(value, "("), strings.Contains(value, " × "):
				role = themes.Dim
			case strings.IndexAny(value, "\"&^") == 0:
				role = themes.String
			}
			lines[i+1] = []paint.Piece{paint.Plain("   " + row[:indent]), paint.In(themes.Key, text.Head(label, p.width)), paint.In(role, "  "+text.Head(value, p.width))}
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
