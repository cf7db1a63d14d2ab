package diagnose

import (
	"cmp"
	"context"
	"slices"

	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A step is one event of a reading: what stood before it and what came.
type step struct {
	from  tree.Checkpoint // before it
	clean bool            // reading could go on from there
	event tree.Event
	node  *tree.Node // the value
	cost  int64      // what has spoken against the reading before
	odd   int        // how unlikely the values before are
	n     int        // how many there are
}

// A candidate is a change that would explain what is wrong.
type candidate struct {
	change
	code   string
	about  span.Span  // the guilty field
	node   *tree.Node // the value that it belongs to
	was    string
	is     string
	cost   int64 // what still speaks against the reading
	size   int   // fields or bytes that it changes
	doubts int   // what speaks against it by itself
	odd    int   // how unlikely the values are that it leads to
	values int   // how many there are, as far as reading was tried
	to     int64 // up to where the reading was tried, in the changed bytes
	toEnd  bool  // that is the end of the buffer
	group  int   // for lost and extra bytes: the step that they belong to, and 1; else 0

	own   bool            // it is what the problem says, by the same field
	isCut bool            // bytes are missing at the end
	mends []source.Splice // the repair, where that is more than the change
	drops string
}

// weight orders candidates: what they leave unexplained, then how much they change.
func (c *candidate) weight() int64 { return c.cost + 2*int64(c.size) }

// implausible tells candidates of one weight apart: by what speaks against the
// change and the values that it leads to, and for it that there are many.
func (c *candidate) implausible() int { return c.doubts + c.odd - min(c.values, manyValues)/2 }

// manyValues is how many values are as good as more.
const manyValues = 64

func byWeight(a, b *candidate) int {
	return cmp.Or(cmp.Compare(a.weight(), b.weight()), cmp.Compare(a.implausible(), b.implausible()))
}

// A search looks for the smallest change with which the bytes behind a place can be
// read.
type search struct {
	trial
	tree  *tree.Tree
	steps []step
	look  *source.Window // at the bytes as they are
	base  int64          // what speaks against reading on without a change
	found []candidate
	least int64 // weight of the best

	symptoms int   // problems without a change
	odds     int   // how unlikely the values are without one
	values   int   // and how many there are
	head     int64 // what is wrong with the first fields of the buffer
	budget   int   // values that all trial readings may pass
	isLocal  bool  // nothing is wrong but values by themselves
	hasty    bool  // only what is found quickly counts
}

// incredible is how much can speak against another type.
const incredible = 12

// convincing is how many values must be read before something else goes wrong.
const convincing = 24

// maxFound is how many candidates are kept.
const maxFound = 64

// slack is how much heavier than the best a candidate may be to be tried on.
const slack = 8

func newSearch(t *tree.Tree, steps []step, claims []met, budget int) *search {
	return &search{trial: trial{win: source.NewWindow(t.Source), left: budget, claims: claims}, tree: t, steps: steps, look: source.NewWindow(t.Source), budget: budget}
}

// run searches; what it returns is in order, the best first. p is the problem that
// it is about.
func (s *search) run(ctx context.Context, p *met) []candidate {
	last := &s.steps[len(s.steps)-1]
	s.place = max(last.from.Pos(), p.Offset)
	if p.at.Parent == nil && p.Offset < s.tree.Base.Body { // of the buffer's own first fields, at which no trial looks again
		s.head = score.Of(&p.Problem)
	}
	s.base = last.cost + s.head + s.trial.run(s.tree, &last.from, &change{}, noCost)
	if s.base == 0 || s.base >= noCost {
		return nil
	}
	astray := s.broken
	s.least, s.symptoms = s.base, s.met
	s.odds, s.values = last.odd+s.odd, last.n+s.passed
	s.cut(ctx, p)
	s.local(ctx, p)
	s.zeros()
	s.ownBytes(p)
	if s.isLocal = p.IsLocal() && !astray; s.isLocal {
		s.ownFields(p)
		if s.symptoms > 1 || p.Code == span.MissingPadding {
			s.shifts(1, nextSteps)
		}
		s.join(p)
		return s.found
	}
	s.fields(s.steps[max(0, len(s.steps)-nearFields):])
	s.counts()
	s.frames()
	s.shifts(1, nearSteps)
	s.heads()
	if s.hasty {
		for n := 2; n <= fewShift && !s.isExplained(n); n++ {
			s.shifts(n, nextSteps)
		}
		s.join(p)
		return s.found
	}
	for n := 2; n <= fewShift && !s.isExplained(n); n++ {
		s.shifts(n, nearSteps)
	}
	if !s.isExplained(1) {
		s.lostBytes()
	}
	if !s.isExplained(ownerSize) {
		s.owner()
	}
	if !s.isExplained(1) {
		s.fields(s.steps[:max(0, len(s.steps)-nearFields)])
	}
	for n := fewShift + 1; n <= maxShift && !s.isExplained(n); n++ {
		s.shifts(n, nearSteps)
	}
	s.join(p)
	s.retexts()
	return s.found
}

// isExplained reports whether a change of at most so many bytes was found that leaves
// nothing unexplained.
func (s *search) isExplained(size int) bool {
	return slices.ContainsFunc(s.found, func(c candidate) bool { return c.cost <= s.steps[0].cost && c.doubts <= 1 && c.size <= size })
}

// try reads on from a step with a change made, and keeps the candidate if that
// explains anything.
func (s *search) try(st *step, from *tree.Checkpoint, c candidate) bool {
	if !st.clean {
		return false
	}
	rest := s.trial.run(s.tree, from, &c.change, s.least-st.cost-s.head-2*int64(c.size)+slack)
	if rest >= noCost {
		return false
	}
	c.cost = st.cost + s.head + rest
	c.odd, c.values = st.odd+s.odd, st.n+s.passed
	return s.keep(c)
}

// keep keeps a candidate if it explains anything.
func (s *search) keep(c candidate) bool {
	if c.weight() >= s.base || c.code == span.WrongType && c.doubts+c.odd >= incredible {
		return false
	}
	if c.cost > s.steps[0].cost && s.clean < convincing {
		return false // it only looks better by chance
	}
	c.to, c.toEnd = s.bytes, s.passed < trialEvents
	c.new = slices.Clone(c.new)
	s.least = min(s.least, c.weight())
	s.found = append(s.found, c)
	if len(s.found) >= 2*maxFound {
		slices.SortStableFunc(s.found, func(a, b candidate) int { return byWeight(&a, &b) })
		s.found = s.found[:maxFound]
	}
	return true
}

const (
	farFetched  = 4 // so many doubts make a change count like one byte more
	mostFetched = 6 // bytes that doubts count for
)

// field is the candidate that a suspect makes.
func field(u *Suspect, n *tree.Node) candidate {
	return candidate{change: change{u.Span, u.New}, code: u.Code, about: u.Span, node: n, was: u.Was, is: u.Is, size: 1 + min(u.Doubts/farFetched, mostFetched), doubts: u.Doubts}
}

// nearFields is in how many values before the place a wrong field is looked for
// first.
const nearFields = 16

// fields tries other types, flags and lengths in the values of some steps, of the
// nearest first.
func (s *search) fields(steps []step) { s.fieldsOf(steps, "") }

// fieldsOf tries only suspects of one code, if that is not "".
func (s *search) fieldsOf(steps []step, code string) {
	f, ok := s.tree.Reading.(Suspecter)
	if !ok {
		return
	}
	for i := range slices.Backward(steps) {
		st := &steps[i]
		if st.event == tree.Leave || st.node.Parent == nil || s.left < s.budget/4 {
			continue
		}
		f.Suspects(s.look, &st.node.Parent.Value, st.node.Slot, &st.node.Value, func(u Suspect) bool {
			if code == "" || code == u.Code {
				s.try(st, &st.from, field(&u, st.node))
			}
			if code == "" && u.Code == span.WrongLength && u.Doubts == 0 {
				s.withFrame(f, st, &u)
			}
			return s.left > s.budget/4
		})
	}
}

// ownFields tries other lengths of a text of which the problem may tell the end, and
// another type of a value that its container does not take.
func (s *search) ownFields(p *met) {
	last := len(s.steps) - 1
	switch p.Code {
	case span.NonZeroPadding, span.NulInText, span.InvalidUTF8:
		s.fieldsOf(s.steps[last:], span.WrongLength)
	case span.ElementType:
		s.fields(s.steps[last:])
	}
	if p.Code == span.InvalidUTF8 {
		s.shifts(1, nearSteps)
	}
}

// ownBytes tries whether the bytes that a text cannot have are too many.
func (s *search) ownBytes(p *met) {
	if last := len(s.steps) - 1; p.Code == span.NulInText || p.Code == span.InvalidUTF8 {
		s.try(&s.steps[last], &s.steps[last].from, candidate{change: change{p.Span, nil}, code: span.ExtraBytes, about: p.Span, node: p.at, size: int(p.Length), group: last + 1})
	}
}

// Counts of a container are tried up to so many children more than there are.
const maxMore = 4096

// counts tries whether a container ends earlier or later than its count says.
func (s *search) counts() {
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
			if u, ok := f.Recount(s.look, &in.Parent.Value, &in.Value, next.Index); ok {
				s.try(st, &st.from, field(&u, in))
			}
		} else {
			s.longer(f, st, in)
		}
		if s.left < s.budget/8 {
			return
		}
	}
}

