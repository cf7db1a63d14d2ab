package diagnose

import (
	"slices"

	"varview/decoder/score"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// maxExtraChildren is the number of children beyond its count up to which a container is
// tried.
const maxExtraChildren = 4096

// tryCounts tries whether a container has fewer or more children than its count.
func (s *search) tryCounts() {
	f, ok := s.tree.Reading.(Suspecter)
	if !ok {
		return
	}
	for i := range slices.Backward(s.steps) {
		st := &s.steps[i]
		in, next := st.from.In(), st.from.Next()
		if in.Parent == nil || in.Layout == tree.Pairs && !next.Key || !st.clean {
			continue
		}
		if next.Index != in.Count {
			if u, ok := f.Recount(s.unchanged, &in.Parent.Value, &in.Value, next.Index); ok {
				s.try(st, &st.from, hypothesisOf(&u, in))
			}
		} else {
			s.tryHigherCounts(f, st, in)
		}
		if s.left < s.budget/8 {
			return
		}
	}
}

// tryHigherCounts tries whether a container has more children than its count. The step is
// at the end of the container.
func (s *search) tryHigherCounts(f Suspecter, st *step, in *tree.Node) {
	u, ok := f.Recount(s.unchanged, &in.Parent.Value, &in.Value, in.Count+maxExtraChildren)
	if !ok {
		u, ok = f.Recount(s.unchanged, &in.Parent.Value, &in.Value, in.Count+1)
	}
	if !ok {
		return
	}
	all := change{u.Span, u.New}
	walk := newTrial(s.base, s.left/8)
	r := walk.restart(s.tree, &st.from, &all)
	if r == nil {
		return
	}
	clean, here := true, *st
	r.Report = func(p span.Problem) { clean = clean && score.Of(&p) == 0 }
	for walk.left > 0 {
		ev := r.Next()
		walk.left--
		if ev == tree.Done || !clean || r.Depth() <= in.Depth {
			break
		}
		if ev != tree.Leave {
			here.values++
			here.oddness += oddness(f, r, ev)
		}
		c := r.Checkpoint()
		if n := c.Next(); c.In().Depth == in.Depth && n.Index > in.Count && (in.Layout != tree.Pairs || n.Key) {
			u, ok := f.Recount(s.unchanged, &in.Parent.Value, &in.Value, n.Index)
			if !ok {
				break
			}
			s.try(&here, &c, hypothesisOf(&u, in))
		}
	}
	s.left -= s.left/8 - max(0, walk.left)
}

// tryFrames tries whether a frame ends where the value in it ends, and not where its length
// says.
func (s *search) tryFrames() {
	f, ok := s.tree.Reading.(Suspecter)
	if !ok {
		return
	}
	tried := map[int64]bool{}
	for i := range slices.Backward(s.steps) {
		st := &s.steps[i]
		if !st.clean {
			continue
		}
		for n := st.node; n.Parent != nil; n = n.Parent {
			if !n.Fenced || tried[n.Start] {
				continue
			}
			from := st.from
			if n == st.node && st.event == tree.Leave || st.from.Pos() < n.Start {
				continue
			}
			tried[n.Start] = true
			s.tryFrameEnd(f, st, &from, n)
		}
	}
}

// tryFrameEnd tries the end that the value in a frame has if nothing limits it.
func (s *search) tryFrameEnd(f Suspecter, st *step, from *tree.Checkpoint, n *tree.Node) {
	u, ok := f.Resize(s.unchanged, &n.Parent.Value, &n.Value, n.Parent.Limit)
	if !ok {
		return
	}
	all := change{u.Span, u.New}
	r := s.restart(s.tree, from, &all)
	if r == nil {
		return
	}
	clean := true
	r.Report = func(p span.Problem) {
		clean = clean && (score.Of(&p) == 0 || p.Code == span.TrailingBytes || p.Code == span.NonZeroPadding)
	}
	for clean && s.left > 0 {
		ev := r.Next()
		s.left--
		v := r.Value()
		if ev == tree.Done {
			return
		}
		if v.Start != n.Start || !v.Fenced || ev == tree.Enter {
			continue
		}
		if v.Damage != nil || v.Tail == n.End && n.Tail == n.End {
			return
		}
		if u, ok = f.Resize(s.unchanged, &n.Parent.Value, &n.Value, v.Tail); ok {
			s.try(st, from, hypothesisOf(&u, n))
		}
		return
	}
}
