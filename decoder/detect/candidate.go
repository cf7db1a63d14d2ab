package detect

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// A candidate is one way to read a region, with its cost.
type candidate struct {
	family  format.Family
	claim   format.Claim // claim of the family
	format  format.Format
	info    format.Info
	deepest int            // greatest depth of its values; 0 without a limit
	rank    int            // place in the order of preference: the lower one wins at equal cost
	isLate  bool           // a rated candidate needs no change but that bytes at the start are left out
	likely  bool           // the request says that it is likely
	win     *source.Window // over the region's source, for all candidates of the family
	tree    *tree.Tree
	known   *Known // set if it has read the region before

	score.Tally
	soundEnd   int64          // end of the last outermost value before the first problem
	unsound    bool           // there is a problem, be it without a cost
	clean      int            // number of events before the first problem; parts passed at once count in bytes
	schemaless bool           // schemas were missing
	notes      []span.Problem // the first notes on the values
	isRated    bool
	surprise   int64 // surprise of a rated candidate: see confidence.go
	changed    int   // Changed of its rating
	plain      int64 // surprise if it reads everything without a problem, as do others
}

const (
	noMaximum     = 1 << 62
	cutCost       = score.Error
	unwrittenCost = 24 // added if a table that no program writes does not fit either
	freeCut       = 64 // bytes of a value cut by the end of the file that may remain unread at no cost
)

// withClaim returns the candidates of all families that make the given claim on a region, the likeliest
// first.
func (t Table) withClaim(claim format.Claim, src source.Source, region span.Span, r *format.Request) (all []*candidate) {
	for _, f := range t {
		if f.Sniff(src, region) == claim {
			all = append(all, candidatesOf(f, claim, src, region, r)...)
		}
	}
	place := func(c *candidate) int {
		if i := slices.Index(r.Prefer, c.info.Dialect.Name); i >= 0 {
			return i
		}
		return len(r.Prefer)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(place(a), place(b)) })
	for i, c := range all {
		c.rank, c.likely = i, place(c) < len(r.Prefer) || r.Within != "" && r.Within == c.info.Dialect.Within
	}
	return all
}

// candidatesOf returns the candidates of a family, the likeliest first.
func candidatesOf(f format.Family, claim format.Claim, src source.Source, region span.Span, r *format.Request) (all []*candidate) {
	win := source.NewWindow(src)
	for i, x := range f.Formats(r, src, region) {
		all = append(all, &candidate{family: f, claim: claim, format: x, info: x.Info(), rank: i, win: win})
	}
	return all
}

// noteIn tells the candidate that has read the region before about it.
func (k *Known) noteIn(all []*candidate) {
	for _, c := range all {
		if k != nil && c.info == k.Format.Info() {
			c.known = k
		}
	}
}

// weigh reads up to the given offset and adds up the candidate's cost. It stops when the cost exceeds
// atMost.
func (c *candidate) weigh(ctx context.Context, src source.Source, region span.Span, upTo, atMost int64) {
	f := c.format
	if h, ok := f.(format.PrefixReader); ok && upTo < region.End() {
		f = h.ForPrefix()
	}
	if isKnown := c.known != nil && region == c.known.Tree.Region; isKnown && upTo == region.End() {
		c.tree = c.known.Tree
	} else {
		c.tree = tree.New(src, f.Open(src, region), region)
	}
	fits := c.Cost == 0 // as far as it was read before
	c.Tally, c.notes = score.Tally{End: region.End(), FreeCut: freeCut}, nil
	from := int64(0)
	if fits && upTo == region.End() && region.Length > largeRegion {
		if from = c.costsNothingUpTo(ctx); from == upTo {
			return
		}
	}
	c.clean, c.soundEnd, c.unsound = int(from), region.Offset, false
	s := c.tree.ScannerThrough(c.win, from)
	s.Report = func(p span.Problem) { c.note(p, s.Value().Limit) }
	s.PassOrdinary, s.NoResync = true, true
	s.Run(ctx, func(ev tree.Event) bool {
		if ev != tree.Passed {
			c.AddGap(s.Value(), ev, upTo)
		}
		if c.Cost == 0 {
			c.clean++
		}
		if !c.unsound && s.Depth() == 1 && ev != tree.Done {
			c.soundEnd = s.Pos()
		}
		if c.deepest > 0 && s.Depth() > c.deepest {
			c.Cost += score.Error
			return false
		}
		return c.Cost <= atMost && (upTo == region.End() || s.Pos() < upTo)
	})
	if c.Cost > 0 && c.info.Dialect.Unwritten {
		c.Cost += unwrittenCost
	}
}

