package differ

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
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
	return d.edits.Make(edits.Request{Intend: func(edit.Options) model.Intention { return d.Explorer.Merge(x) }, Done: done})
}

func (d *Differ) openConflicts(x *diff.Merge) tea.Cmd {
	return d.Open(&conflicts{Differ: d, keys: d.Actions.KeyMap(action.Conflicts), merge: x})
}

// conflicts lists the conflicts of a merge with their choices, and below that the values of the selected
// conflict on all sides.
type conflicts struct {
	*Differ
	keys  action.KeyMap
	merge *diff.Merge
	dialog.Rows
}

// Room implements dialog.Roomed.
func (l *conflicts) Room() action.Rooms { return action.Conflicts }

// Place implements dialog.Dialog.
func (l *conflicts) Place() dialog.Place { return dialog.PlaceOf(l.Taken()) }

// Taken implements dialog.Low.
func (l *conflicts) Taken() int {
	return dialog.LinesBelow(l, len(l.merge.Conflicts)+2+sideRows)
}

// lines returns the number of lines in all.
func (l *conflicts) lines() int { return cmp.Or(l.Taken(), l.Height-2) }

const sideRows = 4

// height returns the number of conflicts in view.
func (l *conflicts) height() int {
	return max(1, l.lines()-2-sideRows)
}

// Update implements dialog.Dialog.
func (l *conflicts) Update(msg tea.KeyMsg) tea.Cmd { return l.Press(l.keys, msg, l.Do) }

// Do does an action.
func (l *conflicts) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(l.height(), len(l.merge.Conflicts)); moves {
		l.Move(by*l.Times(), len(l.merge.Conflicts))
		return nil
	}
	switch a {
	case action.NextDifference:
		l.step(1)
	case action.PreviousDifference:
		l.step(-1)
	case action.ChooseOurs:
		l.take(diff.KeepOurs, "keep the value of this file")
	case action.ChooseTheirs:
		l.take(diff.TakeTheirs, "take the value of "+l.merge.Theirs.Name)
	case action.ChooseBase:
		l.take(diff.TakeBase, "take the value of "+l.merge.Base.Name)
	case action.MakeMerge:
		return l.make()
	case action.Cancel, action.Quit:
		l.close()
	}
	return nil
}

// step goes to the next conflict without a choice, or to the previous one.
func (l *conflicts) step(by int) {
	all := l.merge.Conflicts
	if !l.Seek(by, len(all), func(row int) bool { return all[row].Choice == diff.NotChosen }) {
		l.Say("there is no further conflict without a choice")
	}
}

// take chooses a value for the selected conflict, and goes on to the next one.
func (l *conflicts) take(which diff.Choice, does string) {
	c := &l.merge.Conflicts[l.At]
	if !slices.Contains(c.Possible, which) {
		l.Report(fmt.Errorf("here it is not possible to %s", does))
		return
	}
	c.Choice = which
	if l.merge.Left() > 0 {
		l.step(1)
	} else {
		l.Say("all are chosen: enter merges, esc changes nothing")
	}
}

// make makes the merge, if every conflict has a choice.
func (l *conflicts) make() tea.Cmd {
	switch left := l.merge.Left(); {
	case left > 0:
		l.Report(fmt.Errorf("%s without a choice: o keeps ours, t takes theirs, b what both come from", span.Counted(int64(left), "conflict")))
	case l.merge == l.Pending:
		l.merge.Decided = true
		return l.Program.Do(action.Quit)
	default:
		return l.makeMerge(l.merge, func() {
			l.close()
			l.Say("merged " + l.merge.Theirs.Name + "; u undoes it")
		})
	}
	return nil
}

// close closes the list and the files. The merge that the program was started for can be listed again.
func (l *conflicts) close() {
	l.Close(l)
	if l.merge != l.Pending {
		l.merge.Close()
	} else {
		l.Say("nothing was merged; :merge lists the conflicts again")
	}
}

// Accompanied implements dialog.Accompanied.
func (l *conflicts) Accompanied() {}

// Led implements dialog.Leading.
func (l *conflicts) Led() *tree.Node {
	if l.Explorer.Buffer != l.Doc.Innermost() {
		return nil
	}
	n, _ := l.Explorer.LookReader().Resolve(l.merge.Conflicts[l.At].Path) // nil if this file has no such value
	return n
}

// Mouse implements dialog.Pointed.
func (l *conflicts) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	l.Pick(msg, by, msg.Y-(l.Height-1-l.lines())-1, l.height(), len(l.merge.Conflicts))
	return nil, true
}

// Hints implements dialog.Hinting.
func (l *conflicts) Hints() []paint.Piece {
	hints := l.keys.Hints(action.ChooseOurs, action.ChooseTheirs, action.ChooseBase, action.MakeMerge)
	hints = append(hints, l.keys.Hint("without a choice", action.NextDifference, action.PreviousDifference))
	return paint.Keys(paint.FittingKeys(append(hints, l.keys.Hint("close", action.Cancel), l.keys.Hints(action.Help)[0]), paint.BottomRoom(l.Width)))
}

// choices are the choices as they are shown, all of the same width.
var choices = map[diff.Choice]string{diff.NotChosen: "?     ", diff.KeepOurs: "ours  ", diff.TakeTheirs: "theirs", diff.TakeBase: "base  "}

// View implements dialog.Dialog.
func (l *conflicts) View() []string {
	out, height := dialog.NewLines(l), l.height()
	width, all := out.Width, l.merge.Conflicts
	l.Fit(height, len(all))
	out.Put(false, paint.In(themes.Title, fmt.Sprintf(" %d of %s without a choice", l.merge.Left(), span.Counted(int64(len(all)), "conflict"))),
		paint.Plain(": "+text.Clean(l.Doc.Name)+" and "+text.Clean(l.merge.Theirs.Name)+", from "+text.Clean(l.merge.Base.Name)))
	for i := l.Top; i < min(len(all), l.Top+height); i++ {
		role := themes.Accent
		if all[i].Choice == diff.NotChosen {
			role = themes.Error
		}
		out.Row(i == l.At, paint.In(role, " "+choices[all[i].Choice]+"  "),
			paint.In(themes.Key, text.CutLeft(text.Clean(all[i].Place()), width/2)+"  "), paint.In(themes.Dim, text.Clean(all[i].Why)))
	}
	out.Fill(height + 1)
	out.Rule()
	c := all[l.At]
	out.Put(false, paint.In(themes.Key, " "+text.CutLeft(text.Clean(c.Place()), width/2)), paint.Plain(": "+text.Clean(c.Why)))
	for _, x := range []struct {
		name, literal string
		which         diff.Choice
		role          themes.Role
	}{{"base  ", c.Base, diff.TakeBase, themes.Dim}, {"ours  ", c.Ours, diff.KeepOurs, themes.Removed}, {"theirs", c.Theirs, diff.TakeTheirs, themes.Added}} {
		shown := paint.In(x.role, text.Head(text.Clean(x.literal), width))
		if x.literal == "" {
			shown = paint.In(themes.Dim, "there is no such value")
		}
		out.Put(false, paint.Plain(" "), dialog.Marked(c.Choice == x.which), paint.In(x.role, " "+x.name+"  "), shown)
	}
	return out.All
}
