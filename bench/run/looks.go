package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"varview/bench/savegame"
)

const tableRows = 5_000_000

// A look is another way to look at a file than the tree of all values.
type look struct {
	what string
	kind savegame.Kind
	size int64
	keys string // lead to it
	tour []string
}

// looks measures key presses as keys does, in the tree with a filter on, and in a table of five million rows, as it is and
// sorted.
func looks(ctx context.Context, b *bench) ([]row, error) {
	tableTour := strings.Fields("j j l k h ctrl+d ctrl+d ctrl+u k G k k ctrl+u g")
	// Sorting goes on during about half of the keys that follow s.
	moves := " j j k ctrl+d ctrl+d ctrl+u h l k G k k ctrl+u g"
	sortTour := strings.Fields("s" + strings.Repeat(moves, 4))
	tableSize := int64(tableRows * savegame.RowBytes)
	if b.size < tableSize {
		tableSize = b.size
	}
	var rows []row
	for _, k := range []look{
		{"filter note", savegame.Mixed, b.size, "&note\rg", treeTour},
		{"filter note", savegame.MixedRaw, b.size, "&note\rg", treeTour},
		{"table", savegame.Rows, tableSize, "t", tableTour},
		{"table by hp", savegame.Rows, tableSize, "tllshh", tableTour},
		{"table while it is sorted", savegame.Rows, tableSize, "tll", sortTour},
	} {
		path, err := b.file(k.kind, savegame.Godot4, k.size)
		if err != nil {
			return rows, err
		}
		t, err := b.openTerminal(ctx, 200, 60, path)
		if err != nil {
			return rows, err
		}
		watch := watchMemory(t.cmd.Process.Pid)
		l, err := b.latencies(t, k.keys, slices.Concat(slices.Repeat([][]string{k.tour}, b.presses/len(k.tour))...))
		most := watch.highest()
		t.close()
		if err != nil {
			return rows, fmt.Errorf("%s in %s: %w", k.what, path, err)
		}
		r := l.row(fmt.Sprintf("key in %s, %s %s", k.what, savegame.FormatSize(k.size), k.kind))
		r.budget += ", ≤ " + mebibytes(memoryBudget)
		r.notes = append(r.notes, "private memory "+mebibytes(most))
		if most > memoryBudget {
			r.verdict = over
		}
		rows = append(rows, r)
	}
	return rows, nil
}
