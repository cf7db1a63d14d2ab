package problems

import (
	"cmp"
	"slices"
	"sort"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// Moving moves problems along with their bytes.
type Moving struct {
	splices []source.Splice
	source.Mapping
}

// NewMoving returns how an edit moves bytes.
func NewMoving(splices []source.Splice) Moving {
	return Moving{splices, source.NewMapping(splices)}
}

// Put returns the spans that were put in by edits so far and by this one, in order and without overlap.
func (m Moving) Put(before []span.Span) (all []span.Span) {
	for _, s := range before {
		all = append(all, span.Between(m.Map(s.Offset), m.Map(s.End())))
	}
	by := int64(0)
	for _, s := range m.splices {
		all = append(all, span.Span{Offset: s.Offset + by, Length: s.Added()})
		by += s.Added() - s.Length
	}
	slices.SortFunc(all, func(a, b span.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	merged := all[:0]
	for _, s := range all {
		if n := len(merged); n > 0 && s.Offset <= merged[n-1].End() {
			merged[n-1] = span.Between(merged[n-1].Offset, max(merged[n-1].End(), s.End()))
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// Span returns where bytes are after the edit; ok is false if it has changed them.
func (m Moving) Span(s span.Span) (is span.Span, ok bool) {
	i := sort.Search(len(m.splices), func(i int) bool { return m.splices[i].End() > s.Offset })
	ok = i == len(m.splices) || !Overlap(m.splices[i].Span, s)
	if s.Length == 0 && i > 0 && m.splices[i-1].Span == s { // something was put in there
		ok = false
	}
	return span.Span{Offset: m.Map(s.Offset), Length: s.Length}, ok
}

// problem returns a problem with its repair after the edit; ok is false if the edit has changed bytes of
// either.
func (m Moving) problem(f *diagnose.Diagnosis) (is diagnose.Diagnosis, ok bool) {
	is = *f
	if is.Span, ok = m.Span(f.Span); !ok {
		return is, false
	}
	is.Splices = slices.Clone(f.Splices)
	for i := range is.Splices {
		if is.Splices[i].Span, ok = m.Span(is.Splices[i].Span); !ok {
			return is, false
		}
	}
	is.Alternatives = nil
	for i := range f.Alternatives {
		if also, ok := m.problem(&f.Alternatives[i]); ok {
			is.Alternatives = append(is.Alternatives, also)
		}
	}
	return is, true
}

// Overlap reports whether two spans have a byte in common, or an empty one lies
// within the other.
func Overlap(a, b span.Span) bool { return a.Offset < b.End() && b.Offset < a.End() }
