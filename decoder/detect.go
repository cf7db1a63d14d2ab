package decoder

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"varview/decoder/diagnose"
	"varview/decoder/elephant"
	"varview/decoder/elephant/gml"
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
	format  func() tree.Reading // which may learn from what it reads: one for each reading
	hasty   func() tree.Reading // the same for a look at the beginning only
	dialect string
	paper   bool  // no engine writes it
	rank    int   // on a tie the lower one wins
	cost    int64 // problems, weighed, and bytes left unread
	tree    *tree.Tree

	schemaless bool // schemas were missing
	cut        bool // bytes are missing at the end, which counts once whatever lacks them
	broken     bool // more is wrong than values by themselves
}

const (
	errorCost   = 16 // in bytes left unread
	warningCost = 4
	paperCost   = 24      // what a table that no engine writes has to make up for where it does not fit either
	maxGap      = 1 << 20 // no gap counts for more bytes, so that what reads worse is soon given up
	fewTrailing = 16      // bytes behind a value in a frame that put nothing else in doubt
	freeCut     = 64      // bytes that a value cut off by the end of the file may leave unread at no cost
)

// godotCandidates lists all ways to read a buffer as Godot's that the options
// leave open, the likeliest first: the likelier dialect goes before the
// likelier framing, because a small stream of Godot 4's can also be read as one
// bare value of a rarer dialect. Godot's files hold streams, all else bare values.
func godotCandidates(o Options, inFile bool) []*candidate {
	framings := []godot.Format{{Framing: godot.Raw}, {Framing: godot.Stream}, {Framing: godot.Stream, BigEndian: true}}
	if inFile {
		framings = append(framings[1:], framings[0])
	}
	var all []*candidate
	for _, d := range godot.Dialects() {
		if o.Dialect != "" && o.Dialect != d.Name || o.Double && !d.HasDouble() {
			continue
		}
		for _, f := range framings {
			if o.Framing == "" || o.Framing == f.Framing.String() {
				f.Dialect, f.Double = d, o.Double
				hasty := f
				hasty.MaxText = prefix
				all = append(all, &candidate{rank: len(all), format: func() tree.Reading { return &f }, hasty: func() tree.Reading { return &hasty }, dialect: d.Name, paper: !d.Written()})
			}
		}
	}
	return all
}

// elephantCandidates lists the rules that a block may be read by: those of the
// version that it declares, then all others.
func elephantCandidates(o Options, src source.Source, region span.Span, h elephant.Header, schemas []*gml.Library) []*candidate {
	declared, _ := h.Rules()
	if r := o.rules(); r != nil {
		declared = r
	}
	add := func(all []*candidate, r *elephant.Rules) []*candidate {
		f := func() tree.Reading { return elephant.New(r, schemas).Open(src, region) }
		return append(all, &candidate{rank: len(all), format: f, hasty: f, dialect: r.Dialect()})
	}
	all := add(nil, declared)
	if o.Dialect != "" {
		return all
	}
	versions := elephant.Versions()
	for i := range versions {
		if r := &versions[i]; r != declared {
			all = add(all, r)
		}
	}
	return all
}

// weigh reads up to the given offset and adds up what speaks against the
// candidate. It stops when that exceeds atMost.
func (c *candidate) weigh(ctx context.Context, src source.Source, region span.Span, upTo, atMost int64) {
	f := c.format()
	if upTo < region.End() {
		f = c.hasty()
	}
	c.tree = tree.New(src, f, region)
	s := c.tree.Scanner()
	c.cost, c.cut, c.broken = 0, false, false
	s.Report = func(p span.Problem) {
		if p.IsShortage() && s.Value().Limit == region.End() {
			if c.cut {
				return
			}
			c.cut = true
		}
		switch {
		case p.Code == span.MissingSchema:
			c.schemaless = true
			return
		case !p.IsEvidence(), elephant.IsOfHeader(p.Code):
			return
		case p.Severity == span.Error, p.Code == span.TrailingBytes:
			c.cost += errorCost
		default:
			c.cost += warningCost
		}
		inFrame := p.Code == span.TrailingBytes && p.End() < region.End() && p.Length <= fewTrailing
		c.broken = c.broken || !p.IsLocal() && !inFrame
	}
	s.Brisk, s.Hasty = true, true
	s.Run(ctx, func(ev tree.Event) bool {
		if v := s.Value(); ev != tree.Enter && ev != tree.Passed && v.HasGap() && !v.IsClosed() && !v.HasFoot() {
			gap := max(0, min(v.End, v.Limit, upTo)-v.Tail)
			if v.Damage != nil && v.Damage.IsShortage() && v.Limit == region.End() {
				gap = max(0, gap-freeCut)
			}
			c.cost += min(gap, maxGap)
		}
		return c.cost <= atMost && (upTo == region.End() || s.Pos() < upTo)
	})
	if c.cost > 0 && c.paper {
		c.cost += paperCost
	}
}

