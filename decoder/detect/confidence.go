package detect

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/score"
)

// Confidence is how certain a detection is.
type Confidence string

const (
	Given   Confidence = "given"   // dialect and framing were requested
	Certain Confidence = "certain" // no other dialect reads the bytes as cleanly, or nearly so
	Likely  Confidence = "likely"  // others read them as cleanly, or would with little damage, but this one is the most plausible or most common
	Weak    Confidence = "weak"    // every reading has a problem, or another is as likely if there is a little damage
)

// An Alternative is a reading in another dialect that is about as likely as the chosen
// one, if the bytes are damaged.
type Alternative struct {
	Format   format.Format
	Likelier bool // it is likelier than the chosen reading, which reads the bytes more cleanly
}

// Every reading is an account of how the bytes came about. Its surprise says how unlikely that account is,
// in the unit of score.Rating, in which a changed byte counts 8: it adds up the smallest change after which
// the bytes can be read, how unusual the values are, and how rare the dialect is. Each value that is read
// lowers it, because bytes rarely form a value by chance. The lead of the chosen reading over all other
// dialects decides how certain it is.
const (
	rareSurprise = 16 // surprise of a rare dialect: as much as two changed bytes
	likelyBonus  = 32 // bonus of a dialect that the request prefers
	evidence     = 12 // evidence of a value: more than a changed byte
	fewBytes     = 16 // each doubling beyond it counts 1: damage hits a particular place less often
	certainLead  = 16
	weakLead     = 8  // if the lead is smaller, the other reading is named
	overwhelming = 64 // lead with which a damaged reading is chosen over one without a problem
	maxOthers    = 4  // largest number of readings whose cause is searched for
)

// maxFieldsTried is the size of the largest region in which changes of other readings are tried: in a
// larger one, unless its values are very unusual, damage rarely hits the one field that would make it
// another dialect's.
const maxFieldsTried = 4 << 10

// surpriseOf returns the surprise of a reading with the given rating.
func (c *candidate) surpriseOf(r score.Rating) int64 {
	return r.Total() + c.rareness() - evidence*int64(r.Values)
}

// rareness returns how much speaks against a dialect, apart from the bytes; negative if more speaks for it.
func (c *candidate) rareness() int64 {
	switch {
	case c.likely:
		return -likelyBonus
	case c.info.Dialect.Rare:
		return rareSurprise
	}
	return 0
}

// IsDoubtful reports whether a reading, with the least damage that explains it, is hardly likelier than chance: by less than
// half the evidence of one value, without a signature.
func (r *Result) IsDoubtful() bool {
	return r.Unexplained || r.best != nil && r.best.isRated && r.best.claim < format.Signature && r.best.surprise > -evidence/2
}

// judge sets the confidence of a result, the first of the candidates, and the alternative
// to it.
func (r *Result) judge(ctx context.Context, all []*candidate) error {
	best := all[0]
	r.Also = alternatives(all)
	others, err := others(ctx, all)
	lead := -best.surprise // compared with chance, which can produce a few values
	if len(others) > 0 {
		near := others[0]
		over := near.surprise - best.surprise
		if over <= -overwhelming && best.Cost == 0 {
			signed := r.signed
			*r = *near.result(near.tree.Source, near.tree.Region)
			r.signed, r.Confidence = signed, Weak
			return err
		}
		mayBeOther := best.Cost == 0 || best.isRated // a problem that engines read over does not suggest it
		if lead = min(lead, over); over < weakLead && mayBeOther {
			r.Alternative = &Alternative{near.format, over < 0}
		}
	}
	for _, c := range others {
		if c.surprise-c.rareness()-best.surprise < weakLead && len(r.Others) < maxOthers {
			r.Others = append(r.Others, c.format)
		}
	}
	switch {
	case best.Cost > 0 || r.Alternative != nil:
		r.Confidence = Weak
	case len(r.Also) > 0 || lead < certainLead:
		r.Confidence = Likely
	default:
		r.Confidence = Certain
	}
	return err
}

// others returns the readings that need a change, one for each other dialect, the least surprising first,
// without those that need far more than a small change.
func others(ctx context.Context, all []*candidate) (near []*candidate, err error) {
	best := all[0]
	if !best.isRated { // engines read it despite its problems, if it has any
		if err := rateOthers(ctx, all); err != nil {
			return nil, err
		}
	}
	dialects := map[*format.Dialect]bool{}
	for _, c := range slices.SortedStableFunc(slices.Values(all[1:]), func(a, b *candidate) int { return cmp.Compare(a.surprise, b.surprise) }) {
		if d := c.info.Dialect; c.isRated && c.isAlternativeTo(best) && !dialects[d] {
			dialects[d] = true
			near = append(near, c)
		}
	}
	return near, nil
}

// rateOthers rates the readings that a small change could make as likely as the first candidate; readings
// in rare dialects only if the first has a problem. If the first candidate's values are ordinary, and many
// if its dialect is rare, no other reading is as likely, so that few files need this effort.
func rateOthers(ctx context.Context, all []*candidate) error {
	best := all[0]
	rating := diagnose.RateClean(ctx, best.tree)
	rating.Weight = min(best.Cost, readableCost)
	best.surprise = best.surpriseOf(rating)
	isUnusual := best.surprise >= overwhelming
	if rating.Total()+best.rareness() < 0 || best.tree.Region.Length > maxFieldsTried && !isUnusual {
		return nil
	}
	place := int64(bits.Len64(uint64(best.tree.Region.Length) / fewBytes))
	for _, c := range all[1:] {
		if !c.isAlternativeTo(best) || c.info.Dialect.Rare && best.Cost == 0 || c.info.Framing != best.info.Framing {
			continue
		}
		rating, ok, err := diagnose.RateField(ctx, c.tree, isUnusual)
		if err != nil {
			return err
		}
		if ok {
			c.surprise, c.isRated = c.surpriseOf(rating)+place, true
		}
	}
	return nil
}

// isAlternativeTo reports whether a reading that needs a change is in another dialect.
func (c *candidate) isAlternativeTo(best *candidate) bool {
	d := c.info.Dialect
	return c.Cost > 0 && d != best.info.Dialect && !d.Unwritten && (!c.info.BigEndian || best.info.BigEndian)
}

// preferPlausible sorts the candidates that read everything without a problem by surprise, the least first.
// Equally surprising candidates keep their order. All of them read the same bytes, so that an odd value
// counts more than in a rating: as much as a changed byte.
func preferPlausible(ctx context.Context, all []*candidate) {
	n := slices.IndexFunc(all, func(c *candidate) bool { return c.Cost > 0 })
	if n < 0 {
		n = len(all)
	}
	if n < 2 {
		return
	}
	for _, c := range all[:n] {
		rating := diagnose.RateClean(ctx, c.tree)
		c.plain = c.surpriseOf(rating) + oddBeside*int64(max(0, rating.Oddness))
	}
	slices.SortStableFunc(all[:n], func(a, b *candidate) int { return cmp.Compare(a.plain, b.plain) })
}

// oddBeside is the factor by which oddness counts more between readings without a problem.
const oddBeside = 3
