// Package compare finds what differs between two trees of values. Values are compared by what they mean,
// wherever they are in the bytes and however they are stored.
package compare

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strings"

	"varview/decoder/engine/background"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Kind says how a value differs.
type Kind uint8

// The kinds of changes.
const (
	Added   Kind = iota // only B has it
	Removed             // only A has it
	Changed             // it means something else
	Moved               // it is at another place in the same list; of entries a note: their keys are in another order
	Renamed             // it has another key
	Retyped             // it is stored as another type or width, and means the same
)

// String returns the name of the kind in JSON.
func (k Kind) String() string {
	return [...]string{"added", "removed", "changed", "moved", "renamed", "retyped"}[k]
}

// A Change is a difference between two trees, A and B.
type Change struct {
	Kind Kind
	Note bool // the values mean the same; they only differ in form
	Deep bool // the value is nested too deep for differences inside it to be looked for

	Path    string // path in A; in B for an added value
	NewPath string // path in B if it differs; otherwise ""

	A, B   *tree.Node // the value in both trees; nil where there is none
	InA    *tree.Node // the value around it
	InB    *tree.Node
	Before int64 // for an added or removed value: roughly the index of the child before which it would be on the other side
}

// Reversed returns the same change from B to A.
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

// IsAt reports whether the change is of the value at a path in A, or of something in it.
func (c *Change) IsAt(path string) bool {
	rest, is := strings.CutPrefix(c.Path, path)
	return is && (rest == "" || strings.ContainsAny(rest[:1], ".[@#"))
}

// Options says how trees are compared.
type Options struct {
	Tolerance float64 // numbers that differ by no more than this are equal
	Key       string  // step from an element of a list to the value that identifies it: "id"; "" if there is none

	// WholeVectors compares a vector as one value, even if only some of its components differ.
	WholeVectors bool

	// Alike says that both trees are read in the same way wherever they have the same bytes, whatever
	// comes before, if they have learnt the same.
	Alike bool

	// SameDialect says that the values of both trees are of one dialect, so that they can be stored in the
	// same form, and a container of another type is a change. They are if the trees are Alike.
	SameDialect bool

	// Damaged, if set, is called at the end for each tree in which a value that had to be compared cannot
	// be read or is missing, with the first such problem.
	Damaged func(t *tree.Tree, p *span.Problem)

	// Unclear, if set, is called for each part of a list whose elements could as well be paired in another
	// way.
	Unclear func(*Unclear)

	// Paired, if set, is called for each pair of numbered values that correspond, with their numbers.
	Paired func(a, b uint32)

	// Known, if set, keeps children of a for the next comparison with it.
	Known *Known

	// Ignored, if set, reports whether values at a path are not compared.
	Ignored func(path string) bool
}

// maxDepth is the number of levels of nesting that are compared value by value; a value deeper inside is
// compared as a whole.
const maxDepth = 256

// Trees reports the changes that lead from a to b, in the order of the values. It indexes both trees
// first. Its error is that of report, which ends the comparison, of ctx, or of reading.
func Trees(ctx context.Context, a, b *tree.Tree, o Options, report func(*Change) error) error {
	o.SameDialect = o.SameDialect || o.Alike
	c := &comparer{ctx: ctx, a: newSide(a), b: newSide(b), Options: o, report: report, twins: map[uint32]uint32{}}
	if o.Known != nil {
		c.a.read, c.a.kept, c.b.kept = o.Known.read, o.Known.children, map[place]known{}
	}
	if err := both(func() error { return a.BuildIndexAndGaps(ctx) }, func() error { return b.BuildIndexAndGaps(ctx) }); err != nil {
		return err
	}
	c.refers = a.HasReferences() || b.HasReferences()
	if l, learns := a.Reading.(tree.Learner); o.Alike && (!learns || !c.refers && l.Agrees(b.Reading, b.Source.Size(), a.Source.Size())) {
		var err error
		if c.alike, err = source.Alike(ctx, a.Source, b.Source); err != nil {
			return err
		}
	}
	if err := c.list(a.Base, b.Base, false); err != nil {
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

// All returns the changes that Trees reports.
func All(ctx context.Context, a, b *tree.Tree, o Options) ([]*Change, error) {
	changes, _, err := First(ctx, a, b, o, math.MaxInt)
	return changes, err
}

// First returns the first changes that Trees reports, at most a number of them, and whether there are more.
func First(ctx context.Context, a, b *tree.Tree, o Options, most int) (first []*Change, more bool, err error) {
	enough := errors.New("enough")
	err = Trees(ctx, a, b, o, func(c *Change) error {
		if more = len(first) == most; more {
			return enough
		}
		first = append(first, c)
		return nil
	})
	if more {
		err = nil
	}
	return first, more, err
}

// AreEqual reports whether two values mean the same.
func AreEqual(a *tree.Reader, x *tree.Node, b *tree.Reader, y *tree.Node) bool {
	return newSide(a.Tree).sumOf(x).meaning == newSide(b.Tree).sumOf(y).meaning
}

// both runs two functions at the same time.
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

	alike  []source.Common   // equal bytes, which need not be read
	refers bool              // some values refer to others
	twins  map[uint32]uint32 // numbered values of a, with their counterparts in b
	refs   []Change          // pairs of references whose targets are yet to be compared
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

// path returns the path of a changed value in A, or in B if only B has it.
func (c *comparer) path(x *Change) string {
	if x.A != nil {
		return c.a.read.Path(x.A)
	}
	return c.b.read.Path(x.B)
}
