// Package differ compares the document with another file, or with another version of itself: what
// differs is shown in the tree. It merges files, and follows one that other programs save.
package differ

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/explore"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
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

	// Reload opens the file as it was saved, with what that has changed, and then says something.
	Reload func(said string, changed []model.Previous) tea.Cmd

	Pending *diff.Merge // the merge that the program was started to decide; nil for none
}

// New returns what compares the document on the desk.
func New(d *desk.Desk, e *edits.Edits) *Differ { return &Differ{Desk: d, edits: e} }

// Show compares with a file, "saved", "~" or git:REVISION, and shows in the tree what differs. left, if
// it is not nil, is called once that is no longer shown.
func (d *Differ) Show(what string, left func()) tea.Cmd {
	return d.compare(what, left, func() tea.Cmd { return nil })
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
	if err := d.Busy(); err != nil {
		return d.Report(err)
	}
	doc := d.Doc
	return d.Start(&d.Task, "comparing", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		found, err := diff.Open(ctx, doc, what, p)
		if err == nil {
			if err = found.Compare(ctx, doc); err != nil {
				found.Other.Close()
			}
		}
		if err != nil {
			return func() tea.Cmd { return d.Report(fmt.Errorf("cannot compare: %w", err)) }
		}
		all := explore.NewDiffering(found)
		return func() tea.Cmd {
			d.close()
			d.left = left
			d.CloseLists()
			d.LeapTo(doc.Innermost())
			d.show(all)
			d.SetFocus(desk.OnTree)
			d.Report(d.Explorer.FirstDifference())
			return then()
		}
	})
}

// show shows what differs in the tree, in place of what was shown.
func (d *Differ) show(all *explore.Differing) {
	x := d.LookAt(d.Doc.Innermost())
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

// ShowsChanges reports whether only what differs from the file on disk is shown.
func (d *Differ) ShowsChanges() bool { return d.changes && d.Explorer.OnlyDiffering() }

// IsComparing reports whether what differs from another file is shown.
func (d *Differ) IsComparing() bool { return d.shown != nil }

// Step goes to the next difference, or with by -1 to the one before.
func (d *Differ) Step(by int) tea.Cmd {
	d.ShowBuffer(d.Doc.Innermost())
	d.Explorer.Leap()
	found, err := d.Explorer.NextDifference(by < 0)
	switch {
	case err != nil:
		return d.Report(err)
	case d.Comparing.Runs():
		return d.Say("still comparing")
	case !found:
		return d.Say("there is no further change")
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
	renew := func(ctx context.Context, fresh *diff.Differences) error { return fresh.Renew(ctx, doc) }
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

// again finds again what differs, after something is done to the other file, and then calls then.
func (d *Differ) again(name string, do func(context.Context, *diff.Differences) error, then func()) tea.Cmd {
	doc, fresh := d.Doc, *d.shown
	return d.Start(&d.Comparing, name, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		err := do(ctx, &fresh)
		if err == nil {
			err = fresh.Compare(ctx, doc)
		}
		if err != nil {
			return func() tea.Cmd { return d.Report(fmt.Errorf("%s: %w", fresh.Name, err)) }
		}
		all := explore.NewDiffering(&fresh)
		return func() tea.Cmd {
			d.show(all)
			then()
			return nil
		}
	})
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
	c := d.Explorer.Difference()
	switch {
	case c == nil && d.Comparing.Runs():
		return d.Say("still comparing")
	case c == nil:
		return d.Report(errors.New("this value does not differ: " + d.Actions.Hint("", action.NextChange).Key + " goes to the next that does"))
	case a == action.GiveDifference:
		d.give(c)
		return nil
	}
	shown := d.shown
	return d.edits.Make(edits.Request{
		Options: edit.Options{Retype: true},
		Intend:  func(edit.Options) model.Intention { return d.Explorer.Take(shown, c) },
	})
}

// give asks whether the other file is to have the selected value.
func (d *Differ) give(c *compare.Change) {
	name := d.shown.Name
	if !d.shown.CanGive {
		d.Say(name + " is read-only: do takes its value, :w saves it here")
		return
	}
	d.Ask("save it to "+name+"? the old file becomes "+name+"~", "nothing was changed",
		dialog.Answer{Key: "y", Does: "yes", Run: func() tea.Cmd {
			return d.again("saving "+name, func(ctx context.Context, fresh *diff.Differences) error { return fresh.Give(ctx, c) }, func() { d.Say("saved " + name) })
		}})
}

// Keys wait for what differs after an edit so long, in a file of no more bytes.
const (
	patience = 50 * time.Millisecond
	quick    = 4 << 20
)
