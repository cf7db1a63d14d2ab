package model

import (
	"sort"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/model/problems"
)

// expect gives a version after an edit what is shown of it until it is diagnosed:
// what was known before, as far as its bytes are still there, and what is wrong with
// the bytes that were put in.
func (v *version) expect(was *version, splices []source.Splice) {
	known := was.found.Load()
	if known == nil {
		known = was.awaited.Load()
	}
	if known == nil || v.indexed.Load() && !v.problems.HasEvidence() {
		return
	}
	m := problems.NewMoving(splices)
	v.put = m.Put(was.put)
	v.awaited.Store(known.Moved(m))
	met, _ := v.problems.All()
	for _, f := range met {
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
	if i < len(v.put) && v.put[i].Contains(p.Offset) && !x.Has(p.Offset, p.Code) {
		x.Add(p)
	}
}
