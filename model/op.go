package model

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/literals"
	"varview/model/patch"
)

// Ops returns the operations of the transaction so far.
func (t *Transaction) Ops() patch.Patch { return t.ops }

// Divide lets a patch make the operations from one on, before which the values were those of a tree, after those before it: made
// together they could leave other bytes.
func (t *Transaction) Divide(at int, was *tree.Tree) error {
	if at == 0 || at == len(t.ops) {
		return nil
	}
	sum, err := patch.SumOf(was.Source)
	t.ops = slices.Insert(t.ops, at, sum)
	return err
}

// Patch returns the operations of the transaction so far as a patch, which states the bytes before and after
// them.
func (t *Transaction) Patch() patch.Patch {
	return patch.Patch(t.ops).Between(t.from.content, t.now.content)
}

// Patch returns the operations that lead from the file's content to the document's. The error says why
// there are none.
func (d *Document) Patch() (patch.Patch, error) {
	h := d.history
	if h.saved < 0 {
		return nil, errors.New("undo no longer leads back to what was saved, so there is no patch from there")
	}
	b := d.ChangedBuffer()
	if b == nil {
		return nil, nil
	}
	var p patch.Patch
	for _, s := range h.steps[min(h.saved, h.at):h.at] {
		p = append(p, s.ops...)
	}
	if h.saved > h.at {
		for _, s := range h.steps[h.at:h.saved] {
			p = append(p, s.ops...)
		}
		p = p.Reversed()
	}
	return p.Between(b.saved.content, b.now.Load().content), nil
}

// describe completes an op with what the value n tells: its literal and its key.
func (t *Transaction) describe(ctx context.Context, op *patch.Op, n *tree.Node) (literal string, err error) {
	if n.KeyAt != tree.Unknown && (op.Kind == patch.Insert || op.Kind == patch.Delete) {
		if op.Key, err = literals.Stored(ctx, t.read, t.read.Key(n)); err != nil && !isNone(err) {
			return "", err
		}
		op.Long = op.Long || err != nil
	}
	literal, err = literals.Stored(ctx, t.read, n)
	if isNone(err) {
		op.Long, literal, err = true, "", nil
	}
	return literal, err
}

// describeMoved returns the literal of a value that is moved; "" if it has none that is not too long.
func (t *Transaction) describeMoved(ctx context.Context, n *tree.Node) (string, error) {
	literal, err := literals.Stored(ctx, t.read, n)
	if isNone(err) {
		return "", nil
	}
	return literal, err
}

// isNone reports whether an error says that a value has no literal for a patch.
func isNone(err error) bool { return err == literals.ErrLong || errors.Is(err, format.ErrNoLiteral) }

// pathOf returns the path of a value. It finds out whether an earlier entry has the same key, which
// requires counting, only where that is quick.
func (t *Transaction) pathOf(n *tree.Node) string { return t.pathWith(n, nil) }

// pathWith is pathOf with indexes of list elements from index; see tree.PathWith.
func (t *Transaction) pathWith(n *tree.Node, index func(*tree.Node) int64) string {
	t.read.Budget = tree.LookUpBudget / 10
	defer func() { t.read.Budget = 0 }()
	return t.read.PathWith(n, index)
}

// note adds an op that has been made, with the current value.
func (t *Transaction) note(ctx context.Context, op patch.Op, at Cursor) error {
	n, err := at.Find(t.read)
	if err != nil {
		return err
	}
	if n.Depth != at.Depth { // what is packed has no place of its own
		if x, err := t.read.Resolve(op.Path); err == nil {
			n = x
		}
	}
	return t.noteAt(ctx, op, n)
}

// noteAt is note for a value that has been found.
func (t *Transaction) noteAt(ctx context.Context, op patch.Op, n *tree.Node) (err error) {
	if op.Kind != patch.Move {
		if op.New, err = t.describe(ctx, &op, n); err != nil {
			return err
		}
	}
	switch path := t.pathOf(n); {
	case op.Kind == patch.Insert:
		op.Path = path
	case path != op.Path:
		op.NewPath = path
	}
	t.ops = append(t.ops, op)
	return nil
}

// Do makes an edit of values that was recorded in another file. The error says where this file differs
// from that one.
func (b *Batch) Do(ctx context.Context, op patch.Op, o edit.Options) error {
	if err := b.isKnown(ctx, op); err != nil {
		return err
	}
	if op.Kind == patch.Insert {
		return b.doInsert(ctx, op, o)
	}
	n, is, err := b.textAt(ctx, op.Path)
	switch {
	case err != nil:
		return err
	case op.Kind == patch.Move && (op.Old == "" || is == ""):
		return b.Move(ctx, n, op.To, o)
	case is != op.Old && !b.isShownAs(ctx, n, op.Old):
		return fmt.Errorf("%s is %s here, not %s", op.Path, short(is), short(op.Old))
	case op.Kind == patch.Move:
		return b.Move(ctx, n, op.To, o)
	case op.Kind == patch.Delete:
		return b.Delete(ctx, n, o)
	}
	o.Retype = true
	return b.Set(ctx, n, edit.Content{Literal: op.New}, o)
}

