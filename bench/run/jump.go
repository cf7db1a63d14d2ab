package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"varview/bench/savegame"
)

// A jump is a command typed as soon as the first values are shown, while the program still reads the
// file.
type jump struct {
	what    string
	kind    savegame.Kind
	keys    string
	arrived func(*screen) bool
	budget  time.Duration
}

const jumpLimit = time.Minute

// jumps measures the time from the last key of a jump to the frame that shows its destination.
func jumps(ctx context.Context, b *bench) ([]row, error) {
	middle := b.size / 2
	var rows []row
	for _, j := range []jump{
		{"G", savegame.Mixed, "G", showsLast, 300 * time.Millisecond},
		{"goto the middle", savegame.Mixed, fmt.Sprintf(":goto 0x%x\r", middle), showsOffset(middle), time.Second},
		{"G", savegame.MixedRaw, "G", showsLast, 2 * time.Second},
	} {
		path, err := b.file(j.kind, savegame.Godot4, b.size)
		if err != nil {
			return rows, err
		}
		var took []time.Duration
		for range b.checks {
			d, err := b.jump(ctx, path, j)
			if err != nil {
				return rows, fmt.Errorf("%s in %s: %w", j.what, path, err)
			}
			took = append(took, d)
		}
		d := median(took)
		rows = append(rows, row{
			what:    fmt.Sprintf("%s after opening, %s %s", j.what, savegame.FormatSize(b.size), j.kind),
			ours:    milliseconds(d),
			ratio:   times(float64(d) / float64(j.budget)),
			budget:  fmt.Sprintf("≤ %v", j.budget),
			verdict: within(d <= j.budget),
		})
	}
	return rows, nil
}

func (b *bench) jump(ctx context.Context, path string, j jump) (time.Duration, error) {
	t, err := b.openTerminal(ctx, 120, 40, path)
	if err != nil {
		return 0, err
	}
	defer t.close()
	if _, err := t.shows(showsFirst, firstFrameLimit); err != nil {
		return 0, err
	}
	last := len(j.keys) - 1
	t.enter(j.keys[:last])
	pressed := t.send(j.keys[last:])
	at, err := t.shows(j.arrived, jumpLimit)
	b.show(t, j.what)
	return at.Sub(pressed), err
}

// showsFirst reports whether the first value of a file is on the screen.
func showsFirst(s *screen) bool {
	return strings.Contains(s.text(), "[0]")
}

// showsLast reports whether the last value is on the screen. The quotes are only in the tree, not in the
// bytes.
func showsLast(s *screen) bool {
	return strings.Contains(s.text(), strconv.Quote(savegame.LastText))
}

// shownRange matches the place of the selected value on the screen.
var shownRange = regexp.MustCompile(`0x([0-9a-f]+)–0x([0-9a-f]+)`)

// nearby is the largest length of a value that counts as the destination of a jump: a frame around it may
// be much larger.
const nearby = 1 << 20

// showsOffset returns a function that reports whether the value at an offset is selected.
func showsOffset(offset int64) func(*screen) bool {
	return func(s *screen) bool {
		for _, m := range shownRange.FindAllStringSubmatch(s.text(), -1) {
			first, _ := strconv.ParseInt(m[1], 16, 64)
			last, _ := strconv.ParseInt(m[2], 16, 64)
			if first <= offset && offset <= last && last-first < nearby {
				return true
			}
		}
		return false
	}
}

const searchBudget = 1000 // MB/s

// search measures the time from the enter of a search for a missing text to the frame that says so, in a
// file that has been read.
func search(ctx context.Context, b *bench) ([]row, error) {
	path, err := b.file(savegame.Mixed, savegame.Godot4, b.size)
	if err != nil {
		return nil, err
	}
	t, err := b.openTerminal(ctx, 120, 40, path)
	if err != nil {
		return nil, err
	}
	defer t.close()
	if _, err := t.firstFrame(); err != nil {
		return nil, err
	}
	if _, err := t.idle(2 * time.Minute); err != nil {
		return nil, err
	}
	var took []time.Duration
	for i := range b.checks {
		// A new text each time, so that no earlier result helps.
		t.enter(fmt.Sprintf("/zzzznot%dthere", i))
		pressed := t.send("\r")
		at, err := t.shows(saysNotFound(i), time.Minute)
		if err != nil {
			return nil, err
		}
		took = append(took, at.Sub(pressed))
	}
	b.show(t, "search")
	d := median(took)
	rate := speed(b.size, d)
	return []row{{
		what:    fmt.Sprintf("search in vain, %s %s", savegame.FormatSize(b.size), savegame.Mixed),
		ours:    timeAndSpeed(b.size, d),
		ratio:   times(rate / searchBudget),
		budget:  fmt.Sprintf("≥ %d MB/s", searchBudget),
		verdict: within(rate >= searchBudget),
	}}, nil
}

func saysNotFound(i int) func(*screen) bool {
	return func(s *screen) bool {
		return strings.Contains(s.text(), fmt.Sprintf("not found: zzzznot%dthere", i))
	}
}
