package edits

import (
	"cmp"
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/explore"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
)

// EditValue opens an editor on the selected value.
func (e *Values) EditValue() tea.Cmd {
	e.SetFocus(desk.OnTree)
	n, err := e.subject()
	if err != nil {
		return e.refuse(err, e.EditValue)
	}
	if all := e.Explorer.Chosen(); len(all) > 1 {
		return e.EditThese(all)
	}
	return e.edit(n, "value", false, e.open)
}

// EditThese asks for one value for several.
func (e *Values) EditThese(all []*tree.Node) tea.Cmd {
	p := dialog.NewPrompt(e, "value of "+span.Counted(int64(len(all)), "row")+": ", func(typed string) tea.Cmd { return e.SetThese(all, typed, nil) })
	p.Aside = func() (string, bool) { return "*2   +5   30   \"x\"   clamp(_, 0, 9)", false }
	return e.Open(p)
}

// EditOutside opens the selected value in the user's editor.
func (e *Values) EditOutside() tea.Cmd {
	n, err := e.subject()
	if err != nil {
		return e.refuse(err, e.EditOutside)
	}
	return e.edit(n, "value", false, func(x *dialog.Editor) tea.Cmd { return tea.Batch(e.Open(x), x.Outside()) })
}

// EditKey opens an editor on the key of the selected value.
func (e *Values) EditKey() tea.Cmd {
	n, err := e.subject()
	if err != nil {
		return e.refuse(err, e.EditKey)
	}
	if n.Slot.Key {
		return e.edit(n, "key", false, e.open)
	}
	key := e.Explorer.KeyOf(n)
	if key == nil {
		return e.Say("this has no key or name to change")
	}
	return e.edit(key, "key", true, e.open)
}

// open opens an editor.
func (e *Values) open(x *dialog.Editor) tea.Cmd { return e.Open(x) }

// edit makes an editor on a value or a key, and calls open with it. inRow says whether a key is typed in
// the row of its value.
func (e *Values) edit(n *tree.Node, what string, inRow bool, open func(*dialog.Editor) tea.Cmd) tea.Cmd {
	x := e.Explorer
	return e.work(func(ctx context.Context) func() tea.Cmd {
		literal, err := x.Literal(ctx, n)
		var against error
		if err == nil {
			against = quickly(ctx, func(ctx context.Context) error {
				return x.Check(ctx, n, literal, edit.Options{Retype: true, Orphans: edit.Undefined})
			})
		}
		return func() tea.Cmd {
			if err != nil {
				return e.failed(err)
			}
			editor, err := e.editorOf(n, what, literal, against)
			if err != nil {
				return e.failed(err)
			}
			editor.IsKey = inRow && !editor.Big
			editor.SelectAll()
			return open(editor)
		}
	})
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

// failed reports why nothing was changed.
func (e *Values) failed(err error) tea.Cmd {
	if errors.Is(err, context.Canceled) {
		err = nil
		e.Say("stopped; nothing was changed")
	}
	return e.Report(err)
}

// leftOut is the literal of a struct member that is not stored in the file.
const leftOut = "default"

// editorOf returns an editor on a value or a key with its literal. against is the error of setting that
// literal again.
func (e *Values) editorOf(n *tree.Node, what, literal string, against error) (*dialog.Editor, error) {
	x := e.newEditor(what, literal)
	x.Hint = e.Explorer.HintAt(literal, x.IsText)
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
	if c, ok := explorer.Buffer.Tree().Reading.(tree.Chooser); ok {
		x.Choices = c.Choices(&n.Value)
	}
	x.Check = func(ctx context.Context, typed string) error {
		literal, err := explorer.Calculate(n, typed)
		if err != nil {
			return err
		}
		return explorer.Check(ctx, n, literal, edit.Options{})
	}
	x.Try = func(ctx context.Context, typed string) *explore.Tried {
		literal, err := explorer.Calculate(n, typed)
		if err != nil {
			return nil
		}
		tried, _ := explorer.Try(ctx, n, literal, edit.Options{})
		return tried
	}
	x.Enter = func(typed string, retype bool) tea.Cmd {
		literal, err := explorer.Calculate(n, typed)
		if err != nil {
			x.Refuse(err)
			return nil
		}
		return e.MakeTyped(x, Request{
			Intend:  func(o edit.Options) model.Intention { return e.Explorer.Set(n, literal, o) },
			Options: edit.Options{Retype: retype},
			Again:   e.settingAgain(n.Slot.Key, literal, retype),
		})
	}
	return x, nil
}

// settingAgain returns a function that sets the selected value, or its key, to a literal.
func (e *Values) settingAgain(isKey bool, literal string, retype bool) func() tea.Cmd {
	return func() tea.Cmd {
		n, err := e.subject()
		if err == nil && isKey && !n.Slot.Key {
			n = e.Explorer.KeyOf(n)
		}
		if err != nil || n == nil {
			return e.Report(cmp.Or(err, errors.New("this has no key")))
		}
		return e.setAsking(n, literal, retype)
	}
}

func (e *Values) newEditor(what, literal string) *dialog.Editor {
	x := dialog.NewEditor(e, e.Actions.KeyMap(action.Editor), what, literal)
	x.Describe = e.Explorer.Describe
	x.Terminal, x.Keys = e.Keys, e.Explorer.KeysAround
	x.Private = e.Doc.IsEncrypted()
	return x
}

// MakeTyped makes an edit that was typed in an editor, and closes the editor. If the edit cannot be made,
// the editor shows why.
func (e *Values) MakeTyped(x *dialog.Editor, r Request) tea.Cmd {
	done := r.Done
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
