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

// Budgets of check and info, as multiples of the peer's time.
const (
	sumBudget = 1.5 // sha1sum
	cutBudget = 2.0 // check of the whole file
)

// check compares `varview check` and `varview info` with sha1sum, which reads the same bytes and understands none; check of a
// file that was cut with that of the whole; check of a file with many notes with that of one with few; and check with Godot 3.
func check(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range mixedKinds {
		r, err := b.sumRows(ctx, kind)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r...)
	}
	for _, kind := range mixedKinds {
		r, err := b.cutRow(ctx, kind)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	noted, err := b.notesRow(ctx)
	if err != nil {
		return rows, err
	}
	rows = append(rows, noted)
	r, err := b.godotRow(ctx)
	if err != nil {
		return rows, err
	}
	return append(rows, r), nil
}

// sumRows runs check, info and sha1sum of one file in turn.
func (b *bench) sumRows(ctx context.Context, kind savegame.Kind) ([]row, error) {
	path, err := b.file(kind, savegame.Godot4, b.size)
	if err != nil {
		return nil, err
	}
	took, err := b.inTurn(b.program(ctx, "check", path), b.program(ctx, "info", path), b.sum(ctx, path))
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, command := range []string{"check", "info"} {
		r := row{
			what:    fmt.Sprintf("%s, %s %s", command, savegame.FormatSize(b.size), kind),
			ours:    timeAndSpeed(b.size, took[i]),
			budget:  fmt.Sprintf("≤ %.1f× %s", sumBudget, sumProgram),
			verdict: skipped,
		}
		if sum := took[2]; sum > 0 {
			r.verdict = within(float64(took[i]) <= sumBudget*float64(sum))
		}
		r.compare(sumProgram, b.size, took[i], took[2])
		rows = append(rows, r)
	}
	return rows, nil
}

// cutEnd is the number of bytes that the cut file lacks: several frames, and not a multiple of 4, as the
// lengths of all values are, so that a frame is always cut.
const cutEnd = 1002

// cutRow runs check of a file and of a copy without its end in turn.
func (b *bench) cutRow(ctx context.Context, kind savegame.Kind) (row, error) {
	path, err := b.file(kind, savegame.Godot4, b.cut)
	if err != nil {
		return row{}, err
	}
	damaged, err := b.withoutEnd(path, cutEnd)
	if err != nil {
		return row{}, err
	}
	defer os.Remove(damaged)
	if err := warm(damaged); err != nil {
		return row{}, err
	}
	took, err := b.inTurn(func() (time.Duration, error) { return b.finds(ctx, damaged) }, b.program(ctx, "check", path))
	if err != nil {
		return row{}, err
	}
	r := row{
		what:    fmt.Sprintf("check, %s %s, end cut off", savegame.FormatSize(b.cut), kind),
		ours:    timeAndSpeed(b.cut, took[0]),
		budget:  fmt.Sprintf("≤ %.0f× the whole file", cutBudget),
		verdict: within(float64(took[0]) <= cutBudget*float64(took[1])),
	}
	r.compare("whole", b.cut, took[0], took[1])
	return r, nil
}

// notesRow runs check of a file with thousands of notes and of one with four in turn. The design sets no budget for it.
func (b *bench) notesRow(ctx context.Context) (row, error) {
	var paths []string
	for _, kind := range []savegame.Kind{savegame.Objects, savegame.Mixed} {
		path, err := b.file(kind, savegame.Godot4, b.cut)
		if err != nil {
			return row{}, err
		}
		paths = append(paths, path)
	}
	took, err := b.inTurn(b.program(ctx, "check", paths[0]), b.program(ctx, "check", paths[1]))
	if err != nil {
		return row{}, err
	}
	r := row{
		what:    fmt.Sprintf("check, %s %s", savegame.FormatSize(b.cut), savegame.Objects),
		ours:    timeAndSpeed(b.cut, took[0]),
		verdict: none,
	}
	r.compare(string(savegame.Mixed), b.cut, took[0], took[1])
	return r, nil
}

// compare fills in the peer; theirs is 0 if it is not installed.
func (r *row) compare(peer string, size int64, ours, theirs time.Duration) {
	if theirs == 0 {
		r.notes = append(r.notes, peer+" is not installed")
		return
	}
	r.peer = peer + " " + timeAndSpeed(size, theirs)
	r.ratio = times(float64(ours) / float64(theirs))
}

// inTurn makes measurements one after the other, again and again, and returns the median of each.
func (b *bench) inTurn(measure ...func() (time.Duration, error)) ([]time.Duration, error) {
	took := make([][]time.Duration, len(measure))
	for range b.checks {
		for i, one := range measure {
			d, err := one()
			if err != nil {
				return nil, err
			}
			took[i] = append(took[i], d)
		}
	}
	var medians []time.Duration
	for _, samples := range took {
		medians = append(medians, median(samples))
	}
	return medians, nil
}

// program returns a run of the measured program.
func (b *bench) program(ctx context.Context, args ...string) func() (time.Duration, error) {
	return func() (time.Duration, error) { return b.command(ctx, b.bin, args...) }
}

const sumProgram = "sha1sum"

// sum returns a run of sha1sum, which takes no time if it is not installed.
func (b *bench) sum(ctx context.Context, path string) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		if _, err := exec.LookPath(sumProgram); err != nil {
			return 0, nil
		}
		return b.command(ctx, sumProgram, path)
	}
}

// findsDamage checks a copy without its last bytes, so that a check that finds nothing is not measured.
func (b *bench) findsDamage(ctx context.Context, path string) error {
	damaged, err := b.withoutEnd(path, 8)
	if err != nil {
		return err
	}
	defer os.Remove(damaged)
	_, err = b.finds(ctx, damaged)
	return err
}

// withoutEnd copies a file without its last n bytes, and returns the path of the copy.
func (b *bench) withoutEnd(path string, n int64) (string, error) {
	whole, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer whole.Close()
	st, err := whole.Stat()
	if err != nil {
		return "", err
	}
	damaged := filepath.Join(b.dir, "damaged.tmp")
	f, err := os.Create(damaged)
	if err != nil {
		return "", err
	}
	_, err = io.CopyN(f, whole, st.Size()-n)
	return damaged, errors.Join(err, f.Close())
}

var errNothing = errors.New("check finds nothing wrong")

// finds runs check on a file with problems and returns its time, or errNothing.
func (b *bench) finds(ctx context.Context, args ...string) (time.Duration, error) {
	took, err := b.command(ctx, b.bin, append([]string{"check"}, args...)...)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, fmt.Errorf("%w with %s", errNothing, args[len(args)-1])
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return took, nil
	}
	return 0, err
}
