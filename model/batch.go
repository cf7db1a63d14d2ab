package model

import (
	"cmp"
	"context"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model/order"
	"varview/model/patch"
)

// A Batch makes many edits of a transaction in time that grows linearly with their number. Each edit is
// worked out on the values as the transaction last left them; then all are made in one pass over the
// bytes. An edit that depends on earlier ones in more than its position makes those first.
//
// Paths and indexes are those after all edits so far. Nodes are found with Resolve and Child, and are
// valid until the next edit.
type Batch struct {
	t        *Transaction
	isLong   bool // there are many edits, so values have to be found quickly
	editor   edit.Editor
	from     *version // the version the edits start from; the transaction must stay at it until they are made
	together *edit.Together
	edits    []batchedEdit
	touched  map[tree.ID]touch
	orders   map[tree.ID]*order.Order
	renamed  bool // some keys have changed

	mayWait bool    // an edit may be one with those after it
	waits   *unmade // the one that waits for them; nil for none

	packed *source.Packed // splices of a bulk's edits of which nothing else is noted; nil if each has an op, and its place in edits
}

// A batchedEdit is an edit still to be made.
type batchedEdit struct {
	kind    patch.Kind
	op      *patch.Op  // nil if it is not recorded
	at      Cursor     // the value that is set or taken away, or the one that a value is inserted into
	n       *tree.Node // node of that value; nil in a bulk, where there can be so many that their nodes take much memory
	splices []source.Splice
	typed   string // literal of the new value; "" if it is a copy
}

// A touch is what edits have done to a value.
type touch uint8

const (
	untouched touch = iota
	inside          // something inside the value has changed
	whole           // the value was set, or taken from its place
)

// fewEdits is the number of edits up to which looking for each value is quicker than first reading all of
// a large file.
const fewEdits = 8

// Batch begins a batch of about n edits. No other edits may be made until Finish.
func (t *Transaction) Batch(ctx context.Context, n int) (*Batch, error) {
	b := &Batch{t: t, isLong: n > fewEdits}
	return b, b.begin(ctx)
}

// Together makes a number of edits in a batch, each of which do adds to it.
func (t *Transaction) Together(ctx context.Context, edits int, do func(b *Batch, i int) error) error {
	b, err := t.Batch(ctx, edits)
	for i := 0; i < edits && err == nil; i++ {
		t.Progress.Set(int64(i), 2*int64(edits)) // Finish is the other half
		err = cmp.Or(ctx.Err(), b.orWait(ctx, func() error { return do(b, i) }))
	}
	if err != nil {
		return err
	}
	return b.Finish(ctx)
}

// Reader returns the reader of the values before the batched edits.
func (b *Batch) Reader() *tree.Reader { return b.t.read }

// begin begins a batch for the values as they are now.
func (b *Batch) begin(ctx context.Context) (err error) {
	b.from, b.together, b.edits, b.touched, b.orders = b.t.now, &edit.Together{}, b.edits[:0], map[tree.ID]touch{}, map[tree.ID]*order.Order{}
	b.renamed = false
	if b.packed != nil {
		b.packed = &source.Packed{}
	}
	if b.editor, err = b.t.buffer.editorOf(b.t.now.tree); err != nil || !b.isLong {
		return err
	}
	return b.t.now.tree.BuildIndexAndGaps(ctx)
}

// Set replaces a value.
func (b *Batch) Set(ctx context.Context, n *tree.Node, c edit.Content, o edit.Options) error {
	o.AsksBeside = b.mayWait
	x := change{kind: patch.Set, n: n, content: c, options: o}
	if b.waits != nil {
		return b.join(ctx, x)
	}
	if b.isTouched(n, true) {
		return b.alone(ctx, x)
	}
	done, changed, err := b.set(ctx, b.t.read, n, c, o)
	if err != nil || !done {
		return b.retry(ctx, x, err)
	}
	if changed {
		b.touch(n)
	}
	return nil
}

// set replaces a value, which r reads. done is false if it cannot be set together with others. The caller
// has to touch n if it has changed.
func (b *Batch) set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) (done, changed bool, err error) {
	defer b.together.Drop() // unless it is kept
	if n, err = r.Finish(n); err != nil {
		return false, false, err
	}
	o.Together = b.together
	splices, err := (&change{n: n, content: c}).splices(ctx, b.editor, r, 0, b.t.telling(o))
	switch {
	case err == edit.ErrAlone, slices.ContainsFunc(splices, func(s source.Splice) bool { return !isIn(n, s) }):
		return false, false, nil
	case err != nil || len(splices) == 0:
		return err == nil, false, err
	}
	op := patch.Op{Kind: patch.Set}
	switch {
	case b.packed == nil || n.Slot.Key:
		if op, err = b.opOf(ctx, &change{kind: patch.Set, n: n}); err != nil || b.isDoubtful(op) {
			return false, false, err
		}
	case !mayBeRounded(c.Literal):
		for i := range splices {
			err = cmp.Or(err, b.packed.Add(splices[i]))
		}
		b.together.Keep()
		return true, true, err
	}
	b.keep(op, n, splices)
	b.edits[len(b.edits)-1].typed = c.Literal
	return true, true, nil
}

