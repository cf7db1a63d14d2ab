package decoder

import (
	"context"
	"fmt"

	"varview/decoder/diagnose"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Fits reports whether the values are read without a problem that contradicts it.
func (d *Document) Fits() bool { return d.reading != nil && d.reading.Cost == 0 }

// alternativeProblem returns that the values may be those of another dialect, and as its
// cause what is damaged in that case.
func (d *Document) alternativeProblem(ctx context.Context) (diagnose.Diagnosis, error) {
	or := d.Alternative.Format.Info()
	may := "this may as well be"
	if d.Alternative.Likelier {
		may = "this is more likely"
	}
	found := diagnose.Diagnosis{Path: "$", Problem: span.Problem{Span: d.Tree.Region, Severity: span.Note, Code: span.UncertainDialect,
		Message: fmt.Sprintf("%s %s, with damage (%s)", may, or.Title(), or.Flags())}}
	other := tree.New(d.Tree.Source, d.Alternative.Format.Open(d.Tree.Source, d.Tree.Region), d.Tree.Region)
	err := diagnose.Run(ctx, other, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		if f.Severity == span.Note {
			return true
		}
		f.Message = "as " + or.Title() + ": " + f.Message
		f.Repair, f.Splices, f.Alternatives = "", nil, nil // it would be made in the dialect that is read
		found.Alternatives = []diagnose.Diagnosis{f}
		return false
	})
	return found, err
}
