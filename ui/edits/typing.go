package edits

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/model/literals"
	"varview/model/table"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/jobs"
	"varview/ui/terminal"
)

// drawsColour is what Suits says of a colour.
const drawsColour = "draw"

// EditValue opens an editor on the selected value.
func (e *Values) EditValue() tea.Cmd {
	e.SetFocus(desk.OnTree)
	return with(e, e.subject, func(n *tree.Node) tea.Cmd {
		switch all, err := e.several(); {
		case err != nil:
			return e.Report(err)
		case all != nil:
			return e.EditThese(all)
		}
		return e.edit(n, "value", false, e.open)
	})
}

// EditThese asks for one value for several.
func (e *Values) EditThese(all []*tree.Node) tea.Cmd {
	p := dialog.NewPrompt(e, "value of "+span.Counted(int64(len(all)), "row")+": ", func(typed string) tea.Cmd { return e.SetThese(all, typed, nil) })
	p.Aside = func() (string, bool) { return "*2   +5   30   \"x\"   clamp(_, 0, 9)", false }
	return e.Open(p)
}

// EditOutside opens the selected value in the user's editor.
func (e *Values) EditOutside() tea.Cmd {
	return with(e, e.subject, func(n *tree.Node) tea.Cmd {
		return e.edit(n, "value", false, func(x *dialog.Editor) tea.Cmd { return tea.Batch(e.Open(x), x.Outside()) })
	})
}

// EditKey opens an editor on the key of the selected value.
func (e *Values) EditKey() tea.Cmd { return with(e, e.subject, e.editKey) }

func (e *Values) editKey(n *tree.Node) tea.Cmd {
	if n.Slot.Key {
		return e.edit(n, "key", false, e.open)
	}
	key := e.Explorer.KeyOf(n)
	if key == nil {
		return e.Say("this has no key or name to change")
	}
	return e.edit(key, "key", true, func(x *dialog.Editor) tea.Cmd {
		enter := x.Enter
		x.Enter = func(literal string, retype bool) tea.Cmd {
			all := e.Explorer.KeysLike(n)
			if was, err := e.Explorer.Literal(context.Background(), key); len(all) < 2 || err == nil && literal == was {
				return enter(literal, retype)
			}
			return e.Ask("rename it in all "+span.Counted(int64(len(all)), "record")+"?", "nothing was changed",
				dialog.Answer{Key: "y", Does: "in all", Run: func() tea.Cmd { e.Close(x); return e.SetThese(all, literal, nil) }},
				dialog.Answer{Key: "n", Does: "only here", Run: func() tea.Cmd { return enter(literal, retype) }})
		}
		return e.Open(x)
	})
}

// open opens an editor.
func (e *Values) open(x *dialog.Editor) tea.Cmd { return e.Open(x) }

// edit makes an editor on a value or a key, and calls open with it. inRow says whether a key is typed in
// the row of its value.
func (e *Values) edit(n *tree.Node, what string, inRow bool, open func(*dialog.Editor) tea.Cmd) tea.Cmd {
	x := e.Explorer
	var against error
	return e.work(jobs.Then(e.Failed, func(ctx context.Context, _ *model.Progress) (string, error) {
		literal, err := x.Literal(ctx, n)
		if err == nil {
			against = quickly(ctx, func(ctx context.Context) error {
				_, err := x.Try(ctx, n, literal, edit.Options{Retype: true, Orphans: edit.Undefined})
				return err
			})
		}
		return literal, err
	}, func(literal string) tea.Cmd {
		editor, err := e.editorOf(n, what, literal, against)
		if err != nil {
			return e.Failed(err)
		}
		editor.IsKey = inRow && !editor.Big
		editor.SelectAll()
		return open(editor)
	}))
}

// quickly returns the error of a check. A check that takes too long returns nil; the edit itself then
// finds out.
func quickly(ctx context.Context, check func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	err := check(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil
	}
	return err
}

// leftOut is the literal of a struct member that is not stored in the file.
const leftOut = "default"

