package diagnose

import (
	"fmt"

	"varview/decoder/span"
	"varview/decoder/work"
)

// whyNoSearch says why no more causes are searched for, "" if they still are. Once there is
// a reason, there is one for all later problems.
func (r *run) whyNoSearch() string {
	switch {
	case r.causesLeft == 0:
		return "enough causes were found before it"
	case len(r.fruitless) >= maxFailures:
		return fmt.Sprintf("no cause was found for %d problems before it", maxFailures)
	case r.rating == nil && min(int64(r.valuesLeft), r.budget.Left()) <= int64(searchBudget(r.tree.Source.Size())/16):
		return work.UsedUp
	}
	return ""
}

// reportEnd reports once that problems from p on are reported as they are. It returns
// whether more are wanted.
func (r *run) reportEnd(p *observation, why string) bool {
	if r.ended || r.rating != nil {
		return true
	}
	r.ended = true
	return r.emit(Diagnosis{Problem: span.Problem{Span: span.Span{Offset: p.Offset}, Severity: span.Note, Code: span.Unsearched,
		Message: "from here on problems are listed as they are, without a search for their causes: " + why}}, p.at)
}
