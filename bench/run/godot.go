package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"varview/bench/savegame"
)

const (
	godotProgram = "godot3-server"
	godotLimit   = 2 * time.Minute // a script with an error in it never ends
)

// Limits of check against bytes2var, as a factor of speed.
const (
	godotBudget = 6.0
	godotGoal   = 12.0
)

// godotRuns is how often both are run for one run of other measurements: they take a tenth of a second.
const godotRuns = 3

// godotRow compares check with bytes2var, which is timed inside the engine. The time of check for a tiny
// file, which is mostly process start, is subtracted.
func (b *bench) godotRow(ctx context.Context) (row, error) {
	r := row{
		what:   fmt.Sprintf("check, %s godot3 %s", savegame.FormatSize(b.engine), savegame.MixedRaw),
		budget: fmt.Sprintf("≥ %.0f× faster (goal %.0f×)", godotBudget, godotGoal),
	}
	engine, err := exec.LookPath(godotProgram)
	if err != nil {
		r.verdict, r.notes = skipped, []string{godotProgram + " is not installed (Debian: apt-get install godot3-server)"}
		return r, nil
	}
	path, err := b.file(savegame.MixedRaw, savegame.Godot3, b.engine)
	if err != nil {
		return r, err
	}
	tiny, err := b.file(savegame.MixedRaw, savegame.Godot3, littleFile)
	if err != nil {
		return r, err
	}
	if err := b.findsDamage(ctx, path); err != nil {
		return r, err
	}
	repeated := *b
	repeated.checks *= godotRuns
	took, err := repeated.inTurn(b.program(ctx, "check", path), b.program(ctx, "check", tiny), func() (time.Duration, error) {
		return bytes2var(ctx, engine, path)
	})
	if err != nil {
		return r, err
	}
	start, peer := took[1], took[2]
	mine := max(took[0]-start, time.Millisecond)
	ratio := float64(peer) / float64(mine)
	r.ours = timeAndSpeed(b.engine, mine)
	r.peer = "bytes2var " + timeAndSpeed(b.engine, peer)
	r.ratio = times(ratio)
	r.verdict = within(ratio >= godotBudget)
	r.notes = []string{fmt.Sprintf("without the start of the process, %s", milliseconds(start))}
	return r, nil
}

//go:embed bytes2var.gd
var godotScript string

var godotSaid = regexp.MustCompile(`(?m)^bytes2var usec (\d+) values (\d+)$`)

// bytes2var makes Godot 3 decode the file, an Array, and returns the time of bytes2var alone.
func bytes2var(ctx context.Context, engine, path string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, godotLimit)
	defer cancel()
	file, err := filepath.Abs(path)
	if err != nil {
		return 0, err
	}
	project, err := os.MkdirTemp("", "bytes2var")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(project)
	for name, text := range map[string]string{"project.godot": "config_version=4\n", "bytes2var.gd": godotScript} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o666); err != nil {
			return 0, err
		}
	}
	cmd := exec.CommandContext(ctx, engine, "--path", project, "-s", "bytes2var.gd")
	cmd.Env = append(os.Environ(), "BENCH_FILE="+file, "HOME="+project, "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	found := godotSaid.FindSubmatch(said)
	if err != nil || found == nil {
		return 0, fmt.Errorf("%s: %v: %s", engine, err, cut(strings.TrimSpace(string(said)), 300))
	}
	if string(found[2]) == "0" {
		return 0, fmt.Errorf("%s decoded no values of %s", engine, path)
	}
	usec, err := strconv.ParseInt(string(found[1]), 10, 64)
	return time.Duration(usec) * time.Microsecond, err
}
