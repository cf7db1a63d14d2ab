package decoder

import (
	"context"
	"sort"

	"varview/decoder/godot"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// prefix is how many bytes decide what a file is where waiting for the whole
// would delay the first look at it.
const prefix = 256 << 10

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

// A candidate is one way to read a buffer, and what speaks against it.
type candidate struct {
	format godot.Format
	rank   int   // on a tie the lower one wins
	cost   int64 // problems, weighed, and bytes left unread
}

const (
	errorCost   = 16 // in bytes left unread
	warningCost = 4
	paperCost   = 24 // what a table that no engine writes has to make up for where it does not fit either
	freeCut     = 64 // bytes that a value cut off by the end of the file may leave unread at no cost
)

// candidates lists all ways to read a buffer that the options leave open, the
// likeliest first: a small stream of Godot 4's can also be read as one bare value
// of a rarer dialect.
func candidates(o Options) []*candidate {
	var all []*candidate
	for _, d := range godot.Dialects() {
		if o.Dialect != "" && o.Dialect != d.Name || o.Double && !d.HasDouble() {
			continue
		}
		for _, f := range []godot.Format{{Framing: godot.Raw}, {Framing: godot.Stream}, {Framing: godot.Stream, BigEndian: true}} {
			if o.Framing == "" || o.Framing == f.Framing.String() {
				f.Dialect, f.Double = d, o.Double
				all = append(all, &candidate{rank: len(all), format: f})
			}
		}
	}
	return all
}

// weigh reads up to the given offset and adds up what speaks against the
// candidate. It stops when that exceeds atMost.
func (c *candidate) weigh(ctx context.Context, src source.Source, region span.Span, upTo, atMost int64) {
	f := c.format
	if upTo < region.End() {
		f.MaxText = prefix
	}
	s := tree.New(src, &f, region).Scanner()
	c.cost = 0
	cut := false // bytes are missing at the end, which counts once whatever lacks them
	s.Report = func(p span.Problem) {
		if p.IsShortage() && s.Value().Limit == region.End() {
			if cut {
				return
			}
			cut = true
		}
		switch {
		case !p.IsEvidence():
		case p.Severity == span.Error, p.Code == span.TrailingBytes:
			c.cost += errorCost
		default:
			c.cost += warningCost
		}
	}
	s.Brisk = true
	s.Run(ctx, func(ev tree.Event) bool {
		if v := s.Value(); ev != tree.Enter && ev != tree.Passed && v.HasGap() {
			gap := max(0, min(v.End, v.Limit, upTo)-v.Tail)
			if v.Damage != nil && v.Damage.IsShortage() && v.Limit == region.End() {
				gap = max(0, gap-freeCut)
			}
			c.cost += gap
		}
		return c.cost <= atMost && (upTo == region.End() || s.Pos() < upTo)
	})
	if c.cost > 0 && !f.Dialect.Written() {
		c.cost += paperCost
	}
}

// detect chooses the reading with the least that speaks against it, and names
// the other dialects that read the buffer as cleanly.
func detect(ctx context.Context, src source.Source, region span.Span, o Options) (godot.Format, Confidence, []string, error) {
	all := candidates(o)
	const noLimit = 1 << 62
	upTo := min(region.End(), region.Offset+prefix)
	best := int64(noLimit)
	for _, c := range all {
		c.weigh(ctx, src, region, upTo, best)
		best = min(best, c.cost)
	}
	order(all)
	if upTo < region.End() && o.Thorough == Through {
		upTo = region.End()
		settle(ctx, src, region, upTo, all)
	}
	for upTo < region.End() && o.Thorough == Settle && len(all) > 1 && all[1].cost == all[0].cost {
		upTo = min(region.End(), region.Offset+8*(upTo-region.Offset))
		settle(ctx, src, region, upTo, all)
	}
	if err := ctx.Err(); err != nil {
		return godot.Format{}, "", nil, err
	}
	chosen := all[0]
	also := alsoRead(all)
	confidence := Certain
	switch {
	case len(all) == 1, o.Dialect != "" && o.Framing != "":
		confidence = Given
	case chosen.cost > 0:
		confidence = Weak
	case len(also) > 0:
		confidence = Likely
	}
	return chosen.format, confidence, also, nil
}

// settle weighs all candidates again by what lies before upTo, the best first,
// so that most of the others are given up early.
func settle(ctx context.Context, src source.Source, region span.Span, upTo int64, all []*candidate) {
	best := int64(1) << 62
	for _, c := range all {
		if c.cost > best {
			continue // what speaks against it only grows
		}
		c.weigh(ctx, src, region, upTo, best)
		best = min(best, c.cost)
	}
	order(all)
}

func order(all []*candidate) {
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].cost != all[j].cost {
			return all[i].cost < all[j].cost
		}
		return all[i].rank < all[j].rank
	})
}

// alsoRead lists the other dialects that read as cleanly as the first.
func alsoRead(all []*candidate) []string {
	also := []string{}
	seen := map[string]bool{all[0].format.Dialect.Name: true}
	for _, c := range all {
		if name := c.format.Dialect.Name; c.cost == all[0].cost && !seen[name] {
			seen[name] = true
			also = append(also, name)
		}
	}
	return also
}
