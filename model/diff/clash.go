package diff

import (
	"fmt"
	"slices"

	"varview/decoder/engine/tree"
	"varview/model/compare"
)

// A Conflict is a value that both files have changed, either in different ways or so that it is not
// certain what the two changes together mean.
type Conflict struct {
	Path               string    // path in the common base; for an added value, in theirs
	Elements           *Elements // elements of the list at the path; nil if the conflict is about the whole value
	Base, Ours, Theirs string    // literals; "" if there is no such value
	Why                string

	Choice   Choice
	Possible []Choice // choices that are possible
}

// Elements is a range of list elements that a conflict is about, by their indexes in the base. To is not
// included: if it equals From, both sides have added elements there.
type Elements struct{ From, To int64 }

// Place returns what the conflict is about: the path of a value, and in a list also the elements in
// question.
func (c *Conflict) Place() string {
	switch e := c.Elements; {
	case e == nil:
		return c.Path
	case e.From == e.To:
		return fmt.Sprintf("%s before [%d]", c.Path, e.From)
	case e.From+1 == e.To:
		return fmt.Sprintf("%s[%d]", c.Path, e.From)
	default:
		return fmt.Sprintf("%s[%d] to [%d]", c.Path, e.From, e.To-1)
	}
}

// Choice says with which value a conflict is resolved.
type Choice uint8

// The choices. Without a choice, our value stays.
const (
	NotChosen Choice = iota
	KeepOurs
	TakeTheirs
	TakeBase
)

// A clash is what a conflict is about: a block of a list, or one value in each of the three files, nil in
// a file that lacks it.
type clash struct {
	block              *block
	base, ours, theirs *tree.Node
	why                string
	renamed            bool // only the keys of the values count

	in     *tree.Node // value of the base around a value that the base lacks
	before int64      // roughly the child of in before which it would be
}

// clashAt identifies a clash about a value of the base.
type clashAt struct {
	place   tree.ID
	renamed bool
	from    int64 // first element of a block; otherwise -1
}

// A choice decides a clash: for the value of theirs, or of the base.
type choice struct {
	*clash
	isBase bool
}

// first returns a clash, unless there already is one about the same value.
func (m *merging) first(x *clash) (*clash, bool, error) {
	at := clashAt{x.base.ID(), x.renamed, -1}
	if m.clashes[at] {
		return nil, true, nil
	}
	m.clashes[at] = true
	return x, false, nil
}

// add records a conflict and returns the choice for it.
func (m *merging) add(x *clash) Choice {
	c := m.describe(x)
	c.Possible = m.possible(x)
	if m.choose != nil {
		if c.Choice = m.choose(&c); !slices.Contains(c.Possible, c.Choice) {
			c.Choice = NotChosen
		}
	}
	if (c.Choice == TakeTheirs || c.Choice == TakeBase) && x.ours != nil && x.base != nil && !x.renamed {
		m.replaced[x.base.ID()] = true
	}
	m.conflicts = append(m.conflicts, c)
	return c.Choice
}

// possible returns the possible choices for a clash.
func (m *merging) possible(x *clash) []Choice {
	all := []Choice{KeepOurs}
	if x.block != nil {
		if m.canTakeBlock(m.to, x.block, theirsSide) {
			all = append(all, TakeTheirs)
		}
		if m.canTakeBlock(m.base, x.block, baseSide) {
			all = append(all, TakeBase)
		}
		return all
	}
	if m.canTake(m.to, x.theirs) && (x.base == nil || x.base.Parent != nil) {
		all = append(all, TakeTheirs)
	}
	if x.base != nil && x.base.Parent != nil && m.canTake(m.base, x.base) || x.base == nil && x.ours != nil {
		all = append(all, TakeBase)
	}
	return all
}

func (m *merging) canTakeBlock(r *tree.Reader, b *block, side int) bool {
	values, err := b.values(r, side)
	return err == nil && !slices.ContainsFunc(values, func(n *tree.Node) bool { return !m.canTake(r, n) })
}

// canTake reports whether a value can be put into this file as a literal. One with references cannot:
// they would lead elsewhere.
func (m *merging) canTake(r *tree.Reader, n *tree.Node) bool { return n == nil || !m.refers(r, n) }

