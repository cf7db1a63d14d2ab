package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"varview/bench/savegame"
)

const memoryBudget = 128 << 20

// memory drives the program through a large file and records its highest private memory.
func memory(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range mixedKinds {
		r, err := b.memoryOfKind(ctx, kind, b.size)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// memoryOfKind assumes that the middle of the values is at half of size.
func (b *bench) memoryOfKind(ctx context.Context, kind savegame.Kind, size int64) (row, error) {
	path, err := b.file(kind, savegame.Godot4, size)
	if err != nil {
		return row{}, err
	}
	return b.memoryRow(ctx, fmt.Sprintf("%s %s", savegame.FormatSize(size), kind), path, size/2)
}

func (b *bench) memoryRow(ctx context.Context, what, path string, middle int64) (row, error) {
	most, steps, err := b.highestMemory(ctx, path, middle)
	if err != nil {
		return row{}, fmt.Errorf("memory with %s: %w", path, err)
	}
	r := memoryOf("private memory, "+what, most, memoryBudget)
	r.notes = []string{"busy after " + strings.Join(steps, ", ")}
	return r, nil
}

// memoryOf returns the row of the highest private memory, against a budget in bytes.
func memoryOf(what string, most, budget int64) row {
	return row{
		what:    what,
		ours:    mebibytes(most),
		ratio:   times(float64(most) / float64(budget)),
		budget:  "≤ " + mebibytes(budget),
		verdict: within(most <= budget),
	}
}

// highestMemory also returns how long the program worked after each step.
func (b *bench) highestMemory(ctx context.Context, path string, middle int64) (most int64, steps []string, err error) {
	t, err := b.openTerminal(ctx, 80, 24, path)
	if err != nil {
		return 0, nil, err
	}
	defer t.close()
	watch := watchMemory(t.cmd.Process.Pid)
	defer func() { most = watch.highest() }()
	if _, err := t.firstFrame(); err != nil {
		return 0, nil, err
	}
	for _, step := range []struct{ name, keys string }{
		{"opening", ""},
		{"G", "G"},
		{"goto the middle", fmt.Sprintf(":goto 0x%x\r", middle)},
		{"search", "/zzzznotthere\r"},
	} {
		before := t.screen.text()
		t.enter(step.keys)
		took, err := t.idle(90 * time.Second)
		if err != nil {
			return 0, nil, fmt.Errorf("after %s: %w", step.name, err)
		}
		if step.keys != "" && t.screen.text() == before {
			return 0, nil, fmt.Errorf("%s changed nothing on the screen:\n%s", step.name, t.screen.summary())
		}
		steps = append(steps, fmt.Sprintf("%s %.1f s", step.name, took.Seconds()))
		b.show(t, step.name)
	}
	return 0, steps, nil
}

// show prints the screen with -v.
func (b *bench) show(t *terminal, after string) {
	if b.verbose {
		fmt.Fprintf(b.log, "--- after %s\n%s\n", after, t.screen.text())
	}
}