// editorOf returns an editor on a value or a key with its literal. against is the error of setting that
// literal again.
func (e *Values) editorOf(n *tree.Node, what, literal string, against error) (*dialog.Editor, error) {
	x := e.newEditor(what, literal)
	x.Hint = e.Explorer.HintAt(n, literal, x.IsText)
	if _, draws := e.Explorer.Suits(); draws == drawsColour {
		x.Hint = "esc " + e.Actions.Hint("", action.Draw).Key + " has sliders; " + x.Hint
	}
	var syntax *edit.SyntaxError
	switch {
	case errors.As(against, &syntax): // of a damaged value
		x.IsText = false
		x.Fill("")
	case against != nil:
		return nil, against
	case literal == leftOut && n.Start == n.End:
		x.Fill("")
		x.Hint = "not stored in the file; a value typed here will be, default leaves it out"
	}
	explorer := e.Explorer
	if c, ok := explorer.Buffer.Tree().Reading.(tree.Described); ok {
		x.Choices = c.Choices(&n.Value)
	} else if literal == "true" || literal == "false" {
		x.Choices = []string{"true", "false"}
	}
	x.Check = func(ctx context.Context, typed string) (*model.Tried, error) {
		literal, err := explorer.Calculate(n, typed)
		if err != nil {
			return nil, err
		}
		return explorer.Try(ctx, n, literal, edit.Options{})
	}
	x.Enter = func(typed string, retype bool) tea.Cmd {
		literal, err := explorer.Calculate(n, typed)
		if err != nil {
			x.Refuse(err)
			return nil
		}
		return e.MakeTyped(x, e.setting(n, literal, retype))
	}
	return x, nil
}

// setting returns the change of a value to a literal. It can be repeated with the selected value, or its key.
func (e *Values) setting(n *tree.Node, literal string, retype bool) Request {
	r, isKey := Request{Intention: e.Explorer.Set(n, literal)}, n.Slot.Key
	r.Options.Retype = retype
	r.Again = func() tea.Cmd {
		n, err := e.subject()
		if err == nil && isKey && !n.Slot.Key {
			n = e.Explorer.KeyOf(n)
		}
		if err != nil || n == nil {
			return e.Report(cmp.Or(err, errors.New("this has no key")))
		}
		return e.setAsking(n, literal, retype)
	}
	return r
}

func (e *Values) newEditor(what, literal string) *dialog.Editor {
	x := dialog.NewEditor(e, e.Actions.KeyMap(action.Editor), what, literal)
	x.Describe = e.Explorer.Describe
	x.Terminal, x.Screen, x.Keys = e.Keys, e.Screen, e.Explorer.KeysAround
	x.Private, x.InText = e.Doc.IsEncrypted(), e.ShowsText()
	return x
}

// MakeTyped makes an edit that was typed in an editor, and closes the editor. If the edit cannot be made,
// the editor shows why.
func (e *Values) MakeTyped(x *dialog.Editor, r Request) tea.Cmd {
	done := r.Done
	if x.Saves {
		r.Then = action.Save
	}
	r.Done = func() {
		e.Close(x)
		if done != nil {
			done()
		}
	}
	r.Refused = func(err error) bool {
		if dialog.Find[*dialog.Editor](e.Dialogs) != x {
			return false
		}
		x.Refuse(err)
		return true
	}
	return e.Make(r)
}

// A clip is the values that were last copied, and their document.
type clip struct {
	all      []explore.Clip
	doc      *model.Document // nil if nothing was copied
	prefixed bool            // its literal has datatypes before its numbers
}

// Copy copies the selected values, and puts their literals on the terminal's clipboard.
func (e *Values) Copy() tea.Cmd { return e.copy(func([]*tree.Node) tea.Cmd { return nil }) }

