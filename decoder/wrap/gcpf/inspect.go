package gcpf

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"

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
	u := f.unpacked(i)
	if u == nil || f.plain(i) > maxBlock {
		return problem
	}
	problem.Problem = u.problem()
	problem.Span = v.Span()
	if problem.Length == 0 {
		problem.Span = span.Span{Offset: f.table + 4*i, Length: 4}
	}
	if u.err == layer.ErrChecksum && u.data != nil {
		f.repairChecksum(&problem, u.data)
	}
	return problem
}

// repairChecksum puts the checksum that the plain bytes have at the end of a block.
func (f *reading) repairChecksum(problem *part.Problem, plain []byte) {
	switch f.Mode {
	case Deflate:
		sum := binary.BigEndian.AppendUint32(nil, adler32.Checksum(plain))
		problem.RepairBy(fmt.Sprintf("write the checksum that the bytes have, %x", sum), source.Put(problem.End()-4, 4, sum))
	case Gzip: // the length follows
		sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(plain))
		sum = binary.LittleEndian.AppendUint32(sum, uint32(len(plain)))
		problem.RepairBy(fmt.Sprintf("write the checksum and length that the bytes have, %x", sum), source.Put(problem.End()-8, 8, sum))
	}
}

// problem returns the problem of a block, with an empty message if there is none.
func (u *unpacked) problem() span.Problem {
	p := span.Problem{Severity: span.Error, Code: layer.BadBlock, Engine: stopsThere}
	if u.index == 0 { // engines unpack it when they open the file
		p.Engine = corrupt
	}
	switch {
	case u.err != nil && u.data == nil:
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
