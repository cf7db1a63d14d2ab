package dialog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/model/literals"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/jobs"
	"varview/ui/paint"
	"varview/ui/textbox"
)

// A Spot is where the row of a new value is: below the selected row, and all in it, unless one of these is set.
type Spot struct {
	Above bool
	Deep  bool // it is a child of the selected value, behind the others
	Last  bool // it is behind all values beside the selected one
}

// An Editor is where a value or a key is typed: in its row, in a new row, or over the panes.
type Editor struct {
	Context
	KeyMap action.KeyMap
	What   string // what is typed: "value", "key"
	Where  string // path of what is typed; "" for that of the selected value
	Hint   string // what can be typed
	Big    bool   // it is over the panes
	IsKey  bool   // it replaces the row's name
	IsNew  bool   // it has a row of its own
	Spot
	First bool // the value of this key is typed afterwards

	Inspected bool   // it is in the inspector
	Key       string // key of a new value that was typed before

	Private bool // what is typed must not be written to disk
	InText  bool // it is a part of a text, whose bytes say nothing more

	IsText bool // the typed text is text without quotes

	// An external editor reads Terminal and draws on Screen; nil for standard input and output.
	Terminal, Screen *os.File

	// Describe describes the selected value.
	Describe func(limit int) explore.Description
	// Check returns what the value would become with the typed literal, nil if that is not shown, or what is wrong with it. It is
	// nil if nothing can be checked before enter.
	Check func(ctx context.Context, literal string) (*model.Tried, error)
	// Choices are the names to which the value can be set.
	Choices []string
	// Keys returns the keys that values like this one have; nil if none are known.
	Keys func() []string
	// Saves is set while the file is to be saved with what is taken from one row: the key was that of saving.
	Saves bool
	// Enter takes the literal.
	Enter func(literal string, retype bool) tea.Cmd

	box      textbox.Box
	stem     string // what was typed before a choice replaced it
	mark     string // & or ^ before the quotes of its literal
	retype   bool   // the type may change, since the user was asked
	err      error  // why the typed text cannot be taken
	tried    *model.Tried
	checking jobs.Job
}

const (
	inRow   = 400     // length in bytes up to which a literal is edited in its row
	inLine  = 40      // the same for a container
	tooLong = 1 << 20 // limit of the typed text in bytes
)

var errNoKey = errors.New(`a key is expected; ctrl+t types a literal, such as ""`)

// NewEditor returns an editor for a literal; a text that can be typed as it is appears without quotes.
func NewEditor(c Context, k action.KeyMap, what, literal string) *Editor {
	e := &Editor{Context: c, KeyMap: k, What: what}
	e.Like(literal)
	e.Big = e.isLong(literal)
	e.Fill(literal)
	return e
}

// Like makes the editor one of text without quotes if a literal is text that can be typed so.
func (e *Editor) Like(literal string) { e.mark, _, e.IsText = literals.Unquote(literal) }

// isLong reports whether a literal does not fit a row.
func (e *Editor) isLong(literal string) bool {
	_, text, _ := literals.Unquote(literal)
	return len(literal) > inRow || strings.Contains(text, "\n") || len(literal) > inLine && !e.IsText && literals.IsContainer(literal)
}

// Fill replaces the typed text by a literal.
func (e *Editor) Fill(literal string) {
	if e.IsText {
		_, literal, _ = literals.Unquote(literal)
	}
	width, _ := e.Window()
	inLines := e.Big && !e.IsText && literals.IsContainer(literal)
	if inLines {
		literal = literals.Lines(literal, width-6)
	}
	if e.box = textbox.New(literal, !e.Big); inLines {
		e.box.ToStart()
	}
}

// SelectAll selects what is in the editor of a row: what is typed replaces it, as in a spreadsheet.
func (e *Editor) SelectAll() {
	if !e.Big {
		e.box.SelectAll()
	}
}

// literal returns the typed text as a literal. The beginning of one of the choices stands for it.
func (e *Editor) literal() string {
	if e.IsText {
		return literals.Quote(e.mark, e.box.Text())
	}
	typed := strings.TrimSpace(e.box.Text())
	others := func(c string) bool {
		return typed == "" || !strings.HasPrefix(strings.ToLower(c), strings.ToLower(typed))
	}
	if meant := slices.DeleteFunc(slices.Clone(e.Choices), others); len(meant) == 1 {
		return meant[0]
	}
	return typed
}

