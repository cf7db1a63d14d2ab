// Package records lists the messages of a capture, and sums them up.
package records

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/state"
	"varview/model"
	"varview/model/records"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/find"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// Records opens the list.
type Records struct {
	*desk.Desk
	Follows bool    // the list begins at its last record, and stays there while the file grows
	listed  *string // path of the file whose records were last listed; nil for none
}

// New returns the Records of a desk.
func New(d *desk.Desk) *Records { return &Records{Desk: d} }

// Pane returns the list of records; nil if it is not open.
func (r *Records) Pane() *Pane { return dialog.Find[*Pane](r.Dialogs) }

// Opened lists the records of a document that was opened, if it has any. If it replaces another document
// of the same file, the list stays as it was: closed, or at the same record.
func (r *Records) Opened() tea.Cmd {
	l, p, again := r.list(), r.Pane(), r.listed != nil && *r.listed == r.Doc.Path()
	has := r.hasLines(l)
	if l != nil && !has && !again && !r.Follows {
		return r.Program.Do(action.ListProblems) // which say why there are none
	}
	switch {
	case p != nil && again && has:
		return p.reopened(l)
	case p != nil:
		p.leave()
	}
	if !has || p == nil && again {
		return nil
	}
	return tea.Batch(r.open(l), r.Pane().show())
}

// hasLines reports whether there is a list to show: remarks alone are one while more is expected.
func (r *Records) hasLines(l *records.List) bool {
	return l != nil && (l.Count() > 0 || r.Follows && l.Lines() > 0)
}

// reopened shows the records of the same file after it was opened again, and repeats the search that was
// done or running in the previous document.
func (p *Pane) reopened(l *records.List) tea.Cmd {
	query, number := p.view.Query, p.number()
	p.isLast = p.Follows && p.At >= p.view.Len()-1
	p.buffer, p.view, p.before = p.Doc.Innermost(), l.All(), nil
	p.At = p.view.Find(number)
	p.last()
	p.use(l)
	switch {
	case p.seeks != nil:
		return p.seeks()
	case dialog.Find[*sums](p.Dialogs) != nil:
		return p.addUp(query)
	case query != "":
		return p.look(query)
	case p.isLast:
		return p.show()
	}
	return p.load()
}

// number returns the number of the selected record or remark; 0 if there is none.
func (p *Pane) number() int64 {
	if p.view.Len() == 0 {
		return 0
	}
	return p.view.At(p.At)
}

// last selects the last record, if it was selected before more came.
func (p *Pane) last() {
	if p.isLast {
		p.At = max(0, p.view.Len()-1)
	}
}

// CanShow reports whether there are records that are not listed.
func (r *Records) CanShow() bool { return r.Pane() == nil && r.list() != nil }

// Show opens the list at the record at the cursor, or gives it the keys.
func (r *Records) Show() tea.Cmd {
	if p := r.Pane(); p != nil {
		p.away = false
		return nil
	}
	l := r.list()
	if l == nil {
		return r.Say("this file has no messages: it is not a capture")
	}
	cmd := r.open(l)
	p := r.Pane()
	p.At = p.underCursor()
	return tea.Batch(cmd, p.show())
}

// IsOf reports whether a buffer is the records, put together from what carried them.
func (r *Records) IsOf(b *model.Buffer) bool { return r.list() != nil && b == r.Doc.Innermost() }

// list returns the records of the document; nil if it has none.
func (r *Records) list() *records.List { return records.Of(r.Doc.Innermost().Tree()) }

func (r *Records) open(l *records.List) tea.Cmd {
	p := &Pane{Records: r, keys: r.Actions.KeyMap(action.Records), buffer: r.Doc.Innermost(), view: l.All()}
	p.use(l)
	path := r.Doc.Path()
	r.listed = &path
	cmd := r.Open(p)
	r.Program.Arrange()
	p.At, p.isLast = p.view.Find(0), r.Follows // what is before the first record stays in view
	p.last()
	return cmd
}

