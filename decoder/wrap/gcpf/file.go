package gcpf

import (
	"context"
	"encoding/binary"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// Mode is how the blocks of a GCPF are compressed.
type Mode uint32

// The modes of Godot's Compression::Mode.
const (
	fastLZ Mode = iota
	deflate
	zstandard
	Gzip
	Brotli

	modes // number of modes
)

var modeNames = [modes]string{"FastLZ", "Deflate", "Zstandard", "gzip", "Brotli"}

// String returns the name of the mode, or a number for a mode that does not exist.
func (m Mode) String() string {
	if m < modes {
		return modeNames[m]
	}
	return fmt.Sprintf("mode %d", uint32(m))
}

const (
	headerSize = 16
	Magic      = "GCPF"
	resource   = "RSCC" // the magic of compressed resources, which are laid out like a GCPF

	// maxBlock is the largest number of plain bytes of a block that is unpacked. Engines write blocks of
	// 4096.
	maxBlock = 64 << 20
)

// A header is what precedes the blocks.
type header struct {
	Mode      Mode
	BlockSize uint32 // number of plain bytes of each block but the last
	PlainSize uint32 // of all blocks
	Blocks    int64  // number of blocks that there should be
	Short     bool   // one block fewer than engines require: they do not read the file
	Trailer   bool   // the magic is also at the end
	Excess    int64  // number of bytes after the end
}

// A file says where everything is in a GCPF.
type file struct {
	header
	magic  string
	src    source.Source
	region span.Span

	table   int64   // offset of the block lengths
	entries int64   // number of entries in the file
	here    int64   // number of blocks present; the last may be cut off
	first   int64   // offset of the first block
	end     int64   // end of the last block
	marks   []int64 // offset of every markEvery-th block
	cut     bool    // the last block is incomplete, or its length is wrong

	ending [len(Magic)]byte // the first bytes after the last block, if there are any

	misfit *misfit // block whose length in the table is wrong; nil if there is none
}

// markEvery is the distance in blocks between two stored offsets: 8 bytes of memory for
// 256 bytes of lengths.
const markEvery = 64

// parse reads the header and the table.
func (g *file) parse(ctx context.Context, o layer.Options) error {
	var b [headerSize]byte
	if err := layer.ReadAt(g.src, b[:], g.region.Offset); err != nil {
		return err
	}
	g.Mode = Mode(binary.LittleEndian.Uint32(b[4:]))
	g.BlockSize = binary.LittleEndian.Uint32(b[8:])
	g.PlainSize = binary.LittleEndian.Uint32(b[12:])
	if g.BlockSize == 0 {
		return nil
	}
	return g.measure(ctx, o)
}

func (g *file) title() string {
	if g.BlockSize == 0 {
		return fmt.Sprintf("%s, %v", g.magic, g.Mode)
	}
	return fmt.Sprintf("%s, %v, %s of %s", g.magic, g.Mode, span.Counted(g.Blocks, "block"), span.Bytes(int64(g.BlockSize)))
}

// measure finds the blocks. If the lengths fit only with one block fewer than engines require, the file is
// read that way.
func (g *file) measure(ctx context.Context, o layer.Options) error {
	plain, size := int64(g.PlainSize), int64(g.BlockSize)
	g.Blocks = plain/size + 1
	if err := g.scan(ctx, o); err != nil {
		return err
	}
	if plain%size != 0 || g.Trailer && g.Excess == 0 {
		return nil
	}
	short := file{magic: g.magic, header: g.header, src: g.src, region: g.region}
	short.Blocks, short.Short = g.Blocks-1, true
	if err := short.scan(ctx, o); err != nil {
		return err
	}
	if short.Trailer && short.Excess == 0 {
		*g = short
	}
	return nil
}

// scan reads the table of lengths, while there are bytes for the blocks.
func (g *file) scan(ctx context.Context, o layer.Options) error {
	limit := g.region.End()
	g.table = g.region.Offset + headerSize
	g.entries = min(g.Blocks, (limit-g.table)/4)
	g.first = g.table + 4*g.entries
	g.end = g.first
	if g.entries < g.Blocks { // nothing follows the table
		return nil
	}
	buf := make([]byte, min(4*g.entries, 64<<10))
	for g.here < g.entries && !g.cut {
		if err := ctx.Err(); err != nil {
			return err
		}
		o.Report(4*g.here, 4*g.entries)
		buf = buf[:min(int64(len(buf)), 4*(g.entries-g.here))]
		if err := layer.ReadAt(g.src, buf, g.table+4*g.here); err != nil {
			return err
		}
		g.add(buf, limit)
	}
	return g.findTrailer()
}

// add records blocks of the given lengths.
func (g *file) add(lengths []byte, limit int64) {
	for ; len(lengths) > 0 && !g.cut; lengths = lengths[4:] {
		if g.here%markEvery == 0 {
			g.marks = append(g.marks, g.end)
		}
		g.here++
		g.end += int64(binary.LittleEndian.Uint32(lengths))
		g.cut = g.end > limit
	}
	g.end = min(g.end, limit)
}

func (g *file) findTrailer() error {
	g.Trailer = false
	if left := g.region.End() - g.end; !g.cut {
		if err := layer.ReadAt(g.src, g.ending[:min(left, int64(len(g.ending)))], g.end); err != nil {
			return err
		}
		g.Trailer = left >= 4 && string(g.ending[:4]) == g.magic
	}
	g.Excess = g.region.End() - g.end
	if g.Trailer {
		g.Excess -= 4
	}
	return nil
}

// plainSize returns the number of plain bytes that block i must hold.
func (g *file) plainSize(i int64) int64 {
	return max(0, min(int64(g.BlockSize), int64(g.PlainSize)-i*int64(g.BlockSize)))
}

// most returns the largest number of plain bytes that engines accept in a block.
func (g *file) most() int64 {
	if g.Blocks == 1 {
		return int64(g.PlainSize)
	}
	return int64(g.BlockSize)
}

// packed returns the span of the packed bytes of block i that exist, and whether they are complete.
func (g *file) packed(i int64) (at span.Span, whole bool, err error) {
	from := i / markEvery * markEvery
	var buf [4 * markEvery]byte
	b := buf[:4*(i-from+1)]
	if err := layer.ReadAt(g.src, b, g.table+4*from); err != nil {
		return at, false, err
	}
	start, end := g.marks[from/markEvery], g.marks[from/markEvery]
	for ; len(b) > 0; b = b[4:] {
		start = end
		end += int64(binary.LittleEndian.Uint32(b))
	}
	limit := g.region.End()
	return span.Between(min(start, limit), min(end, limit)), end <= limit, nil
}
