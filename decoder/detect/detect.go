// Package detect finds out how bytes are to be read: by which family, dialect and
// framing, and whether they hold values at all.
package detect

import (
	"context"
	"slices"

	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Prefix is how many bytes decide what a file is where waiting for the whole
// would delay the first look at it.
const Prefix = 256 << 10

// Thoroughness says how much of a buffer may be read to tell what it is.
type Thoroughness uint8

const (
	Quick   Thoroughness = iota // the first 256 KiB
	Settle                      // as much as it takes where these leave several dialects
	Through                     // everything, as every dialect
)

// Confidence says how sure a detection is.
type Confidence string

const (
	Given   Confidence = "given"   // dialect and framing were asked for
	Certain Confidence = "certain" // no other dialect reads the bytes as cleanly
	Likely  Confidence = "likely"  // others read them as cleanly; this one is the most common
	Weak    Confidence = "weak"    // even the best reading meets problems
)

// A Table lists the families that bytes may be of.
type Table []format.Family

// A Result is how bytes are to be read.
type Result struct {
	Family     format.Family
	Format     format.Format
	Tree       *tree.Tree
	Also       []string // other dialects that read the bytes as cleanly
	Confidence Confidence
	Cost       int64 // what speaks against the reading, going by the beginning
}

// IsClean reports whether all of a region was read, without a problem.
func (r *Result) IsClean(region span.Span) bool { return r.Cost == 0 && region.Length <= Prefix }

// ByDialect returns the family and description of a dialect, nil for one that does not
// exist.
func (t Table) ByDialect(name string) (format.Family, *format.Dialect) {
	for _, f := range t {
		for _, d := range f.Dialects() {
			if d.Name == name {
				return f, d
			}
		}
	}
	return nil, nil
}

// Signed returns the family whose signature a region carries, nil for none.
func (t Table) Signed(src source.Source, region span.Span) format.Family {
	for _, f := range t {
		if f.Sniff(src, region) == format.Signature {
			return f
		}
	}
	return nil
}

// Values finds out how a region is to be read. A family whose dialect is asked for, or
// whose signature the region carries, reads it; otherwise how it reads decides.
func (t Table) Values(ctx context.Context, src source.Source, region span.Span, r *format.Request, how Thoroughness) (*Result, error) {
	if family, _ := t.ByDialect(r.Dialect); family != nil {
		if family.Sniff(src, region) != format.Plausible {
			return declared(ctx, family, src, region, r, how)
		}
	} else if signed := t.Signed(src, region); signed != nil && len(signed.Formats(r, src, region)) > 0 {
		return declared(ctx, signed, src, region, r, how)
	}
	all := t.claiming(format.Plausible, src, region, r)
	best, err := t.detect(ctx, src, region, r, all, how)
	if err != nil {
		return nil, err
	}
	result := best.result(src, region)
	if best.claim == format.LastResort {
		return result, nil
	}
	result.Also = alsoRead(all)
	switch {
	case len(all) == 1, r.Dialect != "" && r.Framing != "":
		result.Confidence = Given
	case best.Cost > 0:
		result.Confidence = Weak
	case len(result.Also) > 0:
		result.Confidence = Likely
	}
	return result, nil
}

// declared opens a region by what it says of itself, or as another dialect of the
// family that reads it without a problem where that one does not.
func declared(ctx context.Context, family format.Family, src source.Source, region span.Span, r *format.Request, how Thoroughness) (*Result, error) {
	all := candidatesOf(family, format.Signature, src, region, r)
	first := all[0]
	upTo := min(region.End(), region.Offset+Prefix)
	if first.weigh(ctx, src, region, upTo, noLimit); first.Cost > 0 && len(all) > 1 {
		if _, err := (Table{}).detect(ctx, src, region, r, all, how); err != nil {
			return nil, err
		}
	}
	chosen := first
	if best := all[0]; best.Cost == 0 && (!best.schemaless || best == first) {
		chosen = best
	}
	result := chosen.result(src, region)
	if r.Dialect != "" {
		result.Confidence = Given
	}
	return result, ctx.Err()
}

// result is what a candidate that was chosen makes.
func (c *candidate) result(src source.Source, region span.Span) *Result {
	r := &Result{Family: c.family, Format: c.format, Tree: c.tree, Also: []string{}, Confidence: Certain, Cost: c.Cost}
	if _, ok := c.format.(format.Hastener); ok { // it was read with less care
		r.Tree = tree.New(src, c.format.Open(src, region), region)
	}
	return r
}

// detect weighs candidates and puts the one with the least that speaks against it
// first. It returns that, or one of a family that reads only what nothing else does.
func (t Table) detect(ctx context.Context, src source.Source, region span.Span, r *format.Request, all []*candidate, how Thoroughness) (*candidate, error) {
	upTo := min(region.End(), region.Offset+Prefix)
	best := int64(noLimit)
	for _, c := range all {
		c.weigh(ctx, src, region, upTo, best)
		best = min(best, c.Cost)
	}
	order(all)
	if best > 0 {
		for _, c := range t.claiming(format.LastResort, src, region, r) {
			if c.weigh(ctx, src, region, upTo, 0); c.Cost == 0 {
				return c, ctx.Err()
			}
		}
	}
	if all[0].Broken && region.Length <= maxRated && len(all) > 1 {
		if f, err := ForeignFile(ctx, src, region); f != nil || err != nil {
			return all[0], err // no change makes values of it
		}
		return rate(ctx, all)
	}
	if upTo < region.End() && how == Through {
		upTo = region.End()
		settle(ctx, src, region, upTo, all)
	}
	for upTo < region.End() && how == Settle && len(all) > 1 && all[1].Cost == all[0].Cost {
		upTo = min(region.End(), region.Offset+8*(upTo-region.Offset))
		settle(ctx, src, region, upTo, all)
	}
	return all[0], ctx.Err()
}

// settle weighs all candidates again by what lies before upTo, the best first,
// so that most of the others are given up early.
func settle(ctx context.Context, src source.Source, region span.Span, upTo int64, all []*candidate) {
	best := int64(noLimit)
	for _, c := range all {
		if c.Cost > best {
			continue // what speaks against it only grows
		}
		c.weigh(ctx, src, region, upTo, best)
		best = min(best, c.Cost)
	}
	order(all)
}

// alsoRead lists the other dialects that read as cleanly as the first.
func alsoRead(all []*candidate) []string {
	names := []string{}
	for _, c := range all {
		name := c.info.Dialect.Name
		if c.Cost == all[0].Cost && name != all[0].info.Dialect.Name && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Against is what speaks against the best reading of a small payload, going by its
// beginning. That bytes are missing at its end need not count.
func (t Table) Against(ctx context.Context, payload source.Source, mayBeCut bool) int64 {
	region := span.Between(0, payload.Size())
	if t.Signed(payload, region) != nil {
		return 0
	}
	r := &format.Request{}
	best, err := t.detect(ctx, payload, region, r, t.claiming(format.Plausible, payload, region, r), Quick)
	switch {
	case err != nil:
		return noLimit
	case mayBeCut && best.Cut:
		return best.Cost - cutCost
	}
	return best.Cost
}