// A Pane is the open list. If there is room, it is below the panes, which show the selected record;
// otherwise it covers them.
type Pane struct {
	*Records
	dialog.Rows[int64]
	keys   action.KeyMap
	buffer *model.Buffer
	list   *records.List
	view   *records.View
	search *records.Search // that was done last
	before []place         // earlier views, before they were narrowed

	at      int64 // the byte to which the list has moved the cursor of the panes
	Docked  bool  // below the panes
	Lines   int   // in all, including the heading
	away    bool  // the panes have the keys
	isLast  bool  // the last record stays selected when more come
	isLed   bool  // the panes show the packet of a remark, in place of a record
	rows    dialog.Kept[row]
	across  int // width of the window for which they were read
	reader  *tree.Reader
	began   time.Time      // time of the first record
	widths  []int          // widths of the columns, as wide as their widest content so far
	leading jobs.Job       // looks for the selected record in the buffer around
	seeks   func() tea.Cmd // begins again what the list waits for, nil if that is nothing

	counting jobs.Job // counts the messages for which the query that is typed holds
	tally    string   // what it has found, "" while that is not known
}

// A place is a view and the record selected in it.
type place struct {
	view *records.View
	at   int64
}

// The smallest window in which the list is below the panes.
const (
	dockedWidth  = 60
	dockedHeight = 24
	leastDocked  = 10 // lines that it takes there
	aroundRows   = 2  // of them, for what is around the records
)

// Arrange adapts to the size of the window.
func (p *Pane) Arrange() {
	width, height := p.Window()
	p.Docked = width >= dockedWidth && height >= dockedHeight
	p.Lines = height - 2
	if p.Docked {
		p.Lines = max(leastDocked, height*2/5)
		if all := p.list.Lines() + aroundRows; !p.Follows && all < int64(p.Lines) {
			p.Lines = max(leastDocked, int(all))
		}
	} else if p.away {
		p.Close(p)
	}
	if p.across != width {
		p.across, p.widths = width, nil
		p.rows.Forget()
	}
}

// Resized shows the selected record in the panes, if they are now in view.
func (r *Records) Resized() tea.Cmd {
	if p := r.Pane(); p != nil && !p.away {
		return p.show()
	}
	return nil
}

// Taken returns the number of lines that the list takes from the panes.
func (p *Pane) Taken() int {
	if p == nil || !p.Docked {
		return 0
	}
	return p.Lines
}

// Room implements dialog.Roomed.
func (p *Pane) Room() action.Rooms { return action.Records }

// Place implements dialog.Dialog.
func (p *Pane) Place() dialog.Place { return dialog.PlaceOf(p.Taken()) }

// Yields implements dialog.Yielding.
func (p *Pane) Yields() bool { return p.away }

// underCursor returns the position in the view of the record at the cursor, or else of the selected one.
func (p *Pane) underCursor() int64 {
	if p.Explorer.Buffer != p.buffer {
		return p.At
	}
	if number, ok := p.list.Number(p.Explorer.Subject()); ok {
		return min(p.view.Find(number), max(0, p.view.Len()-1))
	}
	return p.At
}

// follow follows edits of the document, and the cursor of the panes while they have the keys, or where something else has moved it.
func (p *Pane) follow() {
	if now := p.buffer.Tree(); now != p.list.Tree {
		if l := records.Of(now); l != nil {
			p.use(l)
			p.search = nil // it has seen the values before the edit
		}
	}
	if p.away || p.at != p.Explorer.Offset() {
		p.At, p.at = p.underCursor(), p.Explorer.Offset()
	}
	if p.Lines > 0 { // the window is known
		p.Fit(p.height(), p.view.Len())
	}
}

// use shows the records of a version of the document. Those of a file that only grows stay as they were.
func (p *Pane) use(l *records.List) {
	p.list, p.reader, p.began, p.at = l, l.LookReader(), time.Time{}, p.Explorer.Offset()
	if !p.Follows {
		p.rows.Forget()
	}
}

// height returns the number of records in view, between the heading and the last line.
func (p *Pane) height() int { return max(1, p.Lines-2) }

// show shows the selected record in the panes, if they are in view.
func (p *Pane) show() tea.Cmd {
	cmd := p.load()
	if p.Docked && p.view.Len() > 0 {
		cmd = tea.Batch(cmd, p.goTo(p.view.At(p.At)))
	}
	p.at = p.Explorer.Offset()
	return cmd
}

