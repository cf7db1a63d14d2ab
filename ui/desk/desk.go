// Package desk is what panes and dialogs share: the open document and how it is looked at, the message,
// the jobs and the open dialogs. They may touch nothing else of the program.
package desk

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/internal/state"
	"varview/model"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// Program is the program around the panes.
type Program interface {
	// Arrange lays out the panes after their content has changed.
	Arrange()
	// Do does an action that means the same in all panes.
	Do(action.Action) tea.Cmd
	// Show shows a buffer of this or another open file as it was left, and reports whether it is still
	// open.
	Show(*explore.Explorer) (cmd tea.Cmd, shown bool, err error)
	// Edited is called after an edit of the shown document.
	Edited() tea.Cmd
	// Opened is called after another document has replaced the shown one.
	Opened() tea.Cmd
}

// A Message is shown in the bottom line, or in several, until the next key.
type Message struct {
	Text    string
	IsError bool
}

// Role returns the role in which the message is drawn.
func (m Message) Role() themes.Role {
	if m.IsError {
		return themes.Error
	}
	return themes.Accent
}

// Described is how far the description of the document explains it.
type Described struct {
	Share      float64 // of the bytes, from 0 to 1
	IsMeasured bool    // Share is known

	Problems []*format.DescriptionProblem // what is wrong with it as it was last saved
	IsStale  bool                         // it cannot be used, and the values are read as it was before
}

// A Desk belongs to one program.
type Desk struct {
	Program       Program
	Ctx           context.Context
	Actions       action.Table
	Styles        paint.Styles
	Width, Height int // of the window
	State         *state.Store

	Shelf
	Focus   Focus
	Count   int   // number typed before the current action; 0 for none
	Under   Focus // the tree or the bytes, whichever last had the focus
	Message Message
	twice   twice
	Dialogs dialog.Stack

	Inspecting bool   // the inspector is shown
	TypesBytes bool   // bytes are typed at an offset
	Practice   string // path of the tutorial's save; "" without one
	Described  Described

	Seeking             jobs.Job // a search, or looking for a path
	Counting, Filtering jobs.Job // collect all hits of a search, and those of a filter after an edit
	Task                jobs.Job // an edit or a save, during which no other edit can begin
	Opening             jobs.Job // opens the document again
	Comparing           jobs.Job // finds again what differs from another file
	Preview             jobs.Job // works out what a repair would change
	Reading             Reading
	Summed              Summed
	pool                jobs.Pool

	presses int // number of keys so far
	begun   int // the press that started what is being done

	Unchanged bool // the last message has changed nothing that is shown
}

// Open opens a dialog.
func (d *Desk) Open(x dialog.Dialog) tea.Cmd {
	d.Dialogs.Open(x)
	if _, ok := x.(dialog.Low); ok {
		d.Program.Arrange()
	}
	if x, ok := x.(dialog.Beginning); ok {
		return x.Init()
	}
	return nil
}

// Close closes a dialog.
func (d *Desk) Close(x dialog.Dialog) { d.Dialogs.Close(x) }

// CloseLists closes what is over or below the panes: tables, lists, pages.
func (d *Desk) CloseLists() {
	for _, p := range []dialog.Place{dialog.OverPanes, dialog.BelowPanes} {
		for x := d.Dialogs.At(p); x != nil; x = d.Dialogs.At(p) {
			d.Close(x)
		}
	}
}

// Ask asks a question. leave is the message after a key that is not an answer. If the user has begun to
// type something, the question waits below that.
func (d *Desk) Ask(text, leave string, answers ...dialog.Answer) tea.Cmd {
	q := &dialog.Question{Context: d, Text: text, Leave: leave, Answers: answers, Late: d.begun != d.presses}
	if _, types := d.Dialogs.Top().(dialog.Typed); types && q.Late {
		d.Dialogs.OpenBelow(q)
	} else {
		d.Dialogs.Open(q)
	}
	return nil
}

// AskWhich is Ask for answers that change nothing, so that they may be typed before the question is seen.
func (d *Desk) AskWhich(text, leave string, answers ...dialog.Answer) tea.Cmd {
	d.Ask(text, leave, answers...)
	dialog.Find[*dialog.Question](d.Dialogs).IsShown = true
	return nil
}

// Unask withdraws a question that is out of date.
func (d *Desk) Unask() {
	d.Close(dialog.Find[*dialog.Question](d.Dialogs))
}

// AwaitsInput reports whether something is being typed or asked: it is about the values as they are, so that the document must not be
// replaced meanwhile.
func (d *Desk) AwaitsInput() bool {
	return d.TypesBytes || slices.ContainsFunc(d.Dialogs, func(x dialog.Dialog) bool {
		_, types := x.(dialog.Typed)
		_, bound := x.(dialog.Bound)
		return types || bound
	})
}

