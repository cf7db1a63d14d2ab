package records

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/internal/state"
	"varview/model"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/find"
	"varview/ui/paint"
)

// Update implements dialog.Dialog.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd {
	p.follow()
	return p.Press(p.keys, msg, p.Do)
}

// Do does an action in the list.
func (p *Pane) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(p.height(), int(min(p.view.Len(), 1<<31))); moves {
		if p.Count > 0 && (a == action.First || a == action.Last) {
			return p.moveTo(p.view.Find(int64(p.Count)))
		}
		return p.moveTo(p.at + int64(by)*int64(p.Times()))
	}
	switch a {
	case action.GoThere:
		return p.goThere()
	case action.OtherPane:
		if p.Docked {
			p.away = true
			p.SetFocus(desk.OnTree)
		}
	case action.FilterRows:
		return p.filter()
	case action.FollowNode:
		return p.narrow(format.SameNode, "node")
	case action.FollowMethod:
		return p.narrow(format.SameMethod, "method")
	case action.FollowPeer:
		return p.narrow(format.SamePeer, "peer")
	case action.ShowStats:
		return p.addUp(p.view.Query)
	case action.Cancel:
		switch {
		case p.Seeking.Runs():
			p.Seeking.Stop()
			p.seeks = nil
			p.Say("stopped")
		case p.back():
			return p.show()
		default:
			p.leave()
		}
	case action.Outer, action.Inner, action.Back:
		if !p.Docked { // otherwise the panes are in view
			cmd := p.goThere()
			return tea.Batch(cmd, p.Program.Do(a))
		}
		return p.Program.Do(a)
	default:
		return p.Program.Do(a)
	}
	return nil
}

// moveTo selects another record.
func (p *Pane) moveTo(at int64) tea.Cmd {
	p.at = at
	return p.show()
}

// goThere gives the keys to the tree, with the selected record in it.
func (p *Pane) goThere() tea.Cmd {
	if p.view.Len() == 0 {
		return nil
	}
	number := p.view.At(p.at)
	if p.away = p.Docked; !p.away {
		p.leave()
	}
	cmd := p.goTo(number)
	p.SetFocus(desk.OnTree)
	return cmd
}

// goTo shows a record in the panes: in its own buffer, or in the buffer around it while that is shown.
func (p *Pane) goTo(number int64) tea.Cmd {
	n, err := p.list.Node(p.reader, number)
	if err != nil {
		return p.Report(err)
	}
	if p.Explorer.Buffer.Number == p.buffer.Number-1 {
		return p.Start(&p.leading, "looking for the same bytes", p.Outside(p.buffer, n))
	}
	p.ShowBuffer(p.buffer)
	return p.Report(p.Explorer.ShowContent(n))
}

// filter asks which records to show.
func (p *Pane) filter() tea.Cmd {
	x := dialog.NewPrompt(p, "only: ", func(typed string) tea.Cmd {
		remember := p.Remember(func(d *state.Data) { d.Searches.Add(typed) })
		return tea.Batch(remember, p.look(strings.TrimSpace(typed)))
	})
	x.History = p.State.Data().Searches
	x.Input.SetValue(p.view.Query)
	x.Input.CursorEnd()
	x.Hints, x.Changed = find.OfRecords, p.count
	x.Aside = func() (string, bool) {
		if _, err := p.list.ParseQuery(strings.TrimSpace(x.Input.Value())); err != nil {
			return err.Error(), true
		}
		return p.tally, false
	}
	return p.Open(x)
}

// count counts the records for which a query holds.
func (p *Pane) count(query string) tea.Cmd {
	p.tally = ""
	list := p.list
	return p.Start(&p.counting, "counting", func(ctx context.Context, progress *model.Progress) func() tea.Cmd {
		v, err := list.Look(ctx, query, progress.Set)
		return func() tea.Cmd {
			if err == nil {
				p.tally = span.Counted(v.Len(), list.Name)
			}
			return nil
		}
	})
}

// narrow leaves of the records in view those that have something in common with the selected one.
func (p *Pane) narrow(with format.Common, what string) tea.Cmd {
	if p.view.Len() == 0 {
		return nil
	}
	query := p.read(p.view.At(p.at)).Alike[with]
	if query == "" {
		return p.Say("this message has no " + what)
	}
	if was := p.view.Query; was != "" {
		query = "(" + was + ") (" + query + ")"
	}
	return p.look(query)
}

// Mouse implements dialog.Pointed.
func (p *Pane) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	first := p.Height - 1 - p.Rows
	row := p.top + int64(msg.Y-first-1)
	if p.Docked && msg.Y < first {
		return nil, false
	}
	away := p.away
	p.away = false
	switch {
	case by != 0:
		return p.moveTo(p.at + int64(by)), true
	case msg.Button != tea.MouseButtonLeft || row < p.top || row >= min(p.top+int64(p.height()), p.view.Len()):
	case row == p.at && !away:
		return p.goThere(), true
	default:
		return p.moveTo(row), true
	}
	return nil, true
}

// Hints implements dialog.Hinting.
func (p *Pane) Hints() []paint.Piece {
	hints := []key.Help{p.keys.Hint("move", action.Down, action.Up)}
	hints = append(hints, p.keys.Hints(action.FilterRows)...)
	hints = append(hints, key.Help{Key: "f", Desc: "follow"}, p.keys.Hint("sums", action.ShowStats), p.keys.Hint("tree", action.GoThere))
	last := "close"
	if len(p.before) > 0 {
		last = "back"
	}
	hints = append(hints, p.keys.Hint(last, action.Cancel), p.keys.Hint("help", action.Help))
	return paint.Keys(paint.FittingKeys(hints, paint.BottomRoom(p.Width)))
}