// look narrows the list to the records that match a query; "" matches all.
func (p *Pane) look(query string) tea.Cmd {
	if p.Records.Pane() != p { // it was closed while the query was typed
		return nil
	}
	was := place{p.view, p.At}
	p.isLast = p.Follows && p.At >= p.view.Len()-1
	number := p.number()
	return p.seek("looking for messages", query, p.look, func(v *records.View) tea.Cmd {
		if v.Len() == 0 {
			return p.Say("no message matches")
		}
		if query == "" {
			p.before = nil
		} else {
			p.before = append(p.before, was)
		}
		p.view, p.At, p.Top = v, v.Find(number), 0
		p.last()
		return p.show()
	})
}

// seek searches for the records that match a query. In a list that only grows the search of the last time goes on. again
// repeats all of it.
func (p *Pane) seek(name, query string, again func(query string) tea.Cmd, take func(*records.View) tea.Cmd) tea.Cmd {
	if !p.Follows || p.search == nil || p.search.Query != query {
		p.search = &records.Search{Query: query}
	}
	list, search := p.list, p.search
	p.seeks = func() tea.Cmd { return again(query) }
	return p.Start(&p.Seeking, name, func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		v, err := search.Look(ctx, list, progress.Set)
		return func() tea.Cmd {
			if p.seeks = nil; err != nil {
				return p.Report(err)
			}
			return take(v)
		}
	})
}

// back undoes the last narrowing; ok is false if there is none.
func (p *Pane) back() (ok bool) {
	n := len(p.before)
	if n == 0 {
		return false
	}
	number := p.view.At(p.At)
	p.view, p.before = p.before[n-1].view, p.before[:n-1]
	p.At = p.view.Find(number)
	return true
}

// leave closes the list and its sums, and stops its background work.
func (p *Pane) leave() {
	p.Seeking.Stop()
	p.rows.Forget()
	p.leading.Stop()
	p.Close(dialog.Find[*sums](p.Dialogs))
	p.Close(p)
	p.CatchUp()
}

// Update implements dialog.Dialog.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd {
	p.follow()
	return p.Press(p.keys, msg, p.Do)
}

// Do does an action in the list.
func (p *Pane) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(p.height(), int(min(p.view.Len(), 1<<31))); moves {
		if p.Move(int64(by)*int64(p.Times()), p.view.Len()); p.Count > 0 && (a == action.First || a == action.Last) {
			p.At = p.view.Find(int64(p.Count))
		}
		return p.show()
	}
	if do, ok := p.does()[a]; ok {
		return do()
	}
	if around := a == action.Outer || a == action.Inner || a == action.Back; around && !p.Docked { // otherwise the panes are in view
		return tea.Batch(p.goThere(), p.Program.Do(a))
	}
	return p.Program.Do(a)
}

func (p *Pane) does() action.Does {
	narrow := func(with format.Common, what string) func() tea.Cmd {
		return func() tea.Cmd { return p.narrow(with, what) }
	}
	return action.Does{
		action.GoThere: p.goThere,
		action.OtherPane: action.Plainly(func() {
			if p.away = p.Docked; p.away {
				p.SetFocus(desk.OnTree)
			}
		}),
		action.FilterRows:   p.filter,
		action.FollowNode:   narrow(format.SameNode, "node"),
		action.FollowMethod: narrow(format.SameMethod, "method"),
		action.FollowPeer:   narrow(format.SamePeer, "peer"),
		action.FollowFlow:   narrow(format.SameFlow, "connection"),
		action.ShowStats:    func() tea.Cmd { return p.addUp(p.view.Query) },
		action.Cancel:       p.cancel,
	}
}

// cancel stops work in progress, or undoes the last narrowing, or closes the list.
func (p *Pane) cancel() tea.Cmd {
	switch {
	case p.Seeking.Runs():
		p.Seeking.Stop()
		p.seeks = nil
		return p.Say("stopped")
	case p.back():
		return p.show()
	}
	p.leave()
	return nil
}

