package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/state"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/model/search"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// GoTo goes to an offset, decimal or hexadecimal with 0x, or to a path. A path that stands for many
// values is searched for, so that n continues.
func (f *Find) GoTo(where string) tea.Cmd {
	if where == "" {
		return f.Report(errors.New(":goto needs an offset or a path, as in :goto 0x1f4 or :goto $.player"))
	}
	if name, ok := strings.CutPrefix(where, "'"); ok {
		return f.goToMark(name)
	}
	if strings.HasPrefix(where, ".") && !strings.HasPrefix(where, "..") { // the first one with this name
		where = "." + where
	}
	if where[0] < '0' || where[0] > '9' {
		if f.Explorer.Buffer.IsWrapper() {
			return f.Report(errors.New("a wrapper has no paths: > goes to its content, :goto 0x10 to a byte of it"))
		}
		if !tree.HasConditions(where) {
			return f.GoToPath(where)
		}
		q, err := f.parse("path:"+where, false)
		if err != nil {
			return f.Report(err)
		}
		return f.Find(q)
	}
	off, err := strconv.ParseInt(where, 0, 64)
	switch {
	case err != nil:
		f.Report(fmt.Errorf("%q is not an offset: a number like 500 or 0x1f4", where))
	case off >= f.Explorer.Buffer.Size():
		f.Report(fmt.Errorf("offset %#x is after the last byte, %#x", off, max(0, f.Explorer.Buffer.Size()-1)))
	default:
		f.Explorer.Leap()
		f.Focus = desk.OnBytes
		f.GoToByte(off)
	}
	return nil
}

// GoToPath selects the value at a path.
func (f *Find) GoToPath(path string) tea.Cmd {
	return f.Resolve(path, func(n *tree.Node) tea.Cmd {
		f.Explorer.Leap()
		return f.Report(f.Explorer.GoToValue(n))
	}, func(err error) tea.Cmd {
		doc := f.Doc
		return f.Start(&f.Seeking, "looking inside of values", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
			at := doc.HolderOf(ctx, path)
			return func() tea.Cmd {
				if at == nil {
					return f.Report(err)
				}
				f.Explorer.Leap()
				f.GoToHit(search.Hit{Node: at, IsValue: true})
				return f.Say(inText(path))
			}
		})
	})
}

// GoToBuffer shows a buffer by its number.
func (f *Find) GoToBuffer(number string) tea.Cmd {
	n, err := strconv.Atoi(number)
	last := len(f.Doc.Buffers) - 1
	if err != nil || n < 0 || n > last {
		return f.Report(fmt.Errorf(":buffer needs a number from 0, the file itself, to %d", last))
	}
	f.LeapTo(f.Doc.Buffers[n])
	return nil
}

// Back returns to where the last jump began.
func (f *Find) Back() tea.Cmd {
	return f.jump(f.Explorer.Back, "there is no place to go back to")
}

// Forward undoes Back.
func (f *Find) Forward() tea.Cmd {
	return f.jump(f.Explorer.Forward, "there is no place to go forward to")
}

func (f *Find) jump(jump func(explore.Show) (ok bool, err error), none string) (cmd tea.Cmd) {
	from := f.Explorer
	ok, err := jump(func(x *explore.Explorer) (shown bool, err error) {
		cmd, shown, err = f.Program.Show(x)
		return shown, err
	})
	switch {
	case err != nil:
		f.Report(err)
	case !ok:
		f.Say(none)
	case f.Explorer != from: // it has kept its focus
	case f.Explorer.InBytes():
		f.SetFocus(desk.OnBytes)
	default:
		f.SetFocus(desk.OnTree)
	}
	return cmd
}

// NextReference goes to the next reference to the selected value.
func (f *Find) NextReference() tea.Cmd {
	if f.Focus == desk.OnBytes {
		f.SetFocus(desk.OnTree)
	}
	x := f.Explorer
	if n := x.Subject(); n != nil && n.Depth > 0 && !x.CountsReferences() {
		return f.Start(&f.Seeking, "looking for references", jobs.Then(f.Report, func(ctx context.Context, _ *model.Progress) (*tree.Node, error) {
			return x.Buffer.NextLink(ctx, n)
		}, func(to *tree.Node) tea.Cmd {
			if to == nil {
				return f.Say("nothing refers to this")
			}
			x.Leap()
			return f.Report(x.GoToValue(to))
		}))
	}
	i, all, err := x.NextReferrer()
	_, indexed := f.Doc.Indexed()
	switch {
	case err != nil:
		f.Report(err)
	case all == 0 && indexed:
		f.Say("nothing refers to this")
	case all == 0:
		f.Say("nothing refers to this so far; the file is still being read")
	case all == 1:
		f.Say("the only reference; ctrl+o goes back")
	default:
		f.Say(fmt.Sprintf("reference %d of %d; * goes to the next, ctrl+o back", i, all))
	}
	return nil
}

