package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"varview/bench/savegame"
)

// Of check against Godot's bytes2var, as a factor of speed.
const (
	godotBudget = 6.0
	godotGoal   = 20.0
)

// check compares `varview check` with sha1sum, which reads the same bytes and understands none, and with Godot 3.
func check(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, f := range []struct {
		kind    savegame.Kind
		dialect savegame.Dialect
		size    int64
	}{
		{savegame.Stream, savegame.Godot4, b.size},
		{savegame.Dict, savegame.Godot4, b.dict},
		{savegame.Dict, savegame.Godot3, b.dict},
	} {
		path, err := b.file(f.kind, f.dialect, f.size)
		if err != nil {
			return rows, err
		}
		r, err := b.checkRow(ctx, path, f.size)
		if err != nil {
			return rows, err
		}
		r.what = fmt.Sprintf("check, %s %s %s", savegame.FormatSize(f.size), f.dialect, f.kind)
		rows = append(rows, r)
	}
	r, err := b.godotRow(ctx)
	if err != nil {
		return rows, err
	}
	return append(rows, r), nil
}

// checkRow runs check and sha1sum of one file in turn. The design sets no budget for it.
func (b *bench) checkRow(ctx context.Context, path string, size int64) (row, error) {
	ours, theirs, err := b.withSum(ctx, path)
	if err != nil {
		return row{}, err
	}
	r := row{ours: timeAndSpeed(size, ours), verdict: none}
	r.compare(sumProgram, size, ours, theirs)
	return r, nil
}

// compare names the peer and its time for the same bytes, which is 0 where it is not installed.
func (r *row) compare(peer string, size int64, ours, theirs time.Duration) {
	if theirs == 0 {
		r.notes = append(r.notes, peer+" is not installed")
		return
	}
	r.peer = peer + " " + timeAndSpeed(size, theirs)
	r.ratio = times(float64(ours) / float64(theirs))
}

const sumProgram = "sha1sum"

// withSum returns the time of check and that of sha1sum, 0 where sha1sum is not
// installed.
func (b *bench) withSum(ctx context.Context, path string) (ours, theirs time.Duration, err error) {
	var peer func() (time.Duration, error)
	if _, err := exec.LookPath(sumProgram); err == nil {
		peer = func() (time.Duration, error) { return b.command(ctx, sumProgram, path) }
	}
	return b.withPeer(ctx, path, peer)
}

// withPeer runs check and a peer, if there is one, in turn, and returns the medians of their times.
func (b *bench) withPeer(ctx context.Context, path string, peer func() (time.Duration, error)) (ours, theirs time.Duration, err error) {
	if err := warm(path); err != nil {
		return 0, 0, err
	}
	var mine, others []time.Duration
	for range b.checks {
		d, err := b.command(ctx, b.bin, "check", path)
		if err != nil {
			return 0, 0, fmt.Errorf("a generated file has no problems, but %w", err)
		}
		mine = append(mine, d)
		if peer == nil {
			continue
		}
		if d, err = peer(); err != nil {
			return 0, 0, err
		}
		others = append(others, d)
	}
	if peer == nil {
		return median(mine), 0, nil
	}
	return median(mine), median(others), nil
}

// godotRow compares all of `varview check`, its start included, with bytes2var
// alone.
func (b *bench) godotRow(ctx context.Context) (row, error) {
	r := row{
		what:   fmt.Sprintf("check against Godot, %s dict", savegame.FormatSize(b.dict)),
		budget: fmt.Sprintf("≥ %.0f× faster (goal %.0f×)", godotBudget, godotGoal),
	}
	engine, err := exec.LookPath(godotProgram)
	if err != nil {
		r.verdict, r.notes = skipped, []string{godotProgram + " is not installed (Debian: apt-get install godot3-server)"}
		return r, nil
	}
	path, err := b.file(savegame.Dict, savegame.Godot3, b.dict)
	if err != nil {
		return r, err
	}
	if err := b.findsDamage(ctx, path); err != nil {
		return r, err
	}
	if err := warm(path); err != nil {
		return r, err
	}
	var ours, theirs []time.Duration
	for range min(b.checks, 3) {
		d, err := b.command(ctx, b.bin, "check", path)
		if err != nil {
			return r, err
		}
		ours = append(ours, d)
		if d, err = bytes2var(ctx, engine, path); err != nil {
			return r, err
		}
		theirs = append(theirs, d)
	}
	mine, engines := median(ours), median(theirs)
	ratio := float64(engines) / float64(mine)
	r.ours = timeAndSpeed(b.dict, mine)
	r.peer = "bytes2var " + timeAndSpeed(b.dict, engines)
	r.ratio = times(ratio)
	r.verdict = within(ratio >= godotBudget)
	if ratio >= godotBudget && ratio < godotGoal {
		r.notes = []string{"within the budget, short of the goal"}
	}
	return r, nil
}

// findsDamage checks a copy without its last bytes, so that the speed of a check
// that finds nothing does not count.
func (b *bench) findsDamage(ctx context.Context, path string) error {
	whole, err := os.Open(path)
	if err != nil {
		return err
	}
	defer whole.Close()
	st, err := whole.Stat()
	if err != nil {
		return err
	}
	damaged := filepath.Join(b.dir, "damaged.tmp")
	defer os.Remove(damaged)
	f, err := os.Create(damaged)
	if err != nil {
		return err
	}
	_, err = io.CopyN(f, whole, st.Size()-8)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	_, err = b.finds(ctx, damaged)
	if errors.Is(err, errNothing) {
		return fmt.Errorf("%w with a copy of %s without its last 8 bytes", err, path)
	}
	return err
}

var errNothing = errors.New("check finds no problem")

// finds runs check on a file with problems and returns its time, or errNothing.
func (b *bench) finds(ctx context.Context, args ...string) (time.Duration, error) {
	took, err := b.command(ctx, b.bin, append([]string{"check"}, args...)...)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, errNothing
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return took, nil
	}
	return 0, err
}
