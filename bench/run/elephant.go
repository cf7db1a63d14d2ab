package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"varview/bench/hostile"
	"varview/bench/savegame"
)

const elephantSpeed = 100 // MB/s of check

// elephants makes the other measurements with Elephant files.
func elephants(ctx context.Context, b *bench) ([]row, error) {
	size := b.elephant[1]
	known, err := b.framePair(savegame.Graph, savegame.Elephant, size)
	if err != nil {
		return nil, err
	}
	if err := b.findsDamage(ctx, known.large); err != nil {
		return nil, err
	}
	unknown, err := b.apart(known)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(filepath.Dir(unknown.large))
	rows, err := b.frameRows(ctx, []framePair{known, unknown})
	if err != nil {
		return rows, err
	}
	checks, err := b.elephantChecks(ctx, unknown.large)
	rows = append(rows, checks...)
	if err != nil {
		return rows, err
	}
	r, err := b.repeatedRow(ctx)
	if err != nil {
		return rows, err
	}
	rows = append(rows, r)
	for _, args := range [][]string{{"export"}, {"export", "--typed"}} {
		r, err := b.outputOf(ctx, args, savegame.Graph, savegame.Elephant, b.elephant)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

// apart links both files into a folder in which there is no GML.
func (b *bench) apart(pair framePair) (framePair, error) {
	folder, err := filepath.Abs(filepath.Join(b.dir, "alone.tmp"))
	if err != nil {
		return pair, err
	}
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o777)); err != nil {
		return pair, err
	}
	pair.what += " without GML"
	for _, path := range []*string{&pair.large, &pair.little} {
		target, err := filepath.Abs(*path)
		if err != nil {
			return pair, err
		}
		*path = filepath.Join(folder, filepath.Base(target))
		if err := os.Symlink(target, *path); err != nil {
			return pair, err
		}
	}
	return pair, nil
}

// elephantChecks runs check on a file that needs no schemas, one that has them, and
// one that lacks them.
func (b *bench) elephantChecks(ctx context.Context, unknown string) ([]row, error) {
	var rows []row
	var known time.Duration
	size := b.elephant[1]
	for _, kind := range []savegame.Kind{savegame.Verbose, savegame.Graph} {
		path, err := b.file(kind, savegame.Elephant, size)
		if err != nil {
			return rows, err
		}
		took, err := b.inTurn(b.program(ctx, "check", path), b.sum(ctx, path))
		if err != nil {
			return rows, err
		}
		ours, theirs := took[0], took[1]
		r := elephantRow(fmt.Sprintf("check, %s %s", savegame.FormatSize(size), kind), size, ours)
		r.compare(sumProgram, size, ours, theirs)
		rows = append(rows, r)
		known = ours
	}
	took, err := b.withoutSchemas(ctx, unknown)
	if err != nil {
		return rows, err
	}
	r := row{
		what:    fmt.Sprintf("check, %s %s without GML", savegame.FormatSize(size), savegame.Graph),
		ours:    fmt.Sprintf("%.3f s", took.Seconds()), // not a speed: not all of the file can be read
		verdict: none,
	}
	r.compare("with GML", size, took, known)
	return append(rows, r), nil
}

func elephantRow(what string, size int64, took time.Duration) row {
	return row{
		what:    what,
		ours:    timeAndSpeed(size, took),
		budget:  fmt.Sprintf("≥ %d MB/s", elephantSpeed),
		verdict: within(speed(size, took) >= elephantSpeed),
	}
}

// withoutSchemas returns the time of a check that has to find that schemas are missing.
func (b *bench) withoutSchemas(ctx context.Context, path string) (time.Duration, error) {
	took, err := b.inTurn(func() (time.Duration, error) { return b.finds(ctx, "--strict", path) })
	if err != nil {
		return 0, err
	}
	return took[0], nil
}

const (
	repeatedKind   = "elephant-same-names"
	repeatedBudget = 3 * time.Second
	leastWarning   = 40 // bytes of a line
)

// repeatedRow runs check on a block in which each of many structs has a name twice, all of which it has to report.
func (b *bench) repeatedRow(ctx context.Context) (row, error) {
	kind, err := hostile.Named(repeatedKind)
	if err != nil {
		return row{}, err
	}
	size := b.hostileSize(kind)
	path, err := b.hostileFile(kind, size)
	if err != nil {
		return row{}, err
	}
	if err := warm(path); err != nil {
		return row{}, err
	}
	warnings := int64(hostile.RepeatedNames(size))
	took, err := b.inTurn(func() (time.Duration, error) {
		o, err := b.judged(ctx, b.bin, "check", path)
		if err == nil && o.bytes < warnings*leastWarning {
			err = fmt.Errorf("%w of %d repeated names in %s", errNothing, warnings, path)
		}
		return o.took, err
	})
	if err != nil {
		return row{}, err
	}
	return row{
		what:    fmt.Sprintf("check, %s, %d repeated names", savegame.FormatSize(int64(size)), warnings),
		ours:    fmt.Sprintf("%.3f s", took[0].Seconds()),
		ratio:   times(float64(took[0]) / float64(repeatedBudget)),
		budget:  fmt.Sprintf("≤ %v", repeatedBudget),
		verdict: within(took[0] <= repeatedBudget),
	}, nil
}
