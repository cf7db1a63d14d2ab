package find

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/ui/action"
	"varview/ui/dialog"
)

// maxChanges is the number of changes that are listed at most.
const maxChanges = 2000

// ListChanges looks for all changes in the background, and lists them.
func (f *Find) ListChanges() tea.Cmd {
	if err := f.Busy(); err != nil {
		return f.Report(err)
	}
	if !f.Doc.IsModified() {
		return f.Say("nothing is changed")
	}
	doc := f.Doc
	return f.Start(&f.Task, "looking at the changes", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		list := &dialog.Changes{Context: f, KeyMap: f.Actions.KeyMap(action.Changes), GoTo: f.goToChange, Turn: f.Program.Do}
		err := doc.EachChange(func(c model.ByteChange) bool {
			list.Cut = len(list.All) == maxChanges
			if !list.Cut {
				list.All = append(list.All, c)
			}
			return !list.Cut && ctx.Err() == nil
		})
		if err == nil {
			err = ctx.Err()
		}
		return func() tea.Cmd {
			if err != nil {
				return f.Report(fmt.Errorf("the changes cannot be listed: %w", err))
			}
			return f.show(list)
		}
	})
}

// show opens a list of changes at the one nearest before the cursor.
func (f *Find) show(list *dialog.Changes) tea.Cmd {
	for i, c := range list.All {
		if c.Buffer == f.Explorer.Buffer.Number && c.At.Offset <= f.Explorer.Offset() {
			list.At = i
		}
	}
	return f.Open(list)
}

// goToChange goes to the first byte that differs.
func (f *Find) goToChange(c model.ByteChange) {
	f.LeapTo(f.Doc.Buffers[c.Buffer])
	f.GoToByte(c.At.Offset)
}

// NextChange goes to the next range that differs from the file, or with back to the one before.
func (f *Find) NextChange(back bool) {
	b := f.Doc.ChangedBuffer()
	if b == nil {
		f.Say("nothing is changed")
		return
	}
	from := int64(-1)
	if b == f.Explorer.Buffer {
		from = f.Explorer.Offset()
	}
	if at, ok := b.NextChange(from, back); ok {
		f.LeapTo(b)
		f.GoToByte(at)
	}
}