// Doing returns what does an action that means the same in all panes.
func (d *Desk) Doing(a action.Action) func() tea.Cmd {
	return func() tea.Cmd { return d.Program.Do(a) }
}

// Page returns a text to be opened over the panes.
func (d *Desk) Page(lines [][]paint.Piece) *dialog.Page {
	return &dialog.Page{Context: d, KeyMap: d.Actions.KeyMap(action.Page), Lines: func(int) [][]paint.Piece { return lines }}
}

// Say shows a message. It returns nil, for keys that only show something.
func (d *Desk) Say(text string) tea.Cmd {
	d.Message = Message{Text: text}
	return nil
}

// Report shows an error; nil shows nothing. It returns nil.
func (d *Desk) Report(err error) tea.Cmd {
	if err != nil {
		d.Message = Message{err.Error(), true}
	}
	return nil
}

// Failing returns what reports an error after what could not be done.
func (d *Desk) Failing(what string) func(error) tea.Cmd {
	return func(err error) tea.Cmd { return d.Report(fmt.Errorf("%s: %w", what, err)) }
}

// Reporting returns what does something at once and reports its error.
func (d *Desk) Reporting(do func() error) func() tea.Cmd {
	return func() tea.Cmd { return d.Report(do()) }
}

// Window returns the size of the window.
func (d *Desk) Window() (width, height int) { return d.Width, d.Height }

// besideShare is the tree's percentage of the columns of a wide window beside a dialog.
const besideShare = 50

// BesideColumns returns the number of columns of the tree, with its frame, beside a dialog over the
// panes.
func (d *Desk) BesideColumns() int {
	if x, ok := d.Dialogs.Over().(dialog.Accompanied); ok && x.Accompanied() && d.Width >= dialog.BesideWidth {
		return d.Width * besideShare / 100
	}
	return 0
}

// Across implements dialog.Context.
func (d *Desk) Across() (width, height int) { return d.Width - d.BesideColumns(), d.Height }

// Paints returns the colours.
func (d *Desk) Paints() *paint.Styles { return &d.Styles }

// Start starts work in the background as a job, replacing the job's current work. The function that work
// returns receives the result, unless it is late.
func (d *Desk) Start(job *jobs.Job, name string, work func(context.Context, *model.Progress) (take func() tea.Cmd)) tea.Cmd {
	begun := d.begun
	return job.Run(d.Ctx, &d.pool, name, func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		return d.since(begun, work(ctx, p))
	})
}

// StartAlone is Start for work beside which nothing is edited, saved or opened.
func (d *Desk) StartAlone(job *jobs.Job, name string, work func(context.Context, *model.Progress) (take func() tea.Cmd)) tea.Cmd {
	if err := d.Busy(); err != nil {
		return d.Report(err)
	}
	return d.Start(job, name, work)
}

// Go does work in the background whose result is never late.
func (d *Desk) Go(name string, work func() (take func() tea.Cmd)) tea.Cmd {
	begun := d.begun
	return d.pool.Go(name, func() func() tea.Cmd { return d.since(begun, work()) })
}

// NotePress records that a key was pressed, which starts what it asks for.
func (d *Desk) NotePress() {
	d.presses++
	d.begun = d.presses
}

// since returns a function that handles a result as part of what a key has started.
func (d *Desk) since(begun int, take func() tea.Cmd) func() tea.Cmd {
	if take == nil {
		return nil
	}
	return func() tea.Cmd {
		was := d.begun
		d.begun = begun
		defer func() { d.begun = was }()
		return take()
	}
}

// Pause ends all background work, and lets none begin until resume is called.
func (d *Desk) Pause() (resume func()) {
	d.stopLooking()
	d.Preview.Stop()
	d.Comparing.Stop()
	d.Summed.Job.Stop()
	return d.pool.Pause()
}

// Works reports whether a job is running whose progress the screen shows.
func (d *Desk) Works() bool {
	for _, j := range []*jobs.Job{&d.Seeking, &d.Counting, &d.Filtering, &d.Opening, &d.Task, &d.Summed.Job} {
		if j.Runs() {
			return true
		}
	}
	return false
}

// Busy returns an error while work is in progress during which nothing may be edited; otherwise nil.
func (d *Desk) Busy() error {
	for _, j := range []*jobs.Job{&d.Task, &d.Opening} {
		if j.Runs() {
			return fmt.Errorf("%s: wait until it ends, or press esc to stop it", j.Name)
		}
	}
	return nil
}

// CanEdit returns why nothing can be edited; nil if it can.
func (d *Desk) CanEdit() error {
	if err := d.Busy(); err != nil {
		return err
	}
	if err := d.Doc.CanEdit(d.Explorer.Buffer); err != nil {
		return fmt.Errorf("nothing can be changed: %w", err)
	}
	return nil
}

