// Package tutor shows a tutorial below the window, whose steps the program checks.
package tutor

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// save is the save that the tutorial edits: save.txt in binary form.
//
//go:embed save.bin
var save []byte

// least is the number of lines that are left to a window above the tutorial.
const least = 10

// A Tutor is what is shown below the window.
type Tutor struct {
	*desk.Desk
	path  string // path of the tutorial's save; "" without one
	begun bool   // it has been on the desk
	at    int    // index of the current step; after the last one all are done
}

// Height returns the number of lines that are taken from a window; 0 for none.
func (t *Tutor) Height(window int) int {
	if t.path == "" {
		return 0
	}
	taken := 0
	for _, s := range steps { // the same for all, so that nothing moves
		taken = max(taken, 1+len(text.Wrap(s.say, t.Width-2)))
	}
	if window-taken < least {
		return 0
	}
	return taken
}

// Over returns the lines over the last ones of the panes, if there is no room below them: at most most.
func (t *Tutor) Over(window, most int) []string {
	if t.path == "" || t.Height(window) > 0 {
		return nil
	}
	_, lines := t.says()
	return lines[:min(len(lines), most)]
}

// WriteSave writes a save for the tutorial, and returns its path.
func WriteSave() (string, error) {
	folder, err := os.MkdirTemp("", "varview-tutor-*")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "slot1.sav")
	return path, os.WriteFile(path, save, 0o600)
}

// Begin begins the tutorial once its save at path is on the desk.
func (t *Tutor) Begin(path string) {
	t.End()
	t.path, t.begun, t.at, t.Practice = path, false, 0, path
}

// End ends the tutorial.
func (t *Tutor) End() {
	if t.path != "" {
		os.RemoveAll(filepath.Dir(t.path)) // the system cleans up this folder anyway
	}
	t.path = ""
}

// Follow advances while steps are done, and ends the tutorial once its save is left.
func (t *Tutor) Follow() {
	if t.path == "" {
		return
	}
	if here := t.Doc.Path() == t.path; !here {
		if t.begun {
			t.End()
		}
		return
	}
	for t.begun = true; t.at < len(steps) && steps[t.at].done(t); t.at++ {
	}
}

// View draws the lines below a window.
func (t *Tutor) View(window int) []string {
	head, lines := t.says()
	lines = append([]string{t.Styles.Line([]paint.Piece{paint.In(themes.Title, " "+head)}, t.Width)}, lines...)
	return text.Fill(lines, t.Width, t.Height(window))
}

// says returns what to do now, under a heading.
func (t *Tutor) says() (head string, lines []string) {
	head = "tutorial: all steps done"
	said := "Now your own saves. `?` lists all keys, `ctrl+p` finds everything by its name, `:tutor` begins again, `q` ends the tutorial."
	if t.at < len(steps) {
		head, said = fmt.Sprintf("tutorial: step %d of %d  %s", t.at+1, len(steps), strings.Repeat("●", t.at)+strings.Repeat("○", len(steps)-t.at)), steps[t.at].say
	}
	var pieces []paint.Piece
	typed := false
	for _, part := range text.Wrap(said, t.Width-2) {
		pieces, typed = keys(part, typed)
		lines = append(lines, t.Styles.Line(append([]paint.Piece{paint.Plain(" ")}, pieces...), t.Width))
	}
	return head, lines
}

// keys returns a line in which what is between backquotes is shown as typed, which may be from its beginning on or to its end.
func keys(line string, typed bool) (pieces []paint.Piece, stillTyped bool) {
	for i, part := range strings.Split(line, "`") {
		typed = typed != (i > 0)
		pieces = append(pieces, paint.In(map[bool]themes.Role{true: themes.Accent}[typed], part))
	}
	return pieces, typed
}

// A step says what to do, and knows when it is done.
type step struct {
	say  string
	done func(*Tutor) bool
}

// steps are the steps of the tutorial.
var steps = []step{
	{"The tree shows what the save holds, beside or below it are its bytes. `j` goes down, `k` up: go to `player`.", func(t *Tutor) bool { return t.cursor() == "$.player" }},
	{"`l` unfolds a value, and goes in: go to `hp` in `player`.", func(t *Tutor) bool { return t.cursor() == "$.player.hp" }},
	{"`h` goes out, and folds what is open: press it until `player` is folded.", (*Tutor).folded},
	{"`tab` goes to the bytes. There is one cursor: the bytes of the value are in brackets.", func(t *Tutor) bool { return t.Focus == desk.OnBytes }},
	{"`tab` goes back. `/` searches while you type: `/gold` and `enter`. `n` would go to the next hit.", func(t *Tutor) bool { return t.Focus == desk.OnTree && t.cursor() == "$.gold" }},
	{"`e` edits: make it `999`, then `enter`. Nothing is written to the file before you save.", func(t *Tutor) bool { return t.is("$.gold", "999") }},
	{"`•` marks what differs from the file. `u` undoes it, `ctrl+r` would redo it.", func(t *Tutor) bool { return t.is("$.gold", "50") }},
	{"Go to `slots`, unfold it, and duplicate a slot with `D`. `dd` would delete it.", func(t *Tutor) bool { return t.is("$.slots[6].wear", "") }},
	{"`t` shows `slots` as a table. There `l` goes right, `s` sorts, `&` filters, `esc` closes it.", (*Tutor).isInTable},
	{"Close the table with `esc`. Many at once: `:set ..qty=*2` and `enter`, then `y`.", func(t *Tutor) bool { return t.is("$.slots[6].qty", "10") }},
	{"`ctrl+s` saves. The old file stays beside it, as `slot1.sav~`.", (*Tutor).saved},
	{"`:diff ~` and `enter` shows what you have changed since; `esc` ends that.", (*Tutor).compares},
}

// cursor returns the path of the selected value.
func (t *Tutor) cursor() string {
	if n := t.Explorer.Subject(); n != nil {
		return t.Explorer.Path(n)
	}
	return ""
}

// compares reports whether what differs from another file is shown.
func (t *Tutor) compares() bool {
	d, _ := t.Explorer.Differing()
	return d != nil
}

// is reports whether the value at a path has a literal, or with "" whether there is one.
func (t *Tutor) is(path, literal string) bool {
	n, err := t.Explorer.Buffer.Resolve(path)
	if err != nil || literal == "" {
		return err == nil
	}
	now, err := t.Explorer.Literal(context.Background(), n)
	return err == nil && now == literal
}

// folded reports whether the first value is folded.
func (t *Tutor) folded() bool {
	rows, _ := t.Explorer.Rows(0)
	for _, r := range rows {
		if r.Label == "player" {
			return !r.Open
		}
	}
	return false
}

func (t *Tutor) saved() bool {
	_, err := os.Stat(t.path + "~")
	return err == nil && !t.Doc.IsModified()
}

// isInTable reports whether a table is open.
func (t *Tutor) isInTable() bool {
	x, ok := t.Dialogs.At(dialog.OverPanes).(dialog.Roomed)
	return ok && x.Room() == action.Sheet
}
