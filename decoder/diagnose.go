package decoder

import (
	"context"

	"varview/decoder/diagnose"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Diagnose reports what is wrong with the values as t reads them, as diagnose.Run
// does. Where they were asked to be read as something that they clearly are not, or
// are none at all, it reports that alone.
func (d *Document) Diagnose(ctx context.Context, t *tree.Tree, o diagnose.Options, report func(diagnose.Finding) bool) error {
	p, ok, err := d.misread(ctx, t)
	if !ok && d.IsForeign() {
		p, ok, err = foreignProblem(ctx, t)
	}
	if err != nil {
		return err
	}
	if ok {
		report(diagnose.Finding{Problem: p, Path: "$"})
		return nil
	}
	damaged, err := d.isDamaged(ctx)
	if err != nil {
		return err
	}
	o.Plain = o.Plain || damaged
	return diagnose.Run(ctx, t, o, func(f diagnose.Finding) bool { return damaged && (f.IsEvidence() || f.Settled) || report(f) })
}

// isDamaged reports whether something is wrong with a wrapper, of which all comes
// that is wrong with the values.
func (d *Document) isDamaged(ctx context.Context) (damaged bool, err error) {
	for _, l := range d.Layers[min(len(d.mangled), len(d.Layers)):] {
		damaged, err = meets(ctx, l.Tree, func(p *span.Problem) bool { return p.Severity == span.Error })
		if damaged || err != nil && ctx.Err() != nil { // what cannot be read is told elsewhere
			return damaged, ctx.Err()
		}
	}
	return false, nil
}
