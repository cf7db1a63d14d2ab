package problems

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
)

// Problems are the known problems of the document on the desk.
type Problems struct {
	*desk.Desk
	Edits  *edits.Edits
	Delay  time.Duration // how long a problem must be selected before its repair is worked out
	Listed *List         // list as it was last shown; nil if it never was

	visited *visit // the problem last gone to; nil if there is none
}

// New returns the problems of the document on a desk.
func New(d *desk.Desk, e *edits.Edits) *Problems {
	return &Problems{Desk: d, Edits: e, Delay: previewDelay}
}

// A List holds the known problems as the pane lists them.
type List struct {
	Doc   *model.Document
	All   []model.BufferProblem // by buffer and offset
	More  int                   // problems that were found, but not kept
	By    [3]int                // number of each severity, including problems not kept
	Count int                   // problems and notes when the list was made
	Whole bool                  // everything had been read and checked by then

	unconfirmed map[*model.Buffer]bool // buffers whose problems are still being checked
}

// growth is the length up to which a list is rebuilt whenever there are more problems. A longer list is
// rebuilt when its length has doubled, and at the end.
const growth = 1000

// Known returns the problems known so far.
func (p *Problems) Known() *List {
	_, whole := p.Doc.Indexed()
	whole = whole && p.Reading.Buffer == nil && !p.Doc.AwaitsDiagnosis()
	count := p.Doc.ProblemCount(span.Note)
	if f := p.Listed; f != nil && f.Doc == p.Doc {
		same := f.Count == count && f.Whole == whole
		if same || !whole && f.Count > growth && count < 2*f.Count && count > f.Count {
			return f
		}
	}
	f := &List{Doc: p.Doc, Count: count, Whole: whole, unconfirmed: map[*model.Buffer]bool{}}
	for s, n := span.Note, count; s <= span.Error; s++ {
		worse := 0
		if s < span.Error {
			worse = p.Doc.ProblemCount(s + 1)
		}
		f.By[s], n = n-worse, worse
	}
	for _, b := range p.Doc.Buffers {
		list, more := b.Problems()
		f.unconfirmed[b] = !whole && b.IsUnconfirmed()
		f.All = slices.Grow(f.All, len(list))
		f.More += more
		for i := range list {
			f.All = append(f.All, model.BufferProblem{Buffer: b, Diagnosis: list[i]})
		}
	}
	p.Listed = f
	return f
}

// from returns the position of the first problem at or after an offset of a buffer.
func (f *List) from(buffer int, off int64) int {
	return sort.Search(len(f.All), func(i int) bool {
		x := &f.All[i]
		return cmp.Or(cmp.Compare(x.Buffer.Number, buffer), cmp.Compare(x.Offset, off)) >= 0
	})
}

// position returns the position of a problem of an earlier list, or the place at
// which it would be if it is gone.
func (f *List) position(old *model.BufferProblem) (at int, same bool) {
	at = f.from(old.Buffer.Number, old.Offset)
	for i := at; i < len(f.All) && f.All[i].Buffer.Number == old.Buffer.Number && f.All[i].Offset == old.Offset; i++ {
		if x := &f.All[i]; x.Code == old.Code && x.Message == old.Message {
			return i, true
		}
	}
	return at, false
}

// A visit is the last place to which the keys for the next problem have gone.
type visit struct {
	problem model.BufferProblem
	cursor  int64 // offset to which the cursor was moved
}

// Step goes to the next problem, or to the previous one if by is -1. Problems at the same byte come one
// after another; notes are skipped.
func (p *Problems) Step(by int) {
	f := p.Known()
	if f.problems() == 0 {
		p.Say(p.none(f))
		return
	}
	n := len(f.All)
	at := p.placeAmong(f, by)
	for i := 1; i <= n; i++ {
		if k := ((at+by*i)%n + n) % n; f.All[k].Severity > span.Note {
			p.goTo(&f.All[k])
			return
		}
	}
}

