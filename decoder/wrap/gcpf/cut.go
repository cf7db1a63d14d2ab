package gcpf

import (
	"encoding/binary"
	"fmt"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// cutBlocks describes blocks in which the file ends, or whose length exceeds the rest of it.
func (f *reading) cutBlocks() {
	g := f.file
	i := g.here - 1 // the block that is cut
	at, _, err := g.packed(i)
	if err != nil {
		return // the scanner's own window meets the same error
	}
	plain := i * int64(g.BlockSize)
	if g.isMarked() {
		f.Parts[blocksPart].Fail(span.Span{Offset: g.table + 4*i, Length: 4}, span.LengthOverrun,
			fmt.Sprintf("block %d is said to be longer than the %s left, and no other length makes the blocks unpack", i, span.Bytes(at.Length)), stopsThere)
		return
	}
	message := fmt.Sprintf("the file ends in block %d of %s: %s with %s can be read, %s lost", i, span.Grouped(g.Blocks),
		span.Counted(i, "block"), span.Bytes(plain), lost(g.Blocks-i))
	if at.Length == 0 {
		at = span.Span{Offset: g.table + 4*i, Length: 4 * (g.Blocks - i)}
	}
	engine := stopsThere
	if i == 0 {
		engine = corrupt
	}
	problem := f.Parts[blocksPart].Fail(at, span.Truncated, message, engine)
	if i > 0 && plain <= math.MaxUint32 {
		f.shorten(problem, i)
	}
}

// isMarked reports whether the magic is at the end of the region.
func (g *file) isMarked() bool {
	var b [4]byte
	return g.region.Length >= headerSize+4 && layer.ReadAt(g.src, b[:], g.region.End()-4) == nil && string(b[:]) == g.magic
}

func lost(blocks int64) string {
	if blocks == 1 {
		return "1 is"
	}
	return span.Grouped(blocks) + " are"
}

// shorten adds the repair that makes a file of n whole blocks: it changes the plain size, the table, and
// the empty block at the end.
func (f *reading) shorten(problem *part.Problem, n int64) {
	empty, err := emptyBlock(f.Mode)
	if err != nil {
		return
	}
	plain := n * int64(f.BlockSize)
	at, _, err := f.packed(n)
	if err != nil {
		return
	}
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(empty)))
	problem.RepairBy(fmt.Sprintf("end the file after block %d, with a plain size of %d", n-1, plain),
		part.Put32(f.plainAt, uint32(plain)),
		source.Put(f.table+4*n, 4*(f.Blocks-n), length),
		source.Put(at.Offset, f.region.End()-at.Offset, append(empty, f.magic...)))
	if at.Length > 0 {
		problem.Loss = fmt.Sprintf("the first %s of block %d", span.Bytes(at.Length), n)
	}
}

// repairShort adds the repair that appends an empty block.
func (f *reading) repairShort(problem *part.Problem) {
	empty, err := emptyBlock(f.Mode)
	if err != nil {
		return
	}
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(empty)))
	problem.RepairBy("add an empty block", source.Put(f.first, 0, length), source.Put(f.end, 0, empty))
	if f.first == f.end { // there is no other block
		problem.RepairBy(problem.Repair, source.Put(f.first, 0, append(length, empty...)))
	}
}

// emptyBlock returns a block without content, as engines write it.
func emptyBlock(m Mode) ([]byte, error) {
	if m >= modes {
		return nil, part.ErrNoRepair
	}
	p, err := newBlockPacker(m)
	if err != nil {
		return nil, err
	}
	defer p.close()
	return p.pack(nil, nil)
}
