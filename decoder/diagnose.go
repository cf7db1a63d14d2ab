package decoder

import (
	"context"
	"fmt"

	"varview/decoder/diagnose"
	"varview/decoder/godot"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Diagnose reports what is wrong with the values as t reads them, as diagnose.Run
// does. Where they were asked to be read as something that they clearly are not, or
// are none at all, it reports that alone.
func (d *Document) Diagnose(ctx context.Context, t *tree.Tree, o diagnose.Options, report func(diagnose.Finding) bool) error {
	p, ok, err := d.misread(ctx, t)
	if !ok && d.IsForeign() {
		p, ok, err = foreignProblem(ctx, t)
	}
	if err != nil {
		return err
	}
	if ok {
		report(diagnose.Finding{Problem: p, Path: "$"})
		return nil
	}
	damaged, err := d.isDamaged(ctx)
	if err != nil {
		return err
	}
	o.Plain = o.Plain || damaged
	return diagnose.Run(ctx, t, o, func(f diagnose.Finding) bool { return damaged && (f.IsEvidence() || f.Settled) || report(f) })
}

// isDamaged reports whether something is wrong with a wrapper, of which all comes
// that is wrong with the values.
func (d *Document) isDamaged(ctx context.Context) (damaged bool, err error) {
	for _, l := range d.Layers[min(len(d.mangled), len(d.Layers)):] {
		enough, stop := context.WithCancel(ctx)
		err := l.Tree.BuildIndex(enough, func(p span.Problem, _ *tree.Scanner) {
			if p.Severity == span.Error {
				damaged = true
				stop()
			}
		})
		stop()
		if damaged || err != nil && ctx.Err() != nil {
			return damaged, ctx.Err()
		}
	}
	return false, nil
}

// clearlyBetter is how many times as much must speak against the reading that was
// asked for as against another; littleWrong is what may always.
const (
	clearlyBetter = 4
	littleWrong   = 4 * errorCost
)

// askedRank is how likely the dialect that was asked for is, in its unlikeliest
// framing.
func (d *Document) askedRank(all []*candidate) (rank int) {
	for _, c := range all {
		if c.dialect == d.Dialect {
			rank = max(rank, c.rank)
		}
	}
	return rank
}

var framingNames = map[godot.Framing]string{godot.Raw: "one bare value (raw)", godot.Stream: "values with a length before each (stream)"}

// misread reports whether another format, dialect or framing than the one asked for
// reads the values better.
func (d *Document) misread(ctx context.Context, t *tree.Tree) (p span.Problem, ok bool, err error) {
	if p, ok, err = d.otherFormat(ctx, t); ok || err != nil {
		return p, ok, err
	}
	f, isGodot := t.Format.(*godot.Format)
	if !isGodot || d.asked.Dialect == "" && d.asked.Framing == "" {
		return p, false, nil
	}
	asked := &candidate{format: func() tree.Format { return f }, hasty: func() tree.Format { return f }}
	all := godotCandidates(Options{Double: d.asked.Double}, d.inFile())
	if err := detect(ctx, t.Source, t.Region, all, Through); err != nil {
		return p, false, err
	}
	best := all[0]
	speaks := [2]int64{}
	for i, c := range []*candidate{asked, best} {
		c.weigh(ctx, t.Source, t.Region, t.Region.End(), 1<<62)
		if speaks[i] = c.cost; t.Region.Length <= maxRated && c.cost > 0 {
			score, err := diagnose.Rate(ctx, c.tree)
			if err != nil {
				return p, false, err
			}
			speaks[i] = score.Weight
		}
	}
	clean := best.cost == 0 && speaks[0] > 0 && (best.rank <= d.askedRank(all) || hasEnough(ctx, best.tree)) // not even the smallest change is needed
	if !clean && (speaks[0] < littleWrong || speaks[1]*clearlyBetter > speaks[0]) || ctx.Err() != nil {
		return p, false, ctx.Err()
	}
	is := best.format().(*godot.Format)
	p = span.Problem{Span: t.Region, Severity: span.Error, Code: span.WrongDialect,
		Message: fmt.Sprintf("this does not read as %s; it does as %s (%s)", title(f), title(is), flags(is))}
	if is.Dialect == f.Dialect {
		p.Code = span.WrongFraming
		p.Message = fmt.Sprintf("this does not read as %s; it does as %s (--framing %v)", framingNames[f.Framing], framingNames[is.Framing], is.Framing)
	}
	return p, true, nil
}
