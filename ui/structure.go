package ui

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model"
)

// A gap is a place for a new value: before a child of parent.
type gap struct {
	parent *tree.Node
	index  int64
	above  bool // the selected row
	deep   bool // in the selected value
}

// gapHere is the gap after the selected value, or before it. In a buffer without
// values it is the buffer's only one.
func (m *Model) gapHere(before bool) (gap, error) {
	n, err := m.entry()
	if errors.Is(err, errOnlyBytes) && m.view.Buffer.HasValues() && m.view.Count(m.view.Base()) == 0 {
		return gap{parent: m.view.Base()}, nil
	}
	if err != nil {
		return gap{}, err
	}
	g := gap{parent: n.Parent, index: n.Slot.Index, above: before}
	if !before {
		g.index++
	}
	return g, nil
}

// gapInside is the gap after the last child of the selected value, or of its parent
// if the selected value has no children.
func (m *Model) gapInside() (gap, error) {
	n, err := m.entry()
	if err != nil {
		return m.gapHere(false)
	}
	g := gap{parent: n, deep: true}
	if n.Layout == tree.Leaf {
		g = gap{parent: n.Parent}
	}
	if g.index = m.view.Count(g.parent); g.index == tree.Unknown {
		return g, errors.New("the file is not read that far yet")
	}
	return g, nil
}

// insert opens an editor for a new value: first for its key, where it needs one.
func (m *Model) insert(g gap, err error) tea.Cmd {
	if err != nil {
		m.report(err)
		return nil
	}
	if g.parent.Layout == tree.Pairs {
		m.askKey(g, m.keyLike(g), func(m *Model, e *editor, key string) tea.Cmd {
			m.askNew(g, key)
			return nil
		})
		m.editor.first = true
		return nil
	}
	if err := m.refusal(g); err != nil {
		m.report(err)
		return nil
	}
	m.askNew(g, "")
	return nil
}

// refusal reports why no new value can be put into a gap. It tries a value like the
// neighbour.
func (m *Model) refusal(g gap) error {
	n := m.view.Subject()
	if n == nil || n.Depth == 0 || n.Parent != g.parent {
		return nil
	}
	literal := m.doc.Hints().Empty // a root takes any value, or none
	if g.parent.Depth > 0 {
		var err error
		if literal, err = m.literalOf(n); err != nil {
			return nil
		}
	}
	ctx, stop := context.WithTimeout(m.ctx, soon)
	defer stop()
	err := m.view.CheckInsert(ctx, g.parent, g.index, "", literal, edit.Options{})
	var syntax *edit.SyntaxError
	var other *edit.TypeError
	if ctx.Err() != nil || errors.As(err, &syntax) || errors.As(err, &other) {
		return nil
	}
	return err
}

// keyLike is the literal of a key next to a gap, "" where there is none.
func (m *Model) keyLike(g gap) string {
	n := m.view.Subject()
	if n == nil || g.deep {
		return `""`
	}
	if n = m.view.Entry(n); n != nil {
		if key := m.view.KeyOf(n); key != nil {
			if literal, err := m.literalOf(key); err == nil {
				return literal
			}
		}
	}
	return `""`
}

// askKey opens an editor for the key of a new value. like says what kind of key it
// may be: where that is text, plain text is typed.
func (m *Model) askKey(g gap, like string, then func(*Model, *editor, string) tea.Cmd) {
	e := newEditor("new key", like)
	e.isNew, e.isKey, e.above, e.deep, e.big = true, true, g.above, g.deep, false
	e.fill("")
	e.hint = "the key or name of the new entry, a literal"
	if e.text {
		e.hint = "the key of the new entry, a text; ctrl+t for another literal"
	}
	e.enter = func(m *Model, key string, _ bool) tea.Cmd { return then(m, e, key) }
	m.editor = e
}

// askNew opens an editor for a new value.
func (m *Model) askNew(g gap, key string) {
	e := newEditor("new value", "")
	e.isNew, e.above, e.deep, e.key = true, g.above, g.deep, key
	e.hint = m.hintFor("", false)
	view := m.view
	e.check = func(ctx context.Context, literal string) error {
		return view.CheckInsert(ctx, g.parent, g.index, key, literal, edit.Options{})
	}
	e.enter = func(m *Model, literal string, retype bool) tea.Cmd {
		return m.runTyped(e, request{
			intend: func(o edit.Options) model.Intention {
				return m.view.Insert(g.parent, g.index, key, literal, o)
			},
			options: edit.Options{Retype: retype},
		})
	}
	m.editor = e
}

// duplicate inserts a copy after the selected value.
func (m *Model) duplicate() tea.Cmd {
	n, err := m.entry()
	if err != nil {
		m.report(err)
		return nil
	}
	double := func(key string) request {
		return request{intend: func(o edit.Options) model.Intention { return m.view.Duplicate(n, key, o) }}
	}
	if n.Parent.Layout != tree.Pairs {
		return m.run(double(""))
	}
	g := gap{parent: n.Parent, index: n.Slot.Index + 1}
	like := m.keyLike(g)
	m.askKey(g, like, func(m *Model, e *editor, key string) tea.Cmd {
		return m.runTyped(e, double(key))
	})
	m.editor.fill(like)
	m.editor.hint = "the copy needs a key of its own"
	return nil
}

// remove deletes the selected value.
func (m *Model) remove() tea.Cmd {
	n, err := m.entry()
	if err != nil {
		m.report(err)
		return nil
	}
	return m.run(request{intend: func(o edit.Options) model.Intention { return m.view.Delete(n, o) }})
}

// move moves the selected value among its neighbours.
func (m *Model) move(by int64) tea.Cmd {
	n, err := m.entry()
	if err != nil {
		m.report(err)
		return nil
	}
	to := n.Slot.Index + by
	switch count := m.view.Count(n.Parent); {
	case to < 0:
		m.say("this is the first already")
		return nil
	case count != tree.Unknown && to >= count:
		m.say("this is the last already")
		return nil
	}
	return m.run(request{intend: func(o edit.Options) model.Intention { return m.view.Move(n, to, o) }})
}

// undo takes the last step back, redo makes it again.
func (m *Model) undo() tea.Cmd { return m.turn("undone: ", m.doc.Undo) }

func (m *Model) redo() tea.Cmd { return m.turn("redone: ", m.doc.Redo) }

func (m *Model) turn(what string, do func(context.Context) (model.Turn, error)) tea.Cmd {
	if err := m.busy(); err != nil {
		m.report(err)
		return nil
	}
	t, err := do(m.ctx)
	switch {
	case errors.Is(err, model.ErrNothingToUndo), errors.Is(err, model.ErrNothingToRedo):
		m.say(err.Error())
		return nil
	case err != nil:
		m.report(fmt.Errorf("cannot be undone or redone: %w", err))
		return nil
	}
	cmd := m.follow(t)
	m.say(what + t.Label)
	return cmd
}
