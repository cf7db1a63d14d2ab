package check

import (
	"cmp"
	"fmt"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/model/problems"
)

// A group is the problems of one cause.
type group struct {
	payload.Problem // the first
	path            string
	count, last     int // number of problems, and the packet of the last
}

// groups collects the problems of a capture by their causes.
type groups struct {
	list  []*group
	byKey map[string]*group
}

// add adds a problem.
func (g *groups) add(x *payload.Problem, path string) {
	k := problems.Cause(&x.Problem)
	is := g.byKey[k]
	if is == nil {
		if g.byKey == nil {
			g.byKey = map[string]*group{}
		}
		is = &group{Problem: *x, path: path}
		g.byKey[k], g.list = is, append(g.list, is)
	}
	is.count, is.last = is.count+1, x.Frame
}

// sorted returns the groups, errors first, then in the order of their first problems.
func (g *groups) sorted() []*group {
	slices.SortStableFunc(g.list, func(a, b *group) int { return cmp.Compare(b.Severity, a.Severity) })
	return g.list
}

// problem returns the first problem, with the number of the others in its message.
func (g *group) problem() *payload.Problem {
	x := g.Problem
	if g.count > 1 {
		x.Message += fmt.Sprintf("; %s like it, the last in frame %d", span.Counted(int64(g.count-1), "other problem"), g.last)
	}
	return &x
}
