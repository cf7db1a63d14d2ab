package differ

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/model"
	"varview/model/diff"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/paint"
	"varview/ui/text"
)

// lookEvery is the time between two looks at a file that is watched.
const lookEvery = 400 * time.Millisecond

// Watch begins to follow the file, with an alert when a condition becomes true, or lists its
// saves.
func (d *Differ) Watch(condition string) tea.Cmd {
	if d.watching != nil && d.watching.IsOf(d.Doc) && condition == "" {
		return d.Open(&Saves{Differ: d, keys: d.Actions.KeyMap(action.Changes)})
	}
	var conditions []string
	if condition != "" {
		conditions = []string{condition}
	}
	doc := d.Doc
	return d.Start(&d.Task, "opening a copy", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		w, err := diff.Watch(ctx, doc, conditions...)
		return func() tea.Cmd {
			if err != nil {
				return d.Report(fmt.Errorf("cannot watch: %w", err))
			}
			d.Unwatch()
			d.watching = w
			d.Say("watching " + doc.Name + "; :watch lists its saves, :unwatch ends")
			return d.lookLater()
		}
	})
}

// IsWatching reports whether the file is watched.
func (d *Differ) IsWatching() bool { return d.watching != nil }

// Unwatch ends to follow the file.
func (d *Differ) Unwatch() {
	if d.watching == nil {
		return
	}
	d.watching.Close()
	d.watching = nil
	d.Say("the file is no longer watched")
}

// lookLater looks at the file after a while.
func (d *Differ) lookLater() tea.Cmd {
	look := d.LookAtSaves()
	return tea.Tick(lookEvery, func(time.Time) tea.Msg { return look() })
}

// LookAtSaves looks whether the file was saved.
func (d *Differ) LookAtSaves() tea.Cmd {
	w := d.watching
	if w == nil {
		return nil
	}
	return d.Go("looking for a save", func() func() tea.Cmd {
		next := *w
		save, err := next.Look(d.Ctx)
		return func() tea.Cmd {
			if d.watching != w {
				next.Close()
				return nil
			}
			d.watching = &next
			switch {
			case err != nil:
				d.Report(err)
			case save != nil && len(save.Alerts) > 0:
				d.Message = desk.Message{Text: "alert: " + strings.Join(save.Alerts, "; "), IsError: true}
			case save != nil:
				d.Say("saved at " + save.Time.Format(time.TimeOnly) + ", " + summary(save) + "; :watch lists them")
			}
			return d.lookLater()
		}
	})
}

// summary says how much a save has changed.
func summary(s *diff.FileSave) string {
	sum := span.Counted(int64(s.Count), "change")
	if s.Damaged {
		sum += ", damaged"
	}
	return sum
}

// Saves is the list of the saves of the file that is watched, the newest first, each with what it
// has changed.
type Saves struct {
	*Differ
	keys action.KeyMap
	dialog.Rows
}

// A saveRow is a save, or one of its changes.
type saveRow struct {
	back   int // saves to be taken back to be where the row is
	pieces []paint.Piece
}

// Room implements dialog.Roomed.
func (l *Saves) Room() action.Rooms { return action.Changes }

// Place implements dialog.Dialog.
func (l *Saves) Place() dialog.Place { return dialog.OverPanes }

// rows are the saves and their changes, and at last the file as it was at first.
func (l *Saves) rows() (rows []saveRow) {
	for i, s := range l.watching.Saves {
		rows = append(rows, saveRow{i, []paint.Piece{paint.In(themes.Title, s.Time.Format(time.TimeOnly)), paint.Plain("  " + summary(s))}})
		for _, a := range s.Alerts {
			rows = append(rows, saveRow{i, []paint.Piece{paint.In(themes.Error, "    alert: "+text.Clean(a))}})
		}
		for _, c := range s.Changes {
			x := signs[c.Kind]
			rows = append(rows, saveRow{i, []paint.Piece{paint.In(x.role, "    "+x.sign+" "), paint.In(themes.Key, text.Clean(c.Path)+"  "),
				paint.Plain(strings.Trim(text.Clean(c.Old)+" → "+text.Clean(c.New), " →"))}})
		}
		if more := s.Count - len(s.Changes); more > 0 {
			rows = append(rows, saveRow{i, []paint.Piece{paint.In(themes.Dim, "    and "+span.Counted(int64(more), "more change"))}})
		}
	}
	first := paint.In(themes.Title, l.watching.Began.Format(time.TimeOnly))
	return append(rows, saveRow{len(l.watching.Saves), []paint.Piece{first, paint.In(themes.Dim, "  since then the file is watched")}})
}

// height is the number of rows in view, above the last line.
func (l *Saves) height() int {
	_, height := l.Window()
	return max(1, height-3)
}

// Update implements dialog.Dialog.
func (l *Saves) Update(msg tea.KeyMsg) tea.Cmd {
	if l.watching == nil {
		l.Close(l)
		return nil
	}
	rows := l.rows()
	a := l.keys.Of(msg)
	if by, moves := a.Rows(l.height(), len(rows)); moves {
		l.Move(by, len(rows))
		return nil
	}
	switch a {
	case action.GoThere:
		w, back := l.watching, rows[min(l.At, len(rows)-1)].back
		l.Close(l)
		return l.edits.Make(edits.Request{Intend: func(edit.Options) model.Intention { return l.Explorer.GoBack(w, back) }})
	case action.Undo, action.Redo:
		l.Close(l)
		return l.Program.Do(a)
	case action.Cancel, action.Quit:
		l.Close(l)
	}
	return nil
}

// Hints implements dialog.Hinting.
func (l *Saves) Hints() []paint.Piece {
	hints := []key.Help{l.keys.Hint("move", action.Down, action.Up), l.keys.Hint("go back to it", action.GoThere)}
	return paint.Keys(append(hints, l.keys.Hint("close", action.Cancel)))
}

// View implements dialog.Dialog.
func (l *Saves) View() []string {
	out, height := dialog.NewLines(l), l.height()
	var rows []saveRow
	sum := "the file is no longer watched"
	if l.watching != nil {
		rows = l.rows()
		sum = span.Counted(int64(len(l.watching.Saves)), "save") + " since " + l.watching.Began.Format(time.TimeOnly)
	}
	l.Fit(height, len(rows))
	for at := l.Top; at < min(len(rows), l.Top+height); at++ {
		out.Row(at == l.At, append([]paint.Piece{paint.Plain(" ")}, rows[at].pieces...)...)
	}
	out.Fill(height)
	out.Put(false, paint.In(themes.Dim, " "+sum))
	return out.All
}
