package diff

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/order"
)

// BeginMerge begins the transaction of a merge of a file with others that come from a base: of the bytes of
// the file if they are those of the base, so that it can become any other file, and otherwise of its values.
func BeginMerge(ctx context.Context, ours, base *model.Document) (*model.Transaction, error) {
	at, file := ours.Innermost(), ours.Buffers[0]
	is, err := areSameBytes(ctx, file.Tree(), base.Buffers[0].Tree())
	if is {
		at = file
	}
	if err != nil {
		return nil, err
	}
	return ours.Begin(at)
}

// areSameBytes reports whether two trees have the same bytes.
func areSameBytes(ctx context.Context, a, b *tree.Tree) (same bool, err error) {
	same = true
	err = source.Differences(ctx, a.Source, b.Source, 1, func(source.Splice) bool {
		same = false
		return false
	})
	return same, err
}

// MergeFiles makes the changes that lead from base to theirs in a transaction on a file that comes from base,
// as MergeTrees does. Where only one of them has other bytes than the base, the result is that one's bytes.
func MergeFiles(ctx context.Context, t *model.Transaction, base, theirs *model.Document, o compare.Options, choose func(*Conflict) Choice) ([]Conflict, error) {
	ours, here := t.Buffer().Document(), t.Reader().Tree
	was, there := base.Innermost().Tree(), theirs.Innermost().Tree()
	if t.Buffer().Number == 0 { // a file that is the base becomes the other one, whatever that is wrapped in
		if same, err := areSameBytes(ctx, here, base.Buffers[0].Tree()); same || err != nil {
			return nil, cmp.Or(err, t.Replace(ctx, theirs.Buffers[0].Tree().Source))
		}
	}
	if ours.Dialect == theirs.Dialect && ours.Framing == theirs.Framing {
		if same, err := areSameBytes(ctx, here, was); same || err != nil {
			return nil, cmp.Or(err, t.Replace(ctx, there.Source))
		}
	}
	for _, other := range []*tree.Tree{was, here} { // they have changed nothing, or the same
		if same, err := areSameBytes(ctx, other, there); same || err != nil {
			return nil, err
		}
	}
	o.Alike = ours.ReadsAs(base.Document) && ours.ReadsAs(theirs.Document)
	o.SameDialect = ours.Dialect == base.Dialect && ours.Dialect == theirs.Dialect
	o, err := followingSums(ctx, o, was, here, there)
	if err != nil {
		return nil, err
	}
	return MergeTrees(ctx, t, was, there, o, choose)
}

// followingSums returns the options for trees without the checksums of other values, which Transaction.Follow computes for the
// result.
func followingSums(ctx context.Context, o compare.Options, trees ...*tree.Tree) (compare.Options, error) {
	found := map[string]int{}
	for _, t := range trees {
		sums, err := decoder.Sums(ctx, t.NewReader())
		if err != nil {
			return o, err
		}
		for _, s := range sums {
			if s.Of != "" {
				found[s.Path]++
			}
		}
	}
	if ignored := o.Ignored; len(found) > 0 {
		o.Ignored = func(path string) bool { return found[path] == len(trees) || ignored != nil && ignored(path) }
	}
	return o, nil
}

