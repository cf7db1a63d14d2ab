package model

import (
	"context"
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
