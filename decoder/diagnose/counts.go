package diagnose

import (
	"slices"
	"unicode"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// maxExtraChildren is the largest number of children beyond its count that is tried for a container.
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

// tryFrames tries whether a frame ends where the value in it ends, instead of where its length says.
func (s *search) tryFrames() {
	f, ok := s.tree.Reading.(Resizer)
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
func (s *search) tryFrameEnd(f Resizer, st *step, from *tree.Checkpoint, n *tree.Node) {
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

// explainsAnything reports whether the hypothesis would explain any bytes: that the buffer is cut off, or
// that the rest does not belong to it.
func (c *hypothesis) explainsAnything() bool {
	return c.isCut || c.isOwn && c.code == span.TrailingBytes
}

// isExplained reports whether a change of at most size bytes was found that leaves
// nothing unexplained.
func (s *search) isExplained(size int) bool {
	return slices.ContainsFunc(s.found, func(c hypothesis) bool { return c.cost <= s.steps[0].cost && c.penalty <= 1 && c.size <= size })
}

// isExact reports whether a change of at most size bytes was found that leaves nothing unexplained, and
// would not explain just anything.
func (s *search) isExact(size int) bool {
	return slices.ContainsFunc(s.found, func(c hypothesis) bool {
		return !c.explainsAnything() && c.cost <= s.steps[0].cost && c.size <= size
	})
}

// doubtCut makes a cut less plausible if exactly one byte is missing: it may be lost from
// any place of the value, not only from its end.
func (s *search) doubtCut(p *observation) {
	i := slices.IndexFunc(s.found, func(c hypothesis) bool { return c.isCut })
	if i < 0 {
		return
	}
	cut := &s.found[i]
	if slices.ContainsFunc(s.found, func(c hypothesis) bool {
		return c.code == span.MissingBytes && c.size == 1 && c.cost <= cut.cost && c.node.Start == p.at.Start && c.Offset < s.tree.Region.End()
	}) {
		cut.penalty += 2
	}
}

const (
	maxAlternatives = 3  // other causes that are reported
	kindMargin      = 12 // how much more surprising than the likeliest cause one of another kind may be
	sameMargin      = 6  // the same for a kind that was already named
)

// alternatives returns the hypotheses that are reported as other causes than the first: the rival, the likeliest of each
// other kind of damage, then others.
func alternatives(all []hypothesis, rival *hypothesis) (others []*hypothesis) {
	kinds := map[string]bool{all[0].kind(): true}
	var same []*hypothesis
	for i := range all[1:] {
		c := &all[i+1]
		switch more := c.surprise() - all[0].surprise(); {
		case c == rival:
			others = slices.Insert(others, 0, c)
		case !kinds[c.kind()] && more <= kindMargin:
			kinds[c.kind()] = true
			others = append(others, c)
		case more <= sameMargin:
			same = append(same, c)
		}
	}
	others = append(others, same...)
	return others[:min(len(others), maxAlternatives)]
}

// rival returns another count that is about as likely the wrong one as that of the first hypothesis: values in a list may as
// well belong to the list around it. A cut in a list that has lists around it leaves as many values missing in each of them,
// unless a count is wrong. In a text, a comma between digits may be one too many or a decimal point, and of two brackets one may
// be too many or its partner missing. What is left over behind a whole value may be the end of an older file, which a larger count
// would take in. It returns nil if there is none.
func (s *search) rival(p *observation, all []hypothesis) *hypothesis {
	best := &all[0]
	_, isText := s.tree.Reading.(Text)
	for i := range all[1:] {
		c := &all[i+1]
		switch {
		case isText && c.cost <= best.cost && (c.isOwn || c.surprise() <= best.surprise()+1) && s.isOtherMark(best, c):
			return c
		case c.code != span.WrongCount || c.cost > best.cost:
		case best.code == span.WrongCount && !best.isCut && c.Offset != best.Offset && c.surprise() <= best.surprise()+1,
			best.isCut && c.surprise() <= best.surprise()+kindMargin && !s.changeSame(best, c):
			return c
		}
	}
	return s.leftOver(p, all)
}

// leftOver returns that bytes are left over behind a value in which nothing is odd, if the first hypothesis is a count that takes them
// in; nil otherwise.
func (s *search) leftOver(p *observation, all []hypothesis) *hypothesis {
	if p.Code != span.TrailingBytes || p.at.Parent != nil || s.baseOddness > 0 || len(s.shortages) > 0 || all[0].code != span.WrongCount {
		return nil
	}
	if i := slices.IndexFunc(all, func(c hypothesis) bool { return c.isOwn }); i > 0 {
		return &all[i]
	}
	return nil
}

// isOtherMark reports whether of two changes of a text one inserts a mark and the other deletes one, or one writes a point for
// a comma that the other deletes, or one writes a mark for a letter or digit that the other leaves.
func (s *search) isOtherMark(a, b *hypothesis) bool {
	size := func(c *hypothesis) int64 { return c.Length + int64(len(c.new)) }
	switch {
	case b.isOwn: // a word loses a character
		was := rune(s.unchanged.Byte(a.Offset))
		return a.Length == 1 && len(a.new) == 1 && (unicode.IsLetter(was) || unicode.IsDigit(was))
	case a.isOwn:
		return false
	case size(a) == 1 && size(b) == 1:
		return a.kind() != b.kind()
	}
	return a.Span == b.Span && s.unchanged.Byte(a.Offset) == ',' && (string(a.new) == "." || string(b.new) == ".")
}

// kind returns the kind of damage in a hypothesis: bytes lost, bytes added, a cut or surplus that explains
// anything, or ("") a changed field.
func (c *hypothesis) kind() string {
	switch {
	case c.explainsAnything():
		return span.Truncated
	case c.code == span.MissingBytes, c.code == span.ExtraBytes:
		return c.code
	}
	return ""
}
