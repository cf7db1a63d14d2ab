package wrap

import (
	"fmt"
	"strconv"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// The first children of a GCPF's buffer, as far as there are so many.
const (
	gcpfHead = iota
	gcpfTable
	gcpfBlocks
)

// gcpfFormat describes a GCPF: the header, the block lengths, the blocks, and
// the magic at the end.
type gcpfFormat struct {
	format
	*gcpf
	modeAt, blockAt, plainAt int64 // offsets of the header's numbers
}

var _ tree.Format = (*gcpfFormat)(nil)

const (
	gcpfCorrupt = "loading fails (ERR_FILE_CORRUPT)"
	gcpfReading = "reading stops there"
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
		return
	}
	f.parts = append(f.parts, part{name: "block lengths", Span: span.Between(g.table, g.first)})
	if g.entries < g.Blocks {
		f.cutTable(end)
		return
	}
	f.parts = append(f.parts, part{name: "blocks", Span: span.Between(g.first, g.end)})
	if !g.cut {
		f.parts = append(f.parts, f.tail())
	}
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
	if g.Mode >= modes {
		p.fail(mode, UnknownMode, fmt.Sprintf("compression mode %d does not exist", uint32(g.Mode)), gcpfCorrupt)
	}
	if g.BlockSize == 0 {
		p.fail(block, BlockSize, "the block size is 0", gcpfCorrupt+"; Godot 3 crashes")
		return
	}
	if min(g.BlockSize, g.PlainSize) > maxBlock {
		p.warn(block, BlockSize, fmt.Sprintf("blocks of %s; those of more than %s are not unpacked", byteCount(int64(g.BlockSize)), byteCount(maxBlock)), "")
	}
	if g.Short {
		p.fail(plain, BlockCount, fmt.Sprintf("%s in blocks of %s take %s, of which the last holds nothing; the file has %s",
			byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize)), plural(g.Blocks+1, "block"), count(g.Blocks)), gcpfCorrupt)
	}
	if all := min(int64(g.PlainSize), g.here*int64(g.BlockSize)); f.layer.Payload != nil && all > o.MaxUnpacked {
		p.warn(plain, TooLarge, tooLarge(all, o.MaxUnpacked), "")
	}
}

// cutTable describes a table that the file ends in.
func (f *gcpfFormat) cutTable(end int64) {
	g := f.gcpf
	message := fmt.Sprintf("%s in blocks of %s take %s, the file ends after the lengths of %s",
		byteCount(int64(g.PlainSize)), byteCount(int64(g.BlockSize)), plural(g.Blocks, "block"), count(g.entries))
	f.parts[gcpfHead].fail(span.Span{Offset: f.plainAt, Length: 4}, span.Truncated, message, gcpfCorrupt)
	if g.first < end { // a piece of a length
		p := part{name: "cut length", Span: span.Span{Offset: g.first}}
		p.put(end-g.first, end, span.Gap, "gap")
		f.parts = append(f.parts, p)
	}
}

// tail describes the magic at the end.
func (f *gcpfFormat) tail() part {
	p := part{name: "end", Span: span.Span{Offset: f.end}, text: gcpfMagic}
	if f.Trailer {
		p.put(4, f.region.End(), span.Magic, "magic")
		return p
	}
	p.text = "missing"
	p.warn(p.Span, MissingTrailer, "the magic GCPF is missing behind the last block", "not needed to read the file")
	return p
}

// Read implements tree.Format.
func (f *gcpfFormat) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	if parent.Type == tBase {
		f.format.Read(w, parent, slot, off, v)
		f.readPart(v)
		return
	}
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Sub: uint32(slot.Index)}
	if parent.Type == tTable {
		v.Type = tLength
		v.Close(off + 4)
		return
	}
	v.Type = tBlock
	v.Close(min(off+int64(w.U32(f.table+4*slot.Index)), v.Limit))
}

// readPart gives the parts that have children these.
func (f *gcpfFormat) readPart(v *tree.Value) {
	if f.BlockSize == 0 || f.layer.GCPF == nil {
		return
	}
	end := v.End
	switch {
	case v.Sub == gcpfTable:
		v.Type, v.Layout, v.Count, v.Stride = tTable, tree.Fixed, f.entries, 4
	case v.Sub == gcpfBlocks && f.entries == f.Blocks:
		v.Type, v.Fenced, v.Limit = tBlocks, true, end
		v.Contain(tree.Sequence, f.here, 0)
		v.End = end
	}
}

// Inspect implements tree.Format. Each block is unpacked.
func (f *gcpfFormat) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	switch v.Type {
	case tPart:
		f.format.Inspect(w, parent, slot, v, report)
	case tBlock:
		f.inspectBlock(v, report)
	}
}

