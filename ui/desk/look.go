package desk

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/explore"
	"varview/model/inspect"
	"varview/ui/jobs"
)

// Focus is the pane that receives the keys.
type Focus uint8

// The panes that can have the focus.
const (
	OnTree Focus = iota
	OnBytes
	OnInspector
)

// A Look is how one buffer is shown. It is kept while another one is shown.
type Look struct {
	Explorer *explore.Explorer
	Top      int64     // offset of the first byte in view
	Hit      span.Span // the last hit
	Searches bool      // hits are shown

	Selection Selection // of bytes
}

// FollowTurn shows what an edit, or undo, has done to the buffer.
func (l *Look) FollowTurn(t model.Turn) error {
	l.Hit.Length, l.Selection = 0, Selection{}
	return l.Explorer.FollowTurn(t)
}

// A Shelf is an open document, and how it is looked at.
type Shelf struct {
	Doc   *model.Document
	*Look         // at the shown buffer
	looks []*Look // at all buffers, by number; nil for those that were not shown
	focus Focus   // while it is not on the desk
}

// NewShelf returns a shelf with a document that has not been looked at.
func NewShelf(doc *model.Document) *Shelf {
	s := &Shelf{Doc: doc, looks: make([]*Look, len(doc.Buffers))}
	s.Look = s.LookAt(doc.Innermost())
	return s
}

// LookAt returns the look at a buffer of the document.
func (s *Shelf) LookAt(b *model.Buffer) *Look {
	if s.looks[b.Number] == nil {
		s.looks[b.Number] = &Look{Explorer: explore.New(b)}
	}
	return s.looks[b.Number]
}

// buffer returns the buffer of the document that was looked at in this way; nil if none was.
func (s *Shelf) buffer(x *explore.Explorer) *model.Buffer {
	if i := slices.IndexFunc(s.looks, func(l *Look) bool { return l != nil && l.Explorer == x }); i >= 0 {
		return s.Doc.Buffers[i]
	}
	return nil
}

// Has reports whether a buffer of the document was looked at in this way.
func (s *Shelf) Has(x *explore.Explorer) bool { return s.buffer(x) != nil }

// SetDocument shows the innermost buffer of a document.
func (d *Desk) SetDocument(doc *model.Document) { d.Shelf = *NewShelf(doc) }

// ShowBuffer shows a buffer as it was left.
func (d *Desk) ShowBuffer(b *model.Buffer) {
	if b != d.Explorer.Buffer {
		d.Look = d.LookAt(b)
		d.CatchUp()
	}
}

// LeapTo notes where the cursor is as a place to go back to, and shows a buffer.
func (d *Desk) LeapTo(b *model.Buffer) {
	from := d.Explorer
	if b == from.Buffer {
		from.Leap()
		return
	}
	d.ShowBuffer(b)
	d.Explorer.ArriveFrom(from)
}

// ShowLook shows a buffer of the document as it was left, and reports whether it belongs to the document.
func (d *Desk) ShowLook(x *explore.Explorer) bool {
	b := d.buffer(x)
	if b != nil {
		d.ShowBuffer(b)
	}
	return b != nil
}

// ForgetLook forgets how a buffer was shown. A new look at the shown buffer keeps its place.
func (d *Desk) ForgetLook(b *model.Buffer) {
	d.looks[b.Number] = nil
	if b == d.Explorer.Buffer {
		place := d.Explorer.Place()
		d.Look = d.LookAt(b)
		d.Report(d.Explorer.Return(place))
	}
}

// CatchUp scrolls the panes to the cursor.
func (d *Desk) CatchUp() {
	d.Program.Arrange()
	d.SetFocus(d.Focus)
}

