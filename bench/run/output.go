package main

import (
	"context"
	"fmt"
	"strings"

	"varview/bench/savegame"
)

const (
	outputBudget = 100 // MB/s

	// Of the large input against the small: constant memory but for the collector's moods.
	memoryGrowth   = 1.5
	memoryDistance = 16 << 20
)

// outputs reads what dump and export write and compares their memory with a small and a large input.
func outputs(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, args := range [][]string{{"dump"}, {"dump", "--json"}, {"export"}, {"export", "--text"}} {
		var o [2]output
		for i, size := range b.outputs {
			path, err := b.file(savegame.Stream, savegame.Godot4, size)
			if err != nil {
				return rows, err
			}
			if err := warm(path); err != nil {
				return rows, err
			}
			if o[i], err = b.pipe(ctx, b.outputTime, b.bin, append(args, path)...); err != nil {
				return rows, err
			}
			if o[i].bytes < size/10 {
				return rows, fmt.Errorf("%s %s wrote only %d bytes", strings.Join(args, " "), path, o[i].bytes)
			}
		}
		rows = append(rows, b.outputRows(strings.Join(args, " "), o[0], o[1])...)
	}
	return rows, nil
}

func (b *bench) outputRows(command string, small, large output) []row {
	sizes := [2]string{savegame.FormatSize(b.outputs[0]), savegame.FormatSize(b.outputs[1])}
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