// pointed returns a number that was typed with a comma as it is written; "" if something else was typed.
func (e *Editor) pointed() string {
	whole, rest, found := strings.Cut(strings.TrimSpace(e.box.Text()), ",")
	if _, err := strconv.ParseFloat(whole+"."+rest, 64); err != nil || !found || e.err == nil || e.IsText {
		return ""
	}
	return whole + "." + rest
}

// Place implements Dialog.
func (e *Editor) Place() Place {
	if e.Big {
		return PlaceOf(e.Taken())
	}
	return InPane
}

// Taken implements Low.
func (e *Editor) Taken() int {
	if !e.Big {
		return 0
	}
	return LinesBelow(e, all, usualShare)
}

// Accompanied implements Accompanied.
func (e *Editor) Accompanied() bool { return true }

const all = 1 << 20 // lines: an editor below the panes gets as many as there are for dialogs

// TakesText implements Typed.
func (e *Editor) TakesText() {}

// Update implements Dialog.
func (e *Editor) Update(msg tea.KeyMsg) tea.Cmd {
	a := e.KeyMap.Of(msg)
	e.Saves = a == action.Save && !e.Big
	switch {
	case msg.Type == tea.KeyEsc:
		e.checking.Stop()
		e.Close(e)
		return nil
	case msg.Type == tea.KeyEnter && !e.Big, a == action.Save:
		return e.enter()
	case a == action.TypeOutside:
		return e.Outside()
	case msg.Type == tea.KeyTab && e.complete(), e.step(steps[action.NameOf(msg)]):
		return e.check()
	case a == action.AsText:
		e.switchText()
		return e.check()
	}
	if msg.Paste && !e.Big && e.IsText && strings.ContainsAny(string(msg.Runes), "\r\n") {
		e.Big, e.box.Single = true, false
	}
	if len(e.box.Text())+len(string(msg.Runes)) > tooLong {
		return e.Say("that is too long to be typed")
	}
	if !e.box.Press(msg) {
		return nil
	}
	return e.check()
}

// enter takes what was typed.
func (e *Editor) enter() tea.Cmd {
	e.checking.Stop()
	if e.IsNew && e.IsKey && e.box.Text() == "" {
		e.SetError(errNoKey)
		return nil
	}
	return e.Enter(e.literal(), e.retype && !e.Saves) // the key that saves does not answer a question
}

// complete types a name, or a key around the cursor, or selects the next value of a container. It reports whether there are any.
func (e *Editor) complete() bool {
	switch from := literals.KeyBefore(e.box.Text(), e.box.At()); {
	case e.pointed() != "":
		e.box.Set(e.pointed())
	case len(e.Choices) > 0:
		e.choose(e.Choices, 0)
	case !e.hasKeys():
		return false
	case strings.HasSuffix(strings.TrimRight(e.box.Text()[:e.box.At()], " \n"), ":"): // a value is typed here
	case from < 0 || !e.choose(e.Keys(), from):
		e.SelectValue(e.box.At())
	}
	return true
}

// SelectValue selects the next value in the typed literal that begins behind a byte.
func (e *Editor) SelectValue(at int) {
	if from, to := literals.NextValue(e.box.Text(), at); from >= 0 {
		e.box.Select(from, to)
	}
}

// step adds to the number at the cursor, and reports whether there is one; 0 adds to none.
func (e *Editor) step(by int) bool {
	stepped, at, ok := literals.Step(e.box.Text(), e.box.At(), by)
	if by == 0 || e.Big || e.IsText || !ok {
		return false
	}
	e.box.Set(stepped)
	e.box.GoTo(at)
	return true
}

// steps are the keys that change the number at the cursor.
var steps = map[string]int{"up": 1, "down": -1, "shift+up": 10, "shift+down": -10}

// hasKeys reports whether keys are typed.
func (e *Editor) hasKeys() bool {
	return !e.IsText && e.Keys != nil && (e.Big || literals.IsContainer(e.box.Text()))
}