// maxMarkName is the largest length of a mark's name in bytes.
const maxMarkName = 60

// marks returns the marks of the file.
func (f *Find) marks() []state.Mark { return f.State.Data().MarksOf(f.Doc.Path()) }

// AskMark waits for the letter of a new mark.
func (f *Find) AskMark() tea.Cmd {
	return f.Await("m", "then a letter marks this place", nil, func(msg tea.KeyMsg) tea.Cmd { return f.SetMark(action.NameOf(msg)) })
}

// AskGoToMark waits for the letter of a mark to go to.
func (f *Find) AskGoToMark() tea.Cmd {
	var keys []key.Help
	for _, m := range f.marks() {
		if len([]rune(m.Name)) == 1 {
			keys = append(keys, key.Help{Key: m.Name, Desc: PlaceOf(m)})
		}
	}
	say := ""
	if len(keys) == 0 {
		say = "no place is marked with a letter; m marks one"
	}
	return f.Await("'", say, keys, func(msg tea.KeyMsg) tea.Cmd { return f.goToMark(action.NameOf(msg)) })
}

// PlaceOf describes where a mark is.
func PlaceOf(m state.Mark) string {
	if m.Path != "" {
		return m.Path
	}
	return fmt.Sprintf("%#x", m.Offset)
}

// SetMark names the place of the cursor, for this file.
func (f *Find) SetMark(name string) tea.Cmd {
	switch {
	case name == "":
		return f.Report(errors.New(":mark needs a name, as in :mark boss"))
	case len(name) > maxMarkName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return f.Report(errors.New("a mark has a name of at most 60 bytes, or a letter"))
	}
	m := state.Mark{Name: name, Buffer: f.Explorer.Buffer.Number, Offset: f.Explorer.Offset()}
	if n := f.Explorer.Subject(); f.Focus == desk.OnTree && n != nil && n.Depth > 0 && !f.Explorer.Buffer.IsWrapper() {
		m.Path = f.Explorer.Path(n)
	}
	path := f.Doc.Path()
	f.Say(fmt.Sprintf("%s is marked %s", PlaceOf(m), name))
	return f.Remember(func(d *state.Data) { d.SetMark(path, m) })
}

// DeleteMark forgets a mark of the file.
func (f *Find) DeleteMark(name string) tea.Cmd {
	if _, err := f.mark(name); err != nil {
		return f.Report(err)
	}
	path := f.Doc.Path()
	f.Say("the mark " + name + " is gone")
	return f.Remember(func(d *state.Data) { d.DeleteMark(path, name) })
}

// mark returns the mark of a name.
func (f *Find) mark(name string) (state.Mark, error) {
	var names []string
	for _, m := range f.marks() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	if len(names) == 0 {
		return state.Mark{}, fmt.Errorf("no mark %s: nothing is marked in this file", name)
	}
	return state.Mark{}, fmt.Errorf("no mark %s; there are %s", name, strings.Join(names, ", "))
}

// goToMark goes to a named place.
func (f *Find) goToMark(name string) tea.Cmd {
	m, err := f.mark(name)
	switch {
	case err != nil:
		return f.Report(err)
	case m.Buffer >= len(f.Doc.Buffers):
		return f.Report(fmt.Errorf("mark %s is in buffer %d, which is not open", name, m.Buffer))
	}
	f.LeapTo(f.Doc.Buffers[m.Buffer])
	if m.Path == "" {
		f.Focus = desk.OnBytes
		f.GoToByte(m.Offset)
		return nil
	}
	return f.Resolve(m.Path, func(n *tree.Node) tea.Cmd {
		f.Report(f.Explorer.GoToValue(n))
		f.SetFocus(desk.OnTree)
		return nil
	}, f.Report)
}

// ListMarks lists the marks of the file.
func (f *Find) ListMarks() tea.Cmd {
	lines := [][]paint.Piece{{paint.In(themes.Title, "Marks in "+f.Doc.Name)}, nil}
	for _, m := range f.marks() {
		lines = append(lines, []paint.Piece{paint.In(themes.Accent, fmt.Sprintf("  %-12s ", m.Name)), paint.Plain(PlaceOf(m))})
	}
	if len(lines) == 2 {
		lines = append(lines, []paint.Piece{paint.In(themes.Dim, "  no marks: m and a letter marks a place, and so does :mark NAME")})
	}
	lines = append(lines, nil, []paint.Piece{paint.In(themes.Dim, "  ' and the letter goes there, or :goto 'NAME; :unmark NAME forgets it")})
	return f.Open(f.Page(lines))
}