// SetFocus moves the focus to a pane; the cursor then moves by its rows or bytes. In the inspector it
// stays as it was. A buffer without values has no rows.
func (d *Desk) SetFocus(f Focus) {
	if f == OnTree && d.Explorer.Buffer.IsPlain() {
		f = OnBytes
	}
	d.Focus = f
	if f != OnInspector {
		d.Under = f
	}
	if d.Under == OnTree {
		d.Selection = Selection{}
		d.Explorer.ToRows()
	} else {
		d.Explorer.ToBytes()
	}
}

// SwitchPane moves the focus to the next pane that is shown, or to the one before.
func (d *Desk) SwitchPane(by int) {
	panes := 2
	if d.Inspecting {
		panes++
	}
	before := d.Focus
	d.SetFocus(Focus((int(d.Focus) + by + panes) % panes))
	if d.Focus == before {
		d.Report(d.Explorer.Buffer.CannotEditValues())
	}
}

// GoToByte moves the cursor to a byte without moving the focus.
func (d *Desk) GoToByte(off int64) {
	d.Report(d.Explorer.GoTo(off))
	d.SetFocus(d.Focus)
}

// Replace shows another document of the file instead of the current one, which it closes. place moves the
// cursor to where it was.
func (d *Desk) Replace(doc *model.Document, said string, place func() error) tea.Cmd {
	old, was := d.Doc, d.Explorer
	d.stopLooking()
	d.Unask()
	d.SetDocument(doc)
	d.Program.Arrange()
	d.Report(place())
	d.Searches = d.Explorer.SearchLike(was)
	d.CatchUp()
	if said != "" { // otherwise what was said before stays
		d.Say(said)
	}
	return tea.Batch(Closing(old), d.Program.Opened())
}

// stopLooking stops all searches in the document.
func (d *Desk) stopLooking() {
	d.Seeking.Stop()
	d.Counting.Stop()
	d.Filtering.Stop()
	d.stopReading()
}

// Closing returns a command that closes a document once the work on it has stopped.
func Closing(doc *model.Document) tea.Cmd {
	if doc == nil {
		return nil
	}
	return func() tea.Msg {
		doc.Close()
		return nil
	}
}

// patience is how long further keys wait for the value at a path.
const patience = 50 * time.Millisecond

// Resolve finds the value at a path and calls then with it, or failed with why there is none.
func (d *Desk) Resolve(path string, then func(*tree.Node) tea.Cmd, failed func(error) tea.Cmd) tea.Cmd {
	buffer := d.Explorer.Buffer
	cmd := d.Start(&d.Seeking, "looking for a path", jobs.Then(failed, func(context.Context, *model.Progress) (*tree.Node, error) {
		return buffer.ResolveTyped(path)
	}, then))
	d.Seeking.Name = "looking for " + path // a report about a panic must not contain it
	d.Seeking.Hold(patience)
	return cmd
}

// ShowsText reports whether the bytes are shown as the lines of a text.
func (d *Desk) ShowsText() bool {
	return (d.Explorer.Buffer.IsText() || d.Doc.IsOtherText()) && !slices.Contains(d.State.Data().AsBytes, d.Doc.Hints().Title)
}

// A Selection is the bytes from an anchor to the cursor.
type Selection struct {
	Active bool
	Anchor int64
}

// Select selects bytes, with the cursor at the first; of none it only goes there.
func (d *Desk) Select(at span.Span) error {
	err := d.Explorer.GoTo(at.Offset)
	d.Selection = Selection{Active: at.Length > 0, Anchor: max(at.Offset, at.End()-1)}
	return err
}

// Chosen returns the bytes that a command is about: the selection, or the selected value's bytes.
func (d *Desk) Chosen() span.Span {
	if !d.Selection.Active {
		return span.Between(d.Explorer.Selected())
	}
	from, to := d.Selection.Anchor, d.Explorer.Offset()
	return span.Between(max(0, min(from, to)), min(max(from, to)+1, d.Explorer.Buffer.Size()))
}

