package diagnose

import (
	"bytes"
	"context"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// A step is one event of a reading, with the state before it.
type step struct {
	from    tree.Checkpoint // the place before it
	clean   bool            // another scanner could resume there
	event   tree.Event
	node    *tree.Node // the value
	cost    int64      // cost of the problems before it
	oddness int        // oddness of the values before it
	values  int        // number of values before
}

// A search finds the smallest change with which the bytes after a problem can be read.
type search struct {
	trial
	tree        *tree.Tree
	steps       []step
	unchanged   *source.Window // over the bytes without a change
	baseCost    int64          // cost of continuing without a change
	found       []hypothesis
	leastWeight int64 // weight of the best hypothesis

	symptoms     int   // number of problems without a change
	baseOddness  int   // oddness of the values without a change
	baseSettled  int   // number of errors without a cause without a change
	baseTrailing int64 // cost of the bytes after a complete value without a change
	baseValues   int   // number of values without a change
	headCost     int64 // cost of a problem in the buffer's own leading fields
	budget       int   // number of values that all trial readings may pass
	isLocal      bool  // all problems concern single values
	isRemains    bool  // the bytes left over are the end of an older content
	isHasty      bool  // only the quick attempts are made
	fieldsOnly   bool  // of the quick attempts, only cuts and wrong fields are tried
}

// implausibleType is the implausibility from which on another type is rejected: that of the type and of the
// values that follow, beyond that of the values before.
const implausibleType = 12

// convincingValues is the number of values that must be read without a problem if a later
// problem remains.
const convincingValues = 24

// thoroughSize is the size of the largest buffer in which a search goes on after it has found a small
// change that explains everything.
const thoroughSize = 4 << 10

// maxFound is the number of hypotheses that are kept.
const maxFound = 64

// slack is how much heavier than the best hypothesis another may be before its trial is given up.
const slack = 12

// newSearch returns a search in a tree, whose bytes are those of base.
func newSearch(t *tree.Tree, base source.Source, steps []step, shortages []observation, budget int) *search {
	s := &search{trial: newTrial(base, budget), tree: t, steps: steps, unchanged: source.NewWindow(base), budget: budget}
	s.shortages = shortages
	return s
}

// run returns the hypotheses that explain p, the best first.
func (s *search) run(ctx context.Context, p *observation) []hypothesis {
	last := &s.steps[len(s.steps)-1]
	s.place = max(last.from.Pos(), p.Offset)
	if p.at.Parent == nil && p.Offset < s.tree.Base.Body { // in the buffer's own leading fields, which no trial inspects again
		s.headCost = score.Of(&p.Problem)
	}
	s.baseCost = last.cost + s.headCost + s.trial.run(s.tree, &last.from, &change{}, noCost)
	if s.baseCost == 0 || s.baseCost >= noCost {
		return nil
	}
	astray := s.isBroken
	s.leastWeight, s.symptoms, s.baseTrailing = s.baseCost, s.problems, s.trailing
	s.baseSettled = s.settled
	s.baseOddness, s.baseValues = last.oddness+s.oddness, last.values+s.support
	s.tryCut(ctx, p)
	s.tryLocal(ctx, p)
	if text, ok := s.tree.Reading.(Text); ok {
		if !p.IsLocal() && !s.isExplained(1) {
			s.trySlips(text, p)
		}
		s.join(p)
		return s.found
	}
	s.tryZeros()
	s.tryOwnBytes(p)
	if s.isLocal = p.IsLocal() && !astray; s.isLocal {
		s.tryOwnFields(p)
		if s.symptoms > 1 || p.Code == span.MissingPadding {
			s.tryShifts(1, nextSteps)
		}
		s.join(p)
		return s.found
	}
	s.tryAround(p)
	return s.found
}

// tryAround tries changes of the fields and bytes before a problem, the likelier ones first.
func (s *search) tryAround(p *observation) {
	near := s.steps[max(0, len(s.steps)-nearFieldSteps):]
	if s.fieldsOnly {
		if s.leastWeight = min(s.leastWeight, fieldWeight); !s.isExplained(1) {
			s.tryFields(near)
			s.tryCounts()
		}
		s.join(p)
		return
	}
	s.tryFields(near)
	s.tryFields(s.oddSteps(len(s.steps) - len(near)))
	s.tryCounts()
	s.tryFrames()
	s.tryShifts(1, nearSteps)
	s.tryHeads()
	if s.isHasty {
		for n := 2; n <= maxLoss && !s.isExplained(n); n *= 2 {
			s.tryShifts(n, nextSteps)
		}
		s.join(p)
		return
	}
	s.tryRarer()
	s.doubtCut(p)
	s.join(p)
	s.tryTextRepairs()
}

// oddSteps returns the first of the steps before the i-th with values that hardly any game stores: what is wrong may begin there.
func (s *search) oddSteps(i int) (odd []step) {
	const least, most = 2, 8
	for j := 0; j < i && len(odd) < most; j++ {
		if s.steps[j].clean && s.steps[j+1].oddness-s.steps[j].oddness >= least {
			odd = append(odd, s.steps[j])
		}
	}
	return odd
}

// tryRarer tries bytes that are lost or added in several places, headers and fields further away.
func (s *search) tryRarer() {
	isSmall := s.tree.Source.Size() <= thoroughSize
	shifts := func(from, to, steps int, more func(n int) bool) {
		for n := from; n <= to && more(n); n++ {
			s.tryShifts(n, steps)
		}
	}
	isOpen := func(n int) bool { return !s.isExplained(n) }
	shifts(2, commonShift, nearSteps, func(n int) bool { return isSmall || isOpen(n) })
	if isSmall && isOpen(commonShift) { // before the rarer changes use up the budget
		s.tryShifts(maxLoss, nextSteps)
	}
	shifts(commonShift+1, maxShift, nextSteps, isOpen)
	for n := 1; n <= maxLost && isOpen(n); n++ {
		s.tryLostFields(n)
	}
	if isOpen(1) {
		s.tryLostBytes()
	}
	if isOpen(1) {
		s.tryFields(s.steps[:max(0, len(s.steps)-nearFieldSteps)])
	}
	shifts(commonShift+1, maxShift, nearSteps, isOpen)
	shifts(2, commonShift, nextSteps, func(int) bool { return s.isExplained(1) && !s.isExact(1) })
	if isSmall {
		s.tryShifts(maxLoss, lossSteps)
	}
}

// try continues reading from a step with a change applied. It reports whether the hypothesis explains
// anything and was kept.
func (s *search) try(st *step, from *tree.Checkpoint, c hypothesis) bool {
	if !st.clean {
		return false
	}
	rest := s.trial.run(s.tree, from, &c.change, s.leastWeight-st.cost-s.headCost-2*int64(c.size)+slack)
	if rest >= noCost || s.readsZeros(st, from.Pos(), &c) {
		return false
	}
	c.cost = st.cost + s.headCost + rest + s.newErrors()
	if st.node.Parent == nil { // what ends the buffer earlier must explain the bytes after that
		c.cost += max(0, s.trailing-s.baseTrailing)
	}
	c.oddness, c.values = st.oddness+s.oddness, st.values+s.support
	return s.keep(c)
}

// zerosRead returns the last block of zeros before the problem from which values of another type than their siblings were read;
// no bytes if there is none.
func (s *search) zerosRead() (found span.Span) {
	to := s.steps[len(s.steps)-1].from.Pos()
	from := max(s.steps[0].from.Pos(), to-source.MaxView)
	b := bytes.Clone(s.unchanged.View(from, to-from))
	for at := 0; ; {
		i, n := source.ZeroedRun(b[at:])
		if n == 0 {
			return found
		}
		if zeros := (span.Span{Offset: from + int64(at+i), Length: int64(n)}); s.isOddIn(zeros) {
			found = zeros
		}
		at += i + n
	}
}

// isOddIn reports whether a value in a block of zeros has another type than one before it in the same container.
func (s *search) isOddIn(zeros span.Span) bool {
	type place struct {
		in    int64
		isKey bool
	}
	types := map[place]uint16{}
	return slices.ContainsFunc(s.steps, func(x step) bool {
		if x.event == tree.Leave || x.node.Parent == nil {
			return false
		}
		at := place{x.node.Parent.Start, x.node.Slot.Key}
		was, ok := types[at]
		types[at] = x.node.Type
		return ok && was != x.node.Type && zeros.Contains(x.node.Head-maxLoss) && zeros.Contains(x.node.Head+maxLoss)
	})
}

// readsZeros reports whether a change, after which the last trial has read on from a step or an offset behind it, explains
// something only because a block of zeros is read as values.
func (s *search) readsZeros(st *step, from int64, c *hypothesis) bool {
	if s.zeros.Length == 0 {
		return false
	}
	isBetween := st.from.Pos() <= s.zeros.Offset && from > s.zeros.Offset+maxLoss // more children were read than counted
	return isBetween || s.inZeros > 0 || c.code == span.WrongType && s.overZeros || slices.ContainsFunc(s.steps, func(x step) bool {
		return x.event != tree.Leave && x.from.Pos() < st.from.Pos() && x.node.Head > c.Offset && s.zeros.Contains(x.node.Head)
	})
}

// newErrors returns the cost of errors that a change would bring about.
func (s *search) newErrors() int64 { return score.Error * int64(max(0, s.settled-s.baseSettled)) }

// keep keeps a hypothesis if it explains anything.
func (s *search) keep(c hypothesis) bool {
	if c.group > 0 && c.code == span.ExtraBytes && (c.cost+2*c.Length >= s.baseCost || c.Length == s.tree.Region.Length) {
		return false // it would leave more bytes out than it explains, or none
	}
	usual := max(c.oddness-s.oddness, min(s.baseOddness, 2*implausibleType)) // some programs write all numbers so
	if c.weight() >= s.baseCost || c.code == span.WrongType && c.penalty+s.firstOdd >= implausibleType+usual {
		return false
	}
	isWhole := c.group == headGroup && s.problems == 0 // what lacks a schema costs something too
	if c.cost > s.steps[0].cost && !isWhole && s.cleanValues < convincingValues {
		return false // it looks better only by chance
	}
	c.to, c.toEnd = s.bytes, s.values < trialEvents
	s.add(c)
	if len(s.found) >= 2*maxFound {
		slices.SortStableFunc(s.found, func(a, b hypothesis) int { return bySurprise(&a, &b) })
		s.found = s.found[:maxFound]
	}
	return true
}

// add adds a hypothesis to those found.
func (s *search) add(c hypothesis) {
	s.leastWeight = min(s.leastWeight, c.weight())
	if c.Length <= maxShift {
		c.zeros = c.zeroSurprise(s.unchanged.View(c.Offset, c.Length))
	}
	s.found = append(s.found, c)
}

// nearFieldSteps is the number of steps before the problem in which a wrong field is
// searched for first.
const nearFieldSteps = 16

// tryFields tries other types, flags and lengths in the values of some steps, the nearest
// first.
func (s *search) tryFields(steps []step) { s.tryFieldsWithCode(steps, "") }

// tryFieldsWithCode tries only the suspects with a code, or all if it is "".
func (s *search) tryFieldsWithCode(steps []step, code string) {
	f, ok := s.tree.Reading.(Suspecter)
	if !ok {
		return
	}
	for i := range slices.Backward(steps) {
		st := &steps[i]
		if st.event == tree.Leave || st.node.Parent == nil || s.left < s.budget/4 {
			continue
		}
		f.Suspects(s.unchanged, &st.node.Parent.Value, st.node.Slot, &st.node.Value, func(u Suspect) bool {
			if code == "" || code == u.Code {
				s.try(st, &st.from, hypothesisOf(&u, st.node))
			}
			if code == "" && u.Code == span.WrongLength && u.Penalty == 0 {
				s.tryTextAndFrame(f, st, &u)
			}
			return s.left > s.budget/4
		})
	}
}

// tryOwnFields tries other lengths of a text whose end the problem may show, and another type of a value
// that its container does not accept.
func (s *search) tryOwnFields(p *observation) {
	last := len(s.steps) - 1
	switch p.Code {
	case span.NonZeroPadding, span.NulInText, span.InvalidUTF8:
		s.tryFieldsWithCode(s.steps[last:], span.WrongLength)
		s.tryFieldsWithCode(s.steps[last:], span.WrongCount)
	case span.ElementType:
		s.tryFields(s.steps[last:])
	}
	if p.Code == span.InvalidUTF8 {
		s.tryShifts(1, nearSteps)
	}
}

// tryOwnBytes tries whether bytes that are invalid in a text do not belong there.
func (s *search) tryOwnBytes(p *observation) {
	if last := len(s.steps) - 1; p.Code == span.NulInText || p.Code == span.InvalidUTF8 {
		s.try(&s.steps[last], &s.steps[last].from, hypothesis{change: change{p.Span, nil}, code: span.ExtraBytes, blamed: p.Span, node: p.at, size: shiftSize(int(p.Length)), group: last + 1})
	}
}

const (
	slipReach = 4 << 10 // bytes before a problem in which a missing or surplus character of a text is searched for
	maxSlips  = 4       // number of changes of a character that explain everything, after which no other is tried

	runReach    = 256 // bytes before a problem in which surplus characters one after another are searched for
	mostSurplus = 4   // number of such characters
)

// trySlips tries whether a character between the values of a text is missing or surplus.
func (s *search) trySlips(text Text, p *observation) {
	to := max(s.place, p.End())
	first := max(0, len(s.steps)-nearSteps)
	for first < len(s.steps)-1 && (to-s.steps[first].from.Pos() > slipReach || !s.steps[first].clean) {
		first++
	}
	from := s.steps[first].from.Pos()
	if s.trySlipsOf(text, p, first, from, to, 1) == 0 && !s.isRemains {
		s.trySlipsOf(text, p, first, max(from, to-runReach), to, mostSurplus)
	}
}

// trySlipsOf tries slips between two offsets, and returns how many of them explain everything.
func (s *search) trySlipsOf(text Text, p *observation, first int, from, to int64, most int) (explained int) {
	i := len(s.steps) - 1
	text.Slips(s.unchanged, from, to, most, func(slip source.Splice) bool {
		if slip.End() > s.tree.Region.End() {
			return true
		}
		for i > first && (!s.steps[i].clean || s.steps[i].from.Pos() >= slip.Offset) { // what ends there may go on
			i--
		}
		st := &s.steps[i]
		c := hypothesis{change: change{Span: slip.Span}, code: span.ExtraBytes, node: st.node, size: shiftSize(int(max(1, slip.Length))), group: i + 1}
		if n := slip.Added(); n > 0 {
			c.code, c.new = span.MissingBytes, make([]byte, n)
			slip.New.ReadAt(c.new, 0)
		}
		if isQuote := string(c.new) == `"` || s.unchanged.Byte(c.Offset) == '"' && c.Length == 1; isQuote && p.Code == span.TrailingBytes {
			return true // a text would take in the end of a whole value
		}
		if s.try(st, &st.from, c) && s.found[len(s.found)-1].cost <= s.steps[0].cost {
			explained++
		}
		return explained < maxSlips && s.left > s.budget/16
	})
	return explained
}

// An eventID identifies an event of a reading.
type eventID struct {
	event      tree.Event
	slot       tree.Slot
	start, pos int64
	depth      int
}

func idOf(s *tree.Scanner, ev tree.Event) eventID {
	return eventID{ev, s.Slot(), s.Value().Start, s.Pos(), s.Depth()}
}

// charge adds the cost of a problem of the last event that no cause explains, while a search may want it.
func (r *run) charge(p *observation, ev tree.Event) {
	if r.ended || r.o.NoSearch {
		return
	}
	r.cost += score.Of(&p.Problem)
	r.charges[idOf(r.s, ev)] += score.Of(&p.Problem)
}

// A walk records the steps of a reading.
type walk struct {
	s       *tree.Scanner
	steps   []step
	cost    int64
	oddness int
	values  int
}

// next reads the next event, and records the step.
func (w *walk) next() tree.Event {
	if len(w.steps) == 2*maxSteps {
		w.steps = append(w.steps[:0], w.steps[maxSteps:]...)
	}
	st := step{clean: w.s.IsClean() && w.s.Depth() > 0, cost: w.cost, oddness: w.oddness, values: w.values}
	if st.clean {
		st.from = w.s.Checkpoint()
	}
	st.event = w.s.Next()
	if st.event != tree.Leave {
		w.values++
	}
	if st.event != tree.Done && st.clean {
		st.node = st.from.In()
		if st.event != tree.Leave {
			st.node = &tree.Node{Value: *w.s.Value(), Parent: st.node, Slot: w.s.Slot(), KeyAt: w.s.KeyAt(), Depth: st.node.Depth + 1}
		}
		w.steps = append(w.steps, st)
		if f, ok := w.s.Reading().(Suspecter); ok && st.event != tree.Leave {
			w.oddness += oddness(f, w.s, st.event)
		}
	}
	return st.event
}

// ratedBytes is the number of bytes before a problem whose values a rating counts: far more than make a difference.
const ratedBytes = 1 << 20

// stepsTo returns the last steps of the run's reading up to its last event, at most
// maxSteps.
func (r *run) stepsTo(ev tree.Event) []step {
	to := idOf(r.s, ev)
	for from := r.tree.PlaceBefore(to.pos); ; from = r.tree.PlaceBefore(max(0, to.pos-4*(to.pos-from))) {
		if r.rating != nil { // it counts all values near
			from = min(from, r.tree.PlaceBefore(max(0, to.pos-ratedBytes)))
		}
		if w := r.walk(from, to); len(w.steps) >= maxSteps || from == 0 {
			return w.steps[max(0, len(w.steps)-maxSteps):]
		}
	}
}

// walk reads from a known place (0 for the start) up to an event.
func (r *run) walk(from int64, to eventID) *walk {
	w := &walk{s: r.tree.ScannerAt(from)}
	if from > 0 {
		w.values = manyValues
	}
	for n := 0; w.s.Pos() <= to.pos; n++ {
		ev := w.next()
		at := idOf(w.s, ev)
		w.cost += r.charges[at]
		if at == to || ev == tree.Done || n%4096 == 0 && r.ctx.Err() != nil {
			break
		}
	}
	for i := range w.steps {
		w.steps[i].cost += r.cost - w.cost // the cost before the walk
	}
	return w
}