// CopyAs asks in which form the selected value is put on the terminal's clipboard.
func (e *Values) CopyAs() tea.Cmd {
	n, x := e.Value(), e.Explorer
	if n == nil {
		return e.Say("there is no value here to copy")
	}
	script := func(ctx context.Context, n *tree.Node) (string, error) {
		literal, err := x.Literal(ctx, n)
		return literals.GDScript(literal, x.Buffer.Document().Hints().Prefixed), err
	}
	rows := func(write table.Form) func(context.Context, *tree.Node) (string, error) {
		return func(ctx context.Context, n *tree.Node) (string, error) {
			t, _, err := x.Table(ctx, n)
			if err != nil {
				return "", err
			}
			return RowsAs(ctx, write, t, table.All(t.Count(t.NewReader())), nil)
		}
	}
	whole := func(key, does string, form func(context.Context, *tree.Node) (string, error)) dialog.Answer {
		return dialog.Answer{Key: key, Does: does, Run: func() tea.Cmd { return e.CopyWhole("the "+does, form, n) }}
	}
	answers := []dialog.Answer{{Key: "p", Does: "path", Run: func() tea.Cmd { return e.CopyText("the path", x.Path(n)) }},
		whole("l", "literal", x.Literal), whole("j", "JSON", x.JSON), whole("g", "GDScript", script)}
	if n.Layout != tree.Leaf || n.Depth > 1 {
		answers = append(answers, whole("m", "Markdown", rows(table.Forms[".md"])), whole("c", "CSV", rows(table.Forms[".csv"])))
	}
	return e.AskWhich("copy", "nothing was copied", answers...)
}

// RowsAs returns rows of a table in a form, to be copied.
func RowsAs(ctx context.Context, write table.Form, t *table.Table, v *table.View, columns []int) (string, error) {
	var out literals.Short
	err := write(t, ctx, v, columns, &out)
	if errors.Is(err, literals.ErrLong) {
		err = errors.New("the table is too long to be copied: :export writes it")
	}
	return out.String(), err
}

// Cut copies the selected values and deletes them.
func (e *Values) Cut() tea.Cmd {
	if _, err := e.subject(); err != nil && !errors.Is(err, errOnlyBytes) {
		return e.Report(err)
	}
	return e.copy(e.DeleteThese)
}

// Delete deletes the selected values. They can be pasted, but are not put on the terminal's clipboard.
func (e *Values) Delete() tea.Cmd {
	return with(e, e.chosen, func(all []*tree.Node) tea.Cmd {
		failed := func(err error) tea.Cmd {
			if errors.Is(err, context.Canceled) {
				return e.Failed(err)
			}
			return e.DeleteThese(all) // what is too damaged to be copied
		}
		return e.clipped(all, failed, func([]explore.Clip) tea.Cmd { return e.DeleteThese(all) })
	})
}

// copy copies the selected values, and calls then with them.
func (e *Values) copy(then func([]*tree.Node) tea.Cmd) tea.Cmd {
	n, err := e.Value(), e.Busy()
	if n == nil {
		err = cmp.Or(err, errors.New("there is no value here to copy"))
	}
	all, err := e.chosenOr(n, err)
	if err != nil {
		return e.Report(err)
	}
	x := e.Explorer
	return e.clipped(all, e.Failed, func(copies []explore.Clip) tea.Cmd {
		what, text := x.Path(all[0]), copies[0].Literal
		if len(all) > 1 {
			var pairs [][2]string // keys and literals
			for _, c := range copies {
				pairs = append(pairs, [2]string{c.Key, c.Literal})
			}
			what, text = span.Counted(int64(len(all)), "value"), literals.List(copies[0].Key != "", pairs)
		}
		if text == "" {
			return tea.Batch(e.Say("copied "+what+tooLong), then(all))
		}
		return tea.Batch(e.CopyText(what, text), then(all))
	})
}

// clipped makes values what is pasted next, and calls then with the copies.
func (e *Values) clipped(all []*tree.Node, failed func(error) tea.Cmd, then func([]explore.Clip) tea.Cmd) tea.Cmd {
	x := e.Explorer
	return e.work(jobs.Then(failed, func(ctx context.Context, _ *model.Progress) (copies []explore.Clip, err error) {
		for i := 0; err == nil && i < len(all); i++ {
			var c explore.Clip
			c, err = x.Copy(ctx, all[i])
			copies = append(copies, c)
		}
		return copies, err
	}, func(copies []explore.Clip) tea.Cmd {
		e.clip = clip{copies, e.Doc, e.Doc.Hints().Prefixed}
		return then(copies)
	}))
}

// tooLong says why something is not on the clipboard.
const tooLong = "; as text it is too long for the clipboard of the terminal"

