package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/literals"
	"varview/model/patch"
	"varview/model/search"
	"varview/model/sorting"
)

// intend returns an intention at the cursor.
func (x *Explorer) intend(label string, do func(context.Context, *model.Transaction) (after model.Cursor, err error)) model.Intention {
	return model.Intention{Label: label, Before: x.Cursor(), Do: do}
}

// Set replaces a value or a key.
func (x *Explorer) Set(n *tree.Node, literal string) model.Intention {
	return x.landing("set "+x.shortPath(n), x.cursorFor(n), func(ctx context.Context, t *model.Transaction) error {
		return t.Set(ctx, n, edit.Content{Literal: literal}, t.Options)
	})
}

// SetAll sets all values that a path stands for, also in what a value holds.
func (x *Explorer) SetAll(path, value string) model.Intention {
	return x.staying("set "+path, func(ctx context.Context, t *model.Transaction) error {
		_, err := t.SetWithin(ctx, path, value, t.Options)
		return err
	})
}

// SetFound sets all values in which a query finds something.
func (x *Explorer) SetFound(q search.Query, value string) model.Intention {
	return x.staying("set all hits of "+q.String(), func(ctx context.Context, t *model.Transaction) error {
		_, err := t.SetFound(ctx, q, value, t.Options)
		return err
	})
}

// ImportCSV puts the values of a CSV file into the container n.
func (x *Explorer) ImportCSV(n *tree.Node, csv []byte) model.Intention {
	return x.staying("import CSV into "+x.shortPath(n), func(ctx context.Context, t *model.Transaction) error {
		_, err := t.ImportCSV(ctx, n, bytes.NewReader(csv), t.Options)
		return err
	})
}

// Sort puts the children of the container n in order.
func (x *Explorer) Sort(n *tree.Node, s sorting.Order) model.Intention {
	return x.staying("sort "+x.shortPath(n), func(ctx context.Context, t *model.Transaction) error {
		_, _, err := sorting.Sort(ctx, t, n, s, t.Options)
		return err
	})
}

// SetThese sets values, which are in file order, to a literal or to what an expression makes of the old
// value.
func (x *Explorer) SetThese(all []*tree.Node, value string) model.Intention {
	return x.staying("set "+x.named(all), func(ctx context.Context, t *model.Transaction) error {
		return t.SetThese(ctx, all, value, t.Options)
	})
}

