package ui

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/model"
)

// A preview is what a repair would change.
type preview struct {
	ready   bool
	changes []model.ByteChange
	drops   string
	err     error
}

// previewed identifies what a preview is of.
type previewed struct {
	all       *problemList
	at, cause int
}

// previewMsg brings a preview.
type previewMsg struct {
	number  int
	preview preview
}

// previewDelay is how long a problem must be selected before its repair is worked out,
// so that moving through a list costs nothing.
const previewDelay = 40 * time.Millisecond

// startPreview works out in the background what the repair of the selected problem
// would change, unless that is known.
func (m *Model) startPreview() tea.Cmd {
	p := m.problems
	b, f, ok := p.shownCause()
	is := previewed{p.all, -1, p.cause}
	if ok {
		is.at = p.shown[p.at]
	}
	if is == p.previewed {
		return nil
	}
	m.preview.stop()
	p.previewed, p.preview = is, preview{}
	if !ok || f.Repair == "" {
		p.preview.ready = true
		return nil
	}
	doc, intention, wait := m.doc, m.view.Repair(b, f), m.previewDelay
	ctx, number, _ := m.preview.start(m.ctx, "")
	return m.inBackground(func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		return previewMsg{number, newPreview(ctx, doc, b, intention)}
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

// repair repairs the selected problem by the cause that is shown.
func (m *Model) repair() tea.Cmd {
	b, f, ok := m.problems.shownCause()
	switch {
	case !ok:
		return nil
	case f.Repair == "":
		m.say("no repair is known; enter goes there, to edit it")
		return nil
	}
	m.showBuffer(b)
	r := request{intend: func(edit.Options) model.Intention { return m.view.Repair(b, f) }}
	r.ask = func(p *model.Prepared) *question {
		drops := p.Loss()
		if drops == "" {
			return nil
		}
		return m.askRepair(r, "repair it, and lose "+drops+"?")
	}
	return m.run(r)
}

// repairAll repairs all shown problems in the buffer of the selected one.
func (m *Model) repairAll() tea.Cmd {
	p := m.problems
	f, ok := p.selected()
	if !ok {
		return nil
	}
	b, hidden, all := f.Buffer, p.hidden, 0
	for _, i := range p.shown {
		if p.all.list[i].Buffer == b {
			all++
		}
	}
	only := func(f *diagnose.Diagnosis) bool { return !hidden[f.Severity] && !f.Guess }
	list, _ := b.Problems()
	n := len(b.Together(list, only))
	if n == 0 {
		m.say("no repair is known for any of these")
		return nil
	}
	m.showBuffer(b)
	r := request{intend: func(edit.Options) model.Intention {
		return m.view.RepairAll(b, only)
	}}
	r.ask = func(p *model.Prepared) *question {
		text := fmt.Sprintf("repair %s of %s?", span.Grouped(int64(n)), span.Grouped(int64(all)))
		if n == all {
			text = fmt.Sprintf("repair all %s?", span.Grouped(int64(n)))
		}
		if n == 1 && all == 1 {
			text = "repair it?"
		}
		if drops := p.Loss(); drops != "" {
			text += " This loses " + drops + "."
		} else {
			text += " Nothing that can be read is lost."
		}
		return m.askRepair(r, text)
	}
	return m.run(r)
}

// askRepair asks before a repair is made.
func (m *Model) askRepair(r request, text string) *question {
	return &question{text: text, leave: "nothing was changed", answers: []answer{
		{"y", "repair", func(m *Model) tea.Cmd {
			r.ask = nil
			return m.run(r)
		}},
	}}
}
