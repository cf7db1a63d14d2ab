package differ

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/diff"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/paint"
)

// Merge makes the changes that lead from one file to another, and lists the conflicts, if there are any.
// Without names it lists the conflicts of the merge that the program was started for.
func (d *Differ) Merge(names string) tea.Cmd {
	files := strings.Fields(names)
	switch {
	case d.Pending != nil && names == "":
		return d.openConflicts(d.Pending)
	case len(files) != 2:
		return d.Report(errors.New(":merge needs two files, the common base and theirs: :merge base.dat theirs.dat"))
	}
	if err := errors.Join(d.Busy(), d.CanEdit()); err != nil {
		return d.Report(err)
	}
	doc := d.Doc
	return d.Start(&d.Task, "merging", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		x, err := diff.OpenMerge(ctx, doc, files[0], files[1], p)
		if err == nil {
			if err = x.Find(ctx, doc); err != nil {
				x.Close()
			}
		}
		return func() tea.Cmd {
			switch {
			case files[1] == "~" && errors.Is(err, fs.ErrNotExist):
				return d.Report(fmt.Errorf("there is no %s~: the file was not saved over here", doc.Name))
			case err != nil:
				return d.Report(fmt.Errorf("cannot merge: %w", err))
			case len(x.Conflicts) == 0:
				return d.makeMerge(x, func() {
					x.Close()
					d.Say("taken from " + x.Theirs.Name + "; u undoes it, " + d.Actions.Hint("", action.Save).Key + " saves it")
				})
			}
			return d.openConflicts(x)
		}
	})
}

// Decide lists the conflicts that the program was started for, if it was.
func (d *Differ) Decide() tea.Cmd {
	if d.Pending == nil {
		return nil
	}
	return d.openConflicts(d.Pending)
}

// makeMerge makes a merge in which all conflicts are decided.
func (d *Differ) makeMerge(x *diff.Merge, done func()) tea.Cmd {
	return d.edits.Make(edits.Request{Intention: d.Explorer.Merge(x), Done: done})
}

// conflicts lists the conflicts of a merge with their choices, and below that the values of the selected
// conflict on all sides.
type conflicts struct {
	dialog.List
	d     *Differ
	merge *diff.Merge
}

const sideRows = 4

func (d *Differ) openConflicts(x *diff.Merge) tea.Cmd {
	l := &conflicts{d: d, merge: x}
	plainly := action.Plainly
	l.List = dialog.List{On: d, Of: l, KeyMap: d.Actions.KeyMap(action.Conflicts), In: action.Conflicts, Heading: l.heading, Foot: l.sides, FootLines: sideRows,
		Count: func() int { return len(x.Conflicts) }, Draw: l.row, Does: action.Does{
			action.NextDifference:     plainly(func() { l.step(1) }),
			action.PreviousDifference: plainly(func() { l.step(-1) }),
			action.ChooseOurs:         plainly(func() { l.take(diff.KeepOurs, "keep the value of this file") }),
			action.ChooseTheirs:       plainly(func() { l.take(diff.TakeTheirs, "take the value of "+x.Theirs.Name) }),
			action.ChooseBase:         plainly(func() { l.take(diff.TakeBase, "take the value of "+x.Base.Name) }),
			action.MakeMerge:          l.make,
			action.Cancel:             plainly(l.close),
			action.Quit:               plainly(l.close),
		}}
	l.Keys = append(l.KeyMap.Hints(action.ChooseOurs, action.ChooseTheirs, action.ChooseBase, action.MakeMerge),
		l.KeyMap.Hint("without a choice", action.NextDifference, action.PreviousDifference))
	d.Say("")
	return d.Open(l)
}

// step goes to the next conflict without a choice, or to the previous one.
func (l *conflicts) step(by int) {
	all := l.merge.Conflicts
	if !l.Seek(by, len(all), func(row int) bool { return all[row].Choice == diff.NotChosen }) {
		l.d.Say("there is no further conflict without a choice")
	}
}