// placeAmong returns the problem under the cursor. If there is none, it returns the one before the cursor
// for a step forward, and the one after it for a step back.
func (p *Problems) placeAmong(f *List, by int) int {
	off, number := p.Explorer.Offset(), p.Explorer.Buffer.Number
	if v := p.visited; v != nil && v.cursor == off && v.problem.Buffer == p.Explorer.Buffer {
		if at, same := f.position(&v.problem); same {
			return at
		}
	}
	if by > 0 {
		return f.from(number, off+1) - 1
	}
	return f.from(number, off)
}

// goTo moves the cursor to a problem and shows its message.
func (p *Problems) goTo(f *model.BufferProblem) {
	p.LeapTo(f.Buffer)
	p.GoToByte(f.Offset)
	p.visited = &visit{*f, p.Explorer.Offset()}
	p.Message = desk.Message{Text: fmt.Sprintf("%s: %s (%s)", f.Severity, f.Message, f.Code), IsError: f.Severity == span.Error}
}

// none returns the message if no problem is known.
func (p *Problems) none(f *List) string {
	notes := ""
	if n := f.By[span.Note]; n > 0 {
		notes = "; " + span.Counted(int64(n), "note") + ": ! lists them"
	}
	if !f.Whole {
		return "no problems so far" + notes + "; the file is still being read"
	}
	return "no problems found" + notes
}

// canRepair reports whether the repair of a problem can be made: one is known, and the check has
// confirmed the problem.
func (f *List) canRepair(x *model.BufferProblem) bool {
	return x.Repair != "" && !f.unconfirmed[x.Buffer]
}

// problems returns the number of errors and warnings.
func (f *List) problems() int { return f.By[span.Warning] + f.By[span.Error] }

// isEmpty reports whether there are no problems.
func (f *List) isEmpty() bool { return f.By == [3]int{} }

// whereIs returns the path of the value that a problem is about, or the name of the wrapper if that has no
// paths. Only the end of a long path is returned.
func whereIs(f *model.BufferProblem) string {
	path := f.Buffer.PathOf(&f.Diagnosis)
	if f.Buffer.IsWrapper() && path == "$" {
		return f.Buffer.Title()
	}
	return endOf(path)
}

// endOf returns the end of a path that is longer than any window shows.
func endOf(path string) string {
	const most = 800 // bytes
	if len(path) > most {
		path = "…" + strings.ToValidUTF8(path[len(path)-most:], "")
	}
	return path
}

// A preview is what a repair would change.
type preview struct {
	ready   bool
	changes []model.ByteChange
	drops   string
	err     error
}

// previewed identifies the subject of a preview.
type previewed struct {
	all       *List
	at, cause int
}

// previewDelay is how long a problem must be selected before its repair is worked out,
// so that moving through a list costs nothing.
const previewDelay = 40 * time.Millisecond

// startPreview works out in the background what the repair of the selected problem would change, unless
// that is known.
func (p *Pane) startPreview() tea.Cmd {
	b, f, ok := p.shownCause()
	is := previewed{p.all, -1, p.cause}
	if ok {
		is.at = p.shown[p.At]
	}
	if is == p.previewed {
		return nil
	}
	p.Preview.Stop()
	p.previewed, p.preview = is, preview{}
	if !ok || f.Repair == "" || f.As != "" || p.all.unconfirmed[b] {
		p.preview.ready = true
		return nil
	}
	doc, intention, wait := p.Doc, p.Explorer.Repair(f), p.Delay
	return p.Start(&p.Preview, "working out a repair", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		v := newPreview(ctx, doc, b, intention)
		return func() tea.Cmd {
			p.preview = v
			p.Program.Arrange()
			return nil
		}
	})
}

func newPreview(ctx context.Context, doc *model.Document, b *model.Buffer, in model.Intention) preview {
	v := preview{ready: true}
	p, err := doc.Prepare(ctx, b, in)
	if err == nil {
		v.changes, err = p.Preview()
		v.drops = p.Loss()
	}
	v.err = err
	return v
}