// choose types the next of several names that begins with what was typed since a byte, and reports whether there is one.
func (e *Editor) choose(all []string, from int) bool {
	typed := e.box.Text()[from:e.box.At()]
	at := slices.Index(all, typed)
	switch {
	case at < 0:
		e.stem = bare(typed)
	case !strings.HasPrefix(bare(typed), e.stem):
		e.stem = ""
	}
	for range all {
		if at = (at + 1) % len(all); strings.HasPrefix(bare(all[at]), e.stem) {
			e.box.Replace(from, all[at])
			return true
		}
	}
	return false
}

// bare returns a key without what precedes its first character.
func bare(key string) string { return strings.TrimLeft(key, `&^"`) }

// Tried returns what the value would become with the typed literal; nil while unknown.
func (e *Editor) Tried() *model.Tried { return e.tried }

// switchText turns a text into its literal, or a literal into its text.
func (e *Editor) switchText() {
	literal := e.literal()
	if !e.IsText {
		mark, _, ok := literals.Unquote(literal)
		switch {
		case ok:
			e.mark, e.IsText = mark, true
		case literal == "", errors.As(e.err, new(*edit.SyntaxError)): // foo for "foo"
			e.mark, e.IsText, literal = "", true, literals.Quote("", literal)
		default:
			e.Say("only text in quotes, without escapes except \\n, can be typed as it is")
			return
		}
	} else {
		e.IsText = false
		if e.IsNew && e.box.Text() == "" { // and not a text without characters
			literal = ""
		}
	}
	e.Big = e.Big || e.isLong(literal)
	e.Fill(literal)
}

// check checks, in the background, whether the typed text can be taken.
func (e *Editor) check() tea.Cmd {
	e.checking.Stop()
	e.retype, e.err, e.tried = false, nil, nil
	if e.Check == nil {
		return nil
	}
	literal := e.literal()
	return e.Start(&e.checking, "checking what is typed", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		tried, err := e.Check(ctx, literal)
		return func() tea.Cmd {
			e.SetError(err)
			e.tried = tried
			return nil
		}
	})
}

// SetError records why the typed text cannot be taken.
func (e *Editor) SetError(err error) {
	if errors.As(err, new(*edit.OrphanError)) || errors.As(err, new(*edit.ChoiceError)) {
		err = nil // enter asks
	}
	e.err, e.box.Fault = err, -1
	var syntax *edit.SyntaxError
	if errors.As(err, &syntax) && !e.IsText {
		text := e.box.Text()
		blanks := len(text) - len(strings.TrimLeft(text, " \t\n")) // which its literal does not have
		e.box.Fault = blanks + syntax.At
	}
}

// Refuse shows why an edit cannot be made. If only the type is in the way, enter again changes it.
func (e *Editor) Refuse(err error) {
	e.SetError(err)
	e.retype = errors.As(err, new(*edit.TypeError))
}

// Text returns the typed text.
func (e *Editor) Text() string { return e.box.Text() }

// Fault returns the place of an error in the typed text; negative for none.
func (e *Editor) Fault() int { return e.box.Fault }

// boxRoles are the theme's roles for the parts of the typed text.
var boxRoles = map[textbox.Role]themes.Role{textbox.Plain: themes.Title, textbox.Cursor: themes.Cursor, textbox.Fault: paint.Fault, textbox.Marked: themes.Match}

// classRoles are the theme's roles for the parts of a literal.
var classRoles = map[literals.Class]themes.Role{literals.Key: themes.Key, literals.String: themes.String, literals.Number: themes.Number, literals.Word: themes.Keyword, literals.Sign: themes.Dim}

// Pieces returns the typed text in a row of at most width columns.
func (e *Editor) Pieces(width int) []paint.Piece { return boxPieces(e.box.Line(width)) }

func boxPieces(parts []textbox.Part) []paint.Piece {
	var pieces []paint.Piece
	for _, p := range parts {
		role := boxRoles[p.Role]
		if p.Role == textbox.Plain && p.Class > 0 {
			role = classRoles[literals.Class(p.Class)]
		}
		pieces = append(pieces, paint.In(role, p.Text))
	}
	return pieces
}