// note notes a problem of a value that ends before a limit.
func (c *candidate) note(p span.Problem, limit int64) {
	c.unsound = c.unsound || p.Severity > span.Note && p.Code != span.MissingSchema
	switch {
	case p.Code == span.MissingSchema:
		c.schemaless = true
	case p.Severity == span.Note && len(c.notes) < maxNotes:
		c.notes = append(c.notes, p)
	case !c.isHeaderProblem(&p):
		c.Add(&p, limit)
	}
}

// maxNotes is the number of notes that are kept.
const maxNotes = 100

// largeRegion is the size in bytes from which on the parts of a region are read in parallel.
const largeRegion = 4 << 20

// costsNothingUpTo returns an offset up to which a candidate explains all bytes: the end of the region, or
// a known place in it before the first problem that contradicts the candidate.
func (c *candidate) costsNothingUpTo(ctx context.Context) int64 {
	if c.known != nil {
		return c.known.UpTo
	}
	upTo := c.tree.Region.End()
	err := c.tree.CheckUntil(ctx, tree.CheckOptions{Workers: parallel.Workers()}, func(p span.Problem, _ *tree.Node) bool {
		if p.Code != span.MissingSchema && (score.Of(&p) == 0 || c.isHeaderProblem(&p)) {
			return true
		}
		upTo, _ = c.tree.Indexed()
		return false
	})
	if err != nil {
		return 0
	}
	return upTo
}

// isHeaderProblem reports whether a problem concerns only a header, although the family recognises the file
// anyway.
func (c *candidate) isHeaderProblem(p *span.Problem) bool {
	judge, ok := c.family.(format.HeaderJudge)
	return ok && judge.IsHeaderProblem(p.Code)
}

// sortByCost sorts candidates by cost, then by rank. If more remains unread than a cost can express, they
// are sorted by how many values they read before that.
func sortByCost(all []*candidate) {
	slices.SortStableFunc(all, func(a, b *candidate) int {
		clean := 0
		if min(a.Cost, b.Cost) >= score.MaxGap {
			clean = cmp.Compare(b.clean, a.clean)
		}
		return cmp.Or(clean, cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.rank, b.rank))
	})
}

// maxRatedSize is the size of the largest damaged region in which every reading is diagnosed to find the
// right one.
const maxRatedSize = 64 << 10

// Costs that are added to the smallest change that repairs a reading.
const (
	bigEndianCost = 1 << 10 // big-endian frames whose first length contradicts them
	readableCost  = 2       // a region that engines read despite its problems
)

// rate sorts candidates by the smallest change that repairs them and returns the first. Rarer dialects need
// a better rating.
func rate(ctx context.Context, all []*candidate) (*candidate, error) {
	cost := map[*candidate]int64{}
	for _, c := range all {
		rating, err := diagnose.Rate(ctx, c.tree)
		if err != nil {
			return nil, err
		}
		if c.info.Dialect.Unwritten {
			rating.Weight += unwrittenCost
		}
		if c.info.BigEndian && c.looksLittleEndian() {
			rating.Weight += bigEndianCost
		}
		if c.reachesEnd(ctx) {
			rating.Weight, rating.AtStart = min(rating.Weight, readableCost), false
		}
		c.surprise, c.isRated, c.isLate = c.surpriseOf(rating), true, rating.AtStart
		cost[c] = c.surprise + int64(c.rank)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(cost[a], cost[b]) })
	return all[0], nil
}

// reachesEnd reports whether engines read the region to its end in this way, despite other problems.
func (c *candidate) reachesEnd(ctx context.Context) bool {
	if c.Broken {
		return false
	}
	c.weigh(ctx, c.tree.Source, c.tree.Region, c.tree.Region.End(), noMaximum) // the last weighing may have been given up
	return !c.Broken
}

// looksLittleEndian reports whether the first frame length fits the region as a
// little-endian number, or does not fit as a big-endian one.
func (c *candidate) looksLittleEndian() bool {
	var b [4]byte
	n, _ := c.tree.Source.ReadAt(b[:], c.tree.Region.Offset)
	left := c.tree.Region.Length - int64(len(b))
	return n < len(b) || int64(binary.BigEndian.Uint32(b[:])) > left || int64(binary.LittleEndian.Uint32(b[:])) <= left
}
