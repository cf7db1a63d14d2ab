package gcpf

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// describe makes the parts, with the problems that are known from the start.
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
	if g.unsearched {
		f.Parts[0].Problems = append(f.Parts[0].Problems, part.Unsearched(f.Parts[0].Span, "other numbers and lengths were"))
	}
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
		f.repairShort(p.Fail(plain, layer.BlockCount, fmt.Sprintf("one block too few: %s instead of %s, of which the last is empty, for %s in blocks of %s",
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
	case left <= int64(len(f.ending)) && f.damagedMagic(&p, found):
	default:
		p.Text = "missing"
		p.Warn(p.Span, layer.MissingTrailer, "the magic "+f.magic+" is missing after the last block", trailerUnread).
			RepairBy("add the magic "+f.magic+" after the last block", source.Put(p.End(), 0, []byte(f.magic)))
	}
	f.Parts = append(f.Parts, p)
	if spare, any := part.Spare(p.End(), f.region); any {
		f.Parts = append(f.Parts, spare)
	}
}

// damagedMagic describes the last bytes of a file if they are the magic with at most two
// bytes changed, or with bytes lost or too many in it.
func (f *reading) damagedMagic(p *part.Part, found []byte) bool {
	before := 0
	for before < min(len(found), len(Magic)) && found[before] == f.magic[before] {
		before++
	}
	after := 0
	for after < min(len(found), len(Magic))-before && found[len(found)-1-after] == f.magic[len(Magic)-1-after] {
		after++
	}
	n := len(found) - len(Magic)
	at, end := p.Offset+int64(before), f.region.End()
	switch {
	case n == 0 && before+after >= 2:
		p.Put(4, end, span.Magic, "magic")
		f.addMagic(p.Warn, string(found), p.Offset, trailerUnread)
	case n < 0 && before+after == len(found):
		p.Put(int64(len(found)), end, span.Magic, "magic")
		lost := []byte(f.magic[before : before-n])
		p.Warn(span.Span{Offset: at}, span.MissingBytes, fmt.Sprintf("%s missing in the magic %s at the end", span.BytesAre(int64(-n)), f.magic), trailerUnread).
			RepairBy(fmt.Sprintf("insert % x at %#x", lost, at), source.Put(at, 0, lost))
	case n > 0 && before+after == len(Magic):
		surplus := span.Span{Offset: at, Length: int64(n)}
		if before > 0 {
			p.Put(int64(before), end, span.Magic, "magic")
		}
		p.Put(int64(n), end, span.Gap, "gap")
		p.Put(int64(after), end, span.Magic, "magic")
		p.Warn(surplus, span.ExtraBytes, span.Bytes(int64(n))+" too many in the magic "+f.magic+" at the end", trailerUnread).
			RepairBy(fmt.Sprintf("delete %s at %#x", span.Bytes(int64(n)), at), part.TakeOut(surplus))
	default:
		return false
	}
	p.Text = string(tree.AppendEscaped(nil, found, 0))
	return true
}

const trailerUnread = "not needed to read the file"
