package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varview/bench/savegame"
)

const tableRows = 5_000_000

// A look is a view of a file other than the tree of all values.
type look struct {
	what string
	kind savegame.Kind
	size int64
	keys string // lead to it; after :diff the name of a copy with other values follows
	tour []string
	// begin starts work that takes a while, as the screen says; presses count until it is done. It is
	// started again for further presses.
	begin, lasts string
}

// looks measures key presses as keys does, in the tree with a filter on and with what differs from another file, and in a table
// of five million rows, as it is and sorted.
func looks(ctx context.Context, b *bench) ([]row, error) {
	tableTour := strings.Fields("j j l k h ctrl+d ctrl+d ctrl+u k G k k ctrl+u g")
	diffTour := strings.Fields("c c c C j k ctrl+d ctrl+d ctrl+u k G k g")
	rowTour := strings.Fields("j j k ctrl+d ctrl+d ctrl+u k G k k ctrl+u g")
	tableSize := int64(tableRows * savegame.RowBytes)
	if b.size < tableSize {
		tableSize = b.size
	}
	var rows []row
	for _, k := range []look{
		{what: "filter note", kind: savegame.Mixed, size: b.size, keys: "&note\rg", tour: treeTour},
		{what: "filter note", kind: savegame.MixedRaw, size: b.size, keys: "&note\rg", tour: treeTour},
		{what: "differences", kind: savegame.Mixed, size: b.size, keys: compares, tour: diffTour},
		{what: "table", kind: savegame.Rows, size: tableSize, keys: "t", tour: tableTour},
		{what: "table by hp", kind: savegame.Rows, size: tableSize, keys: "tllshh", tour: tableTour},
		{what: "table while it is sorted", kind: savegame.Rows, size: tableSize, keys: "tll", tour: rowTour, begin: "gs", lasts: "sorting and filtering"},
	} {
		path, err := b.file(k.kind, savegame.Godot4, k.size)
		if err != nil {
			return rows, err
		}
		if k.keys == compares {
			other := filepath.Join(b.dir, "other.dat")
			if err := b.change(ctx, k.kind, path, other, 1000); err != nil {
				return rows, err
			}
			defer os.Remove(other)
			k.keys = compares + other + "\r"
		}
		t, err := b.openTerminal(ctx, 200, 60, path)
		if err != nil {
			return rows, err
		}
		watch := watchMemory(t.cmd.Process.Pid)
		l, err := b.latencies(t, k.keys, k.presses(b.presses))
		if err == nil && k.begin != "" {
			err = l.while(t, k, b.presses)
		}
		most := watch.highest()
		t.close()
		if err != nil {
			return rows, fmt.Errorf("%s in %s: %w", k.what, path, err)
		}
		r := l.row(fmt.Sprintf("key in %s, %s %s", k.what, savegame.FormatSize(k.size), k.kind))
		r.budget += ", ≤ " + mebibytes(memoryBudget)
		r.notes = append(r.notes, "private memory "+mebibytes(most))
		if k.begin != "" && len(l.took)+len(l.missing) == 0 {
			r.verdict = skipped
			r.notes = append(r.notes, "it was done before a key was pressed")
		}
		if most > memoryBudget {
			r.verdict = over
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// compares is typed before the name of the other file.
const compares = ":diff "

// presses are tours of about n keys; none if they count only during some work.
func (k look) presses(n int) []string {
	if k.begin != "" {
		return nil
	}
	return slices.Concat(slices.Repeat([][]string{k.tour}, max(1, n/len(k.tour)))...)
}

// mostBegun is how often work is started for the presses: it may be done within a few of them.
const mostBegun = 40

// while starts the work of a look and presses keys until the screen no longer says that it is running,
// again and again until there are n presses.
func (l *latencies) while(t *terminal, k look, n int) error {
	phase := rand.New(rand.NewPCG(1, 1))
	for begun := 0; begun < mostBegun && len(l.took)+len(l.missing) < n; begun++ {
		t.enter(k.begin)
		if err := t.rest(30 * time.Millisecond); err != nil {
			return err
		}
		for i := 0; strings.Contains(t.screen.text(), k.lasts); i++ {
			if err := l.press(t, k.tour[i%len(k.tour)], phase); err != nil {
				return err
			}
		}
		if _, err := t.idle(90 * time.Second); err != nil {
			return err
		}
	}
	return nil
}
