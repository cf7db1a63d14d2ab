// Package start is the screen on which a save is chosen.
package start

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/model/saves"
	"varview/ui/action"
	"varview/ui/paint"
)

// A Group is the reason why a file is listed. Files of the first group come first.
type Group int

// The groups.
const (
	Unsaved Group = iota // it has edits that were not saved
	Recent               // it was opened before
	Here                 // it is in the folder
	Game                 // it is where a game keeps its files
)

// A Found is a file that may be chosen.
type Found struct {
	saves.File
	Group Group
}

// A Picker lists files. Its methods are those of a tea.Model.
type Picker struct {
	Ctx    context.Context
	Styles paint.Styles
	Folder string           // folder that is left out of the names of its files
	Before string           // path that was chosen before, which is selected; "" for none
	Files  <-chan Found     // closed after the last one
	Weak   bool             // whether files are listed that neither their bytes nor their names show to be saves
	Chosen string           // chosen path; "" if the user has quit
	Now    func() time.Time // for tests
	Ask    tea.Cmd          // asks the terminal for its background, which comes as other Styles; nil if that is known

	width, height int
	all           []*row
	shown         []*row // rows that the filter leaves
	at            *row   // the selected one
	moved         bool   // the user has chosen the selection
	top           int    // index of the first row in view
	filter        string // in lower case
	searching     bool   // files are still being found
	looking       bool
}

// A row is a file in the list.
type row struct {
	Found
	name   string // as shown
	lower  string // what the filter is compared with
	look   *saves.Look
	hidden bool // it is not a save, and was only wanted if it were
}

type (
	foundMsg  []Found
	lookedMsg struct {
		row  *row
		look saves.Look
	}
)

// Init implements tea.Model.
func (p *Picker) Init() tea.Cmd {
	p.searching = true
	return tea.Batch(p.Ask, p.wait)
}

// wait returns the files found since the last call.
func (p *Picker) wait() tea.Msg {
	var found foundMsg
	f, more := <-p.Files
	for more {
		found = append(found, f)
		if len(found) == 200 {
			break
		}
		select {
		case f, more = <-p.Files:
			continue
		default:
		}
		break
	}
	return found
}

// Update implements tea.Model.
func (p *Picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.width, p.height = msg.Width, msg.Height
	case paint.Styles:
		p.Styles = msg
	case foundMsg:
		if p.searching = len(msg) > 0; p.searching {
			p.add(msg)
			cmd = p.wait
		}
	case lookedMsg:
		p.looking = false
		msg.row.look = &msg.look
		msg.row.hidden = msg.row.Saves && !msg.look.IsSure
		p.list()
	case tea.KeyMsg:
		cmd = p.press(msg)
	case tea.MouseMsg:
		cmd = p.mouse(msg)
	}
	p.scroll()
	return p, tea.Batch(cmd, p.lookOn())
}

// add adds files that were found. A file that is already listed keeps its first group.
func (p *Picker) add(found []Found) {
	for _, f := range found {
		i := slices.IndexFunc(p.all, func(r *row) bool { return r.Path == f.Path })
		switch {
		case i < 0:
			r := &row{Found: f, name: p.nameOf(f.Path), hidden: f.Saves}
			r.lower = strings.ToLower(r.name + " " + f.Of)
			p.all = append(p.all, r)
			if f.Path == p.Before && !p.moved {
				p.at, p.moved = r, true
			}
		case f.Group < p.all[i].Group:
			p.all[i].Group, p.all[i].hidden = f.Group, false
		}
		if i >= 0 {
			p.all[i].Of = cmp.Or(p.all[i].Of, f.Of)
		}
	}
	p.list()
}

// rank returns the group of a file. What is certainly a save comes first in its group, then what may be one,
// what neither its bytes nor its name show to be one, and what is known not to be one.
func (r *row) rank() int {
	rank := 4 * int(r.Group)
	switch {
	case r.look == nil, r.look.IsSure:
	case r.look.IsWeak:
		rank += 2
	case r.look.IsSave:
		rank++
	default:
		rank += 3
	}
	return rank
}

// nameOf returns a path relative to the folder, or its end.
func (p *Picker) nameOf(path string) string {
	if inside, err := filepath.Rel(p.Folder, path); err == nil && !strings.HasPrefix(inside, "..") {
		return text.Clean(inside)
	}
	return text.Clean(filepath.Base(path))
}

