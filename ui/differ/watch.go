package differ

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/paint"
)

// signs are those of the kinds of changes, with their colours.
var signs = map[compare.Kind]struct {
	sign string
	role themes.Role
}{
	compare.Added: {"+", themes.Added}, compare.Removed: {"-", themes.Removed}, compare.Changed: {"~", themes.Changed},
	compare.Moved: {">", themes.Accent}, compare.Renamed: {"=", themes.Accent}, compare.Retyped: {"·", themes.Dim},
}

// lookEvery is the time between two looks at a file that is watched.
const lookEvery = 400 * time.Millisecond

// Watch begins to follow the file, with an alert when a condition becomes true; if it is followed
// already, it lists its saves.
func (d *Differ) Watch(condition string) tea.Cmd {
	if d.watching != nil && d.watching.IsOf(d.Doc) && condition == "" {
		return d.Open(d.saves())
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

// Watched says which saves were seen; "" if the file is not watched.
func (d *Differ) Watched() string {
	if d.watching == nil || !d.watching.IsOf(d.Doc) {
		return ""
	}
	if n := len(d.watching.Saves); n > 0 {
		return "watching, " + span.Counted(int64(n), "save") + ", last " + d.watching.Saves[0].Time.Format(time.TimeOnly)
	}
	return "watching"
}

// Unwatch stops following the file.
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

// LookAtSaves checks whether the file was saved.
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
			default:
				d.Unchanged = true
			}
			if save == nil || !w.IsOf(d.Doc) || d.Doc.IsModified() || d.Busy() != nil {
				return d.lookLater()
			}
			return tea.Batch(d.lookLater(), d.Reload(d.Message.Text, save.Before()))
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

// saves returns the list of the saves of the watched file, newest first, each with its changes, and last
// the file as it was when watching began.
func (d *Differ) saves() *dialog.List {
	return &dialog.List{Context: d, KeyMap: d.Actions.KeyMap(action.Changes), In: action.Changes, Goes: "go back to it", Turn: d.Program.Do,
		Count: func() int { return len(d.saveRows()) },
		Shown: func(from, to, _ int) (rows [][]paint.Piece) {
			for _, r := range d.saveRows()[from:to] {
				rows = append(rows, append([]paint.Piece{paint.Plain(" ")}, r.pieces...))
			}
			return rows
		},
		Sum: func() string {
			if d.watching == nil {
				return "the file is no longer watched"
			}
			return span.Counted(int64(len(d.watching.Saves)), "save") + " since " + d.watching.Began.Format(time.TimeOnly)
		},
		GoThere: func(row int) tea.Cmd {
			w, back := d.watching, d.saveRows()[row].back
			return d.edits.Make(edits.Request{Intend: func(edit.Options) model.Intention { return d.Explorer.GoBack(w, back) }})
		}}
}

// A saveRow is a save, or one of its changes.
type saveRow struct {
	back   int // number of saves to go back over to reach the row
	pieces []paint.Piece
}

func (d *Differ) saveRows() (rows []saveRow) {
	if d.watching == nil {
		return nil
	}
	add := func(back int, pieces ...paint.Piece) { rows = append(rows, saveRow{back, pieces}) }
	for i, s := range d.watching.Saves {
		add(i, paint.In(themes.Title, s.Time.Format(time.TimeOnly)), paint.Plain("  "+summary(s)))
		for _, a := range s.Alerts {
			add(i, paint.In(themes.Error, "    alert: "+text.Clean(a)))
		}
		for _, c := range s.Changes {
			x := signs[c.Kind]
			add(i, paint.In(x.role, "    "+x.sign+" "), paint.In(themes.Key, text.Clean(c.Path)+"  "),
				paint.Plain(strings.Trim(text.Clean(c.Old)+" → "+text.Clean(c.New), " →")))
		}
		if more := s.Count - len(s.Changes); more > 0 {
			add(i, paint.In(themes.Dim, "    and "+span.Counted(int64(more), "more change")))
		}
	}
	add(len(d.watching.Saves), paint.In(themes.Title, d.watching.Began.Format(time.TimeOnly)), paint.In(themes.Dim, "  since then the file is watched"))
	return rows
}
