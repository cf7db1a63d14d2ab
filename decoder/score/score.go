// Package score says what speaks against a reading of bytes, in one unit: bytes left
// unread. Detection compares ways to read a buffer with it, diagnosis compares changes
// that could explain a problem.
package score

import (
	"context"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// What problems cost, in bytes left unread.
const (
	Error   = 16
	Warning = 4
	Unknown = 2 // a struct without its schema: nobody can tell what follows

	// MaxGap is the most that a gap costs, so that a bad reading is soon given up.
	MaxGap = 1 << 20

	fewTrailing = 16 // bytes after a value in a frame that put nothing else in doubt
)

// Of is the cost of a problem by itself, 0 where it does not speak against the reading.
func Of(p *span.Problem) int64 {
	switch {
	case !p.MayHaveCause():
		return 0
	case p.Severity == span.Error, p.Code == span.TrailingBytes:
		return Error
	}
	return Warning
}

// A Tally adds up the costs of one reading of a region.
type Tally struct {
	End     int64 // of the region; problems for want of bytes there cost once
	FreeCut int64 // bytes that a value cut by End may leave unread at no cost

	Cost     int64
	Shortage int64 // the part of Cost that comes of bytes missing at End
	Cut      bool  // bytes are missing at End
	Broken   bool  // a problem puts in doubt where the next value begins
}

// Add adds a problem of a value that must end at or before limit.
func (t *Tally) Add(p *span.Problem, limit int64) {
	cost := Of(p)
	if cost == 0 {
		return
	}
	inFrame := p.Code == span.TrailingBytes && p.End() < t.End && p.Length <= fewTrailing
	t.Broken = t.Broken || !p.IsLocal() && !inFrame
	if p.IsShortage() && limit == t.End {
		if t.Cut {
			return
		}
		t.Cut = true
		t.Shortage += cost
	}
	t.Cost += cost
}

// AddGap adds the bytes before upTo that the value of an event leaves unread.
func (t *Tally) AddGap(v *tree.Value, ev tree.Event, upTo int64) {
	if ev == tree.Enter || ev == tree.Passed || !v.HasGap() || v.IsClosed() || v.HasFoot() {
		return
	}
	gap := max(0, min(v.End, v.Limit, upTo)-v.Tail)
	isCut := v.Damage != nil && v.Damage.IsShortage()
	if isCut && v.Limit == t.End {
		gap = max(0, gap-t.FreeCut)
	}
	gap = min(MaxGap, gap)
	if (isCut || t.Cut) && v.Limit == t.End {
		t.Shortage += gap
	}
	t.Cost += gap
}

// Meets reports whether a reading has a problem of some sort. It reads no further than
// to the first. A hasty reading ends where only a search could tell how it resumes.
func Meets(ctx context.Context, t *tree.Tree, hasty bool, is func(*span.Problem) bool) (met bool, err error) {
	s := t.Scanner()
	s.Brisk, s.Hasty = true, hasty
	s.Report = func(p span.Problem) { met = met || is(&p) }
	err = s.Run(ctx, func(tree.Event) bool { return !met })
	return met, err
}

// A Rating says how little speaks against reading bytes in one way, once the smallest
// change has put right what is wrong first. Less is better.
type Rating struct {
	Weight int64 // what stays unexplained, and how much has to change
	Odd    int   // how unlikely the values are
}

// Values that no game stores speak against a reading also where it leaves nothing
// unexplained; many ordinary ones speak for it.
const (
	oddsOfWeight = 4  // how much odder values may be that count like one of the weight
	mostOrdinary = 32 // how much ordinary values can make up for
)

// Total is what speaks against the reading.
func (r Rating) Total() int64 { return oddsOfWeight*r.Weight + int64(max(-mostOrdinary, r.Odd)) }