// View implements Dialog. It draws the typed text and what is known about it, or only the latter if a
// pane draws the text.
func (e *Editor) View() []string {
	width, _ := e.Across()
	_, height := e.Window()
	height = cmp.Or(e.Taken(), height-2)
	inner := width - 2
	if !e.Big {
		return e.info(inner)
	}
	l := NewLines(e)
	if e.box.Mark = -1; !e.IsText {
		e.box.Mark = literals.Partner(e.box.Text(), e.box.At())
		e.box.Classes = literals.Classes(e.box.Text())
	}
	for _, parts := range e.box.Rows(inner-2, height-3) {
		l.Put(false, append([]paint.Piece{paint.Plain(" ")}, boxPieces(parts)...)...)
	}
	l.Fill(height - 3)
	l.Rule()
	return append(l.All, l.Styles.Framed(e.info(inner))...)
}

// NewRow returns the row of a value that does not exist yet, after what is before it.
func (e *Editor) NewRow(before []paint.Piece, width int) []paint.Piece {
	pieces := append([]paint.Piece{paint.Plain(" "), paint.In(themes.Accent, "+")}, append(before, paint.Plain("  "))...)
	switch {
	case e.IsKey:
		pieces = append(pieces, paint.In(themes.Dim, e.What+"  "))
	case e.Key != "":
		pieces = append(pieces, paint.In(themes.Key, text.Cut(text.Clean(e.Key), (width-paint.Columns(pieces))/3)+"  "))
	}
	return append(pieces, e.Pieces(width-paint.Columns(pieces))...)
}

// info says what is being typed, and what is wrong with it.
func (e *Editor) info(width int) []string {
	d := e.Describe(2 * width)
	where, what := cmp.Or(e.Where, d.Path), e.What
	if !e.IsNew && !e.IsKey {
		what = text.Head(d.Type, width/2)
	}
	if e.IsText {
		what += " · text without quotes"
	}
	first := About(where, what, width)
	said, role := e.verdict()
	second := text.Head(said, width-2)
	if said = text.Clean(said); e.err != nil && text.Width(said) > width-2 { // both lines are needed
		lines := text.Wrap(said, width-2)
		first = []paint.Piece{paint.Plain(" "), paint.In(role, lines[0])}
		second = text.Head(strings.Join(lines[1:], " "), width-2)
	}
	return []string{e.Paints().Line(first, width), e.Paints().Line(append([]paint.Piece{paint.Plain(" ")}, e.second(role, second)...), width)}
}

// second returns what the value would become: a swatch, its bytes and its length. While that is unknown,
// it returns said.
func (e *Editor) second(role themes.Role, said string) []paint.Piece {
	t := e.tried
	if t == nil || e.err != nil {
		return []paint.Piece{paint.In(role, said)}
	}
	pieces := []paint.Piece{paint.In(themes.Changed, paint.Bytes(t.Bytes, span.Span{Length: t.Size}, shownBytes)), paint.In(themes.Dim, "  "+span.Bytes(t.Size))}
	switch {
	case e.InText:
		pieces = []paint.Piece{paint.In(role, said)}
	case t.By != 0:
		pieces[1].Text += fmt.Sprintf(" (%+d)", t.By)
	}
	if t.Color != nil {
		pieces = append([]paint.Piece{{Text: "    ", Paint: e.Paints().Swatch(t.RGB())}, paint.Plain("  ")}, pieces...)
	}
	if t.Effect != "" {
		return append(pieces, paint.In(themes.Warning, "  ! "+t.Effect))
	}
	if _, _, ok := literals.Step(e.box.Text(), e.box.At(), 1); ok && !e.IsText {
		pieces = append(pieces, paint.In(themes.Dim, "  ↑ ↓ change the number"))
	}
	return pieces
}

// shownBytes is the number of bytes of a value that are shown while it is typed.
const shownBytes = 16

