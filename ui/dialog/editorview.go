package dialog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/literals"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/jobs"
	"varview/ui/paint"
	"varview/ui/textbox"
)

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
	_, height, _ := lines(e, all)
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
	return append(l.All, l.Framing(e.info(inner))...)
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
	return []string{e.Paints().Line(first, width, false), e.Paints().Line(append([]paint.Piece{paint.Plain(" ")}, e.second(role, second)...), width, false)}
}

// second returns what the value would become: a swatch, its bytes and its length. While that is unknown,
// it returns said.
func (e *Editor) second(role themes.Role, said string) []paint.Piece {
	t := e.tried
	if t == nil || e.err != nil {
		return []paint.Piece{paint.In(role, said)}
	}
	pieces := []paint.Piece{paint.In(themes.Changed, paint.Bytes(t.Bytes, span.Span{Length: t.Size}, shownBytes)), paint.In(themes.Dim, "  "+span.Bytes(t.Size))}
	if t.By != 0 {
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
	keys := []key.Help{{Key: "enter", Desc: does}, {Key: "esc", Desc: "leave"}}
	if e.Big {
		keys[0] = e.KeyMap.Hint(does, action.Save)
		keys = append(keys, key.Help{Key: "enter", Desc: "new line"}, e.KeyMap.Hint("editor", action.TypeOutside))
	}
	switch typed := e.box.Text(); {
	case len(e.Choices) > 0:
		keys = append(keys, key.Help{Key: "tab", Desc: "next name"})
	case e.hasKeys():
		keys = append(keys, key.Help{Key: "tab", Desc: "complete a key"})
	case e.IsText:
		keys = append(keys, e.KeyMap.Hint("as a literal", action.AsText))
	case typed == "", strings.Contains("\"&^", typed[:1]):
		keys = append(keys, e.KeyMap.Hint("as text", action.AsText))
	}
	return paint.Keys(keys)
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
			if cmd.Stdin = os.Stdin; e.Terminal != nil {
				cmd.Stdin = e.Terminal
			}
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
