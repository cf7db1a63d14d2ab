// Package find goes to places: hits of searches, paths and offsets, references, changes.
package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/state"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/model/records"
	"varview/model/search"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/jobs"
)

// Find goes to places in the document on the desk.
type Find struct {
	*desk.Desk
	query  search.Query
	within string // which values a filter is about; see model.CutWithin

	// Terms offers how a query may continue.
	Terms func(typed string) dialog.Offer

	// Guess lists guesses about the bytes, as :guess does.
	Guess func(words ...string) tea.Cmd

	typing *start // start of the search being typed; nil if there is none
	fault  error  // why the typed text is not a query
}

// A start is where a search began, to which esc returns.
type start struct {
	explorer *explore.Explorer
	view     explore.View
	spot     search.Spot
	focus    desk.Focus
	top      int64
	hit      span.Span
	hits     *explore.Hits
	filter   *explore.Hits
	query    search.Query
	within   string
	filters  bool      // what is typed is a filter
	row      span.Span // of a filter, the row that stays selected if it is a hit itself
}

// syntax is what can be typed; the last two are shown even if there is little room.
var syntax = []key.Help{{Key: "key:"}, {Key: "type:int"}, {Key: "path:*.hp"}, {Key: ">5"}, {Key: "x:4a 6f"}, {Key: "/re/"}, {Key: "value:"},
	{Key: "a | -b", Desc: "or, not"}, {Key: "qty>3"}, {Key: "tab", Desc: "completes"}}

// OfRecords is what can be typed for the messages of a capture, the last also where there is little room.
var OfRecords = []key.Help{{Key: "method:move"}, {Key: "kind:rpc"}, {Key: "from:1"}, {Key: "to:0"}, {Key: "size:>50"}, {Key: "has:problem"}, {Key: "a | -b", Desc: "or, not"}, {Desc: "nothing shows all"}}

// Ask asks what to search for, and goes to the hit while it is typed.
func (f *Find) Ask() tea.Cmd { return f.ask("/", false) }

// AskFilter asks for a filter of the tree, and applies it while it is typed.
func (f *Find) AskFilter() tea.Cmd { return f.ask("&", true) }

func (f *Find) ask(label string, filters bool) tea.Cmd {
	x := f.Explorer
	f.typing = &start{x, x.View(), x.Spot(), f.Focus, f.Top, f.Hit, x.Hits, x.Filter(), f.query, f.within, filters, span.Span{}}
	if n := x.Subject(); filters && n != nil && n.Layout == tree.Leaf {
		from := x.EntrySpot().Offset
		f.typing.row = span.Span{Offset: from, Length: n.End - from}
	}
	f.fault = nil
	p := dialog.NewPrompt(f, label, f.typed)
	p.Changed, p.Left, p.Aside, p.Hints = f.changed, f.left, f.aside, syntax
	if filters {
		p.Hints = append([]key.Help{{Key: "changed"}, {Key: "was:100 95"}}, syntax...)
	}
	switch b := f.Explorer.Buffer; {
	case b.IsPlain():
		p.Hints = nil
	case records.Of(b.Tree()) != nil:
		p.Hints = OfRecords
	}
	p.Complete = f.Terms
	p.History = f.State.Data().Searches
	return f.Open(p)
}

// changed searches for what has been typed so far.
func (f *Find) changed(typed string) tea.Cmd {
	var q search.Query
	f.fault = nil
	if typed != "" {
		q, f.fault = f.parse(typed, f.typing.filters)
	}
	if f.fault != nil || typed == "" || f.guessed(typed) != "" {
		f.goBack()
		return nil
	}
	f.query = q
	f.showHits(f.typing.filters)
	if f.within != "" {
		return f.Resume()
	}
	return f.seek(f.typing.spot, f.typing.row, f.tried)
}

// parse parses the typed text; in a filter, what says which values it is about comes first.
func (f *Find) parse(typed string, filters bool) (q search.Query, err error) {
	if f.within = ""; filters {
		if f.within, typed = model.CutWithin(typed); f.within != "" && typed == "" {
			return q, nil
		}
	} else if strings.HasPrefix(typed, model.WasBefore) {
		return q, errors.New("was: is for the filter: after & it leaves what was 100 in a save before")
	}
	return search.ParseQueryOf(f.Explorer.Buffer.Tree(), typed)
}

