package gcpf

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// A misfit is the one block because of whose length the lengths do not reach the magic at the end.
type misfit struct {
	part.Problem
	block  int64
	length int64 // length with which they reach it
	broken bool  // the block cannot be unpacked with that length
}

const (
	mostCorrected = 1 << 22 // largest number of blocks that are searched for a misfit
	mostMoved     = 64      // largest change of the length of a broken last block, which no later block confirms
)

// correct finds the misfit of a file that ends with the magic, but not where the lengths say, and reads the
// table with the length that fits.
func (g *file) correct(ctx context.Context, o layer.Options) error {
	if g.BlockSize == 0 || g.Mode >= modes || g.entries < g.Blocks || g.Blocks > mostCorrected || g.Trailer || !g.isMarked() {
		return nil
	}
	table := make([]byte, 4*g.Blocks)
	if err := layer.ReadAt(g.src, table, g.table); err != nil {
		return err
	}
	moved := g.region.End() - int64(len(g.magic)) - g.first
	for at := range g.Blocks {
		moved -= int64(binary.LittleEndian.Uint32(table[4*at:]))
	}
	old := newBlocks(g, math.MaxInt64)
	defer old.Close()
	wrong := int64(sort.Search(int(g.here), func(i int) bool { return !old.isRight(int64(i)) }))
	var best *file
	for _, i := range []int64{wrong, wrong - 1} {
		if i < 0 || i >= g.Blocks || i < wrong && moved > 0 { // Deflate ignores what follows a block
			continue
		}
		fixed, err := g.refit(ctx, o, i, int64(binary.LittleEndian.Uint32(table[4*i:])), moved)
		if err != nil {
			return err
		}
		if fixed != nil && (best == nil && i == wrong || !fixed.misfit.broken) {
			best = fixed
		}
	}
	if best != nil {
		*g = *best
	}
	return nil
}

// refit returns the file with a block that is longer by some bytes than the table says; nil if the blocks
// after it then cannot be unpacked.
func (g *file) refit(ctx context.Context, o layer.Options, i, was, moved int64) (*file, error) {
	m := &misfit{block: i, length: was + moved}
	if moved == 0 || m.length < 1 || m.length > math.MaxUint32 {
		return nil, nil
	}
	put := part.Put32(g.table+4*i, uint32(m.length))
	fixed := &file{magic: g.magic, src: source.Whole(g.src).Splice([]source.Splice{put}), region: g.region, misfit: m}
	if err := fixed.parse(ctx, o); err != nil || fixed.cut {
		return nil, err
	}
	unpacked := newBlocks(fixed, math.MaxInt64)
	defer unpacked.Close()
	m.broken = !unpacked.isRight(i)
	last := i == g.Blocks-1
	if last && m.broken && max(moved, -moved) > mostMoved || !last && !(unpacked.isRight(i+1) && unpacked.isRight(g.Blocks-1)) {
		return nil, nil
	}
	m.describe(put, unpacked, was, moved)
	return fixed, nil
}

// describe sets the problem of a block that is longer by some bytes than the table says.
func (m *misfit) describe(put source.Splice, in *blocks, was, moved int64) {
	m.Problem.Problem = span.Problem{Span: put.Span, Severity: span.Error, Code: span.WrongLength, Engine: stopsThere}
	if m.block == 0 {
		m.Engine = corrupt
	}
	if !m.broken {
		m.Message = fmt.Sprintf("the length of block %d says %s, but the block has %s", m.block, span.Bytes(was), span.Bytes(m.length))
		m.RepairBy(fmt.Sprintf("set the length of block %d to %d", m.block, m.length), put)
		return
	}
	if at, _, err := in.packed(m.block); err == nil {
		m.Span = at
	}
	if moved < 0 {
		m.Code, m.Message = span.MissingBytes, fmt.Sprintf("block %d has lost %s: it does not unpack", m.block, span.Bytes(-moved))
	} else {
		m.Code, m.Message = span.ExtraBytes, fmt.Sprintf("block %d has %s too many: it does not unpack", m.block, span.Bytes(moved))
	}
	if m.block < in.Blocks-1 {
		m.Message += ", and the blocks after it unpack"
		m.RepairBy(fmt.Sprintf("set the length of block %d to %d, so that the engine finds the blocks after it", m.block, m.length), put)
	}
}

// isRight reports whether block i can be unpacked without a problem. Bytes that cannot be read are reported
// when the block is.
func (p *blocks) isRight(i int64) bool {
	right := false
	err := p.use(i, func(u *unpacked) error {
		right = !u.broken && u.err == nil && u.over == 0
		return nil
	})
	return err == nil && right
}