// repair repairs the selected problem, with the shown cause.
func (p *Pane) repair() tea.Cmd {
	b, f, ok := p.shownCause()
	switch {
	case !ok:
		return nil
	case p.all.unconfirmed[b]:
		return p.Say(stillChecking)
	case f.Repair == "":
		return p.Say("no repair is known; enter goes there, to edit it")
	case f.As != "":
		return p.Say(readFirst(&f))
	}
	p.chosen()
	p.ShowBuffer(b)
	r := edits.Request{Intention: p.Explorer.Repair(f)}
	lost := ""
	r.Done = func() { p.Doc.NoteLost(lost) }
	r.Ask = func(prepared *model.Prepared) bool {
		if lost = prepared.Loss(); lost == "" {
			lost = lessThan(prepared)
			return false
		}
		return p.askRepair(r, "repair it, and lose "+lost+"?")
	}
	return p.Edits.Make(r)
}

// lost says what the repairs that were made could not keep; "" if that is nothing.
func (p *Problems) lost() string {
	all := p.Doc.Lost()
	if len(all) == 0 {
		return ""
	}
	return "Lost by repairs: " + strings.Join(all, "; ") + ". "
}

// lessThan says of which containers a repair of a cut keeps fewer children than they had.
func lessThan(prepared *model.Prepared) string {
	var all []string
	changes, _ := prepared.Preview()
	for i := range changes {
		if was, is, ok := changes[i].Counts(); ok && is < was {
			all = append(all, fmt.Sprintf("%d of %d from %s", was-is, was, text.Clean(endOf(changes[i].Path))))
		}
	}
	return strings.Join(all, ", ")
}

// readFirst says how a cause in another dialect can be repaired.
func readFirst(f *diagnose.Diagnosis) string {
	return "to repair this, first read the file so: :as " + f.As
}

// stillChecking is the message if a repair has to wait for the check.
const stillChecking = "still checking: what is listed can be repaired once the check confirms it"

// repairAll repairs all shown problems in the buffer of the selected one.
func (p *Pane) repairAll() tea.Cmd {
	f, ok := p.Selected()
	if !ok {
		return nil
	}
	if p.all.unconfirmed[f.Buffer] {
		return p.Say(stillChecking)
	}
	b, hidden := f.Buffer, p.hidden
	only := func(f *diagnose.Diagnosis) bool { return !hidden[f.Severity] && !f.Guess && !f.Unsure }
	if list, _ := b.Problems(); len(b.Together(list, only)) == 0 {
		return p.Say("no repair is known for any of these, or none is likelier than another; r repairs the selected one")
	}
	p.ShowBuffer(b)
	made, left, lost := 0, 0, ""
	r := edits.Request{Intention: p.Explorer.RepairAll(b, only, &made, &left)}
	r.Done = func() { p.Doc.NoteLost(lost) }
	r.Ask = func(prepared *model.Prepared) bool {
		text := fmt.Sprintf("repair all %s?", span.Grouped(int64(made)))
		switch {
		case left > 0:
			text = fmt.Sprintf("repair %s, and leave %s?", span.Counted(int64(made), "problem"), span.Grouped(int64(left)))
		case made == 1:
			text = "repair it?"
		}
		if lost = prepared.Loss(); lost != "" {
			text += " This loses " + lost + "."
		} else {
			text += " Nothing that can be read is lost."
		}
		return p.askRepair(r, text)
	}
	return p.Edits.Make(r)
}

// askRepair asks before a repair is made.
func (p *Pane) askRepair(r edits.Request, text string) (asked bool) {
	p.Ask(text, "nothing was changed", dialog.Answer{Key: "y", Does: "repair", Run: func() tea.Cmd {
		r.Ask = nil
		return p.Edits.Make(r)
	}})
	return true
}
