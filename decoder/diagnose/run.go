package diagnose

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/engine/work"
	"varview/decoder/score"
)

const (
	maxSteps          = 1024     // values before a problem that are searched for its cause
	searchesPerRun    = 8        // searches that may use up the whole budget of a search
	maxFailures       = 24       // searches without a result after which no other begins
	maxCauses         = 64       // causes found in one buffer
	maxRepairsChecked = 64       // repairs found in repaired bytes that are checked against the original ones
	smallBuffer       = 1 << 20  // bytes: repairs are checked only in buffers up to this size
	keyReach          = 16 << 20 // bytes before a place where reading resumes in which repeated keys are noticed
	maxReported       = 1 << 16  // problems that are remembered, so that none is reported twice
	valuesPerProblem  = 4        // values that take as long to pass as a problem takes to describe
	bytesPerValue     = 16       // bytes of a repair that take as long to read as a value to pass
	pathBudget        = 50_000   // values that the look-up of a path may pass
	cachedBytes       = 1 << 20  // bytes around a problem that are kept in memory while its cause is searched for
)

// Run reports the problems of a buffer in the order in which they are observed, until report returns false.
// For a problem that may have a cause it searches for the smallest change with which the bytes can be read,
// reports that cause, and continues reading as if it were repaired; consequences of the cause are not
// reported. The error is that of ctx or of reading.
func Run(ctx context.Context, t *tree.Tree, o Options, report func(Diagnosis) bool) error {
	r := newRun(ctx, t, report)
	r.original, r.window = t, source.NewWindow(t.Source)
	r.o, r.causesLeft, r.valuesLeft = o, maxCauses, searchesPerRun*searchBudget(t.Source.Size())
	r.budget, r.from = work.From(ctx, t.Source.Size()), o.From
	if o.NoSearch {
		r.causesLeft = 0
	}
	for _, x := range o.Known {
		if !r.emit(Diagnosis{Problem: x.Problem}, x.At) {
			return nil
		}
	}
	if !r.mergeConflicts() {
		return nil
	}
	for {
		switch again, err := r.pass(); {
		case err != nil:
			return err
		case !again:
			return nil
		}
		r.budget.SpendReading(r.tree.Source.Size() - r.from)
	}
}

// A place identifies a problem, by its offset in the original bytes.
type place struct {
	at   int64
	code string
}

// newRun returns a run over the bytes of a tree, before any search.
func newRun(ctx context.Context, t *tree.Tree, report func(Diagnosis) bool) *run {
	return &run{ctx: ctx, tree: t, content: source.Whole(t.Source), base: source.Cached(t.Source, cachedBytes), report: report,
		reported: map[place]bool{}, fruitless: map[place]bool{}}
}

// A run reads a buffer, and applies each repair that it finds to its own copy.
type run struct {
	ctx            context.Context
	o              Options
	report         func(Diagnosis) bool
	original       *tree.Tree     // tree of the original bytes
	window         *source.Window // over them
	tree           *tree.Tree     // tree of the bytes with all repairs so far
	from           int64          // start of the next pass; everything before it has been read
	paths          *tree.Reader   // reader of tree; nil until a path is asked for
	content        *source.Pieces
	base           source.Source     // the bytes of tree, for the trial readings
	inverses       [][]source.Splice // splices that lead from content back to the original bytes
	reported       map[place]bool
	fruitless      map[place]bool // problems for which a search found nothing
	causesLeft     int            // causes that may still be found
	valuesLeft     int            // values that the searches may still pass
	budget         *work.Budget   // budget of the request that the run belongs to
	ended          bool           // the end of the search for causes was reported
	repairsChecked int            // repairs checked against the original bytes
	cutReported    bool           // a cut of the buffer was reported
	zeroedTo       int64          // end of the last block of zeros that was named
	zeros          span.Span      // the last block of zeros at a problem, in the bytes of tree
	shortages      []observation  // missing bytes of values that are still open: later values show whether they are the cause

	rating       *score.Rating // if not nil, only the rating is wanted
	ratingEvents int           // values that all trial readings for it may pass
	fieldsOnly   bool          // rate only a cut or one wrong field

	s       *tree.Scanner
	cost    int64             // cost of the problems of this pass that no cause explains
	charges map[eventID]int64 // the parts of cost
}