// isShownAs reports whether a value is shown as a literal, which need not say how it is stored.
func (b *Batch) isShownAs(ctx context.Context, n *tree.Node, literal string) bool {
	same, err := edit.IsWrittenAs(ctx, b.t.read, &n.Value, literal)
	return same && err == nil
}

// textAt finds the value at a path, and its literal, which is "" if it is too long.
func (b *Batch) textAt(ctx context.Context, path string) (n *tree.Node, is string, err error) {
	n, err = b.Resolve(ctx, path)
	if err == nil && b.isTouched(n, true) { // the reader shows it in its state before the edits
		n, err = b.again(ctx, n)
	}
	if err == nil {
		if is, err = literals.Stored(ctx, b.t.read, n); isNone(err) {
			is, err = "", nil
		}
	}
	return n, is, err
}

func (b *Batch) doInsert(ctx context.Context, op patch.Op, o edit.Options) error {
	p, err := b.ResolvePlace(ctx, op.Path)
	if err != nil {
		return err
	}
	count, err := b.Count(p.Parent)
	if err != nil {
		return err
	}
	if op.Key != "" && op.Index <= count {
		p.Index, p.Key = op.Index, op.Key
	}
	return b.arrange(ctx, change{kind: patch.Insert, n: p.Parent, at: p.Index, content: edit.Content{Key: p.Key, Literal: op.New}, options: o, recorded: &op})
}

func (t *Transaction) doBytes(op patch.Op) error {
	old, err := hex.DecodeString(op.Old)
	if err != nil {
		return err
	}
	b, err := hex.DecodeString(op.New)
	switch {
	case err != nil:
		return err
	case op.Buffer != t.buffer.Number:
		return fmt.Errorf("bytes of buffer %d cannot be changed together with buffer %d", op.Buffer, t.buffer.Number)
	}
	is := make([]byte, len(old))
	if n, _ := t.now.content.ReadAt(is, op.Offset); n < len(old) || !bytes.Equal(is, old) {
		return fmt.Errorf("the bytes at %#x are %s here, not %s", op.Offset, short(hex.EncodeToString(is[:n])), short(op.Old))
	}
	return t.Bytes(op.Offset, int64(len(old)), b)
}

// short shortens a literal for a message.
func short(s string) string {
	if len(s) > 80 {
		return literals.FirstOf(s, 77) + "…"
	}
	if s == "" {
		return "nothing"
	}
	return s
}

// A SpotIn is a place at which a value can be inserted.
type SpotIn struct {
	Parent *tree.Node
	Index  int64  // index of the child before which it is inserted
	Key    string // literal of the key that it gets; "" if it needs none
}

// ResolvePlace finds where a path would put a new value: before the element at that path, or as a new
// entry at the end.
func (t *Transaction) ResolvePlace(path string) (SpotIn, error) {
	return t.placeAt(path, t.read.Resolve, t.ChildCount)
}

// ResolvePlace is like the transaction's ResolvePlace, after the edits so far.
func (b *Batch) ResolvePlace(ctx context.Context, path string) (SpotIn, error) {
	return b.t.placeAt(path, func(path string) (*tree.Node, error) { return b.Resolve(ctx, path) }, b.Count)
}

func (t *Transaction) placeAt(path string, resolve func(string) (*tree.Node, error), countOf func(*tree.Node) (int64, error)) (SpotIn, error) {
	around, step := tree.SplitPath(path)
	if step == "" {
		return SpotIn{}, fmt.Errorf("no new value can be inserted at %q", path)
	}
	p := SpotIn{}
	index, isIndex := literals.StepIndex(step)
	names, isName := strings.CutSuffix(around, ".names")
	subnames, isSubname := strings.CutSuffix(around, ".subnames")
	var err error
	switch p.Parent, err = resolve(around); {
	case err == nil:
	case isIndex && isName:
		if p.Parent, err = resolve(names); err != nil {
			return p, err
		}
		p.Index, p.Key = index, "names"
		return p, nil
	case isIndex && isSubname:
		if p.Parent, err = resolve(subnames); err != nil {
			return p, err
		}
		p.Index, p.Key = t.nameCount(p.Parent)+index, "subnames"
		return p, nil
	default:
		return p, err
	}
	count, err := countOf(p.Parent)
	if err == nil {
		err = t.placeIn(&p, step, count)
	}
	return p, err
}