// MergeTrees makes the changes that lead from base to theirs in a transaction on another file that comes
// from base. If both have changed the same value, the transaction's value stays and a conflict is
// returned. choose, if set, is asked at each conflict which value to take.
func MergeTrees(ctx context.Context, t *model.Transaction, base, theirs *tree.Tree, o compare.Options, choose func(*Conflict) Choice) ([]Conflict, error) {
	becoming, err := newBecoming(ctx, t, theirs.NewReader(), o.SameDialect || o.Alike)
	if err != nil {
		return nil, err
	}
	m := &merging{becoming: becoming, ctx: ctx, base: base.NewReader(), ours: t.Reader(), choose: choose, progress: t.Progress,
		at: map[tree.ID][]*compare.Change{}, in: map[tree.ID][]*compare.Change{}, ids: map[tree.ID][]*compare.Change{}, counts: map[tree.ID]int64{}, lists: lists{}, clashes: map[clashAt]bool{}, replaced: map[tree.ID]bool{},
		groups: map[tree.ID]*siblings{}, ofBase: map[*compare.Change]bool{}, extra: map[tree.ID][]int64{}, twins: map[uint32]uint32{}}
	m.becoming.link = m.link
	o.WholeVectors = true // the components of a vector belong together
	o.SameDialect = o.SameDialect || o.Alike
	o.Known = compare.NewKnown(m.base)
	var changes [2][]*compare.Change
	for i, to := range []*tree.Tree{t.Reader().Tree, theirs} {
		o.Unclear = func(u *compare.Unclear) {
			s := &m.lists.of(u.InA).sides[i]
			s.unclear = append(s.unclear, u)
		}
		if i == theirsSide {
			o.Paired = func(base, theirs uint32) { m.twins[theirs] = base }
		}
		var err error
		m.progress.Index(0.2*float64(i), 0.2*float64(i+1), base, to)
		if changes[i], err = compare.All(ctx, base, to, o); err != nil {
			return nil, err
		}
		there := to.NewReader()
		changes[i] = ofContent(changes[i], m.base, there)
		for _, c := range changes[i] {
			c.Note = c.Note && !(o.SameDialect && isOfOtherType(m.base, c, there))
			if c.Kind == compare.Added {
				c.Before = min(c.Before, m.countOf(c.InA))
			}
		}
		m.lists.know(i, m.isMap, changes[i])
	}
	for i := range changes {
		m.lists.touch(i, changes[i])
	}
	for _, c := range changes[oursSide] {
		m.know(c)
	}
	if ordered, err := m.takeOrders(changes[theirsSide]); err != nil {
		return nil, err
	} else if ordered {
		return MergeTrees(ctx, t, base, theirs, o, choose)
	}
	conflicts, err := m.merge(changes[theirsSide])
	if err != nil {
		return nil, err
	}
	return conflicts, m.Finish(ctx)
}

// isOfOtherType reports whether a key, or a value without children, in the same dialect, has another type but the same
// meaning, and its literal shows that: 1 and 1.0.
func isOfOtherType(from *tree.Reader, c *compare.Change, to *tree.Reader) bool {
	isKey := c.A != nil && c.A.Slot.Key
	if c.Kind != compare.Retyped || !isKey && c.A.Layout != tree.Leaf && c.B.Layout != tree.Leaf {
		return false
	}
	type shown struct{ literal, typ string }
	of := func(r *tree.Reader, n *tree.Node) shown {
		return shown{string(r.AppendLiteral(nil, &n.Value, shownConflict)), string(r.Tree.AppendType(nil, r.Window(), &n.Value))}
	}
	a, b := of(from, c.A), of(to, c.B)
	return (a.typ != b.typ || isKey) && a.literal != b.literal
}

// isMap reports whether the children of a value of the base are identified by their keys or names.
func (m *merging) isMap(n *tree.Node) bool {
	_, is := m.base.AppendMeaning(nil, &n.Value)
	return is.Compared == tree.Map
}

// countOf returns the number of children of a value of the base. Some values do not declare it.
func (m *merging) countOf(n *tree.Node) int64 {
	if n.Count != tree.Unknown {
		return n.Count
	}
	at := n.ID()
	count, known := m.counts[at]
	if !known {
		count = childCount(m.base, n)
		m.counts[at] = count
	}
	return count
}

// merging makes the changes of another file, each to the corresponding value of this file.
type merging struct {
	*becoming
	ctx       context.Context
	base      *tree.Reader
	ours      *tree.Reader // this file before the merge
	at        map[tree.ID][]*compare.Change
	in        map[tree.ID][]*compare.Change // our changes by the value that they are in or around
	ids       map[tree.ID][]*compare.Change // those of ids, by the element of a list that has it
	counts    map[tree.ID]int64             // numbers of children of values of the base that do not declare them
	lists     lists                         // what both sides have changed in lists of the base
	twins     map[uint32]uint32             // numbered values of theirs, with their counterparts in the base
	choose    func(*Conflict) Choice
	conflicts []Conflict
	progress  *model.Progress

	clashes  map[clashAt]bool         // clashes that have become conflicts
	replaced map[tree.ID]bool         // values of the base whose content is replaced as a whole
	groups   map[tree.ID]*siblings    // changes to the children of our values
	ofBase   map[*compare.Change]bool // changes whose value B is the base's and not theirs
	extra    map[tree.ID][]int64      // indexes of children to be removed, since the base does not have them, by our values
}

