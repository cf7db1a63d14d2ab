package detect

import (
	"context"
	"math/bits"

	"varview/decoder/diagnose"
	"varview/decoder/format"
	"varview/decoder/score"
)

// Confidence is how certain a detection is.
type Confidence string

const (
	Given   Confidence = "given"   // dialect and framing were requested
	Certain Confidence = "certain" // no other dialect reads the bytes as cleanly, nor nearly so
	Likely  Confidence = "likely"  // others read them as cleanly, and this is the most common, or would with little damage
	Weak    Confidence = "weak"    // no reading is without a problem, or another is as likely with a little damage
)

// An Alternative is a reading in another dialect that is about as likely as the chosen
// one, if the bytes are damaged.
type Alternative struct {
	Format   format.Format
	Likelier bool // than the one chosen, which reads the bytes more cleanly
}

// Every reading is a story of how the bytes came about. Its surprise is how unlikely that
// is, in the unit of score.Rating, in which a changed byte counts 8: the smallest change
// after which the bytes can be read, how unusual the values are, and how rare the
// dialect. Each value that is read speaks for the story, because chance hardly makes one.
// The lead of the chosen reading over all other dialects decides how certain it is.
const (
	rareSurprise = 16 // of a rare dialect: as two changed bytes
	evidence     = 12 // of a value: more than a changed byte
	fewBytes     = 16 // each doubling of more counts 1: damage hits one certain place less often
	certainLead  = 16
	weakLead     = 8 // below it, the other reading is named
)

// maxFieldsTried is the size up to which changes of other readings are tried: in a larger
// region damage hardly hits just the field that makes it another dialect's.
const maxFieldsTried = 4 << 10

// surpriseOf returns the surprise of a reading with a rating.
func (c *candidate) surpriseOf(r score.Rating) int64 {
	return r.Total() + c.rareness() - evidence*int64(r.Values)
}

func (c *candidate) rareness() int64 {
	if c.info.Dialect.Rare {
		return rareSurprise
	}
	return 0
}

// judge sets the confidence of a result, which is the first of the candidates, and the
// alternative to it.
func (r *Result) judge(ctx context.Context, all []*candidate) error {
	best := all[0]
	r.Also = alternatives(all)
	near, err := nearest(ctx, all)
	lead := int64(certainLead)
	if best.info.Dialect.Rare {
		lead = -best.surprise // over chance, which makes a few values
	}
	if near != nil {
		over := near.surprise - best.surprise
		if lead = min(lead, over); over < weakLead {
			r.Alternative = &Alternative{near.format, over < 0}
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

// nearest returns the least surprising reading in another dialect that needs a change,
// nil if all need much more than a small one.
func nearest(ctx context.Context, all []*candidate) (near *candidate, err error) {
	best := all[0]
	if best.Cost == 0 {
		if err := rateOthers(ctx, all); err != nil {
			return nil, err
		}
	}
	for _, c := range all[1:] {
		if c.isRated && c.isAlternativeTo(best) && (near == nil || c.surprise < near.surprise) {
			near = c
		}
	}
	return near, nil
}

// rateOthers rates the readings in common dialects that a small change could make as
// likely as the first candidate, which reads the bytes without a problem. Where its
// values are ordinary, and for a rare dialect many, no other is, so that few files cost
// this effort.
func rateOthers(ctx context.Context, all []*candidate) error {
	best := all[0]
	rating := diagnose.RateClean(ctx, best.tree)
	best.surprise = best.surpriseOf(rating)
	if rating.Total()+best.rareness() < 0 || best.tree.Region.Length > maxFieldsTried {
		return nil
	}
	place := int64(bits.Len64(uint64(best.tree.Region.Length) / fewBytes))
	for _, c := range all[1:] {
		if !c.isAlternativeTo(best) || c.info.Dialect.Rare || c.info.Framing != best.info.Framing {
			continue
		}
		rating, ok, err := diagnose.RateField(ctx, c.tree)
		if err != nil {
			return err
		}
		if ok {
			c.surprise, c.isRated = c.surpriseOf(rating)+place, true
		}
	}
	return nil
}

// isAlternativeTo reports whether a reading that needs a change is of another dialect.
func (c *candidate) isAlternativeTo(best *candidate) bool {
	d := c.info.Dialect
	return c.Cost > 0 && d != best.info.Dialect && !d.Unwritten && (!c.info.BigEndian || best.info.BigEndian)
}
