package gcpf

import (
	"context"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Inspect implements tree.Inspector. Each block is unpacked.
func (f *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	switch v.Type {
	case part.Own, blocksType, tableType:
		if v.Sub == headPart && f.cause != nil {
			report(f.cause.Problem.Problem)
		}
		for _, p := range f.Parts[v.Sub].Problems {
			report(p.Problem)
		}
	case blockType:
		if problem := f.inspectBlock(v); problem.Message != "" {
			report(problem.Problem)
		}
	}
}

// Repair implements edit.Repairer.
func (f *reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if f.cause != nil && f.cause.CanRepair(p) {
		return f.cause.AsRepair(), nil
	}
	if n.Type == blockType {
		if problem := f.inspectBlock(&n.Value); problem.CanRepair(p) {
			return problem.AsRepair(), nil
		}
	}
	return f.Reading.Repair(ctx, r, n, p)
}

// inspectBlock returns the problem of a block; without a message there is none.
func (f *reading) inspectBlock(v *tree.Value) (problem part.Problem) {
	i := int64(v.Sub)
	if f.cut && i == f.here-1 || f.cause != nil && i == f.cause.block {
		return problem // reported already
	}
	u, ok := f.unpacked(i)
	if !ok || f.plainSize(i) > maxBlock {
		return problem
	}
	problem.Problem = u.problem()
	problem.Span = v.Span()
	if problem.Length == 0 {
		problem.Span = span.Span{Offset: f.table + 4*i, Length: 4}
	}
	if n := int64(len(u.sum)); n > 0 {
		what := "checksum"
		if f.Mode == Gzip {
			what = "checksum and length"
		}
		problem.RepairBy(fmt.Sprintf("write the %s that the bytes have, %x", what, u.sum), source.Put(problem.End()-n, n, u.sum))
	}
	return problem
}

// problem returns the problem of a block, with an empty message if there is none.
func (u *unpacked) problem() span.Problem {
	p := span.Problem{Severity: span.Error, Code: layer.BadBlock, Engine: stopsThere}
	if u.index == 0 { // engines unpack it when they open the file
		p.Engine = corrupt
	}
	switch {
	case u.broken:
		p.Message = fmt.Sprintf("block %d does not unpack: %v", u.index, u.err)
		return p
	case u.err == layer.ErrDamaged:
		p.Message = fmt.Sprintf("block %d unpacks to its full size, but its packed bytes are damaged after that", u.index)
	case u.err != nil:
		p.Message = fmt.Sprintf("block %d unpacks, but %v", u.index, u.err)
	case u.over > 0:
		p.Severity, p.Code, p.Engine = span.Warning, layer.WrongSize, "ignored"
		p.Message = fmt.Sprintf("block %d holds %s more than it should", u.index, span.Bytes(u.over))
	}
	switch u.err {
	case layer.ErrChecksum:
		p.Code = layer.Checksum
	case layer.ErrTooMuch:
		p.Code = layer.WrongSize
	}
	return p
}
