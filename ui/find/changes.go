package find

import (
	"context"
	"errors"
	"fmt"
	"sort"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/search"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// maxChanges is the largest number of changes that are listed.
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
		var all []model.ByteChange
		more := false
		err := doc.EachChange(func(c model.ByteChange) bool {
			if more = len(all) == maxChanges; !more {
				all = append(all, c)
			}
			return !more && ctx.Err() == nil
		})
		if err == nil {
			err = ctx.Err()
		}
		return func() tea.Cmd {
			if err != nil {
				return f.Report(fmt.Errorf("the changes cannot be listed: %w", err))
			}
			return f.list(all, more)
		}
	})
}

// list lists changes, and selects the last one before the cursor. more says that there are others.
func (f *Find) list(all []model.ByteChange, more bool) tea.Cmd {
	bytes := 4 // bytes of a range that are shown
	if f.Width > 122 {
		bytes = 8
	}
	column := 3*bytes + 2
	said := span.Counted(int64(len(all)), "range") + " differ from the file"
	switch {
	case more:
		said = "the first " + span.Grouped(maxChanges) + " ranges that differ from the file"
	case len(all) == 0:
		said = "the content is the same as in the file"
	case len(all) == 1:
		said = "1 range differs from the file"
	}
	l := &dialog.List{Context: f, KeyMap: f.Actions.KeyMap(action.Changes), In: action.Changes, Goes: "go there",
		Heading: []paint.Piece{paint.In(themes.Title, "   offset   "+text.Fit("was", column+3)+text.Fit("is", column)+"where")},
		Count:   func() int { return len(all) }, Sum: func() string { return said }, Turn: f.Program.Do,
		Shown: func(from, to, width int) (rows [][]paint.Piece) {
			for _, x := range all[from:to] {
				rows = append(rows, []paint.Piece{paint.In(themes.Dim, fmt.Sprintf("  %08x ", x.At.Offset)),
					paint.In(themes.Padding, text.Fit(paint.Bytes(x.Old, x.Was, bytes), column)), paint.In(themes.Dim, " → "),
					paint.In(themes.Changed, text.Fit(paint.Bytes(x.New, x.At, bytes), column)),
					paint.In(themes.Key, text.Head(x.Path, width)), paint.In(themes.Dim, "  "+text.Head(x.Field, width))})
			}
			return rows
		},
		GoThere: func(row int) tea.Cmd {
			f.LeapTo(f.Doc.Buffers[all[row].Buffer])
			f.GoToByte(all[row].At.Offset)
			return nil
		}}
	for i, c := range all {
		if c.Buffer == f.Explorer.Buffer.Number && c.At.Offset <= f.Explorer.Offset() {
			l.At = i
		}
	}
	return f.Open(l)
}

// NextChange goes to the next range that differs from the file, or with back to the one before. In an
// unchanged file these are the values that saves have changed.
func (f *Find) NextChange(back bool) tea.Cmd {
	b := f.Doc.ChangedBuffer()
	if b == nil {
		return f.nextSaved(back)
	}
	from := int64(-1)
	if b == f.Explorer.Buffer {
		from = f.Explorer.Offset()
	}
	if at, ok := b.NextChange(from, back); ok {
		f.LeapTo(b)
		f.GoToByte(at)
	}
	return nil
}

// errUnchanged says that there are no changes to go to or to show.
var errUnchanged = errors.New("nothing is changed; :diff FILE compares with another file, :watch follows this one")

// nextSaved goes to the next value that saves have changed since the file was opened, or the one before.
func (f *Find) nextSaved(back bool) tea.Cmd {
	if f.Doc.Earlier == nil {
		return f.Report(errUnchanged)
	}
	from := f.Explorer.Offset()
	return f.look(func(_ context.Context, b *model.Buffer, _ *model.Progress) (search.Hit, bool, error) {
		all := b.Within(changed)
		if len(all) == 0 {
			return search.Hit{}, false, errUnchanged
		}
		i := sort.Search(len(all), func(i int) bool { return all[i].Start > from })
		if back {
			i = sort.Search(len(all), func(i int) bool { return all[i].End > from }) - 1 + len(all)
		}
		return search.Hit{Node: all[i%len(all)], IsValue: true}, false, nil
	}, f.found)
}

// OnlyChanged leaves only the values that edits or saves have changed, or shows all rows again.
func (f *Find) OnlyChanged() tea.Cmd {
	if h := f.Explorer.Filter(); h != nil && h.Within == changed {
		f.endFilter()
		return nil
	}
	if f.Doc.Earlier == nil && !f.Doc.IsModified() {
		return f.Report(errUnchanged)
	}
	f.query, f.within = search.Query{}, changed
	f.showHits(true)
	return f.Resume()
}

// changed is the filter for what edits or saves have changed.
const changed = "changed"
