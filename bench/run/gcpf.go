package main

import (
	"context"
	"fmt"

	"varview/bench/savegame"
)

// mostUnpacked is the program's default limit for unpacking.
const mostUnpacked = 1 << 30

// compressed measures with a GCPF, whose size is that of the values in it.
func compressed(ctx context.Context, b *bench) ([]row, error) {
	size := min(b.size, mostUnpacked)
	pair, err := b.framePair(savegame.GCPF, savegame.Godot4, size)
	if err != nil {
		return nil, err
	}
	rows, err := b.frameRows(ctx, []framePair{pair})
	if err != nil {
		return rows, err
	}
	r, err := b.memoryOfKind(ctx, savegame.GCPF, size)
	if err != nil {
		return rows, err
	}
	rows = append(rows, r)
	r, err = b.unpackedRow(ctx, pair.large, size)
	if err != nil {
		return rows, err
	}
	return append(rows, r), nil
}

// unpackedRow measures check, which unpacks every block. The design sets no budget for it.
func (b *bench) unpackedRow(ctx context.Context, path string, size int64) (row, error) {
	if err := b.findsDamage(ctx, path); err != nil {
		return row{}, err
	}
	took, err := b.inTurn(b.program(ctx, "check", path))
	if err != nil {
		return row{}, err
	}
	return row{
		what:    fmt.Sprintf("check, %s %s", savegame.FormatSize(size), savegame.GCPF),
		ours:    timeAndSpeed(size, took[0]),
		verdict: none,
	}, nil
}
