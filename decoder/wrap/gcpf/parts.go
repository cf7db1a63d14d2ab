package gcpf

import (
	"context"
	"fmt"
	"math"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// describe makes the parts, with the problems known from the start.
func (f *reading) describe(o layer.Options) {
	f.Reading = f.layer.Describe(nil)
	g, end := f.file, f.region.End()
	head := part.Part{Name: "header", Span: span.Span{Offset: f.region.Offset}, Text: f.headText()}
	head.Put(4, end, span.Magic, "magic")
	whole := head.Put(4, end, span.Flags, "mode") && head.Put(4, end, span.Length, "block size") && head.Put(4, end, span.Length, "plain size")
	f.Parts = []part.Part{head}
	f.About = struct {
		part.About
		Mode      string `json:"mode,omitempty"`
		BlockSize uint32 `json:"block_size"`
		PlainSize uint32 `json:"plain_size"`
		Blocks    int64  `json:"blocks"`
	}{f.layer.About(), g.Mode.String(), g.BlockSize, g.PlainSize, g.Blocks}
	if !whole {
		f.Parts[0].Fail(span.Between(f.region.Offset, head.End()), span.Truncated, f.layer.Missing.Message, corrupt)
		f.About = f.layer.About()
		return
	}
	f.headProblems(o)
	if g.BlockSize == 0 {
		f.addGap(head.End(), end)
		return
	}
	f.Parts = append(f.Parts, part.Part{Name: "block lengths", Span: span.Between(g.table, g.first)})
	if g.entries < g.Blocks {
		f.cutTable(end)
		return
	}
	f.Parts = append(f.Parts, part.Part{Name: "blocks", Span: span.Between(g.first, g.end)})
	if g.cut {
		f.cutBlocks()
		return
	}
	f.tail()
}

func (f *reading) headText() string {
	if !f.isWhole() {
		return "cut"
	}
	return fmt.Sprintf("%v, %s in blocks of %s", f.Mode, span.Bytes(int64(f.PlainSize)), span.Bytes(int64(f.BlockSize)))
}

// headProblems reports the problems of the numbers in the header.
func (f *reading) headProblems(o layer.Options) {
	p, g := &f.Parts[0], f.file
	mode, block, plain := span.Span{Offset: f.modeAt, Length: 4}, span.Span{Offset: f.blockAt, Length: 4}, span.Span{Offset: f.plainAt, Length: 4}
	if magic := string(f.head[:4]); magic != f.magic {
		f.addMagic(p.Fail, magic, f.region.Offset, "loading fails (ERR_FILE_UNRECOGNIZED)")
	}
	if g.Mode >= modes {
		p.Fail(mode, layer.UnknownMode, fmt.Sprintf("compression mode %d does not exist", uint32(g.Mode)), corrupt)
	}
	if g.BlockSize == 0 {
		p.Fail(block, layer.BlockSize, "the block size is 0", corrupt+"; Godot 3 crashes")
		return
	}
	if min(g.BlockSize, g.PlainSize) > maxBlock {
		p.Warn(block, layer.BlockSize, fmt.Sprintf("too large to unpack: blocks of %s, at most %s are unpacked", span.Bytes(int64(g.BlockSize)), span.Bytes(maxBlock)), "")
	}
	if g.Short {
		f.repairShort(p.Fail(plain, layer.BlockCount, fmt.Sprintf("one block too few: %s instead of %s (the last is empty) for %s in blocks of %s",
			span.Grouped(g.Blocks), span.Grouped(g.Blocks+1), span.Bytes(int64(g.PlainSize)), span.Bytes(int64(g.BlockSize))), corrupt))
	}
	if all := min(int64(g.PlainSize), g.here*int64(g.BlockSize)); f.layer.Payload != nil && all > o.MaxUnpacked {
		p.Warn(plain, layer.TooLarge, layer.OnlyFirstOf(all, o.MaxUnpacked), "")
	}
}

// cutTable describes a table in which the file ends.
func (f *reading) cutTable(end int64) {
	g := f.file
	message := fmt.Sprintf("the file ends after %s of %s, for %s in blocks of %s: none of them can be read",
		span.Grouped(g.entries), span.Counted(g.Blocks, "block length"), span.Bytes(int64(g.PlainSize)), span.Bytes(int64(g.BlockSize)))
	at := span.Between(g.table, end)
	if at.Length == 0 {
		at = span.Span{Offset: f.plainAt, Length: 4}
	}
	f.Parts[headPart].Fail(at, span.Truncated, message, corrupt)
	f.addGap(g.first, end)
}

// addGap adds the bytes from start to end, which cannot be read.
func (f *reading) addGap(start, end int64) {
	p := part.Part{Name: "gap", Span: span.Span{Offset: start}}
	if start < end {
		p.Put(end-start, end, span.Gap, "gap")
		f.Parts = append(f.Parts, p)
	}
}

// tail describes the magic at the end, and what follows it.
func (f *reading) tail() {
	p := part.Part{Name: "end", Span: span.Span{Offset: f.end}, Text: f.magic}
	left := f.region.End() - f.end
	found := f.ending[:min(left, int64(len(f.ending)))]
	sure := true // if false, the numbers may be wrong and blocks may follow
	if f.Blocks > 0 && !f.Trailer {
		u, _ := f.unpacked(f.Blocks - 1)
		sure = u.err == nil
	}
	switch {
	case f.Trailer:
		p.Put(4, f.region.End(), span.Magic, "magic")
	case left < 4 && string(found) == f.magic[:left]:
		p.Text = "missing"
		if left > 0 {
			p.Text = "cut"
			p.Put(left, f.region.End(), span.Magic, "magic")
		}
		p.Warn(p.Span, layer.MissingTrailer, "the magic "+f.magic+" is missing after the last block", trailerUnread).
			RepairBy("add the magic "+f.magic+" at the end", source.Put(p.End(), 0, []byte(f.magic[left:])))
	case left == int64(len(Magic)) && f.isNearly():
		p.Put(left, f.region.End(), span.Magic, "magic")
		f.addMagic(p.Warn, string(found), p.Offset, trailerUnread)
		p.Text = string(tree.AppendEscaped(nil, found, 0))
	default:
		p.Text = "missing"
		problem := p.Warn(p.Span, layer.MissingTrailer, "the magic "+f.magic+" is missing after the last block", trailerUnread)
		if sure {
			problem.RepairBy("add the magic "+f.magic+" after the last block", source.Put(p.End(), 0, []byte(f.magic)))
		}
	}
	f.Parts = append(f.Parts, p)
	if spare, any := part.Spare(p.End(), f.region); any {
		if !sure {
			spare.Problems[0].Repair = ""
		}
		f.Parts = append(f.Parts, spare)
	}
}

// isNearly reports whether the last bytes are the magic with at most two bytes changed.
func (g *file) isNearly() bool {
	same := 0
	for i := range g.magic {
		if g.ending[i] == g.magic[i] {
			same++
		}
	}
	return same >= 2
}

const trailerUnread = "not needed to read the file"

// Inspect implements tree.Inspector. Each block is unpacked.
func (f *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	switch v.Type {
	case part.Own, blocksType, tableType:
		if v.Sub == headPart && f.misfit != nil {
			report(f.misfit.Problem.Problem)
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
	if f.misfit != nil && f.misfit.CanRepair(p) {
		return f.misfit.AsRepair(), nil
	}
	if n.Type == blockType {
		if problem := f.inspectBlock(&n.Value); problem.CanRepair(p) {
			return problem.AsRepair(), nil
		}
	}
	return f.Reading.Repair(ctx, r, n, p)
}

// inspectBlock returns the problem of a block, with an empty message if there is none.
func (f *reading) inspectBlock(v *tree.Value) (problem part.Problem) {
	i := int64(v.Sub)
	if f.cut && i == f.here-1 || f.misfit != nil && f.misfit.broken && i == f.misfit.block {
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
	size := i*int64(f.BlockSize) + u.holds
	if i == f.Blocks-1 && (u.over > 0 || u.short) && size <= math.MaxUint32 && (i == 0 || u.holds < int64(f.BlockSize)) {
		problem.RepairBy(fmt.Sprintf("set the plain size to %d", size), part.Put32(f.plainAt, uint32(size)))
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
