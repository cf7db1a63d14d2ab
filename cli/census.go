package cli

import (
	"context"
	"fmt"
	"slices"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
)

const (
	listLargest = 3
	largeFrom   = 64 // bytes; a smaller value is not worth listing
)

// A census is what one pass over a whole tree counts.
type census struct {
	tree    *tree.Tree
	bare    bool  // values whose type stands elsewhere count too
	values  int64 // at the root
	counts  tally
	types   []typeCount // by the format's number of the type
	refs    int64
	structs structCensus
	largest []*tree.Node // of the values without children, the largest first
}

type typeCount struct {
	name string
	n    int64
}

// takeCensus counts what is in the buffer with the values, and the problems of all
// buffers. Where a schema or an array tells the types, each member and element
// counts; elsewhere what has no header is a part of a value: a name of a NodePath,
// an element of a packed array.
func takeCensus(ctx context.Context, e *env, f *file) (*census, error) {
	c := &census{tree: f.Tree, bare: f.hasSchemas()}
	err := e.checkWrappers(ctx, f, func(p *span.Problem) { c.counts[p.Severity]++ })
	if err != nil || f.Missing != nil {
		return c, err
	}
	if f.IsForeign() { // it has no values, and that is all that is wrong
		c.counts[span.Error]++
		return c, nil
	}
	s := f.Tree.Scanner()
	s.Report = func(p span.Problem) { c.counts[p.Severity]++ }
	err = s.Run(ctx, func(ev tree.Event) bool {
		if ev != tree.Leave && !s.Slot().Key {
			c.count(s, ev)
		}
		return true
	})
	return c, err
}

func (c *census) problems() int64 { return c.counts[span.Warning] + c.counts[span.Error] }

// count takes note of a value that is entered or passed.
func (c *census) count(s *tree.Scanner, ev tree.Event) {
	v := s.Value()
	if depth := s.Depth(); ev == tree.Enter && depth == 2 || ev == tree.Atom && depth == 1 {
		c.values++
	}
	if c.bare {
		c.structs.count(s, c.tree)
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
func (c *census) add(v *tree.Value, n int64) {
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
func (c *census) elements(s *tree.Scanner, v *tree.Value) {
	if v.Layout == tree.Fixed && v.Count > 0 {
		var first tree.Value
		c.tree.Reading.Read(s.Window(), v, tree.Slot{}, v.Body, &first)
		c.add(&first, v.Count)
	}
}

// compare keeps the last value if it is among the largest.
func (c *census) compare(s *tree.Scanner, size int64) {
	if size < largeFrom {
		return
	}
	at := len(c.largest)
	for at > 0 && size > c.largest[at-1].End-c.largest[at-1].Start {
		at--
	}
	if at == listLargest {
		return
	}
	c.largest = slices.Insert(c.largest, at, s.Current(tree.Atom))
	c.largest = c.largest[:min(len(c.largest), listLargest)]
}

// commonTypes lists the most common types of the dialect with their numbers, n at
// most; and references, if there are any.
func (c *census) commonTypes(n int, dialect []string) []string {
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
		names = append(names, t.name+" "+model.Grouped(t.n))
	}
	return names
}
