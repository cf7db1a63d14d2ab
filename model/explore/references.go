package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/literals"
)

// A target is what a reference leads to.
type target struct {
	node *tree.Node // nil if the reference leads nowhere
	path string
}

const (
	// maxTargets is the number of targets of references that are kept.
	maxTargets = 4096

	// targetBudget is the number of values that looking up a target for a row may pass over: about as many
	// as lie between two positions in the index. A frame has some dozens of rows.
	targetBudget = 20_000
)

// target finds the target of a reference; ok is false while it is unknown.
func (x *Explorer) target(v *tree.Value) (t target, ok bool) {
	if t, ok := x.targets[v.Sub]; ok {
		return t, true
	}
	defer x.spend(targetBudget)()
	n, err := x.numbered(v)
	switch {
	case errors.Is(err, tree.ErrNoChild):
		return target{}, true
	case err != nil:
		return t, false
	}
	t = target{n, x.Path(n)}
	if len(x.targets) == maxTargets {
		clear(x.targets)
	}
	x.targets[v.Sub] = t
	return t, true
}

// numbered returns the value that a reference leads to. Only values that begin before the reference have
// numbers for it.
func (x *Explorer) numbered(v *tree.Value) (*tree.Node, error) {
	if v.Serial != tree.NoSerial && v.Sub >= v.Serial {
		return nil, tree.ErrNoChild
	}
	return x.read.Numbered(v.Sub)
}

// spend lets look-ups pass over at most so many values, until the function that it returns is called.
func (x *Explorer) spend(most int) (done func()) {
	budget := x.read.Budget
	x.read.Budget = min(budget, most)
	return func() { x.read.Budget = budget }
}

// Follow goes from the selected reference to its target; ok is false if no reference is selected.
func (x *Explorer) Follow() (ok bool, err error) {
	from := x.row
	if !x.Refers() {
		return false, nil
	}
	return true, x.do(func() error {
		to, err := x.numbered(&from.Value)
		if errors.Is(err, tree.ErrNoChild) {
			return fmt.Errorf("this leads nowhere: nothing before it has the number %d", from.Sub)
		}
		if err == nil {
			err = x.goInto(to)
		}
		if err == nil {
			x.followed(from)
		}
		return err
	})
}

// Refers reports whether the selected row is a reference.
func (x *Explorer) Refers() bool { return !x.inBytes && x.row != nil && x.row.Refers }

// LacksSchema reports whether the selected row is a struct whose schema is missing.
func (x *Explorer) LacksSchema() bool {
	return !x.inBytes && x.row != nil && isWithoutSchema(x.row)
}

// isReferred reports whether a reference leads to the value, as far as the file has been read.
func (x *Explorer) isReferred(n *tree.Node) bool {
	return n.Numbered && n.Serial != tree.NoSerial && x.Buffer.Tree().IsReferred(n.Serial)
}

// notes returns what a value refers to, or what refers to it, in about limit bytes.
func (x *Explorer) notes(n *tree.Node, limit int) []string {
	switch {
	case n.Refers:
		switch t, ok := x.target(&n.Value); {
		case !ok:
			return []string{fmt.Sprintf("enter jumps to number %d", n.Sub)}
		case t.node == nil:
			return []string{fmt.Sprintf("leads nowhere: nothing before it has the number %d", n.Sub)}
		default:
			return []string{"enter jumps to " + t.path}
		}
	case x.isReferred(n):
		return []string{x.referrers(n.Serial, limit)}
	case n.Numbered && n.Serial != tree.NoSerial:
		return []string{fmt.Sprintf("number %d", n.Serial)}
	}
	if a, ok := x.read.Tree.Reading.(tree.Described); ok {
		return a.Notes(&n.Value)
	}
	if said := x.Link(); said != "" {
		return []string{"enter jumps to " + said}
	}
	if x.Buffer.IsWrapper() && !x.Buffer.IsPart(&n.Value) && x.IsEntrance() {
		return []string{"enter jumps to it in the buffer inside, to edit it"}
	}
	return nil
}

// referrers lists the first references to a number: "number 3, referred to by 2: $.a, $.b".
func (x *Explorer) referrers(serial uint32, limit int) string {
	const most = 12 // references that are looked up for each frame
	defer x.spend(targetBudget)()
	at, all := x.Buffer.Tree().Referrers(serial, most)
	var paths []string
	text := fmt.Sprintf("number %d, referred to by %s", serial, span.Grouped(int64(all)))
	left := limit - len(text)
	for _, off := range at {
		if left < 0 {
			break
		}
		if n, err := x.read.At(off); err == nil && n.Refers {
			paths = append(paths, x.Path(n))
			left -= len(paths[len(paths)-1]) + len(", ")
		}
	}
	if len(paths) > 0 {
		text += ": " + strings.Join(paths, ", ")
		if len(paths) < all {
			text += ", …"
		}
	}
	return text
}

