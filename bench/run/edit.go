package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varview/bench/savegame"
)

const (
	editBudget = 50 * time.Millisecond
	saveBudget = 2.0 // times the peer

	// wide does not fit the 32 bits of the values that are set to it, so that the
	// edit moves everything after them.
	wide = "5000000000"
)

// edits measures the time of an edit and of a save of a large file.
func edits(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range mixedKinds {
		path, err := b.file(kind, savegame.Godot4, b.size)
		if err != nil {
			return rows, err
		}
		count, err := countValues(kind, path)
		if err != nil {
			return rows, err
		}
		r, err := b.editRow(ctx, kind, path, count)
		if err != nil {
			return rows, fmt.Errorf("edits in %s: %w", path, err)
		}
		rows = append(rows, r)
		if r, err = b.saveRow(ctx, kind, path); err != nil {
			return rows, fmt.Errorf("saving %s: %w", path, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// countValues returns the number of frames, or of elements of the Array, of a file that the bench wrote itself.
func countValues(kind savegame.Kind, path string) (count int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if kind == savegame.MixedRaw {
		var root struct{ Header, Count uint32 }
		err = binary.Read(f, binary.LittleEndian, &root)
		return int(root.Count), err
	}
	var length [4]byte
	for at := int64(0); ; count++ {
		if _, err := f.ReadAt(length[:], at); err == io.EOF {
			return count, nil
		} else if err != nil {
			return 0, err
		}
		at += 4 + int64(binary.LittleEndian.Uint32(length[:]))
	}
}

// framePath is the path of a small int in the last record up to value i.
func framePath(i int) string {
	return fmt.Sprintf("$[%d].frame", i-i%savegame.RecordEvery)
}

// editRow measures edits that move everything after them, and their undo, at the
// start, in the middle and at the end.
func (b *bench) editRow(ctx context.Context, kind savegame.Kind, path string, count int) (row, error) {
	t, err := b.openTerminal(ctx, 200, 60, path)
	if err != nil {
		return row{}, err
	}
	defer t.close()
	if _, err := t.firstFrame(); err != nil {
		return row{}, err
	}
	if _, err := t.idle(2 * time.Minute); err != nil {
		return row{}, err
	}
	var edited, undone []time.Duration
	for range b.checks {
		for _, i := range []int{0, count / 2, count - 2} {
			if err := b.goTo(t, framePath(i)); err != nil {
				return row{}, err
			}
			t.enter(":set " + wide)
			took, err := b.frameAfter(t, "\r", true)
			if err != nil {
				return row{}, err
			}
			edited = append(edited, took)
			if took, err = b.frameAfter(t, "u", false); err != nil {
				return row{}, err
			}
			undone = append(undone, took)
		}
	}
	b.show(t, "all edits")
	worst := max(percentile(edited, 1), percentile(undone, 1))
	return row{
		what:    fmt.Sprintf("edit to its frame, %s %s", savegame.FormatSize(b.size), kind),
		ours:    fmt.Sprintf("median %s, max %s", milliseconds(median(edited)), milliseconds(percentile(edited, 1))),
		peer:    fmt.Sprintf("undo %s, max %s", milliseconds(median(undone)), milliseconds(percentile(undone, 1))),
		ratio:   times(float64(worst) / float64(editBudget)),
		budget:  fmt.Sprintf("≤ %v each", editBudget),
		verdict: within(worst <= editBudget),
	}, nil
}

// goTo selects a value and waits until the program rests.
func (b *bench) goTo(t *terminal, path string) error {
	t.enter(":goto " + path)
	t.send("\r")
	_, err := t.idle(time.Minute)
	return err
}

// frameAfter returns the time from a key to the first byte of its frame, which must
// show the file as modified or not.
func (b *bench) frameAfter(t *terminal, key string, modified bool) (time.Duration, error) {
	if err := t.quiet(100*time.Millisecond, 20*time.Second); err != nil {
		return 0, err
	}
	pressed := t.send(key)
	frame, err := t.burst(keyLimit)
	if err != nil {
		return 0, fmt.Errorf("after %q: %w; the screen shows:\n%s", key, err, t.screen.summary())
	}
	if _, err := t.idle(time.Minute); err != nil {
		return 0, err
	}
	if strings.Contains(t.screen.text(), "modified") != modified {
		return 0, fmt.Errorf("after %q modified should be %v; the screen shows:\n%s", key, modified, t.screen.summary())
	}
	return frame.first.Sub(pressed), nil
}

// saveRow compares a save that moves every byte with cp and sync of the file.
func (b *bench) saveRow(ctx context.Context, kind savegame.Kind, path string) (row, error) {
	dir, err := os.MkdirTemp(b.dir, "save-*")
	if err != nil {
		return row{}, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out.dat")
	took, err := b.inTurn(func() (time.Duration, error) {
		defer os.Remove(out)
		return b.command(ctx, b.bin, "set", path, framePath(0)+"="+wide, "-o", out)
	}, func() (time.Duration, error) {
		defer os.Remove(out)
		return b.command(ctx, "sh", "-c", `cp "$1" "$2" && sync "$2"`, "sh", path, out)
	})
	if err != nil {
		return row{}, err
	}
	mine, peer := took[0], took[1]
	r := row{
		what:    fmt.Sprintf("set and save, %s %s", savegame.FormatSize(b.size), kind),
		ours:    timeAndSpeed(b.size, mine),
		budget:  fmt.Sprintf("≤ %.0f× cp and sync", saveBudget),
		verdict: within(float64(mine) <= saveBudget*float64(peer)),
	}
	r.compare("cp and sync", b.size, mine, peer)
	return r, nil
}
