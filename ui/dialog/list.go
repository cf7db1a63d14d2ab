package dialog

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/model"
	"varview/model/search"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// A List is rows over the panes, of which one is selected, between a heading and a line that sums them
// up, or lines about the selected one.
type List struct {
	On     Context
	KeyMap action.KeyMap
	In     action.Rooms
	Rows[int]
	Heading func(width int) [][]paint.Piece // lines above the rows, of a number that Head says; nil for none
	Foot    func(width int) [][]paint.Piece // FootLines lines about the selected row, below a rule; nil for the Sum
	Goes    string                          // what enter does
	Keys    []key.Help                      // for the bottom line, before those of all lists; nil for what enter does
	Does    action.Does                     // other actions than those of all lists

	Head      func() int // number of lines of the heading; nil for one
	FootLines int
	OverPanes bool // it covers the panes also where it could be below them
	Short     bool // it is below the panes also in a low window, in as few lines as it needs
	Share     int  // its share of a window in which it is below the panes, in percent; 0 for the usual one

	Count func() int
	// Measure prepares to draw the rows in view, from one index up to another; nil for nothing.
	Measure func(from, to, width int)
	Draw    func(row, width int) []paint.Piece
	Sum     func() string
	Moved   func() tea.Cmd // follows the selection; nil for nothing
	// GoThere goes to what a row stands for, after the list is closed.
	GoThere func(row int) tea.Cmd
	// Turn undoes or redoes an edit, after the list is closed; nil if neither is possible.
	Turn func(action.Action) tea.Cmd
	Of   Dialog // the dialog that the list is a part of; nil for none
}

// Room implements Roomed.
func (l *List) Room() action.Rooms { return l.In }

// Place implements Dialog.
func (l *List) Place() Place {
	return PlaceOf(l.Taken())
}

func (l *List) lines() int {
	_, height := l.On.Window()
	return cmp.Or(l.Taken(), height-2)
}

// wants returns the number of lines for all rows and what is around them.
func (l *List) wants() int { return l.above() + l.Count() + 1 + l.FootLines }

// Accompanied implements Accompanied.
func (l *List) Accompanied() bool { return !l.OverPanes }

// Taken implements Low.
func (l *List) Taken() int {
	switch width, _ := l.On.Window(); {
	case l.OverPanes:
		return 0
	case l.Short && width >= lowWidth:
		return l.wants()
	}
	return LinesBelow(l.On, l.wants(), cmp.Or(l.Share, usualShare))
}

// Update implements Dialog.
func (l *List) Update(msg tea.KeyMsg) tea.Cmd { return l.On.Press(l.KeyMap, msg, l.Do) }

// Do does an action in the list.
func (l *List) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(l.height(), l.Count()); moves {
		l.Move(by*l.On.Times(), l.Count())
		return l.moved()
	}
	if do, ok := l.Does[a]; ok {
		return do()
	}
	switch a {
	case action.GoThere:
		return l.goThere()
	case action.Undo, action.Redo:
		if l.Turn != nil {
			l.close()
			return l.Turn(a)
		}
	case action.Cancel, action.Quit:
		l.close()
	}
	return nil
}

func (l *List) moved() tea.Cmd {
	if l.Moved == nil {
		return nil
	}
	return l.Moved()
}

func (l *List) close() { l.On.Close(cmp.Or[Dialog](l.Of, l)) }

func (l *List) goThere() tea.Cmd {
	if l.GoThere == nil || l.At >= l.Count() {
		return nil
	}
	l.close()
	return l.GoThere(l.At)
}

// Mouse implements Pointed.
func (l *List) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	width, height := l.On.Across()
	line := msg.Y - (height - 1 - l.lines())
	switch was := l.At; {
	case msg.X < 0 || msg.X >= width:
	case line < 0 && by != 0: // over the panes above
		return nil, false
	case l.Pick(msg, by, line-l.above(), l.height(), l.Count()):
		return l.goThere(), true
	case l.At != was:
		return l.moved(), true
	}
	return nil, true
}

// above returns the number of lines above the rows.
func (l *List) above() int {
	switch {
	case l.Heading == nil:
		return 0
	case l.Head == nil:
		return 1
	}
	return l.Head()
}