// guessed returns what the typed filter asks Guess in bytes without values: what a save has changed, or what was another
// number in the one before. It is "" for other queries.
func (f *Find) guessed(typed string) string {
	within, now := model.CutWithin(typed)
	if !f.typing.filters || !f.Explorer.Buffer.IsPlain() {
		return ""
	}
	if was, ok := strings.CutPrefix(within, model.WasBefore); ok {
		return "was=" + strings.ReplaceAll(was, " ", ",") + "," + now
	}
	return within
}

// tried goes to the hit of what has been typed so far, or back if there is none.
func (f *Find) tried(hit search.Hit, _ bool, err error) {
	if f.typing == nil {
		return
	}
	if err != nil {
		if !errors.Is(err, io.EOF) {
			f.Report(err)
		}
		f.returnTo(f.typing)
		return
	}
	f.GoToHit(hit)
}

// left ends a search that was not wanted after all.
func (f *Find) left() {
	f.goBack()
	f.typing = nil
}

// goBack restores everything to what it was before the search.
func (f *Find) goBack() {
	s := f.typing
	f.Seeking.Stop()
	f.Counting.Stop()
	f.query, f.within, f.Explorer.Hits = s.query, s.within, s.hits
	if s.explorer.Filter() != s.filter {
		s.explorer.SetFilter(s.filter)
	}
	f.returnTo(s)
}

// returnTo goes to where a search began.
func (f *Find) returnTo(s *start) {
	f.Report(s.explorer.ReturnTo(s.view))
	f.Top, f.Hit = s.top, s.hit
	f.SetFocus(s.focus)
}

// aside returns the text beside what is typed.
func (f *Find) aside() (text string, isError bool) {
	if f.fault != nil {
		return f.fault.Error(), true
	}
	if f.Explorer.Hits == nil || f.typing != nil && f.Explorer.Hits == f.typing.hits {
		return "", false
	}
	n, all := f.Explorer.Hits.Count()
	return f.counted(), n == 0 && all
}

// typed searches for what was typed. An empty text repeats the last search, or ends the filter.
func (f *Find) typed(typed string) tea.Cmd {
	s, guessed := f.typing, f.guessed(typed)
	f.typing = nil
	if typed == "" {
		if s.filters {
			f.endFilter()
			return nil
		}
		return f.Search(false)
	}
	remember := f.Remember(func(d *state.Data) { d.Searches.Add(typed) })
	if guessed != "" {
		return tea.Batch(remember, f.Guess(strings.Fields(guessed)...))
	}
	q, err := f.parse(typed, s.filters)
	if err != nil {
		f.Report(err)
		return remember
	}
	f.query = q
	if s.filters && f.Explorer.Buffer.IsPlain() {
		f.Say("all bytes stay, n goes on; :guess NAME=" + typed + " lists the places, the likeliest first")
	}
	s.explorer.LeapFrom(s.view.Cursor())
	if f.showHits(s.filters); f.within != "" {
		return tea.Batch(remember, f.Resume())
	}
	return tea.Batch(remember, f.seek(s.spot, s.row, f.found))
}

// Find searches for a query, beginning at the cursor.
func (f *Find) Find(q search.Query) tea.Cmd {
	f.query, f.within = q, ""
	f.showHits(false)
	return f.seek(f.Explorer.Spot(), span.Span{}, f.found)
}

// Opened goes on with a search in bytes that were read again: the cursor is on a hit.
func (f *Find) Opened() tea.Cmd {
	if h := f.Explorer.Hits; h != nil && f.Explorer.Buffer.IsPlain() {
		return f.Find(h.Query)
	}
	return nil
}

// Again shows the hits of the last search. It fails if there was none.
func (f *Find) Again() error {
	if f.query.String() == "" {
		return errors.New("no search yet: / starts one")
	}
	f.showHits(false)
	return nil
}

