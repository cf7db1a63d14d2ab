package model

import (
	"context"
	"sort"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/problems"
)

// fewUnsure is the number of problems that are looked up as part of an edit, so that the list
// does not become shorter for a moment.
const fewUnsure = 100

// expect sets the problems that are shown of a version after an edit until it is
// diagnosed: those of the version before it whose bytes are still there, and those of the
// new bytes. Of those after the edit only the reading of the version says whether they stand.
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
	before, after := known.Moved(m).Divide(splices[0].Offset)
	if was.unsure != nil {
		list, _ := was.unsure.Moved(m).All()
		after.AddMissing(list)
	}
	v.awaited.Store(before)
	v.unsure = after
	reported, _ := v.problems.All()
	for _, f := range reported {
		v.expectAlso(f.Problem)
	}
	if v.indexed.Load() && after.Count(span.Note) <= fewUnsure {
		v.settle(context.Background())
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
	if i < len(v.put) && v.put[i].Contains(p.Offset) {
		x.AddMissing([]diagnose.Diagnosis{{Problem: p}})
	}
}

// settle adds to what is shown until a version is diagnosed the problems after the edit that
// still stand, once all is indexed.
func (v *version) settle(ctx context.Context) {
	x := v.awaited.Load()
	if x == nil || v.unsure == nil {
		return
	}
	r := v.tree.NewReader()
	r.Budget = tree.LookUpBudget
	all, _ := v.unsure.All()
	var stand []diagnose.Diagnosis
	for i := range all {
		if ctx.Err() != nil {
			return
		}
		if v.stands(r, &all[i]) {
			stand = append(stand, all[i])
		}
	}
	x.AddMissing(stand)
}

// stands reports whether a problem is still one of the same value: its path leads to where it
// is, or the reading reports it again.
func (v *version) stands(r *tree.Reader, f *diagnose.Diagnosis) bool {
	if f.Path == "" {
		return v.problems.Has(f.Offset, f.Code)
	}
	n, err := r.At(f.Offset)
	if err != nil {
		return false
	}
	inside, ok := strings.CutPrefix(r.Path(n), f.Path)
	return ok && (inside == "" || strings.ContainsRune(".[@", rune(inside[0])))
}
