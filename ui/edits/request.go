// Package edits makes the edits that the user asks for: of values and bytes, undo and redo.
package edits

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/expression"
	"varview/model/inspect"
	"varview/model/literals"
	"varview/model/sorting"
	"varview/model/table"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
)

// A Request is an edit that the user asked for.
type Request struct {
	model.Intention
	Ask     func(*model.Prepared) (asked bool) // asks a question before it is made, and reports whether it did; nil asks nothing
	Done    func()                             // called after it was made; nil shows its label
	Refused func(error) (shown bool)           // shows an error, and reports whether it did; may be nil
	Then    action.Action                      // done after it was made: the file is saved
	Again   func() tea.Cmd                     // makes the same edit at the cursor; nil if it cannot be repeated
}

// Edits makes edits of the document on the desk.
type Edits struct {
	*desk.Desk
	again func() tea.Cmd // repeats the last edit; nil if that is impossible
	left  []edit.Choice  // the numbers of leftIn that were equal to something and are left: it was asked once

	leftIn *model.Document
}

// stopped is the message after an edit was stopped before it was made.
const stopped = "stopped; nothing was changed"

// patience is how long further keys wait for an edit. Longer edits continue in the background, and esc
// stops them.
const patience = 100 * time.Millisecond

// Make works out an edit in the background, and then makes it.
func (e *Edits) Make(r Request) tea.Cmd {
	if err := e.CanEdit(); err != nil {
		return e.Report(err)
	}
	if e.leftIn != e.Doc {
		e.left, e.leftIn = nil, e.Doc
	}
	r.Options.Choices = slices.Concat(r.Options.Choices, e.left)
	r.Options.Unequal = func(c *edit.ChoiceError) error { return c }
	doc, buffer, intention := e.Doc, e.Explorer.Buffer, r.Intention
	return e.work(func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		intention.Progress = progress
		p, err := doc.Prepare(ctx, buffer, intention)
		if err == nil {
			err = doc.OpenAhead(ctx, p)
		}
		return func() tea.Cmd { return e.prepared(r, p, err) }
	})
}

// work does a part of an edit in the background. Keys wait for it.
func (e *Edits) work(do func(context.Context, *model.Progress) (take func() tea.Cmd)) tea.Cmd {
	cmd := e.Start(&e.Task, "working", do)
	e.Task.Hold(patience)
	return cmd
}

// prepared makes an edit that was worked out, or reports why it cannot be made.
func (e *Edits) prepared(r Request, p *model.Prepared, err error) tea.Cmd {
	var orphans *edit.OrphanError
	var choice *edit.ChoiceError
	switch {
	case errors.As(err, &orphans):
		return e.askOrphans(r, orphans)
	case errors.As(err, &choice):
		return e.askChoice(r, choice)
	case errors.Is(err, context.Canceled):
		return e.Say(stopped)
	}
	if err == nil && r.Ask != nil && r.Ask(p) {
		return nil
	}
	var turn model.Turn
	if err == nil {
		e.again = r.Again
		turn, err = e.Doc.Make(e.Ctx, p)
	}
	var cmd tea.Cmd
	switch {
	case errors.Is(err, model.ErrNoChange):
		e.Say("nothing changes: it is the same already")
	case err != nil:
		if r.Refused == nil || !r.Refused(err) {
			e.Report(err)
		}
		return nil
	default:
		cmd = e.follow(turn)
		e.Say("done: " + turn.Label + e.Doc.Kept() + "; u undoes it")
	}
	if r.Done != nil {
		r.Done()
	}
	return tea.Batch(cmd, e.Program.Do(r.Then))
}

// Repeat makes the last edit again, at the cursor.
func (e *Edits) Repeat() tea.Cmd {
	if e.again == nil {
		return e.Say("there is no edit to repeat: only that of a single value can be repeated")
	}
	return e.again()
}

// askOrphans asks what to do with references to a deleted value.
func (e *Edits) askOrphans(r Request, err *edit.OrphanError) tea.Cmd {
	settled := func(o edit.Orphans) func() tea.Cmd {
		return func() tea.Cmd {
			r.Options.Orphans = o
			return e.Make(r)
		}
	}
	text := fmt.Sprintf("%s leads to %s, which would be deleted: %s", span.Counted(int64(err.References), "reference"), err.Target, err.First)
	if err.References > 1 {
		text = fmt.Sprintf("%s lead to %s, which would be deleted; the first is %s", span.Counted(int64(err.References), "reference"), err.Target, err.First)
	}
	if err.OnlyNull {
		return e.Ask(text, "nothing was changed", dialog.Answer{Key: "u", Does: "make them null", Run: settled(edit.Undefined)})
	}
	return e.Ask(text, "nothing was changed",
		dialog.Answer{Key: "i", Does: "move it to the first", Run: settled(edit.Inherit)},
		dialog.Answer{Key: "u", Does: "make them undefined", Run: settled(edit.Undefined)})
}

