package decoder

import (
	"context"
	"fmt"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Fits reports whether the values are read without a problem that contradicts the reading.
func (d *Document) Fits() bool { return d.reading != nil && d.reading.Cost == 0 }

// alternativeProblem returns the problem that the values may be those of another dialect. If they are read
// without a problem, the first of the causes in others tells what would be damaged.
func (d *Document) alternativeProblem(others []diagnose.Diagnosis) diagnose.Diagnosis {
	or := d.Alternative.Format.Info()
	may := "this may as well be"
	if d.Alternative.Likelier {
		may = "this is more likely"
	}
	note := diagnose.Diagnosis{Path: "$", Problem: span.Problem{Span: d.Tree.Region, Severity: span.Note, Code: span.UncertainDialect,
		Message: fmt.Sprintf("%s %s, with damage (%s)", may, or.Title(), or.Flags())}}
	if d.Fits() && len(others) > 0 { // it is the only problem
		other := others[0]
		other.Repair, other.Splices = "", nil
		note.Alternatives = []diagnose.Diagnosis{other}
	}
	return note
}

// causesInOthers returns what is damaged if the values belong to other dialects that are as likely: the
// first cause in each.
func (d *Document) causesInOthers(ctx context.Context) (causes []diagnose.Diagnosis, err error) {
	if d.reading == nil {
		return nil, nil
	}
	others, src, region := d.reading.Others, d.Tree.Source, d.Tree.Region
	if l := d.misframed; l != nil { // they are of the bytes with the header
		others, src, region = []format.Format{d.Alternative.Format}, l.Source, l.Region
	}
	for _, other := range others {
		info := other.Info()
		t := tree.New(src, other.Open(src, region), region)
		err := diagnose.Run(ctx, t, diagnose.Options{Hasty: true}, func(f diagnose.Diagnosis) bool {
			if f.Severity == span.Note {
				return true
			}
			f.As, f.Reading = info.Dialect.Name+" "+info.Framing, info.Title()
			f.Message = "as " + f.Reading + ": " + f.Message
			f.Alternatives = nil
			if d.misframed != nil {
				f.Path, f.Span = "$", d.Tree.Region // its own are of another buffer
			}
			if repair, err := diagnose.Repair(ctx, t.NewReader(), &f); err != nil {
				f.Repair = ""
			} else { // in the dialect that is read, it could not be found again
				f.Splices, f.Loss = repair.Splices, repair.Loss
			}
			causes = append(causes, f)
			return false
		})
		if err != nil {
			return nil, err
		}
	}
	return causes, nil
}

// maxOtherCauses is the largest number of causes in other dialects that are reported.
const maxOtherCauses = 2

// withOthers returns the alternatives of a problem together with the causes in other dialects: after the
// likeliest, unless that is only a cut, which seldom explains damage elsewhere. A cause that blames the
// same bytes as an earlier one, and has the same repair, is left out.
func (d *Document) withOthers(ctx context.Context, f *diagnose.Diagnosis, others []diagnose.Diagnosis) []diagnose.Diagnosis {
	all := slices.Clone(f.Alternatives)
	at := min(len(all), 1)
	if at > 0 && all[0].IsShortage() {
		at = 0
	}
	added := 0
	for i := range others {
		other := &others[i]
		isKnown := d.areAlike(ctx, f, other) || slices.ContainsFunc(all[:at+added], func(x diagnose.Diagnosis) bool { return d.areAlike(ctx, &x, other) })
		if !isKnown && added < maxOtherCauses {
			all = slices.Insert(all, at+added, *other)
			added++
		}
	}
	return all
}

// areAlike reports whether two causes, in whatever dialects, blame the same bytes, and their repairs give
// the same result.
func (d *Document) areAlike(ctx context.Context, a, b *diagnose.Diagnosis) bool {
	if a.Code != b.Code || a.Span != b.Span {
		return false
	}
	alike := true
	err := source.Differences(ctx, d.repaired(ctx, a), d.repaired(ctx, b), 1, func(source.Splice) bool {
		alike = false
		return false
	})
	return alike && err == nil
}

// repaired returns the bytes of the values after a repair, if there is one.
func (d *Document) repaired(ctx context.Context, f *diagnose.Diagnosis) source.Source {
	repair, err := diagnose.Repair(ctx, d.Tree.NewReader(), f)
	if err != nil {
		return d.Tree.Source
	}
	return source.Whole(d.Tree.Source).Splice(repair.Splices)
}
