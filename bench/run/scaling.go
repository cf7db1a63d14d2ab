package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"varview/bench/savegame"
)

// scaling runs check with one processor, two, four and so on, up to all of them.
func scaling(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range mixedKinds {
		r, err := b.scalingRows(ctx, kind)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

// scalingRows returns a row for each number of processors; below the last one is a chart of all.
func (b *bench) scalingRows(ctx context.Context, kind savegame.Kind) ([]row, error) {
	path, err := b.file(kind, savegame.Godot4, b.size)
	if err != nil {
		return nil, err
	}
	counts := processorCounts(runtime.NumCPU())
	var measure []func() (time.Duration, error)
	for _, n := range counts {
		limited := *b
		limited.env = append(slices.Clone(b.env), fmt.Sprintf("GOMAXPROCS=%d", n))
		measure = append(measure, limited.program(ctx, "check", path))
	}
	took, err := b.inTurn(measure...)
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, n := range counts {
		r := row{
			what:    fmt.Sprintf("check with %d of %d processors, %s", n, runtime.NumCPU(), kind),
			ours:    timeAndSpeed(b.size, took[i]),
			verdict: none,
		}
		r.compare("one", b.size, took[i], took[0])
		rows = append(rows, r)
	}
	rows[len(rows)-1].notes = chart(counts, took, b.size)
	return rows, nil
}

// processorCounts returns the powers of two below the number of processors, and that number.
func processorCounts(all int) (counts []int) {
	for n := 1; n < all; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, all)
}

// chart returns a bar for each speed; the longest belongs to the highest.
func chart(counts []int, took []time.Duration, size int64) (lines []string) {
	const longest = 40
	shortest := slices.Min(took)
	for i, n := range counts {
		bar := max(int(longest*float64(shortest)/float64(took[i])+0.5), 1)
		lines = append(lines, fmt.Sprintf("%3d  %-*s  %.0f MB/s", n, longest, strings.Repeat("█", bar), speed(size, took[i])))
	}
	return lines
}