// choices are the answers to what an edit leaves open.
var choices = map[edit.Choice]dialog.Answer{
	edit.MakeEmpty: {Key: "m", Does: "make it empty"},
	edit.KeepBytes: {Key: "k", Does: "keep its bytes"},
	edit.KeepEqual: {Key: "k", Does: "keep it equal"},
	edit.Leave:     {Key: "l", Does: "leave it, and do not ask again"},
	edit.Drop:      {Key: "y", Does: "change the type all the same"},
}

// askChoice asks what an edit leaves open.
func (e *Edits) askChoice(r Request, c *edit.ChoiceError) tea.Cmd {
	with := func(choice edit.Choice) func() tea.Cmd {
		return func() tea.Cmd {
			if choice.Kind() == edit.Leave {
				e.left = append(e.left, choice)
			} else {
				r.Options.Choices = append(slices.Clip(r.Options.Choices), choice)
			}
			return e.Make(r)
		}
	}
	var answers []dialog.Answer
	for _, choice := range c.Choices {
		a := choices[choice.Kind()]
		a.Run = with(choice)
		answers = append(answers, a)
	}
	if c.Remember != nil {
		answers = append(answers, dialog.Answer{Key: "r", Does: "keep it equal, and write that into the description", Run: func() tea.Cmd {
			if err := model.Remember(e.Ctx, c); err != nil {
				return e.Report(err)
			}
			return with(c.Choices[0])()
		}})
	}
	return e.Ask(c.Text, "nothing was changed", answers...)
}

// follow shows what an edit, or undo, has done.
func (e *Edits) follow(t model.Turn) tea.Cmd {
	e.Seeking.Stop() // its results would have outdated offsets
	e.Close(dialog.Find[*dialog.Editor](e.Dialogs))
	if t.Doc != e.Doc {
		return e.Replace(t.Doc, "", func() error {
			e.ShowBuffer(t.Doc.Buffers[min(t.Buffer, len(t.Doc.Buffers)-1)])
			return e.Explorer.GoToCursor(t.Cursor)
		})
	}
	e.ShowBuffer(e.Doc.Buffers[t.Buffer])
	e.Report(e.FollowTurn(t))
	e.CatchUp()
	return e.Program.Edited()
}

// Undo undoes the last step.
func (e *Edits) Undo() tea.Cmd { return e.UndoThen(nil) }

// UndoThen undoes the last step, and then calls done, if it is not nil.
func (e *Edits) UndoThen(done func()) tea.Cmd { return e.turn("undone: ", e.Doc.Undoing, done) }

// Redo redoes the step that was undone last.
func (e *Edits) Redo() tea.Cmd { return e.turn("redone: ", e.Doc.Redoing, nil) }

// turn works out in the background what undo or redo does to the document, and then does it.
func (e *Edits) turn(what string, begin func() (*model.Turning, error), done func()) tea.Cmd {
	if err := e.Busy(); err != nil {
		return e.Report(err)
	}
	t, err := begin()
	switch {
	case errors.Is(err, model.ErrNothingToUndo), errors.Is(err, model.ErrNothingToRedo):
		find := e.Doc.FindSaved() // which may not be done since the file was opened
		return e.work(func(context.Context, *model.Progress) func() tea.Cmd {
			adopt := find()
			return func() tea.Cmd {
				if adopt() {
					return e.turn(what, begin, done)
				}
				return e.Say(err.Error())
			}
		})
	case err != nil:
		return e.Failed(fmt.Errorf(cannotTurn, err))
	}
	doc := e.Doc
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		err := doc.WorkOut(ctx, t)
		return func() tea.Cmd {
			var turn model.Turn
			if err == nil {
				turn, err = doc.Turn(e.Ctx, t)
			}
			if err != nil {
				return e.Failed(fmt.Errorf(cannotTurn, err))
			}
			cmd := e.follow(turn)
			e.Say(what + turn.Label)
			if done != nil {
				done()
			}
			return cmd
		}
	})
}