// maxChanges is the largest number of changes that are listed.
const maxChanges = 2000

// ListChanges looks for all changes in the background, and lists them.
func (f *Find) ListChanges() tea.Cmd {
	if !f.Doc.IsModified() {
		return f.Say("nothing is changed")
	}
	doc, more := f.Doc, false
	look := func(ctx context.Context, _ *model.Progress) (all []model.ByteChange, err error) {
		err = doc.EachChange(ctx, func(c model.ByteChange) bool {
			if more = len(all) == maxChanges; !more {
				all = append(all, c)
			}
			return !more && ctx.Err() == nil
		})
		return all, cmp.Or(err, ctx.Err())
	}
	list := func(all []model.ByteChange) tea.Cmd { return f.list(all, more) }
	return f.StartAlone(&f.Task, "looking at the changes", jobs.Then(f.Failing("the changes cannot be listed"), look, list))
}

// list lists changes, and selects the last one before the cursor. more says that there are others.
func (f *Find) list(all []model.ByteChange, more bool) tea.Cmd {
	bytes := 4 // bytes of a range that are shown
	if f.Width > 122 {
		bytes = 8
	}
	column := 3*bytes + 2
	said := span.Counted(int64(len(all)), "range") + " differ from the file"
	switch {
	case more:
		said = "the first " + span.Grouped(maxChanges) + " ranges that differ from the file"
	case len(all) == 0:
		said = "the content is the same as in the file"
	case len(all) == 1:
		said = "1 range differs from the file"
	}
	l := &dialog.List{On: f, KeyMap: f.Actions.KeyMap(action.Changes), In: action.Changes, Goes: "go there",
		Heading: func(int) [][]paint.Piece {
			return [][]paint.Piece{{paint.In(themes.Title, "   offset   "+text.Fit("was", column+3)+text.Fit("is", column)+"where")}}
		},
		Count: func() int { return len(all) }, Sum: func() string { return said }, Turn: f.Program.Do,
		Draw: func(row, width int) []paint.Piece {
			x := &all[row]
			return []paint.Piece{paint.In(themes.Dim, fmt.Sprintf("  %08x ", x.At.Offset)),
				paint.In(themes.Padding, text.Fit(paint.Bytes(x.Old, x.Was, bytes), column)), paint.In(themes.Dim, " → "),
				paint.In(themes.Changed, text.Fit(paint.Bytes(x.New, x.At, bytes), column)),
				paint.In(themes.Key, text.Head(x.Path, width)), paint.In(themes.Dim, "  "+text.Head(x.Field, width))}
		},
		GoThere: func(row int) tea.Cmd {
			f.LeapTo(f.Doc.Buffers[all[row].Buffer])
			f.GoToByte(all[row].At.Offset)
			return nil
		}}
	for i, c := range all {
		if c.Buffer == f.Explorer.Buffer.Number && c.At.Offset <= f.Explorer.Offset() {
			l.At = i
		}
	}
	return f.Open(l)
}

// NextChange goes to the next range that differs from the file, or with back to the one before. In an
// unchanged file these are the values that saves have changed.
func (f *Find) NextChange(back bool) tea.Cmd {
	b := f.Doc.ChangedBuffer()
	if b == nil {
		return f.nextSaved(back)
	}
	from := int64(-1)
	if b == f.Explorer.Buffer {
		from = f.Explorer.Offset()
	}
	if at, ok := b.NextChange(from, back); ok {
		f.LeapTo(b)
		f.GoToByte(at)
	}
	return nil
}

// errUnchanged says that there are no changes to go to or to show.
var errUnchanged = errors.New("nothing is changed; :diff FILE compares with another file, :watch follows this one")

// nextSaved goes to the next value that saves have changed since the file was opened, or the one before.
func (f *Find) nextSaved(back bool) tea.Cmd {
	if f.Doc.Earlier == nil {
		return f.Report(errUnchanged)
	}
	from := f.Explorer.Offset()
	return f.look(func(_ context.Context, b *model.Buffer, _ *model.Progress) (search.Hit, bool, error) {
		all := b.Within(changed)
		if len(all) == 0 {
			return search.Hit{}, false, errUnchanged
		}
		i := sort.Search(len(all), func(i int) bool { return all[i].Start > from })
		if back {
			i = sort.Search(len(all), func(i int) bool { return all[i].End > from }) - 1 + len(all)
		}
		return search.Hit{Node: all[i%len(all)], IsValue: true}, false, nil
	}, f.found)
}

// OnlyChanged leaves only the values that edits or saves have changed, or shows all rows again.
func (f *Find) OnlyChanged() tea.Cmd {
	if h := f.Explorer.Filter(); h != nil && h.Within == changed {
		f.endFilter()
		return nil
	}
	if f.Doc.Earlier == nil && !f.Doc.IsModified() {
		return f.Report(errUnchanged)
	}
	f.query, f.within = search.Query{}, changed
	f.showHits(true)
	return f.Resume()
}

