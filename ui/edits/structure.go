package edits

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/literals"
	"varview/ui/dialog"
	"varview/ui/jobs"
)

// A gap is a place for a new value: before a child of parent.
type gap struct {
	parent *tree.Node
	index  int64
	above  bool   // it is above the selected row
	deep   bool   // it is in the selected value
	begin  string // the literal of a container with which a new value begins; "" for none
}

// gapHere returns the gap after the selected value, or before it. In a buffer without values it returns
// the only gap.
func (e *Values) gapHere(before bool) (gap, error) {
	n, err := e.entry()
	if errors.Is(err, errOnlyBytes) && e.Explorer.TakesFirst() {
		return gap{parent: e.Explorer.Base()}, nil
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

// gapInside returns the gap at the end of the selected value.
func (e *Values) gapInside() (gap, error) {
	n, err := e.entry()
	if err != nil {
		return e.gapHere(false)
	}
	return e.gapIn(n)
}

// gapIn returns the gap after the last child of a value, or of its parent if the value has no children.
func (e *Values) gapIn(n *tree.Node) (gap, error) {
	g := gap{parent: n, deep: true}
	if n.Layout == tree.Leaf {
		g = gap{parent: n.Parent}
	}
	if g.index = e.Explorer.Count(g.parent); g.index == tree.Unknown {
		return g, errUnread
	}
	return g, nil
}

// Add opens an editor for a new value after the selected one, or before it.
func (e *Values) Add(before bool) tea.Cmd {
	g, err := e.gapHere(before)
	if err != nil {
		return e.refuse(err, func() tea.Cmd { return e.Add(before) })
	}
	if g.parent.Layout == tree.Sequence && g.parent.Depth > 0 {
		return e.insertLikeLast(g)
	}
	return e.insert(g)
}

// AddInside opens an editor for a new value at the end of the selected one. In a list of containers it
// begins with an empty value of the shape of the last one.
func (e *Values) AddInside() tea.Cmd {
	g, err := e.gapInside()
	switch {
	case err != nil:
		return e.refuse(err, e.AddInside)
	case g.parent.Layout != tree.Sequence:
		return e.insert(g)
	}
	return e.insertLikeLast(g)
}

// AddIn opens an editor for a new value at the end of a container. It begins with an empty value of the
// shape of the last one.
func (e *Values) AddIn(n *tree.Node) tea.Cmd {
	g, err := e.gapIn(n)
	if err != nil {
		return e.refuse(err, func() tea.Cmd { return e.AddIn(n) })
	}
	return e.insertLikeLast(g)
}

// asFloat returns a whole number as a float if it is typed where another value is one.
func asFloat(typed, like string) string {
	_, err := strconv.ParseInt(typed, 10, 64)
	if _, err2 := strconv.ParseFloat(like, 64); err == nil && err2 == nil && strings.Contains(like, ".") {
		return typed + ".0"
	}
	return typed
}

// AddLike opens an editor for a value that a container lacks, under the key that another one has in its. If that one is
// text or a float, so is what is typed.
func (e *Values) AddLike(n, like *tree.Node) tea.Cmd {
	g, err := e.gapIn(n)
	key := e.Explorer.KeyOf(like)
	if key == nil {
		err = cmp.Or(err, errors.New("this row has no such value"))
	}
	if err != nil {
		return e.refuse(err, func() tea.Cmd { return e.AddLike(n, like) })
	}
	x := e.Explorer
	name := ""
	return e.work(jobs.Then(e.failed, func(ctx context.Context, _ *model.Progress) (literal string, err error) {
		if name, err = x.Literal(ctx, key); err == nil {
			literal, err = x.Literal(ctx, like)
		}
		return literal, err
	}, func(literal string) tea.Cmd {
		editor := e.valueEditor(g, name)
		if editor.Like(literal); editor.IsText {
			editor.Hint = x.HintAt(nil, "", true)
		}
		enter := editor.Enter
		editor.Enter = func(typed string, retype bool) tea.Cmd { return enter(asFloat(typed, literal), retype) }
		return e.Open(editor)
	}))
}

// insertLikeLast is insert at the end of a container. The new value begins with the shape of the last
// one, if that is a container, or of the records that an empty list must hold.
func (e *Values) insertLikeLast(g gap) tea.Cmd {
	last, x := e.Explorer.LastIn(g.parent), e.Explorer
	if last != nil && (last.Layout == tree.Leaf || last.Layout == tree.Fixed) {
		return e.insert(g)
	}
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		var literal string
		var err error
		if last == nil {
			literal, err = x.FirstRecord(ctx, g.parent)
		} else {
			literal, err = x.Literal(ctx, last)
		}
		return func() tea.Cmd {
			if err == nil && len(literal) <= maxShape && literals.IsContainer(literal) && (last != nil || strings.Contains(literal, ":")) {
				g.begin = literals.Shape(literal)
			}
			return e.insert(g)
		}
	})
}

