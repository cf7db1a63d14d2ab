// Package detect determines how bytes are read: as which family, dialect and framing, and whether they
// contain values at all.
package detect

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// Prefix is the number of bytes from which a file is detected if reading all of it would delay the first
// view.
const Prefix = 256 << 10

// Thoroughness is how much of a buffer may be read to detect its format.
type Thoroughness uint8

const (
	Quick   Thoroughness = iota // the first 256 KiB
	Settle                      // enough to decide between dialects
	Through                     // everything, in every dialect
)

// A Table lists the families that are detected.
type Table []format.Family

// A Result says how bytes are to be read.
type Result struct {
	Family       format.Family
	Format       format.Format
	Tree         *tree.Tree
	Also         []string // other dialects that read the bytes as cleanly
	Confidence   Confidence
	Alternative  *Alternative    // nil for none
	Others       []format.Format // readings in other dialects that are as likely, leaving aside how rare they are
	Cost         int64           // cost of the problems in the part of the region that was read, see package score
	Decided      bool            // problems in the other part would not change how it is read
	Unexplained  bool            // it reads the bytes no better than chance would
	Notes        []span.Problem  // the first notes on the part of the region that was read, if Cost is 0
	mayBeDamaged bool            // set if the reading may still be right
	signed       bool            // the region has the signature of the family
	best         *candidate      // with which the region is read
}

// A Known reading of a region is not repeated when the whole region is read to detect its format.
type Known struct {
	*Result
	UpTo int64 // its values before this offset have no problem that contradicts it
}

// A Look looks for the place in a region that is read better than the whole, which has a problem as is says: nil for
// none. It is called before damage is looked for.
type Look func(ctx context.Context, is *Result) (*Place, error)

// MayBeForeign reports whether the file may be of another kind: every reading has a problem, and there is
// no signature.
func (r *Result) MayBeForeign() bool { return r.Confidence == Weak && r.Cost > 0 && !r.signed }

// FramesFit reports whether a region is a stream of several frames, of which the last ends where the region does, as hardly anything else
// is by chance. The length of one may be the size of other bytes.
func (r *Result) FramesFit(region span.Span) bool {
	w := source.NewWindow(r.Tree.Source)
	return int64(w.U32(region.Offset)) != region.Length-frameHead && r.Format.Info().Framing == "stream" && !r.Format.Info().BigEndian && framesEnd(w, region) == region.End()
}

// frameHead is the size in bytes of the length of a frame.
const frameHead = 4

// framesEnd returns where frames from the beginning of a region on end, which may be beyond it.
func framesEnd(w *source.Window, region span.Span) int64 {
	const most = 1000 // frames that are passed
	at := region.Offset
	for n := 0; n < most && at+frameHead <= region.End(); n++ {
		size := int64(w.U32(at))
		if size == 0 && w.ZerosBefore(at, region.End()) == region.End()-at {
			return region.End()
		}
		at += frameHead + size
	}
	return at
}

// IsClean reports whether all of a region was read without a problem.
func (r *Result) IsClean(region span.Span) bool { return r.Cost == 0 && region.Length <= Prefix }

// ByDialect returns the family and description of a dialect; nil if it does not exist.
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

// Signed returns the family whose signature a region carries, and its claim; nil if there is none.
func (t Table) Signed(src source.Source, region span.Span) (format.Family, format.Claim) {
	for _, f := range t {
		if claim := f.Sniff(src, region); claim >= format.Signature {
			return f, claim
		}
	}
	return nil, format.None
}

// named returns the family of which a region's file has the name, or whose signature the region carries; nil if there
// is none. Of a file without bytes, only the name says anything: level.json is no stream of Godot's.
func (t Table) named(src source.Source, region span.Span, r *format.Request) format.Family {
	name := strings.ToLower(r.Name)
	var likely format.Family
	for _, f := range t {
		for _, d := range f.Dialects() {
			switch {
			case !strings.HasSuffix(name, cmp.Or(d.Ending, "."+d.Name)):
			case region.Length == 0:
				return f
			case f.Sniff(src, region) == format.None:
			case d.Ending != "":
				return f
			default:
				likely = cmp.Or(likely, f)
			}
		}
	}
	signed, _ := t.Signed(src, region)
	return cmp.Or(signed, likely)
}

