// Package edits makes the edits that the user asks for: of values and bytes, undo and redo.
package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/model"
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
	Saves   bool                               // the file is saved after it was made
	Again   func() tea.Cmd                     // makes the same edit at the cursor; nil if it cannot be repeated
}

// Edits makes edits of the document on the desk.
type Edits struct {
	*desk.Desk
	again  func() tea.Cmd  // repeats the last edit; nil if that is impossible
	leaves *model.Document // in which numbers that were equal to something are left: it was asked once
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
	if r.Options.Unequal = nil; e.leaves != e.Doc {
		r.Options.Unequal = func(c *edit.ChoiceError) error { return c }
	}
	doc, buffer, intention := e.Doc, e.Explorer.Buffer, r.Intention
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
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
		e.Say("done: " + turn.Label + "; u undoes it")
	}
	if r.Done != nil {
		r.Done()
	}
	if r.Saves {
		cmd = tea.Batch(cmd, e.Program.Do(action.Save))
	}
	return cmd
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
			if choice == edit.Leave {
				e.leaves = e.Doc
			}
			r.Options.Choices = append(slices.Clip(r.Options.Choices), choice)
			return e.Make(r)
		}
	}
	var answers []dialog.Answer
	for _, choice := range c.Choices {
		a := choices[choice]
		a.Run = with(choice)
		answers = append(answers, a)
	}
	if c.Remember != nil {
		answers = append(answers, dialog.Answer{Key: "r", Does: "keep it equal, and write that into the description", Run: func() tea.Cmd {
			if err := model.Remember(e.Ctx, c); err != nil {
				return e.Report(err)
			}
			return with(edit.KeepEqual)()
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
		return e.failed(fmt.Errorf(cannotTurn, err))
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
				return e.failed(fmt.Errorf(cannotTurn, err))
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

// failed reports why nothing was changed.
func (e *Edits) failed(err error) tea.Cmd {
	if errors.Is(err, context.Canceled) {
		return e.Say(stopped)
	}
	return e.Report(err)
}
