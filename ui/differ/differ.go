// Package differ compares the document with another file, or with another version of itself: what
// differs is shown in the tree. It merges files, and follows one that other programs save.
package differ

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// Differ compares the document with others.
type Differ struct {
	*desk.Desk
	edits *edits.Edits

	shown    *diff.Differences // what differs from another file, nil where none is compared
	in       *explore.Explorer // that shows it
	changes  bool              // it is the file on disk, for the changes
	left     func()            // is called once nothing is compared any more, nil for nothing
	watching *diff.Watching    // nil if the file is not watched
	unshown  *diff.FileSave    // the last save, while the document is not read again because it is edited or something is typed

	// Reload opens the file as it was saved, with what that has changed, and then says something.
	Reload func(said string, changed []model.Previous) tea.Cmd

	// CompareBytes lists where bytes differ.
	CompareBytes func(with ...string) tea.Cmd

	Pending *diff.Merge // the merge that the program was started to decide; nil for none
}

// New returns what compares the document on the desk.
func New(d *desk.Desk, e *edits.Edits) *Differ { return &Differ{Desk: d, edits: e} }

// Show compares with a file, "saved", "~" or git:REVISION, and shows in the tree what differs. left, if
// it is not nil, is called once that is no longer shown.
func (d *Differ) Show(what string, left func()) tea.Cmd {
	return d.compare(what, left, func() tea.Cmd {
		if d.shown.Apart < 0 || left != nil {
			return nil
		}
		d.close()
		d.Say("no values differ, but these bytes do")
		return d.CompareBytes(what)
	})
}

// Changes shows only what differs from the file on disk. Where all values are the same, as after some repairs,
// it calls list instead.
func (d *Differ) Changes(list func() tea.Cmd) tea.Cmd {
	return d.compare("saved", nil, func() tea.Cmd {
		if len(d.shown.Changes) == 0 {
			d.close()
			return list()
		}
		d.changes = true
		d.Explorer.FilterDiffering()
		return d.Say("what differs from the file; esc shows all, :changes bytes lists the bytes")
	})
}

// compare is Show, and then calls then.
func (d *Differ) compare(what string, left func(), then func() tea.Cmd) tea.Cmd {
	doc := d.Doc
	return d.StartAlone(&d.Task, "comparing", jobs.Then(d.Failing("cannot compare"), func(ctx context.Context, p *model.Progress) (*explore.Differing, error) {
		found, err := diff.Open(ctx, doc, what, p)
		if err != nil {
			return nil, err
		}
		if err = found.Compare(ctx, doc); err != nil {
			found.Other.Close()
			return nil, err
		}
		return explore.NewDiffering(found), nil
	}, func(all *explore.Differing) tea.Cmd {
		d.close()
		d.left = left
		d.CloseLists()
		d.LeapTo(doc.Innermost())
		d.show(all)
		d.SetFocus(desk.OnTree)
		d.Report(d.Explorer.FirstDifference())
		return then()
	}))
}

// show shows what differs in the tree, in place of what was shown.
func (d *Differ) show(all *explore.Differing) {
	x := d.LookAt(d.Doc.Innermost()).Explorer
	if d.in != nil && d.in != x {
		d.in.ShowDiffering(nil)
	}
	d.shown, d.in = all.Differences, x
	x.ShowDiffering(all)
	d.Program.Arrange()
}

// close ends comparing, and closes the other file.
func (d *Differ) close() {
	if d.shown == nil {
		return
	}
	d.Comparing.Stop()
	d.in.ShowDiffering(nil)
	d.shown.Other.Close()
	d.shown, d.in, d.changes = nil, nil, false
	d.Program.Arrange()
}

// End ends comparing. It reports whether something was compared.
func (d *Differ) End() bool {
	if d.shown == nil {
		return false
	}
	d.close()
	if left := d.left; left != nil {
		d.left = nil
		left()
	}
	return true
}

// Asks reports whether a question is asked again once nothing is compared any more.
func (d *Differ) Asks() bool { return d.left != nil }

