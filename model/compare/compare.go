// Package compare finds what differs between two trees of values, by structure: values are
// compared by what they mean, wherever they are in the bytes and however they are stored.
package compare

import (
	"cmp"
	"context"
	"math"

	"varview/decoder/background"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Kind says how a value differs.
type Kind uint8

// The kinds of changes.
const (
	Added   Kind = iota // only B has it
	Removed             // only A has it
	Changed             // it means something else
	Moved               // it is in another place of the same list; a note: the keys have another order
	Renamed             // it has another key
	Retyped             // it is stored as another type or width, and means the same
)

// String is the name of the kind in JSON.
func (k Kind) String() string {
	return [...]string{"added", "removed", "changed", "moved", "renamed", "retyped"}[k]
}

// A Change is a difference between two trees, A and B.
type Change struct {
	Kind Kind
	Note bool // the values mean the same
	Deep bool // the value is nested so deep that what differs in it is not looked for

	Path    string // in A, or in B of what was added
	NewPath string // in B where it differs, else ""

	A, B   *tree.Node // the value in both trees, nil where one does not have it
	InA    *tree.Node // the value around it
	InB    *tree.Node
	Depth  int   // number of values around it
	Before int64 // of an added or removed one: before which child of the value around it on the other side, about
}

// Reversed is the same change as one that leads from B to A.
func (c *Change) Reversed() *Change {
	r := *c
	r.A, r.B, r.InA, r.InB = c.B, c.A, c.InB, c.InA
	if c.NewPath != "" {
		r.Path, r.NewPath = c.NewPath, c.Path
	}
	switch c.Kind {
	case Added:
		r.Kind = Removed
	case Removed:
		r.Kind = Added
	}
	return &r
}

// Options say how trees are compared.
type Options struct {
	Tolerance float64 // numbers that differ by no more are the same
	Key       string  // step to a value that elements of a list are known by: "id"; "" for none

	// WholeVectors says that a vector is compared as one value: not even where only some of its
	// components differ are these the changes.
	WholeVectors bool

	// Alike says that both trees read the same bytes in the same way, whatever comes before.
	Alike bool

	// Damaged, if set, is called at the end for a tree in which a value was to be compared
	// that cannot be read, or is missing: with the first of that.
	Damaged func(t *tree.Tree, p *span.Problem)

	// Unclear, if set, is called for each part of a list in which elements could be paired in
	// another way as well.
	Unclear func(*Unclear)

	// Ignored, if set, reports whether values at a path are not compared.
	Ignored func(path string) bool
}

// maxDepth is the number of levels of nesting that are compared value by value; a value
// deeper inside is compared as a whole.
const maxDepth = 256

// Trees reports the changes that lead from a to b, in the order of the values. report may
// end that by an error, which is returned, as are those of ctx and of reading.
//
// Both trees are indexed first.
func Trees(ctx context.Context, a, b *tree.Tree, o Options, report func(*Change) error) error {
	c := &comparer{ctx: ctx, a: newSide(a), b: newSide(b), Options: o, report: report, twins: map[uint32]uint32{}}
	if err := both(func() error { return a.BuildIndex(ctx) }, func() error { return b.BuildIndex(ctx) }); err != nil {
		return err
	}
	if o.Alike {
		var err error
		if c.alike, err = source.Alike(ctx, a.Source, b.Source); err != nil {
			return err
		}
	}
	c.refers = a.HasReferences() || b.HasReferences()
	if err := c.list(a.Base, b.Base); err != nil {
		return err
	}
	err := cmp.Or(c.references(), ctx.Err(), c.a.window().Err(), c.b.window().Err())
	for _, s := range []*side{c.a, c.b} {
		if s.damage != nil && o.Damaged != nil {
			o.Damaged(s.read.Tree, s.damage)
		}
	}
	return err
}

// All returns what differs between two trees, as Trees does, in a list.
func All(ctx context.Context, a, b *tree.Tree, o Options) ([]*Change, error) {
	var changes []*Change
	err := Trees(ctx, a, b, o, func(c *Change) error {
		changes = append(changes, c)
		return nil
	})
	return changes, err
}

// AreEqual reports whether two values mean the same.
func AreEqual(a *tree.Reader, x *tree.Node, b *tree.Reader, y *tree.Node) bool {
	return newSide(a.Tree).sumOf(x).meaning == newSide(b.Tree).sumOf(y).meaning
}

// AreNew reports whether values of one tree all differ in meaning, from each other and from the
// elements of a list of another tree.
func AreNew(a *tree.Reader, list *tree.Node, b *tree.Reader, values []*tree.Node) bool {
	s, seen := newSide(b.Tree), map[uint64]bool{}
	for _, v := range values {
		h := s.sumOf(v).meaning
		if seen[h] {
			return false
		}
		seen[h] = true
	}
	found := false
	newSide(a.Tree).items(context.Background(), list, nil, math.MaxInt64, func(x *item) { found = found || seen[x.meaning] })
	return !found
}

// both does two things at the same time.
func both(x, y func() error) error {
	var errY error
	task := background.Start(func() { errY = y() })
	errX := x()
	task.Wait()
	if errX != nil {
		return errX
	}
	return errY
}

// A comparer compares two trees.
type comparer struct {
	Options
	ctx    context.Context
	a, b   *side
	report func(*Change) error

	alike  []source.Common   // bytes that are the same, and need not be read
	refers bool              // values refer to others
	twins  map[uint32]uint32 // numbered values of a and those of b that take their place
	refs   []Change          // references in the same place that may or may not lead to the same
}

// emit reports a change, unless its path is ignored.
func (c *comparer) emit(x Change) error {
	x.Path = c.path(&x)
	if c.Ignored != nil && c.Ignored(x.Path) {
		return nil
	}
	if x.A != nil && x.B != nil {
		if x.NewPath = c.b.read.Path(x.B); x.NewPath == x.Path {
			x.NewPath = ""
		}
	}
	return c.report(&x)
}

// path returns the path of a changed value in A, or in B where only that has it.
func (c *comparer) path(x *Change) string {
	if x.A != nil {
		return c.a.read.Path(x.A)
	}
	return c.b.read.Path(x.B)
}