// An observation is a problem as the reading observed it.
type observation struct {
	span.Problem
	at    *tree.Node
	atEnd bool // no value around it ends before the buffer
	late  bool // observed when the value began; the value has ended since
	local bool // all problems after it concern single values too
}

// pass reads the buffer. It reports whether to read it again, because a repair was
// applied.
func (r *run) pass() (again bool, err error) {
	s, done := r.tree.Resume(r.from, keyReach)
	defer done()
	r.s, r.cost, r.charges, r.shortages = s, 0, map[eventID]int64{}, nil
	problems := r.problemsAround()
	end := r.tree.Region.End()
	s.Report = func(p span.Problem) {
		at := r.tree.Base
		if *s.Value() != at.Value {
			at = s.Subject()
		}
		problems = append(problems, observation{Problem: p, at: at, atEnd: s.Value().Limit == end})
	}
	for n, ev := 0, tree.Enter; ; n++ {
		if last := len(r.shortages) - 1; last >= 0 && len(problems) == 0 && s.Depth() <= r.shortages[last].at.Depth {
			problems = append(problems, r.shortages[last]) // no other problem explains this one
			r.shortages = r.shortages[:last]
			problems[0].late = true
		}
		for i := range problems {
			switch more, again := r.problem(&problems[i], ev); {
			case again:
				return true, nil
			case !more:
				return false, nil
			}
		}
		problems = problems[:0]
		if ev == tree.Done {
			return false, s.Window().Err()
		}
		if n%4096 == 0 {
			if err := r.ctx.Err(); err != nil {
				return false, err
			}
			if r.o.Progress != nil {
				r.o.Progress(s.Pos(), end)
			}
		}
		s.PassOrdinary = !r.isShortageNext()
		ev = s.Next()
	}
}

// isShortageNext reports whether a shortage is to be reported after the next value.
func (r *run) isShortageNext() bool {
	n := len(r.shortages)
	return n > 0 && r.s.Depth() <= r.shortages[n-1].at.Depth
}

// problemsAround returns the problems of the values around the place where a pass begins: a
// repair may have caused some of them.
func (r *run) problemsAround() (problems []observation) {
	var around []*tree.Node
	for n := r.s.Node(); n.Parent != nil; n = n.Parent {
		around = append(around, n)
	}
	for _, n := range slices.Backward(around) {
		r.s.Inspect(n, func(p span.Problem) {
			problems = append(problems, observation{Problem: p, at: n, atEnd: n.Limit == r.tree.Region.End()})
		})
	}
	return problems
}

// isSearched reports whether causes of an error are searched for.
func (r *run) isSearched(p *observation) bool { return p.Code != span.NestedTooDeep && !r.o.NoSearch }

// emitShortages reports the shortages that had no cause, and whether more problems are wanted.
func (r *run) emitShortages() bool {
	for _, o := range r.shortages {
		if !r.emit(Diagnosis{Problem: o.Problem}, o.at) {
			return false
		}
	}
	r.shortages = nil
	return true
}

// problem reports a problem, or its cause if one is found. more is false if no further problem is wanted;
// again is true if the buffer is to be read again.
func (r *run) problem(p *observation, ev tree.Event) (more, again bool) {
	where := place{r.originalOffset(p.Offset), p.Code}
	if r.reported[where] || r.cutReported && p.IsShortage() && p.atEnd {
		return true, false
	}
	if ev == tree.Enter && !p.late && p.IsShortage() {
		r.shortages = append(r.shortages, *p)
		return true, false
	}
	isError := score.Of(&p.Problem) > 0
	if isError && r.isSearched(p) && !r.fruitless[where] {
		switch why := r.whyNoSearch(); {
		case why == "":
			if more, again, found := r.cause(p, ev); found {
				return more, again
			}
			r.fruitless[where] = true
		case !r.reportEnd(p, why):
			return false, false
		}
	}
	if !isError {
		return r.emit(Diagnosis{Problem: p.Problem}, p.at), false
	}
	if !r.emitShortages() {
		return false, false
	}
	r.charge(p, ev)
	return r.emit(Diagnosis{Problem: p.Problem}, p.at), false
}

