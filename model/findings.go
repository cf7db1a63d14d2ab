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
)

// A BufferFinding is a finding and the buffer that it is about.
type BufferFinding struct {
	Buffer *Buffer
	diagnose.Finding
}

// Findings are what is known to be wrong with a buffer, in the order of offsets.
// Of very many not all are kept: more is how many others there are.
func (b *Buffer) Findings() (list []diagnose.Finding, more int) {
	x := b.now.Load().known()
	x.mu.Lock()
	defer x.mu.Unlock()
	list = slices.Clone(x.list)
	return list, x.counts[span.Note] + x.counts[span.Warning] + x.counts[span.Error] - len(list)
}

// NeedsDiagnosis reports whether something is wrong with a buffer that is read to
// its end of which Diagnose may find the cause.
func (b *Buffer) NeedsDiagnosis() bool {
	v := b.now.Load()
	return b.layer == nil && b.doc.Missing == nil && v.indexed.Load() && v.found.Load() == nil && v.problems.hasEvidence()
}

// Diagnose finds the causes of what is wrong with a buffer, which take the place of
// the problems that come of them. It may run beside everything else, once Index is
// through.
func (b *Buffer) Diagnose(ctx context.Context) error {
	done, err := b.doc.use()
	if err != nil {
		return err
	}
	defer done()
	v := b.now.Load()
	var found problems
	err = b.eachProblem(ctx, v.tree, &v.examined, func(f diagnose.Finding) bool {
		found.addFinding(f)
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
// and Diagnose will tell more.
func (b *Buffer) AwaitsDiagnosis() bool { return b.now.Load().awaited.Load() != nil }

// AwaitsDiagnosis reports whether any of the buffers does.
func (d *Document) AwaitsDiagnosis() bool {
	return slices.ContainsFunc(d.Buffers, (*Buffer).AwaitsDiagnosis)
}

// Diagnosing tells which share of a buffer Diagnose has passed, and whether there is
// nothing left for it to do.
func (b *Buffer) Diagnosing() (share float64, done bool) {
	if !b.NeedsDiagnosis() {
		return 1, true
	}
	return b.now.Load().examined.Share(), false
}

// Drops tells what can be read and is lost with what was prepared, "" for nothing.
func (p *Prepared) Drops() string {
	switch n := len(p.t.drops); n {
	case 0:
		return ""
	case 1:
		return p.t.drops[0]
	default:
		return fmt.Sprintf("%s, and %s more", p.t.drops[0], span.Counted(int64(n-1), "value"))
	}
}

// maxPreview is how many changes a preview shows.
const maxPreview = 1000

// Preview is what would change, beside the document as it is now: the first
// thousand ranges.
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

// errStale says that a finding is about other bytes than are there now.
var errStale = errors.New("the bytes have changed since this was found")

// ownerOf finds the value that a finding is about.
func (b *Buffer) ownerOf(f *diagnose.Finding) (*tree.Node, error) {
	if f.Offset > b.Size() {
		return nil, errStale
	}
	return b.Tree().NewReader().At(f.Offset)
}

// PathOf is the path of the value that a finding is about.
func (b *Buffer) PathOf(f *diagnose.Finding) string {
	if f.Path != "" {
		return f.Path
	}
	n, err := b.ownerOf(f)
	if err != nil {
		return "$"
	}
	r := b.Tree().NewReader()
	r.Budget = lookUpBudget
	return r.Path(n)
}
