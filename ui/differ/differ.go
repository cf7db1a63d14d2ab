// Package differ lists what differs from another file, or from another version of the open one.
package differ

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/model"
	"varview/model/diff"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/find"
)

// Differ compares the document with others.
type Differ struct {
	*desk.Desk
	edits *edits.Edits
	find  *find.Find

	watching *diff.Watching // nil if the file is not watched

	left *List // the list that was left to look at a value; nil for none

	Pending *diff.Merge // the merge that the program was started to decide; nil for none
}

// New returns a Differ for the document on the desk.
func New(d *desk.Desk, e *edits.Edits, f *find.Find) *Differ {
	return &Differ{Desk: d, edits: e, find: f}
}

// Show compares with a file, "saved", "~" or git:REVISION, and lists what differs. If what is empty, it
// shows the list that was left again. left, if not nil, is called after the list is closed.
func (d *Differ) Show(what string, left func()) tea.Cmd {
	if err := d.Busy(); err != nil {
		return d.Report(err)
	}
	if l := d.leftList(); l != nil && what == "" {
		return tea.Batch(d.Open(l), l.refresh(nil))
	}
	doc := d.Doc
	return d.Start(&d.Task, "comparing", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		found, err := diff.Open(ctx, doc, what, p)
		if err == nil {
			if err = found.Compare(ctx, doc); err != nil {
				found.Other.Close()
			}
		}
		return func() tea.Cmd {
			if err != nil {
				return d.Report(fmt.Errorf("cannot compare: %w", err))
			}
			d.leave(nil)
			d.mark(found)
			d.Explorer.Leap()
			return d.Open(&List{Differ: d, keys: d.Actions.KeyMap(action.Differences), diff: found, left: left})
		}
	})
}

// leftList returns the list that was left; nil if there is none for this document.
func (d *Differ) leftList() *List {
	if d.left != nil && !d.left.diff.IsOf(d.Doc) {
		d.leave(nil)
	}
	return d.left
}

// leave keeps a list for later; nil for none. The previous one is closed.
func (d *Differ) leave(l *List) {
	if d.left != nil && d.left != l {
		d.left.diff.Other.Close()
	}
	if d.left = l; l == nil {
		d.mark(nil)
	}
}

// mark marks the values in the tree that differ; nil marks none.
func (d *Differ) mark(all *diff.Differences) {
	var spans []span.Span
	if all != nil {
		spans = all.Spans()
	}
	d.Explorer.Differ(spans)
}

// Step goes to the next difference in the list that was left, or to the previous one. It reports whether
// there is such a list.
func (d *Differ) Step(by int) (cmd tea.Cmd, isLeft bool) {
	l := d.leftList()
	if l == nil {
		return nil, false
	}
	if err := d.Busy(); err != nil {
		d.Report(err)
		return nil, true
	}
	return l.refresh(func() tea.Cmd {
		if l.step(by) {
			return l.goThere()
		}
		return nil
	}), true
}

// Edited updates what differs after an edit. A list that was left is only updated when it is needed, so
// that the next edit need not wait.
func (d *Differ) Edited() tea.Cmd {
	if l := d.leftList(); l != nil {
		l.stale = true
	}
	l := dialog.Find[*List](d.Dialogs)
	if l == nil {
		return nil
	}
	l.stale = true
	return l.refresh(nil)
}

// refresh updates what differs, if the document was edited since, and then calls then, if it is not nil.
func (l *List) refresh(then func() tea.Cmd) tea.Cmd {
	if then == nil {
		then = func() tea.Cmd { return nil }
	}
	if !l.stale {
		return then()
	}
	doc, was := l.Doc, l.diff
	return l.Start(&l.Task, "comparing", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		fresh := *was
		err := fresh.Compare(ctx, doc)
		return func() tea.Cmd {
			if err != nil {
				return l.Report(fmt.Errorf("cannot compare: %w", err))
			}
			l.diff, l.stale = &fresh, false
			l.mark(l.diff)
			l.Move(0, len(l.rows()))
			return then()
		}
	})
}

// take sets the selected value to what it is in the other file.
func (l *List) take() tea.Cmd {
	c := l.selected()
	if c == nil {
		return nil
	}
	return l.edits.Make(edits.Request{
		Options: edit.Options{Retype: true},
		Intend:  func(edit.Options) model.Intention { return l.Explorer.Take(l.diff, c) },
	})
}

// give asks whether to set the selected value in the other file.
func (l *List) give() {
	c := l.selected()
	switch {
	case c == nil:
		return
	case !l.diff.CanGive:
		l.Say(l.diff.Name + " is read-only: do takes its value, :w saves it here")
		return
	}
	l.Ask("save it to "+l.diff.Name+"? the old file becomes "+l.diff.Name+"~", "nothing was changed",
		dialog.Answer{Key: "y", Does: "yes", Run: func() tea.Cmd {
			diff, doc := l.diff, l.Doc
			return l.Start(&l.Task, "saving "+diff.Name, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
				fresh := *diff
				err := fresh.Give(ctx, c)
				if err == nil {
					err = fresh.Compare(ctx, doc)
				}
				return func() tea.Cmd {
					l.diff = &fresh
					if err != nil {
						l.Report(fmt.Errorf("%s: %w", fresh.Name, err))
					} else {
						l.Say("saved " + fresh.Name)
					}
					return nil
				}
			})
		}})
}
