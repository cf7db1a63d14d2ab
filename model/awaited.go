package model

import (
	"cmp"
	"slices"
	"sort"

	"varview/decoder/diagnose"
	"varview/decoder/source"
	"varview/decoder/span"
)

// expect gives a version after an edit what is shown of it until it is diagnosed:
// what was known before, as far as its bytes are still there, and what is wrong with
// the bytes that were put in.
func (v *version) expect(was *version, splices []source.Splice) {
	known := was.found.Load()
	if known == nil {
		known = was.awaited.Load()
	}
	if known == nil || v.indexed.Load() && !v.problems.hasEvidence() {
		return
	}
	m := moving{splices, source.NewMapping(splices)}
	v.put = m.put(was.put)
	var x problems
	known.mu.Lock()
	for i := range known.list {
		if f, ok := m.finding(&known.list[i]); ok {
			x.addFinding(f)
		}
	}
	for s, n := range known.counts {
		x.counts[s] += n - len(known.at[s]) // those that are not kept
	}
	known.mu.Unlock()
	v.awaited.Store(&x)
	for _, f := range v.problems.list {
		v.expectAlso(f.Problem)
	}
}

// expectAlso adds a problem to what is shown until a version is diagnosed, if it
// is one of the bytes that were put in.
func (v *version) expectAlso(p span.Problem) {
	x := v.awaited.Load()
	if x == nil {
		return
	}
	i := sort.Search(len(v.put), func(i int) bool { return v.put[i].End() > p.Offset })
	if i < len(v.put) && v.put[i].Contains(p.Offset) && !x.has(p.Offset, p.Code) {
		x.add(p)
	}
}

// moving takes findings along with their bytes.
type moving struct {
	splices []source.Splice
	source.Mapping
}

// put is what was put in by edits so far, and by this one: in order, without
// overlap.
func (m moving) put(before []span.Span) (all []span.Span) {
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

// span is where bytes are after the edit; ok is false if it has changed them.
func (m moving) span(s span.Span) (is span.Span, ok bool) {
	i := sort.Search(len(m.splices), func(i int) bool { return m.splices[i].End() > s.Offset })
	ok = i == len(m.splices) || !overlap(m.splices[i].Span, s)
	if s.Length == 0 && i > 0 && m.splices[i-1].Span == s { // something was put in there
		ok = false
	}
	return span.Span{Offset: m.Map(s.Offset), Length: s.Length}, ok
}

// finding is a finding with its repair after the edit; ok is false if the edit has
// changed bytes of either.
func (m moving) finding(f *diagnose.Finding) (is diagnose.Finding, ok bool) {
	is = *f
	if is.Span, ok = m.span(f.Span); !ok {
		return is, false
	}
	is.Splices = slices.Clone(f.Splices)
	for i := range is.Splices {
		if is.Splices[i].Span, ok = m.span(is.Splices[i].Span); !ok {
			return is, false
		}
	}
	is.Also = nil
	for i := range f.Also {
		if also, ok := m.finding(&f.Also[i]); ok {
			is.Also = append(is.Also, also)
		}
	}
	return is, true
}