// Values detects how a region is read. If a family's dialect is requested, or the region has a family's
// signature, that family reads it; otherwise the reading with the lowest cost is chosen. If that has a
// problem, and a sequence has none, it is a sequence. known and look may be nil.
func (t Table) Values(ctx context.Context, src source.Source, region span.Span, r *format.Request, how Thoroughness, known *Known, look Look) (*Result, error) {
	result, err := t.values(ctx, src, region, r, how, known, look)
	if err != nil || r.Framing != "" || r.Described != nil || result.Cost == 0 {
		return result, err
	}
	damage, err := result.Damage(ctx)
	if sequence := t.sequence(ctx, src, region, r, damage); sequence != nil && err == nil {
		return sequence, sequence.judge(ctx, []*candidate{sequence.best})
	}
	return result, err
}

func (t Table) values(ctx context.Context, src source.Source, region span.Span, r *format.Request, how Thoroughness, known *Known, look Look) (*Result, error) {
	if r.Described != nil {
		return t.described(src, region, r), nil
	}
	if family, _ := t.ByDialect(r.Dialect); family != nil {
		if family.Sniff(src, region) != format.Plausible {
			return valuesAsDeclared(ctx, family, src, region, r, how, known, look)
		}
	} else if signed := t.named(src, region, r); signed != nil && len(signed.Formats(r, src, region)) > 0 {
		result, err := valuesAsDeclared(ctx, signed, src, region, r, how, known, look)
		if err == nil && result.IsClean(region) {
			result.Also = append(result.Also, t.textsAlso(ctx, signed, src, region, r)...)
		}
		return result, err
	}
	all := t.withClaim(format.Plausible, src, region, r)
	known.noteIn(all)
	best, err := t.best(ctx, src, region, r, all, how, look)
	if err != nil {
		return nil, err
	}
	if best == all[0] {
		preferPlausible(ctx, all)
		best = all[0]
	}
	isGiven := len(all) == 1 || r.Dialect != "" && r.Framing != ""
	isExplained := isGiven || best.explains(ctx)
	if !isExplained && best == all[0] && !best.mayBeDamaged() {
		if isExplained, err = preferExplaining(ctx, all); err != nil {
			return nil, err
		}
		best = all[0]
		isExplained = isExplained || t.explainsAsDouble(ctx, src, region, r)
	}
	if !isExplained {
		if cut := t.cutShort(ctx, src, region, r); cut != nil {
			return cut, ctx.Err()
		}
	}
	result := best.result(src, region)
	result.Unexplained, result.mayBeDamaged = !isExplained, best.mayBeDamaged()
	if best.claim == format.LastResort {
		if region.Length < fewBytes { // any of them may be cut off from a file of another format
			result.Confidence = Weak
		}
		return result, nil
	}
	if isGiven {
		result.Confidence = Given
		return result, nil
	}
	result.Decided = best.Cost == 0 && all[1].Cost >= score.Error
	return result, result.judge(ctx, all)
}

// textsAlso returns the dialects of other families that also read a region without a problem: some texts
// have several formats. but is the family with a signature.
func (t Table) textsAlso(ctx context.Context, but format.Family, src source.Source, region span.Span, r *format.Request) (names []string) {
	upTo := min(region.End(), region.Offset+Prefix)
	for _, f := range t {
		if claim := f.Sniff(src, region); f == but || claim == format.Plausible || claim == format.None {
			continue
		}
		for _, c := range candidatesOf(f, format.Signature, src, region, r) {
			if c.weigh(ctx, src, region, upTo, 0); c.Cost == 0 && c.info.Declared {
				names = append(names, c.info.Dialect.Name)
			}
		}
	}
	return names
}

// described opens a region by the user's description.
func (t Table) described(src source.Source, region span.Span, r *format.Request) *Result {
	name := r.Described.Info().Dialect.Format
	i := slices.IndexFunc(t, func(f format.Family) bool { return f.Name() == name })
	return &Result{Family: t[i], Format: r.Described, Tree: tree.New(src, r.Described.Open(src, region), region), Also: []string{}, Confidence: Certain, Decided: true, signed: true}
}

