package dialog

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"varview/internal/text"
	"varview/model"
	"varview/themes"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// A Prompt is the line at the bottom in which something is typed.
type Prompt struct {
	Context
	Input  textinput.Model
	Secret bool                       // the typed text is hidden, and its blanks are kept
	Enter  func(typed string) tea.Cmd // takes what was typed
	Leave  string                     // message if nothing was typed

	Changed func(typed string) tea.Cmd         // follows the typed text; nil for nothing
	Left    func()                             // called after esc; nil for nothing
	Aside   func() (said string, isError bool) // text beside the typed text; nil for nothing
	History []string                           // what was typed before, latest last

	Hints []key.Help // what can be typed, shown above the line while nothing is offered; then nothing is offered before tab is pressed

	// Complete offers what could be typed at the cursor; nil for nothing.
	Complete func(typed string) Offer
	// Take takes the chosen candidate instead of the typed text; if nil, the candidate is typed.
	Take func(Candidate) tea.Cmd

	completing jobs.Job
	offered    Completion
	chosen     int // index of the chosen candidate; -1 for none

	recalled int    // how far back in the history
	draft    string // what was typed before recalling
}

// NewPrompt returns an empty prompt after a label.
func NewPrompt(c Context, label string, enter func(string) tea.Cmd) *Prompt {
	p := &Prompt{Context: c, Input: textinput.New(), Enter: enter}
	p.Input.Prompt = label
	p.Input.CharLimit = 4096
	p.Input.Cursor.SetMode(cursor.CursorStatic)
	p.Input.Focus()
	return p
}

// Fill types text in place of what was typed.
func (p *Prompt) Fill(text string) {
	p.Input.SetValue(text)
	p.Input.CursorEnd()
}

// Place implements Dialog.
func (p *Prompt) Place() Place { return AtBottom }

// Init implements Beginning: if a candidate has to be chosen, all are shown.
func (p *Prompt) Init() tea.Cmd {
	if p.Take == nil {
		return nil
	}
	return p.changed()
}

// TakesText implements Typed.
func (p *Prompt) TakesText() {}

// Update implements Dialog.
func (p *Prompt) Update(msg tea.KeyMsg) tea.Cmd {
	if p.Take != nil {
		if cmd, done := p.pick(msg); done {
			return cmd
		}
	}
	switch msg.Type {
	case tea.KeyEsc:
		p.leave()
		return p.Say(p.Leave)
	case tea.KeyTab:
		return p.choose(1)
	case tea.KeyShiftTab:
		return p.choose(-1)
	case tea.KeyUp:
		return p.recall(1)
	case tea.KeyDown:
		return p.recall(-1)
	case tea.KeyEnter:
		typed := p.Input.Value()
		if !p.Secret {
			typed = strings.TrimSpace(typed)
		}
		p.Close(p)
		return p.Enter(typed)
	case tea.KeyBackspace:
		if p.Input.Value() == "" && !p.Secret {
			p.leave()
			return nil
		}
	}
	if !p.edit(msg) {
		return nil
	}
	p.recalled = 0
	return p.changed()
}

// edit lets a key edit the typed text, and reports whether that has changed.
func (p *Prompt) edit(msg tea.KeyMsg) bool {
	was := p.Input.Value()
	if isLast := p.Input.Position() == utf8.RuneCountInString(was)-1; isLast && key.Matches(msg, p.Input.KeyMap.DeleteWordForward) {
		msg = tea.KeyMsg{Type: tea.KeyDelete} // of which textinput makes a panic
	}
	p.Input, _ = p.Input.Update(msg)
	return p.Input.Value() != was
}

// leave closes the prompt without taking the typed text.
func (p *Prompt) leave() {
	p.Close(p)
	if p.Left != nil {
		p.Left()
	}
}

// changed reacts to a change of the typed text.
func (p *Prompt) changed() tea.Cmd {
	var cmds []tea.Cmd
	if p.offered, p.chosen = (Completion{}), -1; p.Hints == nil && (p.Input.Value() != "" || p.Take != nil) {
		cmds = append(cmds, p.complete(func() {}))
	}
	if p.Changed != nil {
		cmds = append(cmds, p.Changed(strings.TrimSpace(p.Input.Value())))
	}
	return tea.Batch(cmds...)
}

// recall puts an earlier text into the prompt, by steps farther back.
func (p *Prompt) recall(by int) tea.Cmd {
	to := p.recalled + by
	if to < 0 || to > len(p.History) {
		return nil
	}
	if p.recalled == 0 {
		p.draft = p.Input.Value()
	}
	p.recalled = to
	typed := p.draft
	if to > 0 {
		typed = p.History[len(p.History)-to]
	}
	p.Fill(typed)
	return p.changed()
}

// View implements Dialog.
func (p *Prompt) View() []string {
	width, _ := p.Window()
	inner := width - 4
	said, room := p.aside(inner)
	inner -= room
	p.Input.Width = max(1, inner-1-text.Width(p.Input.Prompt))
	p.Input.SetCursor(p.Input.Position()) // what is in view follows the width
	border := p.Paints().Role(themes.Border)
	line := lipgloss.NewStyle().Inline(true).Width(inner).MaxWidth(inner).Render(p.Input.View())
	return []string{border.On("╰ ") + line + said + border.On(" ╯")}
}