// list sorts the files, latest first, and applies the filter. A row selected by the user stays selected
// if it is still there.
func (p *Picker) list() {
	slices.SortStableFunc(p.all, func(a, b *row) int { return cmp.Or(cmp.Compare(a.rank(), b.rank()), b.When.Compare(a.When)) })
	p.shown = p.shown[:0]
	var weak []*row // shown if there is nothing else, or if something is typed
	for _, r := range p.all {
		words := strings.Fields(p.filter)
		switch {
		case r.hidden || slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(r.lower, w) }):
		case r.look != nil && r.look.IsWeak && r.Group >= Here && p.filter == "" && !p.Weak:
			weak = append(weak, r)
		default:
			p.shown = append(p.shown, r)
		}
	}
	if len(p.shown) == 0 {
		p.shown = weak
	}
	if !p.moved || !slices.Contains(p.shown, p.at) {
		p.at = nil
		if len(p.shown) > 0 {
			p.at = p.shown[0]
		}
	}
}

// lookOn looks into the next file: the selected one, those in view, then all others.
func (p *Picker) lookOn() tea.Cmd {
	next := p.next()
	if p.looking || next == nil || p.width == 0 {
		return nil
	}
	p.looking = true
	return func() tea.Msg {
		ctx, done := context.WithTimeout(p.Ctx, 5*time.Second)
		defer done()
		return lookedMsg{next, saves.LookInto(ctx, next.Path, previewRows, 200)}
	}
}

func (p *Picker) next() *row {
	unknown := func(r *row) bool { return r.look == nil }
	if p.at != nil && unknown(p.at) {
		return p.at
	}
	inView := p.shown[min(p.top, len(p.shown)):min(p.top+p.listHeight(), len(p.shown))]
	for _, rows := range [][]*row{inView, p.all} {
		if i := slices.IndexFunc(rows, unknown); i >= 0 {
			return rows[i]
		}
	}
	return nil
}

// press handles a key.
func (p *Picker) press(msg tea.KeyMsg) tea.Cmd {
	page := max(1, p.listHeight()-1)
	switch action.NameOf(msg) {
	case "ctrl+c":
		return tea.Quit
	case "esc":
		if p.filter == "" {
			return tea.Quit
		}
		p.setFilter("")
	case "enter":
		return p.choose()
	case "up", "ctrl+p", "shift+tab":
		p.move(-1)
	case "down", "ctrl+n", "tab":
		p.move(1)
	case "pgup":
		p.move(-page)
	case "pgdown":
		p.move(page)
	case "home":
		p.move(-len(p.shown))
	case "end":
		p.move(len(p.shown))
	case "ctrl+u":
		p.setFilter("")
	case "backspace":
		if r := []rune(p.filter); len(r) > 0 {
			p.setFilter(string(r[:len(r)-1]))
		}
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			p.setFilter(p.filter + strings.ToLower(text.Clean(string(msg.Runes))))
		}
	}
	return nil
}

func (p *Picker) setFilter(s string) {
	p.filter, p.moved = s, false
	p.list()
}

func (p *Picker) choose() tea.Cmd {
	if p.at == nil {
		return nil
	}
	p.Chosen = p.at.Path
	return tea.Quit
}

func (p *Picker) move(by int) {
	if p.moved = true; len(p.shown) > 0 {
		at := slices.Index(p.shown, p.at) + by
		p.at = p.shown[max(0, min(at, len(p.shown)-1))]
	}
}

// scroll keeps the selected row in view.
func (p *Picker) scroll() {
	at := max(0, slices.Index(p.shown, p.at))
	p.top = max(0, min(max(p.top, at-p.listHeight()+1), at))
}

// mouse handles a click, which chooses the selected row, and the wheel.
func (p *Picker) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	i := p.top + msg.Y - 1
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		p.move(-3)
	case msg.Button == tea.MouseButtonWheelDown:
		p.move(3)
	case msg.Button != tea.MouseButtonLeft || msg.Y < 1 || msg.Y > p.listHeight() || i >= len(p.shown):
	case p.shown[i] == p.at:
		return p.choose()
	default:
		p.at, p.moved = p.shown[i], true
	}
	return nil
}

// Size returns the size of the window.
func (p *Picker) Size() (width, height int) { return p.width, p.height }
