package edits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	dialog.Spot
	begin string // the literal of a container with which a new value begins; "" for none
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
	g := gap{parent: n.Parent, index: n.Slot.Index, Spot: dialog.Spot{Above: before}}
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
	return e.gapIn(e.Explorer.Part(n))
}

// gapIn returns the gap after the last child of a value, or of its parent if the value has no children.
func (e *Values) gapIn(n *tree.Node) (gap, error) {
	g := gap{parent: n, Spot: dialog.Spot{Deep: true}}
	if n.Layout == tree.Leaf {
		g = gap{parent: n.Parent, Spot: dialog.Spot{Last: true}}
	}
	if g.index = e.Explorer.Count(g.parent); g.index == tree.Unknown {
		return g, errUnread
	}
	return g, nil
}

// Add adds a value before or after the selected one.
func (e *Values) Add(before bool) tea.Cmd {
	return with(e, func() (gap, error) { return e.gapHere(before) }, e.insertNew)
}

// AddInside adds a value at the end of the selected one.
func (e *Values) AddInside() tea.Cmd { return with(e, e.gapInside, e.insertNew) }

// insertNew inserts a value that in a list, apart from one that is the root and has the value beside it, begins as the last one.
func (e *Values) insertNew(g gap) tea.Cmd {
	if g.parent.Layout == tree.Sequence && (g.Deep || g.Last || g.parent.Depth > 0) {
		return e.insertLikeLast(g)
	}
	return e.insert(g)
}

// AddIn opens an editor for a new value at the end of a container. It begins with an empty value of the
// shape of the last one.
func (e *Values) AddIn(n *tree.Node) tea.Cmd {
	return with(e, func() (gap, error) { return e.gapIn(n) }, e.insertLikeLast)
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
	return with(e, func() (gap, error) { return e.gapIn(n) }, func(g gap) tea.Cmd { return e.addLike(g, like) })
}

func (e *Values) addLike(g gap, like *tree.Node) tea.Cmd {
	x, name := e.Explorer, ""
	key := x.KeyOf(like)
	if key == nil {
		return e.Report(errors.New("this row has no such value"))
	}
	return e.work(jobs.Then(e.Failed, func(ctx context.Context, _ *model.Progress) (literal string, err error) {
		if name, err = x.Literal(ctx, key); err == nil {
			literal, err = x.Literal(ctx, like)
		}
		return literal, err
	}, func(literal string) tea.Cmd {
		editor := e.valueEditor(g, name, literal)
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
		literal, err := "", error(nil)
		if last == nil {
			literal, err = x.Buffer.FirstRecord(ctx, g.parent)
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
		return e.Open(e.valueEditor(g, "", ""))
	case g.parent.Layout != tree.Pairs:
		return e.insertUnlessRefused(g)
	}
	return e.askKey(g, func(x *dialog.Editor, _ string) {
		x.First = true
		x.Enter = func(key string, _ bool) tea.Cmd {
			e.Close(x)
			return e.Open(e.valueEditor(g, key, ""))
		}
	})
}

// insertUnlessRefused opens an editor for a new value without a key, or says why the gap accepts none. It
// tries a value like the neighbour.
func (e *Values) insertUnlessRefused(g gap) tea.Cmd {
	x, n, near := e.Explorer, e.Explorer.Subject(), ""
	if g.Deep {
		n = x.LastIn(g.parent)
	}
	if n == nil || n.Depth == 0 || n.Parent != g.parent {
		return e.Open(e.valueEditor(g, "", ""))
	}
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		err := quickly(ctx, func(ctx context.Context) (err error) {
			if near, err = x.Literal(ctx, n); err != nil {
				return nil
			}
			like := near
			if g.parent.Depth == 0 {
				like = e.Doc.Hints().Empty // a root takes any value or none
			}
			return x.CheckInsert(ctx, g.parent, g.index, "", like)
		})
		return func() tea.Cmd {
			if err == nil || errors.As(err, new(*edit.SyntaxError)) || errors.As(err, new(*edit.TypeError)) {
				return e.Open(e.valueEditor(g, "", near))
			}
			if g.Deep {
				err = fmt.Errorf("%w; e edits it, a adds a value beside it", err)
			}
			return e.Failed(err)
		}
	})
}

// askKey opens an editor for the key of a new value, which prepare completes. It takes a key like that next to the gap, or a
// text if there is none.
func (e *Values) askKey(g gap, prepare func(x *dialog.Editor, like string)) tea.Cmd {
	n, x := e.Explorer.Subject(), e.Explorer
	if g.Deep {
		n = x.LastIn(g.parent)
	} else if n != nil {
		n = x.Entry(n)
	}
	open := func(like string) tea.Cmd {
		editor := e.keyEditor(g, like)
		prepare(editor, like)
		return e.Open(editor)
	}
	const emptyText = `""`
	if n == nil || x.KeyOf(n) == nil {
		return open(emptyText)
	}
	return e.work(func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		like, err := x.Literal(ctx, x.KeyOf(n))
		if err != nil {
			like = emptyText
		}
		return func() tea.Cmd { return open(like) }
	})
}

