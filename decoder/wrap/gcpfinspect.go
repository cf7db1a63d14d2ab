package wrap

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
)

// Inspect implements tree.Reading. Each block is unpacked.
func (f *gcpfFormat) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	switch v.Type {
	case tPart, tBlocks, tTable:
		if v.Sub == gcpfHead && f.cause != nil {
			report(f.cause.Problem)
		}
		for _, p := range f.parts[v.Sub].problems {
			report(p.Problem)
		}
	case tBlock:
		if found := f.inspectBlock(v); found.Message != "" {
			report(found.Problem)
		}
	}
}

// Repair implements edit.Repairer.
func (f *gcpfFormat) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	if f.cause != nil && f.cause.is(p) && p.Repair != "" {
		return f.cause.asRepair(), nil
	}
	if n.Type == tBlock && p.Repair != "" {
		if found := f.inspectBlock(&n.Value); found.is(p) {
			return found.asRepair(), nil
		}
	}
	return f.format.Repair(ctx, r, n, p)
}

// inspectBlock tells what is wrong with a block; without a message it is nothing.
func (f *gcpfFormat) inspectBlock(v *tree.Value) (found finding) {
	i := int64(v.Sub)
	if f.cut && i == f.here-1 || f.cause != nil && i == f.cause.block {
		return found // told already
	}
	u := f.unpacked(i)
	if u == nil || f.plain(i) > maxBlock {
		return found
	}
	found.Problem = u.problem()
	found.Span = v.Span()
	if found.Length == 0 {
		found.Span = span.Span{Offset: f.table + 4*i, Length: 4}
	}
	if u.err == errChecksum && u.data != nil {
		f.cureChecksum(&found, u.data)
	}
	return found
}

// cureChecksum puts the checksum that the plain bytes have at the end of a block.
func (f *gcpfFormat) cureChecksum(found *finding, plain []byte) {
	switch f.Mode {
	case Deflate:
		sum := binary.BigEndian.AppendUint32(nil, adler32.Checksum(plain))
		found.cure(fmt.Sprintf("write the checksum that the bytes have, %x", sum), source.Put(found.End()-4, 4, sum))
	case Gzip: // the length follows
		sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(plain))
		sum = binary.LittleEndian.AppendUint32(sum, uint32(len(plain)))
		found.cure(fmt.Sprintf("write the checksum and length that the bytes have, %x", sum), source.Put(found.End()-8, 8, sum))
	}
}

// problem is what is wrong with a block; without a message it is nothing.
func (u *unpacked) problem() span.Problem {
	p := span.Problem{Severity: span.Error, Code: BadBlock, Engine: gcpfReading}
	if u.index == 0 { // engines unpack it when they open the file
		p.Engine = gcpfCorrupt
	}
	switch {
	case u.err != nil && u.data == nil:
		p.Message = fmt.Sprintf("block %d does not unpack: %v", u.index, u.err)
		return p
	case u.err == errDamaged:
		p.Message = fmt.Sprintf("block %d gives all bytes that it should, but its packed bytes are damaged behind them", u.index)
	case u.err != nil:
		p.Message = fmt.Sprintf("block %d unpacks, but %v", u.index, u.err)
	case u.over > 0:
		p.Severity, p.Code, p.Engine = span.Warning, WrongSize, "ignored"
		p.Message = fmt.Sprintf("block %d holds %s more than it should", u.index, byteCount(u.over))
	}
	switch u.err {
	case errChecksum:
		p.Code = Checksum
	case errTooMuch:
		p.Code = WrongSize
	}
	return p
}