// seek looks for the hit to which a new search goes: the first in a row, or else the best.
func (f *Find) seek(from search.Spot, row span.Span, then func(search.Hit, bool, error)) tea.Cmd {
	query := f.query
	return f.look(func(ctx context.Context, b *model.Buffer, p *model.Progress) (search.Hit, bool, error) {
		if row.Length > 0 {
			hit, wrapped, err := b.Search(ctx, query, search.Spot{Offset: row.Offset - 1}, false, p)
			if err != nil || row.Contains(hit.Offset) {
				return hit, wrapped, err
			}
		}
		return b.Seek(ctx, query, from, p)
	}, then)
}

// look looks for a hit in the background.
func (f *Find) look(do func(context.Context, *model.Buffer, *model.Progress) (search.Hit, bool, error), then func(search.Hit, bool, error)) tea.Cmd {
	buffer, doc, query, isTyping := f.Explorer.Buffer, f.Doc, f.query, f.typing != nil
	cmd := f.Start(&f.Seeking, "searching", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		hit, wrapped, err := do(ctx, buffer, p)
		said := ""
		if errors.Is(err, io.EOF) && !isTyping {
			if at, path, _ := doc.SeekHeld(ctx, query); at != nil {
				hit, said, err = search.Hit{Node: at, IsValue: true}, inText(path), nil
			}
		}
		return func() tea.Cmd {
			then(hit, wrapped, err)
			if said != "" {
				f.Say(said)
			}
			return nil
		}
	})
	if f.typing == nil {
		f.Seeking.Hold(patience) // the next key refers to what is found
	}
	return cmd
}

// patience is how long keys wait for a hit.
const patience = 50 * time.Millisecond

// Search looks for the next hit of the query, or the previous one.
func (f *Find) Search(backward bool) tea.Cmd {
	return f.next(f.Explorer.Spot(), backward)
}

// next looks for the next hit after a spot, or the previous one.
func (f *Find) next(from search.Spot, backward bool) tea.Cmd {
	if err := f.Again(); err != nil {
		return f.Say(err.Error())
	}
	query := f.query
	return f.look(func(ctx context.Context, b *model.Buffer, p *model.Progress) (search.Hit, bool, error) {
		return b.Search(ctx, query, from, backward, p)
	}, func(hit search.Hit, wrapped bool, err error) {
		if err == nil {
			f.Explorer.Leap()
		}
		f.found(hit, wrapped, err)
	})
}

// SearchSame looks for the next value with the key of the selected one, or the previous one.
func (f *Find) SearchSame(backward bool) tea.Cmd {
	q, err := search.ParseQuery(f.Explorer.SameQuery())
	if err != nil {
		return f.Say("it has no key or short value to look for")
	}
	f.query, f.within = q, ""
	return f.next(f.Explorer.EntrySpot(), backward)
}

// found goes to a hit.
func (f *Find) found(hit search.Hit, wrapped bool, err error) {
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("not found: %s", f.query)
		switch name, rest, isPath := strings.Cut(f.query.String(), "."); {
		case isPath && rest != "" && name != "" && unicode.IsLetter(rune(name[0])):
			err = fmt.Errorf("%w; as a path: :goto .%s", err, f.query)
		case records.Of(f.Explorer.Buffer.Tree()) != nil:
			err = fmt.Errorf("%w; in the list of messages & looks at their kinds and names", err)
		case len(strings.FieldsFunc(f.query.String(), func(c rune) bool { return strings.ContainsRune("=<>~", c) })) > 2:
			err = fmt.Errorf("%w; several values of one record: [count>95 && quality=\"rare\"]", err)
		}
	}
	if err != nil {
		f.Report(err)
		return
	}
	f.GoToHit(hit)
	if wrapped && f.Explorer.Filter() == nil && !strings.HasPrefix(f.query.String(), "path:") { // one goes to a path
		f.Say("the search wrapped around")
	}
}

// inText says that what is looked for is in what a text holds.
func inText(path string) string {
	return path + " is in what this text holds: o opens it, and :set " + path + "=VALUE edits it from here"
}