// scaled are the actions that take a number as a distance or a destination, in Count.
var scaled = []action.Action{action.Down, action.Up, action.HalfPageDown, action.HalfPageUp, action.PageDown, action.PageUp,
	action.First, action.Last, action.Increase, action.Decrease, action.ExtendDown, action.ExtendUp, action.NextSibling, action.PreviousSibling, action.Parent, action.UnfoldAll, action.BorderLeft, action.BorderRight}

// repeated are the actions that take a number of repetitions.
var repeated = []action.Action{action.Right, action.Left, action.Back, action.Forward, action.NextProblem, action.PreviousProblem}

// Press handles a key of a pane: it does what the key means, or waits for the next key after a number or
// the first of two keys.
func (d *Desk) Press(k action.KeyMap, msg tea.KeyMsg, do func(action.Action) tea.Cmd) tea.Cmd {
	return d.press(k, msg, 0, do)
}

// DoIn does an action in a pane: one of its own, one that moves in a list of count rows, page of them in view, or one that means
// the same in all panes.
func (d *Desk) DoIn(does action.Does, a action.Action, page, count int, move func(by int) tea.Cmd) tea.Cmd {
	if do, ok := does[a]; ok {
		return do()
	}
	if by, moves := a.Rows(page, count); moves {
		return move(by * d.Times())
	}
	return d.Program.Do(a)
}

// maxCount is the largest number that can be typed before an action, and maxTimes the largest number of times that one is
// repeated.
const (
	maxCount = 1e15
	maxTimes = 9999
)

// twice is a key that has acted at once, because rows are selected, and is typed twice where none are.
type twice struct {
	key string
	at  time.Time
}

// habit is how soon after a key it is typed again out of habit.
const habit = 2 * time.Second

// ActedOn notes that a key has acted at once that is typed twice where no rows are selected.
func (d *Desk) ActedOn(msg tea.KeyMsg) { d.twice = twice{action.NameOf(msg), time.Now()} }

func (d *Desk) press(k action.KeyMap, msg tea.KeyMsg, count int, do func(action.Action) tea.Cmd) tea.Cmd {
	was := d.twice
	if d.twice = (twice{}); was.key == action.NameOf(msg) && time.Since(was.at) < habit {
		return d.Say("the selected rows are deleted already")
	}
	a := k.Of(msg)
	if digit, err := strconv.Atoi(action.NameOf(msg)); a == "" && err == nil && (digit > 0 || count > 0) {
		n := min(maxCount, 10*count+digit)
		return d.Await(strconv.Itoa(n), "then a key: how often, how far or where", nil, func(next tea.KeyMsg) tea.Cmd {
			return d.press(k, next, n, do)
		})
	}
	if after := k.Begins(msg); a == "" && len(after) > 0 {
		var keys []key.Help
		compared, _ := d.Explorer.Differing()
		for _, e := range after {
			switch isOther := (e.Action == action.TakeDifference || e.Action == action.GiveDifference) && d.Dialogs.Top() == nil; {
			case e.Action == action.Delete && d.Explorer.IsChoosing(): // of rows that are selected already
				d.ActedOn(msg)
				return d.run(e.Action, e.Keys[0], count, do)
			case compared != nil || !isOther:
				keys = append(keys, key.Help{Key: e.Keys[0], Desc: e.Title})
			}
		}
		return d.Await(action.NameOf(msg), "", keys, func(next tea.KeyMsg) tea.Cmd {
			name := action.NameOf(msg) + " " + action.NameOf(next)
			i := slices.IndexFunc(after, func(e action.Entry) bool { return e.Keys[0] == action.NameOf(next) })
			if i < 0 {
				return d.run("", name, count, do)
			}
			return d.run(after[i].Action, name, count, do)
		})
	}
	return d.run(a, action.NameOf(msg), count, do)
}

// Await waits for the next key after others. Meanwhile it shows say, or keys. The dialog in which the
// keys were pressed may be closed by then, and the document may be another one.
func (d *Desk) Await(typed, say string, keys []key.Help, next func(tea.KeyMsg) tea.Cmd) tea.Cmd {
	in := d.Dialogs.Top()
	return d.Open(&dialog.Strokes{Context: d, Typed: typed, Say: say, Keys: keys, Next: func(msg tea.KeyMsg) tea.Cmd {
		if in != nil && !slices.Contains(d.Dialogs, in) {
			return nil
		}
		return next(msg)
	}})
}

