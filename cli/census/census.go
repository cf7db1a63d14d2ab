// Package census counts what a file contains: values by type, structs by constructor, problems by
// severity.
package census

import (
	"context"
	"fmt"
	"slices"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
)

// A Census is the result of one pass over a whole tree.
type Census struct {
	tree    *tree.Tree
	bare    bool  // count values whose type is not in their header too
	Values  int64 // number of values at the root
	Counts  output.Tally
	types   []typeCount // counts by the format's type number
	refs    int64
	Structs Structs
	Largest []*tree.Node // largest values without children, largest first
	tally   tree.Tally

	evidence bool  // a problem suggests that the values are misread
	clean    int64 // offset up to which there is no such problem
}

type typeCount struct {
	name string
	n    int64
}

// Take counts what is in the buffer with the values, and the problems of all buffers. If a schema or an
// array determines types, each member and element counts; otherwise anything without a header is a part
// of a value, such as a name in a NodePath or an element of a packed array.
//
// If a problem suggests that the values are misread, or if other dialects read their beginning as well,
// Take detects the dialect again from all values.
func Take(ctx context.Context, e *env.Env, f *env.File) (*Census, error) {
	var wrappers output.Tally
	err := e.CheckWrappers(ctx, f, func(p *span.Problem) { wrappers[p.Severity]++ })
	if err != nil || f.Missing != nil {
		return &Census{Counts: wrappers}, err
	}
	c, err := takeValues(ctx, e, f)
	if was := f.Tree; err == nil && (c.evidence || len(f.Also) > 0) && f.Confidence != decoder.Given {
		if err = f.Settle(ctx, c.clean); err == nil && (f.Tree != was || f.IsForeign()) {
			c, err = takeValues(ctx, e, f)
		}
	}
	for severity, n := range wrappers {
		c.Counts[severity] += n
	}
	return c, err
}

// takeValues counts what is in the buffer with the values.
func takeValues(ctx context.Context, e *env.Env, f *env.File) (*Census, error) {
	c := &Census{tree: f.Tree, bare: f.HasSchemas(), clean: f.Tree.Region.End()}
	if f.IsForeign() { // it has no values, and that is its only problem
		c.Counts[span.Error]++
		return c, nil
	}
	var p model.Progress
	defer e.Watch(p.Share, "reading", f.Name)()
	o := tree.CheckOptions{
		Workers:    parallel.Workers(),
		Progress:   p.Set,
		NewCounter: func() tree.Counter { return &Census{tree: c.tree, bare: c.bare} },
		Counted:    func(part tree.Counter) { c.merge(part.(*Census)) },
	}
	err := f.Tree.Check(ctx, o, func(p span.Problem, at *tree.Node) {
		c.Counts[p.Severity]++
		if !c.evidence && p.MayHaveCause() {
			reached, _ := f.Tree.Indexed()
			c.evidence, c.clean = true, min(reached, at.Start)
		}
	})
	if err != nil {
		return c, err
	}
	c.Values += c.tally.Children
	for t, n := range c.tally.Types {
		if n > 0 {
			c.add(&tree.Value{Type: uint16(t)}, n)
		}
	}
	for t, n := range c.tally.Others {
		c.add(&tree.Value{Type: t}, n)
	}
	r := f.Tree.NewReader()
	for _, s := range c.tally.Largest {
		n, err := r.At(s.Offset)
		if err != nil {
			return c, err
		}
		c.Largest = append(c.Largest, n)
	}
	return c, nil
}

// merge adds what was counted in a later part of the buffer.
func (c *Census) merge(part *Census) {
	c.Values += part.Values
	c.refs += part.refs
	c.tally.Add(&part.tally)
	for t, n := range part.types {
		if n.n > 0 {
			c.typeCount(uint16(t), n.name).n += n.n
		}
	}
	c.Structs.merge(&part.Structs)
}

// Tally implements tree.Counter. If values without a header count too, every value is an event.
func (c *Census) Tally() *tree.Tally {
	if c.bare {
		return nil
	}
	return &c.tally
}

// Count implements tree.Counter.
func (c *Census) Count(s *tree.Scanner, ev tree.Event) {
	if (ev == tree.Enter || ev == tree.Atom) && !s.Slot().Key {
		c.count(s, ev)
	}
}

func (c *Census) Problems() int64 { return c.Counts[span.Warning] + c.Counts[span.Error] }

// count counts a value that is entered or passed.
func (c *Census) count(s *tree.Scanner, ev tree.Event) {
	v := s.Value()
	if depth := s.Depth(); ev == tree.Enter && depth == 2 || ev == tree.Atom && depth == 1 {
		c.Values++
	}
	if c.bare {
		c.Structs.Count(s, c.tree)
	}
	switch {
	case v.Damage != nil:
		return
	case v.Refers:
		c.refs++
		return
	case c.bare:
		c.add(v, 1)
		c.elements(s, v)
	case v.Body > v.Head:
		c.add(v, 1)
	}
	if ev == tree.Atom {
		c.tally.Compare(v.Span())
	}
}

// add counts n values of the type of v.
func (c *Census) add(v *tree.Value, n int64) {
	t := c.typeCount(v.Type, "")
	if t.name == "" {
		t.name = c.tree.Reading.TypeName(v)
	}
	t.n += n
}

// typeCount returns the number of values of a type.
func (c *Census) typeCount(t uint16, name string) *typeCount {
	for int(t) >= len(c.types) {
		c.types = append(c.types, typeCount{})
	}
	if name != "" {
		c.types[t].name = name
	}
	return &c.types[t]
}

// elements counts the elements of an array of fixed size, which are not passed one by one. The parts of a
// text do not count.
func (c *Census) elements(s *tree.Scanner, v *tree.Value) {
	if v.Layout == tree.Fixed && v.Count > 0 && !(v.Opaque && v.Stride == 0) {
		var first tree.Value
		c.tree.Reading.Read(s.Window(), v, tree.Slot{}, v.Body, &first)
		c.add(&first, v.Count)
	}
}

// CommonTypes returns the n most common types of the dialect with their counts, and references, if there
// are any.
func (c *Census) CommonTypes(n int, dialect []string) []string {
	types := slices.DeleteFunc(slices.Clone(c.types), func(t typeCount) bool { return t.n == 0 || !slices.Contains(dialect, t.name) })
	if c.refs > 0 {
		types = append(types, typeCount{"reference", c.refs})
	}
	slices.SortStableFunc(types, func(a, b typeCount) int { return int(b.n - a.n) })
	var names []string
	for i, t := range types {
		if i == n && len(types) > n+1 {
			return append(names, fmt.Sprintf("%d more", len(types)-n))
		}
		names = append(names, t.name+" "+span.Grouped(t.n))
	}
	return names
}