// isIn reports whether a splice changes nothing outside a value.
func isIn(n *tree.Node, s source.Splice) bool {
	return s.Offset >= n.Start && n.End != tree.Unknown && s.End() <= n.End
}

// keep adds an edit to those that are made together.
func (b *Batch) keep(op patch.Op, n *tree.Node, splices []source.Splice) {
	if len(b.edits) == cap(b.edits) { // append would copy a long list more often
		b.edits = slices.Grow(b.edits, len(b.edits)+1)
	}
	e := batchedEdit{kind: op.Kind, at: CursorOf(n), n: n, splices: splices}
	if op.Path != "" {
		kept := op
		e.op = &kept
	}
	b.edits = append(b.edits, e)
	b.together.Keep()
}

// Insert puts a value into parent before the child at index.
func (b *Batch) Insert(ctx context.Context, parent *tree.Node, index int64, c edit.Content, o edit.Options) error {
	return b.arrange(ctx, change{kind: patch.Insert, n: parent, at: index, content: c, options: o})
}

// Delete removes a value, with its key.
func (b *Batch) Delete(ctx context.Context, n *tree.Node, o edit.Options) error {
	return b.arrange(ctx, change{kind: patch.Delete, n: n, options: o})
}

// Move makes a value, with its key, the child of its parent at index to.
func (b *Batch) Move(ctx context.Context, n *tree.Node, to int64, o edit.Options) error {
	return b.arrange(ctx, change{kind: patch.Move, n: n, at: to, options: o})
}

// MoveIn moves a child of the value at a path from one index to another.
func (b *Batch) MoveIn(ctx context.Context, path string, from, to int64, o edit.Options) error {
	n, err := b.ChildAt(ctx, path, from)
	if err != nil {
		return err
	}
	return b.Move(ctx, n, to, o)
}

// arrange inserts, deletes or moves a child.
func (b *Batch) arrange(ctx context.Context, x change) error {
	if b.waits != nil {
		return b.join(ctx, x)
	}
	x.options.AsksBeside = b.mayWait
	kids, err := b.orderAround(&x)
	if err != nil {
		return err
	}
	if kids == nil {
		return b.alone(ctx, x)
	}
	op, err := b.opOf(ctx, &x)
	isMove := x.kind == patch.Move
	switch {
	case err != nil || isMove && op.Index == x.at:
		return err
	case b.isDoubtful(op):
		return b.alone(ctx, x)
	case isMove && x.n.Parent.Layout != tree.Pairs:
		op.NewPath = string(tree.AppendIndexStep([]byte(b.path(x.n.Parent)), x.at))
	}
	if isMove {
		kids.Remove(x.n.Slot.Index)
	}
	gap, _ := kids.At(x.at)
	o := b.t.telling(x.options)
	o.Together = b.together
	splices, err := x.splices(ctx, b.editor, b.t.read, gap, o)
	if err != nil {
		if isMove {
			kids.Restore(x.n.Slot.Index)
		}
		b.together.Drop()
		return b.retry(ctx, x, err)
	}
	if x.kind == patch.Delete {
		kids.Remove(x.n.Slot.Index)
	} else {
		kids.Insert(x.at, len(b.edits))
	}
	b.keep(op, x.n, splices)
	if x.kind == patch.Insert {
		b.edits[len(b.edits)-1].typed = x.content.Literal
		b.touchInside(x.n)
	} else {
		b.touch(x.n)
	}
	return nil
}

// orderAround returns the order of the children that a change is among, or nil if the change cannot be made together with the
// other edits. A change of a key becomes one of its value.
func (b *Batch) orderAround(x *change) (*order.Order, error) {
	in := x.n
	if x.kind != patch.Insert {
		n, err := b.t.valueOf(x.n)
		if x.n = n; err != nil || !b.canTake(n) {
			return nil, err
		}
		in = n.Parent
	}
	kids, err := b.orderOf(in)
	if err != nil || kids == nil {
		return nil, err
	}
	places := kids.Count()
	if x.kind == patch.Insert {
		places++
	}
	if x.at < 0 || x.at >= places || x.kind == patch.Insert && b.isTouched(in, false) {
		return nil, nil
	}
	return kids, nil
}