// ShowsChanges reports whether only what differs from the file on disk is shown.
func (d *Differ) ShowsChanges() bool { return d.changes && d.Explorer.OnlyDiffering() }

// IsComparing reports whether what differs from another file is shown.
func (d *Differ) IsComparing() bool { return d.shown != nil }

// none says why no difference was found, or calls otherwise if there are any.
func (d *Differ) none(otherwise func() tea.Cmd) tea.Cmd {
	switch all, _ := d.Explorer.Differing(); {
	case d.Comparing.Runs():
		return d.Say("still comparing")
	case len(all.Changes) == 0 && !all.More:
		return d.Say("the files hold the same values")
	}
	return otherwise()
}

// Step goes to the next difference, or with by -1 to the one before.
func (d *Differ) Step(by int) tea.Cmd {
	d.ShowBuffer(d.Doc.Innermost())
	d.Explorer.Leap()
	found, err := d.Explorer.NextDifference(by < 0)
	switch {
	case err != nil:
		return d.Report(err)
	case !found || d.Comparing.Runs():
		return d.none(func() tea.Cmd { return d.Say("there is no further change") })
	}
	return nil
}

// Edited follows an edit or a save: what differs is found again. Changes end where there are none any more.
func (d *Differ) Edited() tea.Cmd {
	switch {
	case d.shown == nil:
		return nil
	case !d.shown.IsOf(d.Doc), d.changes && !d.Doc.IsModified():
		d.close()
		return nil
	}
	doc, was := d.Doc, d.shown.Other
	renew := func(ctx context.Context, fresh *diff.Differences) error {
		err := fresh.Renew(ctx, doc)
		if err == nil {
			err = fresh.Compare(ctx, doc)
		}
		if err != nil && fresh.Other != was {
			fresh.Other.Close()
		}
		return err
	}
	cmd := d.again("comparing", renew, func() {
		if d.shown.Other != was {
			was.Close()
		}
	})
	if d.Doc.Size() <= quick {
		d.Comparing.Hold(patience)
	}
	return cmd
}

// again shows what do finds to differ, perhaps after it has done something to the other file, and then calls then.
func (d *Differ) again(name string, do func(context.Context, *diff.Differences) error, then func()) tea.Cmd {
	fresh := *d.shown
	return d.Start(&d.Comparing, name, jobs.Then(d.Failing(fresh.Name), func(ctx context.Context, _ *model.Progress) (*explore.Differing, error) {
		if err := do(ctx, &fresh); err != nil {
			return nil, err
		}
		return explore.NewDiffering(&fresh), nil
	}, func(all *explore.Differing) tea.Cmd {
		d.show(all)
		then()
		return nil
	}))
}

// Do does what a key means for the selected difference.
func (d *Differ) Do(a action.Action) tea.Cmd {
	switch {
	case d.shown == nil:
		return d.Say("no file is compared with this one: :diff FILE compares one")
	case a == action.OnlyChanges:
		d.Explorer.FilterDiffering()
		return nil
	}
	c := cmp.Or(d.Explorer.Difference(), d.Explorer.DifferenceInside())
	switch {
	case c == nil:
		return d.none(d.Reporting(func() error {
			return errors.New("this value does not differ: " + d.Actions.Hint("", action.NextChange).Key + " goes to the next that does")
		}))
	case a == action.GiveDifference:
		return d.give(c)
	}
	return d.edits.Make(edits.Request{Intention: d.Explorer.Take(d.shown, c)})
}

// give asks whether the other file is to have the selected value.
func (d *Differ) give(c *compare.Change) tea.Cmd {
	doc, name := d.Doc, d.shown.Name
	if !d.shown.CanGive {
		return d.Say(name + " is read-only: do takes its value, :w saves it here")
	}
	return d.Ask("save it to "+name+"? the old file becomes "+name+"~", "nothing was changed",
		dialog.Answer{Key: "y", Does: "yes", Run: func() tea.Cmd {
			return d.again("saving "+name, func(ctx context.Context, fresh *diff.Differences) error {
				err := fresh.Give(ctx, c)
				if err == nil {
					err = fresh.Compare(ctx, doc)
				}
				return err
			}, func() { d.Say("saved " + name) })
		}})
}

