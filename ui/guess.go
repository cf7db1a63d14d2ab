package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/guess"
	"varview/internal/text"
	"varview/model"
	"varview/model/diff"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
	"varview/ui/paint"
	"varview/ui/tree"
)

// maxGuessed is the largest size in bytes of a file that :guess looks at, mostGuessed the number of places for a label.
const (
	maxGuessed  = 64 << 20
	mostGuessed = 10
)

// A guessed is a row of :guess.
type guessed struct {
	buffer string // as guess names it
	at     span.Span
	opens  *guess.Buffer // the stream that the row is about; nil for none
	row    *guess.Row    // of a comparison; nil for others
	typ    string        // of a number that was looked for, as u2be
	pieces func(width int) []paint.Piece
}

// guess is :guess: it lists what is noticed in the file or, with labels, where values may stand that are known, also in other files or
// in the saves before. With other files alone, or a word without any for the save before, it lists what differs in them or what, as the
// word says, is the same, has grown or shrunk, or has values one for each file.
func (m *Model) guess(words ...string) tea.Cmd { return m.listGuesses("nothing was found", words) }

// listGuesses does so. none is said where there is nothing to list; "" for what was said before.
func (m *Model) listGuesses(none string, words []string) tea.Cmd {
	d := m.desk
	doc, before := d.Doc, d.Doc.Before()
	typed, others, like, unknown := diff.ParseGuess(words)
	fits, err := guess.RowsLike(like, max(len(others), 1)+1)
	if err != nil {
		unknown = cmp.Or(unknown, like)
	}
	files := 0 // for each label; 0 for any number of saves before
	if len(others) > 0 {
		files = 1 + len(others)
	}
	labels, errLabels := guess.ParseLabels(typed, files)
	compares := files > 0 || like != ""
	switch {
	case errLabels != nil:
		return d.Report(errLabels)
	case unknown != "":
		return d.Report(fmt.Errorf(":guess needs LABEL=VALUE, as in :guess gold=120, or other files; there is no file %q, here or beside this one", unknown))
	case like != "" && len(labels) > 0:
		return d.Report(fmt.Errorf(":guess needs labels or %s, not both", like))
	case like != "" && len(others) == 0 && len(before) == 0:
		return d.Report(diff.ErrNoSave)
	}
	var f guess.File
	return d.StartAlone(&d.Task, "guessing", jobs.Then(d.Report, func(ctx context.Context, _ *model.Progress) (rows []guessed, err error) {
		f, err = doc.ToGuess(maxGuessed)
		switch {
		case err != nil:
		case f == nil:
			err = fmt.Errorf(":guess looks at files of up to %s", span.Bytes(maxGuessed))
		case len(labels) > 0 && files == 0:
			if before, err = diff.InSaves(append([]guess.File{f}, before...), labels); err == nil {
				rows = placesOf(before, labels)
			}
		case compares:
			all := []guess.File{f}
			if files == 0 {
				all = append(all, before[0])
			} else if all, err = diff.ToGuess(ctx, doc, f, others, maxGuessed); err != nil {
				return nil, err
			}
			if len(labels) > 0 {
				return placesOf(all, labels), nil
			}
			return slices.DeleteFunc(rowsOf(guess.Beside(all, like == guess.Same)), func(r guessed) bool { return !fits(r.row.Values) }), nil
		default:
			rows = noticesOf(f)
		}
		return rows, err
	}, func(rows []guessed) tea.Cmd {
		if len(rows) == 0 {
			if d.Close(m.listed.list); none == "" {
				return nil
			}
			return d.Say(none)
		}
		return m.listGuessed(f, rows, others, words)
	}))
}

