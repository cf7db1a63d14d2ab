package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A BufferFinding is a finding and the buffer that it is about.
type BufferFinding struct {
	Buffer *Buffer
	diagnose.Finding
}

// Findings are what is known to be wrong with all buffers, in their order.
func (d *Document) Findings() []BufferFinding {
	var all []BufferFinding
	for _, b := range d.Buffers {
		list, _ := b.Findings()
		for _, f := range list {
			all = append(all, BufferFinding{b, f})
		}
	}
	return all
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
	err = b.doc.Document.Diagnose(ctx, v.tree, diagnose.Options{Progress: v.examined.set}, func(f diagnose.Finding) bool {
		found.addFinding(f)
		return true
	})
	if err != nil {
		return err
	}
	v.found.Store(&found)
	return nil
}

// Diagnosing tells which share of a buffer Diagnose has passed, and whether there is
// nothing left for it to do.
func (b *Buffer) Diagnosing() (share float64, done bool) {
	if !b.NeedsDiagnosis() {
		return 1, true
	}
	return b.now.Load().examined.Share(), false
}

// RepairOf gives what puts a finding right, with all that is lost with it.
func (t *Transaction) RepairOf(ctx context.Context, f *diagnose.Finding) (edit.Repair, error) {
	r, err := diagnose.Repair(ctx, t.read, f)
	if err == nil {
		r.NameLoss(t.read.Window())
	}
	return r, err
}

// Repair puts a finding right. What is lost with it is returned.
func (t *Transaction) Repair(ctx context.Context, f diagnose.Finding) (drops string, err error) {
	r, err := t.RepairOf(ctx, &f)
	if err != nil {
		return "", err
	}
	splices, err := t.now.content.Minimal(slices.Clone(r.Splices))
	if err != nil {
		return "", err
	}
	for _, s := range slices.Backward(splices) { // so that each is where it says when a patch is applied
		var is source.Source // nil where nothing is put in
		if s.New != nil {
			is = s.New
		}
		op, err := t.bytesOp(s.Offset, s.Length, is)
		if err != nil {
			return "", err
		}
		t.ops = append(t.ops, op)
	}
	if r.Drops != "" {
		t.drops = append(t.drops, r.Drops)
	}
	return r.Drops, t.apply(splices)
}

// Repair puts a finding right.
func (x *Explorer) Repair(b *Buffer, f diagnose.Finding) Intention {
	return Intention{"repair " + f.Code, x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		_, err := t.Repair(ctx, f)
		return ByteCursor(movedTo(t, f.Offset)), err
	}}
}

// movedTo is where a byte is after the transaction.
func movedTo(t *Transaction, off int64) int64 {
	for _, splices := range t.groups {
		off = source.Map(splices, off)
	}
	return min(off, max(0, t.now.content.Size()-1))
}

// RepairAll puts those findings right that only lets through and that can be
// together, those behind first, so that the others stay where they are.
func (x *Explorer) RepairAll(b *Buffer, only func(*diagnose.Finding) bool) Intention {
	list, _ := b.Findings()
	before := x.Cursor()
	return Intention{"repair all", before, func(ctx context.Context, t *Transaction) (Cursor, error) {
		n, err := t.RepairAll(ctx, list, only)
		if err == nil && n == 0 {
			err = diagnose.ErrNoRepair
		}
		return t.moved(before), err
	}}
}

// Together are those of findings, in the order of offsets, that only lets through
// and whose repairs can be made together. What is behind a cause in the same frame
// is found as if that were repaired, and has to wait until it is.
func (b *Buffer) Together(list []diagnose.Finding, only func(*diagnose.Finding) bool) (all []diagnose.Finding) {
	frame, cause := func(string) string { return "$" }, "" // the frame of the last cause
	if b.doc.Framing == "stream" {
		frame = frameOf
	}
	for i := range list {
		f := &list[i]
		in := frame(f.Path)
		if in == cause {
			continue
		}
		if f.Splices != nil {
			cause = in
		}
		if f.Repair != "" && only(f) {
			all = append(all, *f)
		}
	}
	return all
}

// frameOf is the beginning of a path in a stream: the frame that it leads into.
func frameOf(path string) string {
	frame, _, _ := strings.Cut(path, "]")
	return frame
}

// RepairAll puts those findings right that can be together, and returns how many.
func (t *Transaction) RepairAll(ctx context.Context, list []diagnose.Finding, only func(*diagnose.Finding) bool) (n int, err error) {
	for _, f := range slices.Backward(t.buffer.Together(list, only)) {
		switch _, err := t.Repair(ctx, f); {
		case err == nil:
			n++
		case ctx.Err() != nil:
			return n, ctx.Err()
		}
	}
	return n, nil
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
