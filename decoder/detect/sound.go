package detect

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

// soundBefore is sound, but leaves a checksum that follows the values. checked is as for Behind, isChecked reports whether
// there is one.
func (t Table) soundBefore(ctx context.Context, src source.Source, rest span.Span, r *format.Request, checked func(source.Source, span.Span) int64) (c *candidate, left int64, isChecked bool) {
	c, left = t.sound(ctx, src, rest, r)
	const most = 64 << 10 // bytes behind each offset of which checksums are computed where nothing is sound
	if c == nil && rest.Length > most || c != nil && left == 0 && c.info.Framing != format.Sequence {
		return c, left, false
	}
	held := checked(src, rest)
	if held > 0 && (c == nil || held < rest.Length-left) { // its first bytes are values by chance, or do not begin one
		if before, more := t.sound(ctx, src, span.Span{Offset: rest.Offset, Length: held}, r); before != nil && more == 0 {
			c, left = before, rest.Length-held
		}
	}
	return c, left, held == rest.Length-left
}

// sound returns the best reading of a region without a problem, and how many bytes at the end it leaves; nil
// if there is none that is more than chance.
func (t Table) sound(ctx context.Context, src source.Source, region span.Span, r *format.Request) (best *candidate, tail int64) {
	all := t.allClaims(src, region, r)
	if len(all) > 0 && all[0].claim >= format.Signature && bytes.IndexByte([]byte(" \t\r\n"), source.NewWindow(src).Byte(region.Offset)) >= 0 {
		return nil, 0 // the blank belongs to the header
	}
	for _, c := range all {
		left := c.weighSound(ctx, src, region)
		if left < 0 || !c.convinces(ctx) {
			continue
		}
		if best == nil || left < tail || left == tail && c.surprise < best.surprise {
			best, tail = c, left
		}
	}
	return best, tail
}

// IsSound reports whether a payload is read to its end without a problem, and holds more than chance.
func (t Table) IsSound(ctx context.Context, payload source.Source) bool {
	c, left := t.sound(ctx, payload, span.Between(0, payload.Size()), &format.Request{})
	return c != nil && left == 0
}

// MayBeSound reports whether IsSound may be true of a payload of which only the beginning is known: the rest is a hole.
func (t Table) MayBeSound(ctx context.Context, payload source.Source) bool {
	region := span.Between(0, payload.Size())
	return slices.ContainsFunc(t.allClaims(payload, region, &format.Request{}), func(c *candidate) bool {
		known := true // until the first problem
		bad, _ := score.HasProblem(ctx, tree.New(payload, c.format.Open(payload, region), region), true, func(p *span.Problem) bool {
			known = known && p.Code != span.Unreadable
			return p.Severity > span.Note && !c.isHeaderProblem(p)
		})
		return !bad || !known
	})
}

// mostDepth is the greatest depth of values behind other bytes, as deep as Godot 4 reads: many places are tried, and each open
// level takes memory.
const mostDepth = 1024

// allClaims returns the candidates of the family with a signature or, if there is none, of all families, also
// for a sequence. Each family looks at the bytes once: it is called for many regions.
func (t Table) allClaims(src source.Source, region span.Span, r *format.Request) (all []*candidate) {
	sequence := *r
	sequence.Framing = format.Sequence
	for _, f := range t {
		claim := f.Sniff(src, region)
		if claim == format.None {
			continue
		}
		own := candidatesOf(f, claim, src, region, r)
		if r.Framing == "" {
			own = append(own, candidatesOf(f, claim, src, region, &sequence)...)
		}
		for _, c := range own {
			c.deepest = mostDepth
		}
		if claim >= format.Signature {
			return own
		}
		all = append(all, own...)
	}
	return all
}

// weighSound weighs a candidate by all of a region but a trailer, and returns the number of its bytes; -1 if
// there is a problem.
func (c *candidate) weighSound(ctx context.Context, src source.Source, region span.Span) (tail int64) {
	upTo := min(region.End(), region.Offset+Prefix)
	c.weigh(ctx, src, region, upTo, 0)
	if c.Cost == 0 {
		if _, ok := c.family.(format.HeaderJudge); ok {
			if bad, err := score.HasProblem(ctx, c.tree, true, c.isHeaderProblem); bad || err != nil {
				return -1
			}
		}
		return c.nullsAtEnd(ctx, src, region, region.End())
	}
	end := c.soundEnd
	tail = region.End() - end
	isFilled := tail > mostBytes && tail <= mostFilled && c.win.ZerosBefore(end, region.End()) == tail
	if !c.unsound || end == region.Offset || tail > MostTail && !isFilled || c.info.Framing == "stream" && c.info.BigEndian {
		return -1
	}
	if tail > mostBytes && !isFilled && !printable(bytes.TrimSpace(c.win.View(end, tail))) {
		return -1
	}
	part := span.Between(region.Offset, end)
	if c.weigh(ctx, src, part, min(end, region.Offset+Prefix), 0); c.Cost > 0 {
		return -1
	}
	return c.nullsAtEnd(ctx, src, region, end)
}

