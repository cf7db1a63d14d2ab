package gcpf

import (
	"fmt"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// The first children of a GCPF's buffer, if it has them.
const (
	headPart = iota
	tablePart
	blocksPart
)

// A reading describes a GCPF: the header, the block lengths, the blocks, and
// the magic at the end.
type reading struct {
	part.Reading
	*file
	layer                    *layer.Layer
	head                     [headerSize]byte // the header as stored in the file
	modeAt, blockAt, plainAt int64            // offsets of the header's numbers
}

// Types of values besides those of all wrappers; Sub is the index of a value.
const (
	tableType  = part.First + iota // the block lengths
	lengthType                     // one of them
	blocksType                     // the blocks
	blockType                      // one of them
)

var (
	_ tree.Reading  = (*reading)(nil)
	_ edit.Repairer = (*reading)(nil)
)

const (
	corrupt    = "loading fails (ERR_FILE_CORRUPT)"
	stopsThere = "reading stops there (\"Compressed file is corrupt\")"
)

// Read implements tree.Reading.
func (f *reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	if parent.Type == part.Base {
		f.Reading.Read(w, parent, slot, off, v)
		f.readPart(v)
		return
	}
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Sub: uint32(slot.Index)}
	if parent.Type == tableType {
		v.Type = lengthType
		v.Close(off + 4)
		return
	}
	v.Type = blockType
	v.Close(min(off+f.length(w, slot.Index), v.Limit))
}

// length returns the number of packed bytes of block i.
func (f *reading) length(w *source.Window, i int64) int64 {
	if m := f.misfit; m != nil && m.block == i {
		return m.length
	}
	return int64(w.U32(f.table + 4*i))
}

// readPart gives the parts that have children their children.
func (f *reading) readPart(v *tree.Value) {
	if f.BlockSize == 0 || !f.isWhole() {
		return
	}
	end := v.End
	switch {
	case v.Sub == tablePart:
		v.Type, v.Layout, v.Count, v.Stride = tableType, tree.Fixed, f.entries, 4
	case v.Sub == blocksPart && f.entries == f.Blocks:
		v.Type, v.Fenced, v.Limit = blocksType, true, end
		v.Contain(tree.Sequence, f.here, 0)
		v.End = end
	}
}

// unpacked returns block i without its bytes; ok is false if it cannot be read, has an unknown mode, or is
// beyond the limit.
func (f *reading) unpacked(i int64) (u unpacked, ok bool) {
	p, ok := f.layer.Payload.(*payload)
	if !ok || p.isCut() && i*int64(f.BlockSize) >= p.size {
		return u, false
	}
	err := p.use(i, func(is *unpacked) error {
		u = *is
		u.data = nil
		return nil
	})
	return u, err == nil // the scanner's own window meets the same error
}

// Fields implements tree.Reading.
func (f *reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	field := span.Field{Span: span.Between(v.Start, v.End)}
	switch v.Type {
	case tableType, blocksType:
		return fields
	case lengthType:
		field.Kind, field.Label = span.Length, "block length"
	case blockType:
		if field.Length == 0 {
			return fields
		}
		field.Kind, field.Label = span.Data, "block"
		if u, _ := f.unpacked(int64(v.Sub)); u.broken {
			field.Kind, field.Label = span.Gap, "gap"
		}
	default:
		return f.Reading.Fields(w, parent, v, fields)
	}
	return append(fields, field)
}

// AppendField implements tree.Reading.
func (f *reading) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	switch field.Kind {
	case span.Flags:
		return append(dst, Mode(w.U32(field.Offset)).String()...)
	case span.Length:
		return strconv.AppendUint(dst, uint64(w.U32(field.Offset)), 10)
	}
	return f.Reading.AppendField(dst, w, v, field)
}

// AppendLiteral implements tree.LiteralWriter.
func (f *reading) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	switch v.Type {
	case tableType:
		return part.AppendCut(dst, span.Counted(v.Count, "length"), limit)
	case blocksType:
		return part.AppendCut(dst, fmt.Sprintf("%s → %s", span.Bytes(v.End-v.Start), span.Bytes(int64(f.PlainSize))), limit)
	case lengthType:
		return part.AppendCut(dst, span.Bytes(int64(r.Window().U32(v.Start))), limit)
	case blockType:
		return part.AppendCut(dst, f.blockText(v), limit)
	}
	return f.Reading.AppendLiteral(dst, r, v, limit)
}

// blockText returns the sizes of a block: "1,234 bytes → 4,096".
func (f *reading) blockText(v *tree.Value) string {
	text := fmt.Sprintf("%s → %s", span.Bytes(v.End-v.Start), span.Grouped(f.plainSize(int64(v.Sub))))
	if u, _ := f.unpacked(int64(v.Sub)); u.broken {
		text = fmt.Sprintf("%s, %v", span.Bytes(v.End-v.Start), u.err)
	}
	return text
}

// TypeName implements tree.Reading.
func (f *reading) TypeName(v *tree.Value) string {
	switch v.Type {
	case lengthType:
		return "length " + strconv.FormatUint(uint64(v.Sub), 10)
	case blockType:
		return "block " + strconv.FormatUint(uint64(v.Sub), 10)
	case tableType:
		return f.Parts[tablePart].Name
	case blocksType:
		return f.Parts[blocksPart].Name
	}
	return f.Reading.TypeName(v)
}

// isWhole reports whether the header is whole.
func (f *reading) isWhole() bool { return f.region.Length >= headerSize }
