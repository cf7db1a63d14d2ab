package problems

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/ui/dialog"
	"varview/ui/edits"
)

// A preview is what a repair would change.
type preview struct {
	ready   bool
	changes []model.ByteChange
	drops   string
	err     error
}

// previewed identifies the subject of a preview.
type previewed struct {
	all       *List
	at, cause int
}

// previewDelay is how long a problem must be selected before its repair is worked out,
// so that moving through a list costs nothing.
const previewDelay = 40 * time.Millisecond

// startPreview works out in the background what the repair of the selected problem would change, unless
// that is known.
func (p *Pane) startPreview() tea.Cmd {
	b, f, ok := p.shownCause()
	is := previewed{p.all, -1, p.cause}
	if ok {
		is.at = p.shown[p.at]
	}
	if is == p.previewed {
		return nil
	}
	p.Preview.Stop()
	p.previewed, p.preview = is, preview{}
	if !ok || f.Repair == "" || f.As != "" || p.all.unconfirmed[b] {
		p.preview.ready = true
		return nil
	}
	doc, intention, wait := p.Doc, p.Explorer.Repair(f), p.Delay
	return p.Start(&p.Preview, "working out a repair", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		v := newPreview(ctx, doc, b, intention)
		return func() tea.Cmd {
			p.preview = v
			return nil
		}
	})
}

func newPreview(ctx context.Context, doc *model.Document, b *model.Buffer, in model.Intention) preview {
	v := preview{ready: true}
	p, err := doc.Prepare(ctx, b, in)
	if err == nil {
		v.changes, err = p.Preview()
		v.drops = p.Loss()
	}
	v.err = err
	return v
}

// repair repairs the selected problem, with the shown cause.
func (p *Pane) repair() tea.Cmd {
	b, f, ok := p.shownCause()
	switch {
	case !ok:
		return nil
	case p.all.unconfirmed[b]:
		return p.Say(stillChecking)
	case f.Repair == "":
		return p.Say("no repair is known; enter goes there, to edit it")
	case f.As != "":
		return p.Say(readFirst(&f))
	}
	p.ShowBuffer(b)
	r := edits.Request{Intend: func(edit.Options) model.Intention { return p.Explorer.Repair(f) }}
	r.Ask = func(prepared *model.Prepared) bool {
		drops := prepared.Loss()
		if drops == "" {
			return false
		}
		return p.askRepair(r, "repair it, and lose "+drops+"?")
	}
	return p.Edits.Make(r)
}

// readFirst says how a cause in another dialect can be repaired.
func readFirst(f *diagnose.Diagnosis) string {
	return "to repair this, first read the file so: :as " + f.As
}

// stillChecking is the message if a repair has to wait for the check.
const stillChecking = "still checking: what is listed can be repaired once the check confirms it"

// repairAll repairs all shown problems in the buffer of the selected one.
func (p *Pane) repairAll() tea.Cmd {
	f, ok := p.Selected()
	if !ok {
		return nil
	}
	if p.all.unconfirmed[f.Buffer] {
		return p.Say(stillChecking)
	}
	b, hidden, all := f.Buffer, p.hidden, 0
	for _, i := range p.shown {
		if p.all.All[i].Buffer == b {
			all++
		}
	}
	only := func(f *diagnose.Diagnosis) bool { return !hidden[f.Severity] && !f.Guess }
	list, _ := b.Problems()
	n := len(b.Together(list, only))
	if n == 0 {
		return p.Say("no repair is known for any of these")
	}
	p.ShowBuffer(b)
	r := edits.Request{Intend: func(edit.Options) model.Intention {
		return p.Explorer.RepairAll(b, only)
	}}
	r.Ask = func(prepared *model.Prepared) bool {
		text := fmt.Sprintf("repair %s of %s?", span.Grouped(int64(n)), span.Grouped(int64(all)))
		if n == all {
			text = fmt.Sprintf("repair all %s?", span.Grouped(int64(n)))
		}
		if n == 1 && all == 1 {
			text = "repair it?"
		}
		if drops := prepared.Loss(); drops != "" {
			text += " This loses " + drops + "."
		} else {
			text += " Nothing that can be read is lost."
		}
		return p.askRepair(r, text)
	}
	return p.Edits.Make(r)
}

// askRepair asks before a repair is made.
func (p *Pane) askRepair(r edits.Request, text string) (asked bool) {
	p.Ask(text, "nothing was changed", dialog.Answer{Key: "y", Does: "repair", Run: func() tea.Cmd {
		r.Ask = nil
		return p.Edits.Make(r)
	}})
	return true
}