// goThere gives the keys to the tree, with the selected record in it.
func (p *Pane) goThere() tea.Cmd {
	if p.view.Len() == 0 {
		return nil
	}
	number := p.view.At(p.At)
	if p.away = p.Docked; !p.away {
		p.leave()
	}
	cmd := p.goTo(number)
	p.SetFocus(desk.OnTree)
	return cmd
}

// goTo shows a record in the panes: in its own buffer, or in the buffer around it while that is shown. A remark is shown there.
func (p *Pane) goTo(number int64) tea.Cmd {
	isAround := p.Explorer.Buffer.Number == p.buffer.Number-1
	if x := p.list.Remark(number); x != nil {
		p.isLed = p.isLed || !isAround
		p.ShowBuffer(p.Doc.Buffers[p.buffer.Number-1])
		p.GoToByte(x.Problem.Offset)
		return nil
	}
	find := func() (*tree.Node, error) { return p.list.Node(p.reader, number) }
	if isAround && !p.isLed {
		n, err := find()
		if err != nil {
			return p.Report(err)
		}
		return p.Start(&p.leading, "looking for the same bytes", p.Outside(p.buffer, n))
	}
	p.isLed = false
	p.ShowBuffer(p.buffer)
	return p.Report(p.Explorer.ShowContent(find))
}

// filter asks which records to show.
func (p *Pane) filter() tea.Cmd {
	x := dialog.NewPrompt(p, "only: ", func(typed string) tea.Cmd {
		remember := p.Remember(func(d *state.Data) { d.Searches.Add(typed) })
		return tea.Batch(remember, p.look(strings.TrimSpace(typed)))
	})
	x.History = p.State.Data().Searches
	x.Fill(p.view.Query)
	x.Hints, x.Changed = find.OfRecords, p.count
	x.Aside = func() (string, bool) {
		if _, err := p.list.ParseQuery(strings.TrimSpace(x.Input.Value())); err != nil {
			return err.Error(), true
		}
		return p.tally, false
	}
	return p.Open(x)
}

// count counts the records for which a query holds.
func (p *Pane) count(query string) tea.Cmd {
	p.tally = ""
	list := p.list
	return p.Start(&p.counting, "counting", func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		v, err := (&records.Search{Query: query}).Look(ctx, list, progress.Set)
		return func() tea.Cmd {
			if err == nil {
				p.tally = span.Counted(v.Len(), list.Name)
			}
			return nil
		}
	})
}

// narrow leaves of the records in view those that have something in common with the selected one.
func (p *Pane) narrow(with format.Common, what string) tea.Cmd {
	if p.view.Len() == 0 {
		return nil
	}
	query := p.read(p.view.At(p.At)).Alike[with]
	if query == "" {
		return p.Say("this line has no " + what)
	}
	if was := p.view.Query; was != "" {
		query = "(" + was + ") (" + query + ")"
	}
	return p.look(query)
}

// Mouse implements dialog.Pointed.
func (p *Pane) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	first := p.Height - 1 - p.Lines
	if p.Docked && msg.Y < first {
		return nil, false
	}
	was, away := p.At, p.away
	p.away = false
	switch again := p.Pick(msg, by, msg.Y-first-1, p.height(), p.view.Len()); {
	case again && !away:
		return p.goThere(), true
	case again || by != 0 || p.At != was:
		return p.show(), true
	}
	return nil, true
}

// Hints implements dialog.Hinting.
func (p *Pane) Hints() []paint.Piece {
	k := action.Keys{Table: p.keys.Table}
	k.Add(true, "move", action.Down, action.Up)
	k.Add(true, "", action.FilterRows)
	k.Typed(true, "f", "follow")
	k.Add(true, "sums", action.ShowStats)
	k.Add(true, "tree", action.GoThere)
	k.Add(p.Doc.ProblemCount(span.Warning) > 0, "", action.ListProblems)
	k.Add(len(p.before) > 0, "back", action.Cancel)
	k.Add(len(p.before) == 0, "close", action.Cancel)
	k.Add(true, "help", action.Help)
	return paint.BottomKeys(k.All, p.Width)
}