// valuesAsDeclared opens a region in the dialect that it declares or, if that has a
// problem, in another dialect of the family that has none. If the region declares no
// dialect, or another one, its values decide how certain the dialect is.
func valuesAsDeclared(ctx context.Context, family format.Family, src source.Source, region span.Span, r *format.Request, how Thoroughness, known *Known, look Look) (*Result, error) {
	all := candidatesOf(family, format.Signature, src, region, r)
	known.noteIn(all)
	first := all[0]
	upTo := min(region.End(), region.Offset+Prefix)
	if first.weigh(ctx, src, region, upTo, noMaximum); (first.Cost > 0 || !first.info.Declared) && len(all) > 1 {
		if _, err := (Table{}).best(ctx, src, region, r, all, how, look); err != nil {
			return nil, err
		}
	}
	if best := all[0]; best.Cost > 0 || best.schemaless {
		all = slices.DeleteFunc(all, func(c *candidate) bool { return c == first })
		all = slices.Insert(all, 0, first)
	}
	result := all[0].result(src, region)
	result.Decided = first.Cost == 0 && first.info.Declared
	switch {
	case r.Dialect != "":
		result.Confidence = Given
	case !all[0].info.Declared:
		if all[0].Cost == 0 { // only the header has a problem
			result.Others = asClean(all)
		}
		return result, result.judge(ctx, all)
	}
	return result, ctx.Err()
}

// asClean returns the other readings that have no more problems than the first candidate.
func asClean(all []*candidate) (others []format.Format) {
	for _, c := range all[1:] {
		if c.Cost == all[0].Cost && len(others) < maxOthers {
			others = append(others, c.format)
		}
	}
	return others
}

// result returns the result if the candidate is chosen.
func (c *candidate) result(src source.Source, region span.Span) *Result {
	r := &Result{Family: c.family, Format: c.format, Tree: c.tree, Also: []string{}, Confidence: Certain, Cost: c.Cost, signed: c.claim == format.Signature, best: c}
	if c.Cost == 0 {
		r.Notes = c.notes
	}
	if _, ok := c.format.(format.PrefixReader); c.known != nil {
		r.Tree = c.known.Tree
	} else if ok { // it was read less carefully
		r.Tree = tree.New(src, c.format.Open(src, region), region)
	}
	return r
}

// best weighs candidates and sorts them by cost. It returns the first, or one of a family
// that is a last resort.
func (t Table) best(ctx context.Context, src source.Source, region span.Span, r *format.Request, all []*candidate, how Thoroughness, look Look) (*candidate, error) {
	upTo := min(region.End(), region.Offset+Prefix)
	if first := t.cheapest(ctx, src, region, r, all); first != all[0] {
		return first, ctx.Err()
	}
	isRated := all[0].Broken && region.Length <= maxRatedSize && len(all) > 1
	if isRated || how != Quick && all[0].Cost > 0 {
		if f, err := ForeignFile(ctx, src, region); f != nil || err != nil {
			return all[0], err // no change makes the bytes readable as values
		}
	}
	if isRated && look != nil {
		place, err := look(ctx, all[0].result(src, region))
		if place != nil && err == nil {
			all[0].isLate, err = place.beats(ctx, src, region, all)
		}
		if all[0].isRated = all[0].isLate; all[0].isLate || err != nil {
			return all[0], err
		}
	}
	if isRated {
		return rate(ctx, all)
	}
	if upTo < region.End() && how == Through {
		upTo = region.End()
		weighAll(ctx, src, region, upTo, all)
	}
	for upTo < region.End() && how == Settle && len(all) > 1 && all[1].Cost == all[0].Cost {
		upTo = min(region.End(), region.Offset+8*(upTo-region.Offset))
		weighAll(ctx, src, region, upTo, all)
	}
	return all[0], ctx.Err()
}

// cheapest weighs candidates by the beginning of a region and sorts them by cost. It returns
// the first, or one without cost of a family that is a last resort.
func (t Table) cheapest(ctx context.Context, src source.Source, region span.Span, r *format.Request, all []*candidate) *candidate {
	upTo := min(region.End(), region.Offset+Prefix)
	best := int64(noMaximum)
	for _, c := range all {
		c.weigh(ctx, src, region, upTo, best)
		best = min(best, c.Cost)
	}
	sortByCost(all)
	if best > 0 {
		for _, c := range t.withClaim(format.LastResort, src, region, r) {
			if c.weigh(ctx, src, region, upTo, 0); c.Cost == 0 {
				return c
			}
		}
	}
	return all[0]
}

// weighAll weighs all candidates again by the bytes before upTo, the best first, so that most others are
// given up early.
func weighAll(ctx context.Context, src source.Source, region span.Span, upTo int64, all []*candidate) {
	best := int64(noMaximum)
	for _, c := range all {
		if c.Cost > best {
			continue // its cost only grows
		}
		c.weigh(ctx, src, region, upTo, best)
		best = min(best, c.Cost)
	}
	sortByCost(all)
}