// CopyText puts text on the terminal's clipboard, and shows a message.
func (e *Values) CopyText(what, text string) tea.Cmd {
	if len(text) > terminal.MaxClipboard {
		return e.Say("copied " + what + tooLong)
	}
	e.Say("copied " + what)
	if e.ToClipboard == nil {
		return nil
	}
	return e.ToClipboard(text)
}

// CopyWhole puts a form of a whole value on the terminal's clipboard.
func (e *Values) CopyWhole(what string, form func(context.Context, *tree.Node) (string, error), n *tree.Node) tea.Cmd {
	return e.work(jobs.Then(e.Failed, func(ctx context.Context, _ *model.Progress) (string, error) { return form(ctx, n) },
		func(text string) tea.Cmd { return e.CopyText(what, text) }))
}

// Paste puts the copied value after the selected one, or before it. It asks for a key if the value has
// none, or if its key already exists.
func (e *Values) Paste(before bool) tea.Cmd {
	g, err := e.gapHere(before)
	if err = cmp.Or(e.cannotPaste(), err); err != nil {
		return e.Report(err)
	}
	if all := e.clip.all; len(all) > 1 {
		return e.Make(Request{Intention: e.Explorer.PasteThese(all, g.parent, g.index)})
	}
	c, doc, lost, plainly := e.clip.all[0], e.clip.doc, false, false
	plain := literals.Plain(c.Literal)
	if prefixed := e.Doc.Hints().Prefixed; doc != e.Doc && e.clip.prefixed != prefixed {
		c.Literal, lost = literals.Translate(c.Literal, prefixed)
	}
	pasting := func(key string) Request {
		in := e.Explorer.Paste(c, g.parent, g.index, key)
		if doc != e.Doc {
			in = either(e.Explorer.Insert(g.parent, g.index, key, c.Literal), e.Explorer.Insert(g.parent, g.index, key, plain), &plainly)
		}
		return Request{Intention: in, Again: func() tea.Cmd { return e.Paste(before) }, Done: func() {
			if plainly {
				e.Say("pasted as " + text.Head(plain, 60) + ", as there is no type for it here; u undoes it")
			} else if lost {
				e.Say("pasted without the datatypes of its numbers, which this format does not have; u undoes it")
			}
		}}
	}
	if g.parent.Layout != tree.Pairs {
		return e.Make(pasting(""))
	}
	typed := func(x *dialog.Editor, _ string) {
		x.Enter = func(key string, _ bool) tea.Cmd { return e.MakeTyped(x, pasting(key)) }
	}
	if c.Key == "" {
		return e.askKey(g, typed)
	}
	r := pasting(c.Key)
	r.Refused = func(err error) bool {
		if !errors.Is(err, edit.ErrTaken) {
			return false
		}
		x := e.keyEditor(g, c.Key)
		typed(x, "")
		x.Fill(c.Key)
		x.SetError(fmt.Errorf("another key, or esc and %s to set that value: %w", e.Actions.Hint("", action.Edit).Key, err))
		e.Open(x)
		return true
	}
	return e.Make(r)
}

// cannotPaste says why nothing, or not what was copied, can be pasted here.
func (e *Values) cannotPaste() error {
	switch c := &e.clip; {
	case c.doc == nil:
		return errors.New("nothing was copied yet: y copies the selected value, x cuts it out")
	case c.doc != e.Doc && len(c.all) > 1:
		return errors.New("several values can be pasted into the file that they are from; copy the value around them")
	case c.doc != e.Doc && c.all[0].Literal == "":
		return errors.New("the copy is from another file, and too long to keep as text")
	}
	return nil
}

// either returns an intention that does what another one would if that cannot be done, and says so.
func either(in, other model.Intention, isOther *bool) model.Intention {
	do := in.Do
	in.Do = func(ctx context.Context, t *model.Transaction) (model.Cursor, error) {
		after, err := do(ctx, t)
		if err == nil || errors.Is(err, edit.ErrTaken) {
			return after, err
		}
		at, otherwise := other.Do(ctx, t)
		if otherwise != nil {
			return after, err
		}
		*isOther = true
		return at, nil
	}
	return in
}
