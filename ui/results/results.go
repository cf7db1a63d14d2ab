// Package results lists the hits of a search.
package results

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/explore"
	"varview/model/search"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/find"
	"varview/ui/paint"
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
	l := &list{Results: r, hits: hits, lines: map[int]line{}}
	l.List = dialog.List{Context: r, KeyMap: r.Actions.KeyMap(action.Results), In: action.Results, Goes: "go there", Rows: dialog.Rows{At: max(0, hits.Number(r.Hit)-1)},
		Count: func() int { l.rank(); return hits.Kept() }, Shown: l.shown, Sum: l.sum, GoThere: l.goThere}
	return tea.Batch(cmd, r.Open(&l.List))
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

// A list is the open list. It is filled while it is shown.
type list struct {
	*Results
	dialog.List
	hits  *explore.Hits
	best  []int // indexes of the hits in the order of the rows; nil for the order of the bytes
	lines map[int]line
}

// rank puts the best hits first, once all have been found. The selected one stays selected.
func (l *list) rank() {
	if l.best != nil {
		return
	}
	if l.best = l.hits.BestFirst(); l.best != nil {
		l.At = slices.Index(l.best, l.At)
	}
}

// hit returns the index of the hit in a row.
func (l *list) hit(row int) int {
	if l.best == nil {
		return row
	}
	return l.best[row]
}

// goThere goes to the hit of a row.
func (l *list) goThere(row int) tea.Cmd {
	hit, err := l.Explorer.Hit(l.hits, l.hit(row))
	if err != nil {
		return l.Report(fmt.Errorf("cannot go to the hit: %w", err))
	}
	l.Explorer.Leap()
	l.find.GoToHit(hit)
	return nil
}

// shown draws rows, with their values in a column.
func (l *list) shown(from, to, width int) (rows [][]paint.Piece) {
	pathWidth := 8
	for i := from; i < to; i++ {
		pathWidth = max(pathWidth, text.Width(l.read(l.hit(i), width).path))
	}
	pathWidth = min(pathWidth, width*3/5)
	for i := from; i < to; i++ {
		x := l.read(l.hit(i), width)
		pieces := append([]paint.Piece{paint.Plain(" ")}, l.marked(themes.Key, text.FitLeft(x.path, pathWidth))...)
		pieces = append(pieces, paint.In(themes.Dim, "  "+text.Head(x.kind, width/4)+"  "))
		rows = append(rows, append(pieces, l.marked("", text.Head(x.value, width))...))
	}
	return rows
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

// marked returns text with what was found in it marked.
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
