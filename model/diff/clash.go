package diff

import (
	"slices"

	"varview/decoder/engine/tree"
	"varview/model/compare"
)

// A Conflict is a value that both files have changed, either in different ways or so that it is not
// certain what the two changes together mean.
type Conflict struct {
	Path               string // path in the common base; for an added value, in theirs
	Base, Ours, Theirs string // literals; "" if there is no such value
	Why                string

	Choice   Choice
	Possible []Choice // choices that are possible
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

// A clash is what a conflict is about: one value in each of the three files, nil in a file that lacks it.
type clash struct {
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
}

// A choice decides a clash: for the value of theirs, or of the base.
type choice struct {
	*clash
	isBase bool
}

// first returns a clash, unless there already is one about the same value.
func (m *merging) first(x *clash) (*clash, bool, error) {
	at := clashAt{x.base.ID(), x.renamed}
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
	if m.canTake(m.to, x.theirs) && (x.base == nil || x.base.Parent != nil) {
		all = append(all, TakeTheirs)
	}
	if x.base != nil && x.base.Parent != nil && m.canTake(m.base, x.base) || x.base == nil && x.ours != nil {
		all = append(all, TakeBase)
	}
	return all
}

// canTake reports whether a value can be put into this file as a literal. One with references cannot:
// they would lead elsewhere.
func (m *merging) canTake(r *tree.Reader, n *tree.Node) bool { return n == nil || !m.refers(r, n) }

// describe returns a clash as text.
func (m *merging) describe(x *clash) Conflict {
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

// isInClash reports whether a change is in a value about which there is a conflict: without a choice it stays as we have it.
func (m *merging) isInClash(c *compare.Change) bool {
	n := c.InA
	if c.A != nil {
		n = c.A.Parent
	}
	for ; n != nil; n = n.Parent {
		if m.clashes[clashAt{n.ID(), false}] {
			return true
		}
	}
	return false
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
	from, to := m.becoming, x.theirs
	if x.isBase {
		from, to = m.asBase(), x.base
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