// take chooses a value for the selected conflict, and goes on to the next one.
func (l *conflicts) take(which diff.Choice, does string) {
	c := &l.merge.Conflicts[l.At]
	if !slices.Contains(c.Possible, which) {
		l.d.Report(fmt.Errorf("here it is not possible to %s", does))
		return
	}
	c.Choice = which
	if l.merge.Left() > 0 {
		l.step(1)
	} else {
		l.d.Say("all are chosen: enter merges, esc changes nothing")
	}
}

// make makes the merge, if every conflict has a choice.
func (l *conflicts) make() tea.Cmd {
	switch left := l.merge.Left(); {
	case left > 0:
		l.d.Report(fmt.Errorf("%s without a choice: o keeps ours, t takes theirs, b what both come from", span.Counted(int64(left), "conflict")))
	case l.merge == l.d.Pending:
		l.merge.Decided = true
		return l.d.Program.Do(action.Quit)
	default:
		return l.d.makeMerge(l.merge, func() {
			l.close()
			l.d.Say("merged " + l.merge.Theirs.Name + "; u undoes it")
		})
	}
	return nil
}

// close closes the list and the files. The merge that the program was started for can be listed again.
func (l *conflicts) close() {
	l.d.Close(l)
	if l.merge != l.d.Pending {
		l.merge.Close()
	} else {
		l.d.Say("nothing was merged; :merge lists the conflicts again")
	}
}

// Binds implements dialog.Bound.
func (l *conflicts) Binds() {}

// Led implements dialog.Leading.
func (l *conflicts) Led() *tree.Node {
	if l.d.Explorer.Buffer != l.d.Doc.Innermost() {
		return nil
	}
	n, _ := l.d.Explorer.LookReader().Resolve(l.merge.Conflicts[l.At].Path) // nil if this file has no such value
	return n
}

// choices are the choices as they are shown, all of the same width.
var choices = map[diff.Choice]string{diff.NotChosen: "?     ", diff.KeepOurs: "ours  ", diff.TakeTheirs: "theirs", diff.TakeBase: "base  "}

// heading says what is merged, and how many conflicts have no choice.
func (l *conflicts) heading(int) [][]paint.Piece {
	return [][]paint.Piece{{paint.In(themes.Title, fmt.Sprintf(" %d of %s without a choice", l.merge.Left(), span.Counted(int64(len(l.merge.Conflicts)), "conflict"))),
		paint.Plain(": " + text.Clean(l.d.Doc.Name) + " and " + text.Clean(l.merge.Theirs.Name) + ", from " + text.Clean(l.merge.Base.Name))}}
}

// row draws a conflict.
func (l *conflicts) row(row, width int) []paint.Piece {
	c, role := l.merge.Conflicts[row], themes.Accent
	if c.Choice == diff.NotChosen {
		role = themes.Error
	}
	return []paint.Piece{paint.In(role, " "+choices[c.Choice]+"  "), paint.In(themes.Key, text.CutLeft(text.Clean(c.Path), width/2)+"  "),
		paint.In(themes.Dim, text.Clean(c.Why))}
}

// sides draws the values of the selected conflict.
func (l *conflicts) sides(width int) [][]paint.Piece {
	c := l.merge.Conflicts[l.At]
	lines := [][]paint.Piece{{paint.In(themes.Key, " "+text.CutLeft(text.Clean(c.Path), width/2)), paint.Plain(": " + text.Clean(c.Why))}}
	for _, x := range []struct {
		name, literal string
		which         diff.Choice
		role          themes.Role
	}{{"base  ", c.Base, diff.TakeBase, themes.Dim}, {"ours  ", c.Ours, diff.KeepOurs, themes.Added}, {"theirs", c.Theirs, diff.TakeTheirs, themes.Removed}} {
		shown := paint.In(x.role, text.Head(text.Clean(x.literal), width))
		if x.literal == "" {
			shown = paint.In(themes.Dim, "there is no such value")
		}
		lines = append(lines, []paint.Piece{paint.Plain(" "), dialog.Marked(c.Choice == x.which), paint.In(x.role, " "+x.name+"  "), shown})
	}
	return lines
}