// rowsOf lists what differs in files, a column for each.
func rowsOf(all []*guess.Row) (rows []guessed) {
	for _, r := range all {
		at, _ := r.In(0)
		rows = append(rows, guessed{r.Buffer, at, nil, r, "", func(width int) []paint.Piece {
			mark := "  "
			if len(r.Values) == 2 && r.IsTaken() {
				mark = "✓ "
			}
			pieces := []paint.Piece{paint.In(themes.Dim, text.Fit(mark+r.Name(), nameColumn))}
			for _, v := range r.Values {
				shown := "-"
				if v != nil {
					shown = *v
				}
				pieces = append(pieces, inColumn(shown, len(r.Values), width))
			}
			return pieces
		}})
	}
	return rows
}

// nameColumn is the width of what says where a row is.
const nameColumn = 30

// inColumn returns a value in one of some columns.
func inColumn(value string, columns, width int) paint.Piece {
	column := max(8, (width-nameColumn-2)/columns-2)
	return paint.Plain("  " + text.Fit(text.Clean(value), column))
}

// describe is :describe NAME [TYPE]. In the inspector the type is that of the selected row.
func (m *Model) describe(arg string) tea.Cmd {
	if !strings.Contains(arg, " ") {
		typ := m.inspect.Type()
		if g := &m.guessed; typ == "" && m.desk.Selection.Active && m.desk.Chosen() == g.at {
			typ = g.typ
		}
		arg = strings.TrimSpace(arg + " " + typ)
	}
	return m.file.Describe(arg)
}

func noticesOf(f guess.File) (rows []guessed) {
	all := guess.Notices(f)
	for i := range all {
		n := &all[i]
		rows = append(rows, guessed{n.Buffer, span.Span{Offset: n.Offset, Length: n.Length}, f.Opens(n), nil, "", func(width int) []paint.Piece {
			return append([]paint.Piece{likelihood(n.Likelihood)}, append(tree.NoticePieces(all, i, width), paint.In(themes.Dim, "  "+text.Head(strings.Join(n.Ksy, ", "), width)))...)
		}})
	}
	return rows
}

// placesOf lists where labels may stand, of whose values each is in one of the files.
func placesOf(files []guess.File, labels []guess.Label) (rows []guessed) {
	places := guess.Places(files, labels, mostGuessed)
	for i := range places {
		c := &places[i]
		where := fmt.Sprintf("  %#06x  %s", c.Offsets[0], c.Type)
		if c.Factor != 1 {
			where += fmt.Sprintf("  times %v", c.Factor)
		}
		if c.Buffer != "" {
			where += "  in " + c.Buffer
		}
		rows = append(rows, guessed{c.Buffer, c.Span(), nil, nil, strings.TrimSuffix(c.Type, "text"), func(width int) []paint.Piece {
			return []paint.Piece{likelihood(c.Likelihood), paint.In(themes.Key, "  "+text.Head(text.Clean(c.Label), width)), paint.Plain(where)}
		}})
	}
	return rows
}

func likelihood(x float64) paint.Piece {
	return paint.In(themes.Dim, fmt.Sprintf("  %3.0f %%", 100*x))
}

// A rowList is the list of what :guess has found for some words.
type rowList struct {
	list  *dialog.List
	words []string
	again bool // once the file is read again, it goes on
	takes bool // the edit that is made takes a place, after which the list stays
}

