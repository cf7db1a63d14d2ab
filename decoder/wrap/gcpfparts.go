package wrap

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// describe makes the parts, with the problems that are known from the start.
func (f *gcpfFormat) describe(o Options) {
	g, end := f.gcpf, f.region.End()
	head := part{name: "header", Span: span.Span{Offset: f.region.Offset}, text: f.headText()}
	head.put(4, end, span.Magic, "magic")
	whole := head.put(4, end, span.Flags, "mode") && head.put(4, end, span.Length, "block size") && head.put(4, end, span.Length, "plain size")
	f.parts = []part{head}
	f.about = struct {
		about
		Mode      string `json:"mode,omitempty"`
		BlockSize uint32 `json:"block_size"`
		PlainSize uint32 `json:"plain_size"`
		Blocks    int64  `json:"blocks"`
	}{f.layer.describe(), g.Mode.String(), g.BlockSize, g.PlainSize, g.Blocks}
	if !whole {
		f.parts[0].fail(span.Between(f.region.Offset, head.End()), span.Truncated, f.layer.Missing.Message, gcpfCorrupt)
		f.about = f.layer.describe()
		return
	}
	f.headProblems(o)
	if g.BlockSize == 0 {
		f.addGap(head.End(), end)
		return
	}
	f.parts = append(f.parts, part{name: "block lengths", Span: span.Between(g.table, g.first)})
	if g.entries < g.Blocks {
		f.cutTable(end)
		return
	}
	f.parts = append(f.parts, part{name: "blocks", Span: span.Between(g.first, g.end)})
	if g.cut {
		f.cutBlocks()
		return
	}
	f.tail()
}

func (f *gcpfFormat) headText() string {
	if f.layer.GCPF == nil {
		return "cut"
	}
	return fmt.Sprintf("%v, %s in blocks of %s", f.Mode, byteCount(int64(f.PlainSize)), byteCount(int64(f.BlockSize)))
}

// headProblems tells what is wrong with the numbers in the header.
func (f *gcpfFormat) headProblems(o Options) {
	p, g := &f.parts[0], f.gcpf
	mode, block, plain := span.Span{Offset: f.modeAt, Length: 4}, span.Span{Offset: f.blockAt, Length: 4}, span.Span{Offset: f.plainAt, Length: 4}
	if magic := string(f.head[:4]); magic != gcpfMagic {
		f.parts[0].badMagic(magic, gcpfMagic, f.region.Offset, "loading fails (ERR_FILE_UNRECOGNIZED)")
	}
	if g.Mode >= modes {
		p.fail(mode, UnknownMode, fmt.Sprintf("compression mode %d does not exist", uint32(g.Mode)), gcpfCorrupt)
	}
	if g.BlockSize == 0 {
		p.fail(block, BlockSize, "the block size is 0", gcpfCorrupt+"; Godot 3 crashes")
		return
	}
	if min(g.BlockSize, g.PlainSize) > maxBlock {
		p.warn(block, BlockSize, fmt.Sprintf("too large to unpack: blocks of %s, at most %s are unpacked", byteCount(int64(g.BlockSize)), byteCount(maxBlock)), "")
	}
	if g.Short {
		f.tellShort(p.fail(plain, BlockCount, fmt.Sprintf("a block too few: %s in place of %s, of which the last holds nothing, for %s in blocks of %s",
			span.Grouped(g.Blocks), span.Grouped(g.Blocks+1), byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize))), gcpfCorrupt))
	}
	if all := min(int64(g.PlainSize), g.here*int64(g.BlockSize)); f.layer.Payload != nil && all > o.MaxUnpacked {
		p.warn(plain, TooLarge, tooLarge(all, o.MaxUnpacked), "")
	}
}

// cutTable describes a table that the file ends in.
func (f *gcpfFormat) cutTable(end int64) {
	g := f.gcpf
	message := fmt.Sprintf("the file ends after %s of %s, for %s in blocks of %s: nothing of them can be had",
		span.Grouped(g.entries), span.Counted(g.Blocks, "block length"), byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize)))
	at := span.Between(g.table, end)
	if at.Length == 0 {
		at = span.Span{Offset: f.plainAt, Length: 4}
	}
	f.parts[gcpfHead].fail(at, span.Truncated, message, gcpfCorrupt)
	f.addGap(g.first, end)
}

// addGap adds the bytes from start to end, which cannot be read.
func (f *gcpfFormat) addGap(start, end int64) {
	p := part{name: "gap", Span: span.Span{Offset: start}}
	if start < end {
		p.put(end-start, end, span.Gap, "gap")
		f.parts = append(f.parts, p)
	}
}

// tail describes the magic at the end, and what is behind it.
func (f *gcpfFormat) tail() {
	p := part{name: "end", Span: span.Span{Offset: f.end}, text: gcpfMagic}
	left := f.region.End() - f.end
	stands := f.ending[:min(left, 4)]
	switch {
	case f.Trailer:
		p.put(4, f.region.End(), span.Magic, "magic")
	case left == 4 && isNear(stands, gcpfMagic):
		p.text = string(tree.AppendEscaped(nil, stands, 0))
		p.put(4, f.region.End(), span.Magic, "magic")
		p.badMagic(string(stands), gcpfMagic, f.end, trailerUnread)
	case left < 4 && string(stands) == gcpfMagic[:left]:
		p.text = "missing"
		if left > 0 {
			p.text = "cut"
			p.put(left, f.region.End(), span.Magic, "magic")
		}
		p.warn(p.Span, MissingTrailer, missingTrailer, trailerUnread).
			cure("add the magic GCPF at the end", source.Put(p.End(), 0, []byte(gcpfMagic[left:])))
	default:
		p.text = "missing"
		p.warn(p.Span, MissingTrailer, missingTrailer, trailerUnread).
			cure("put the magic GCPF behind the last block", source.Put(p.End(), 0, []byte(gcpfMagic)))
	}
	f.parts = append(f.parts, p)
	if spare, any := f.layer.spare(p.End()); any {
		f.parts = append(f.parts, spare)
	}
}

const (
	trailerUnread  = "not needed to read the file"
	missingTrailer = "the magic GCPF is missing behind the last block"
)

// badMagic tells of a signature that has other bytes.
func (p *part) badMagic(is, want string, at int64, engine string) {
	tell := p.fail
	if engine == trailerUnread {
		tell = p.warn
	}
	tell(span.Span{Offset: at, Length: int64(len(want))}, BadMagic, fmt.Sprintf("%s stands here in place of %s", quoted([]byte(is)), want), engine).
		cure("write "+want, source.Put(at, int64(len(want)), []byte(want)))
}