const cannotTurn = "cannot be undone or redone: %w"

// Failed reports why nothing was changed or done.
func (e *Edits) Failed(err error) tea.Cmd {
	if errors.Is(err, context.Canceled) {
		return e.Say(stopped)
	}
	return e.Report(err)
}

// Values edits the values of the document on the desk.
type Values struct {
	*Edits
	// ToClipboard copies text to the terminal's clipboard; nil if there is none.
	ToClipboard func(text string) tea.Cmd
	// Keys is the terminal that is read for keys, Screen the one that is drawn on; nil for standard input and output.
	Keys, Screen *os.File

	clip clip
}

// errOnlyBytes says that a buffer has no values to edit.
var errOnlyBytes = errors.New("there are no values here, only bytes: tab goes to them, i and r edit them")

// errHeld says that a value can only be edited inside its wrapper.
var errHeld = errors.New("this is the file: > goes to the value inside, to edit it there")

// errUnread says that an edit needs what has not been read yet.
var errUnread = errors.New("the file has not been read that far yet")

// with finds what an edit is about, and begins the edit, or reports why it cannot begin. If it needs what has not been
// read yet, keys wait until that is read, and then with is called again.
func with[T any](e *Values, find func() (T, error), begin func(T) tea.Cmd) tea.Cmd {
	found, err := find()
	if err == nil {
		return begin(found)
	}
	b := e.Explorer.Buffer
	if _, read := b.Indexed(); read || !errors.Is(err, errUnread) {
		return e.Report(err)
	}
	cmd := e.Start(&e.Task, "reading", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		for read := false; !read && ctx.Err() == nil; _, read = b.Indexed() {
			time.Sleep(lookEvery)
		}
		return func() tea.Cmd {
			if ctx.Err() != nil {
				return e.Say(stopped)
			}
			e.Explorer.Indexed()
			return with(e, find, begin)
		}
	})
	e.Task.Hold(readPatience)
	if e.Reading.Buffer == nil {
		cmd = tea.Batch(cmd, e.ReadOn())
	}
	return cmd
}

// How often is looked whether a file is read, and how long keys wait for that at most.
const (
	lookEvery    = 5 * time.Millisecond
	readPatience = 5 * time.Second
)

// subject returns the value to be edited; the error says why it cannot be edited.
func (e *Values) subject() (*tree.Node, error) {
	if err := e.CanEdit(); err != nil {
		return nil, err
	}
	if e.Explorer.Subject() == nil && e.Explorer.Buffer.Size() > 0 && e.Explorer.Waiting() {
		return nil, errUnread
	}
	if err := e.Explorer.Buffer.CannotEditValues(); err != nil {
		return nil, err
	}
	if e.Explorer.IsHeld() {
		return nil, errHeld
	}
	if n := e.Value(); n != nil {
		return n, nil
	}
	return nil, errOnlyBytes
}

// Value returns the selected value or key; nil if none is selected.
func (e *Values) Value() *tree.Node {
	n := e.Explorer.Subject()
	if n == nil || n.Depth == 0 || e.Explorer.Buffer.IsWrapper() {
		return nil
	}
	return n
}

// entry returns the selected value, also if its key is selected.
func (e *Values) entry() (*tree.Node, error) { return e.entryOf(e.subject()) }

// entryOf returns the value that a key belongs to, or the value itself, unless that was not found.
func (e *Values) entryOf(n *tree.Node, err error) (*tree.Node, error) {
	if err == nil {
		if n = e.Explorer.Entry(n); n == nil {
			err = errors.New("this key has no value")
		}
	}
	return n, err
}

// Flip switches a value between true and false. Any other value stays.
func (e *Values) Flip(n *tree.Node) tea.Cmd {
	if err := e.Busy(); err != nil {
		return e.Report(err)
	}
	x := e.Explorer
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		literal, _ := x.Literal(ctx, n)
		other, ok := map[string]string{"true": "false", "false": "true"}[literal]
		if !ok {
			return nil
		}
		return func() tea.Cmd {
			return e.Make(Request{Intention: e.Explorer.Set(n, other), Again: func() tea.Cmd { return with(e, e.subject, e.Flip) }})
		}
	})
}

