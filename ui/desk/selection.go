package desk

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/inspect"
	"varview/ui/jobs"
)

// A Selection is the bytes from an anchor to the cursor.
type Selection struct {
	Active bool
	Anchor int64
}

// Chosen returns the bytes that a command is about: the selection, or the selected value's bytes.
func (d *Desk) Chosen() span.Span {
	if !d.Selection.Active {
		return span.Between(d.Explorer.Selected())
	}
	from, to := d.Selection.Anchor, d.Explorer.Offset()
	return span.Between(max(0, min(from, to)), min(max(from, to)+1, d.Explorer.Buffer.Size()))
}

// Summed is the checksums of a selection, computed in the background.
type Summed struct {
	Of   model.Range
	Sums inspect.Sums
	Done bool
	Err  error
	Job  jobs.Job
}

// Sum computes the checksums of the selected bytes, if that has not begun.
func (d *Desk) Sum() tea.Cmd {
	s := &d.Summed
	if !d.Selection.Active {
		s.Job.Stop()
		s.Of = model.Range{}
		return nil
	}
	r := d.Explorer.Buffer.Range(d.Chosen())
	if s.Of == r {
		return nil
	}
	s.Of, s.Done = r, false
	return d.Start(&s.Job, "summing", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		sums, err := r.Sums(ctx, p)
		return func() tea.Cmd {
			s.Sums, s.Err, s.Done = sums, err, true
			return nil
		}
	})
}