// maxShape is the length in bytes of the longest literal whose shape a new value takes.
const maxShape = 16 << 10

// insert opens an editor for a new value, first for its key if it needs one.
func (e *Values) insert(g gap) tea.Cmd {
	switch {
	case g.parent.Layout != tree.Pairs && g.begin != "":
		return e.Open(e.valueEditor(g, ""))
	case g.parent.Layout != tree.Pairs:
		return e.insertUnlessRefused(g)
	}
	return e.keyLike(g, func(like string) tea.Cmd {
		x := e.keyEditor(g, like)
		x.First = true
		x.Enter = func(key string, _ bool) tea.Cmd {
			e.Close(x)
			return e.Open(e.valueEditor(g, key))
		}
		return e.Open(x)
	})
}

// insertUnlessRefused opens an editor for a new value without a key, or says why the gap accepts none. It
// tries a value like the neighbour.
func (e *Values) insertUnlessRefused(g gap) tea.Cmd {
	x, n, like := e.Explorer, e.Explorer.Subject(), e.Doc.Hints().Empty // a root takes any value or none
	if g.deep {
		n = x.LastIn(g.parent)
	}
	if n == nil || n.Depth == 0 || n.Parent != g.parent {
		return e.Open(e.valueEditor(g, ""))
	}
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		err := quickly(ctx, func(ctx context.Context) (err error) {
			if g.parent.Depth > 0 {
				if like, err = x.Literal(ctx, n); err != nil {
					return nil
				}
			}
			return x.CheckInsert(ctx, g.parent, g.index, "", like, edit.Options{})
		})
		return func() tea.Cmd {
			if err == nil || errors.As(err, new(*edit.SyntaxError)) || errors.As(err, new(*edit.TypeError)) {
				return e.Open(e.valueEditor(g, ""))
			}
			return e.failed(err)
		}
	})
}

// keyLike finds the literal of a key next to a gap, or that of an empty text if there is none, and calls
// then with it.
func (e *Values) keyLike(g gap, then func(like string) tea.Cmd) tea.Cmd {
	const emptyText = `""`
	n := e.Explorer.Subject()
	if g.deep {
		n = e.Explorer.LastIn(g.parent)
	} else if n != nil {
		n = e.Explorer.Entry(n)
	}
	if n == nil || e.Explorer.KeyOf(n) == nil {
		return then(emptyText)
	}
	x, key := e.Explorer, e.Explorer.KeyOf(n)
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		like, err := x.Literal(ctx, key)
		if err != nil {
			like = emptyText
		}
		return func() tea.Cmd { return then(like) }
	})
}

// keyEditor returns an editor for the key of a new value. like is a key of the expected type; if it is
// text, plain text is typed.
func (e *Values) keyEditor(g gap, like string) *dialog.Editor {
	x := e.newEditor("new key", like)
	x.IsNew, x.IsKey, x.Above, x.Deep, x.Big = true, true, g.above, g.deep, false
	x.Fill("")
	x.Where, x.Hint = e.Explorer.Path(g.parent), "the key or name of the new entry, a literal"
	if x.IsText {
		x.Hint = "the key of the new entry, a text; ctrl+t for another literal"
	}
	return x
}

// valueEditor returns an editor for a new value.
func (e *Values) valueEditor(g gap, key string) *dialog.Editor {
	x := e.newEditor("new value", "")
	x.IsNew, x.Above, x.Deep, x.Key = true, g.above, g.deep, key
	x.Where, x.Hint = e.Explorer.Path(g.parent)+"["+cmp.Or(key, strconv.FormatInt(g.index, 10))+"]", e.Explorer.HintAt(nil, "", false)
	if g.begin != "" {
		x.Big = true
		x.Fill(g.begin)
	}
	explorer := e.Explorer
	x.Check = func(ctx context.Context, literal string) error {
		return explorer.CheckInsert(ctx, g.parent, g.index, key, literal, edit.Options{})
	}
	x.Enter = func(literal string, retype bool) tea.Cmd {
		return e.MakeTyped(x, e.inserting(g, key, literal, retype))
	}
	return x
}

// inserting returns the insertion of a literal. Unless the value needs a key, it can be repeated at the place
// relative to the selected value that g has.
func (e *Values) inserting(g gap, key, literal string, retype bool) Request {
	r := Request{
		Intend:  func(o edit.Options) model.Intention { return e.Explorer.Insert(g.parent, g.index, key, literal, o) },
		Options: edit.Options{Retype: retype},
	}
	if key != "" {
		return r
	}
	r.Again = func() tea.Cmd {
		here, err := e.gapHere(g.above)
		if g.deep {
			here, err = e.gapInside()
		}
		if err != nil {
			return e.Report(err)
		}
		here.above, here.deep = g.above, g.deep
		return e.Make(e.inserting(here, "", literal, retype))
	}
	return r
}

