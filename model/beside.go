package model

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model/patch"
)

// An unmade change is of a list beside others that have to have as many elements. It can be made once the next edits of the batch do the
// same to those.
type unmade struct {
	change
	err  error  // why it cannot be made by itself
	list string // path of its list
	with []besideIt
}

// besideIt is a change of a list that is perhaps beside that of an unmade one, which then makes it too but for what a new element is.
type besideIt struct {
	change
	list  string
	count int64 // of the elements of the list before
	op    patch.Op
}

// wait lets a change wait for the same one of a list beside, if it is asked about such a list.
func (b *Batch) wait(x change, err error) {
	var choice *edit.ChoiceError
	if b.mayWait && errors.As(err, &choice) && len(choice.Choices) == 1 && choice.Choices[0].Kind() == edit.KeepEqual {
		list, _ := x.place()
		b.waits = &unmade{change: x, err: err, list: b.path(list)}
	}
}

// orWait makes an edit, unless it waits for those to come. One that waits is made first if this one does not belong to it.
func (b *Batch) orWait(ctx context.Context, do func() error) error {
	b.mayWait = true
	before := b.waits
	err := do()
	switch {
	case b.waits != before && b.waits != nil:
		if before == nil {
			b.waits.err = err // with all that is said around it
		}
		return nil
	case before == nil || b.waits == nil || err == nil:
		return err
	}
	if err := b.waitNoMore(ctx); err != nil {
		return err
	}
	return b.orWait(ctx, do)
}

// waitNoMore makes the change that waits by itself, as it is chosen.
func (b *Batch) waitNoMore(ctx context.Context) error {
	w := b.waits
	b.waits, w.options.AsksBeside = nil, false
	if b.t.make(ctx, w.change) != nil {
		return w.err
	}
	return b.makeRest(ctx, w)
}

// place returns the list that a change is of, and the index there; -1 for all of it.
func (x *change) place() (list *tree.Node, index int64) {
	switch x.kind {
	case patch.Insert:
		return x.n, x.at
	case patch.Set:
		return x.n, -1
	}
	return x.n.Parent, x.n.Slot.Index
}

// join makes the change that waits, if another one does the same to the last list that it waits for.
func (b *Batch) join(ctx context.Context, x change) error {
	list, index := x.place()
	y := besideIt{change: x, list: b.path(list)}
	isSame := func(with besideIt) bool { return with.list == y.list }
	w := *b.waits
	if _, at := w.place(); x.kind != w.kind || index != at || y.list == w.list || slices.ContainsFunc(w.with, isSame) {
		return w.err
	}
	var err, errCount error
	y.op, err = b.opOf(ctx, &x)
	y.count, errCount = b.Count(list)
	if err = cmp.Or(err, errCount); err != nil {
		return err
	}
	w.with = append(slices.Clip(w.with), y)
	w.options.AsksBeside, w.options.Choices = true, append(slices.Clip(w.options.Choices), edit.KeepEqual.For(y.list))
	b.waits = nil
	if err = b.t.make(ctx, w.change); err != nil {
		if b.wait(w.change, err); b.waits != nil { // for one more list
			b.waits = &w
		}
		return err
	}
	return b.makeRest(ctx, &w)
}

// makeRest makes what is left of the changes of lists beside once the change that waited for them is made.
func (b *Batch) makeRest(ctx context.Context, w *unmade) error {
	for i := range w.with {
		if err := b.t.makeBeside(ctx, &w.with[i]); err != nil {
			return err
		}
	}
	return b.begin(ctx)
}

// makeBeside makes what is left of a change once that of the list beside is made.
func (t *Transaction) makeBeside(ctx context.Context, x *besideIt) error {
	list, err := t.read.Resolve(x.list)
	if err != nil {
		return err
	}
	count, err := t.ChildCount(list)
	isMade, rest := count != x.count, x.change
	switch {
	case err != nil:
	case x.kind == patch.Insert && isMade:
		return t.setBeside(ctx, list, x)
	case x.kind == patch.Insert, x.kind == patch.Set:
		rest.n = list
	case isMade:
		t.ops = append(t.ops, x.op)
		return nil
	default:
		rest.n, err = t.read.Child(list, x.n.Slot.Index)
	}
	if err != nil {
		return err
	}
	return t.make(ctx, rest)
}

// setBeside gives an element that was inserted empty its value.
func (t *Transaction) setBeside(ctx context.Context, list *tree.Node, x *besideIt) error {
	n, err := t.read.Child(list, x.at)
	if err != nil {
		return err
	}
	ops := t.ops
	if err = t.make(ctx, change{kind: patch.Set, n: n, content: x.content, options: x.options}); err != nil {
		return err
	}
	t.ops = ops // it is an insertion
	if list, err = t.read.Resolve(x.list); err == nil {
		n, err = t.read.Child(list, x.at)
	}
	if err != nil {
		return err
	}
	return t.noteAt(ctx, x.op, n)
}
