package decoder

import (
	"context"
	"fmt"

	"varview/decoder/diagnose"
	"varview/decoder/elephant"
	"varview/decoder/godot"
	"varview/decoder/span"
	"varview/decoder/tree"
)

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
	f, isGodot := t.Reading.(*godot.Format)
	if !isGodot || d.asked.Dialect == "" && d.asked.Framing == "" {
		return p, false, nil
	}
	asked := &candidate{format: func() tree.Reading { return f }, hasty: func() tree.Reading { return f }}
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

// otherFormat reports whether the values were asked to be read as Godot's and are a
// block of Elephant's, or the reverse, or one of another version. Where they have no
// problem as that and an error as what was asked for, what was asked for is wrong.
func (d *Document) otherFormat(ctx context.Context, t *tree.Tree) (p span.Problem, ok bool, err error) {
	if d.asked.Dialect == "" && d.asked.Framing == "" {
		return p, false, nil
	}
	if worst, err := worstOf(ctx, t, span.Error); worst < span.Error || err != nil {
		return p, false, err
	}
	h, isBlock := elephant.Sniff(t.Source, t.Region)
	declared, known := h.Rules()
	asked, isElephant := t.Reading.(*elephant.Reading)
	switch {
	case isBlock && known && isElephant && asked.Rules != declared:
		return d.unlike(ctx, t, asked.As(declared).Open(t.Source, t.Region))
	case isBlock && known && !isElephant:
		return d.unlike(ctx, t, elephant.New(declared, nil).Open(t.Source, t.Region))
	case isBlock || !isElephant:
		return p, false, nil
	}
	for _, c := range godotCandidates(Options{}, d.inFile()) {
		if p, ok, err = d.unlike(ctx, t, c.format()); ok || err != nil {
			return p, ok, err
		}
	}
	return p, false, nil
}

// unlike reports that values do not read as what was asked for, if they have no
// problem in another format.
func (d *Document) unlike(ctx context.Context, t *tree.Tree, f tree.Reading) (p span.Problem, ok bool, err error) {
	worst, err := worstOf(ctx, tree.New(t.Source, f, t.Region), span.Warning)
	if worst > span.Note || err != nil {
		return p, false, err
	}
	return span.Problem{Span: t.Region, Severity: span.Error, Code: span.WrongDialect,
		Message: fmt.Sprintf("this does not read as %s; it does as %s (%s)", title(t.Reading), title(f), flags(f))}, true, nil
}

// worstOf is how bad the problems of a reading are, apart from schemas that are
// missing. The reading ends where one is that bad.
func worstOf(ctx context.Context, t *tree.Tree, enough span.Severity) (worst span.Severity, err error) {
	s := t.Scanner()
	s.Brisk, s.Hasty = true, true
	s.Report = func(p span.Problem) {
		if p.Code != span.MissingSchema && p.Code != span.EngineReadBack {
			worst = max(worst, p.Severity)
		}
	}
	err = s.Run(ctx, func(tree.Event) bool { return worst < enough })
	return worst, err
}

// title is what a format is called: Elephant 1.5.1, or Godot 4, stream.
func title(f tree.Reading) string {
	if g, ok := f.(*godot.Format); ok {
		return fmt.Sprintf("%s, %v", g.Dialect.Title, g.Framing)
	}
	return f.(*elephant.Reading).Rules.Title()
}

// flags are the command line's that ask for a format.
func flags(f tree.Reading) string {
	if g, ok := f.(*godot.Format); ok {
		return fmt.Sprintf("--as %s --framing %v", g.Dialect.Name, g.Framing)
	}
	return "--as " + f.(*elephant.Reading).Rules.Dialect()
}

// enoughValues is how many values do not read as a rarer dialect by chance: a damaged
// file has as many without a problem in the dialect of its own only.
const enoughValues = 4

// hasEnough reports whether a buffer has so many values.
func hasEnough(ctx context.Context, t *tree.Tree) bool {
	n, s := 0, t.Scanner()
	s.Run(ctx, func(tree.Event) bool {
		n++
		return n < enoughValues
	})
	return n == enoughValues
}
