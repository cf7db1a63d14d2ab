package main

import (
	"context"
	"fmt"
	"time"

	"varview/bench/savegame"
)

// Limits of the first frame: a ratio and a distance between the large file and the small one.
const (
	frameRatio    = 1.5
	frameDistance = 100 * time.Millisecond
)

// firstFrames opens large and small files in turn and compares the times from exec to the first full frame.
func firstFrames(ctx context.Context, b *bench) ([]row, error) {
	const small = 1 << 10
	kinds := []savegame.Kind{savegame.Stream, savegame.Raw}
	took := map[string][]time.Duration{}
	paths := map[savegame.Kind][2]string{}
	for _, kind := range kinds {
		var pair [2]string
		for i, size := range []int64{b.size, small} {
			path, err := b.file(kind, savegame.Godot4, size)
			if err != nil {
				return nil, err
			}
			if err := warm(path); err != nil {
				return nil, err
			}
			pair[i] = path
		}
		paths[kind] = pair
	}
	for range b.frames {
		for _, kind := range kinds {
			for _, path := range paths[kind] {
				d, err := b.firstFrame(ctx, path)
				if err != nil {
					return nil, fmt.Errorf("first frame of %s: %w", path, err)
				}
				took[path] = append(took[path], d)
			}
		}
	}
	var rows []row
	for _, kind := range kinds {
		large, little := median(took[paths[kind][0]]), median(took[paths[kind][1]])
		ratio := float64(large) / float64(little)
		rows = append(rows, row{
			what:    fmt.Sprintf("first frame, %s %s", savegame.FormatSize(b.size), kind),
			ours:    milliseconds(large),
			peer:    fmt.Sprintf("%s file %s", savegame.FormatSize(small), milliseconds(little)),
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