// longer tries whether more children than it counts belong to a container, before
// the end of which a step stands.
func (s *search) longer(f Suspecter, st *step, in *tree.Node) {
	u, ok := f.Recount(s.look, &in.Parent.Value, &in.Value, in.Count+maxMore)
	if !ok {
		u, ok = f.Recount(s.look, &in.Parent.Value, &in.Value, in.Count+1)
	}
	if !ok {
		return
	}
	all := change{u.Span, slices.Clone(u.New)}
	walk := trial{win: source.NewWindow(s.tree.Source), left: s.left / 8}
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
		here.n++
		if ev != tree.Leave {
			here.odd += oddness(f, r, ev)
		}
		c := r.Checkpoint()
		if n := c.Next(); c.In().Depth == in.Depth && n.Index > in.Count && (in.Layout != tree.Pairs || n.Key) {
			u, ok := f.Recount(s.look, &in.Parent.Value, &in.Value, n.Index)
			if !ok {
				break
			}
			s.try(&here, &c, field(&u, in))
		}
	}
	s.left -= s.left/8 - max(0, walk.left)
}

// frames tries whether a frame ends elsewhere than its length says: where the value
// in it does.
func (s *search) frames() {
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
			s.resize(f, st, &from, n)
		}
	}
}

// resize tries the end that the value in a frame has where nothing limits it.
func (s *search) resize(f Suspecter, st *step, from *tree.Checkpoint, n *tree.Node) {
	u, ok := f.Resize(s.look, &n.Parent.Value, &n.Value, n.Parent.Limit)
	if !ok {
		return
	}
	all := change{u.Span, slices.Clone(u.New)}
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
		if u, ok = f.Resize(s.look, &n.Parent.Value, &n.Value, v.Tail); ok {
			s.try(st, from, field(&u, n))
		}
		return
	}
}