// place returns the line and column of the error in the typed text, from 1; 0 for none.
func (e *Editor) place() (line, column int) {
	at := e.box.Fault
	if at < 0 || at > len(e.box.Text()) {
		return 0, 0
	}
	before := e.box.Text()[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// verdict returns the error or hint for the typed text.
func (e *Editor) verdict() (string, themes.Role) {
	var syntax *edit.SyntaxError
	var other *edit.TypeError
	switch {
	case e.err == nil:
		return e.Hint, themes.Dim
	case e.pointed() != "":
		return "✗ numbers are written with a point: tab makes it " + e.pointed(), themes.Error
	case errors.As(e.err, &syntax):
		if line, column := e.place(); e.Big && line > 0 {
			return fmt.Sprintf("✗ line %d, column %d: %s", line, column, syntax.Message), themes.Error
		}
		if what, _, ok := strings.Cut(e.Hint, ":"); ok && syntax.At == 0 && strings.IndexFunc(e.box.Text(), unicode.IsLetter) == 0 {
			return "✗ not " + what + ": " + syntax.Message, themes.Error
		}
		return "✗ " + syntax.Error(), themes.Error
	case errors.As(e.err, &other) && e.retype:
		return fmt.Sprintf("! enter again changes the type from %s to %s", other.Was, other.Is), themes.Warning
	case errors.As(e.err, &other):
		return fmt.Sprintf("! the type is %s, this is %s: enter asks whether to change it", other.Was, other.Is), themes.Warning
	}
	return "✗ " + e.err.Error(), themes.Error
}

// Hints implements Hinting.
func (e *Editor) Hints() []paint.Piece {
	does := "set"
	switch {
	case e.First:
		does = "next"
	case e.IsNew && !e.Big:
		does = "insert"
	}
	if e.retype {
		does = "change the type"
	}
	k, typed := action.Keys{Table: e.KeyMap.Table}, e.box.Text()
	choosing, completing := len(e.Choices) > 0, e.hasKeys()
	mayBeText := typed == "" || strings.Contains("\"&^", typed[:1]) || errors.As(e.err, new(*edit.SyntaxError))
	k.Typed(!e.Big, "enter", does)
	k.Add(e.Big, does, action.Save)
	k.Typed(true, "esc", "leave")
	k.Typed(e.Big, "enter", "new line")
	k.Add(e.Big, "editor", action.TypeOutside)
	k.Typed(choosing, "tab", "next name")
	k.Typed(!choosing && completing, "tab", "next value or key")
	k.Add(!choosing && !completing && e.IsText, "as a literal", action.AsText)
	k.Add(!choosing && !completing && !e.IsText && mayBeText, "as text", action.AsText)
	return paint.Keys(k.All)
}

// editorCommand returns the user's chosen editor: a command and its arguments.
func editorCommand() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(os.Getenv(name)); len(words) > 0 {
			return words
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi"}
}

// Outside opens the typed text in the user's editor, and takes over the result.
func (e *Editor) Outside() tea.Cmd {
	if e.Private {
		return e.Say("the file is encrypted: what is typed is not written to disk for another editor")
	}
	command, text := editorCommand(), e.box.Text()
	return e.Start(&e.checking, "opening an editor", func(context.Context, *model.Progress) func() tea.Cmd {
		path, err := writeTemporary(text)
		return func() tea.Cmd {
			if err != nil {
				return e.Say(fmt.Sprintf("no file for the editor can be written: %v", err))
			}
			cmd := exec.Command(command[0], append(command[1:], path)...)
			cmd.Stdin, cmd.Stdout = cmp.Or(e.Terminal, os.Stdin), cmp.Or(e.Screen, os.Stdout)
			return tea.ExecProcess(cmd, func(err error) tea.Msg { return e.cameBack(command[0], path, err) })
		}
	})
}

// writeTemporary writes text to a file that only the user can read.
func writeTemporary(text string) (path string, err error) {
	f, err := os.CreateTemp("", "varview-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// cameBack takes over what the external editor has left.
func (e *Editor) cameBack(name, path string, err error) tea.Msg {
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	os.Remove(path)
	if err == nil && len(text) > tooLong {
		err = errors.New("the text is too long")
	}
	return jobs.Result{Name: "taking over what was edited", Take: func() tea.Cmd {
		if err != nil {
			e.Say(fmt.Sprintf("nothing was taken from %s: %v", name, err))
			return tea.EnableMouseCellMotion
		}
		typed := strings.TrimSuffix(string(text), "\n")
		if strings.Contains(typed, "\n") {
			e.Big = true
		}
		e.box.Single = !e.Big
		if e.box.Set(typed); e.Big {
			e.box.ToStart()
		}
		return tea.Batch(tea.EnableMouseCellMotion, e.check())
	}}
}