// height returns the number of rows in view.
func (l *List) height() int { return max(min(1, l.Count()), l.lines()-1-l.FootLines-l.above()) }

// Hints implements Hinting.
func (l *List) Hints() []paint.Piece {
	keys := slices.Clone(l.Keys)
	if keys == nil {
		keys = []key.Help{l.KeyMap.Hint("move", action.Down, action.Up), l.KeyMap.Hint(l.Goes, action.GoThere)}
	}
	if l.Turn != nil {
		keys = append(keys, l.KeyMap.Hints(action.Undo)...)
	}
	width, _ := l.On.Window()
	return paint.BottomKeys(append(keys, l.KeyMap.Hint("close", action.Cancel), l.KeyMap.Hints(action.Help)[0]), width)
}

// View implements Dialog.
func (l *List) View() []string {
	out, height, count := NewLines(l.On), l.height(), l.Count()
	out.Framed = l.Taken() > 0
	l.Fit(height, count)
	if l.Heading != nil {
		for _, line := range l.Heading(out.Width) {
			out.Put(false, line...)
		}
	}
	to := min(count, l.Top+height)
	if l.Measure != nil {
		l.Measure(l.Top, to, out.Width)
	}
	for i := l.Top; i < to; i++ {
		out.Row(i == l.At, l.Draw(i, out.Width)...)
	}
	out.Fill(height + l.above())
	if l.Foot == nil {
		out.Put(false, paint.In(themes.Dim, " "+l.Sum()))
		return out.All
	}
	out.Rule()
	for _, line := range l.Foot(out.Width) {
		out.Put(false, line...)
	}
	return out.All
}

// Lines are the lines of a dialog over the panes, between the sides of its frame.
type Lines struct {
	Styles *paint.Styles
	Width  int // between the sides
	All    []string

	Focused bool // it receives the keys
	Framed  bool // it is a pane below others, whose sides show that
}

// NewLines returns empty lines of a dialog.
func NewLines(c Context) *Lines {
	width, _ := c.Across()
	return &Lines{Styles: c.Paints(), Width: width - 2, Focused: true}
}

// Put adds a line.
func (l *Lines) Put(selected bool, pieces ...paint.Piece) {
	if selected {
		l.Over(l.Styles.Ground(l.Focused), pieces...)
	} else {
		l.Over("", pieces...)
	}
}

// Over adds a line on a background.
func (l *Lines) Over(ground paint.Paint, pieces ...paint.Piece) {
	border := l.Styles.Frame(l.Framed && l.Focused, "│")
	l.All = append(l.All, border+l.Styles.LineOver(pieces, l.Width, ground)+border)
}

// Row adds a row of a list, with a mark if it is selected.
func (l *Lines) Row(selected bool, pieces ...paint.Piece) {
	l.Put(selected, append([]paint.Piece{Marked(selected)}, pieces...)...)
}

// Marked returns the mark of a row that may be selected.
func Marked(selected bool) paint.Piece {
	if selected {
		return paint.In(themes.Accent, "›")
	}
	return paint.Plain(" ")
}

// Fill adds blank lines up to a height.
func (l *Lines) Fill(height int) {
	for len(l.All) < height {
		l.Put(false)
	}
}

// Rule adds a rule from side to side.
func (l *Lines) Rule() {
	focused := l.Framed && l.Focused
	l.All = append(l.All, l.Styles.Frame(focused, "├")+l.Styles.In(themes.Border, strings.Repeat("─", l.Width))+l.Styles.Frame(focused, "┤"))
}

// About returns a line that says where a value is and, at its end, what it is.
func About(where, what string, width int) []paint.Piece {
	where = text.CutLeft(text.Clean(where), width-4-text.Width(what))
	return []paint.Piece{paint.Plain(" "), paint.In(themes.Key, text.Fit(where, width-2-text.Width(what))), paint.In(themes.Dim, what), paint.Plain(" ")}
}

// Low is a dialog that may be below the panes, in place of the lines about the cursor.
type Low interface {
	// Taken returns the number of its lines there; 0 if it is over the panes.
	Taken() int
}

// The smallest window in which lists and editors are below the panes, and their lines there.
const (
	lowWidth   = 60
	lowHeight  = 30
	leastLow   = 6
	usualShare = 40 // percent of the window
)

