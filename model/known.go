package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/engine/tree"
	"varview/model/literals"
	"varview/model/patch"
)

// identifying are the names of values that tell which one of a list a record is, the most certain first.
var identifying = []string{".id", ".uid", ".uuid", ".guid", ".name"}

// IsID reports whether a step of a path leads to a value that is made to tell records apart, as a name is not.
func IsID(step string) bool { return step != ".name" && slices.Contains(identifying, step) }

const (
	maxKnown        = 256 // longest such value in bytes
	identifyingAmid = 32  // number of values of a record among which it is looked for
)

// idOf returns the value that tells which element of a list n is; nil if n is none, or has no such value.
func idOf(r *tree.Reader, n *tree.Node) (id *tree.Node) {
	if n.Layout == tree.Leaf || n.Layout == tree.Fixed || n.Parent.Depth == 0 || n.Parent.Layout == tree.Pairs {
		return nil
	}
	if _, isElement := literals.StepIndex(r.Step(n)); !isElement {
		return nil
	}
	best := len(identifying)
	c, err := r.Child(n, 0)
	for i := 0; err == nil && i < identifyingAmid && best > 0; i++ {
		if at := slices.Index(identifying[:best], r.Step(c)); at >= 0 && c.Layout == tree.Leaf && c.End-c.Start <= maxKnown {
			best, id = at, c
		}
		c, err = r.Next(c)
	}
	return id
}

// known returns what identifies the list elements around an edit, as In of an op. The edit is of n, or adds to it if
// isIn is set. isDone reports values whose edits the reader does not show yet.
func (b *Batch) known(ctx context.Context, n *tree.Node, isIn bool) string {
	var lines []string
	in := n.Parent
	if isIn {
		in = n
	}
	for ; in != nil && in.Parent != nil; in = in.Parent {
		id := idOf(b.t.read, in)
		if id == nil || id.Start == n.Start || id.KeyAt == n.Start || b.isTouched(id, true) { // what is edited is compared anyway
			continue
		}
		if literal, err := literals.Stored(ctx, b.t.read, id); err == nil {
			lines = append(lines, b.path(id)+"\t"+literal+"\n")
		}
	}
	slices.Reverse(lines)
	return strings.Join(lines, "")
}

// maxBeside is the size in bytes of the longest element of a list that tells where the one beside it belongs.
const maxBeside = 4 << 10

// beside returns what tells which element of a list is at an index after the edits so far, as Before or After of an op: AtEnd if
// there is none there, and "" if the edits have put it there or changed it, or if it is too long.
func (b *Batch) beside(ctx context.Context, in *tree.Node, index int64) string {
	if o := b.orders[in.ID()]; o != nil {
		if index >= o.Count() {
			return patch.AtEnd
		}
		var isOriginal bool
		if index, isOriginal = o.Original(index); !isOriginal {
			return ""
		}
	}
	n, err := b.t.read.Child(in, index)
	if errors.Is(err, tree.ErrNoChild) && in.Damage == nil {
		return patch.AtEnd
	}
	if err != nil {
		return ""
	}
	path := "_"
	if id := idOf(b.t.read, n); id != nil {
		n, path = id, "_"+b.t.read.Step(id)
	}
	if n, err = b.t.read.Finish(n); err != nil || n.End-n.Start > maxBeside || b.isTouched(n, true) {
		return ""
	}
	if n.Refers || n.Layout != tree.Leaf && b.t.now.tree.HasReferences() { // its literal depends on where the other values are
		return ""
	}
	literal, err := literals.Stored(ctx, b.t.read, n)
	if err != nil {
		return ""
	}
	return path + "\t" + literal
}

// noteBeside notes in an op what comes before and after an element of a list that is inserted or deleted. The error says that this
// is not what a recorded change names.
func (b *Batch) noteBeside(ctx context.Context, op *patch.Op, x *change) error {
	in, after := x.n, op.Index
	if x.kind == patch.Delete {
		in, after = x.n.Parent, op.Index+1
	}
	if x.kind != patch.Insert && x.kind != patch.Delete || in == nil || !b.isList(in) {
		return nil
	}
	if op.Index > 0 && b.packed == nil { // in a sweep it takes long to find
		op.Before = b.beside(ctx, in, op.Index-1)
	}
	op.After = b.beside(ctx, in, after)
	if x.recorded != nil {
		if err := cmp.Or(isBeside("before", op.Before, x.recorded.Before), isBeside("after", op.After, x.recorded.After)); err != nil {
			return err
		}
	}
	if op.After == patch.AtEnd {
		op.Before = "" // lists with other elements can go on
	}
	return nil
}

// isBeside checks that what comes before or after an element is what was recorded. Either can be "".
func isBeside(side, is, want string) error {
	if is == "" || want == "" || is == want {
		return nil
	}
	_, literal, _ := strings.Cut(is, "\t")
	if want == patch.AtEnd {
		return fmt.Errorf("it was put at the end of the list, which has more elements here: %s comes after it", short(literal))
	}
	_, was, _ := strings.Cut(want, "\t")
	return fmt.Errorf("what comes %s it is %s here, not %s: this is another place in the list", side, short(literal), short(was))
}

// isKnown checks that the elements around a value are those that an op is about.
func (b *Batch) isKnown(ctx context.Context, op patch.Op) error {
	for line := range strings.Lines(op.In) {
		path, literal, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		_, is, err := b.textAt(ctx, path)
		if err != nil {
			return err
		}
		if is != literal {
			return fmt.Errorf("%s is %s here, not %s: this is another element", path, short(is), short(literal))
		}
	}
	return nil
}
