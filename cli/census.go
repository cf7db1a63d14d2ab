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
	format  tree.Format
	values  int64 // at the root
	counts  tally
	types   []typeCount  // by the format's number of the type
	largest []*tree.Node // of the values without children, the largest first
}

type typeCount struct {
	name string
	n    int64
}

func takeCensus(ctx context.Context, t *tree.Tree) (*census, error) {
	c := &census{format: t.Format}
	s := t.Scanner()
	s.Report = func(p span.Problem) { c.counts[p.Severity]++ }
	err := s.Run(ctx, func(ev tree.Event) bool {
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
	if v.Damage != nil {
		return
	}
	if v.Body > v.Head { // it has a header: parts of a NodePath and the like have not
		for int(v.Type) >= len(c.types) {
			c.types = append(c.types, typeCount{})
		}
		t := &c.types[v.Type]
		if t.n == 0 {
			t.name = c.format.TypeName(v)
		}
		t.n++
	}
	if ev == tree.Atom {
		c.compare(s, v.End-v.Start)
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

// commonTypes lists the most common types with their numbers, n at most.
func (c *census) commonTypes(n int) []string {
	types := slices.DeleteFunc(slices.Clone(c.types), func(t typeCount) bool { return t.n == 0 })
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