// keyEditor returns an editor for the key of a new value. like is a key of the expected type; if it is
// text, plain text is typed.
func (e *Values) keyEditor(g gap, like string) *dialog.Editor {
	x := e.newEditor("new key", like)
	x.IsNew, x.IsKey, x.Spot, x.Big = true, true, g.Spot, false
	x.Fill("")
	x.Where, x.Hint = e.Explorer.Path(g.parent), "the key or name of the new entry, a literal"
	if x.IsText {
		x.Hint = "the key of the new entry, a text; ctrl+t for another literal"
	}
	return x
}

// valueEditor returns an editor for a new value. If one like it has the literal of a text, plain text is typed.
func (e *Values) valueEditor(g gap, key, like string) *dialog.Editor {
	x := e.newEditor("new value", "")
	x.Like(like)
	x.IsNew, x.Spot, x.Key = true, g.Spot, key
	x.Where, x.Hint = e.Explorer.Path(g.parent)+"["+cmp.Or(key, strconv.FormatInt(g.index, 10))+"]", e.Explorer.HintAt(nil, "", x.IsText)
	if g.begin != "" {
		x.Big = true
		x.Fill(g.begin)
		x.SelectValue(-1)
	}
	explorer := e.Explorer
	x.Check = func(ctx context.Context, literal string) (*model.Tried, error) {
		return nil, explorer.CheckInsert(ctx, g.parent, g.index, key, literal)
	}
	x.Enter = func(literal string, retype bool) tea.Cmd {
		return e.MakeTyped(x, e.inserting(g, key, literal, retype))
	}
	return x
}

// inserting returns the insertion of a literal. Unless the value needs a key, it can be repeated at the place
// relative to the selected value that g has.
func (e *Values) inserting(g gap, key, literal string, retype bool) Request {
	r := Request{Intention: e.Explorer.Insert(g.parent, g.index, key, literal)}
	if r.Options.Retype = retype; key != "" {
		return r
	}
	r.Again = func() tea.Cmd {
		here, err := e.gapHere(g.Above)
		if g.Deep {
			here, err = e.gapInside()
		}
		if err != nil {
			return e.Report(err)
		}
		here.Spot = g.Spot
		return e.Make(e.inserting(here, "", literal, retype))
	}
	return r
}

// Duplicate inserts copies after the selected values.
func (e *Values) Duplicate() tea.Cmd { return with(e, e.chosen, e.DuplicateThese) }

func (e *Values) duplicate(n *tree.Node) tea.Cmd {
	double := func(key string) Request {
		return Request{Intention: e.Explorer.Duplicate(n, key), Again: e.Duplicate}
	}
	if n.Parent.Layout != tree.Pairs {
		return e.Make(double(""))
	}
	g := gap{parent: n.Parent, index: n.Slot.Index + 1}
	return e.askKey(g, func(x *dialog.Editor, like string) {
		x.Enter = func(key string, _ bool) tea.Cmd { return e.MakeTyped(x, double(key)) }
		x.Fill(like)
		x.SelectAll()
		x.Hint = "the copy needs a key of its own"
	})
}

// DeleteThese deletes values, in one step.
func (e *Values) DeleteThese(all []*tree.Node) tea.Cmd {
	r := Request{Intention: e.Explorer.DeleteThese(all)}
	if len(all) == 1 {
		r.Again = e.Delete
	}
	return e.Make(r)
}

// DuplicateThese puts copies of consecutive values after them, in one step.
func (e *Values) DuplicateThese(all []*tree.Node) tea.Cmd {
	switch {
	case len(all) == 1:
		return e.duplicate(all[0])
	case areApart(all):
		return e.Report(errApart)
	case all[0].Parent.Layout == tree.Pairs:
		return e.Say("each copy needs a key of its own: duplicate these one by one")
	}
	return e.Make(Request{Intention: e.Explorer.DuplicateThese(all)})
}

// Move moves the selected values among their neighbours. If there are several, the neighbour moves to
// their other end.
func (e *Values) Move(by int64) tea.Cmd {
	return with(e, e.chosen, func(all []*tree.Node) tea.Cmd { return e.move(all, by) })
}

func (e *Values) move(all []*tree.Node, by int64) tea.Cmd {
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
	return e.Make(Request{Intention: e.Explorer.Move(n, to), Again: func() tea.Cmd { return e.Move(by) }})
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
		Intention: e.Explorer.Move(neighbour, to),
		Done: func() {
			e.Report(e.Explorer.ChooseBetween(parent, first+by, last+by))
			e.Say("moved " + span.Counted(int64(len(all)), "value") + "; u undoes it")
		},
	})
}

// Convert writes all values in another dialect.
func (e *Values) Convert(to string) tea.Cmd {
	return e.Make(Request{Intention: e.Explorer.Convert(to), Done: func() {
		if decoder.IsOutdated(to) {
			e.Say("converted to " + to + ", which the current version of the library itself cannot read; u undoes it")
		}
	}})
}