// nullsAtEnd returns the number of bytes of a region behind the values of a candidate, which end at end: those of a sequence end
// before the last zeros, which are padding rather than a value each; -1 if no two values are left.
func (c *candidate) nullsAtEnd(ctx context.Context, src source.Source, region span.Span, end int64) (tail int64) {
	if c.info.Framing != format.Sequence {
		return region.End() - end
	}
	const null = 4 // bytes of one
	r, values, kept := c.tree.NewReader(), end, int64(0)
	if c.win.ZerosBefore(end-null, end) < null {
		if _, err := r.Child(c.tree.Base, 1); err != nil {
			return -1
		}
		return region.End() - end
	}
	v, err := r.LastChild(c.tree.Base)
	if err == nil {
		v, err = r.Child(c.tree.Base, max(0, v.Slot.Index-MostTail/null-1))
	}
	for ; err == nil; v, err = r.Next(v) {
		if size := v.Tail - v.Head; v.Layout != tree.Leaf || size > null || c.win.ZerosBefore(v.Head, v.Tail) < size {
			values, kept = end, v.Slot.Index
		} else if values == end {
			values = v.Head
		}
	}
	switch {
	case !errors.Is(err, tree.ErrNoChild) || kept == 0 || region.End()-values > MostTail:
		return -1
	case values < end:
		part := span.Between(region.Offset, values)
		if c.weigh(ctx, src, part, min(values, region.Offset+Prefix), 0); c.Cost > 0 {
			return -1
		}
	}
	return region.End() - values
}

// convinces reports whether a candidate that reads all of a region reads more than chance would, and sets its
// surprise.
func (c *candidate) convinces(ctx context.Context) bool {
	least := int64(leastBytes)
	if c.claim >= format.Signature {
		least = leastSigned
	}
	rating := diagnose.RateClean(ctx, c.tree)
	sound := rating.Values
	if c.claim < format.Signature { // zeros are values by chance
		sound = diagnose.RateSound(ctx, c.tree).Values
	}
	_, isText := c.tree.Reading.(diagnose.Text)
	isSigned := c.claim >= format.Signature && !isText // what has no schema has few values
	if c.info.Dialect.Unwritten || c.tree.Region.Length < least || sound < leastRead && !isSigned || c.claim == format.LastResort && isText {
		return false
	}
	if c.claim == format.LastResort { // values of few bytes are read by chance
		rating.Values = min(rating.Values, sound, int(c.tree.Region.Length/bytesPerValue))
	}
	c.surprise = c.surpriseOf(rating)
	if c.info.BigEndian {
		c.surprise += bigSurprise
	}
	if c.info.Framing == format.Sequence {
		return c.convincesAsSequence()
	}
	return c.claim >= format.Signature || c.surprise < 0
}

// convincesAsSequence reports whether several values follow one another, the first of which has children: the
// keys and values of a container could be read as a sequence too. It adds to the surprise, more where a count
// that is too small would leave the same.
func (c *candidate) convincesAsSequence() bool {
	r := c.tree.NewReader()
	first, err := r.Child(c.tree.Base, 0)
	if err != nil || first.Layout < tree.Sequence || first.Count == 0 {
		return false
	}
	second, err := r.Child(c.tree.Base, 1)
	if err != nil {
		return false
	}
	if rest := c.tree.Region.End() - second.Start; rest < leastSecond || c.win.ZerosBefore(second.Start, c.tree.Region.End()) == rest {
		return false // zeros are padding
	}
	if before := c.tree.Region.Offset - 4; before >= 0 {
		b, size := c.win.View(before, 4), uint32(second.Start-c.tree.Region.Offset)
		if len(b) == 4 && (binary.LittleEndian.Uint32(b) == size || binary.BigEndian.Uint32(b) == size) {
			return false // the first value of a stream, with its length
		}
	}
	if areBytes(r, second) {
		return false
	}
	if c.claim == format.LastResort {
		c.surprise += lastSurprise
		return second.Layout >= tree.Sequence && second.Count > 0 && c.surprise < 0 // nearly all bytes are values
	}
	if c.surprise += bareSurprise; first.Layout == tree.Pairs && second.Layout >= tree.Sequence {
		c.surprise += pairSurprise - bareSurprise
	}
	return true
}

// areBytes reports whether most of some values, from one on, are a byte each, which any bytes are.
func areBytes(r *tree.Reader, v *tree.Node) bool {
	const most = 64
	bytes, all := 0, 0
	for ; all < most; all++ {
		next, err := r.Next(v)
		if err != nil {
			break
		}
		if next.Start-v.Start < 2 {
			bytes++
		}
		v = next
	}
	return 2*bytes > all
}

// sequence returns the reading of a region as a sequence without a problem; nil if there is none, or it is
// more surprising than damage of what is read otherwise.
func (t Table) sequence(ctx context.Context, src source.Source, region span.Span, r *format.Request, damage int64) *Result {
	bare := *r
	bare.Framing = format.Sequence
	claim := format.Plausible
	if signed, is := t.Signed(src, region); signed != nil {
		claim = is
	}
	var best *candidate
	all := t.withClaim(claim, src, region, &bare)
	if claim == format.Plausible {
		all = append(all, t.withClaim(format.LastResort, src, region, &bare)...)
	}
	for _, c := range all {
		c.weigh(ctx, src, region, min(region.End(), region.Offset+Prefix), 0)
		if c.Cost == 0 && c.convinces(ctx) && c.surprise < damage && (best == nil || c.surprise < best.surprise) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return best.result(src, region)
}

// beginsAt reports whether one of a candidate's outermost values begins at an offset.
func (c *candidate) beginsAt(ctx context.Context, off int64) (is bool) {
	s := c.tree.Scanner()
	s.Run(ctx, func(tree.Event) bool {
		is = is || s.Depth() == 1 && s.Pos() == off
		return !is && s.Pos() < off
	})
	return is
}
