// Package results is the list of the hits of a search.
package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
	"varview/model/explore"
	"varview/model/search"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/find"
	"varview/ui/paint"
	"varview/ui/text"
)

// Results lists hits, and goes to them.
type Results struct {
	*desk.Desk
	find *find.Find
}

// New returns the list of the hits of a search.
func New(d *desk.Desk, f *find.Find) *Results { return &Results{d, f} }

// Show lists the hits of the last search.
func (r *Results) Show() tea.Cmd {
	if err := r.find.Again(); err != nil {
		return r.Say(err.Error())
	}
	cmd, hits := r.find.Resume(), r.Explorer.Hits
	l := &list{Results: r, keys: r.Actions.KeyMap(action.Results), hits: hits, lines: map[int]line{}}
	l.At = max(0, hits.Number(r.Hit)-1)
	l.rank()
	return tea.Batch(cmd, r.Open(l))
}

// Find lists the hits of a query.
func (r *Results) Find(typed string) tea.Cmd {
	if typed == "" {
		return r.Show()
	}
	q, err := search.ParseQueryOf(r.Explorer.Buffer.Tree(), typed)
	if err != nil {
		return r.Report(fmt.Errorf("query: %w", err))
	}
	return tea.Batch(r.find.Find(q), r.Show())
}

// A list is the open list. It is filled while it is looked at.
type list struct {
	*Results
	keys action.KeyMap
	hits *explore.Hits
	best []int // the indexes of the hits in the order of the rows; nil where that is the order of the bytes

	dialog.Rows
	lines map[int]line
}

// rank puts the best hits first, once all are found. The selected one stays selected.
func (l *list) rank() {
	if l.best != nil {
		return
	}
	if l.best = l.hits.BestFirst(); l.best != nil {
		l.At = slices.Index(l.best, l.At)
	}
}

// hit is the index of the hit in a row.
func (l *list) hit(row int) int {
	if l.best == nil {
		return row
	}
	return l.best[row]
}

// Room implements dialog.Roomed.
func (l *list) Room() action.Rooms { return action.Results }

// Place implements dialog.Dialog.
func (l *list) Place() dialog.Place { return dialog.OverPanes }

// Update implements dialog.Dialog.
func (l *list) Update(msg tea.KeyMsg) tea.Cmd {
	a := l.keys.Of(msg)
	if by, moves := a.Rows(l.height(), l.hits.Kept()); moves {
		l.Move(by, l.hits.Kept())
		return nil
	}
	switch a {
	case action.GoThere:
		if l.At < l.hits.Kept() {
			l.Close(l)
			l.goThere()
		}
	case action.Cancel, action.Quit:
		l.Close(l)
	}
	return nil
}

// Mouse implements dialog.Pointed.
func (l *list) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	if l.Pick(msg, by, msg.Y-1, l.height(), l.hits.Kept()) {
		l.Close(l)
		l.goThere()
	}
	return nil, true
}

// goThere goes to the selected hit.
func (l *list) goThere() {
	hit, err := l.Explorer.Hit(l.hits, l.hit(l.At))
	if err != nil {
		l.Report(fmt.Errorf("cannot go to the hit: %w", err))
		return
	}
	l.find.Explorer.Leap()
	l.find.GoToHit(hit)
}

// height is the number of hits in view, above the last line.
func (l *list) height() int {
	_, height := l.Window()
	return max(1, height-3)
}

// Hints implements dialog.Hinting.
func (l *list) Hints() []paint.Piece {
	move := []key.Help{l.keys.Hint("move", action.Down, action.Up)}
	return paint.Keys(append(append(move, l.keys.Hints(action.GoThere)...), l.keys.Hint("close", action.Cancel)))
}

// View implements dialog.Dialog.
func (l *list) View() []string {
	out, height := dialog.NewLines(l), l.height()
	width, kept := out.Width, l.hits.Kept()
	l.rank()
	l.Fit(height, kept)
	var shown []line
	pathWidth := 8
	for i := l.Top; i < min(kept, l.Top+height); i++ {
		x := l.read(l.hit(i), width)
		pathWidth = max(pathWidth, text.Width(x.path))
		shown = append(shown, x)
	}
	pathWidth = min(pathWidth, width*3/5)
	for i, x := range shown {
		pieces := append([]paint.Piece{paint.Plain(" ")}, l.marked(themes.Key, fit(x.path, pathWidth))...)
		pieces = append(pieces, paint.In(themes.Dim, "  "+text.Head(x.kind, width/4)+"  "))
		out.Row(l.Top+i == l.At, append(pieces, l.marked("", text.Head(x.value, width))...)...)
	}
	out.Fill(height)
	out.Put(false, paint.In(themes.Dim, " "+l.sum()))
	return out.All
}

// fit is clean text in exactly width columns, with its end where it is longer.
func fit(s string, width int) string {
	s = text.CutLeft(s, width)
	return s + strings.Repeat(" ", max(0, width-text.Width(s)))
}

// maxRead is the number of hits that are kept as they are shown.
const maxRead = 1000

// A line is what is shown of a hit.
type line struct{ path, kind, value string }

// read reads what is shown of a hit.
func (l *list) read(i, width int) line {
	if x, ok := l.lines[i]; ok {
		return x
	}
	x, err := l.Explorer.HitLine(l.hits, i, width)
	if err != nil {
		return line{path: "…"}
	}
	if len(l.lines) > maxRead {
		clear(l.lines)
	}
	l.lines[i] = line{text.Clean(x.Path), x.Type, x.Value}
	return l.lines[i]
}

// marked is text with what was found in it.
func (l *list) marked(role themes.Role, s string) []paint.Piece {
	places := l.hits.Query.Places(s)
	if len(places) == 0 {
		return []paint.Piece{paint.In(role, s)}
	}
	return paint.Marked(role, s, places)
}

// sum says how many hits there are, and of what.
func (l *list) sum() string {
	n, all := l.hits.Count()
	kept := int64(l.hits.Kept())
	said := span.Counted(n, "hit")
	switch {
	case n == 0 && all:
		said = "no hits"
	case kept < n:
		said = fmt.Sprintf("the first %s of %s", span.Grouped(kept), span.Counted(n, "hit"))
	}
	if !all {
		said += " so far"
	}
	said += " for " + l.hits.Query.String()
	if l.best != nil {
		said += ", the best first"
	}
	return text.Clean(said)
}