// Set is :set VALUE, :set PATH=VALUE and :set --where QUERY VALUE.
func (e *Values) Set(arg string) tea.Cmd {
	path, literal, ok := model.CutAssignment(arg)
	if !ok {
		n, err := e.subject()
		if shown, leads := e.Dialogs.Over().(dialog.Leading); leads && shown.Led() != nil { // the cell of a table
			n = shown.Led()
		}
		if arg == "" || strings.HasPrefix(arg, model.Where) {
			err = errors.New(":set needs a value, as in :set 100, or a path too, or a query: :set $.hp=100, :set --where key:hp <5 9")
		}
		if err != nil {
			return e.Report(err)
		}
		if expression.Is(arg) {
			return e.setAll(e.Explorer.Path(n), arg, func() tea.Cmd { return e.Set(arg) })
		}
		return e.setAsking(n, arg, false)
	}
	setAll := func(error) tea.Cmd { return e.setAll(path, literal, func() tea.Cmd { return e.Set(arg) }) }
	if path == hitsOfFilter || strings.HasPrefix(path, model.Where) || tree.IsPattern(path) || expression.Is(literal) {
		return setAll(nil)
	}
	return e.Resolve(path, func(n *tree.Node) tea.Cmd { return e.setAsking(n, literal, false) }, setAll) // it may lead into what a value holds
}

// setAsking changes a value. It asks before the type of the value changes, unless retype is set.
func (e *Values) setAsking(n *tree.Node, literal string, retype bool) tea.Cmd {
	r := e.setting(n, literal, retype)
	r.Refused = func(err error) bool {
		var other *edit.TypeError
		if !errors.As(err, &other) {
			return false
		}
		e.Ask(fmt.Sprintf("change the type from %s to %s?", other.Was, other.Is), "nothing was changed",
			dialog.Answer{Key: "y", Does: "change it", Run: func() tea.Cmd { return e.setAsking(n, literal, true) }})
		return true
	}
	return e.Make(r)
}

// chosen returns the values that an edit is about: the selected ones, or the one at the cursor.
func (e *Values) chosen() ([]*tree.Node, error) { return e.chosenOr(e.subject()) }

// chosenOr is chosen with the value at the cursor, unless that was not found.
func (e *Values) chosenOr(n *tree.Node, err error) ([]*tree.Node, error) {
	if n, err = e.entryOf(n, err); err != nil {
		return nil, err
	}
	if all, err := e.several(); err != nil || all != nil {
		return all, err
	}
	return []*tree.Node{n}, nil
}

// several returns the selected values if there is more than one, and otherwise nil.
func (e *Values) several() ([]*tree.Node, error) {
	switch all := e.Explorer.Chosen(); {
	case len(all) > 1:
		return all, nil
	case len(all) == 0 && e.Explorer.IsChoosing():
		return nil, errLeft
	}
	return nil, nil
}

// errLeft says that the cursor has left the container in which values are selected.
var errLeft = errors.New("values are selected in one list or record, and the cursor has left it; esc ends that. :set &=VALUE sets all that a filter finds")

// errApart says why values that are not beside each other cannot be moved or duplicated.
var errApart = errors.New("the filter hides values between those that are selected: & without a query shows them")

// areApart reports whether other values are between some.
func areApart(all []*tree.Node) bool {
	return all[len(all)-1].Slot.Index-all[0].Slot.Index >= int64(len(all))
}

// Step adds to the selected numbers: hundredths to the channels of a colour, which stay from 0 to 1.
func (e *Values) Step(by int) tea.Cmd {
	return with(e, e.chosen, func(all []*tree.Node) tea.Cmd {
		value := fmt.Sprintf("_%+d", by)
		if e.Explorer.IsChannel() {
			value = fmt.Sprintf("clamp(_%+.2f, 0, max(_, 1))", float64(by)/100)
		}
		return e.SetThese(all, value, func() tea.Cmd { return e.Step(by) })
	})
}

// SetThese sets values to a literal, or to what an expression makes of the old value. again repeats it;
// it is nil if that is impossible.
func (e *Values) SetThese(all []*tree.Node, value string, again func() tea.Cmd) tea.Cmd {
	return e.Make(Request{Again: again, Intention: e.Explorer.SetThese(all, value)})
}

