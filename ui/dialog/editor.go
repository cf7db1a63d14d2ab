package dialog

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/explore"
	"varview/model/literals"
	"varview/ui/action"
	"varview/ui/jobs"
	"varview/ui/textbox"
)

// An Editor is where a value or a key is typed: in its row, in a new row, or over the panes.
type Editor struct {
	Context
	KeyMap action.KeyMap
	What   string // what is typed: "value", "key"
	Where  string // path of what is typed; "" for that of the selected value
	Hint   string // what can be typed
	Big    bool   // it is over the panes
	IsKey  bool   // it replaces the row's name
	IsNew  bool   // it has a row of its own below the selected one, or above it
	Above  bool   //
	Deep   bool   // the new value is a child of the selected one
	First  bool   // the value of this key is typed afterwards

	Inspected bool   // it is in the inspector
	Key       string // key of a new value that was typed before

	Private bool // what is typed must not be written to disk

	IsText bool // the typed text is text without quotes

	// Terminal is read by an external editor; nil for standard input.
	Terminal *os.File

	// Describe describes the selected value.
	Describe func(limit int) explore.Description
	// Check returns what is wrong with the typed literal; nil if nothing can be checked before enter.
	Check func(ctx context.Context, literal string) error
	// Try works out what the value would become if the typed literal is valid; nil if that is not shown.
	Try func(ctx context.Context, literal string) *explore.Tried
	// Choices are the names to which the value can be set.
	Choices []string
	// Keys returns the keys that values like this one have; nil if none are known.
	Keys func() []string
	// Enter takes the literal.
	Enter func(literal string, retype bool) tea.Cmd

	box      textbox.Box
	stem     string // what was typed before a choice replaced it
	mark     string // & or ^ before the quotes of its literal
	retype   bool   // the type may change, since the user was asked
	err      error  // why the typed text cannot be taken
	tried    *explore.Tried
	checking jobs.Job
}

const (
	inRow   = 400     // length in bytes up to which a literal is edited in its row
	inLine  = 40      // the same for a container
	tooLong = 1 << 20 // limit of the typed text in bytes
)

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

// Begin starts with the literal of a container, one line per element, for a value that does not exist
// yet.
func (e *Editor) Begin(literal string) {
	e.Big = true
	e.Fill(literal)
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

// literal returns the typed text as a literal.
func (e *Editor) literal() string {
	if e.IsText {
		return literals.Quote(e.mark, e.box.Text())
	}
	return strings.TrimSpace(e.box.Text())
}

// Place implements Dialog.
func (e *Editor) Place() Place {
	if e.Big {
		place, _, _ := lines(e, all)
		return place
	}
	return InPane
}

// Taken implements Low.
func (e *Editor) Taken() int {
	if !e.Big {
		return 0
	}
	return LinesBelow(e, all)
}

// Beside implements Accompanied.
func (e *Editor) Beside() *tree.Node { return nil }

const all = 1 << 20 // lines: an editor below the panes gets as many as there are for dialogs

// TakesText implements Typed.
func (e *Editor) TakesText() {}

// Update implements Dialog.
func (e *Editor) Update(msg tea.KeyMsg) tea.Cmd {
	a := e.KeyMap.Of(msg)
	switch {
	case msg.Type == tea.KeyEsc:
		e.checking.Stop()
		e.Close(e)
		return nil
	case msg.Type == tea.KeyEnter && !e.Big, a == action.Save:
		e.checking.Stop()
		return e.Enter(e.literal(), e.retype)
	case a == action.TypeOutside:
		return e.Outside()
	case msg.Type == tea.KeyTab && len(e.Choices) > 0:
		e.choose(e.Choices, 0)
		return e.check()
	case msg.Type == tea.KeyTab && e.hasKeys():
		if from := literals.KeyBefore(e.box.Text(), e.box.At()); from >= 0 {
			e.choose(e.Keys(), from)
		}
		return e.check()
	case a == action.AsText:
		e.switchText()
		return e.check()
	}
	if by := steps[action.NameOf(msg)]; by != 0 && !e.Big && !e.IsText {
		if stepped, at, ok := literals.Step(e.box.Text(), e.box.At(), by); ok {
			e.box.Set(stepped)
			e.box.GoTo(at)
			return e.check()
		}
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

// steps are the keys that change the number at the cursor.
var steps = map[string]int{"up": 1, "down": -1, "shift+up": 10, "shift+down": -10}

// hasKeys reports whether keys are typed.
func (e *Editor) hasKeys() bool {
	return !e.IsText && e.Keys != nil && (e.Big || literals.IsContainer(e.box.Text()))
}

// choose types the next of several names that begins with what was typed since a byte.
func (e *Editor) choose(all []string, from int) {
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
			return
		}
	}
}

// bare returns a key without what precedes its first character.
func bare(key string) string { return strings.TrimLeft(key, `&^"`) }

// Tried returns what the value would become with the typed literal; nil while unknown.
func (e *Editor) Tried() *explore.Tried { return e.tried }

// switchText turns a text into its literal, or a literal into its text.
func (e *Editor) switchText() {
	literal := e.literal()
	if !e.IsText {
		mark, _, ok := literals.Unquote(literal)
		switch {
		case ok:
			e.mark, e.IsText = mark, true
		case literal == "":
			e.mark, e.IsText = "", true
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
		err, tried := e.Check(ctx, literal), (*explore.Tried)(nil)
		if err == nil && e.Try != nil {
			tried = e.Try(ctx, literal)
		}
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
		e.box.Fault = e.blanks() + syntax.At
	}
}

// blanks returns the number of leading blanks in the typed text, which its literal does not have.
func (e *Editor) blanks() int {
	text := e.box.Text()
	return len(text) - len(strings.TrimLeft(text, " \t\n"))
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
