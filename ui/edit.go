package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model"
)

// errOnlyBytes says why a value cannot be edited in a buffer that has none.
var errOnlyBytes = errors.New("there are no values here, only bytes: tab goes to them, i and r edit them")

// subject returns the value to be edited, or why it cannot be edited.
func (m *Model) subject() (*tree.Node, error) {
	if err := m.canEdit(); err != nil {
		return nil, err
	}
	if m.view.Subject() == nil && m.view.Buffer.Size() > 0 && m.view.Waiting() {
		return nil, errors.New("the file is not read that far yet")
	}
	if err := m.view.Buffer.CannotEditValues(); err != nil {
		return nil, err
	}
	if n := m.value(); n != nil {
		return n, nil
	}
	return nil, errOnlyBytes
}

// value is the selected value or key, nil where none is selected.
func (m *Model) value() *tree.Node {
	n := m.view.Subject()
	if n == nil || n.Depth == 0 || m.view.Buffer.IsWrapper() {
		return nil
	}
	return n
}

// entry is the selected value, also where its key is selected.
func (m *Model) entry() (*tree.Node, error) {
	n, err := m.subject()
	if err != nil {
		return nil, err
	}
	return m.entryOf(n)
}

// entryOf is the value that a key belongs to, or the value itself.
func (m *Model) entryOf(n *tree.Node) (*tree.Node, error) {
	if n = m.view.Entry(n); n == nil {
		return nil, errors.New("this key has no value")
	}
	return n, nil
}

// literalOf is the literal of a value, unless it takes long to write.
func (m *Model) literalOf(n *tree.Node) (string, error) {
	ctx, stop := context.WithTimeout(m.ctx, soon)
	defer stop()
	literal, err := m.view.Literal(ctx, n)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("this is too long to be edited as text: unfold it and edit its values")
	}
	return literal, err
}

// editValue opens an editor on the selected value.
func (m *Model) editValue() tea.Cmd {
	m.setFocus(onTree)
	n, err := m.subject()
	if err != nil {
		m.report(err)
		return nil
	}
	return m.edit(n, "value")
}

// editKey opens an editor on the key of the selected value.
func (m *Model) editKey() tea.Cmd {
	n, err := m.subject()
	if err != nil {
		m.report(err)
		return nil
	}
	if n.Slot.Key {
		return m.edit(n, "key")
	}
	key := m.view.KeyOf(n)
	if key == nil {
		m.say("this has no key or name that could be changed")
		return nil
	}
	cmd := m.edit(key, "key")
	if m.editor != nil {
		m.editor.isKey = !m.editor.big
	}
	return cmd
}

// leftOut is the literal of a struct member that is not stored in the file.
const leftOut = "default"

// edit opens an editor on a value or a key.
func (m *Model) edit(n *tree.Node, what string) tea.Cmd {
	literal, err := m.literalOf(n)
	if err != nil {
		m.report(err)
		return nil
	}
	e := newEditor(what, literal)
	e.hint = m.hintFor(literal, e.text)
	view := m.view
	var syntax *edit.SyntaxError
	switch err := m.checkNow(n, literal); {
	case errors.As(err, &syntax): // of a damaged value
		e.text = false
		e.fill("")
	case err != nil:
		m.report(err)
		return nil
	case literal == leftOut && n.Start == n.End:
		e.fill("")
		e.hint = "not stored in the file; a value typed here is, default leaves it out"
	}

	e.check = func(ctx context.Context, literal string) error { return view.Check(ctx, n, literal, edit.Options{}) }
	e.enter = func(m *Model, literal string, retype bool) tea.Cmd {
		return m.runTyped(e, request{
			intend:  func(o edit.Options) model.Intention { return m.view.Set(n, literal, o) },
			options: edit.Options{Retype: retype},
		})
	}
	m.editor = e
	return nil
}