// originalOffset returns the offset in the original bytes of a byte of the repaired bytes.
func (r *run) originalOffset(off int64) int64 {
	for i := len(r.inverses) - 1; i >= 0; i-- {
		off = source.Map(r.inverses[i], off)
	}
	return off
}

func (r *run) originalSpan(s span.Span) span.Span {
	return span.Between(r.originalOffset(s.Offset), r.originalOffset(s.End()))
}

// emit passes on a diagnosis of a value. It returns whether more are wanted.
func (r *run) emit(f Diagnosis, n *tree.Node) bool {
	if len(r.reported) < maxReported {
		r.reported[place{r.originalOffset(f.Offset), f.Code}] = true
	}
	if r.original == nil { // only a rating is wanted
		return r.report(f)
	}
	f.Span = r.originalSpan(f.Span)
	f.Path = r.path(n)
	if f.Splices == nil && !r.canRepair(&f) {
		f.Repair = "" // only after the earlier repairs
	}
	if f.Severity > span.Note {
		zeros := zerosAt(r.window, r.original.Region, f.Offset)
		if f.Severity == span.Error || zeros.End() > f.Offset { // else it may well be the end of a list of zeros
			f.Message += r.zeroedBlock(zeros)
		}
		if _, isText := r.tree.Reading.(Text); !isText && zeros.Contains(f.Offset) && !(n.Head < zeros.Offset && n.End >= zeros.End() && n.Layout == tree.Leaf) {
			f.Repair, f.Splices, f.Severity = "", nil, span.Error // what is read there are zeros
		}
	}
	return r.report(f)
}

// Zeroed says where such a run of n zeros is, behind a message.
func Zeroed(from, n int64) string {
	return fmt.Sprintf("; %s from %#x on are zero: perhaps a block that was never written, or that the disk lost", span.Bytes(n), from)
}

const (
	mostZeroed   = 4 << 10 // bytes before and after a problem in which its ends are looked for
	zeroedAhead  = 12      // bytes from a problem to its first zero: of a header or a key
	zeroedBehind = 16      // bytes from the last zero to a problem that they may lead to
)

// zerosAt returns the run of zeros in the middle of a buffer at a problem; no bytes if there is none.
func zerosAt(w *source.Window, region span.Span, off int64) span.Span {
	from := max(region.Offset, off-mostZeroed)
	b := w.View(from, min(off+mostZeroed, region.End())-from)
	for at := 0; ; {
		i, n := source.ZeroedRun(b[at:])
		zeros := span.Span{Offset: from + int64(at+i), Length: int64(n)}
		switch {
		case n == 0 || zeros.Offset > off+zeroedAhead:
			return span.Span{}
		case zeros.End()+zeroedBehind >= off && zeros.Offset > region.Offset && zeros.End() < region.End():
			return zeros
		}
		at += i + n
	}
}

// zeroedBlock names the run of zeros at a problem; "" if there is none, or it was named already.
func (r *run) zeroedBlock(zeros span.Span) string {
	if zeros.Length == 0 || zeros.Offset < r.zeroedTo {
		return ""
	}
	r.zeroedTo = zeros.End()
	return Zeroed(zeros.Offset, zeros.Length)
}

// canRepair reports whether the repair of a diagnosis can be made in the original bytes. Diagnoses in a
// large buffer, and those past the limit, are not checked.
func (r *run) canRepair(f *Diagnosis) bool {
	if f.Repair == "" || len(r.inverses) == 0 || r.repairsChecked == maxRepairsChecked || r.original.Source.Size() > smallBuffer {
		return true
	}
	r.repairsChecked++
	_, err := Repair(r.ctx, r.original.NewReader(), f)
	return err == nil
}

func (r *run) path(n *tree.Node) string {
	if r.paths == nil {
		r.paths = r.tree.NewReader()
		r.paths.Budget = pathBudget
	}
	return r.paths.NextPath(n)
}