// Summed is the checksums of a selection, computed in the background.
type Summed struct {
	Of   model.Range
	Sums inspect.Sums
	Done bool
	Err  error
	Job  jobs.Job
}

// Sum computes the checksums of the selected bytes, if that has not begun.
func (d *Desk) Sum() tea.Cmd {
	s := &d.Summed
	if !d.Selection.Active {
		s.Job.Stop()
		s.Of = model.Range{}
		return nil
	}
	r := d.Explorer.Buffer.Range(d.Chosen())
	if s.Of == r {
		return nil
	}
	s.Of, s.Done = r, false
	return d.Start(&s.Job, "summing", func(ctx context.Context, p *model.Progress) func() tea.Cmd {
		sums, err := r.Sums(ctx, p)
		return func() tea.Cmd {
			s.Sums, s.Err, s.Done = sums, err, true
			return nil
		}
	})
}

// Swap exchanges the document on the desk with the one on the shelf.
func (d *Desk) Swap(s *Shelf) (old *Shelf, cmd tea.Cmd) {
	was := d.Shelf
	was.focus = d.Under
	d.stopLooking()
	d.Shelf = *s
	d.SetFocus(s.focus)
	d.CatchUp()
	return &was, d.Program.Opened()
}

// FollowLink goes to the target of the selected value; ok is false if it has none.
func (d *Desk) FollowLink() (cmd tea.Cmd, ok bool) {
	said := d.Explorer.Link()
	if said == "" {
		return nil, false
	}
	x, n := d.Explorer, d.Explorer.Subject()
	return d.Start(&d.Seeking, "looking for what this leads to", jobs.Then(d.Report, func(ctx context.Context, _ *model.Progress) (*tree.Node, error) {
		return x.Buffer.Linked(ctx, n)
	}, func(to *tree.Node) tea.Cmd {
		if to == nil {
			return d.Say("there is none: " + said)
		}
		x.Leap()
		return d.Report(x.GoInto(to))
	})), true
}

// StepBuffer shows the buffer that is by wrappers farther inside, or outside if by is negative. If that
// buffer also contains what the cursor is on, the cursor goes there.
func (d *Desk) StepBuffer(by int) tea.Cmd {
	switch to := d.Explorer.Buffer.Number + by; {
	case len(d.Doc.Buffers) == 1:
		d.Say("there is only this buffer: the file is not wrapped in anything")
	case to < 0:
		d.Say("this is the file itself, the outermost buffer")
	case to >= len(d.Doc.Buffers):
		d.Say("this is the innermost buffer")
	default:
		if p, ok := d.Explorer.Piece(); ok {
			return d.Start(&d.Seeking, "looking for the same bytes", d.crossing(d.Doc.Buffers[to], p, d.LeapTo))
		}
		d.LeapTo(d.Doc.Buffers[to])
	}
	return nil
}

// Outside returns work that shows a value of a buffer in the buffer around it, with the layers there.
func (d *Desk) Outside(b *model.Buffer, n *tree.Node) func(context.Context, *model.Progress) func() tea.Cmd {
	p, _ := b.Piece(n)
	return d.crossing(d.Doc.Buffers[b.Number-1], p, d.ShowBuffer)
}

// crossing returns work that shows where a piece of another buffer is in this one.
func (d *Desk) crossing(to *model.Buffer, p format.Piece, show func(*model.Buffer)) func(context.Context, *model.Progress) func() tea.Cmd {
	from := d.Explorer.Buffer
	return func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		n, err := to.Carried(ctx, p)
		return func() tea.Cmd {
			d.Report(err)
			show(to)
			if n != nil {
				d.Report(d.Explorer.GoToValue(n))
				d.SetFocus(d.Focus)
			}
			if to.Number <= from.Number {
				if n != nil && !to.IsPart(&n.Value) {
					d.Explorer.Open()
				}
				d.Explorer.Align(0.6) // so that the layers above are in view
			}
			return nil
		}
	}
}
