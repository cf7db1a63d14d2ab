package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/paint"
)

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
	if d.Doc.IsModified() {
		row("changes", span.Counted(int64(max(0, d.Doc.Steps())), "step")+" since it was opened, :changes lists them")
	}
	if other := m.file.Other(); other != nil {
		row("other file", text.Join(other.Path(), "ctrl+6 goes there"))
	}
	return d.Open(d.Page(lines))
}

// explain is :help, about everything or about one command, key or action.
func (m *Model) explain(topic string) tea.Cmd {
	if topic == "" {
		return m.help()
	}
	topic = strings.TrimPrefix(topic, ":")
	var lines [][]paint.Piece
	for _, c := range m.commands.list {
		for _, name := range c.names {
			if name == topic && c.does != "" {
				lines = append(lines, []paint.Piece{paint.In(themes.Accent, ":"+strings.Join(c.names, " :")), paint.In(themes.Dim, " "+c.args+"  "), paint.Plain(c.does)})
			}
		}
	}
	for _, e := range m.desk.Actions {
		if string(e.Action) == topic || e.Has(topic) {
			lines = append(lines, []paint.Piece{paint.In(themes.Accent, e.Shown()), paint.In(themes.Dim, "  "+string(e.Action)+"  "), paint.Plain(e.Help)})
		}
	}
	if lines == nil {
		return m.desk.Report(fmt.Errorf("no command, key or action %s; :help lists them all", topic))
	}
	return m.desk.Open(m.desk.Page(lines))
}