// RetypeThese changes the type of values to name, last first, so that those before one keep their offsets.
func (x *Explorer) RetypeThese(all []*tree.Node, name string) model.Intention {
	var places [][]int64
	for _, n := range slices.Backward(all) {
		places = append(places, n.Indexes())
	}
	return x.staying("retype values", func(ctx context.Context, t *model.Transaction) error {
		for _, at := range places {
			n, err := t.Reader().AtIndexes(at)
			if err == nil {
				err = t.Retype(ctx, n, name, t.Options)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// PasteThese inserts copies into parent, before the child at index.
func (x *Explorer) PasteThese(all []Clip, parent *tree.Node, index int64) model.Intention {
	at := parent.Indexes()
	return x.staying("paste into "+x.shortPath(parent), func(ctx context.Context, t *model.Transaction) error {
		return t.Together(ctx, len(all), func(b *model.Batch, i int) error {
			parent, err := b.Reader().AtIndexes(at)
			if err != nil {
				return err
			}
			return b.Insert(ctx, parent, index+int64(i), edit.Content{Key: all[i].Key, Copy: all[i].node, From: all[i].tree.NewReader()}, t.Options)
		})
	})
}

// Calculate returns the literal that is meant by what was typed for a value: *2 stands for twice the old
// value.
func (x *Explorer) Calculate(n *tree.Node, typed string) (string, error) {
	r := x.Buffer.Tree().NewReader()
	if _, text, ok := literals.Unquote(typed); ok { // where all values are text, one may spell a number
		if made, err := model.Calculate(r, n, text); err != nil || made != text {
			return made, err
		}
	}
	return model.Calculate(r, n, typed)
}

// named returns the path of a value, or how many values there are, for a message.
func (x *Explorer) named(all []*tree.Node) string {
	if len(all) == 1 {
		return x.shortPath(all[0])
	}
	return span.Counted(int64(len(all)), "value")
}

// shortPath returns the path of a value for a message; it takes less work than Path.
func (x *Explorer) shortPath(n *tree.Node) string {
	defer x.spend(tree.LookUpBudget)()
	return x.Path(n)
}

// cursorFor returns the cursor for a value after an edit: on its row, or on the row of the value whose
// key it is.
func (x *Explorer) cursorFor(n *tree.Node) model.Cursor {
	c := model.CursorOf(n)
	if n.Slot.Key && !hasRow(n) {
		c.Slot.Key = false
	}
	return c
}

// Insert puts a value into parent before the child at index.
func (x *Explorer) Insert(parent *tree.Node, index int64, key, literal string) model.Intention {
	return x.insert("insert into "+x.shortPath(parent), parent, index, edit.Content{Key: key, Literal: literal})
}

func (x *Explorer) insert(label string, parent *tree.Node, index int64, c edit.Content) model.Intention {
	return x.landing(label, model.ChildCursor(parent, index), func(ctx context.Context, t *model.Transaction) error {
		return t.Insert(ctx, parent, index, c, t.Options)
	})
}

// Duplicate puts a copy of a value after it. key is the literal of the copy's key, if it needs one.
func (x *Explorer) Duplicate(n *tree.Node, key string) model.Intention {
	return x.insert("duplicate "+x.shortPath(n), n.Parent, n.Slot.Index+1, edit.Content{Key: key, Copy: n, From: x.Buffer.Tree().NewReader()})
}

// afterDeleting returns the cursor for when children of a value are deleted, from first to last: on what takes the place of
// the first. With a filter it is on the next hit, or else the one before.
func (x *Explorer) afterDeleting(first, last *tree.Node) model.Cursor {
	at := model.ChildCursor(first.Parent, first.Slot.Index)
	if x.outline.filter == nil {
		return at
	}
	hit, err := x.outline.hitAfter(last, true)
	if err != nil {
		if hit, err = x.outline.lastHitUpTo(first, false); err != nil {
			return at
		}
	}
	c := model.CursorOf(hit)
	if hit.Parent.Same(last.Parent) && hit.Slot.Index > last.Slot.Index {
		c.Slot.Index -= last.Slot.Index - first.Slot.Index + 1
	}
	return c
}

// A batched edit is made of each of several values.
type batched func(ctx context.Context, b *model.Batch, n *tree.Node, o edit.Options) error

// batch returns an intention that edits children of a value in one step, the last one first, so that those before it keep their
// numbers. at is where the cursor was.
func (x *Explorer) batch(does string, at model.Cursor, all []*tree.Node, each batched) model.Intention {
	was := x.read.Tree
	return x.landing(does+" "+x.named(all), at, func(ctx context.Context, t *model.Transaction) error {
		return t.Together(ctx, len(all), func(b *model.Batch, i int) error {
			n, r := all[len(all)-1-i], t.Reader()
			if r.Tree != was { // an edit had to be made alone
				in, err := t.Moved(model.CursorOf(n.Parent)).Find(r)
				if err == nil {
					n, err = r.Child(in, n.Slot.Index)
				}
				if err != nil {
					return err
				}
			}
			return each(ctx, b, n, t.Options)
		})
	})
}

// DeleteThese removes values. The cursor goes to what takes the place of the first.
func (x *Explorer) DeleteThese(all []*tree.Node) model.Intention {
	at := x.afterDeleting(all[0], all[len(all)-1])
	return x.batch("delete", at, all, func(ctx context.Context, b *model.Batch, n *tree.Node, o edit.Options) error {
		return b.Delete(ctx, n, o)
	})
}

// DuplicateThese puts copies of consecutive children of a list after the last of them.
func (x *Explorer) DuplicateThese(all []*tree.Node) model.Intention {
	from, first, behind := x.Buffer.Tree().NewReader(), all[0].Slot.Index, all[len(all)-1].Slot.Index+1
	return x.batch("duplicate", x.Cursor(), all, func(ctx context.Context, b *model.Batch, n *tree.Node, o edit.Options) error {
		return b.Insert(ctx, n.Parent, behind, edit.Content{Copy: all[n.Slot.Index-first], From: from}, o)
	})
}

// Move makes a value the child of its parent at index to.
func (x *Explorer) Move(n *tree.Node, to int64) model.Intention {
	return x.landing("move "+x.shortPath(n), model.ChildCursor(n.Parent, to), func(ctx context.Context, t *model.Transaction) error {
		return t.Move(ctx, n, to, t.Options)
	})
}

// PutBytes replaces n bytes at off by b. Afterwards the cursor is on the byte at.
func (x *Explorer) PutBytes(off, n int64, b []byte, at int64) model.Intention {
	what, count := "overwrite", max(n, int64(len(b)))
	switch {
	case n == 0:
		what = "insert"
	case len(b) == 0:
		what = "delete"
	case n != int64(len(b)):
		what, count = "overwrite "+span.Bytes(n)+" with", int64(len(b))
	}
	return x.intend(fmt.Sprintf("%s %s at %#x", what, span.Bytes(count), off), func(_ context.Context, t *model.Transaction) (model.Cursor, error) {
		return model.ByteCursor(at), t.Bytes(off, n, b)
	})
}

// Patch makes all edits of a patch.
func (x *Explorer) Patch(p patch.Patch) model.Intention {
	return x.staying("apply a patch", func(ctx context.Context, t *model.Transaction) error { return t.Apply(ctx, p, t.Options) })
}

// staying returns an intention after which the cursor is where it was.
func (x *Explorer) staying(label string, do func(context.Context, *model.Transaction) error) model.Intention {
	return x.landing(label, x.Cursor(), do)
}

// landing returns an intention after which the cursor is at a place, which the edit may have moved.
func (x *Explorer) landing(label string, at model.Cursor, do func(context.Context, *model.Transaction) error) model.Intention {
	return x.intend(label, func(ctx context.Context, t *model.Transaction) (model.Cursor, error) {
		t.Options.Infer = true
		err := do(ctx, t)
		return t.Moved(at), err
	})
}

// A Clip is a value that was copied.
type Clip struct {
	Key     string // literal of its key; "" if it had none
	Literal string // "" if it would be too long

	node *tree.Node
	tree *tree.Tree
}

// Copy copies a value. The copy stays valid whatever becomes of the value. Copy may run in the
// background.
func (x *Explorer) Copy(ctx context.Context, n *tree.Node) (Clip, error) {
	c := Clip{node: n, tree: x.Buffer.Tree()}
	var err error
	if key := c.tree.NewReader().Key(n); key != nil {
		if c.Key, err = literals.Full(ctx, c.tree.NewReader(), key); err != nil {
			return c, err
		}
	}
	if c.Literal, err = literals.Full(ctx, c.tree.NewReader(), n); err == literals.ErrLong {
		c.Literal, err = "", nil
	}
	return c, err
}

// Paste puts a copied value into parent before the child at index. key is the literal of its key, if it
// needs one.
func (x *Explorer) Paste(c Clip, parent *tree.Node, index int64, key string) model.Intention {
	return x.insert("paste into "+x.shortPath(parent), parent, index, edit.Content{Key: key, Copy: c.node, From: c.tree.NewReader()})
}

// Subject returns the value that an edit is about: the value of the selected row, or the one that owns
// the byte under the cursor. It is nil if there is none.
func (x *Explorer) Subject() *tree.Node {
	if x.gone != nil && !x.inBytes {
		return nil
	}
	return x.place()
}

// LastIn returns the last child of a value; nil if it is unknown.
func (x *Explorer) LastIn(n *tree.Node) *tree.Node {
	last, err := x.read.LastChild(n)
	if err != nil {
		return nil
	}
	return last
}

// KeyOf returns the key of a value; nil if it has none.
func (x *Explorer) KeyOf(n *tree.Node) *tree.Node { return x.read.Key(n) }

// Literal returns the whole literal of a value. It fails if the literal is too long to be edited as text.
// It may run in the background.
func (x *Explorer) Literal(ctx context.Context, n *tree.Node) (string, error) {
	s, err := literals.Full(ctx, x.read.Tree.NewReader(), n)
	if err == literals.ErrLong {
		err = fmt.Errorf("more than %s of text: unfold it and edit its values", span.Bytes(patch.MaxLiteral))
	}
	return s, err
}

// KeysAround returns the keys of the values around the selected one and in them, as literals.
func (x *Explorer) KeysAround() []string {
	const most = 32 << 10
	n := x.Subject()
	if n == nil || n.Parent == nil {
		return nil
	}
	return literals.Keys(x.literal(n.Parent, most))
}

// Try works out what a value would be with another literal. It may run in the background.
func (x *Explorer) Try(ctx context.Context, n *tree.Node, literal string, o edit.Options) (*model.Tried, error) {
	o.Infer = true
	return x.Buffer.Try(ctx, n, x.cursorFor(n), literal, o)
}

// TakesFirst reports whether there are no values, and a first one can be added.
func (x *Explorer) TakesFirst() bool { return x.Buffer.HasValues() && x.Count(x.Base()) == 0 }

// CheckInsert returns an error if a value cannot be inserted into parent.
func (x *Explorer) CheckInsert(ctx context.Context, parent *tree.Node, index int64, key, literal string) error {
	e, err := x.Buffer.Editor()
	if err != nil {
		return err
	}
	_, err = e.Insert(ctx, x.Buffer.Tree().NewReader(), parent, index, edit.Content{Key: key, Literal: literal}, edit.Options{})
	return err
}

// Types returns the names of the types to which a value can be changed.
func (x *Explorer) Types(n *tree.Node) []string {
	e, err := x.Buffer.Editor()
	if err != nil {
		return nil
	}
	return e.Types(x.read, n)
}

// Retype changes the type of a value to name, keeping what of its content fits.
func (x *Explorer) Retype(n *tree.Node, name string) model.Intention {
	return x.landing("retype "+x.shortPath(n), x.cursorFor(n), func(ctx context.Context, t *model.Transaction) error {
		return t.Retype(ctx, n, name, t.Options)
	})
}

// Convert writes the whole buffer again in another dialect of its format.
func (x *Explorer) Convert(to string) model.Intention {
	return x.intend("convert to "+to, func(ctx context.Context, t *model.Transaction) (model.Cursor, error) {
		return model.Cursor{}, t.ConvertHere(ctx, to)
	})
}

// Repair repairs a problem.
func (x *Explorer) Repair(f diagnose.Diagnosis) model.Intention {
	return x.landing("repair: "+f.Repair, model.ByteCursor(f.Offset), func(ctx context.Context, t *model.Transaction) error {
		_, err := t.Repair(ctx, f)
		return err
	})
}

// RepairAll repairs those problems that only accepts, and those that their repairs show. Carrying it out sets made to their
// number, and left to that of the errors and warnings which it leaves.
func (x *Explorer) RepairAll(b *model.Buffer, only func(*diagnose.Diagnosis) bool, made, left *int) model.Intention {
	list, _ := b.Problems()
	return x.staying("repair all", func(ctx context.Context, t *model.Transaction) error {
		var err error
		*made, *left, err = t.RepairInRounds(ctx, list, only, func(*diagnose.Diagnosis, edit.Repair, error) bool { return true })
		if err == nil && *made == 0 {
			err = diagnose.ErrNoRepair
		}
		return err
	})
}

// Repeat makes those of some edits, made before the file changed, that still apply. Carrying it out adds to r what became of
// them.
func (x *Explorer) Repeat(label string, edits patch.Patch, r *model.Reapplied) model.Intention {
	return x.staying(label, func(ctx context.Context, t *model.Transaction) error { return t.Repeat(ctx, edits, r) })
}

// GoBack sets the values to what they were before the newest back saves.
func (x *Explorer) GoBack(w *diff.Watching, back int) model.Intention {
	label := "take what was last saved"
	if back > 0 {
		label = "go back over " + span.Counted(int64(back), "save")
	}
	return x.staying(label, func(ctx context.Context, t *model.Transaction) error { return w.GoBack(ctx, t, back) })
}

// Take sets a value to what it is in the other file. The cursor goes to one that only that file had.
func (x *Explorer) Take(d *diff.Differences, c *compare.Change) model.Intention {
	at := x.Cursor()
	if c.B == nil && c.InB != nil {
		at = model.ChildCursor(c.InB, c.Before)
	}
	return x.landing("take "+c.Path, at, func(ctx context.Context, t *model.Transaction) error { return d.Take(ctx, t, c) })
}

// Merge makes the changes of a merge, with the current choice for each conflict.
func (x *Explorer) Merge(m *diff.Merge) model.Intention {
	choose := m.Choices()
	return x.staying("merge "+m.Theirs.Name, func(ctx context.Context, t *model.Transaction) error { return m.Make(ctx, t, choose) })
}

// Wider returns a larger span around s: the field in which its bytes lie, then the value, and then the
// values around it.
func (x *Explorer) Wider(s span.Span) span.Span {
	isMore := func(t span.Span) bool {
		return t.Length > s.Length && t.Offset <= s.Offset && t.End() >= s.End()
	}
	if isMore(x.field.Span) {
		return x.field.Span
	}
	for n := x.owner; n != nil && n.Depth > 0; n = n.Parent {
		if end, err := x.read.End(n); err == nil && isMore(span.Between(n.Start, end)) {
			return span.Between(n.Start, end)
		}
	}
	if all := span.Between(0, x.Buffer.Size()); isMore(all) {
		return all
	}
	return s
}

// Fill replaces the bytes of s by a pattern, repeated as often as it fits.
func (x *Explorer) Fill(s span.Span, pattern []byte) model.Intention {
	return x.staying(fmt.Sprintf("fill %s at %#x", span.Bytes(s.Length), s.Offset), func(_ context.Context, t *model.Transaction) error {
		switch {
		case s.Length > model.MaxCopied:
			return model.ErrManyBytes
		case len(pattern) == 0:
			return errors.New("nothing to fill with")
		}
		return t.Bytes(s.Offset, s.Length, slices.Repeat(pattern, int(s.Length)/len(pattern)+1)[:s.Length])
	})
}
