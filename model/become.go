package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model/compare"
	"varview/model/literals"
	"varview/model/patch"
)

// becomeRounds is the number of times that what still differs is edited: the values that
// differ, then the references in what was put in, and, where that is not enough, in turn what
// is around them and again the references.
const becomeRounds = 8

// Become makes the edits after which the values mean the same as those of another tree. The
// error names the first value that cannot be made so.
func (t *Transaction) Become(ctx context.Context, to *tree.Tree, o compare.Options) error {
	var failed error
	for round := range becomeRounds {
		var changes []*compare.Change
		err := compare.Trees(ctx, t.now.tree, to, o, func(c *compare.Change) error {
			if !c.Note {
				changes = append(changes, c)
			}
			return nil
		})
		if err != nil || len(changes) == 0 {
			return err
		}
		failed = fmt.Errorf("%s cannot be made what it is in the other file", changes[0].Path)
		if slices.ContainsFunc(changes, isOfBareValue) {
			return errOneValue
		}
		b := &becoming{t, to.NewReader()}
		if round < 2 || round%2 == 1 {
			err = b.change(ctx, changes)
		} else {
			err = b.replace(ctx, changes[0], round/2)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = fmt.Errorf("%s: %w", changes[0].Path, err)
		}
	}
	return failed
}

var errOneValue = errors.New("the files hold different numbers of values, and one bare value cannot become several")

// isOfBareValue reports whether a change is about how many values a buffer holds that has
// room for one.
func isOfBareValue(c *compare.Change) bool {
	return c.Kind != compare.Changed && c.InA.Depth == 0 && c.InA.Count == 1
}

// becoming makes the edits of one round.
type becoming struct {
	*Transaction
	to *tree.Reader
}

// change makes the changes one by one: what is inside values first, then which children they
// have, the innermost first, so that the paths stay as they are; then what references lead
// to. What cannot be done is left, and the first error returned.
func (b *becoming) change(ctx context.Context, changes []*compare.Change) error {
	var first error
	try := func(err error) {
		if first == nil {
			first = err
		}
	}
	var values, references []*compare.Change
	groups := map[placeIn]*siblings{}
	for _, c := range changes {
		switch {
		case c.Kind != compare.Changed:
			at := placeIn{c.InA.Start, c.InA.Depth}
			if groups[at] == nil {
				groups[at] = &siblings{in: c.InA, path: b.path(c.InA)}
			}
			groups[at].changes = append(groups[at].changes, c)
		case c.B.Refers:
			references = append(references, c)
			fallthrough
		case c.A.Refers: // so that what it leads to can be removed
			try(b.unlink(ctx, c))
			if !c.B.Refers {
				values = append(values, c)
			}
		default:
			values = append(values, c)
		}
	}
	for _, c := range values {
		try(b.set(ctx, c.Path, c.B))
	}
	ordered := slices.SortedFunc(maps.Values(groups), func(x, y *siblings) int {
		return cmp.Or(cmp.Compare(y.in.Depth, x.in.Depth), cmp.Compare(x.in.Start, y.in.Start))
	})
	for _, g := range ordered {
		try(b.rearrange(ctx, g))
	}
	for _, c := range references {
		path := c.NewPath
		if path == "" {
			path = c.Path
		}
		try(b.set(ctx, path, c.B))
	}
	return first
}

// unlink puts an empty value in place of a reference.
func (b *becoming) unlink(ctx context.Context, c *compare.Change) error {
	if !c.A.Refers {
		return nil
	}
	n, err := b.read.Resolve(c.Path)
	if err != nil {
		return err
	}
	return b.Set(ctx, n, edit.Content{Literal: b.doc.Hints().Empty}, edit.Options{Retype: true})
}

// replace gives a value around what still differs that of the other tree: the nearest first,
// then those around it.
func (b *becoming) replace(ctx context.Context, c *compare.Change, levels int) error {
	in, to := c.InA, c.InB
	for range levels - 1 {
		if in.Depth > 1 && to.Depth > 1 {
			in, to = in.Parent, to.Parent
		}
	}
	if in.Depth == 0 || to.Depth == 0 {
		return errOneValue
	}
	return b.set(ctx, b.path(in), to)
}

// set gives the value at a path that of a node of the other tree.
func (b *becoming) set(ctx context.Context, path string, to *tree.Node) error {
	n, err := b.read.Resolve(path)
	if err != nil {
		return err
	}
	literal, err := unlinkedLiteral(ctx, b.to.Tree, to)
	if err != nil {
		return longError(err)
	}
	return b.Set(ctx, n, edit.Content{Literal: literal}, edit.Options{Retype: true})
}

func longError(err error) error {
	if err == literals.ErrLong {
		return fmt.Errorf("more than %d KiB of text", patch.MaxLiteral>>10)
	}
	return err
}

// A placeIn identifies a value.
type placeIn struct {
	start int64
	depth int
}

// siblings are the changes of which children a value has.
type siblings struct {
	in      *tree.Node
	path    string
	changes []*compare.Change
}