// Keys wait for what differs after an edit so long, in a file of no more bytes.
const (
	patience = 50 * time.Millisecond
	quick    = 4 << 20
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
	return d.Start(&d.Task, "opening a copy", jobs.Then(d.Failing("cannot watch"), func(ctx context.Context, _ *model.Progress) (*diff.Watching, error) {
		return diff.Watch(ctx, doc, conditions...)
	}, func(w *diff.Watching) tea.Cmd {
		d.Unwatch()
		d.watching = w
		d.Say("watching " + doc.Name + "; :watch lists its saves, :unwatch ends")
		return d.lookLater()
	}))
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
	d.watching, d.unshown = nil, nil
	d.Say("the file is no longer watched")
}

// lookLater looks at the file after a while.
func (d *Differ) lookLater() tea.Cmd {
	look := d.LookAtSaves()
	return tea.Tick(lookEvery, func(time.Time) tea.Msg { return look() })
}

// LookAtSaves checks whether the file was saved.
func (d *Differ) LookAtSaves() tea.Cmd {
	w, doc, waits := d.watching, d.Doc, d.unshown != nil
	if w == nil {
		return nil
	}
	return d.Go("looking for a save", func() func() tea.Cmd {
		next := *w
		save, err := next.Look(d.Ctx)
		isAsSaved := (waits || save != nil) && w.IsOf(doc) && doc.Changed() == ""
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
			case save != nil && !isAsSaved:
				what := summary(save)
				if c := save.Changes; len(c) == 1 && !save.Damaged {
					what = text.Head(text.Clean(c[0].Path+" "+c[0].Old+" → "+c[0].New), 100)
				}
				if d.Doc.IsModified() {
					what += "; your edits stay, not saved"
				}
				d.Say("saved by another program at " + save.Time.Format(time.TimeOnly) + ": " + what + "; :watch lists them")
			default:
				d.Unchanged = true
			}
			if isAsSaved {
				d.unshown = nil
				return d.lookLater()
			}
			return tea.Batch(d.lookLater(), d.showSave(w, save))
		}
	})
}

// showSave shows the file as a save has left it, or as the one before has where there is none. While there are edits, or
// something is typed or asked, which is about the values as they are, it waits.
func (d *Differ) showSave(w *diff.Watching, save *diff.FileSave) tea.Cmd {
	if save == nil {
		save = d.unshown
	}
	switch d.unshown = nil; {
	case save == nil, !w.IsOf(d.Doc):
		return nil
	case d.Doc.IsModified(), d.Busy() != nil, d.AwaitsInput():
		d.unshown = save
		return nil
	}
	return d.Reload(d.Message.Text, save.Before())
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
// the file as it was when watching began. Selected is the save before the newest, to which one can go back.
func (d *Differ) saves() *dialog.List {
	rows := d.saveRows()
	l := &dialog.List{On: d, KeyMap: d.Actions.KeyMap(action.Changes), In: action.Changes, Goes: "go back to it", Turn: d.Program.Do,
		Count: func() int {
			rows = d.saveRows()
			return len(rows)
		},
		Draw: func(row, _ int) []paint.Piece { return append([]paint.Piece{paint.Plain(" ")}, rows[row].pieces...) },
		Sum: func() string {
			if d.watching == nil {
				return "the file is no longer watched"
			}
			return span.Counted(int64(len(d.watching.Saves)), "save") + " since " + d.watching.Began.Format(time.TimeOnly)
		},
		GoThere: func(row int) tea.Cmd {
			return d.edits.Make(edits.Request{Intention: d.Explorer.GoBack(d.watching, d.saveRows()[row].back)})
		}}
	l.At = max(0, slices.IndexFunc(rows, func(r saveRow) bool { return r.back == 1 }))
	return l
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