// describe returns a clash as text.
func (m *merging) describe(x *clash) Conflict {
	if x.block != nil {
		return m.describeBlock(x.block)
	}
	c := Conflict{Why: x.why}
	literal := func(r *tree.Reader, n *tree.Node) string {
		if n == nil {
			return ""
		}
		return string(r.AppendLiteral(nil, &n.Value, shownConflict))
	}
	if x.renamed {
		literal = func(r *tree.Reader, n *tree.Node) string { return r.Path(n) }
	}
	if c.Base = literal(m.base, x.base); x.base != nil {
		c.Path = m.base.Path(x.base)
	} else {
		c.Path = m.to.Path(x.theirs)
	}
	c.Ours, c.Theirs = literal(m.ours, x.ours), literal(m.to, x.theirs)
	return c
}

// describeBlock returns the contested part of a list as text.
func (m *merging) describeBlock(b *block) Conflict {
	literals := func(r *tree.Reader, side int) string {
		var text []byte
		for i := b.begin[side]; i < b.end[side] && len(text) < shownConflict; i++ {
			if i > b.begin[side] {
				text = append(text, ", "...)
			}
			if n, err := r.Child(b.lists[side], i); err == nil {
				text = r.AppendLiteral(text, &n.Value, shownConflict)
			}
		}
		return string(text)
	}
	return Conflict{Path: m.base.Path(b.lists[baseSide]), Elements: &Elements{b.from, b.to}, Why: b.why,
		Base: literals(m.base, baseSide), Ours: literals(m.ours, oursSide), Theirs: literals(m.to, theirsSide)}
}

// shownConflict is the number of bytes of a literal that are shown of a conflict.
const shownConflict = 1 << 10

// failed records a change that cannot be made as a conflict.
func (m *merging) failed(c *compare.Change, err error) error {
	if m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	x := &clash{base: c.A, theirs: c.B, why: err.Error()}
	if c.A != nil {
		if n, err := m.counterpart(c.A); err == nil {
			x.ours = n
		}
	}
	fixed := m.describe(x)
	if fixed.Possible = []Choice{KeepOurs}; m.choose != nil && m.choose(&fixed) == KeepOurs {
		fixed.Choice = KeepOurs
	}
	m.conflicts = append(m.conflicts, fixed)
	return nil
}

// isReplaced reports whether a value of the base lies in one that is replaced as a whole.
func (m *merging) isReplaced(n *tree.Node) bool {
	for ; n != nil; n = n.Parent {
		if m.replaced[n.ID()] {
			return true
		}
	}
	return false
}

// dropOurs records that a child that only we have added is to be removed.
func (m *merging) dropOurs(in *tree.Node, index int64) error {
	g, err := m.group(in)
	if err != nil {
		return err
	}
	at := g.in.ID()
	if !slices.Contains(m.extra[at], index) { // theirs can have its key twice
		m.extra[at] = append(m.extra[at], index)
	}
	return nil
}

// makeChosen replaces our value by the chosen one, or records that children are to be added or removed
// for it.
func (m *merging) makeChosen(x choice) error {
	from, to, side := m.becoming, x.theirs, theirsSide
	if x.isBase {
		from, to, side = m.asBase(), x.base, baseSide
	}
	if x.block != nil {
		return m.take(x.block, from, side)
	}
	in := x.in
	if x.base != nil {
		in = x.base.Parent
	}
	if m.isReplaced(in) {
		return nil // done with the value around it
	}
	c := &compare.Change{A: x.base, B: to, InA: in, Before: x.before}
	m.ofBase[c] = x.isBase
	switch {
	case x.renamed:
		c.Kind = compare.Renamed
	case x.ours != nil && to != nil:
		if err := from.set(m.ctx, m.ours.Path(x.ours), to); err != nil {
			return m.failed(c, err)
		}
		return nil
	case x.ours != nil && x.base == nil:
		return m.dropOurs(in, x.ours.Slot.Index)
	case x.ours != nil:
		c.Kind = compare.Removed
	case x.base != nil: // we have removed it
		c.Kind, c.Before = compare.Added, x.base.Slot.Index+1
	}
	g, err := m.group(in)
	if err == nil {
		g.changes = append(g.changes, c)
	}
	return err
}
