package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"varview/bench/capture"
	"varview/bench/savegame"
)

const (
	packetsBudget       = 3.0 // times tshark
	packetsMemoryBudget = 256 << 20
)

// packets compares `varview packets --stats` of large captures with tshark, which counts their packets, and measures
// the first frame.
func packets(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	var pairs []framePair
	for _, kind := range []capture.Kind{capture.PCAP, capture.PCAPNG} {
		large, err := b.captureFile(kind, b.size)
		if err != nil {
			return rows, err
		}
		little, err := b.captureFile(kind, littleFile)
		if err != nil {
			return rows, err
		}
		pairs = append(pairs, framePair{little: little, large: large, what: fmt.Sprintf("%s %s", savegame.FormatSize(b.size), kind)})
		r, err := b.packetRows(ctx, kind, large)
		if err != nil {
			return rows, err
		}
		rows = append(rows, r...)
	}
	frames, err := b.frameRows(ctx, pairs)
	return append(rows, frames...), err
}

// packetRows returns the rows of `packets --stats`.
func (b *bench) packetRows(ctx context.Context, kind capture.Kind, path string) ([]row, error) {
	what := fmt.Sprintf("%s %s", savegame.FormatSize(b.size), kind)
	var memory int64
	runs := []func() (time.Duration, error){func() (time.Duration, error) {
		o, err := b.pipe(ctx, 0, b.bin, "packets", "--stats", path)
		memory = max(memory, o.memory)
		return o.took, err
	}}
	tshark, missing := exec.LookPath("tshark")
	if missing == nil {
		runs = append(runs, func() (time.Duration, error) {
			return b.command(ctx, tshark, "-r", path, "-q", "-z", "io,stat,0")
		})
	}
	took, err := b.inTurn(runs...)
	if err != nil {
		return nil, err
	}
	speed := row{
		what:    "packets --stats, " + what,
		ours:    timeAndSpeed(b.size, took[0]),
		budget:  fmt.Sprintf("≤ %.0f× tshark", packetsBudget),
		verdict: skipped,
	}
	if missing != nil {
		speed.notes = []string{"tshark is not installed (Debian: apt-get install tshark)"}
	} else {
		speed.verdict = within(float64(took[0]) <= packetsBudget*float64(took[1]))
		speed.compare("tshark", b.size, took[0], took[1])
	}
	return []row{speed, memoryOf("private memory of packets --stats, "+what, memory, packetsMemoryBudget)}, nil
}

// captureFile returns the path of a capture, which it first writes if necessary, and reads once.
func (b *bench) captureFile(kind capture.Kind, size int64) (string, error) {
	name := fmt.Sprintf("v%d-%s.%s", capture.Version, savegame.FormatSize(size), kind)
	return b.testFile(name, func(path string) error { return capture.WriteFile(path, kind, size) })
}
