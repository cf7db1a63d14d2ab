package records

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/records"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/draw"
	"varview/ui/paint"
)

// A sums is the summary of the records of a view, with the selected group over time.
type sums struct {
	*Pane
	stats   *records.Stats
	groups  []*records.Group
	at, top int
}

// addUp sums up the records that match a query, and shows the result.
func (p *Pane) addUp(query string) tea.Cmd {
	list, search := p.list, p.searchFor(query)
	p.seeks = func() tea.Cmd { return p.addUp(query) }
	return p.Start(&p.Seeking, "adding up the messages", func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		v, err := search.Look(ctx, list, progress.Set)
		return func() tea.Cmd {
			p.seeks = nil
			if err != nil {
				return p.Report(err)
			}
			if p.view.Query != query { // all are listed, since the file was opened again
				p.view, p.at = v, v.Find(p.at)
			}
			s := dialog.Find[*sums](p.Dialogs)
			if s != nil {
				s.stats, s.groups = &v.Stats, v.Stats.Groups()
				s.move(0)
				return nil
			}
			return p.Open(&sums{Pane: p, stats: &v.Stats, groups: v.Stats.Groups()})
		}
	})
}

// Room implements dialog.Roomed.
func (s *sums) Room() action.Rooms { return action.Records }

// Place implements dialog.Dialog.
func (s *sums) Place() dialog.Place { return dialog.OverPanes }

// Yields implements dialog.Yielding.
func (s *sums) Yields() bool { return false }

// sizes returns the numbers of lines of the plot and of the table.
func (s *sums) sizes() (plot, table int) {
	inner := s.Height - 2
	plot = max(3, inner*2/5)
	return plot, max(1, inner-plot-4)
}

// Update implements dialog.Dialog.
func (s *sums) Update(msg tea.KeyMsg) tea.Cmd {
	_, height := s.sizes()
	a := s.keys.Of(msg)
	if by, moves := a.Rows(height, len(s.groups)); moves {
		s.move(by)
		return nil
	}
	switch a {
	case action.GoThere:
		return s.narrow()
	case action.Cancel, action.Quit, action.ShowStats:
		s.Close(s)
	}
	return nil
}

func (s *sums) move(by int) { s.at = max(0, min(s.at+by, len(s.groups)-1)) }

// narrow lists the records of the selected group.
func (s *sums) narrow() tea.Cmd {
	if len(s.groups) == 0 {
		return nil
	}
	r := s.read(int64(s.groups[s.at].Where))
	s.Close(s)
	if s.groups[s.at].Kind == records.Others {
		return nil
	}
	query := r.Alike[format.SameDeed]
	if was := s.view.Query; was != "" {
		query = "(" + was + ") " + query
	}
	return s.look(query)
}

// Mouse implements dialog.Pointed.
func (s *sums) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	plot, height := s.sizes()
	row := s.top + msg.Y - 1 - plot - 3
	switch {
	case by != 0:
		s.move(by)
	case msg.Button == tea.MouseButtonLeft && row == s.at:
		return s.narrow(), true
	case msg.Button == tea.MouseButtonLeft && row >= s.top && row < min(s.top+height, len(s.groups)):
		s.at = row
	}
	return nil, true
}

// Hints implements dialog.Hinting.
func (s *sums) Hints() []paint.Piece {
	return paint.Keys([]key.Help{s.keys.Hint("move", action.Down, action.Up), s.keys.Hint("only these", action.GoThere), s.keys.Hint("close", action.Cancel)})
}

// View implements dialog.Dialog.
func (s *sums) View() []string {
	out := dialog.NewLines(s)
	plot, height := s.sizes()
	out.Put(false, s.heading()...)
	for _, line := range s.plot(out.Width-2, plot) {
		out.Put(false, line...)
	}
	out.Put(false, paint.In(themes.Title, s.names(out.Width)))
	s.top = max(s.at-height+1, min(s.top, s.at), 0)
	for i := s.top; i < min(s.top+height, len(s.groups)); i++ {
		out.Row(i == s.at, s.line(s.groups[i], out.Width)...)
	}
	out.Fill(s.Height - 2)
	return out.All
}

// heading returns the sum over all records.
func (s *sums) heading() []paint.Piece {
	said := span.Counted(s.stats.Records, s.list.Name) + ", " + span.Bytes(s.stats.Bytes)
	if seconds := s.stats.Last.Sub(s.stats.First).Seconds(); seconds > 0 {
		said += fmt.Sprintf(" in %.3f s, %s a second", seconds, span.Bytes(int64(s.stats.Rate(s.stats.Bytes))))
	}
	pieces := []paint.Piece{paint.In(themes.Title, " "+said)}
	if q := s.view.Query; q != "" {
		pieces = append(pieces, paint.In(themes.Dim, "  only "+text.Clean(q)))
	}
	return pieces
}

// plot draws bytes per second: of all records and, in front of them, of the selected group.
func (s *sums) plot(width, height int) (lines [][]paint.Piece) {
	first, last := s.stats.First, s.stats.Last
	if len(s.groups) == 0 || !last.After(first) {
		return append(lines, []paint.Piece{paint.In(themes.Dim, "  the messages have no times, or all have the same: there is nothing to draw")})
	}
	n := draw.AreaWidth(width)
	all := s.stats.Time.Rates(first, last, n)
	most := slices.Max(all)
	part := s.groups[s.at].Time.Rates(first, last, n)
	lines = draw.Areas(all, part, most, rate(most), "0", width, height-1)
	begin, end := s.since(first)+" s", s.since(last)+" s"
	between := strings.Repeat(" ", max(1, n/2-text.Width(begin)-text.Width(end)))
	axis := strings.Repeat(" ", width-n/2)
	return append(lines, []paint.Piece{paint.In(themes.Dim, axis+begin+between+end)})
}

// rate formats bytes per second in few digits.
func rate(bytes float64) string {
	switch {
	case bytes < 10_000:
		return fmt.Sprintf("%.0f B/s", bytes)
	case bytes < 10_000<<10:
		return fmt.Sprintf("%.0f KiB/s", bytes/(1<<10))
	}
	return fmt.Sprintf("%.0f MiB/s", bytes/(1<<20))
}

// narrowSums is the width of a window up to which the table has fewer columns.
const narrowSums = 90

func (s *sums) names(width int) string {
	if width < narrowSums {
		return "    count     bytes  share  largest  kind           method"
	}
	return "    count     bytes  share   bytes/s  largest (message)  kind                 method"
}

// line draws a group.
func (s *sums) line(g *records.Group, width int) []paint.Piece {
	share := 0.0
	if s.stats.Bytes > 0 {
		share = 100 * float64(g.Bytes) / float64(s.stats.Bytes)
	}
	numbers := fmt.Sprintf(" %7d %9d %5.1f%% ", g.Count, g.Bytes, share)
	kind := 15
	if width < narrowSums {
		numbers += fmt.Sprintf("%8d  ", g.Largest)
	} else {
		numbers += fmt.Sprintf("%9.0f %8d %9s  ", s.stats.Rate(g.Bytes), g.Largest, "("+strconv.Itoa(g.Where)+")")
		kind = 21
	}
	return []paint.Piece{paint.In(themes.Number, numbers), paint.In(themes.Keyword, text.Fit(g.Kind, kind)),
		paint.In(themes.Key, text.Clean(g.Title()))}
}
