package hex

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/model"
	"varview/themes"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// An overview is the bar at the right edge, which represents the whole buffer from top to bottom.
type overview struct {
	entropy bool        // entropy is shown
	of      model.Range // the range to which parts belong
	parts   []float64   // bits per byte in parts of equal length; nil while unknown
	job     jobs.Job
	marks   []int64 // offsets that the user has marked
}

const (
	inView = "▐"
	hitBar = "+"
	marked = "'"
)

var levels = []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// isWhole reports whether the whole buffer is in view, so that no overview is needed.
func (p *Pane) isWhole() bool {
	return p.Top == 0 && p.end >= p.Explorer.Buffer.Size()
}

// part returns the range of the buffer that a row of the bar represents.
func (p *Pane) part(row int) (from, to int64) {
	size, rows := p.Explorer.Buffer.Size(), int64(p.Layout.Height)
	from, to = share(int64(row), size, rows), share(int64(row+1), size, rows)
	return from, max(to, from+1)
}

// share returns i/n of size without overflow.
func share(i, size, n int64) int64 { return size/n*i + size%n*i/n }

// beginOverview prepares what all rows of a frame need.
func (p *Pane) beginOverview() {
	p.over.marks = p.over.marks[:0]
	if p.isWhole() {
		return
	}
	for _, m := range p.State.Data().MarksOf(p.Doc.Path()) {
		if m.Buffer == p.Explorer.Buffer.Number {
			p.over.marks = append(p.over.marks, m.Offset)
		}
	}
}

// bar draws a row of the overview.
func (p *Pane) bar(out *paint.Painter, row int) {
	if p.isWhole() && !p.over.entropy {
		out.Put("", " ")
		return
	}
	from, to := p.part(row)
	isInView := from < p.end && to > p.Top && !p.isWhole()
	text, role := " ", themes.Role("")
	if isInView {
		text, role = inView, themes.Accent
	}
	if p.over.entropy {
		if level := p.entropyIn(row); level != "" {
			text, role = level, themes.Border
			if isInView {
				role = themes.Accent
			}
		}
	}
	if mark, of := p.markIn(from, to); mark != "" && !p.isWhole() {
		text, role = mark, of
	}
	style := p.Styles.Role(role)
	if isInView && role != themes.Accent {
		style += p.Styles.Ground(true)
	}
	out.Put(style, text)
}

// markIn returns the mark for what is in a range of the buffer, worst first.
func (p *Pane) markIn(from, to int64) (mark string, role themes.Role) {
	if x, ok := p.Explorer.Buffer.WorstIn(from, to); ok && x.Severity > span.Note {
		return paint.SeverityMarks[x.Severity], paint.SeverityRoles[x.Severity]
	}
	switch {
	case p.Explorer.Buffer.ChangedIn(from, to):
		return paint.Changed, themes.Changed
	case p.Explorer.Hits != nil && p.Explorer.Hits.AnyIn(from, to):
		return hitBar, themes.Warning
	}
	for _, at := range p.over.marks {
		if at >= from && at < to {
			return marked, themes.Key
		}
	}
	return "", ""
}

// entropyIn returns the shade for the entropy in the range of a row; "" if it is unknown.
func (p *Pane) entropyIn(row int) string {
	parts, rows := p.over.parts, p.Layout.Height
	if len(parts) == 0 {
		return ""
	}
	first := min(row*len(parts)/rows, len(parts)-1)
	last := max(first+1, (row+1)*len(parts)/rows)
	sum, n := 0.0, 0
	for _, bits := range parts[first:last] {
		if bits >= 0 {
			sum += bits
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return levels[min(len(levels)-1, int(sum/float64(n)))]
}

// ShowEntropy is :entropy: it shows or hides the entropy of the bytes.
func (p *Pane) ShowEntropy() tea.Cmd {
	p.over.entropy = !p.over.entropy
	if p.over.entropy {
		p.Say("the bar at the right shows the entropy: low in tables, high in packed or encrypted bytes")
		return p.Overview()
	}
	p.over.job.Stop()
	p.over.of, p.over.parts = model.Range{}, nil
	return nil
}

// Overview computes the entropy in the background, if it is shown and unknown.
func (p *Pane) Overview() tea.Cmd {
	r := p.Explorer.Buffer.Range(span.Between(0, p.Explorer.Buffer.Size()))
	if !p.over.entropy || p.over.of == r {
		return nil
	}
	p.over.of = r
	return p.Start(&p.over.job, "entropy", func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		parts, err := r.Entropies(ctx, progress)
		return func() tea.Cmd {
			if err != nil {
				return p.Report(err)
			}
			p.over.parts = parts
			return nil
		}
	})
}

// goToBar goes to the place that a row of the bar represents.
func (p *Pane) goToBar(row int) {
	if from, _ := p.part(row); !p.isWhole() {
		p.Explorer.Leap()
		p.GoToByte(from)
	}
}