// placeIn sets the index, or the key, of a new child of a container that has a number of children.
func (t *Transaction) placeIn(p *SpotIn, step string, count int64) error {
	index, isIndex := literals.StepIndex(step)
	if back, err := strconv.ParseInt(strings.Trim(step, "[]"), 10, 64); err == nil && back < 0 && p.Parent.Layout != tree.Pairs {
		index, isIndex = count+back, true // before the last
	}
	switch {
	case p.Parent.Layout == tree.Pairs, !isIndex:
		p.Index, p.Key = count, literals.StepKey(step)
	case index < 0 || index > count:
		return fmt.Errorf("%s has %s; a new one can be inserted at [0] to [%d]", t.read.Path(p.Parent), span.Counted(count, "element"), count)
	default:
		p.Index = index
	}
	return nil
}

// ChildCount returns the actual number of children.
func (t *Transaction) ChildCount(n *tree.Node) (int64, error) {
	if n.Count != tree.Unknown && n.Damage == nil {
		return n.Count, nil
	}
	last, err := t.read.LastChild(n)
	if errors.Is(err, tree.ErrNoChild) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return last.Slot.Index + 1, nil
}

// nameCount returns the number of names in a NodePath.
func (t *Transaction) nameCount(path *tree.Node) int64 {
	for i := int64(0); ; i++ {
		step := t.read.AppendStep(nil, &path.Value, tree.Slot{Index: i}, nil)
		if i >= path.Count || !strings.HasPrefix(string(step), ".names") {
			return i
		}
	}
}

// Apply makes all edits of a patch. The error names the first that cannot be made.
func (t *Transaction) Apply(ctx context.Context, p patch.Patch, o edit.Options) error {
	a := applying{t: t, edits: len(p)}
	for i, op := range p {
		t.Progress.Set(int64(i), 2*int64(len(p))) // Finish is the other half
		if err := a.do(ctx, op, o); err != nil {
			return fmt.Errorf("%s %s: %w", op.Kind, op.Path, err)
		}
	}
	return a.finish(ctx)
}

// applying makes ops, those on values together.
type applying struct {
	t     *Transaction
	edits int    // about how many edits there are
	batch *Batch // nil if none has begun
	exact bool   // the bytes were those that the last Sum states
}

func (a *applying) do(ctx context.Context, op patch.Op, o edit.Options) error {
	switch op.Kind {
	case patch.Bytes, patch.Sum:
		if err := a.finish(ctx); err != nil {
			return err
		}
		if op.Kind == patch.Sum {
			return a.check(op)
		}
		return a.t.doBytes(op)
	}
	b, err := a.values(ctx)
	if err != nil {
		return err
	}
	err = b.orWait(ctx, func() error { return b.Do(ctx, op, o) })
	if err != nil && op.Kind == patch.Set && a.isSum(ctx, op.Path) { // Follow computes it for these values
		return ctx.Err()
	}
	return err
}

// isSum reports whether a value is a checksum of another one, before all edits.
func (a *applying) isSum(ctx context.Context, path string) bool {
	sums, err := decoder.Sums(ctx, a.t.from.tree.NewReader())
	return err == nil && slices.ContainsFunc(sums, func(s decoder.Sum) bool { return s.Path == path && s.Of != "" })
}

// errOtherBytes says that values that a patch puts in are not stored as they were where it was made.
var errOtherBytes = errors.New("the values would be as the patch says, but not stored as they were: in another width, form or layout; without its lines that begin with sum it is made all the same")

// check compares the bytes with those that an op states. In the file of which a patch was made, the result
// has to be the file that it led to; in other files the bytes need not be the same.
func (a *applying) check(op patch.Op) error {
	is, err := patch.SumOf(a.t.now.content)
	if err != nil {
		return err
	}
	if was := a.exact; was && is != op {
		return errOtherBytes
	}
	a.exact = is == op
	return nil
}

// has reports whether a value is already what an op would make it.
func (a *applying) has(ctx context.Context, op patch.Op) (bool, error) {
	if op.Kind != patch.Set || op.Long {
		return false, nil
	}
	b, err := a.values(ctx)
	if err != nil {
		return false, err
	}
	_, is, err := b.textAt(ctx, op.Path)
	return is == op.New, err
}

// values returns the batch of edits of values.
func (a *applying) values(ctx context.Context) (_ *Batch, err error) {
	if a.batch == nil {
		a.batch, err = a.t.Batch(ctx, a.edits)
	}
	return a.batch, err
}

func (a *applying) finish(ctx context.Context) error {
	b := a.batch
	if a.batch = nil; b == nil {
		return nil
	}
	return b.Finish(ctx)
}
