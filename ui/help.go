package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// A section of the help.
type section struct {
	title   string
	entries []entry
}

// An entry of a section: a key, command or mark, and what it means.
type entry struct {
	sign    []paint.Piece
	meaning string
}

func (s *section) add(meaning string, sign ...paint.Piece) {
	s.entries = append(s.entries, entry{sign, meaning})
}

// helpLines returns the help, made from the actions, the commands and the field kinds. The keys of a room
// come first.
func helpLines(actions action.Table, room action.Rooms, commands []command, width int) [][]paint.Piece {
	most, rest := mostUsed(actions, room)
	all := append(append([]section{most}, actionSections(rest, room)...), commandSection(commands), kindSection(), problemSection())
	return column(all, width)
}

// column puts sections one below the other. An entry that is too long for a line takes several.
func column(all []section, width int) (lines [][]paint.Piece) {
	for i, s := range all {
		if i > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, []paint.Piece{paint.In(themes.Title, s.title)})
		for _, e := range s.entries {
			indent := paint.Columns(e.sign)
			for j, part := range text.Wrap(e.meaning, max(10, width-indent)) {
				sign := e.sign
				if j > 0 {
					sign = []paint.Piece{paint.Plain(strings.Repeat(" ", indent))}
				}
				lines = append(lines, append(slices.Clone(sign), paint.Plain(part)))
			}
		}
	}
	return lines
}

// mostUsed returns the actions of a room that are used most, and all others.
func mostUsed(actions action.Table, room action.Rooms) (most section, rest action.Table) {
	most.title = "Used most; j scrolls to all others, / searches them"
	for _, a := range action.Most {
		if e := actions.Entry(a); e.Rooms&room != 0 {
			most.action(e)
		}
	}
	rest = slices.DeleteFunc(slices.Clone(actions), func(e action.Entry) bool { return e.Rooms&room != 0 && slices.Contains(action.Most, e.Action) })
	return most, rest
}

func (s *section) action(e action.Entry) {
	s.add(e.Help, paint.In(themes.Accent, "  "+text.Fit(e.Shown(), 12)))
}

// actionSections returns the actions by group: first those that only this room has, then all others.
func actionSections(actions action.Table, room action.Rooms) (all []section) {
	own := room &^ action.Differences
	for _, isFirst := range []bool{true, false} {
		for _, e := range actions {
			if isOwn := e.Rooms&^own == 0 && own != action.Tree || e.Rooms&room&action.Differences != 0; isOwn != isFirst {
				continue
			}
			if n := len(all); n == 0 || all[n-1].title != string(e.Group) {
				all = append(all, section{title: string(e.Group)})
			}
			all[len(all)-1].action(e)
		}
	}
	return all
}

func commandSection(commands []command) section {
	s := section{title: "Commands"}
	for _, c := range commands {
		args := paint.In(themes.Dim, c.args+"  ")
		args.Text = text.Fit(args.Text, max(text.Width(args.Text), 22-len(c.names[0])))
		s.add(c.does, paint.In(themes.Accent, "  :"+c.names[0]+" "), args)
	}
	return s
}

func kindSection() section {
	s := section{title: "Bytes: each field begins with the mark of its kind"}
	for _, kind := range span.Kinds() {
		role := themes.OfKind(kind.String())
		s.add(kind.Meaning(), paint.In(role, "  "+string(kind.Mark())+"  "), paint.In(role, text.Fit(kind.String(), 12)))
	}
	s.add("around the selected value", paint.In(themes.Accent, "  [ ] "))
	s.add("the place of a selected value without bytes", paint.In(themes.Accent, "  |   "))
	s.add("a byte that could not be unpacked", paint.In(themes.Gap, "  ··  "))
	s.add("differs from the file, also in the tree", paint.In(themes.Changed, "  •   "))
	s.add("a problem, from its first byte on; after the last byte, missing bytes", paint.In(themes.Error, "  ✗–  "))
	return s
}

