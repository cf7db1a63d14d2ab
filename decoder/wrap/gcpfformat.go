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
	head                     [gcpfHeader]byte // as it stands there
	modeAt, blockAt, plainAt int64            // offsets of the header's numbers
}

var _ tree.Reading = (*gcpfFormat)(nil)

const (
	gcpfCorrupt = "loading fails (ERR_FILE_CORRUPT)"
	gcpfReading = "reading stops there (\"Compressed file is corrupt\")"
)

// Read implements tree.Reading.
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
	v.Close(min(off+f.length(w, slot.Index), v.Limit))
}

// length is how many packed bytes block i has.
func (f *gcpfFormat) length(w *source.Window, i int64) int64 {
	if c := f.cause; c != nil && c.lengthOf == i {
		return c.length
	}
	return int64(w.U32(f.table + 4*i))
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

// Fields implements tree.Reading.
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

// AppendField implements tree.Reading.
func (f *gcpfFormat) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	switch field.Kind {
	case span.Flags:
		return append(dst, Mode(w.U32(field.Offset)).String()...)
	case span.Length:
		return strconv.AppendUint(dst, uint64(w.U32(field.Offset)), 10)
	}
	return f.format.AppendField(dst, w, v, field)
}

// AppendLiteral implements tree.Reading.
func (f *gcpfFormat) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	switch v.Type {
	case tTable:
		return appendCut(dst, span.Counted(v.Count, "length"), limit)
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
	text := fmt.Sprintf("%s → %s", byteCount(v.End-v.Start), span.Grouped(f.plain(int64(v.Sub))))
	if u := f.unpacked(int64(v.Sub)); u != nil && u.data == nil {
		text = fmt.Sprintf("%s, %v", byteCount(v.End-v.Start), u.err)
	}
	return text
}

// TypeName implements tree.Reading.
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

// AppendType implements tree.Reading.
func (f *gcpfFormat) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	return append(dst, f.TypeName(v)...)
}
