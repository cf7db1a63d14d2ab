package find

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
	"varview/ui/dialog"
	"varview/ui/paint"
)

// ListHits lists the hits of the last search.
func (f *Find) ListHits() tea.Cmd {
	if err := f.Again(); err != nil {
		return f.Say(err.Error())
	}
	cmd, hits := f.Resume(), f.Explorer.Hits
	l := &hitList{Find: f, hits: hits}
	l.List = dialog.List{On: f, KeyMap: f.Actions.KeyMap(action.Results), In: action.Results, Goes: "go there", Rows: dialog.Rows{At: max(0, hits.Number(f.Hit)-1)},
		Count: func() int { l.rank(); return hits.Kept() }, Measure: l.measure, Draw: l.row, Sum: l.sum, GoThere: l.goThere}
	return tea.Batch(cmd, f.Open(&l.List))
}

// ListAll lists the hits of a query.
func (f *Find) ListAll(typed string) tea.Cmd {
	if typed == "" {
		return f.ListHits()
	}
	q, err := search.ParseQueryOf(f.Explorer.Buffer.Tree(), typed)
	if err != nil {
		return f.Report(fmt.Errorf("query: %w", err))
	}
	return tea.Batch(f.Find(q), f.ListHits())
}

// A hitList is the open list of hits. It is filled while it is shown.
type hitList struct {
	*Find
	dialog.List
	hits  *explore.Hits
	best  []int // indexes of the hits in the order of the rows; nil for the order of the bytes
	lines dialog.Kept[explore.HitLine]
	where int // columns of the paths in view
}

// rank puts the best hits first, once all have been found. The selected one stays selected.
func (l *hitList) rank() {
	if l.best != nil {
		return
	}
	if l.best = l.hits.BestFirst(); l.best != nil {
		l.At = slices.Index(l.best, l.At)
	}
}

// hit returns the index of the hit in a row.
func (l *hitList) hit(row int) int {
	if l.best == nil {
		return row
	}
	return l.best[row]
}

// goThere goes to the hit of a row.
func (l *hitList) goThere(row int) tea.Cmd {
	hit, err := l.Explorer.Hit(l.hits, l.hit(row))
	if err != nil {
		return l.Report(fmt.Errorf("cannot go to the hit: %w", err))
	}
	l.Explorer.Leap()
	l.GoToHit(hit)
	return nil
}

// measure makes room for the paths in view.
func (l *hitList) measure(from, to, width int) {
	l.where = 8
	for i := from; i < to; i++ {
		l.where = min(max(l.where, text.Width(l.read(i, width).Path)), width*3/5)
	}
}

// row draws a hit.
func (l *hitList) row(row, width int) []paint.Piece {
	x := l.read(row, width)
	pieces := append([]paint.Piece{paint.Plain(" ")}, l.marked(themes.Key, text.FitLeft(x.Path, l.where))...)
	pieces = append(pieces, paint.In(themes.Dim, "  "+text.Head(x.Type, width/4)+"  "))
	return append(pieces, l.marked("", text.Head(x.Value, width))...)
}

// read reads what is shown of the hit of a row.
func (l *hitList) read(row, width int) explore.HitLine {
	x, known := l.lines.Get(int64(l.hit(row)), false, func(i int64) (explore.HitLine, bool) {
		x, err := l.Explorer.HitLine(l.hits, int(i), width)
		x.Path = text.Clean(x.Path)
		return x, err == nil
	})
	if !known {
		x.Path = "…"
	}
	return x
}

// marked returns text with what was found in it marked.
func (l *hitList) marked(role themes.Role, s string) []paint.Piece {
	places := l.hits.Query.Places(s)
	if len(places) == 0 {
		return []paint.Piece{paint.In(role, s)}
	}
	return paint.Marked(role, s, places)
}

// sum says how many hits there are, and of what.
func (l *hitList) sum() string {
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
