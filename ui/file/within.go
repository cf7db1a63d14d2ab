package file

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/model"
	"varview/ui/desk"
)

// Enter opens the content of a value's bytes as a document of its own. Unless always is set, it does so
// only if it is a save.
func (f *File) Enter(r model.Range, n *tree.Node, path string, always bool) tea.Cmd {
	doc := f.Doc
	return f.enter(path, func(ctx context.Context) (*model.Document, error) {
		inner, err := doc.OpenWithin(ctx, r, n, path)
		if err == nil && !always && !inner.IsSave() {
			inner.Close()
			err = errors.New("these bytes are not a save, image or text that varview knows")
		}
		return inner, err
	}, nil)
}

// EnterStream opens what was unpacked from a stream in the file as a document of its own, with the cursor at an offset.
func (f *File) EnterStream(b *guess.Buffer, offset int64) tea.Cmd {
	doc := f.Doc
	return f.enter(b.Name, func(ctx context.Context) (*model.Document, error) {
		return doc.OpenStream(ctx, b)
	}, func() error { return f.Explorer.GoTo(offset) })
}

// enter opens a document inside the shown one, and calls then once it is shown; nil for nothing.
func (f *File) enter(path string, open func(context.Context) (*model.Document, error), then func() error) tea.Cmd {
	if err := f.Busy(); err != nil {
		return f.Report(err)
	}
	buffer := f.Explorer.Buffer
	return f.Start(&f.Opening, "opening "+path, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		inner, err := open(ctx)
		return func() tea.Cmd {
			switch {
			case errors.Is(err, context.Canceled):
				return nil
			case err != nil:
				return f.Report(err)
			}
			f.ShowBuffer(buffer) // another one may be shown by now
			from := f.Explorer
			was, cmd := f.Swap(desk.NewShelf(inner))
			f.Explorer.ArriveFrom(from)
			f.around = append(f.around, was)
			f.Changed, f.disk = "", nil
			if err := f.Doc.CanEdit(f.Explorer.Buffer); err != nil {
				f.Say("read-only: " + err.Error() + "; q goes back there")
			} else {
				f.Say(fmt.Sprintf("the bytes of %s: ctrl+s puts them back into %s, q goes back there", path, was.Doc.Name))
			}
			if then != nil {
				f.Report(then())
			}
			return cmd
		}
	})
}

// putBack puts the bytes of the document back into the value from which they were opened, and then leaves
// the document if leave is set.
func (f *File) putBack(s *model.Saving, leave bool) tea.Cmd {
	outer := f.around[len(f.around)-1]
	return f.Start(&f.Task, saving, func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		var edit *model.Prepared
		err := s.Write(ctx, p)
		if err == nil {
			edit, err = outer.Prepare(ctx, s.PutBack())
		}
		return func() tea.Cmd {
			if err == nil {
				err = outer.Make(f.Ctx, edit)
			}
			if err != nil {
				return f.Report(notSaved(err))
			}
			document, path := f.Doc.Within()
			return f.saved(s, fmt.Sprintf("saved into %s of %s, which is not saved yet", path, document), leave)
		}
	})
}

// leaveWithin goes back to the document that contains the bytes.
func (f *File) leaveWithin() tea.Cmd {
	last := len(f.around) - 1
	to := f.around[last]
	f.around = f.around[:last]
	f.Opening.Stop()
	left, cmd := f.Swap(to)
	return tea.Batch(desk.Closing(left.Doc), cmd, f.Program.Edited())
}
