package find

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/ui/jobs"
)

// showHits shows all hits of the query, and if filters is set, reduces the tree to them. Resume looks for
// them.
func (f *Find) showHits(filters bool) {
	x := f.Explorer
	wanted := explore.NewHits(x.Buffer, f.query)
	if wanted.Within = f.within; x.Hits == nil || x.Hits.String() != wanted.String() {
		f.Counting.Stop()
		x.Hits = wanted
	}
	if f.Searches = true; filters && x.Filter() != x.Hits {
		x.SetFilter(x.Hits)
	}
}

// Resume looks for all shown hits once the hit to go to has been found: only one search runs at a time,
// on one processor, and leaves the other to the user interface.
func (f *Find) Resume() tea.Cmd {
	h := f.Explorer.Hits
	if h == nil || f.Seeking.Runs() || f.Counting.Runs() || h.Failed() {
		return nil
	}
	if _, all := h.Count(); all {
		return nil
	}
	return f.collect(&f.Counting, h)
}

// collect collects all hits of a query in the background.
func (f *Find) collect(job *jobs.Job, hits *explore.Hits) tea.Cmd {
	x := f.Explorer
	return f.Start(job, "counting hits", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		err := hits.Collect(ctx, p)
		return func() tea.Cmd {
			f.Report(err)
			x.Tick()
			if hits.Within != "" && x == f.Explorer && x.Filter() == hits && hits.Kept() > 0 {
				if hit, err := x.Hit(hits, 0); err == nil {
					f.GoToHit(hit)
				}
			}
			return nil
		}
	})
}

// Edited looks for the hits again after an edit.
func (f *Find) Edited() tea.Cmd {
	var cmds []tea.Cmd
	x := f.Explorer
	if h := x.Filter(); h != nil && !x.OnlyDiffering() {
		again := h.In(x.Buffer)
		x.SetFilter(again)
		cmds = append(cmds, f.collect(&f.Filtering, again))
	}
	if f.Searches {
		f.showHits(false)
		cmds = append(cmds, f.Resume())
	}
	return tea.Batch(cmds...)
}

// End ends a search: nothing is marked any more, and the tree is complete.
func (f *Find) End() {
	f.Counting.Stop()
	f.Filtering.Stop()
	f.Hit, f.Explorer.Hits, f.Searches = span.Span{}, nil, false
	f.Explorer.KeepSought()
	f.endFilter()
}

// endFilter shows all rows of the tree.
func (f *Find) endFilter() {
	f.Explorer.SetFilter(nil)
	f.SetFocus(f.Focus)
}

// Status says what is searched for and how many hits there are; "" if there is no search. Queries are cut
// to room columns.
func (f *Find) Status(room int) string {
	filter, hits := f.Explorer.Filter(), f.Explorer.Hits
	query := func(h *explore.Hits) string {
		return strings.TrimRight(text.Cut(text.Clean(h.String()), room), " ")
	}
	said := ""
	if hits != nil {
		if n, all := hits.Count(); n == 0 && all && filter == nil {
			return "" // the message has said so
		}
	}
	if filter != nil {
		said = "only " + cmp.Or(query(filter), "what differs")
	}
	switch {
	case hits == nil:
		return said
	case filter == nil:
		said = query(hits)
	case filter.String() != hits.String():
		said += " · " + query(hits)
	}
	return said + ": " + f.counted()
}

// counted says which of how many hits the cursor is on: "3 of 19".
func (f *Find) counted() string {
	h := f.Explorer.Hits
	n, all := h.Count()
	more := ""
	if !all {
		more = "…"
	}
	switch at := h.Number(f.Hit); {
	case n == 0 && all:
		return "no hits"
	case at > 0:
		return fmt.Sprintf("%s of %s%s", span.Grouped(int64(at)), span.Grouped(n), more)
	default:
		return span.Counted(n, "hit") + more
	}
}