// listGuessed lists rows, with a column for each of other files; enter goes where one is, and into the stream that it is in or about.
// The bytes of two files are below the list.
func (m *Model) listGuessed(f guess.File, rows []guessed, others, words []string) tea.Cmd {
	d, names := m.desk, append([]string{m.desk.Doc.Name}, others...)
	said := span.Counted(int64(len(rows)), "place") + " in " + strings.Join(names, ", ")
	l := &dialog.List{On: d, KeyMap: d.Actions.KeyMap(action.Changes | action.Places), In: action.Changes | action.Places, Goes: "go there, or into a stream",
		Count: func() int { return len(rows) }, Sum: func() string { return said }, Turn: d.Program.Do,
		Draw:    func(row, width int) []paint.Piece { return rows[row].pieces(width) },
		GoThere: func(row int) tea.Cmd { return m.goToGuessed(f, &rows[row]) }}
	if rows[0].row != nil {
		if len(others) == 0 {
			names = append(names, "the save before")
		}
		l.Heading = func(width int) [][]paint.Piece {
			pieces := []paint.Piece{paint.In(themes.Title, text.Fit("  "+span.Counted(int64(len(rows)), "place"), 1+nameColumn))}
			for _, name := range names {
				pieces = append(pieces, inColumn(filepath.Base(name), len(names), width))
			}
			return [][]paint.Piece{pieces}
		}
	}
	leaving := func(a action.Action) func() tea.Cmd {
		return func() tea.Cmd {
			d.Close(l)
			m.listed.again = a == action.Reload
			return m.Do(a)
		}
	}
	l.Does = action.Does{action.Reload: leaving(action.Reload), action.Filter: leaving(action.Filter)}
	if rows[0].row != nil && len(names) == 2 {
		m.besideEachOther(l, rows)
	}
	m.listed = rowList{list: l, words: words}
	return d.Open(l)
}

// guessOn goes on from a list, once the file is read again: values that were looked for in its saves wait for their next one.
func (m *Model) guessOn() tea.Cmd {
	l := &m.listed
	if !l.again {
		return nil
	}
	l.again = false
	if labels, others, _, _ := diff.ParseGuess(l.words); len(labels) > 0 && len(others) == 0 {
		return m.commands.askWith("guess " + strings.Join(l.words, ", ") + ",")
	}
	return m.guess(l.words...)
}

// guessAgain lists again after an edit what differs in bytes.
func (m *Model) guessAgain() tea.Cmd {
	l, stays := m.listed.list, m.listed.takes
	if m.listed.takes = false; stays || l == nil || l.Foot == nil || !slices.Contains(m.desk.Dialogs, dialog.Dialog(l)) {
		return nil
	}
	return m.listGuesses("", m.listed.words)
}

func (m *Model) goToGuessed(f guess.File, r *guessed) tea.Cmd {
	m.guessed = *r
	if r.opens != nil {
		return m.file.EnterStream(r.opens, span.Span{})
	}
	if b := f.Named(r.buffer); b != nil && b.IsStream() {
		return m.file.EnterStream(b, r.at)
	}
	d := m.desk
	d.LeapTo(d.Doc.Buffers[bufferOf(r.buffer)])
	at := r.at
	if r.row != nil {
		at, _ = r.row.In(0) // what was taken before it may have moved it
	}
	return d.Report(d.Select(at))
}

// bufferOf returns the number of a buffer as guess names it; the file is 0.
func bufferOf(name string) int {
	number, _ := strconv.Atoi(strings.TrimPrefix(name, "buffer "))
	return number
}

// beside are the bytes of two files, below the list of where they differ.
type beside struct {
	m     *Model
	list  *dialog.List
	all   []*guess.Row
	taken []func() // what puts back what was taken, the latest last
}

// besideEachOther adds to a list of the places where two files differ the bytes of both, and the key that takes those of the other one.
func (m *Model) besideEachOther(l *dialog.List, rows []guessed) {
	p := &beside{m: m, list: l}
	for _, r := range rows {
		p.all = append(p.all, r.row)
	}
	move := func(by int) func() tea.Cmd { return action.Plainly(func() { l.Move(by, len(rows)) }) }
	l.In |= action.Differences
	l.KeyMap, l.OverPanes, l.Foot, l.Turn = m.desk.Actions.KeyMap(l.In), true, p.sides, nil
	l.Head = func() int { // the bytes get half of the window, or what the list leaves
		_, height := m.desk.Window()
		l.FootLines = max(2, (height-4)/2, height-4-len(rows))
		return 1
	}
	l.Keys = append(l.KeyMap.Hints(action.TakeDifference), l.KeyMap.Hint("move", action.Down, action.Up), l.KeyMap.Hint("go there", action.GoThere))
	maps.Copy(l.Does, action.Does{action.Undo: p.undo, action.Redo: m.desk.Doing(action.Redo), action.NextChange: move(1), action.PreviousChange: move(-1),
		action.TakeDifference: p.take})
}