// SetColor sets a colour that was another one, spelled as it is. A part that was not moved keeps all its digits.
func (e *Values) SetColor(n *tree.Node, was, is [4]float64) tea.Cmd {
	literal, err := e.Explorer.Literal(e.Ctx, n)
	if err != nil {
		return e.Report(err)
	}
	if mark, text, ok := literals.Unquote(literal); ok && strings.HasPrefix(text, "#") {
		return e.setAsking(n, literals.Quote(mark, inspect.HexLike(is, text)), false)
	}
	i := -1
	return e.setAsking(n, levels().ReplaceAllStringFunc(literal, func(x string) string {
		if i++; i >= len(is) || math.Abs(is[i]-was[i]) < 1e-6 {
			return x
		}
		return strconv.FormatFloat(math.Round(is[i]*1e4)/1e4, 'g', -1, 64)
	}), false)
}

// levels are the numbers in a colour.
var levels = lazy.Regexp(`-?[0-9][0-9.e+-]*`)

// Retype is :type NAME.
func (e *Values) Retype(name string) tea.Cmd {
	return with(e, e.subject, func(n *tree.Node) tea.Cmd {
		switch all, err := e.several(); {
		case err != nil:
			return e.Report(err)
		case name == "":
			return e.Report(fmt.Errorf(":type needs one of %s", strings.Join(e.Explorer.Types(n), ", ")))
		case all != nil:
			return e.Make(Request{Intention: e.Explorer.RetypeThese(all, name)})
		}
		return e.Make(Request{Intention: e.Explorer.Retype(n, name), Again: func() tea.Cmd { return e.Retype(name) }})
	})
}

// setAll is :set with a path for many values, with & for those that a filter leaves, or with an
// expression on the old value. It says how many values would change, and asks. again repeats it.
func (e *Values) setAll(path, value string, again func() tea.Cmd) tea.Cmd {
	intention, what := e.Explorer.SetAll(path, value), path
	if path == hitsOfFilter {
		hits := e.Explorer.Filter()
		if hits == nil {
			return e.Report(errors.New(":set &= sets the values that a filter leaves: first type & and a query"))
		}
		intention, what = e.Explorer.SetFound(hits.Query, value), "the filter"
	}
	r := Request{Intention: intention, Again: again}
	r.Ask = func(p *model.Prepared) bool {
		n := p.Values()
		if n < 2 {
			return false
		}
		e.Ask(fmt.Sprintf("change %s?", span.Counted(int64(n), "value")), "nothing was changed",
			dialog.Answer{Key: "y", Does: "change them", Run: func() tea.Cmd {
				return e.prepared(Request{Again: again, Done: func() { e.Say("set " + span.Counted(int64(n), "value") + " of " + what + "; u undoes it") }}, p, nil)
			}})
		return true
	}
	return e.Make(r)
}

// hitsOfFilter stands for the values that a filter leaves, instead of a path.
const hitsOfFilter = "&"

// ImportCSV is :import-csv FILE: it imports the values of a CSV file into the selected container.
func (e *Values) ImportCSV(name string) tea.Cmd {
	n, err := e.entry()
	if name == "" {
		err = errors.New(":import-csv needs a FILE, as varview table --csv writes it, for the selected container")
	}
	if err != nil {
		return e.Report(err)
	}
	b, err := source.ReadRegular(name, table.MaxCSV)
	if err != nil {
		return e.Report(fmt.Errorf("%s: %w", name, err))
	}
	of, _ := e.Explorer.TableOf(n)
	return e.Make(Request{Intention: e.Explorer.ImportCSV(of, b)})
}

// Sort is :sort [[PATH] STEPS] [desc] [unique]: it sorts the children of the container at a path or the selected one, or with steps the
// list around a record.
func (e *Values) Sort(arg string) tea.Cmd {
	by, path := sortingOf(arg)
	if path != "" {
		return e.Resolve(path, func(n *tree.Node) tea.Cmd { return e.Make(Request{Intention: e.Explorer.Sort(n, by)}) }, e.Report)
	}
	return with(e, e.entry, func(n *tree.Node) tea.Cmd {
		if of, row := e.Explorer.TableOf(n); row != nil && (by.By != "" || n.Layout == tree.Leaf && of.Layout != tree.Pairs) {
			n = of
		}
		return e.Make(Request{Intention: e.Explorer.Sort(n, by)})
	})
}

// sortingOf parses the argument of :sort; path is "" for the selected container.
func sortingOf(arg string) (s sorting.Order, path string) {
	for _, word := range strings.Fields(arg) {
		switch word {
		case "desc":
			s.Descending = true
		case "unique":
			s.Unique = true
		default:
			path, s.By = s.By, word
		}
	}
	return s, path
}