func problemSection() section {
	s := section{title: "Tree, and the list of problems"}
	for _, sev := range []span.Severity{span.Error, span.Warning, span.Note} {
		role := paint.SeverityRoles[sev]
		s.add(severityMeanings[sev], paint.In(role, "  "+paint.SeverityMarks[sev]+"  "), paint.In(role, text.Fit(sev.String(), 12)))
	}
	s.add("in the tree: around what is in view, scrolled away", paint.In(themes.Accent, "  ▴  "))
	s.add("in the list: a repair is known", paint.In(themes.Accent, "  r  "))
	return s
}

var severityMeanings = map[span.Severity]string{
	span.Error:   "the engine refuses the value or misreads it",
	span.Warning: "it loads, but is unusual",
	span.Note:    "worth knowing: objects, scripts, ids",
}

// room returns the room that receives the keys.
func (m *Model) room() action.Rooms {
	x, ok := m.desk.Dialogs.Top().(dialog.Roomed)
	switch {
	case ok:
		return x.Room()
	case m.desk.Focus == desk.OnBytes:
		return action.Bytes
	case m.desk.Focus == desk.OnInspector:
		return action.Inspector
	}
	return action.Tree
}

// help opens the help for the room that receives the keys.
func (m *Model) help() tea.Cmd {
	d, room := m.desk, m.room()
	if m.differ.IsComparing() && room&action.Panes != 0 {
		room |= action.Differences
	}
	page := d.Page(nil)
	page.Lines = func(width int) [][]paint.Piece { return helpLines(d.Actions, room, m.commands.described(), width) }
	return d.Open(page)
}

// about is :info: a page that says what the open file is.
func (m *Model) about() tea.Cmd {
	d := m.desk
	var lines [][]paint.Piece
	row := func(name, value string) {
		if value != "" {
			lines = append(lines, []paint.Piece{paint.In(themes.Dim, text.Fit(name, 12)), paint.Plain(text.Clean(value))})
		}
	}
	row("file", d.Doc.Path())
	for _, b := range d.Doc.Buffers {
		row(fmt.Sprintf("buffer %d", b.Number), text.Join(b.Title(), bytesize.Format(b.Size()), span.Bytes(b.Size())))
	}
	if d.Doc.Missing != nil {
		row("values", "not available: "+d.Doc.WhyMissing().Message)
	} else if !d.Doc.IsForeign() {
		row("dialect", text.Join(d.Doc.Dialect, d.Doc.Framing))
		row("confidence", string(d.Doc.Confidence))
		row("also", strings.Join(d.Doc.Also, ", "))
		if n := d.Doc.Values(); n >= 0 {
			row("at the root", span.Counted(n, "value"))
		}
	}
	row("problems", span.Grouped(int64(d.Doc.ProblemCount(span.Warning)))+", ! lists them")
	return d.Open(d.Page(lines))
}

// explain is :help, about everything or about one command, key or action.
func (m *Model) explain(topic string) tea.Cmd {
	if topic == "" {
		return m.help()
	}
	topic = strings.TrimPrefix(topic, ":")
	about := section{title: "help " + topic}
	for _, c := range m.commands.described() {
		if slices.Contains(c.names, topic) {
			about.add(c.does, paint.In(themes.Accent, "  :"+strings.Join(c.names, " :")), paint.In(themes.Dim, " "+c.args+"  "))
		}
	}
	isMeant := func(k string) bool { return k == topic || action.Named(k) == topic }
	for _, e := range m.desk.Actions {
		if string(e.Action) == topic || slices.ContainsFunc(e.Keys, isMeant) {
			about.add(e.Help, paint.In(themes.Accent, "  "+e.Shown()), paint.In(themes.Dim, "  "+string(e.Action)+"  "))
		}
	}
	if about.entries == nil {
		return m.desk.Report(fmt.Errorf("no command, key or action %s; :help lists them all", topic))
	}
	page := m.desk.Page(nil)
	page.Lines = func(width int) [][]paint.Piece { return column([]section{about}, width) }
	return m.desk.Open(page)
}
