package file

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/ui/desk"
)

// Enter opens what bytes hold as a document of its own, which is only read. Unless always
// is set it does so only if it is a save.
func (f *File) Enter(r model.Range, path string, always bool) tea.Cmd {
	if err := f.Busy(); err != nil {
		f.Report(err)
		return nil
	}
	doc := f.Doc
	return f.Start(&f.Opening, "opening "+path, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		inner, err := doc.OpenWithin(ctx, r, path)
		if err == nil && !always && !inner.IsSave() {
			inner.Close()
			err = errors.New("these bytes are no save, image or text that is known")
		}
		return func() tea.Cmd {
			switch {
			case errors.Is(err, context.Canceled):
				return nil
			case err != nil:
				f.Report(err)
				return nil
			}
			from := f.Explorer
			was, cmd := f.Swap(desk.NewShelf(inner))
			f.Explorer.ArriveFrom(from)
			f.around = append(f.around, was)
			f.Changed, f.disk = "", nil
			f.Say("a copy of the bytes, only to be read; q goes back to " + was.Doc.Name)
			return cmd
		}
	})
}

// LeaveWithin goes back to the document that holds the bytes.
func (f *File) LeaveWithin() tea.Cmd {
	last := len(f.around) - 1
	to := f.around[last]
	f.around = f.around[:last]
	f.Opening.Stop()
	left, cmd := f.Swap(to)
	return tea.Batch(desk.Closing(left.Doc), cmd)
}