// canTake reports whether a value can be taken from its place as if no other edit had been made.
func (b *Batch) canTake(n *tree.Node) bool {
	if n.Parent == nil || n.Slot.Key || b.isTouched(n, true) {
		return false
	}
	key := b.t.read.Key(n)
	return key == nil || !b.isTouched(key, true)
}

// alone makes a change after all others.
func (b *Batch) alone(ctx context.Context, x change) (err error) {
	if x.n, err = b.again(ctx, x.n); err != nil {
		return err
	}
	err = b.t.make(ctx, x)
	b.wait(x, err)
	if b.t.now == b.from {
		return err
	}
	return cmp.Or(err, b.begin(ctx))
}

// retry makes a change that has failed again after all others, unless they cannot be the reason why it failed.
func (b *Batch) retry(ctx context.Context, x change, err error) error {
	if err != nil && err != edit.ErrAlone && len(b.edits) == 0 || ctx.Err() != nil {
		b.wait(x, err)
		return cmp.Or(ctx.Err(), err)
	}
	return b.alone(ctx, x)
}

// again makes the edits so far and returns the value as it is then.
func (b *Batch) again(ctx context.Context, n *tree.Node) (*tree.Node, error) {
	if len(b.edits) == 0 {
		return n, nil
	}
	at := b.cursor(n)
	moved, err := b.make(ctx)
	if err != nil {
		return nil, err
	}
	return found(b.t.read, at.Follow(moved))
}

// found returns the value that a cursor is on; it fails where Find would return one nearby.
func found(r *tree.Reader, at Cursor) (*tree.Node, error) {
	n, err := at.Find(r)
	if err == nil && (n.Depth != at.Depth || n.Slot != at.Slot) {
		err = errElsewhere
	}
	return n, err
}

// cursor returns a cursor on a value. It is valid once the edits are made and it has followed their
// splices.
func (b *Batch) cursor(n *tree.Node) Cursor {
	c := CursorOf(n)
	c.Slot.Index = b.index(n)
	return c
}

// isTouched reports whether an edit conflicts with earlier ones: an edit of something in n or, if all is
// set, of n as a whole.
func (b *Batch) isTouched(n *tree.Node, all bool) bool {
	if len(b.touched) == 0 {
		return false
	}
	if all && b.touched[n.ID()] != untouched {
		return true
	}
	for ; n != nil; n = n.Parent {
		if b.isChanged(n) {
			return true
		}
	}
	return false
}

// isChanged reports whether a value was set or removed, or its key was renamed.
func (b *Batch) isChanged(n *tree.Node) bool {
	if b.touched[n.ID()] == whole || b.isGone(n) {
		return true
	}
	if !b.renamed || n.KeyAt == tree.Unknown {
		return false
	}
	return b.touched[b.t.read.Key(n).ID()] == whole
}

// isGone reports whether a value, or the entry that a key belongs to, was taken from its place.
func (b *Batch) isGone(n *tree.Node) bool {
	if n.Parent == nil {
		return false
	}
	o := b.orders[n.Parent.ID()]
	return o != nil && o.Gone[n.Slot.Index]
}

// touch notes that a value has changed as a whole.
func (b *Batch) touch(n *tree.Node) {
	b.touched[n.ID()] = whole
	b.renamed = b.renamed || n.Slot.Key
	b.touchInside(n.Parent)
}

// touchInside notes that something in a value has changed.
func (b *Batch) touchInside(n *tree.Node) {
	for ; n != nil && b.touched[n.ID()] == untouched; n = n.Parent {
		b.touched[n.ID()] = inside
	}
}

// orderOf returns the order of a value's children. It is nil if the value is neither a list nor a
// container of entries with distinct keys.
func (b *Batch) orderOf(parent *tree.Node) (*order.Order, error) {
	if o := b.orders[parent.ID()]; o != nil {
		return o, nil
	}
	if parent.Damage != nil || parent.Layout == tree.Leaf {
		return nil, nil
	}
	if parent.Layout != tree.Pairs && !b.isList(parent) {
		return nil, nil
	}
	count, err := b.t.ChildCount(parent)
	if err != nil {
		return nil, err
	}
	o := order.New(count)
	b.orders[parent.ID()] = o
	return o, nil
}

// isList reports whether the children of a value have only their indexes.
func (b *Batch) isList(n *tree.Node) bool {
	return n.Layout != tree.Pairs && string(b.t.read.AppendStep(nil, &n.Value, tree.Slot{}, nil)) == "[0]"
}

