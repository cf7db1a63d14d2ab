package main

import (
	"context"
	"fmt"
	"time"

	"varview/bench/savegame"
)

// Limits of the first frame: a ratio and a difference between the large file and
// the small one.
const (
	frameRatio    = 1.5
	frameDistance = 100 * time.Millisecond
)

// firstFrames compares large Godot files with small ones.
func firstFrames(ctx context.Context, b *bench) ([]row, error) {
	var pairs []framePair
	for _, kind := range mixedKinds {
		pair, err := b.framePair(kind, savegame.Godot4, b.size)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair)
	}
	return b.frameRows(ctx, pairs)
}

// A framePair is a large file and a small one of the same kind.
type framePair struct {
	what          string
	large, little string // paths
}

const littleFile = 1 << 10

// framePair finds or writes the two files, and reads them once.
func (b *bench) framePair(kind savegame.Kind, dialect savegame.Dialect, size int64) (framePair, error) {
	pair := framePair{what: fmt.Sprintf("%s %s", savegame.FormatSize(size), kind)}
	var err error
	if pair.large, err = b.file(kind, dialect, size); err != nil {
		return pair, err
	}
	if pair.little, err = b.file(kind, dialect, littleFile); err != nil {
		return pair, err
	}
	return pair, nil
}

// frameRows opens all files in turn and compares the times from exec to the first full frame.
func (b *bench) frameRows(ctx context.Context, pairs []framePair) ([]row, error) {
	took := map[string][]time.Duration{}
	for range b.frames {
		for _, pair := range pairs {
			for _, path := range []string{pair.large, pair.little} {
				d, err := b.firstFrame(ctx, path)
				if err != nil {
					return nil, fmt.Errorf("first frame of %s: %w", path, err)
				}
				took[path] = append(took[path], d)
			}
		}
	}
	var rows []row
	for _, pair := range pairs {
		large, little := median(took[pair.large]), median(took[pair.little])
		ratio := float64(large) / float64(little)
		rows = append(rows, row{
			what:    "first frame, " + pair.what,
			ours:    milliseconds(large),
			peer:    fmt.Sprintf("%s file %s", savegame.FormatSize(littleFile), milliseconds(little)),
			ratio:   times(ratio),
			budget:  fmt.Sprintf("≤ %.1f×, ≤ %v apart", frameRatio, frameDistance),
			verdict: within(ratio <= frameRatio && large-little <= frameDistance),
		})
	}
	return rows, nil
}

func (b *bench) firstFrame(ctx context.Context, path string) (time.Duration, error) {
	t, err := b.openTerminal(ctx, 80, 24, path)
	if err != nil {
		return 0, err
	}
	defer t.close()
	return t.firstFrame()
}