// NextReferrer goes to the next reference to the selected value, or from a reference to the next one with
// the same target, after the last to the first. It is the i-th of all; all is 0 if nothing refers to the
// value, as far as it has been read. Back returns to where the first step began.
func (x *Explorer) NextReferrer() (i, all int, err error) {
	from := x.row
	serial, ok := x.referredSerial()
	if !ok {
		return 0, 0, nil
	}
	at, all := x.Buffer.Tree().Referrers(serial, math.MaxInt)
	if all == 0 {
		return 0, 0, nil
	}
	slices.Sort(at)
	if from.Refers {
		if i, ok = slices.BinarySearch(at, from.Start); ok {
			i = (i + 1) % all
		}
		i %= all
	}
	return i + 1, all, x.do(func() error {
		to, err := x.read.At(at[i])
		if err == nil {
			err = x.goToValue(to)
		}
		if err == nil {
			if !from.Same(x.cycling) {
				x.followed(from)
			}
			x.cycling = to
		}
		return err
	})
}

// CountsReferences reports whether what refers to a value is known: some references are only looked up when
// they are followed.
func (x *Explorer) CountsReferences() bool {
	_, ok := x.read.Tree.Reading.(format.Linker)
	return !ok
}

// referredSerial returns the number of the selected value, or of the value that it refers to.
func (x *Explorer) referredSerial() (serial uint32, ok bool) {
	switch n := x.row; {
	case x.inBytes || n == nil:
		return 0, false
	case n.Refers:
		return n.Sub, true
	default:
		return n.Serial, n.Numbered && n.Serial != tree.NoSerial
	}
}

// IsReferred reports whether NextReferrer leads from the selected value to another: it is a target, or
// one of the references that NextReferrer is going through.
func (x *Explorer) IsReferred() bool {
	n := x.row
	return !x.inBytes && n != nil && (x.isReferred(n) || n.Refers && n.Same(x.cycling))
}

// Link describes the target of the selected value, if that is looked for only when the user goes there;
// "" if there is none.
func (x *Explorer) Link() string {
	l, ok := x.Buffer.Tree().Reading.(format.Linker)
	if !ok || x.inBytes || x.row == nil || x.row.Depth == 0 {
		return ""
	}
	return l.Link(x.read, x.row)
}

// fillLink fills in the target of a value that is another value's id, if the target is found at once.
func (x *Explorer) fillLink(r *Row, n *tree.Node, id string) {
	l, ok := x.Buffer.Tree().Reading.(format.Linker)
	if !ok || l.Link(x.read, n) == "" {
		return
	}
	defer x.spend(tree.LookUpBudget)()
	to, err := l.Follow(context.Background(), x.read, n)
	if err != nil || to == nil {
		return
	}
	which, name := x.Path(to), "(id "+id+")"
	if _, named := literals.Label(x.read.Step(to)); !named && to.Depth > 1 { // an element of a list
		which = fmt.Sprintf("#%d", to.Slot.Index)
		r.Preview, _ = literals.Label(x.read.Step(to.Parent))
		name = cmp.Or(x.nameOf(to), name)
	}
	r.Kind, r.Value = RowReference, "→ "+which+" "+name
}

// nameOf returns the text by which a person knows a record: the first that is called a name or a title, or else the first that
// says more than what it is and how references find it; "" if there is none.
func (x *Explorer) nameOf(n *tree.Node) (text string) {
	x.eachMember(n, func(name string, m *tree.Node) bool {
		isName := strings.Contains(name, "name") || strings.Contains(name, "title")
		if x.read.Plain(&m.Value).Kind == tree.Text && (isName || text == "" && !slices.Contains([]string{"type", "id", "uid"}, name)) {
			text = x.literal(m, maxCell)
			return !isName
		}
		return true
	})
	return text
}

// Piece returns the piece of another buffer's content in which the cursor is; ok is false if it is in
// none.
func (x *Explorer) Piece() (p format.Piece, ok bool) { return x.Buffer.Piece(x.place()) }

// IsHeld reports whether the selected value is also in a buffer inside.
func (x *Explorer) IsHeld() bool {
	p, ok := x.Piece()
	return ok && x.Buffer.IsWrapper() && !p.IsNear
}

// IsEntrance reports whether the selected value is where the content of a wrapper begins in its tree, or
// a value there without children: this buffer has nothing more to show of it.
func (x *Explorer) IsEntrance() bool {
	n := x.Subject()
	return n != nil && n.Depth > 0 && x.IsHeld() && (!CanOpen(n) || !x.Buffer.IsPart(&n.Value) && x.Buffer.IsPart(&n.Parent.Value))
}