// alternatives returns the other dialects with the same cost as the first.
func alternatives(all []*candidate) []string {
	names := []string{}
	for _, c := range all {
		name := c.info.Dialect.Name
		if c.Cost == all[0].Cost && name != all[0].info.Dialect.Name && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Against returns the lowest cost of a reading of a small payload, judged by its beginning. With mayBeCut,
// bytes missing at its end cost nothing.
func (t Table) Against(ctx context.Context, payload source.Source, mayBeCut bool) int64 {
	region := span.Between(0, payload.Size())
	if signed, _ := t.Signed(payload, region); signed != nil {
		return 0
	}
	r := &format.Request{}
	first := t.cheapest(ctx, payload, region, r, t.withClaim(format.Plausible, payload, region, r))
	if mayBeCut && first.Cut {
		return first.Cost - cutCost
	}
	return first.Cost
}

// IsValue reports whether a family reads all of a small payload without a problem, other than as a last resort.
func (t Table) IsValue(ctx context.Context, payload source.Source) bool {
	region, r := span.Between(0, payload.Size()), &format.Request{}
	return slices.ContainsFunc(t.withClaim(format.Plausible, payload, region, r), func(c *candidate) bool {
		c.weigh(ctx, payload, region, min(region.End(), Prefix), 0)
		return c.Cost == 0
	})
}

// soundEvidence is the largest surprise at which the values before the first problem are not chance: that
// of four ordinary ones.
const soundEvidence = -4 * evidence

// mostSurprise is the largest surprise of a reading that explains too little but may still be right,
// because the values are damaged: three changed bytes. It does not count for bytes that have the form of
// something else.
const mostSurprise = 24

// leastJudged is the size of the smallest region that may be called too unlike values: in smaller ones
// damage leaves little.
const leastJudged = 20

// explains reports whether a candidate explains the region better than chance would: it reads to the end,
// or does after a small change, or has read enough before the first problem.
func (c *candidate) explains(ctx context.Context) bool {
	return c.Cost == 0 || !c.Broken || c.isLate || c.claim != format.Plausible || c.isRated && c.surprise < 0 || c.sound(ctx) < soundEvidence
}

// mayBeDamaged reports whether a candidate that does not explain the region may still be right, because
// damage left little of the values.
func (c *candidate) mayBeDamaged() bool {
	return c.tree.Region.Length < leastJudged || c.isRated && c.surprise < mostSurprise
}

// sound returns the surprise of the values before the first problem.
func (c *candidate) sound(ctx context.Context) int64 {
	return c.surpriseOf(diagnose.RateSound(ctx, c.tree))
}

// preferExplaining puts the candidate first that has read most before the first problem or, in a region
// that is too large for rate, explains it best after one field is changed. It reports whether any explains
// the region at all.
func preferExplaining(ctx context.Context, all []*candidate) (found bool, err error) {
	best, least := 0, int64(soundEvidence)
	for i, c := range all {
		if c.info.Dialect.Unwritten || c.info.BigEndian {
			continue
		}
		surprise := c.sound(ctx)
		if !c.isRated {
			rating, ok, err := diagnose.RateField(ctx, c.tree, true)
			if err != nil {
				return false, err
			}
			if ok {
				surprise = min(surprise, c.surpriseOf(rating))
			}
		}
		if surprise < least {
			found, best, least = true, i, surprise
		}
	}
	if found {
		all[best].isRated, all[best].surprise = true, least
		all[0], all[best] = all[best], all[0]
	}
	return found, nil
}

// explainsAsDouble reports whether reading the region as the output of a double-precision build, which must
// be requested, explains its beginning better than chance would.
func (t Table) explainsAsDouble(ctx context.Context, src source.Source, region span.Span, r *format.Request) bool {
	double := *r
	double.Double = true
	upTo := min(region.End(), region.Offset+Prefix)
	return slices.ContainsFunc(t.withClaim(format.Plausible, src, region, &double), func(c *candidate) bool {
		c.weigh(ctx, src, region, upTo, 0)
		return !c.info.Dialect.Unwritten && !c.info.BigEndian && (c.Cost == 0 || c.sound(ctx) < soundEvidence)
	})
}