// Duplicate inserts copies after the selected values.
func (e *Values) Duplicate() tea.Cmd {
	all, err := e.chosen()
	if err != nil {
		return e.refuse(err, e.Duplicate)
	}
	if len(all) > 1 {
		return e.DuplicateThese(all)
	}
	n := all[0]
	double := func(key string) Request {
		return Request{Intend: func(o edit.Options) model.Intention { return e.Explorer.Duplicate(n, key, o) }, Again: e.Duplicate}
	}
	if n.Parent.Layout != tree.Pairs {
		return e.Make(double(""))
	}
	g := gap{parent: n.Parent, index: n.Slot.Index + 1}
	return e.keyLike(g, func(like string) tea.Cmd {
		x := e.keyEditor(g, like)
		x.Enter = func(key string, _ bool) tea.Cmd { return e.MakeTyped(x, double(key)) }
		x.Fill(like)
		x.SelectAll()
		x.Hint = "the copy needs a key of its own"
		return e.Open(x)
	})
}

// DeleteThese deletes values, in one step.
func (e *Values) DeleteThese(all []*tree.Node) tea.Cmd {
	if len(all) == 1 {
		return e.Make(Request{Intend: func(o edit.Options) model.Intention { return e.Explorer.Delete(all[0], o) }, Again: e.Delete})
	}
	return e.Make(Request{
		Intend: func(o edit.Options) model.Intention { return e.Explorer.DeleteThese(all, o) },
		Done:   func() { e.Say("deleted " + span.Counted(int64(len(all)), "value") + "; u undoes it") },
	})
}

// DuplicateThese puts copies of consecutive values after them, in one step.
func (e *Values) DuplicateThese(all []*tree.Node) tea.Cmd {
	if len(all) == 1 {
		return e.Duplicate()
	}
	if areApart(all) {
		return e.Report(errApart)
	}
	if all[0].Parent.Layout == tree.Pairs {
		return e.Say("each copy needs a key of its own: duplicate these one by one")
	}
	return e.Make(Request{Intend: func(o edit.Options) model.Intention { return e.Explorer.DuplicateThese(all, o) }})
}

// Delete deletes the selected values.
func (e *Values) Delete() tea.Cmd {
	all, err := e.chosen()
	if err != nil {
		return e.refuse(err, e.Delete)
	}
	return e.DeleteThese(all)
}

// Move moves the selected values among their neighbours. If there are several, the neighbour moves to
// their other end.
func (e *Values) Move(by int64) tea.Cmd {
	all, err := e.chosen()
	if err != nil {
		return e.refuse(err, func() tea.Cmd { return e.Move(by) })
	}
	n, to := all[0], all[0].Slot.Index+by
	next := to
	if by > 0 {
		next = all[len(all)-1].Slot.Index + by
	}
	switch count := e.Explorer.Count(n.Parent); {
	case areApart(all):
		return e.Report(errApart)
	case to < 0:
		return e.Say("this is the first already")
	case count != tree.Unknown && next >= count:
		return e.Say("this is the last already")
	}
	if len(all) > 1 {
		return e.moveThese(all, next, by)
	}
	return e.Make(Request{
		Intend: func(o edit.Options) model.Intention { return e.Explorer.Move(n, to, o) },
		Again:  func() tea.Cmd { return e.Move(by) },
	})
}

// moveThese moves values by moving the neighbour to their other end. They stay selected.
func (e *Values) moveThese(all []*tree.Node, next, by int64) tea.Cmd {
	first, last := all[0].Slot.Index, all[len(all)-1].Slot.Index
	parent, to := all[0].Parent.Indexes(), first
	if by < 0 {
		to = last
	}
	neighbour, err := e.Explorer.ChildAt(parent, next)
	if err != nil {
		return e.Report(err)
	}
	return e.Make(Request{
		Intend: func(o edit.Options) model.Intention { return e.Explorer.Move(neighbour, to, o) },
		Done: func() {
			e.Report(e.Explorer.ChooseBetween(parent, first+by, last+by))
			e.Say("moved " + span.Counted(int64(len(all)), "value") + "; u undoes it")
		},
	})
}

// Convert writes all values in another dialect.
func (e *Values) Convert(to string) tea.Cmd {
	return e.Make(Request{
		Intend: func(edit.Options) model.Intention { return e.Explorer.Convert(to) },
		Done: func() {
			if decoder.IsOutdated(to) {
				e.Say("converted to " + to + ", which the current version of the library itself cannot read; u undoes it")
			}
		},
	})
}
