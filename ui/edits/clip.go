package edits

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model"
	"varview/model/explore"
	"varview/model/literals"
	"varview/ui/dialog"
	"varview/ui/terminal"
)

// A clip is the value that was last copied, and its document.
type clip struct {
	explore.Clip
	doc      *model.Document // nil if nothing was copied
	prefixed bool            // its literal has the datatypes of numbers before them
}

// Copy copies the selected value, and puts its literal on the terminal's clipboard.
func (e *Values) Copy() tea.Cmd { return e.copy(func(*tree.Node) tea.Cmd { return nil }) }

// Cut copies the selected value and deletes it.
func (e *Values) Cut() tea.Cmd {
	if _, err := e.subject(); err != nil && !errors.Is(err, errOnlyBytes) {
		e.Report(err)
		return nil
	}
	return e.copy(e.delete)
}

// copy copies the selected value, and calls then with it.
func (e *Values) copy(then func(*tree.Node) tea.Cmd) tea.Cmd {
	n, err := e.Value(), e.Busy()
	switch {
	case err != nil:
	case n == nil:
		err = errors.New("there is no value here to copy")
	default:
		n, err = e.entryOf(n)
	}
	if err != nil {
		e.Report(err)
		return nil
	}
	x := e.Explorer
	return e.work(func(ctx context.Context) func() tea.Cmd {
		c, err := x.Copy(ctx, n)
		return func() tea.Cmd {
			if err != nil {
				return e.failed(err)
			}
			return tea.Batch(e.copied(c, x.Path(n)), then(n))
		}
	})
}

// copied keeps a copy, and says so.
func (e *Values) copied(c explore.Clip, path string) tea.Cmd {
	e.clip = clip{c, e.Doc, e.Doc.Hints().Prefixed}
	if c.Literal == "" {
		e.Say("copied " + path + tooLong)
		return nil
	}
	return e.CopyText(path, c.Literal)
}

// tooLong says why something is not on the clipboard.
const tooLong = "; as text it is too long for the clipboard of the terminal"

// CopyText puts text on the terminal's clipboard, and says what it is.
func (e *Values) CopyText(what, text string) tea.Cmd {
	if len(text) > terminal.MaxClipboard {
		e.Say("copied " + what + tooLong)
		return nil
	}
	e.Say("copied " + what)
	if e.ToClipboard == nil {
		return nil
	}
	return e.ToClipboard(text)
}

// CopyWhole puts a form of a value on the terminal's clipboard, worked out as a whole.
func (e *Values) CopyWhole(what string, form func(context.Context, *tree.Node) (string, error), n *tree.Node) tea.Cmd {
	return e.work(func(ctx context.Context) func() tea.Cmd {
		text, err := form(ctx, n)
		return func() tea.Cmd {
			if err != nil {
				return e.failed(err)
			}
			return e.CopyText(what, text)
		}
	})
}

// Paste puts the copied value after the selected one, or before it. It asks for a key
// where the value has none, or where its key exists already.
func (e *Values) Paste(before bool) tea.Cmd {
	g, err := e.gapHere(before)
	switch {
	case e.clip.doc == nil:
		err = errors.New("nothing was copied yet: y copies the selected value, x cuts it out")
	case err == nil && e.clip.doc != e.Doc && e.clip.Literal == "":
		err = errors.New("the copy is from another file, and too long to keep as text")
	}
	if err != nil {
		e.Report(err)
		return nil
	}
	c, lost := e.clip, false
	if prefixed := e.Doc.Hints().Prefixed; c.doc != e.Doc && c.prefixed != prefixed {
		c.Literal, lost = literals.Translate(c.Literal, prefixed)
	}
	pasting := func(key string) Request {
		return Request{Intend: func(o edit.Options) model.Intention {
			if c.doc != e.Doc {
				return e.Explorer.Insert(g.parent, g.index, key, c.Literal, o)
			}
			return e.Explorer.Paste(c.Clip, g.parent, g.index, key, o)
		}, Again: func() tea.Cmd { return e.Paste(before) }, Done: func() {
			if lost {
				e.Say("pasted without the datatypes of its numbers, which this format does not have; u undoes it")
			}
		}}
	}
	if g.parent.Layout != tree.Pairs {
		return e.Make(pasting(""))
	}
	keyEditor := func(like string) *dialog.Editor {
		x := e.keyEditor(g, like)
		x.Enter = func(key string, _ bool) tea.Cmd { return e.MakeTyped(x, pasting(key)) }
		return x
	}
	if c.Key == "" {
		return e.keyLike(g, func(like string) tea.Cmd { return e.Open(keyEditor(like)) })
	}
	r := pasting(c.Key)
	r.Refused = func(err error) bool {
		x := keyEditor(c.Key)
		x.Fill(c.Key)
		x.SetError(fmt.Errorf("%w; another key?", err))
		e.Open(x)
		return true
	}
	return e.Make(r)
}
