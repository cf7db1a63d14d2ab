package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// splices returns the edit that makes a hypothesis true.
func (c *hypothesis) splices() []source.Splice {
	if c.repair != nil || c.isCut {
		return c.repair
	}
	return []source.Splice{c.splice()}
}

// diagnosis describes a hypothesis for people.
func (c *hypothesis) diagnosis(p *observation) Diagnosis {
	f := Diagnosis{Problem: p.Problem, Loss: c.loss}
	if c.isOwn && c.is == "" {
		f.Repair = cmp.Or(c.does, f.Repair)
		return f
	}
	evidence := c.evidence()
	if !c.isOwn {
		f.Span, f.Code, f.Message = c.blamed, c.code, c.was
		if !p.local {
			f.Severity = span.Error
		}
		f.Engine = "what follows is misread: " + p.Engine
		if p.Code == span.TrailingBytes {
			f.Engine = "what is left over is not read"
		} else if p.Engine == "" || p.Severity < span.Error {
			f.Engine = "what follows is misread"
		}
	}
	switch c.code {
	case span.MissingBytes:
		f.Severity = span.Error
		f.Message = fmt.Sprintf("%s missing here: with %s %s", span.BytesAre(int64(len(c.new))), pronoun(len(c.new)), evidence)
		f.Repair = fmt.Sprintf("insert % x at %#x", c.new, c.Offset)
	case span.ExtraBytes:
		f.Severity = span.Error
		if c.group == zeroGroup {
			f.Message = fmt.Sprintf("%s at the end are zero and belong to nothing, as in a file that was not completely written", span.Bytes(c.Length))
			f.Repair = "delete the zeros"
			break
		}
		f.Message = fmt.Sprintf("%s too many here: without %s %s", span.Bytes(c.Length), pronoun(int(c.Length)), evidence)
		f.Repair = fmt.Sprintf("delete %s at %#x", span.Bytes(c.Length), c.Offset)
	default:
		how, does := verbs(c.code)
		f.Message += fmt.Sprintf("; %s %s %s", how, c.is, evidence)
		f.Repair = does + " " + c.is
	}
	return f
}