// BesideWidth is the width of a window from which they are beside the tree and the bytes.
const BesideWidth = 160

// LinesBelow returns the number of lines below the panes for a dialog that wants some, at most a share of the window in percent; 0 if
// the window is too low, so that it is over them, or so wide that it is beside them.
func LinesBelow(c Context, wants, share int) int {
	width, height := c.Window()
	if height < lowHeight || width < lowWidth || width >= BesideWidth {
		return 0
	}
	return max(leastLow, min(wants, height*share/100))
}

// PlaceOf returns the place of a dialog that takes a number of lines from the panes.
func PlaceOf(taken int) Place {
	if taken > 0 {
		return BelowPanes
	}
	return OverPanes
}

// Rows is the position in a list: the selected row and the first one in view.
type Rows[I int | int64] struct{ At, Top I }

// Move moves the selection by some rows, within count.
func (r *Rows[I]) Move(by, count I) { r.At = max(0, min(r.At+by, count-1)) }

// Seek selects the next row for which is returns true, or if by is -1 the previous one. It reports
// whether there is one.
func (r *Rows[I]) Seek(by, count I, is func(row I) bool) bool {
	for i := r.At + by; i >= 0 && i < count; i += by {
		if is(i) {
			r.At = i
			return true
		}
	}
	return false
}

// Fit scrolls so that the selected row is in view, with height of count rows visible, and nothing below the last one that a row
// above could fill.
func (r *Rows[I]) Fit(height int, count I) {
	r.Move(0, count)
	r.Top = max(r.At-I(max(1, height))+1, min(r.Top, r.At, count-I(height)), 0)
}

// Pick moves the selection by a turn of the wheel, or to a clicked line among the rows in view. It
// reports whether the row that was already selected was clicked.
func (r *Rows[I]) Pick(msg tea.MouseMsg, by, line, height int, count I) (again bool) {
	row := r.Top + I(line)
	switch {
	case by != 0:
		r.Move(I(by), count)
	case msg.Button != tea.MouseButtonLeft || line < 0 || row >= min(r.Top+I(height), count):
	case row == r.At:
		return true
	default:
		r.At = row
	}
	return false
}

// Kept are the rows of a long list that have been read, by their numbers. A frame reads those in view for which it has time;
// the others are read in the background.
type Kept[R any] struct {
	rows  map[int64]R
	job   jobs.Job
	began time.Time // when the frame was begun
}

const (
	mostKept = 1000
	drawing  = 4 * time.Millisecond // how long rows may be read for a frame
)

// Begin begins a frame.
func (k *Kept[R]) Begin() { k.began = time.Now() }

// Get returns a row, which is read if need be; quickly, only while the frame has time.
func (k *Kept[R]) Get(number int64, quickly bool, read func(int64) (R, bool)) (r R, known bool) {
	if r, known = k.rows[number]; known || quickly && time.Since(k.began) > drawing {
		return r, known
	}
	if r, known = read(number); known {
		if k.rows == nil || len(k.rows) >= mostKept {
			k.rows = map[int64]R{}
		}
		k.rows[number] = r
	}
	return r, known
}

// Load reads those of some rows in the background that are not known; begin returns what reads one.
func (k *Kept[R]) Load(c Context, numbers []int64, begin func() (read func(int64) (R, bool))) tea.Cmd {
	numbers = slices.DeleteFunc(numbers, func(n int64) bool {
		_, known := k.rows[n]
		return known
	})
	if len(numbers) == 0 {
		return nil
	}
	return c.Start(&k.job, "reading rows", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		found, read := map[int64]R{}, begin()
		for _, n := range numbers {
			if r, ok := read(n); ok && ctx.Err() == nil {
				found[n] = r
			}
		}
		return func() tea.Cmd {
			maps.Copy(found, k.rows)
			k.rows = found
			return nil
		}
	})
}

// Forget forgets all rows.
func (k *Kept[R]) Forget() {
	k.job.Stop()
	k.rows = nil
}

// A Page is a text over the panes, such as the help. It scrolls, and can be searched.
type Page struct {
	Context
	KeyMap action.KeyMap
	Lines  func(width int) [][]paint.Piece
	Then   func() // called after it is closed; may be nil

	top    int // index of the first line in view
	sought search.Query
	found  bool // something that was sought
}