// aside draws the text beside the typed text, in the remaining width, or in a third of the width.
func (p *Prompt) aside(width int) (drawn string, columns int) {
	if p.Aside == nil {
		return "", 0
	}
	said, isError := p.Aside()
	role := themes.Dim
	if isError {
		role = themes.Error
	}
	left := width - text.Width(p.Input.Prompt) - text.Width(p.Input.Value()) - 3
	said = strings.TrimRight(text.Cut(text.Clean(said), max(left, width/3)), " ")
	if said == "" {
		return "", 0
	}
	return p.Paints().In(role, " "+said), text.Width(said) + 1
}

// A Candidate is something that could be typed instead of the last words.
type Candidate struct {
	Text string
	Args string // what follows it, for a command
	Help string
	Also string // other words by which it is found
}

// A Completion is all candidates for what follows an offset.
type Completion struct {
	From int
	All  []Candidate
}

// An Offer returns what could be typed. It runs in the background.
type Offer func(context.Context) Completion

// complete looks for what could be typed, and then calls then.
func (p *Prompt) complete(then func()) tea.Cmd {
	p.offered, p.chosen = Completion{}, -1
	if p.Complete == nil {
		return nil
	}
	typed := p.typedHere()
	offer := p.Complete(typed)
	if offer == nil {
		p.completing.Stop()
		return nil
	}
	return p.Start(&p.completing, "completing", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		offered := offer(ctx)
		return func() tea.Cmd {
			if all := offered.All; p.Take != nil || len(all) != 1 || typed[offered.From:] != all[0].Text {
				p.offered = offered
			}
			if p.Take != nil {
				p.chosen = 0
			}
			then()
			return nil
		}
	})
}

// typedHere returns the typed text up to the cursor.
func (p *Prompt) typedHere() string {
	return string([]rune(p.Input.Value())[:p.Input.Position()])
}

// choose puts the next candidate into the line, or the one before.
func (p *Prompt) choose(by int) tea.Cmd {
	if len(p.offered.All) == 0 {
		return p.complete(func() {
			if len(p.offered.All) == 1 {
				p.put(0)
			}
		})
	}
	n := len(p.offered.All)
	at := p.chosen + by
	if p.chosen < 0 && by < 0 {
		at = n - 1
	}
	p.put((at + n) % n)
	if n == 1 {
		return p.complete(func() {})
	}
	return nil
}

// put puts a candidate into the line.
func (p *Prompt) put(i int) {
	typed := p.typedHere()
	rest := p.Input.Value()[len(typed):]
	before := typed[:min(p.offered.From, len(typed))] + p.offered.All[i].Text
	p.Input.SetValue(before + rest)
	p.Input.SetCursor(len([]rune(before)))
	p.chosen, p.recalled = i, 0
}

// pick handles a key while a candidate is being chosen. done is false for keys that are typed.
func (p *Prompt) pick(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	by, n := 0, len(p.offered.All)
	switch msg.Type {
	case tea.KeyUp, tea.KeyShiftTab, tea.KeyCtrlP:
		by = -1
	case tea.KeyDown, tea.KeyTab, tea.KeyCtrlN:
		by = 1
	case tea.KeyEnter:
		if n == 0 {
			return nil, true
		}
		p.Close(p)
		return p.Take(p.offered.All[p.chosen]), true
	default:
		return nil, false
	}
	if n > 0 {
		p.chosen = (p.chosen + by + n) % n
	}
	return nil, true
}

// The largest number of candidates in view, and the same where one of them has to be chosen.
const (
	maxOffered  = 8
	maxPickable = 16
)

// Popup draws the candidates above the bottom line.
func (p *Prompt) Popup() []string {
	width, height := p.Window()
	most := maxOffered
	if p.Take != nil {
		most = maxPickable
	}
	n := min(len(p.offered.All), most, max(1, (height-4)*2/3))
	out := Lines{Styles: p.Paints(), Width: width - 2, Focused: true}
	switch {
	case n > 0:
		p.popup(&out, n)
	case p.Hints != nil:
		out.Put(false, append([]paint.Piece{paint.Plain("  ")}, paint.Keys(paint.FittingKeys(slices.Clone(p.Hints), width-4))...)...)
	case p.Take != nil && p.Input.Value() != "" && p.completing.Runs():
		out.Put(false, paint.In(themes.Dim, "  looking…"))
	case p.Take != nil && p.Input.Value() != "":
		out.Put(false, paint.In(themes.Dim, "  nothing has this name"))
	}
	return out.All
}

// popup draws n candidates around the chosen one.
func (p *Prompt) popup(out *Lines, n int) {
	width := out.Width + 2
	top := max(0, p.chosen-n+1)
	shown := p.offered.All[top : top+n]
	column, after := 0, 0
	for _, c := range shown {
		column = max(column, text.Width(text.Clean(c.Text)))
		after = max(after, text.Width(c.Args))
	}
	after = min(after, width/4)
	column = min(column, width/2-after)
	out.Rule()
	for i, c := range shown {
		mark := "  "
		if top+i == p.chosen {
			mark = "› "
		}
		name := text.Fit(text.CutLeft(text.Clean(c.Text), column), column)
		pieces := []paint.Piece{paint.In(themes.Accent, mark), paint.In(themes.Key, name)}
		if after > 0 {
			pieces = append(pieces, paint.Plain("  "), paint.In(themes.Accent, text.Fit(c.Args, after)))
		}
		pieces = append(pieces, paint.In(themes.Dim, "  "+text.Head(c.Help, width)))
		out.Put(top+i == p.chosen, pieces...)
	}
	if n == 1 { // so that the rule is where that below the panes was
		out.Put(false)
	}
}
