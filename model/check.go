package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap"
	"varview/model/problems"
)

// Codes of problems that concern a file, and not any of its buffers.
const (
	EmptyFile    = "empty-file"    // the file has no bytes
	IntactBackup = "intact-backup" // the file is damaged, and there is an intact copy beside it
)

// Codes returns the codes of all problems that Check can report, in alphabetical order.
func Codes() []span.Code {
	empty := span.Code{Code: EmptyFile, Severity: span.Warning, About: "a file without a single byte"}
	backup := span.Code{Code: IntactBackup, Severity: span.Note, About: "a file is damaged or empty, and a copy beside it is intact", Repair: "repair --from-backup takes the copy"}
	codes := append(decoder.Codes(), empty, backup)
	slices.SortFunc(codes, func(a, b span.Code) int { return cmp.Compare(a.Code, b.Code) })
	return codes
}

// fewProblems is the number of problems that are kept until all values are read. If there are more, the
// values are read again, so that none have to be kept.
const fewProblems = 32

// Check reports all problems of a document in order: an empty file, problems of its wrappers from the
// outermost in, why the values cannot be read, and problems of the values, where a cause replaces its
// consequences. It stops when report returns false.
//
// If the document was opened quickly, its format was detected from its beginning. If a problem may come
// from a wrong detection, Check detects the format again from all values. The document must not have been
// edited, and nobody else may use it meanwhile.
func (d *Document) Check(ctx context.Context, p *Progress, report func(BufferProblem) bool) error {
	reporting := true
	err := d.CheckWrappers(ctx, p, func(f BufferProblem) bool {
		reporting = report(f)
		return reporting
	})
	if err != nil || !reporting || d.Missing != nil || d.Size() == 0 {
		return err
	}
	b := d.Innermost()
	first, err := b.firstProblems(ctx, p)
	switch {
	case err != nil:
		return err
	case !first.evidence && !d.isDoubted():
		return b.reportProblems(ctx, p, first, func(f diagnose.Diagnosis) bool { return report(BufferProblem{Buffer: b, Diagnosis: f}) })
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
	return d.Diagnose(ctx, b.Tree(), o, func(f diagnose.Diagnosis) bool { return report(BufferProblem{Buffer: b, Diagnosis: f}) })
}

// emptyFile is the problem of a file without bytes.
var emptyFile = diagnose.Diagnosis{Problem: span.Problem{Severity: span.Warning, Code: EmptyFile, Message: "the file is empty"}, Path: "$"}

// isEmptyFile reports whether a tree of a buffer is that of a file without bytes. Nothing else is wrong with it.
func (b *Buffer) isEmptyFile(t *tree.Tree) bool { return b.Number == 0 && t.Region.Length == 0 }

// CheckWrappers reports the problems that Check reports before those of the values.
func (d *Document) CheckWrappers(ctx context.Context, p *Progress, report func(BufferProblem) bool) error {
	if d.Size() == 0 {
		report(BufferProblem{Buffer: d.Buffers[0], Diagnosis: emptyFile})
		return nil
	}
	for _, b := range d.Buffers[:len(d.Layers)] {
		reporting := true
		err := b.eachProblem(ctx, b.Tree(), p, func(f diagnose.Diagnosis) bool {
			reporting = report(BufferProblem{Buffer: b, Diagnosis: f})
			return reporting
		})
		if err != nil || !reporting {
			return err
		}
	}
	return nil
}

// firstProblems are the problems found by one quick pass over the values.
type firstProblems struct {
	problems []diagnose.Observed
	more     bool  // there are more problems than these
	evidence bool  // one that is not listed suggests that the bytes are misread
	from     int64 // offset up to which there are no other problems
}

// firstProblems reads the values up to their end, or to a problem that suggests that the bytes are
// misread.
func (b *Buffer) firstProblems(ctx context.Context, p *Progress) (first firstProblems, err error) {
	t := b.Tree()
	passed, _ := t.Indexed() // asked first, whatever the problems are
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

// reportProblems reports problems that have no causes: first, or if there are more, all of them, by
// reading again.
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

// eachProblem reports the problems of a buffer in reading order, until report returns false: a wrapper's
// own and why its contents cannot be read; for values, problems with their causes. t is the buffer's own
// tree or a transaction's.
func (b *Buffer) eachProblem(ctx context.Context, t *tree.Tree, p *Progress, report func(diagnose.Diagnosis) bool) error {
	if b.isEmptyFile(t) {
		report(emptyFile)
		return nil
	}
	if b.layer == nil {
		return b.doc.Document.Diagnose(ctx, t, diagnose.Options{Progress: p.Set}, report)
	}
	if err := b.layer.Verify(ctx, p.Set); err != nil {
		return err
	}
	reporting := true
	isGuess := b.doc.IsUnexplained() && b.layer.Kind.IsText() // any letters may be digits
	reportProblem := func(x span.Problem) {
		f := diagnose.Diagnosis{Problem: x, Path: "$"}
		f.Guess = isGuess && x.Severity > span.Note
		reporting = reporting && report(f)
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

// missing returns why the contents of a wrapper cannot be read; nil if they can.
func (b *Buffer) missing() *wrap.Missing {
	if b.Number == len(b.doc.Layers)-1 {
		return b.doc.Missing
	}
	return nil
}

// Problems reports the problems of the buffer as the transaction has left it, as Check does.
func (t *Transaction) Problems(ctx context.Context, p *Progress, report func(diagnose.Diagnosis) bool) error {
	if t.buffer.layer == nil {
		if err := t.now.tree.BuildIndex(ctx); err != nil {
			return err
		}
	}
	return t.buffer.eachProblem(ctx, t.now.tree, p, report)
}

// A BufferProblem is a problem and the buffer in which it is.
type BufferProblem struct {
	Buffer *Buffer
	diagnose.Diagnosis
	Frame int // number of the packet of a capture that it concerns; 0 for none
}

// Problems returns the known problems of a buffer by offset. If there are very many, some are only
// counted, in more.
func (b *Buffer) Problems() (list []diagnose.Diagnosis, more int) {
	return b.now.Load().known().All()
}

// NeedsDiagnosis reports whether a buffer has been read to its end and either has problems whose cause
// Diagnose may find, or is of an uncertain dialect, or is an empty file.
func (b *Buffer) NeedsDiagnosis() bool {
	v := b.now.Load()
	return b.layer == nil && b.doc.Missing == nil && v.indexed.Load() && v.found.Load() == nil && (v.problems.HasEvidence() || b.doc.isDoubted() || b.isEmptyFile(v.tree))
}

// isDoubted reports whether more is to be said of the values than the problems in them: they may be those of
// another dialect, or there are none.
func (d *Document) isDoubted() bool { return d.Alternative != nil || d.IsForeign() }

// Diagnose finds the causes of the problems in a buffer. A cause replaces the problems that it explains.
// It may run concurrently with everything else once Index has returned.
func (b *Buffer) Diagnose(ctx context.Context) error {
	done, err := b.doc.Use()
	if err != nil {
		return err
	}
	defer done()
	v := b.now.Load()
	var found problems.List
	err = b.eachProblem(ctx, v.tree, &v.examined, func(f diagnose.Diagnosis) bool {
		found.AddDiagnosis(f)
		return true
	})
	if err != nil {
		if ctx.Err() == nil { // there will be no other
			v.awaited.Store(nil)
		}
		return err
	}
	v.found.Store(&found)
	v.awaited.Store(nil)
	return nil
}

// awaitsDiagnosis reports whether what is known about a buffer dates from before an edit and will be
// replaced by Diagnose.
func (b *Buffer) awaitsDiagnosis() bool { return b.now.Load().awaited.Load() != nil }

// IsUnconfirmed reports whether Diagnose may replace what is known about a buffer: it dates from before
// an edit, or may be a consequence of something else.
func (b *Buffer) IsUnconfirmed() bool {
	v := b.now.Load()
	return b.awaitsDiagnosis() || b.layer == nil && b.doc.Missing == nil && v.found.Load() == nil && v.problems.HasEvidence()
}

// AwaitsDiagnosis reports whether any buffer awaits diagnosis.
func (d *Document) AwaitsDiagnosis() bool {
	return slices.ContainsFunc(d.Buffers, (*Buffer).awaitsDiagnosis)
}

// Diagnosing returns the share of a buffer that Diagnose has passed, from 0 to 1, and whether it is done.
func (b *Buffer) Diagnosing() (share float64, done bool) {
	if !b.NeedsDiagnosis() {
		return 1, true
	}
	return b.now.Load().examined.Share(), false
}

// Loss describes readable content that the prepared edit loses; "" if there is none.
func (p *Prepared) Loss() string {
	switch n := len(p.t.drops); n {
	case 0:
		return ""
	case 1:
		return p.t.drops[0]
	default:
		return fmt.Sprintf("%s, and %s more", p.t.drops[0], span.Counted(int64(n-1), "value"))
	}
}

// maxPreview is the number of changes in a preview.
const maxPreview = 1000

// Preview returns the ranges in which the document would change, at most maxPreview of them.
func (p *Prepared) Preview() ([]ByteChange, error) { return p.t.preview() }

// Fewer says of which containers the edits keep fewer children than their counts said: "3 of 6 from $[0].items".
func (t *Transaction) Fewer() string {
	var all []string
	changes, _ := t.preview()
	for i := range changes {
		if was, is, ok := changes[i].Counts(); ok && is < was {
			all = append(all, fmt.Sprintf("%d of %d from %s", was-is, was, changes[i].Path))
		}
	}
	return strings.Join(all, ", ")
}

// Fewer says it of a prepared edit.
func (p *Prepared) Fewer() string { return p.t.Fewer() }

func (t *Transaction) preview() ([]ByteChange, error) {
	now := source.Whole(t.from.content)
	for _, splices := range t.groups {
		now = now.Splice(splices)
	}
	splices, err := t.from.content.Minimal(now.Since(t.from.content))
	if err != nil {
		return nil, err
	}
	var all []ByteChange
	err = eachChange(t.buffer.Number, t.from, t.now, splices, func(c ByteChange) bool {
		all = append(all, c)
		return len(all) < maxPreview
	})
	return all, err
}

// errStale says that the bytes in which a problem was found have changed since.
var errStale = errors.New("the bytes have changed since this was found")

// ownerOf finds the value that a problem is about.
func (b *Buffer) ownerOf(f *diagnose.Diagnosis) (*tree.Node, error) {
	if f.Offset > b.Size() {
		return nil, errStale
	}
	return b.Tree().NewReader().At(f.Offset)
}

// PathOf returns the path of the value that a problem is about.
func (b *Buffer) PathOf(f *diagnose.Diagnosis) string {
	if f.Path != "" {
		return f.Path
	}
	n, err := b.ownerOf(f)
	if err != nil {
		return "$"
	}
	r := b.Tree().NewReader()
	r.Budget = tree.LookUpBudget
	return r.Path(n)
}

// ProblemCount returns the number of problems found so far in all buffers of at least the given severity.
func (d *Document) ProblemCount(least span.Severity) int {
	n := 0
	for _, b := range d.Buffers {
		n += b.ProblemCount(least)
	}
	return n
}

// IsCut reports whether a wrapper holds more than was unpacked, as far as its problems are known.
func (d *Document) IsCut() bool {
	for _, b := range d.Buffers {
		if b.isCut() {
			return true
		}
	}
	return d.Missing != nil && d.Missing.Code == wrap.TooLarge
}