// take takes the bytes of the selected place from the other file.
func (p *beside) take() tea.Cmd {
	m, r := p.m, p.all[p.list.At]
	switch {
	case r.IsTaken():
		return m.desk.Say("this is taken already; u undoes it")
	case r.IsInStream():
		return m.desk.Report(errors.New("these bytes are packed, with sizes and checksums around them: enter goes in, :describe NAME begins a description that keeps these right; then :diff compares values, and do takes them"))
	}
	here, _ := r.In(0)
	there, data := r.In(1)
	x, taken := m.desk.Explorer, append([]byte(nil), data[there.Offset:there.End()]...)
	m.desk.LeapTo(m.desk.Doc.Buffers[bufferOf(r.Buffer)])
	m.listed.takes = true
	return m.edits.Make(edits.Request{Intention: x.PutBytes(here.Offset, here.Length, taken, here.Offset), Done: func() { p.taken = append(p.taken, guess.Take(p.all, r)) }})
}

// undo puts back what was taken last, or undoes an edit before that.
func (p *beside) undo() tea.Cmd {
	last := len(p.taken) - 1
	if last < 0 {
		return p.m.Do(action.Undo)
	}
	p.m.listed.takes = true
	return p.m.edits.UndoThen(func() {
		p.taken[last]()
		p.taken = p.taken[:last]
	})
}

// offsetColumns is the width of the offset of a line, with a blank on both sides.
const offsetColumns = 8

// sides draws the bytes of both files around the selected place, those that are the same beside each other.
func (p *beside) sides(width int) (lines [][]paint.Piece) {
	side, n, columns := (width-3)/2, 4, 0
	for _, k := range []int{4, 8, 16, 32} {
		if with := offsetColumns + 3*k + k/8; with <= side {
			n, columns = k, with
		}
	}
	r, chars := p.all[p.list.At], columns+n <= side
	cells := guess.Aligned(p.all, r, max(0, int(r.Offsets[0])/n-p.list.FootLines/3)*n, p.list.FootLines*n)
	for ; len(cells) > 0; cells = cells[n:] {
		line := half(r, cells[:n], 0, chars)
		line = append(line, paint.Plain(strings.Repeat(" ", side-paint.Columns(line))), paint.In(themes.Border, " │ "))
		lines = append(lines, append(line, half(r, cells[:n], 1, chars)...))
	}
	return lines
}

// half draws the bytes of one of the files at some offsets: those that differ from the other one in its colour, and those of a place marked.
func half(r *guess.Row, cells [][2]int, file int, hasChars bool) []paint.Piece {
	at, data := r.In(file)
	_, other := r.In(1 - file)
	offset, line, chars := "", make([]paint.Piece, 1), []paint.Piece(nil)
	for i, c := range cells {
		digits, char := paint.Plain("  "), " "
		if here, there := c[file], c[1-file]; here >= 0 {
			if digits = paint.In(themes.Dim, fmt.Sprintf("%02x", data[here])); there < 0 || data[here] != other[there] {
				digits.Role, digits.Differs = []themes.Role{themes.Added, themes.Removed}[file], true
			}
			if at.Contains(int64(here)) {
				digits.Role = themes.Match
			}
			if char = "·"; data[here] >= ' ' && data[here] < 0x7f {
				char = string(rune(data[here]))
			}
			offset = cmp.Or(offset, fmt.Sprintf("%06x", here))
		}
		line = append(line, digits, paint.Plain("  "[:1+i%8/7]))
		chars = append(chars, paint.In(digits.Role, char))
	}
	line[0] = paint.In(themes.Dim, text.Fit(" "+offset, offsetColumns))
	if hasChars {
		line = append(line, chars...)
	}
	return line
}
