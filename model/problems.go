package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap"
	"varview/model/problems"
)

// A BufferProblem is a problem and the buffer that it is about.
type BufferProblem struct {
	Buffer *Buffer
	diagnose.Diagnosis
}

// Problems returns the known problems of a buffer in the order of offsets. If there are
// very many, some are only counted: more is their number.
func (b *Buffer) Problems() (list []diagnose.Diagnosis, more int) {
	return b.now.Load().known().All()
}

// NeedsDiagnosis reports whether something is wrong with a buffer that is read to
// its end of which Diagnose may find the cause, or the dialect is uncertain.
func (b *Buffer) NeedsDiagnosis() bool {
	v := b.now.Load()
	return b.layer == nil && b.doc.Missing == nil && v.indexed.Load() && v.found.Load() == nil && (v.problems.HasEvidence() || b.doc.Alternative != nil)
}

// Diagnose finds the causes of the problems of a buffer. A cause replaces the problems
// that it explains. It may run concurrently with everything else once Index has returned.
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

// AwaitsDiagnosis reports whether what is known of a buffer is from before an edit,
// and Diagnose will replace it.
func (b *Buffer) AwaitsDiagnosis() bool { return b.now.Load().awaited.Load() != nil }

// IsUnconfirmed reports whether Diagnose may replace what is known of a buffer: it is from
// before an edit, or may be the consequence of something else.
func (b *Buffer) IsUnconfirmed() bool {
	v := b.now.Load()
	return b.AwaitsDiagnosis() || b.layer == nil && b.doc.Missing == nil && v.found.Load() == nil && v.problems.HasEvidence()
}

// AwaitsDiagnosis reports whether any of the buffers does.
func (d *Document) AwaitsDiagnosis() bool {
	return slices.ContainsFunc(d.Buffers, (*Buffer).AwaitsDiagnosis)
}

// Diagnosing returns which share of a buffer Diagnose has passed, and whether there is
// nothing left for it to do.
func (b *Buffer) Diagnosing() (share float64, done bool) {
	if !b.NeedsDiagnosis() {
		return 1, true
	}
	return b.now.Load().examined.Share(), false
}

// Loss says what can be read and is lost with what was prepared, "" for nothing.
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

// Preview returns the first thousand ranges in which the document would change.
func (p *Prepared) Preview() ([]ByteChange, error) {
	t := p.t
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

// errStale says that a problem was found in bytes that have changed since.
var errStale = errors.New("the bytes have changed since this was found")

// ownerOf finds the value that a problem is about.
func (b *Buffer) ownerOf(f *diagnose.Diagnosis) (*tree.Node, error) {
	if f.Offset > b.Size() {
		return nil, errStale
	}
	return b.Tree().NewReader().At(f.Offset)
}

// PathOf is the path of the value that a problem is about.
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

// ProblemCount counts the problems found so far in all buffers that are at least
// as severe.
func (d *Document) ProblemCount(least span.Severity) int {
	n := 0
	for _, b := range d.Buffers {
		n += b.ProblemCount(least)
	}
	return n
}

// NextProblem returns the first problem after an offset of a buffer, else the
// first in the buffers that follow, the first buffer coming after the last; ok
// is false if there is none anywhere.
func (d *Document) NextProblem(from *Buffer, offset int64) (b *Buffer, p span.Problem, ok bool) {
	if p, ok := from.problemFrom(offset + 1); ok {
		return from, p, true
	}
	for i := range d.Buffers {
		b = d.Buffers[(from.Number+1+i)%len(d.Buffers)]
		if p, ok := b.problemFrom(0); ok {
			return b, p, true
		}
	}
	return from, p, false
}

// IsCut reports whether a wrapper holds more than was unpacked of it, as far as
// its problems are known.
func (d *Document) IsCut() bool {
	for _, b := range d.Buffers {
		if b.isCut() {
			return true
		}
	}
	return d.Missing != nil && d.Missing.Code == wrap.TooLarge
}