// index returns the current index of a value.
func (b *Batch) index(n *tree.Node) int64 {
	if n.Parent != nil {
		if o := b.orders[n.Parent.ID()]; o != nil {
			return o.Index(n.Slot.Index)
		}
	}
	return n.Slot.Index
}

// Count returns the current number of children of a value.
func (b *Batch) Count(parent *tree.Node) (int64, error) {
	if o := b.orders[parent.ID()]; o != nil {
		return o.Count(), nil
	}
	return b.t.ChildCount(parent)
}

// Child returns the child of a value at a current index.
func (b *Batch) Child(ctx context.Context, parent *tree.Node, index int64) (*tree.Node, error) {
	if o := b.orders[parent.ID()]; o != nil && index >= 0 {
		child, ok := o.Original(index)
		if ok {
			return b.t.read.Child(parent, child)
		}
		var err error
		if parent, err = b.again(ctx, parent); err != nil {
			return nil, err
		}
	}
	return b.t.read.Child(parent, index)
}

// ChildAt returns the child of the value at a path that has a current index.
func (b *Batch) ChildAt(ctx context.Context, path string, index int64) (*tree.Node, error) {
	parent, err := b.Resolve(ctx, path)
	if err != nil {
		return nil, err
	}
	return b.Child(ctx, parent, index)
}

// Resolve finds the value at a path.
func (b *Batch) Resolve(ctx context.Context, path string) (*tree.Node, error) {
	if n, ok := b.look(path); ok {
		return n, b.t.read.Window().Err()
	}
	if len(b.edits) > 0 {
		if _, err := b.make(ctx); err != nil {
			return nil, err
		}
	}
	n, err := b.t.read.Resolve(path)
	return n, cmp.Or(err, b.t.read.Window().Err())
}

// originalStep returns steps of which the first leads to the child that had another number before the edits so far; ok is false if
// there was none.
func originalStep(o *order.Order, steps string) (original string, ok bool) {
	index, tail, ok := tree.CutIndexStep(steps)
	if !ok || index >= o.Count() {
		return "", false
	}
	child, ok := o.Original(index)
	return string(tree.AppendIndexStep(nil, child)) + tail, ok
}

// look finds the value at a path if the edits so far leave no doubt which one it is.
func (b *Batch) look(path string) (*tree.Node, bool) {
	r := b.t.read
	if b.renamed && tree.CountsKeys(path) {
		return nil, false
	}
	if len(b.orders) == 0 {
		n, err := r.Resolve(path)
		return n, err == nil && !b.isTouched(n, false)
	}
	n, err := r.Resolve("$")
	rest := tree.Steps(path)
	if err != nil || tree.CountsKeys(rest) || b.isTouched(n, false) {
		return nil, false
	}
	for rest != "" {
		step := rest
		if o := b.orders[n.ID()]; o != nil && n.Layout != tree.Pairs {
			var ok bool
			if step, ok = originalStep(o, rest); !ok {
				return nil, false
			}
		}
		if n, rest, err = r.FollowStep(n, step); err != nil || b.isChanged(n) {
			return nil, false
		}
	}
	return n, true
}

// path returns the current path of a value.
func (b *Batch) path(n *tree.Node) string {
	if len(b.orders) == 0 {
		return b.t.pathOf(n)
	}
	return b.t.pathWith(n, b.index)
}

// isDoubtful reports whether a path may have changed in more than the indexes of lists, because other
// entries with the same key may have been removed.
func (b *Batch) isDoubtful(op patch.Op) bool { return len(b.orders) > 0 && tree.CountsKeys(op.Path) }

// opOf begins the op of a change. Of Insert its path is that of the value that gets a child.
func (b *Batch) opOf(ctx context.Context, x *change) (op patch.Op, err error) {
	op = patch.Op{Kind: x.kind, Path: b.path(x.n), Index: b.index(x.n), In: b.known(ctx, x.n, x.kind == patch.Insert)}
	switch x.kind {
	case patch.Insert:
		op.Index = x.at
	case patch.Move:
		op.To = x.at
		op.Old, err = b.t.describeMoved(ctx, x.n)
	default:
		op.Old, err = b.t.describe(ctx, &op, x.n)
	}
	return op, cmp.Or(err, b.noteBeside(ctx, &op, x))
}

// Finish makes the edits.
func (b *Batch) Finish(ctx context.Context) error {
	if b.waits != nil {
		return b.waitNoMore(ctx)
	}
	if len(b.edits) == 0 && (b.packed == nil || b.packed.Len() == 0) {
		return nil
	}
	_, err := b.make(ctx)
	return err
}