// know records one of our changes.
func (m *merging) know(c *compare.Change) {
	if c.A != nil {
		m.at[c.A.ID()] = append(m.at[c.A.ID()], c)
	}
	if c.Note {
		return
	}
	for n := c.InA; n != nil; n = n.Parent {
		if m.in[n.ID()] = append(m.in[n.ID()], c); m.isIDOf(c, n) {
			m.ids[n.ID()] = append(m.ids[n.ID()], c)
		}
	}
}

// merge makes all changes that do not conflict, and what was chosen for the others: first changes of
// values, then changes to the children of values, innermost first.
func (m *merging) merge(changes []*compare.Change) ([]Conflict, error) {
	var free []*compare.Change
	var chosen []choice
	for _, c := range changes {
		x, done, err := m.conflict(c)
		switch {
		case err != nil:
			return nil, err
		case x != nil:
			if which := m.add(x); which == TakeTheirs || which == TakeBase {
				chosen = append(chosen, choice{x, which == TakeBase})
			}
		case !done:
			free = append(free, c)
		}
	}
	for i, c := range free {
		m.progress.Set(int64(4*len(free)+i), 10*int64(len(free))) // after comparing; Finish is the other half
		if err := m.makeFree(c); err != nil {
			return nil, err
		}
	}
	for _, x := range chosen {
		if err := m.makeChosen(x); err != nil {
			return nil, err
		}
	}
	ordered := slices.SortedFunc(maps.Values(m.groups), func(x, y *siblings) int { return y.in.Depth - x.in.Depth })
	for _, g := range ordered {
		if err := m.mergeChildren(g); err != nil {
			return nil, err
		}
	}
	return m.conflicts, m.ctx.Err()
}

// takeOrders brings the entries of our values into the order that they have in theirs, where only they have
// changed it. It reports whether it has made edits.
func (m *merging) takeOrders(changes []*compare.Change) (made bool, err error) {
	before := len(m.t.Splices())
	for _, c := range changes {
		if c.Kind != compare.Moved || !c.Note || len(m.at[c.A.ID()]) > 0 {
			continue
		}
		if in, err := m.counterpart(c.A); err == nil {
			_ = m.reorder(m.ctx, m.ours.Path(in), in, c.B) // what has to stay in its place does
		}
	}
	err = cmp.Or(m.Finish(m.ctx), m.ctx.Err())
	return len(m.t.Splices()) > before, err
}

// makeFree makes a change of a value that conflicts with none of ours, or records it as one to the
// children around it.
func (m *merging) makeFree(c *compare.Change) error {
	around := c.InA
	if isOfValue(c) {
		around = c.A
	}
	switch {
	case m.isReplaced(around), c.Note:
		return nil
	case c.Kind == compare.Retyped && c.A.Slot.Key: // like a renamed one
	case c.Kind == compare.Changed, c.Kind == compare.Retyped:
		m.replaced[c.A.ID()] = c.Kind == compare.Retyped // with all that they have changed in it
		return m.setValue(c)
	}
	g, err := m.group(c.InA)
	if err == nil {
		g.changes = append(g.changes, c)
	}
	return err
}

// group returns the changes to the children of our counterpart of a value of the base.
func (m *merging) group(of *tree.Node) (*siblings, error) {
	in, err := m.counterpart(of)
	if err != nil {
		return nil, err
	}
	at := in.ID()
	if m.groups[at] == nil {
		m.groups[at] = &siblings{in: in, path: m.ours.Path(in)}
	}
	return m.groups[at], nil
}

