package tree

import (
	"context"

	"varview/decoder/engine/span"
)

// AppendGaps appends the gaps among the fields that belong to the last event, in their order.
func (s *Scanner) AppendGaps(gaps []span.Span, ev Event) []span.Span {
	v := &s.value
	atEnd := ev != Enter && (v.HasGap() || v.Footed)
	if ev != Enter && ev != Atom && ev != Leave || !atEnd && (ev == Leave || v.Head <= v.Start) {
		return gaps
	}
	s.gapFields = s.AppendFields(s.gapFields[:0], ev)
	return appendGaps(gaps, s.gapFields)
}

// AppendGapsBefore appends the gaps before all values of the buffer.
func (s *Scanner) AppendGapsBefore(gaps []span.Span, base *Value) []span.Span {
	s.gapFields = s.format.Fields(s.win, nil, base, s.gapFields[:0])
	return appendGaps(gaps, s.gapFields)
}

func appendGaps(gaps []span.Span, fields []span.Field) []span.Span {
	for _, f := range fields {
		if f.Kind == span.Gap {
			gaps = append(gaps, f.Span)
		}
	}
	return gaps
}

// BuildIndexAndGaps is BuildIndex for callers that call Gaps later, and ask for the paths of many entries of the only value of
// the buffer: all take one pass.
func (t *Tree) BuildIndexAndGaps(ctx context.Context) error {
	var gaps *[]span.Span
	var keys *keyTable
	var r *Reader
	each := func(s *Scanner, ev Event) {
		if gaps == nil {
			gaps, r = t.gapsBefore(s), t.readerOver(s.win)
		}
		*gaps = s.AppendGaps(*gaps, ev)
		if ev == Enter && s.readsKeys && s.eventDepth(ev) == 1 && s.value.Layout == Pairs {
			keys = &keyTable{in: s.Node()}
		} else if keys != nil && !keys.ended {
			if keys.note(r, s, ev); keys.ended && int64(len(keys.entries)) == s.value.Count && len(keys.entries) <= maxEntries {
				t.keys.Store(keys)
			}
		}
	}
	if t.can.LeavesGaps {
		each = nil
	}
	err := t.buildIndex(ctx, each)
	if err == nil && gaps != nil {
		t.gaps.Store(gaps)
	}
	return err
}

func (t *Tree) gapsBefore(s *Scanner) *[]span.Span {
	gaps := s.AppendGapsBefore(nil, &t.Base.Value)
	return &gaps
}

// Gaps returns the bytes of the buffer that no value claims, in their order.
func (t *Tree) Gaps(ctx context.Context) ([]span.Span, error) {
	if known := t.gaps.Load(); known != nil {
		return *known, nil
	}
	s := t.Scanner()
	s.PassOrdinary = !t.can.LeavesGaps
	gaps := t.gapsBefore(s)
	err := s.Run(ctx, func(ev Event) bool {
		*gaps = s.AppendGaps(*gaps, ev)
		return true
	})
	return *gaps, err
}
