// Package score measures what contradicts a reading of bytes, in one unit: bytes left unread. Detection
// uses it to compare ways to read a buffer, diagnosis to compare changes that could explain a problem.
package score

import (
	"context"
	"math"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// The costs of problems, in bytes left unread.
const (
	Error   = 16
	Warning = 4
	Unknown = 2 // a struct without its schema, whose members cannot be read

	// MaxGap is the most that a gap costs, so that a bad reading is given up early.
	MaxGap = 1 << 20

	fewTrailing = 16 // largest number of trailing bytes in a frame after which the next value is still certain
)

// Of returns the cost of a single problem; 0 if it does not contradict the reading.
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
	End     int64 // end of the region; missing bytes there cost once
	FreeCut int64 // bytes that a value cut by End may leave unread at no cost

	Cost     int64
	Shortage int64 // the part of Cost for bytes missing at End
	Cut      bool  // bytes are missing at End
	Broken   bool  // because of a problem, the next value may begin elsewhere
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

// HasProblem reports whether a reading has a problem for which is returns true. It stops at the first. A
// hasty reading does not search for the place where reading resumes after unreadable values. The error is
// that of ctx or of reading.
func HasProblem(ctx context.Context, t *tree.Tree, hasty bool, is func(*span.Problem) bool) (found bool, err error) {
	return HasProblemBefore(ctx, t, math.MaxInt64, hasty, is)
}

// HasProblemBefore is HasProblem of the values up to an offset.
func HasProblemBefore(ctx context.Context, t *tree.Tree, upTo int64, hasty bool, is func(*span.Problem) bool) (found bool, err error) {
	s := t.Scanner()
	s.PassOrdinary, s.NoResync = true, hasty
	s.Report = func(p span.Problem) { found = found || is(&p) }
	err = s.Run(ctx, func(tree.Event) bool { return !found && s.Pos() < upTo })
	return found, err
}

// A Rating measures what contradicts one way to read the bytes, after the smallest change that repairs the
// first problem. Less is better.
type Rating struct {
	Weight  int64 // cost of the problems that remain, and of the change
	Oddness int   // the more unusual the values, the higher; negative for ordinary ones
	Values  int   // number of values read, up to a limit
	AtStart bool  // the change leaves out bytes at the start, before any value
	Changed int   // number of bytes of a field that differ, beyond the first
}

// Values that no game stores contradict a reading even if it leaves nothing unexplained; many ordinary ones
// support it.
const (
	oddnessPerWeight = 4  // oddness that counts as much as a weight of one
	maxOrdinary      = 32 // oddness that ordinary values can compensate
)

// Total returns the weight and the oddness as one number.
func (r Rating) Total() int64 { return oddnessPerWeight*r.Weight + int64(max(-maxOrdinary, r.Oddness)) }