// of returns the changes of a kind, in the order of b for what is there and else of a.
func (g *siblings) of(k compare.Kind) (found []*compare.Change) {
	for _, c := range g.changes {
		if c.Kind == k {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(x, y *compare.Change) int {
		if x.B != nil {
			return int(x.B.Slot.Index - y.B.Slot.Index)
		}
		return int(x.A.Slot.Index - y.A.Slot.Index)
	})
	return found
}

// rearrange gives a value the children that it has in the other tree, in their order.
func (b *becoming) rearrange(ctx context.Context, g *siblings) error {
	removed, moved := g.of(compare.Removed), g.of(compare.Moved)
	gone := make([]int64, 0, len(removed))
	for _, c := range slices.Backward(removed) {
		if err := b.deleteChild(ctx, g.path, c.A.Slot.Index); err != nil {
			return err
		}
		gone = append(gone, c.A.Slot.Index)
	}
	slices.Sort(gone)
	for _, c := range g.of(compare.Renamed) {
		before, _ := slices.BinarySearch(gone, c.A.Slot.Index)
		if err := b.rename(ctx, g.path, c.A.Slot.Index-int64(before), c.B); err != nil {
			return err
		}
	}
	added := g.of(compare.Added)
	if len(moved) > 0 {
		if err := b.move(ctx, g, gone, moved, added); err != nil {
			return err
		}
	}
	for _, c := range added {
		if err := b.insert(ctx, g.path, c.B); err != nil {
			return err
		}
	}
	return nil
}

func (b *becoming) deleteChild(ctx context.Context, path string, index int64) error {
	n, err := b.read.Resolve(path)
	if err != nil {
		return err
	}
	if n, err = b.read.Child(n, index); err != nil {
		return err
	}
	return b.Delete(ctx, n, edit.Options{})
}

func (b *becoming) rename(ctx context.Context, path string, index int64, to *tree.Node) error {
	in, err := b.read.Resolve(path)
	if err != nil {
		return err
	}
	n, err := b.read.Child(in, index)
	if err != nil {
		return err
	}
	key := b.read.Key(n)
	if key == nil {
		return errors.New("its name is not in the file")
	}
	literal, err := b.keyLiteral(ctx, to)
	if err != nil {
		return err
	}
	return b.Set(ctx, key, edit.Content{Literal: literal}, edit.Options{Retype: true})
}

// keyLiteral returns the literal of the key or name of a value of the other tree, "" where it
// has none.
func (b *becoming) keyLiteral(ctx context.Context, n *tree.Node) (string, error) {
	key := b.to.Key(n)
	if key != nil {
		literal, err := literals.Full(ctx, b.to.Tree, key)
		return literal, longError(err)
	}
	if step := b.to.Step(n); step != "" && !isIndexStep(step) {
		return keyLiteral(step), nil
	}
	return "", nil
}

func isIndexStep(step string) bool {
	_, is := indexOf(step)
	return is
}

func (b *becoming) insert(ctx context.Context, path string, n *tree.Node) error {
	return b.insertAt(ctx, path, n.Slot.Index, n)
}

// insertAt puts a value of the other tree into the one at a path, before a child.
func (b *becoming) insertAt(ctx context.Context, path string, index int64, n *tree.Node) error {
	in, err := b.read.Resolve(path)
	if err != nil {
		return err
	}
	literal, err := unlinkedLiteral(ctx, b.to.Tree, n)
	if err != nil {
		return longError(err)
	}
	key, err := b.keyLiteral(ctx, n)
	if err != nil {
		return err
	}
	count, err := b.childCount(in)
	if err != nil {
		return err
	}
	return b.Insert(ctx, in, min(index, count), edit.Content{Key: key, Literal: literal}, edit.Options{})
}

// move moves elements to where they are in the other tree, apart from what is added later.
func (b *becoming) move(ctx context.Context, g *siblings, gone []int64, moved, added []*compare.Change) error {
	in, err := b.read.Resolve(g.path)
	if err != nil {
		return err
	}
	left, err := b.childCount(in)
	if err != nil {
		return err
	}
	isMoved, target := map[int64]bool{}, map[int64]int64{} // by index in a, and in b
	for _, c := range moved {
		isMoved[c.A.Slot.Index], target[c.B.Slot.Index] = true, c.A.Slot.Index
	}
	isAdded := map[int64]bool{}
	for _, c := range added {
		isAdded[c.B.Slot.Index] = true
	}
	var now, stay []int64 // indexes in a: of all that are left, and of those that are not moved
	for i, k := int64(0), 0; int64(len(now)) < left; i++ {
		if k < len(gone) && gone[k] == i {
			k++
			continue
		}
		now = append(now, i)
		if !isMoved[i] {
			stay = append(stay, i)
		}
	}
	before := int64(-1) // index in a of the element before, in the order of b
	for j := int64(0); j < int64(len(now)+len(added)); j++ {
		if isAdded[j] {
			continue
		}
		i, ok := target[j]
		if !ok {
			if len(stay) == 0 {
				break
			}
			before, stay = stay[0], stay[1:]
			continue
		}
		from := slices.Index(now, i)
		now = slices.Delete(now, from, from+1)
		to := slices.Index(now, before) + 1
		now = slices.Insert(now, to, i)
		before = i
		if from == to {
			continue
		}
		if err := b.moveChild(ctx, g.path, int64(from), int64(to)); err != nil {
			return err
		}
	}
	return nil
}

func (b *becoming) moveChild(ctx context.Context, path string, from, to int64) error {
	in, err := b.read.Resolve(path)
	if err != nil {
		return err
	}
	n, err := b.read.Child(in, from)
	if err != nil {
		return err
	}
	return b.Move(ctx, n, to, edit.Options{})
}
