package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"varview/bench/savegame"
)

const (
	outputBudget = 150 // MB/s

	// Largest difference between the large and the small input that still counts as constant memory: the
	// garbage collector varies.
	memoryGrowth   = 1.5
	memoryDistance = 16 << 20
)

// outputs measures dump, export and convert of Godot files.
func outputs(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, args := range [][]string{{"dump"}, {"dump", "--json"}, {"export"}, {"export", "--text"}} {
		r, err := b.outputOf(ctx, args, savegame.Mixed, savegame.Godot4, b.outputs)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r...)
	}
	r, err := b.outputOf(ctx, []string{"convert", "--to", "godot4", "-o", "-"}, savegame.Mixed, savegame.Godot3, b.outputs)
	return append(rows, r...), err
}

// outputOf measures a command's output for a small and a large input, and compares its memory.
func (b *bench) outputOf(ctx context.Context, args []string, kind savegame.Kind, dialect savegame.Dialect, sizes [2]int64) ([]row, error) {
	var o [2]output
	for i, size := range sizes {
		path, err := b.file(kind, dialect, size)
		if err != nil {
			return nil, err
		}
		if o[i], err = b.pipe(ctx, b.outputTime, b.bin, slices.Concat(args, []string{path})...); err != nil {
			return nil, err
		}
		if o[i].bytes < size/10 {
			return nil, fmt.Errorf("%s %s wrote only %d bytes", strings.Join(args, " "), path, o[i].bytes)
		}
	}
	return b.outputRows(strings.Join(args, " "), sizes, o[0], o[1]), nil
}

func (b *bench) outputRows(command string, inputs [2]int64, small, large output) []row {
	sizes := [2]string{savegame.FormatSize(inputs[0]), savegame.FormatSize(inputs[1])}
	rate := speed(large.bytes, large.took)
	growth := float64(large.memory) / float64(max(small.memory, 1))
	written := row{
		what:    fmt.Sprintf("%s, %s", command, sizes[1]),
		ours:    fmt.Sprintf("%.0f MB/s", rate),
		peer:    fmt.Sprintf("%s input %.0f MB/s", sizes[0], speed(small.bytes, small.took)),
		ratio:   times(rate / outputBudget),
		budget:  fmt.Sprintf("≥ %d MB/s", outputBudget),
		verdict: within(rate >= outputBudget),
	}
	if large.cut {
		written.notes = []string{fmt.Sprintf("its first %.0f MB, in %v", float64(large.bytes)/1e6, b.outputTime)}
	}
	return []row{written, {
		what:    "  memory meanwhile",
		ours:    mebibytes(large.memory),
		peer:    fmt.Sprintf("%s input %s", sizes[0], mebibytes(small.memory)),
		ratio:   times(growth),
		budget:  fmt.Sprintf("≤ %.1f× or +%d MiB", memoryGrowth, memoryDistance>>20),
		verdict: within(growth <= memoryGrowth || large.memory-small.memory <= memoryDistance),
	}}
}
