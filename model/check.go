package model

import (
	"cmp"
	"context"
	"slices"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/parallel"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap"
)

// Codes of problems of a file, which no buffer can have.
const (
	EmptyFile    = "empty-file"    // it has no byte
	IntactBackup = "intact-backup" // it is damaged, and has an intact copy beside it
)

// Codes lists the codes of all problems that Check can report, in alphabetical order.
func Codes() []span.Code {
	empty := span.Code{Code: EmptyFile, Severity: span.Warning, About: "a file without a single byte"}
	backup := span.Code{Code: IntactBackup, Severity: span.Note, About: "a file is damaged or empty, and a copy beside it is intact", Repair: "repair --from-backup takes the copy"}
	codes := append(decoder.Codes(), empty, backup)
	slices.SortFunc(codes, func(a, b span.Code) int { return cmp.Compare(a.Code, b.Code) })
	return codes
}

// fewProblems is the number of problems that are kept until all values are read. Values
// with more problems are read again, so that none have to be kept.
const fewProblems = 32

// Check reports all problems of a document in order: that the file is empty, those of
// its wrappers from the outermost on, why the values cannot be read, and those of the
// values, with causes instead of their consequences. It stops when report returns false.
//
// The format of a document that was opened quickly was detected by its beginning. If a
// problem may be due to a wrong detection, Check decides it again from all of the values.
// The document must not have been edited, nor be used by others meanwhile.
func (d *Document) Check(ctx context.Context, p *Progress, report func(BufferProblem) bool) error {
	reporting := true
	err := d.CheckWrappers(ctx, p, func(f BufferProblem) bool {
		reporting = report(f)
		return reporting
	})
	if err != nil || !reporting || d.Missing != nil {
		return err
	}
	b := d.Innermost()
	first, err := b.firstProblems(ctx, p)
	switch {
	case err != nil:
		return err
	case !first.evidence && d.Alternative == nil:
		return b.reportProblems(ctx, p, first, func(f diagnose.Diagnosis) bool { return report(BufferProblem{b, f}) })
	case first.evidence && d.Confidence != decoder.Given && d.options.Thorough != decoder.Through:
		was := d.Tree
		if err := d.Settle(ctx, first.from); err != nil {
			return err
		}
		if d.Tree != was {
			first = firstProblems{}
			b = newBuffer(d, b.Number, d.Tree)
			d.Buffers[b.Number] = b
		}
	}
	o := diagnose.Options{Progress: p.Set}
	if !first.more {
		o.From, o.Known = first.from, first.problems
	}
	return d.Diagnose(ctx, b.Tree(), o, func(f diagnose.Diagnosis) bool { return report(BufferProblem{b, f}) })
}

// CheckWrappers reports the problems that Check reports before those of the values.
func (d *Document) CheckWrappers(ctx context.Context, p *Progress, report func(BufferProblem) bool) error {
	if d.Size() == 0 {
		empty := span.Problem{Severity: span.Warning, Code: EmptyFile, Message: "the file is empty"}
		if !report(BufferProblem{d.Buffers[0], diagnose.Diagnosis{Problem: empty, Path: "$"}}) {
			return nil
		}
	}
	for _, b := range d.Buffers[:len(d.Layers)] {
		reporting := true
		err := b.eachProblem(ctx, b.Tree(), p, func(f diagnose.Diagnosis) bool {
			reporting = report(BufferProblem{b, f})
			return reporting
		})
		if err != nil || !reporting {
			return err
		}
	}
	return nil
}

// firstProblems are the problems that one quick pass over the values has found.
type firstProblems struct {
	problems []diagnose.Observed
	more     bool  // there are more than these
	evidence bool  // another one speaks against the way in which the bytes are read
	from     int64 // up to here there are no others
}

// firstProblems reads the values until they end, or have a problem that speaks against the
// way in which they are read.
func (b *Buffer) firstProblems(ctx context.Context, p *Progress) (first firstProblems, err error) {
	t := b.Tree()
	passed, _ := t.Indexed() // before, whatever the problems are
	err = t.CheckUntil(ctx, checkOptions(p), func(x span.Problem, at *tree.Node) bool {
		switch {
		case x.MayHaveCause():
			first.evidence = true
			if first.from = at.Start; passed == 0 {
				first.from, _ = t.Indexed()
			}
		case len(first.problems) == fewProblems:
			first.more = true
		default:
			first.problems = append(first.problems, diagnose.Observed{Problem: x, At: at})
		}
		return !first.evidence
	})
	if !first.evidence {
		first.from = t.Region.End()
	}
	return first, err
}

func checkOptions(p *Progress) tree.CheckOptions {
	return tree.CheckOptions{Workers: parallel.Workers(), Progress: p.Set}
}

// reportProblems reports problems that have no causes: the first, or if there are more all
// of them, which are read again.
func (b *Buffer) reportProblems(ctx context.Context, p *Progress, first firstProblems, report func(diagnose.Diagnosis) bool) error {
	r := b.Tree().NewReader()
	one := func(x span.Problem, at *tree.Node) bool {
		return report(diagnose.Diagnosis{Problem: x, Path: r.NextPath(at)})
	}
	if first.more {
		return b.Tree().CheckUntil(ctx, checkOptions(p), one)
	}
	for _, x := range first.problems {
		if !one(x.Problem, x.At) {
			break
		}
	}
	return nil
}

// eachProblem reports the problems of a buffer in the order of reading, until report
// returns false: those of a wrapper, and why its contents cannot be read; those of values
// with their causes. t is the buffer's own tree or that of a transaction.
func (b *Buffer) eachProblem(ctx context.Context, t *tree.Tree, p *Progress, report func(diagnose.Diagnosis) bool) error {
	if b.layer == nil {
		return b.doc.Document.Diagnose(ctx, t, diagnose.Options{Progress: p.Set}, report)
	}
	if err := b.layer.Verify(ctx, p.Set); err != nil {
		return err
	}
	reporting := true
	reportProblem := func(x span.Problem) {
		reporting = reporting && report(diagnose.Diagnosis{Problem: x, Path: "$"})
	}
	missing, reported, damaged := b.missing(), false, false
	err := t.Check(ctx, checkOptions(nil), func(x span.Problem, _ *tree.Node) {
		damaged = damaged || x.Severity == span.Error
		switch {
		case missing == nil:
		case x.Code == wrap.Checksum && missing.Code == wrap.WrongKey:
			return // the same
		case x.Code == missing.Code:
			reported = true
		}
		reportProblem(x)
	})
	if err == nil && t == b.layer.Tree {
		b.layer.NoteDamage(damaged)
	}
	if err == nil && missing != nil && !reported {
		reportProblem(span.Problem{Span: b.layer.Region, Severity: span.Error, Code: missing.Code, Message: missing.Message})
	}
	return err
}

// missing returns why the contents of a wrapper cannot be read, or nil.
func (b *Buffer) missing() *wrap.Missing {
	if b.Number == len(b.doc.Layers)-1 {
		return b.doc.Missing
	}
	return nil
}

// Problems reports the problems of the buffer as the transaction has left it, as Check
// does.
func (t *Transaction) Problems(ctx context.Context, p *Progress, report func(diagnose.Diagnosis) bool) error {
	if t.buffer.layer == nil {
		if err := t.now.tree.BuildIndex(ctx); err != nil {
			return err
		}
	}
	return t.buffer.eachProblem(ctx, t.now.tree, p, report)
}