// run does an action, with the number typed before it, if any.
func (d *Desk) run(a action.Action, name string, count int, do func(action.Action) tea.Cmd) tea.Cmd {
	switch {
	case a == "" && d.Focus != OnTree && d.Dialogs.Top() == nil && slices.ContainsFunc(d.Actions, func(e action.Entry) bool {
		return e.Rooms&action.Tree != 0 && slices.Contains(e.Keys, name)
	}):
		return d.Say(fmt.Sprintf("no action on %s but in the tree; %s goes there", action.Named(name), d.Actions.Hint("", action.OtherPane).Key))
	case a == "":
		return d.Say(fmt.Sprintf("no action on %s; %s lists all", action.Named(name), d.Actions.Hint("", action.Help).Key))
	case count == 0:
		return do(a)
	case count == maxCount:
		return d.Say("the number before the key is too large; nothing was done")
	case slices.Contains(scaled, a):
		d.Count = count
		defer func() { d.Count = 0 }()
		return do(a)
	case slices.Contains(repeated, a):
		var cmds []tea.Cmd
		for range min(count, maxTimes) {
			cmds = append(cmds, do(a))
		}
		return tea.Batch(cmds...)
	}
	return d.Say(fmt.Sprintf("%s takes no number before it", action.Named(name)))
}

// Times returns the number typed before an action, as far as one is repeated; 1 without one.
func (d *Desk) Times() int { return max(1, min(d.Count, maxTimes)) }

// Remember stores what may reveal something about the content of the file: what was searched for,
// commands with their values, marks. For an encrypted file it is forgotten when the program ends.
func (d *Desk) Remember(change func(*state.Data)) tea.Cmd {
	if d.Doc.IsEncrypted() {
		d.State.RememberForNow(change)
		return nil
	}
	return d.RememberAlways(change)
}

// RememberOpened notes that the file was opened.
func (d *Desk) RememberOpened() tea.Cmd {
	path := d.Doc.Path()
	if path == "" {
		return nil
	}
	now := time.Now()
	return d.RememberAlways(func(s *state.Data) { s.Open(path, now) })
}

// RememberAlways stores what reveals nothing about the content of a file.
func (d *Desk) RememberAlways(change func(*state.Data)) tea.Cmd {
	d.State.Remember(change)
	return d.Go("remembering", func() func() tea.Cmd {
		err := d.State.Save()
		return func() tea.Cmd {
			return d.Report(err)
		}
	})
}

// Reading is the background reading of whole buffers, followed by the diagnosis of their problems, one
// buffer at a time.
type Reading struct {
	Buffer   *model.Buffer   // the buffer being read or checked; nil if there is none
	Checking bool            // it has been read, and its problems are being diagnosed
	Waits    bool            // the file grows: nothing is read until it pauses
	After    <-chan struct{} // closed when reading may begin; nil for at once
	job      jobs.Job
}

// ReadOn reads the buffers that have not been read, innermost first, and then diagnoses their problems.
// It reads nothing of a document that is about to be replaced by one with more of its bytes unpacked.
func (d *Desk) ReadOn() tea.Cmd {
	if d.Reading.Waits || d.Doc.IsDeferred() && d.Opening.Runs() {
		return nil
	}
	for _, b := range slices.Backward(d.Doc.Buffers) {
		if _, done := b.Indexed(); !done {
			return d.read(b, false)
		}
	}
	if d.Reading.Buffer != nil {
		return nil
	}
	for _, b := range d.Doc.Buffers {
		if b.NeedsDiagnosis() {
			return d.read(b, true)
		}
	}
	return nil
}

// read reads or checks a buffer in the background, replacing any current reading.
func (d *Desk) read(b *model.Buffer, checking bool) tea.Cmd {
	d.stopReading()
	name, do, after := "reading", b.Index, d.Reading.After
	if checking {
		name, do = "checking", b.Diagnose
	}
	d.Reading.Buffer, d.Reading.Checking = b, checking
	return d.Start(&d.Reading.job, name, func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		if after != nil {
			select {
			case <-after:
			case <-ctx.Done():
			}
		}
		err := do(ctx)
		return func() tea.Cmd { return d.hasRead(err) }
	})
}

// stopReading ends the reading.
func (d *Desk) stopReading() {
	d.Reading.job.Stop()
	d.Reading.Buffer = nil
}

// hasRead records that a buffer has been read, and continues with another.
func (d *Desk) hasRead(err error) tea.Cmd {
	d.Reading.Buffer = nil
	for _, l := range d.looks {
		if l != nil {
			l.Explorer.Indexed()
		}
	}
	if err != nil {
		return d.Report(err)
	}
	return d.ReadOn()
}

// ReadEdited reads again what an edit of the shown buffer requires. An earlier reading of it is stopped.
func (d *Desk) ReadEdited() tea.Cmd {
	b := d.Explorer.Buffer
	_, done := b.Indexed()
	switch {
	case d.Reading.Buffer == b && done:
		d.stopReading()
		return d.ReadOn()
	case d.Reading.Buffer == b, d.Reading.Buffer == nil && !done:
		return d.read(b, false)
	case d.Reading.Buffer == nil:
		return d.ReadOn()
	}
	return nil // it will be read in its turn
}
