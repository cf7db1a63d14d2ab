package tree

import (
	"context"

	"varview/decoder/engine/span"
)

// A Gapper has values with gaps that are no problem: a description may leave bytes unread.
type Gapper interface{ LeavesGaps() bool }

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

// Gaps returns the bytes of the buffer that no value claims, in their order.
func (t *Tree) Gaps(ctx context.Context) (gaps []span.Span, err error) {
	s := t.Scanner()
	gapper, ok := t.Reading.(Gapper)
	s.PassOrdinary = !ok || !gapper.LeavesGaps() // other gaps are problems, which are not passed over
	gaps = s.AppendGapsBefore(gaps, &t.Base.Value)
	err = s.Run(ctx, func(ev Event) bool {
		gaps = s.AppendGaps(gaps, ev)
		return true
	})
	return gaps, err
}
