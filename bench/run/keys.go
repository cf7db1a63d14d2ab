package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"varview/bench/savegame"
)

const (
	keyBudget = 16 * time.Millisecond
	keyLimit  = time.Second // a press without output for this long is missing
)

// Tours of keys that each change the screen: at the start both panes are at the
// top, and a tour returns there. In the tree everything is folded except what a
// tour unfolds, and the first frames are Dictionaries.
var (
	treeTour = strings.Fields("j j l j k h ctrl+d ctrl+d ctrl+u k G k k ctrl+u g")
	hexTour  = strings.Fields("j j l l h k ctrl+d ctrl+d ctrl+u G k h k ctrl+u g")
)

var keyBytes = map[string]string{"ctrl+d": "\x04", "ctrl+u": "\x15", "ctrl+r": "\x12", "tab": "\t", "enter": "\r"}

// bytesOf returns what a terminal sends for a key.
func bytesOf(key string) string {
	if b, found := keyBytes[key]; found {
		return b
	}
	return key
}

// presses returns a sequence of about n keys: in the tree, then in the other pane, then changes of pane.
func presses(n int) []string {
	var all []string
	for len(all) < n*55/100 {
		all = append(all, treeTour...)
	}
	all = append(all, "tab")
	for len(all) < n*95/100 {
		all = append(all, hexTour...)
	}
	for len(all) < n {
		all = append(all, "tab")
	}
	return all
}

// keys measures the time from a key press to the first byte of its frame.
func keys(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range mixedKinds {
		path, err := b.file(kind, savegame.Godot4, b.size)
		if err != nil {
			return rows, err
		}
		t, err := b.openTerminal(ctx, 200, 60, path)
		if err != nil {
			return rows, err
		}
		l, err := b.latencies(t, "", presses(b.presses))
		t.close()
		if err != nil {
			return rows, fmt.Errorf("keys in %s: %w", path, err)
		}
		rows = append(rows, l.row(fmt.Sprintf("key to its frame, %s %s", savegame.FormatSize(b.size), kind)))
	}
	return rows, nil
}

// latencies are the times of key presses. Presses in missing gave no output within keyLimit.
type latencies struct {
	took    []time.Duration
	slowest string // the key that took longest
	most    time.Duration
	missing []string
}

// latencies types before, and then presses each key when the program is idle, at a varying time after the
// last frame, so that presses fall everywhere between two render ticks of the program.
func (b *bench) latencies(t *terminal, before string, keys []string) (latencies, error) {
	var l latencies
	if _, err := t.firstFrame(); err != nil {
		return l, err
	}
	if _, err := t.idle(90 * time.Second); err != nil {
		return l, err
	}
	if before != "" {
		t.enter(before)
		if _, err := t.idle(90 * time.Second); err != nil {
			return l, err
		}
	}
	b.show(t, "opening")
	phase := rand.New(rand.NewPCG(1, 1))
	for i, key := range keys {
		if err := l.press(t, key, phase); err != nil {
			return l, fmt.Errorf("press %d: %w", i+1, err)
		}
	}
	b.show(t, "all keys")
	return l, nil
}

// press presses a key and adds the time to the first byte of its frame.
func (l *latencies) press(t *terminal, key string, phase *rand.Rand) error {
	gap := 60*time.Millisecond + time.Duration(phase.IntN(34_000))*time.Microsecond
	if err := t.quiet(gap, 20*time.Second); err != nil {
		return fmt.Errorf("before %s: %w", key, err)
	}
	pressed := t.send(bytesOf(key))
	frame, err := t.burst(keyLimit)
	took := frame.first.Sub(pressed)
	switch {
	case err == errSilent:
		l.missing = append(l.missing, key)
		if len(l.missing) >= 10 && len(l.took) == 0 {
			return fmt.Errorf("ten presses and no output; the screen shows:\n%s", t.screen.summary())
		}
	case err != nil:
		return fmt.Errorf("after %s: %w", key, err)
	case took >= 0: // otherwise it was drawn before the press
		l.add(key, took)
	}
	return nil
}

func (l *latencies) add(key string, took time.Duration) {
	l.took = append(l.took, took)
	if took > l.most {
		l.slowest, l.most = key, took
	}
}

// row has the verdict "over" also if a press is missing: every key of the tours changes the screen.
func (l latencies) row(what string) row {
	r := row{what: what, budget: fmt.Sprintf("p99 ≤ %v, none missing", keyBudget), verdict: failed}
	if len(l.missing) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%d of %d presses gave nothing within %v: %s", len(l.missing),
			len(l.missing)+len(l.took), keyLimit, cut(strings.Join(l.missing, " "), 100)))
	}
	if len(l.took) == 0 {
		return r
	}
	p99 := percentile(l.took, 0.99)
	r.ours = fmt.Sprintf("p50 %s, p99 %s", milliseconds(percentile(l.took, 0.5)), milliseconds(p99))
	r.peer = fmt.Sprintf("max %s (%s)", milliseconds(l.most), l.slowest)
	r.ratio = times(float64(p99) / float64(keyBudget))
	r.verdict = within(p99 <= keyBudget && len(l.missing) == 0)
	return r
}