// A hypothesis is a change that would explain a problem.
type hypothesis struct {
	change
	code    string
	blamed  span.Span  // field that it blames
	node    *tree.Node // value that owns the field
	was     string
	is      string
	cost    int64 // cost that it leaves unexplained
	size    int   // number of fields or bytes that it changes
	penalty int   // how implausible the change is by itself
	oddness int   // how unlikely the values are that are read with it
	zeros   int   // its zeroSurprise
	values  int   // number of these values that the trial reading passed
	to      int64 // end of the trial reading, in the changed bytes
	toEnd   bool  // to is the end of the buffer
	group   int   // group of lost and extra bytes: 1 + index of their step, or a group below; otherwise 0

	isOwn  bool            // it blames the field that the problem itself names
	isCut  bool            // bytes are missing at the end
	repair []source.Splice // the whole repair, if that is more than the change
	loss   string
	does   string // what it does, if the problem does not say it
}

// weight returns the unexplained cost of a hypothesis plus the size of the change.
func (c *hypothesis) weight() int64 { return c.cost + 2*int64(c.size) }

// implausibility returns how unlikely the change and the values read with it are; many values count in its
// favour.
func (c *hypothesis) implausibility() int { return c.penalty + c.oddness - min(c.values, manyValues)/2 }

// surprise orders hypotheses. Unlikely values count more than in the rating of a dialect,
// because all hypotheses read the same ones before the damage.
func (c *hypothesis) surprise() int64 {
	surprise := surprisePerWeight*(c.cost+int64(c.size)) + int64(c.implausibility()+moreOddness*c.oddness+c.zeros)
	switch {
	case c.isOwn && c.code == span.TrailingBytes:
		surprise += anythingSurprise
	case c.code == span.WrongType, c.code == span.UnknownType:
		surprise++ // any byte can be taken for a wrong type
	}
	return surprise
}

const (
	surprisePerWeight = 2
	moreOddness       = 2
	anythingSurprise  = 2 // for bytes that belong to nothing, which explains whatever is left over
)

// The most common byte is zero: damage rarely adds one, or leaves one in a field of one byte.
const (
	zeroAdded      = 1 // for each zero among the added bytes
	mostZerosAdded = 3
	zeroLeft       = 3
)

// zeroSurprise returns what zeros add to the surprise of a change of the bytes old.
func (c *hypothesis) zeroSurprise(old []byte) int {
	switch {
	case c.code == span.ExtraBytes:
		return min(zeroAdded*bytes.Count(old, []byte{0}), mostZerosAdded)
	case len(old) == 1 && len(c.new) == 1 && old[0] == 0:
		return zeroLeft
	}
	return 0
}

// manyValues is the number of values beyond which more make no difference.
const manyValues = 64

func bySurprise(a, b *hypothesis) int {
	return cmp.Or(cmp.Compare(a.surprise(), b.surprise()), cmp.Compare(a.weight(), b.weight()))
}

// shiftSize returns the size of losing or adding n bytes in one place. Blocks of 1, 2, 4 and 8 bytes are
// lost and added more often than others.
func shiftSize(n int) int {
	if n <= maxLoss && bits.OnesCount(uint(n)) == 1 {
		return min(bits.Len(uint(n)), maxBlockSize)
	}
	return n
}

// maxBlockSize is the size of losing or adding a block of 4 or 8 bytes: words of both sizes
// are lost as often.
const maxBlockSize = 3

const (
	penaltyPerByte  = 4 // penalty that counts as one more byte changed
	maxPenaltyBytes = 6 // largest number of bytes that a penalty counts as
)

// hypothesisOf returns the hypothesis that a suspect is the cause. It copies the new
// bytes.
func hypothesisOf(u *Suspect, n *tree.Node) hypothesis {
	return hypothesis{change: change{u.Span, slices.Clone(u.New)}, code: u.Code, blamed: u.Span, node: n, was: u.Was, is: u.Is, size: 1 + min(u.Penalty/penaltyPerByte, maxPenaltyBytes), penalty: u.Penalty}
}