// setValue makes a change of a value. If it cannot be made, it becomes a conflict.
func (m *merging) setValue(c *compare.Change) error {
	n, err := m.counterpart(c.A)
	if err != nil {
		return err
	}
	if err := m.set(m.ctx, m.ours.Path(n), c.B); err != nil {
		return m.failed(c, err)
	}
	return m.ctx.Err()
}

// mergeChildren makes the changes to the children of a value.
func (m *merging) mergeChildren(g *siblings) error {
	count := childCount(m.ours, g.in)
	now := order.New(count) // of the children in this file before the merge
	for _, own := range m.extra[g.in.ID()] {
		if err := m.deleteChild(m.ctx, g.path, now.Index(own)); err != nil {
			return err
		}
		now.Remove(own)
	}
	removed := g.of(compare.Removed)
	slices.Reverse(removed)
	err := m.try(removed, func(c *compare.Change) error {
		n, err := m.counterpart(c.A)
		if err == nil {
			err = m.deleteChild(m.ctx, g.path, now.Index(n.Slot.Index))
		}
		if err == nil {
			now.Remove(n.Slot.Index)
		}
		return err
	})
	if err != nil {
		return err
	}
	err = m.try(append(g.of(compare.Renamed), g.of(compare.Retyped)...), func(c *compare.Change) error {
		n, err := m.counterpart(c.A)
		if err != nil {
			return err
		}
		return m.from(c).rename(m.ctx, g.path, now.Index(n.Slot.Index), c.B)
	})
	if err != nil {
		return err
	}
	if moved := g.of(compare.Moved); len(moved) > 0 { // we have not changed this list
		var gone []int64
		for _, c := range g.of(compare.Removed) {
			gone = append(gone, c.A.Slot.Index)
		}
		slices.Sort(gone)
		return m.moveAndAdd(g, gone, moved)
	}
	var p placing
	return m.try(g.of(compare.Added), func(c *compare.Change) error {
		at, err := p.placeFor(m, c, now, count)
		if err == nil {
			err = m.from(c).insertAt(m.ctx, g.path, at, c.B)
		}
		if err == nil {
			now.Insert(at, 0)
		}
		return err
	})
}

// try makes changes. One that cannot be made becomes a conflict.
func (m *merging) try(changes []*compare.Change, do func(c *compare.Change) error) error {
	for _, c := range changes {
		if err := do(c); err != nil {
			if err := m.failed(c, err); err != nil {
				return err
			}
		}
	}
	return m.ctx.Err()
}

// moveAndAdd makes moves and insertions in a list that only they have changed.
func (m *merging) moveAndAdd(g *siblings, gone []int64, moved []*compare.Change) error {
	added := g.of(compare.Added)
	if err := m.move(m.ctx, g, gone, moved, added); err != nil {
		return err
	}
	return m.try(added, func(c *compare.Change) error { return m.insertAt(m.ctx, g.path, c.B.Slot.Index, c.B) })
}

// A placing finds where children are added to a value.
type placing struct {
	from, to int64 // children of the base from the one on, before the other, that are gone
}

// placeFor returns the index at which a child is added: before the child of the base that
// follows it, or at the end.
func (p *placing) placeFor(m *merging, c *compare.Change, now *order.Order, count int64) (int64, error) {
	i := c.Before
	if p.from <= i && i < p.to {
		i = p.to
	} else {
		p.from = i
	}
	for ; i < m.countOf(c.InA); i++ {
		p.to = i
		next, err := m.base.Child(c.InA, i)
		if err != nil {
			return 0, err
		}
		n, err := m.counterpart(next)
		if err == errGone {
			continue
		}
		if err != nil {
			return 0, err
		}
		if !now.Gone[n.Slot.Index] {
			return now.Index(n.Slot.Index), nil
		}
	}
	p.to = i
	return now.Index(count), nil
}

// from returns a becoming with the tree to which the value B of a change belongs.
func (m *merging) from(c *compare.Change) *becoming {
	if m.ofBase[c] {
		return m.asBase()
	}
	return m.becoming
}

// asBase returns a becoming with the values of the base.
func (m *merging) asBase() *becoming {
	return &becoming{Batch: m.Batch, t: m.t, here: m.here, to: m.base, isSpelled: m.isSpelled}
}
