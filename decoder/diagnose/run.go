package diagnose

import (
	"context"
	"slices"

	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

const (
	maxSteps    = 1024 // values before a place in which its cause is looked for
	runSearches = 8    // searches that may pass all the values that one may
	maxFailed   = 24   // searches that may find nothing
	maxAdopted  = 64   // causes that are found in a buffer
	fewAdopted  = 8    // in a large one, which is read again for each
	largeBuffer = 16 << 20
	maxAsked    = 64      // repairs found in mended bytes that are tried in those there are
	smallBuffer = 1 << 20 // of at most so many bytes
	maxTold     = 1 << 16 // problems that are remembered, so that none is told twice
	pathBudget  = 50_000  // values that finding a path may pass
)

// Run reports what is wrong with a buffer, in the order in which it is met, until
// report returns false. Where bytes make no sense it looks for the smallest change
// with which they would, reports that cause, and reads on as if it were mended;
// what else would follow from it is left out. The error is that of ctx, or of
// reading.
func Run(ctx context.Context, t *tree.Tree, o Options, report func(Finding) bool) error {
	r := &run{ctx: ctx, tree: t, first: t, content: source.Whole(t.Source), o: o, report: report,
		told: map[place]bool{}, failed: map[place]bool{}, most: maxAdopted, left: runSearches * searchBudget(t.Source.Size())}
	switch {
	case o.Plain:
		r.most = 0
	case t.Source.Size() > largeBuffer:
		r.most = fewAdopted
	}
	for {
		switch again, err := r.pass(); {
		case err != nil:
			return err
		case !again:
			return nil
		}
	}
}

// A place is what tells a problem from others, in the bytes as they are.
type place struct {
	at   int64
	code string
}

// A run reads a buffer, mending it where it finds out how.
type run struct {
	ctx     context.Context
	o       Options
	report  func(Finding) bool
	first   *tree.Tree   // of the bytes as they are
	tree    *tree.Tree   // of the bytes as they would be, mended so far
	paths   *tree.Reader // of tree, nil until a path is asked for
	content *source.Pieces
	back    [][]source.Splice // what leads from them to the bytes as they are
	told    map[place]bool
	failed  map[place]bool // searches that found nothing
	most    int
	left    int   // values that all searches may pass
	asked   int   // repairs of which it was asked whether they can be made
	cut     bool  // that the bytes end too early is told
	claims  []met // problems of values that are still open: whether they are the cause shows later

	rating *score.Rating // only this is asked for

	s     *tree.Scanner
	steps []step
	cost  int64
	odd   int
	n     int // events
}

// met is a problem that reading has met, and where.
type met struct {
	span.Problem
	at    *tree.Node
	atEnd bool // of the buffer: nothing around it ends before
	late  bool // it was met when the value began, which has ended now
	local bool // nothing is wrong behind it either but with single values
}

// pass reads the buffer. It reports whether that is to be done again, because a
// cause was found.
func (r *run) pass() (again bool, err error) {
	r.s, r.steps, r.cost, r.odd, r.n, r.claims = r.tree.Scanner(), r.steps[:0], 0, 0, 0, nil
	var problems []met
	end := r.tree.Region.End()
	r.s.Report = func(p span.Problem) {
		at := r.tree.Base
		if *r.s.Value() != at.Value {
			at = r.s.Subject()
		}
		problems = append(problems, met{Problem: p, at: at, atEnd: r.s.Value().Limit == end})
	}
	for n := 0; ; n++ {
		if n%4096 == 0 {
			if err := r.ctx.Err(); err != nil {
				return false, err
			}
			if r.o.Progress != nil {
				r.o.Progress(r.s.Pos(), end)
			}
		}
		ev := r.step()
		if last := len(r.claims) - 1; last >= 0 && len(problems) == 0 && r.s.Depth() <= r.claims[last].at.Depth {
			problems = append(problems, r.claims[last]) // nothing else has shown what is wrong
			r.claims = r.claims[:last]
			problems[0].late = true
		}
		for i := range problems {
			switch on, again := r.problem(&problems[i], ev); {
			case again:
				return true, nil
			case !on:
				return false, nil
			}
		}
		problems = problems[:0]
		if ev == tree.Done {
			return false, r.s.Window().Err()
		}
	}
}

// step takes the next step of the reading, and remembers it.
func (r *run) step() tree.Event {
	if len(r.steps) == 2*maxSteps {
		r.steps = append(r.steps[:0], r.steps[maxSteps:]...)
	}
	st := step{clean: r.s.IsClean() && r.s.Depth() > 0, cost: r.cost, odd: r.odd, n: r.n}
	r.n++
	if st.clean {
		st.from = r.s.Checkpoint()
	}
	st.event = r.s.Next()
	if st.event != tree.Done && st.clean {
		st.node = st.from.In()
		if st.event != tree.Leave {
			st.node = &tree.Node{Value: *r.s.Value(), Parent: st.node, Slot: r.s.Slot(), KeyAt: r.s.KeyAt(), Depth: st.node.Depth + 1}
		}
		r.steps = append(r.steps, st)
		if f, ok := r.tree.Reading.(Suspecter); ok && st.event != tree.Leave {
			r.odd += oddness(f, r.s, st.event)
		}
	}
	return st.event
}

// problem reports a problem, or its cause if one is found.
func (r *run) problem(p *met, ev tree.Event) (on, again bool) {
	where := place{r.original(p.Offset), p.Code}
	if r.told[where] || r.cut && p.IsShortage() && p.atEnd {
		return true, false
	}
	if ev == tree.Enter && !p.late && p.IsShortage() {
		r.claims = append(r.claims, *p)
		return true, false
	}
	if score.Of(&p.Problem) > 0 && p.Code != span.NestedTooDeep && len(r.steps) > 0 && r.most > 0 && len(r.failed) < maxFailed && (r.left > searchBudget(r.tree.Source.Size())/16 || r.rating != nil) && !r.failed[where] {
		if on, again, found := r.cause(p); found {
			return on, again
		}
		r.failed[where] = true
	}
	if score.Of(&p.Problem) == 0 {
		return r.tell(Finding{Problem: p.Problem}, p.at), false
	}
	for _, claim := range r.claims {
		if !r.tell(Finding{Problem: claim.Problem}, claim.at) {
			return false, false
		}
	}
	r.claims = nil
	r.cost += score.Of(&p.Problem)
	return r.tell(Finding{Problem: p.Problem}, p.at), false
}

// original is where a byte of the mended bytes is in the bytes as they are.
func (r *run) original(off int64) int64 {
	for i := len(r.back) - 1; i >= 0; i-- {
		off = source.Map(r.back[i], off)
	}
	return off
}

func (r *run) originalSpan(s span.Span) span.Span {
	return span.Between(r.original(s.Offset), r.original(s.End()))
}

// tell reports a finding about a value.
func (r *run) tell(f Finding, n *tree.Node) bool {
	if len(r.told) < maxTold {
		r.told[place{r.original(f.Offset), f.Code}] = true
	}
	f.Span = r.originalSpan(f.Span)
	f.Path = r.path(n)
	if f.Splices == nil && !r.canRepair(&f) {
		f.Repair = "" // as long as what stands before it is not repaired
	}
	return r.report(f)
}

// canRepair reports whether the repair of a finding can be made in the bytes as they
// are, where that is quickly told: it was found in the mended ones.
func (r *run) canRepair(f *Finding) bool {
	if f.Repair == "" || len(r.back) == 0 || r.asked == maxAsked || r.first.Source.Size() > smallBuffer {
		return true
	}
	r.asked++
	_, err := Repair(r.ctx, r.first.NewReader(), f)
	return err == nil
}

// search looks for changes that explain a problem.
func (r *run) search(p *met) (*search, []candidate) {
	claims := r.claims
	if p.late {
		claims = append(slices.Clip(claims), *p)
	}
	budget := min(searchBudget(r.tree.Source.Size()), r.left)
	if r.rating != nil {
		budget = ratedEvents
	}
	s := newSearch(r.tree, r.steps[max(0, len(r.steps)-maxSteps):], claims, budget)
	s.hasty = r.rating != nil
	all := s.run(r.ctx, p)
	p.local = s.isLocal
	r.left -= budget - max(0, s.left)
	return s, all
}

// cause looks for what has led to a problem.
func (r *run) cause(p *met) (on, again, found bool) {
	s, all := r.search(p)
	if r.rating != nil {
		*r.rating = s.rate(all)
		return false, false, true
	}
	if len(all) == 0 {
		return true, false, false
	}
	best := &all[0]
	f := r.finding(p, best)
	f.Symptoms = max(0, s.symptoms-1)
	for i := 1; i < len(all) && len(f.Also) < maxAlso; i++ {
		if all[i].weight() == best.weight() && all[i].implausible() <= best.implausible()+nearTo(best, &all[i]) {
			also := r.finding(p, &all[i])
			also.Path = r.path(all[i].node)
			also.Span = r.originalSpan(also.Span)
			f.Also = append(f.Also, also)
		}
	}
	for _, claim := range append(r.claims, *p) { // it explains them
		r.told[place{r.original(claim.Offset), claim.Code}] = true
	}
	r.claims = nil
	alone := best.own && best.is == "" && !best.isCut // a value is odd, and nothing comes of it
	if alone {
		f.Splices, f.Symptoms = nil, 0
	}
	if on = r.tell(f, best.node); !on || alone {
		r.cost += score.Of(&p.Problem)
		return on, false, true
	}
	if best.isCut {
		r.cut = true
		return true, false, true
	}
	r.adopt(best)
	return true, true, true
}

const (
	maxAlso = 3 // other causes that are told
	closeBy = 6 // how much less plausible they may be

	closeToOwn = 2 // the same of another field where the problem itself is the likeliest cause
)

// nearTo is how much less plausible than the best another cause may be that is told.
func nearTo(best, other *candidate) int {
	if best.own && other.group == 0 {
		return closeToOwn
	}
	return closeBy
}

func (r *run) path(n *tree.Node) string {
	if r.paths == nil {
		r.paths = r.tree.NewReader()
		r.paths.Budget = pathBudget
	}
	return r.paths.Path(n)
}

// adopt goes on with the bytes as they would be with a change.
func (r *run) adopt(c *candidate) {
	splices := c.splices()
	r.back = append(r.back, r.content.Inverse(splices))
	r.content = r.content.Splice(splices)
	r.tree, r.paths = r.tree.Anew(r.content, splices), nil
	r.most--
}

// finding is a candidate as it is reported.
func (r *run) finding(p *met, c *candidate) Finding {
	f := c.finding(p)
	for _, s := range c.splices() {
		s.Span = r.originalSpan(s.Span)
		f.Splices = append(f.Splices, s)
	}
	return f
}
