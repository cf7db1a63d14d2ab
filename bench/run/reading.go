package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"varview/bench/savegame"
)

// Tours for a file that is still being read. Each key changes the text of the screen, not only its
// colours, and none leads to what has not been read. At 200×60 there are three panes, and a tour returns
// to the first.
var readingTours = [][]string{
	strings.Fields("j j l j k h ctrl+d ctrl+d ctrl+u k k g"),
	strings.Fields("tab j j k ctrl+d ctrl+d ctrl+u g tab tab"),
}

// mostOpenings is how often a file is opened for the presses: reading may be done within a few of them.
const mostOpenings = 40

// keysWhileReading measures key presses as keys does, but only until the program has read the file. Its progress is drawn all
// the time, so the frame of a key is the first output that changes anything below the first line.
func keysWhileReading(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range mixedKinds {
		path, err := b.file(kind, savegame.Godot4, b.size)
		if err != nil {
			return rows, err
		}
		r, err := b.readingRow(ctx, fmt.Sprintf("%s %s", savegame.FormatSize(b.size), kind), path)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (b *bench) readingRow(ctx context.Context, what, path string) (row, error) {
	var l latencies
	phase := rand.New(rand.NewPCG(1, 1))
	openings := 0
	for openings < mostOpenings && len(l.took)+len(l.missing) < b.presses {
		if err := b.pressWhileReading(ctx, path, readingTours[openings%len(readingTours)], phase, &l); err != nil {
			return row{}, fmt.Errorf("keys while %s is read: %w", path, err)
		}
		openings++
	}
	r := l.row("key while reading, " + what)
	if len(l.took)+len(l.missing) == 0 {
		r.verdict = skipped
	}
	r.notes = append(r.notes, fmt.Sprintf("%d presses; the file was opened %d times", len(l.took), openings))
	return r, nil
}

// shareDone matches the progress in the first line.
var shareDone = regexp.MustCompile(`\d%`)

// belowFirst returns the lines of the screen below the first.
func belowFirst(s *screen) string {
	_, below, _ := strings.Cut(s.text(), "\n")
	return below
}

// pressWhileReading opens the file and repeats a tour until the file has been read or a press is missing.
func (b *bench) pressWhileReading(ctx context.Context, path string, tour []string, phase *rand.Rand, l *latencies) error {
	t, err := b.openTerminal(ctx, 200, 60, path)
	if err != nil {
		return err
	}
	defer t.close()
	if _, err := t.shows(showsFirst, firstFrameLimit); err != nil {
		return err
	}
	for i := 0; ; i++ {
		if err := t.rest(30*time.Millisecond + time.Duration(phase.IntN(34_000))*time.Microsecond); err != nil {
			return err
		}
		if line, _, _ := strings.Cut(t.screen.text(), "\n"); !shareDone.MatchString(line) {
			return nil
		}
		if seen, err := l.pressFor(t, tour[i%len(tour)], belowFirst); !seen || err != nil { // the tour is out of step now
			return err
		}
	}
}

// pressFor presses a key and adds the time until a part of the screen changes, or notes that it has not.
func (l *latencies) pressFor(t *terminal, key string, part func(*screen) string) (seen bool, err error) {
	before := part(t.screen)
	pressed := t.send(bytesOf(key))
	at, err := t.changes(part, before, keyLimit)
	switch {
	case err == errSilent:
		l.missing = append(l.missing, key)
		return false, nil
	case err != nil:
		return false, err
	}
	l.add(key, at.Sub(pressed))
	return true, nil
}

// changes returns when output first changes a part of the screen.
func (t *terminal) changes(part func(*screen) string, before string, limit time.Duration) (time.Time, error) {
	for end := time.Now().Add(limit); ; {
		at, err := t.next(time.Until(end))
		if err != nil || part(t.screen) != before {
			return at, err
		}
	}
}
