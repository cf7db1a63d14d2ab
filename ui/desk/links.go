package desk

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/explore"
)

// FollowLink goes to the target of the selected value; ok is false if it has none.
func (d *Desk) FollowLink() (cmd tea.Cmd, ok bool) {
	said := d.Explorer.Link()
	if said == "" {
		return nil, false
	}
	x, n := d.Explorer, d.Explorer.Subject()
	return d.Start(&d.Seeking, "looking for what this leads to", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		to, err := explore.Linked(ctx, x.Buffer, n)
		return func() tea.Cmd {
			switch {
			case err != nil:
				d.Report(err)
			case to == nil:
				d.Say("there is none: " + said)
			default:
				x.Leap()
				d.Report(x.GoInto(to))
			}
			return nil
		}
	}), true
}

// StepBuffer shows the buffer that is by wrappers farther inside, or outside if by is negative. If that
// buffer also contains what the cursor is on, the cursor goes there.
func (d *Desk) StepBuffer(by int) tea.Cmd {
	switch to := d.Explorer.Buffer.Number + by; {
	case len(d.Doc.Buffers) == 1:
		d.Say("there is only this buffer: the file is not wrapped in anything")
	case to < 0:
		d.Say("this is the file itself, the outermost buffer")
	case to >= len(d.Doc.Buffers):
		d.Say("this is the innermost buffer")
	default:
		if p, ok := d.Explorer.Piece(); ok {
			return d.Start(&d.Seeking, "looking for the same bytes", d.crossing(d.Doc.Buffers[to], p, d.LeapTo))
		}
		d.LeapTo(d.Doc.Buffers[to])
	}
	return nil
}

// Outside returns work that shows a value of a buffer in the buffer around it, with the layers there.
func (d *Desk) Outside(b *model.Buffer, n *tree.Node) func(context.Context, *model.Progress) func() tea.Cmd {
	p, _ := explore.PieceOf(b, n)
	return d.crossing(d.Doc.Buffers[b.Number-1], p, d.ShowBuffer)
}

// crossing returns work that shows where a piece of another buffer is in this one.
func (d *Desk) crossing(to *model.Buffer, p format.Piece, show func(*model.Buffer)) func(context.Context, *model.Progress) func() tea.Cmd {
	from := d.Explorer.Buffer
	return func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		n, err := explore.Carried(ctx, to, p)
		return func() tea.Cmd {
			d.Report(err)
			show(to)
			if n != nil {
				d.Report(d.Explorer.GoToValue(n))
				d.SetFocus(d.Focus)
			}
			if to.Number <= from.Number {
				if n != nil && !to.IsPart(&n.Value) {
					d.Explorer.Open()
				}
				d.Explorer.Align(0.6) // so that the layers above are in view
			}
			return nil
		}
	}
}