// verbs returns the words with which a message and a repair introduce the new value of a field.
func verbs(code string) (how, does string) {
	switch code {
	case span.WrongLength:
		return "with", "set the length to"
	case span.WrongCount:
		return "with", "set the count to"
	case span.WrongFrame:
		return "with", "set the length of the frame to"
	case span.WrongFlags:
		return "with", "set"
	}
	return "as", "make it"
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// evidence returns what can be read with the change.
func (c *hypothesis) evidence() string {
	switch {
	case c.cost > 0:
		return "more of what follows can be read"
	case c.toEnd:
		return "all that follows can be read"
	}
	return fmt.Sprintf("what follows can be read, at least up to %#x", c.to)
}

// tryLocal adds the hypothesis that the problem concerns only its value, and has no other cause.
func (s *search) tryLocal(ctx context.Context, p *observation) {
	if p.IsShortage() {
		return
	}
	r, err := repairOf(ctx, s.tree, p)
	if err != nil {
		return
	}
	for i := range r.Splices { // which was read, as the value that takes the place of another
		s.left -= int(min(r.Splices[i].Length+r.Splices[i].Added(), math.MaxInt32) / bytesPerValue)
	}
	c := hypothesis{change: change{Span: p.Span}, code: p.Code, blamed: p.Span, node: p.at, cost: max(0, s.baseCost-score.Of(&p.Problem)), size: 1, isOwn: true, repair: r.Splices, loss: r.Loss, does: r.Does}
	c.oddness, c.values, s.isRemains = s.baseOddness, s.baseValues, r.Remains
	if last := &s.steps[len(s.steps)-1]; len(r.Splices) == 1 && r.Splices[0].Added() <= source.MaxView {
		ch := c.minimal(s.unchanged)
		if rest := s.trial.run(s.tree, &last.from, &ch, noCost); rest < noCost {
			c.cost, c.oddness, c.values = last.cost+rest+s.trailing+s.newErrors(), last.oddness+s.oddness, last.values+s.support
		}
	}
	switch p.Code {
	case span.NonZeroPadding, span.NulInText:
		c.penalty++
	case span.InvalidUTF8:
		c.penalty += 2
	}
	if p.Code == span.TrailingBytes {
		perByte := 4
		if _, isText := s.tree.Reading.(Text); isText { // a single bracket too many ends the value early as well
			perByte = 2
		}
		c.cost, c.size = max(0, s.baseCost-score.Error-min(p.Length, score.MaxGap)), 1+int(min(p.Length, score.MaxGap))/perByte
	}
	s.add(c)
}

// repairOf returns the repair of a problem as it is. If none can be made, the problem says why in place of what may be done in general.
func repairOf(ctx context.Context, t *tree.Tree, p *observation) (edit.Repair, error) {
	format, ok := t.Reading.(edit.Repairer)
	if !ok || p.Repair == "" {
		return edit.Repair{}, ErrNoRepair
	}
	r, err := format.Repair(ctx, t.NewReader(), p.at, &p.Problem)
	if err != nil && p.Code != span.Truncated { // what is cut off within quotes is closed behind them
		p.Repair = err.Error()
	}
	return r, err
}

// search returns hypotheses that explain a problem, the best first.
func (r *run) search(p *observation, steps []step) (*search, []hypothesis) {
	shortages := r.shortages
	if p.late {
		shortages = append(slices.Clip(shortages), *p)
	}
	budget := min(searchBudget(r.tree.Source.Size()), r.valuesLeft, int(min(r.budget.Left(), maxSearchEvents)))
	if r.rating != nil {
		budget = r.ratingEvents
	}
	s := newSearch(r.tree, r.base, steps, shortages, budget)
	if zeros := zerosAt(source.NewWindow(r.base), r.tree.Region, p.Offset); zeros.Length > 0 {
		r.zeros = zeros
	}
	if _, isText := r.tree.Reading.(Text); r.rating == nil && !isText {
		if s.zeros = r.zeros; s.zeros.Length == 0 {
			s.zeros = s.zerosRead()
		}
	}
	s.isHasty, s.fieldsOnly = r.rating != nil || r.o.Hasty, r.fieldsOnly
	all := s.run(r.ctx, p)
	p.local = s.isLocal
	r.valuesLeft -= budget - max(0, s.left)
	r.budget.Spend(int64(budget - max(0, s.left) + valuesPerProblem*s.observed))
	return s, all
}

// cause reports the cause of a problem, if it is found.
func (r *run) cause(p *observation, ev tree.Event) (more, again, found bool) {
	steps := r.stepsTo(ev)
	if len(steps) == 0 {
		return true, false, false
	}
	s, all := r.search(p, steps)
	if r.rating != nil {
		*r.rating = s.rate(all)
		return false, false, true
	}
	if len(all) == 0 {
		return true, false, false
	}
	best := &all[0]
	f := r.diagnosis(p, best)
	f.Symptoms = max(0, s.symptoms-1)
	rival := s.rival(p, all)
	for _, c := range alternatives(all, rival) {
		other := r.diagnosis(p, c)
		other.Path = r.path(c.node)
		other.Span = r.originalSpan(other.Span)
		f.Alternatives = append(f.Alternatives, other)
	}
	f.Unsure = rival != nil
	alone := r.explain(&f, s, p, best)
	if more = r.emit(f, best.node); !more || alone {
		r.charge(p, ev)
		return more, false, true
	}
	if best.isCut {
		r.cutReported = true
		return true, false, true
	}
	r.apply(best)
	return true, true, true
}

// explain notes what the cause of a problem explains besides it, and reports whether it is alone: it has no consequences, or the places
// of later ones would not be those in the file.
func (r *run) explain(f *Diagnosis, s *search, p *observation, best *hypothesis) (alone bool) {
	isUnusual := best.isOwn && best.is == "" && !best.isCut
	explained := s.baseCost - score.Of(&p.Problem) - best.cost
	alone = isUnusual && (explained <= 0 || best.cost > 0 && best.moves())
	if !alone && (explained >= score.Error || len(r.shortages) > 0) {
		f.Severity = span.Error
	}
	if !alone || f.Severity == span.Error {
		for _, o := range append(r.shortages, *p) {
			r.reported[place{r.originalOffset(o.Offset), o.Code}] = true
		}
		r.shortages = nil
	}
	if isUnusual {
		f.Symptoms = 0
	}
	if alone {
		f.Splices = nil
	}
	return alone
}

// moves reports whether the repair of a hypothesis moves what is behind it.
func (c *hypothesis) moves() bool {
	by := int64(0)
	for _, s := range c.splices() {
		by += s.Added() - s.Length
	}
	return by != 0
}

// apply applies a hypothesis to the bytes that the run reads.
func (r *run) apply(c *hypothesis) {
	splices := c.splices()
	r.inverses = append(r.inverses, r.content.Inverse(splices))
	r.content = r.content.Splice(splices)
	r.base = source.Cached(r.content, cachedBytes)
	r.tree, r.paths = r.tree.Repaired(r.content, splices), nil
	r.from = r.tree.PlaceBefore(splices[0].Offset)
	r.causesLeft--
}

// diagnosis returns the diagnosis of a hypothesis, with offsets in the original bytes.
func (r *run) diagnosis(p *observation, c *hypothesis) Diagnosis {
	f := c.diagnosis(p)
	if c.isAtStart(r.tree) {
		f.Guess = true
		f.Message = fmt.Sprintf("the first %s are not a value: without them %s; if they are the game's own header, --offset %d skips them", span.Bytes(c.Length), c.evidence(), c.End())
		f.Repair = fmt.Sprintf("delete the first %s", span.Bytes(c.Length))
	}
	if text, ok := r.tree.Reading.(Text); ok && !c.isOwn {
		c.describeSlip(&f, text, source.NewWindow(r.base))
		if f.Engine = cmp.Or(p.Engine, "the text is not read"); p.Code == span.TrailingBytes && c.Offset < p.Offset {
			f.Engine = "the text is not read, or without what is left over"
		}
	}
	for _, s := range c.splices() {
		s.Span = r.originalSpan(s.Span)
		f.Splices = append(f.Splices, s)
	}
	return f
}

// describeSlip describes a missing or surplus character of a text.
func (c *hypothesis) describeSlip(f *Diagnosis, text Text, w *source.Window) {
	at := text.Place(w, c.Offset)
	if c.code == span.MissingBytes && c.Length > 0 {
		is := shown(w.View(c.Offset, c.Length))
		f.Message = fmt.Sprintf("%s is missing%s, where %s is: with it %s", c.new, at, is, c.evidence())
		f.Repair = fmt.Sprintf("replace %s by %s", is, c.new)
		return
	}
	if c.code == span.MissingBytes {
		f.Message = fmt.Sprintf("%s is missing%s: with it %s", c.new, at, c.evidence())
		f.Repair = fmt.Sprintf("insert %s", c.new)
		return
	}
	f.Message = fmt.Sprintf("%s too many%s: without it %s", shown(w.View(c.Offset, c.Length)), at, c.evidence())
	f.Repair = "delete it"
}

// shown returns characters of a text for a message.
func shown(b []byte) string { return strings.ReplaceAll(string(tree.Prose(b)), `\"`, `"`) }

// ratingEvents is the number of values that all trial readings of one rating may pass.
const ratingEvents = 30_000

// Rate scores one way to read a buffer by what remains unexplained after the smallest change that repairs
// its first problem. The error is that of ctx.
func Rate(ctx context.Context, t *tree.Tree) (rating score.Rating, err error) {
	return newRating(ctx, t).rate()
}

const (
	fieldEvents = 600 // values that all trial readings of one RateField may pass, unless it is thorough
	fieldWeight = 4   // largest weight of its change
)

// RateField scores one way to read a buffer by a cut at its end or one wrong field. ok is false if these do
// not explain its problems or, unless thorough is set, if finding that out would take too many readings.
// The error is that of ctx.
func RateField(ctx context.Context, t *tree.Tree, thorough bool) (rating score.Rating, ok bool, err error) {
	r := newRating(ctx, t)
	r.fieldsOnly = true
	if !thorough {
		r.ratingEvents = fieldEvents
	}
	rating, err = r.rate()
	return rating, rating.Weight <= fieldWeight, err
}

// newRating returns a run that ends with the first cause, and gives only its rating.
func newRating(ctx context.Context, t *tree.Tree) *run {
	r := newRun(ctx, t, func(Diagnosis) bool { return true })
	r.rating, r.ratingEvents, r.causesLeft = &score.Rating{}, ratingEvents, 1
	return r
}

func (r *run) rate() (score.Rating, error) {
	if _, err := r.pass(); err != nil && r.ctx.Err() != nil {
		return *r.rating, err
	}
	if *r.rating == (score.Rating{}) {
		w := r.walk(0, eventID{pos: math.MaxInt64})
		*r.rating = (&hypothesis{oddness: w.oddness, values: w.values}).rating(r.cost)
	}
	return *r.rating, nil
}

// RateClean scores one way to read a buffer without a problem, by its first values.
func RateClean(ctx context.Context, t *tree.Tree) score.Rating {
	seen, s := hypothesis{}, t.Scanner()
	suspecter, _ := t.Reading.(Suspecter)
	s.Run(ctx, func(ev tree.Event) bool {
		if ev == tree.Leave {
			return true
		}
		if seen.values++; suspecter != nil {
			seen.oddness += oddness(suspecter, s, ev)
		}
		return seen.values < manyValues
	})
	return seen.rating(0)
}

// maxZeros is the number of zeros after which RateSound looks for no more values.
const maxZeros = 1 << 16

// RateSound scores one way to read a buffer by the first values before the first problem that contradicts
// it. Zeros and single bytes do not count: they are read as values by chance.
func RateSound(ctx context.Context, t *tree.Tree) score.Rating {
	seen, s := hypothesis{}, t.Scanner()
	suspecter, _ := t.Reading.(Suspecter)
	sound, zeros := true, 0
	s.NoResync = true
	s.Report = func(p span.Problem) { sound = sound && score.Of(&p) == 0 }
	s.Run(ctx, func(ev tree.Event) bool {
		if !sound || s.Value().Damage != nil {
			return false
		}
		switch {
		case ev == tree.Leave:
		case isZero(s), max(s.Value().Tail, s.Value().Body)-s.Value().Head == 1:
			zeros++
		default:
			if seen.values++; suspecter != nil {
				seen.oddness += oddness(suspecter, s, ev)
			}
		}
		return seen.values < manyValues && zeros < maxZeros
	})
	return seen.rating(0)
}

// isZero reports whether a value, apart from its children, is all zeros.
func isZero(s *tree.Scanner) bool {
	v := s.Value()
	end := max(v.Tail, v.Body)
	return s.Window().ZerosBefore(v.Head, end) == end-v.Head
}

// rate scores the best hypothesis or, if there is none, the reading without a change.
func (s *search) rate(all []hypothesis) score.Rating {
	unchanged := hypothesis{oddness: s.baseOddness, values: s.baseValues}
	switch {
	case s.isLocal:
		return unchanged.rating(min(s.baseCost, score.Warning))
	case len(all) == 0:
		return unchanged.rating(s.baseCost)
	}
	best := &all[0]
	rating := best.rating(best.weight())
	rating.AtStart = best.isAtStart(s.tree)
	if ch := best.minimal(s.unchanged); best.group == 0 && !rating.AtStart {
		rating.Changed = max(0, len(ch.new)-best.size)
	}
	return rating
}

// isAtStart reports whether a hypothesis is that bytes before the first value do not belong to the values:
// they may be a header of the game's own.
func (c *hypothesis) isAtStart(t *tree.Tree) bool {
	_, isText := t.Reading.(Text)
	return c.code == span.ExtraBytes && c.Offset == t.Region.Offset && !isText
}

func (c *hypothesis) rating(weight int64) score.Rating {
	return score.Rating{Weight: weight, Oddness: c.implausibility(), Values: min(c.values, manyValues)}
}