// detect weighs the candidates and puts the one with the least that speaks
// against it first.
func detect(ctx context.Context, src source.Source, region span.Span, all []*candidate, t Thoroughness) error {
	const noLimit = 1 << 62
	upTo := min(region.End(), region.Offset+prefix)
	best := int64(noLimit)
	for _, c := range all {
		c.weigh(ctx, src, region, upTo, best)
		best = min(best, c.cost)
	}
	order(all)
	if all[0].broken && region.Length <= maxRated && len(all) > 1 {
		if s, err := isForeign(ctx, src, region); s != nil || err != nil {
			return err // no change makes values of it
		}
		return rate(ctx, all)
	}
	if upTo < region.End() && t == Through {
		upTo = region.End()
		settle(ctx, src, region, upTo, all)
	}
	for upTo < region.End() && t == Settle && len(all) > 1 && all[1].cost == all[0].cost {
		upTo = min(region.End(), region.Offset+8*(upTo-region.Offset))
		settle(ctx, src, region, upTo, all)
	}
	return ctx.Err()
}

// maxRated is how large a damaged buffer is at most of which every reading is
// diagnosed to tell the right one.
const maxRated = 64 << 10

// rate puts the candidate first that the smallest change makes whole. What is rarer
// needs a better score.
func rate(ctx context.Context, all []*candidate) error {
	speaks := map[*candidate]int64{}
	for _, c := range all {
		score, err := diagnose.Rate(ctx, c.tree)
		if err != nil {
			return err
		}
		if c.paper {
			score.Weight += paperCost
		}
		if c.isHardlyBig() {
			score.Weight += bigCost
		}
		if c.reads(ctx) {
			score.Weight = min(score.Weight, oddCost)
		} else if late := c.beginsLate(ctx); late > 0 {
			score.Weight = min(score.Weight, ownerCost+late/4)
		}
		speaks[c] = score.Total() + int64(c.rank)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Compare(speaks[a], speaks[b])
	})
	return nil
}

// reads reports whether engines read the buffer so to its end, whatever else is wrong.
func (c *candidate) reads(ctx context.Context) bool {
	if c.broken {
		return false
	}
	c.weigh(ctx, c.tree.Source, c.tree.Region, c.tree.Region.End(), 1<<62) // it may have been given up
	return !c.broken
}

const (
	leastBytes = 16 // that must follow a game's own
	ownerCost  = 8
	oddCost    = 2 // of what engines read all the same
	bigCost    = 1 << 10
)

// beginsLate returns how many of the first bytes can be left out so that all others
// can be read, 0 for none.
func (c *candidate) beginsLate(ctx context.Context) int64 {
	if _, ok := c.tree.Reading.(*godot.Format); !ok {
		return 0
	}
	late := *c
	region := c.tree.Region
	for n := int64(1); n <= diagnose.MaxOwner && region.Length-n >= leastBytes; n++ {
		part := span.Between(region.Offset+n, region.End())
		if late.weigh(ctx, c.tree.Source, part, part.End(), 0); late.cost == 0 {
			return n
		}
	}
	return 0
}

// isHardlyBig reports whether frames are read as big-endian whose first length says
// otherwise: it fits as little-endian, or does not as big-endian.
func (c *candidate) isHardlyBig() bool {
	f, ok := c.format().(*godot.Format)
	if !ok || !f.BigEndian {
		return false
	}
	var b [4]byte
	n, _ := c.tree.Source.ReadAt(b[:], c.tree.Region.Offset)
	left := c.tree.Region.Length - int64(len(b))
	return n < len(b) || int64(binary.BigEndian.Uint32(b[:])) > left || int64(binary.LittleEndian.Uint32(b[:])) <= left
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
	seen := map[string]bool{all[0].dialect: true}
	for _, c := range all {
		if name := c.dialect; c.cost == all[0].cost && !seen[name] {
			seen[name] = true
			also = append(also, name)
		}
	}
	return also
}