func (f *gcpfFormat) inspectBlock(v *tree.Value, report func(span.Problem)) {
	i := int64(v.Sub)
	length := span.Span{Offset: f.table + 4*i, Length: 4}
	if f.cut && i == f.here-1 {
		at, _, err := f.packed(i)
		if err != nil {
			return // the scanner's own window meets the same error
		}
		length.Length = 4 * (f.Blocks - i)
		message := fmt.Sprintf("block %d is longer than the %s left", i, byteCount(at.Length))
		if rest := f.Blocks - f.here; rest > 0 {
			message += "; " + plural(rest, "block") + " behind it are missing"
		}
		report(span.Problem{Span: length, Severity: span.Error, Code: span.LengthOverrun, Message: message, Engine: gcpfReading})
		return
	}
	u := f.unpacked(i)
	if u == nil || f.plain(i) > maxBlock {
		return
	}
	p := span.Problem{Span: v.Span(), Severity: span.Error, Code: BadBlock, Engine: gcpfReading}
	if p.Length == 0 {
		p.Span = length
	}
	switch {
	case u.err == errChecksum:
		p.Code, p.Message = Checksum, fmt.Sprintf("block %d unpacks, but %v", i, u.err)
	case u.err != nil:
		p.Message = fmt.Sprintf("block %d does not unpack: %v", i, u.err)
	case u.over > 0:
		p.Severity, p.Code, p.Engine = span.Warning, WrongSize, "ignored"
		p.Message = fmt.Sprintf("block %d holds %s more than it should", i, byteCount(u.over))
	default:
		return
	}
	report(p)
}

// unpacked is block i, nil if it cannot be read or is of no known mode.
func (f *gcpfFormat) unpacked(i int64) *unpacked {
	p, ok := f.layer.Payload.(*gcpfPayload)
	if !ok {
		return nil
	}
	u, err := p.block(i)
	if err != nil {
		return nil // the scanner's own window meets the same error
	}
	return u
}

// Fields implements tree.Format.
func (f *gcpfFormat) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	field := span.Field{Span: span.Between(v.Start, v.End)}
	switch v.Type {
	case tTable, tBlocks:
		return fields
	case tLength:
		field.Kind, field.Label = span.Length, "block length"
	case tBlock:
		if field.Length == 0 {
			return fields
		}
		field.Kind, field.Label = span.Data, "block"
		if u := f.unpacked(int64(v.Sub)); u != nil && u.data == nil {
			field.Kind, field.Label = span.Gap, "gap"
		}
	default:
		return f.format.Fields(w, parent, v, fields)
	}
	return append(fields, field)
}

// AppendField implements tree.Format.
func (f *gcpfFormat) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	switch field.Kind {
	case span.Flags:
		return append(dst, Mode(w.U32(field.Offset)).String()...)
	case span.Length:
		return strconv.AppendUint(dst, uint64(w.U32(field.Offset)), 10)
	}
	return f.format.AppendField(dst, w, v, field)
}

// AppendLiteral implements tree.Format.
func (f *gcpfFormat) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	switch v.Type {
	case tTable:
		return appendCut(dst, plural(v.Count, "length"), limit)
	case tBlocks:
		return appendCut(dst, fmt.Sprintf("%s → %s", byteCount(v.End-v.Start), byteCount(int64(f.PlainSize))), limit)
	case tLength:
		return appendCut(dst, byteCount(int64(r.Window().U32(v.Start))), limit)
	case tBlock:
		return appendCut(dst, f.blockText(v), limit)
	}
	return f.format.AppendLiteral(dst, r, v, limit)
}

// blockText says what a block holds: "1,234 bytes → 4,096".
func (f *gcpfFormat) blockText(v *tree.Value) string {
	text := fmt.Sprintf("%s → %s", byteCount(v.End-v.Start), count(f.plain(int64(v.Sub))))
	if u := f.unpacked(int64(v.Sub)); u != nil && u.data == nil {
		text = fmt.Sprintf("%s, %v", byteCount(v.End-v.Start), u.err)
	}
	return text
}

// TypeName implements tree.Format.
func (f *gcpfFormat) TypeName(v *tree.Value) string {
	switch v.Type {
	case tLength:
		return "length " + strconv.FormatUint(uint64(v.Sub), 10)
	case tBlock:
		return "block " + strconv.FormatUint(uint64(v.Sub), 10)
	case tTable:
		return f.parts[gcpfTable].name
	case tBlocks:
		return f.parts[gcpfBlocks].name
	}
	return f.format.TypeName(v)
}

// AppendType implements tree.Format.
func (f *gcpfFormat) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	return append(dst, f.TypeName(v)...)
}