// changed is the filter for what edits or saves have changed.
const changed = "changed"

// ListHits lists the hits of the last search.
func (f *Find) ListHits() tea.Cmd {
	if err := f.Again(); err != nil {
		return f.Say(err.Error())
	}
	cmd, hits := f.Resume(), f.Explorer.Hits
	if n, all := hits.Count(); n == 0 && all {
		return tea.Batch(cmd, f.Say("no hits for "+text.Clean(hits.String())))
	}
	l := &hitList{Find: f, hits: hits}
	l.List = dialog.List{On: f, KeyMap: f.Actions.KeyMap(action.Results), In: action.Results, Goes: "go there", Rows: dialog.Rows[int]{At: max(0, hits.Number(f.Hit)-1)},
		Count: l.count, Measure: l.measure, Draw: l.row, Sum: l.sum, GoThere: l.goThere}
	return tea.Batch(cmd, f.Open(&l.List))
}

// ListAll lists the hits of a query.
func (f *Find) ListAll(typed string) tea.Cmd {
	if typed == "" {
		return f.ListHits()
	}
	q, err := search.ParseQueryOf(f.Explorer.Buffer.Tree(), typed)
	if err != nil {
		return f.Report(fmt.Errorf("query: %w", err))
	}
	return tea.Batch(f.Find(q), f.ListHits())
}

// A hitList is the open list of hits. It is filled while it is shown.
type hitList struct {
	*Find
	dialog.List
	hits  *explore.Hits
	best  []int // indexes of the hits in the order of the rows; nil for the order of the bytes
	mixed bool  // some are better than others
	lines dialog.Kept[explore.HitLine]
	where int // columns of the paths in view
}

// count returns the number of rows. Once all hits have been found the best come first, one for each value.
func (l *hitList) count() int {
	if l.best == nil {
		l.best, l.At, l.mixed = l.hits.BestFirst(l.At)
	}
	if l.best == nil {
		return l.hits.Kept()
	}
	return len(l.best)
}

// hit returns the index of the hit in a row.
func (l *hitList) hit(row int) int {
	if l.best == nil {
		return row
	}
	return l.best[row]
}

// goThere goes to the hit of a row.
func (l *hitList) goThere(row int) tea.Cmd {
	hit, err := l.Explorer.Hit(l.hits, l.hit(row))
	if err != nil {
		return l.Report(fmt.Errorf("cannot go to the hit: %w", err))
	}
	l.Explorer.Leap()
	l.GoToHit(hit)
	return nil
}

// measure makes room for the paths in view.
func (l *hitList) measure(from, to, width int) {
	l.where = 8
	for i := from; i < to; i++ {
		l.where = min(max(l.where, text.Width(l.read(i, width).Path)), width*3/5)
	}
}

// row draws a hit.
func (l *hitList) row(row, width int) []paint.Piece {
	x := l.read(row, width)
	pieces := append([]paint.Piece{paint.Plain(" ")}, l.marked(themes.Key, text.FitLeft(x.Path, l.where))...)
	pieces = append(pieces, paint.In(themes.Dim, "  "+text.Head(x.Type, width/4)+"  "))
	return append(pieces, l.marked("", text.Head(x.Value, width))...)
}

// read reads what is shown of the hit of a row.
func (l *hitList) read(row, width int) explore.HitLine {
	x, known := l.lines.Get(int64(l.hit(row)), false, func(i int64) (explore.HitLine, bool) {
		x, err := l.Explorer.HitLine(l.hits, int(i), width)
		x.Path = text.Clean(x.Path)
		return x, err == nil
	})
	if !known {
		x.Path = "…"
	}
	return x
}

// marked returns text with what was found in it marked.
func (l *hitList) marked(role themes.Role, s string) []paint.Piece {
	places := l.hits.Query.Places(s)
	if len(places) == 0 {
		return []paint.Piece{paint.In(role, s)}
	}
	return paint.Marked(role, s, places)
}

// sum says how many hits there are, and of what.
func (l *hitList) sum() string {
	n, all := l.hits.Count()
	kept := int64(l.hits.Kept())
	said := span.Counted(n, "hit")
	if kept < n {
		said = fmt.Sprintf("the first %s of %s", span.Grouped(kept), span.Counted(n, "hit"))
	}
	if !all {
		said += " so far"
	}
	if rows := len(l.best); l.best != nil && int64(rows) < kept {
		said += " in " + span.Counted(int64(rows), "value")
	}
	said += " for " + l.hits.Query.String()
	if l.mixed {
		said += ", the best first"
	}
	return text.Clean(said)
}
