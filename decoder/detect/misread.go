package detect

import (
	"context"
	"fmt"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// AcceptableCost is the largest cost of a reading that is accepted.
const AcceptableCost = 4 * score.Error

// clearlyBetter is the factor by which the cost of the requested reading must exceed that of another one to
// be rejected.
const clearlyBetter = 4

var framingNames = map[string]string{"raw": "one bare value (raw)", "stream": "values with a length before each (stream)", format.Sequence: "values one after another (sequence)"}

// Misread reports whether another family, dialect or framing than the requested one reads the values of a
// tree better. is describes how they are read; r is the user's request.
func (t Table) Misread(ctx context.Context, values *tree.Tree, is *Result, r *format.Request) (p span.Problem, ok bool, err error) {
	if r.Dialect == "" && r.Framing == "" {
		return p, false, nil
	}
	if p, ok, err = t.otherFamily(ctx, values, is, r); ok || err != nil {
		return p, ok, err
	}
	if is.Family.Sniff(values.Source, values.Region) != format.Plausible {
		return p, false, nil
	}
	anything := *r
	anything.Dialect, anything.Framing, anything.Generation = "", "", 0
	all := t.withClaim(format.Plausible, values.Source, values.Region, &anything)
	if _, err := (Table{}).best(ctx, values.Source, values.Region, &anything, all, Through, nil); err != nil {
		return p, false, err
	}
	asked := &candidate{family: is.Family, format: is.Format, info: is.Format.Info(), win: source.NewWindow(values.Source)}
	best := all[0]
	costs := [2]int64{}
	for i, c := range []*candidate{asked, best} {
		c.weigh(ctx, values.Source, values.Region, values.Region.End(), noMaximum)
		if costs[i] = c.Cost; values.Region.Length <= maxRatedSize && c.Cost > 0 {
			rating, err := diagnose.Rate(ctx, c.tree)
			if err != nil {
				return p, false, err
			}
			costs[i] = rating.Weight
		}
	}
	clean := best.Cost == 0 && costs[0] > 0 && (best.rank <= worstRank(all, asked.info.Dialect) || hasManyValues(ctx, best.tree)) // it needs no change
	// Another reading that leaves nearly all bytes over needs few changes as well.
	if !clean && (costs[0] < AcceptableCost || costs[1]*clearlyBetter > costs[0] || !hasManyValues(ctx, best.tree)) || ctx.Err() != nil {
		return p, false, ctx.Err()
	}
	if best.info.Dialect == asked.info.Dialect {
		return span.Problem{Span: values.Region, Severity: span.Error, Code: span.WrongFraming, Message: fmt.Sprintf(
			"this cannot be read as %s, but it can as %s (--framing %s)", framingNames[asked.info.Framing], framingNames[best.info.Framing], best.info.Framing)}, true, nil
	}
	return wrongDialect(values, &asked.info, &best.info), true, nil
}

func wrongDialect(values *tree.Tree, asked, is *format.Info) span.Problem {
	return span.Problem{Span: values.Region, Severity: span.Error, Code: span.WrongDialect,
		Message: fmt.Sprintf("this cannot be read as %s, but it can as %s (%s)", asked.Title(), is.Title(), is.Flags())}
}

// worstRank returns the rank of a dialect in its least likely framing.
func worstRank(all []*candidate, d *format.Dialect) (rank int) {
	for _, c := range all {
		if c.info.Dialect == d {
			rank = max(rank, c.rank)
		}
	}
	return rank
}

// otherFamily reports whether values have an error in the requested dialect, but no problem in one of
// another family or in the one that they declare.
func (t Table) otherFamily(ctx context.Context, values *tree.Tree, is *Result, r *format.Request) (p span.Problem, ok bool, err error) {
	bad, err := hasProblem(ctx, values, span.Error)
	if !bad || err != nil {
		return p, false, err
	}
	anything := format.Request{InFile: r.InFile, Schemas: r.Schemas}
	var others []format.Format
	if signed, _ := t.Signed(values.Source, values.Region); signed != nil {
		if f := signed.Formats(&anything, values.Source, values.Region)[0]; f.Info().Declared && f.Info().Dialect != is.Format.Info().Dialect {
			others = []format.Format{f}
		}
	} else {
		all := t.withClaim(format.LastResort, values.Source, values.Region, &anything)
		if is.Family.Sniff(values.Source, values.Region) != format.Plausible {
			all = append(t.withClaim(format.Plausible, values.Source, values.Region, &anything), all...)
		}
		for _, c := range all {
			if c.family != is.Family {
				others = append(others, c.format)
			}
		}
	}
	for _, f := range others {
		bad, err := hasProblem(ctx, tree.New(values.Source, f.Open(values.Source, values.Region), values.Region), span.Warning)
		if err != nil {
			return p, false, err
		}
		if !bad {
			asked, other := is.Format.Info(), f.Info()
			return wrongDialect(values, &asked, &other), true, nil
		}
	}
	return p, false, nil
}

// hasProblem reports whether a reading has a problem of at least the given severity, apart
// from missing schemas.
func hasProblem(ctx context.Context, t *tree.Tree, least span.Severity) (bool, error) {
	return score.HasProblem(ctx, t, true, func(p *span.Problem) bool {
		return p.Severity >= least && p.Code != span.MissingSchema && p.Code != span.EngineReadBack
	})
}

// enoughValues is the number of values that a rarer dialect does not read by chance: a damaged file has
// that many values without a problem only in its own dialect.
const enoughValues = 4

// hasManyValues reports whether a buffer has at least enoughValues values.
func hasManyValues(ctx context.Context, t *tree.Tree) bool {
	n, s := 0, t.Scanner()
	s.Run(ctx, func(tree.Event) bool {
		n++
		return n < enoughValues
	})
	return n == enoughValues
}