// GoToHit moves the cursor to a hit.
func (f *Find) GoToHit(hit search.Hit) {
	f.Hit = hit.Span
	f.Report(f.Explorer.GoToHit(hit))
	if hit.IsValue && hit.Length == 0 { // it can only be selected in the tree
		f.Focus = desk.OnTree
	}
	f.SetFocus(f.Focus)
}

// showHits shows all hits of the query, and if filters is set, reduces the tree, if there is one, to them. Resume looks for
// them.
func (f *Find) showHits(filters bool) {
	x := f.Explorer
	wanted := explore.NewHits(x.Buffer, f.query)
	if wanted.Within = f.within; x.Hits == nil || x.Hits.String() != wanted.String() {
		f.Counting.Stop()
		x.Hits = wanted
	}
	if f.Searches = true; filters && x.Filter() != x.Hits && !x.Buffer.IsPlain() {
		x.SetFilter(x.Hits)
	}
}

// Resume looks for all shown hits once the hit to go to has been found: only one search runs at a time,
// on one processor, and leaves the other to the user interface.
func (f *Find) Resume() tea.Cmd {
	h := f.Explorer.Hits
	if h == nil || f.Seeking.Runs() || f.Counting.Runs() || h.Failed() {
		return nil
	}
	if _, all := h.Count(); all {
		return nil
	}
	return f.collect(&f.Counting, h)
}

// collect collects all hits of a query in the background.
func (f *Find) collect(job *jobs.Job, hits *explore.Hits) tea.Cmd {
	x := f.Explorer
	return f.Start(job, "counting hits", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		err := hits.Collect(ctx, p)
		return func() tea.Cmd {
			f.Report(err)
			x.Tick()
			if hits.Within != "" && x == f.Explorer && x.Filter() == hits && hits.Kept() > 0 {
				if hit, err := x.Hit(hits, 0); err == nil {
					f.GoToHit(hit)
				}
			}
			return nil
		}
	})
}

// Edited looks for the hits again after an edit.
func (f *Find) Edited() tea.Cmd {
	var cmds []tea.Cmd
	x := f.Explorer
	if h := x.Filter(); h != nil && !x.OnlyDiffering() {
		again := h.In(x.Buffer)
		x.SetFilter(again)
		cmds = append(cmds, f.collect(&f.Filtering, again))
	}
	if f.Searches {
		f.showHits(false)
		cmds = append(cmds, f.Resume())
	}
	return tea.Batch(cmds...)
}

// End ends a search: nothing is marked any more, and the tree is complete.
func (f *Find) End() {
	f.Counting.Stop()
	f.Filtering.Stop()
	f.Hit, f.Explorer.Hits, f.Searches = span.Span{}, nil, false
	f.Explorer.KeepSought()
	f.endFilter()
}

// endFilter shows all rows of the tree.
func (f *Find) endFilter() {
	f.Explorer.SetFilter(nil)
	f.SetFocus(f.Focus)
}

// Status says what is searched for and how many hits there are; "" if there is no search. Queries are cut
// to room columns.
func (f *Find) Status(room int) string {
	filter, hits := f.Explorer.Filter(), f.Explorer.Hits
	query := func(h *explore.Hits) string {
		return strings.TrimRight(text.Cut(text.Clean(h.String()), room), " ")
	}
	said := ""
	if hits != nil {
		if n, all := hits.Count(); n == 0 && all && filter == nil {
			return "" // the message has said so
		}
	}
	if filter != nil {
		said = "only " + cmp.Or(query(filter), "what differs")
	}
	switch {
	case hits == nil:
		return said
	case filter == nil:
		said = query(hits)
	case filter.String() != hits.String():
		said += " · " + query(hits)
	}
	return said + ": " + f.counted()
}

// counted says which of how many hits the cursor is on: "3 of 19".
func (f *Find) counted() string {
	h := f.Explorer.Hits
	n, all := h.Count()
	more := ""
	if !all {
		more = "…"
	}
	switch at := h.Number(f.Hit); {
	case n == 0 && all:
		return "no hits"
	case at > 0:
		return fmt.Sprintf("%s of %s%s", span.Grouped(int64(at)), span.Grouped(n), more)
	default:
		return span.Counted(n, "hit") + more
	}
}
