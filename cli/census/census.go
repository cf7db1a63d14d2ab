// Package census counts what a file holds: values by type, structs by constructor, problems
// by severity.
package census

import (
	"context"
	"fmt"
	"slices"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/span"
	"varview/decoder/tree"
)

const (
	listLargest = 3
	largeFrom   = 64 // bytes; a smaller value is not worth listing
)

// A Census is what one pass over a whole tree counts.
type Census struct {
	tree    *tree.Tree
	bare    bool  // values whose type is not in their header count too
	Values  int64 // at the root
	Counts  output.Tally
	types   []typeCount // by the format's number of the type
	refs    int64
	Structs Structs
	Largest []*tree.Node // of the values without children, the largest first
}

type typeCount struct {
	name string
	n    int64
}

// Take counts what is in the buffer with the values, and the problems of all
// buffers. Where a schema or an array has the types, each member and element
// counts; elsewhere what has no header is a part of a value: a name of a NodePath,
// an element of a packed array.
func Take(ctx context.Context, e *env.Env, f *env.File) (*Census, error) {
	c := &Census{tree: f.Tree, bare: f.HasSchemas()}
	err := e.CheckWrappers(ctx, f, func(p *span.Problem) { c.Counts[p.Severity]++ })
	if err != nil || f.Missing != nil {
		return c, err
	}
	if f.IsForeign() { // it has no values, and that is all that is wrong
		c.Counts[span.Error]++
		return c, nil
	}
	s := f.Tree.Scanner()
	s.Report = func(p span.Problem) { c.Counts[p.Severity]++ }
	err = s.Run(ctx, func(ev tree.Event) bool {
		if ev != tree.Leave && !s.Slot().Key {
			c.count(s, ev)
		}
		return true
	})
	return c, err
}

func (c *Census) Problems() int64 { return c.Counts[span.Warning] + c.Counts[span.Error] }

// count notes a value that is entered or passed.
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
		c.compare(s, v.End-v.Start)
	}
}

// add counts n values of the type of v.
func (c *Census) add(v *tree.Value, n int64) {
	for int(v.Type) >= len(c.types) {
		c.types = append(c.types, typeCount{})
	}
	t := &c.types[v.Type]
	if t.n == 0 {
		t.name = c.tree.Reading.TypeName(v)
	}
	t.n += n
}

// elements counts the elements of an array of one size, which are not passed one
// by one.
func (c *Census) elements(s *tree.Scanner, v *tree.Value) {
	if v.Layout == tree.Fixed && v.Count > 0 {
		var first tree.Value
		c.tree.Reading.Read(s.Window(), v, tree.Slot{}, v.Body, &first)
		c.add(&first, v.Count)
	}
}

// compare keeps the last value if it is among the largest.
func (c *Census) compare(s *tree.Scanner, size int64) {
	if size < largeFrom {
		return
	}
	at := len(c.Largest)
	for at > 0 && size > c.Largest[at-1].End-c.Largest[at-1].Start {
		at--
	}
	if at == listLargest {
		return
	}
	c.Largest = slices.Insert(c.Largest, at, s.Current(tree.Atom))
	c.Largest = c.Largest[:min(len(c.Largest), listLargest)]
}

// CommonTypes lists the most common types of the dialect with their numbers, n at
// most; and references, if there are any.
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
