package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"varview/bench/savegame"
)

const (
	diffBudget       = 3.0 // times check of both files
	diffMemoryBudget = 256 << 20
	diffChanges      = 10
)

// diffs compares `varview diff` of two large files with ten changes, half of which move what follows, with check of both.
func diffs(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range []savegame.Kind{savegame.Mixed, savegame.MixedRaw} {
		r, err := b.diffRows(ctx, kind)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

func (b *bench) diffRows(ctx context.Context, kind savegame.Kind) ([]row, error) {
	path, err := b.file(kind, savegame.Godot4, b.size)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(b.dir, "diff-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	other := filepath.Join(dir, "other.dat")
	if err := b.change(ctx, kind, path, other, diffChanges); err != nil {
		return nil, err
	}
	for _, name := range []string{path, other} {
		if err := warm(name); err != nil {
			return nil, err
		}
	}
	var memory int64
	took, err := b.inTurn(func() (time.Duration, error) {
		o, err := b.pipe(ctx, 0, b.bin, "diff", path, other)
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 { // they differ
			err = nil
		}
		memory = max(memory, o.memory)
		return o.took, err
	}, func() (time.Duration, error) { return b.command(ctx, b.bin, "check", path, other) })
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d changes, %s %s", diffChanges, savegame.FormatSize(b.size), kind)
	speed := row{
		what:    "diff, " + what,
		ours:    timeAndSpeed(2*b.size, took[0]),
		budget:  fmt.Sprintf("≤ %.0f× check of both", diffBudget),
		verdict: within(float64(took[0]) <= diffBudget*float64(took[1])),
	}
	speed.compare("check of both", 2*b.size, took[0], took[1])
	return []row{speed, memoryOf("diff's private memory, "+what, memory, diffMemoryBudget)}, nil
}

// change writes a copy of a file with other numbers in n of its values.
func (b *bench) change(ctx context.Context, kind savegame.Kind, path, other string, n int) error {
	count, err := countValues(kind, path)
	if err != nil {
		return err
	}
	args := []string{"set", path, "-o", other}
	for i := range n {
		value := wide
		if i%2 == 0 {
			value = "77"
		}
		args = append(args, framePath(i*(count-2)/(n-1))+"="+value)
	}
	_, err = b.command(ctx, b.bin, args...)
	return err
}