// checkNow reports why a value of the same type cannot be set here. A check that
// takes long reports nothing.
func (m *Model) checkNow(n *tree.Node, literal string) error {
	ctx, stop := context.WithTimeout(m.ctx, soon)
	defer stop()
	err := m.view.Check(ctx, n, literal, edit.Options{Retype: true, Orphans: edit.Undefined})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// runTyped makes an edit that was typed in an editor, and closes the editor. If
// the edit cannot be made, the editor shows why.
func (m *Model) runTyped(e *editor, r request) tea.Cmd {
	r.done = func(m *Model) tea.Cmd {
		if m.editor == e {
			m.closeEditor()
		}
		return nil
	}
	r.refused = m.refused(e)
	return m.run(r)
}

// hintFor returns a hint at what can be typed in place of a literal.
func (m *Model) hintFor(literal string, isText bool) string {
	starts := func(with string) bool { return literal != "" && strings.Contains(with, literal[:1]) }
	switch {
	case isText:
		return "what you type is the text; ctrl+t shows it as a literal, with quotes"
	case literal == "true" || literal == "false":
		return "true or false; in the tree the space bar switches it"
	case m.doc.Hints().Prefixed:
		return m.doc.Hints().Literal
	case strings.HasPrefix(literal, "Color("):
		return "red, green, blue, alpha from 0 to 1; or #rrggbb, #rrggbbaa"
	case literal == "inf", literal == "nan", starts("-0123456789") && strings.ContainsAny(literal, ".en"):
		return "a float: 1.5, 2e9, inf, -inf, nan"
	case starts("-0123456789"):
		return "an integer: 42, -7, 0x1f, 0b101"
	case starts("[{"), strings.HasSuffix(literal, ")"):
		return "a literal like the current one"
	}
	return m.doc.Hints().Literal
}

// flip switches between true and false; ok is false where neither is selected.
func (m *Model) flip() (cmd tea.Cmd, ok bool) {
	n := m.value()
	if n == nil || n.Layout != tree.Leaf || m.view.Refers() {
		return nil, false
	}
	literal, err := m.literalOf(n)
	other, ok := map[string]string{"true": "false", "false": "true"}[literal]
	if err != nil || !ok {
		return nil, false
	}
	return m.run(request{intend: func(o edit.Options) model.Intention { return m.view.Set(n, other, o) }}), true
}

// set is :set VALUE and :set PATH=VALUE.
func (m *Model) set(arg string) tea.Cmd {
	path, literal, ok := model.CutAssignment(arg)
	if !ok {
		n, err := m.subject()
		if arg == "" {
			err = errors.New(":set needs a value, as in :set 100, or a path too: :set $.hp=100")
		}
		if err != nil {
			m.report(err)
			return nil
		}
		return m.setValue(n, arg)
	}
	return m.resolve(path, func(m *Model, n *tree.Node) tea.Cmd { return m.setValue(n, literal) })
}

// setValue changes a value. It asks before the type of the value changes.
func (m *Model) setValue(n *tree.Node, literal string) tea.Cmd {
	r := request{intend: func(o edit.Options) model.Intention { return m.view.Set(n, literal, o) }}
	r.refused = func(m *Model, err error) bool {
		var other *edit.TypeError
		if !errors.As(err, &other) {
			return false
		}
		m.question = &question{text: fmt.Sprintf("change the type from %s to %s?", other.Was, other.Is), leave: "nothing was changed", answers: []answer{
			{"y", "change it", func(m *Model) tea.Cmd {
				r.options.Retype = true
				return m.run(r)
			}},
		}}
		return true
	}
	return m.run(r)
}

// retype is :type NAME.
func (m *Model) retype(name string) tea.Cmd {
	n, err := m.subject()
	if err != nil {
		m.report(err)
		return nil
	}
	if name == "" {
		m.report(fmt.Errorf(":type needs one of %s", strings.Join(m.view.Types(n), ", ")))
		return nil
	}
	return m.run(request{intend: func(o edit.Options) model.Intention { return m.view.Retype(n, name, o) }})
}