// Place implements Dialog.
func (p *Page) Place() Place { return OverPanes }

// Update implements Dialog.
func (p *Page) Update(msg tea.KeyMsg) tea.Cmd {
	a := p.KeyMap.Of(msg)
	if msg.Type == tea.KeySpace {
		a = action.PageDown
	}
	by, moves := a.Rows(p.height(), len(p.lines()))
	switch {
	case moves:
		p.scroll(by)
	case a == action.Search:
		return p.ask()
	case a == action.NextHit:
		p.find(1)
	case a == action.PreviousHit:
		p.find(-1)
	case a == action.CloseList, a == action.Help, msg.Type == tea.KeyEnter:
		p.Close(p)
		if p.Then != nil {
			p.Then()
		}
	}
	return nil
}

// ask asks what to search for, and goes there while it is typed.
func (p *Page) ask() tea.Cmd {
	x := NewPrompt(p, "/", func(string) tea.Cmd { return nil })
	x.Changed = func(typed string) tea.Cmd {
		p.sought, _ = search.ParseQuery(strconv.Quote(strings.ToLower(typed)))
		p.find(0)
		return nil
	}
	x.Left = func() { p.sought = search.Query{} }
	x.Aside = func() (string, bool) { return p.missing(), true }
	x.Changed("")
	return p.Open(x)
}

// find scrolls to the next line that contains the search text, after the first line in view, or before it
// if by is -1; if by is 0, that line counts too. After the last line comes the first.
func (p *Page) find(by int) {
	lines := p.lines()
	at, step := p.top+by, by
	p.found = false
	if step == 0 {
		step = 1
	}
	for range lines {
		at = (at + len(lines)) % len(lines)
		if len(p.sought.Places(plain(lines[at]))) > 0 {
			p.top, p.found = at, true
			return
		}
		at += step
	}
}

// missing says that what is sought is not there.
func (p *Page) missing() string {
	if text := p.sought.String(); text != "" && text != `""` && !p.found {
		return "not found"
	}
	return ""
}

func plain(line []paint.Piece) string {
	var b strings.Builder
	for _, piece := range line {
		b.WriteString(piece.Text)
	}
	return b.String()
}

// Mouse implements Pointed.
func (p *Page) Mouse(_ tea.MouseMsg, by int) (tea.Cmd, bool) {
	p.scroll(by)
	return nil, true
}

// lines returns the lines of the page in this window.
func (p *Page) lines() [][]paint.Piece {
	width, _ := p.Window()
	return p.Lines(width - 4)
}

// height returns the number of lines in view.
func (p *Page) height() int {
	_, height := p.Window()
	return height - 2
}

func (p *Page) scroll(by int) { p.top = max(0, min(p.top+by, len(p.lines())-p.height())) }

// View implements Dialog.
func (p *Page) View() []string {
	out, all := NewLines(p), p.lines()
	for at := p.top; at < min(len(all), p.top+p.height()); at++ {
		out.Put(false, append([]paint.Piece{paint.Plain("  ")}, p.marked(all[at])...)...)
	}
	out.Fill(p.height())
	return out.All
}

// marked returns a line with the search text marked.
func (p *Page) marked(line []paint.Piece) (pieces []paint.Piece) {
	for _, piece := range line {
		if places := p.sought.Places(piece.Text); len(places) > 0 {
			pieces = append(pieces, paint.Marked(piece.Role, piece.Text, places)...)
		} else {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// Hints implements Hinting.
func (p *Page) Hints() []paint.Piece {
	keys := p.KeyMap.Hints(action.CloseList, action.Search)
	if p.top+p.height() < len(p.lines()) {
		keys = append(keys, p.KeyMap.Hint("scroll", action.Down, action.Up))
	}
	if p.missing() != "" {
		return append([]paint.Piece{paint.In(themes.Error, p.missing()+"  ")}, paint.Keys(keys)...)
	}
	if p.sought.String() != "" {
		keys = append(keys, p.KeyMap.Hint("next", action.NextHit, action.PreviousHit))
	}
	return paint.Keys(keys)
}
