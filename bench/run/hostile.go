package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"varview/bench/hostile"
	"varview/bench/savegame"
)

const (
	hostileTime   = 2 * time.Second // of the slowest command
	hostileRepair = 4 << 20         // bytes of the largest file that is repaired
	hostileMemory = 128 << 20
	hostileRuns   = 3 // of commands that take too long, because other programs disturb them

	// noMoreThanCheck is what info may take longer than check, for noise in the measurement, in addition
	// to a tenth of the time of check; when a GiB is unpacked to disk, the system's time varies by
	// seconds.
	noMoreThanCheck   = 100 * time.Millisecond
	noMoreWhereOnDisk = 2 * time.Second
)

// hostileTimes are the budgets that differ from hostileTime: longer if a million lines are printed; 0
// means none, because unpacking takes longer by itself, or because another line has a budget.
var hostileTimes = map[string]time.Duration{
	"gdec-noise": time.Second, "zeros": time.Second, "base64-damaged": 4 * time.Second, "damaged-array": 4 * time.Second,
	"gcpf-zeros": 0, "zlib-zeros": 0, "nested-zeros": 0, "dump-rows": 0, "elephant-same-names": 3 * time.Second,
}

// hostiles runs info, check and repair on files that are costly to read. Times are processor times. The
// peer is check of noise of the same size.
func hostiles(ctx context.Context, b *bench) (rows []row, err error) {
	for _, k := range hostile.Kinds {
		r, err := b.hostileRow(ctx, k)
		if err != nil {
			return rows, fmt.Errorf("%s: %w", k.Name, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// hostileFile writes a file of a kind, unless it exists, and returns its path.
func (b *bench) hostileFile(k hostile.Kind, size int) (string, error) {
	path := filepath.Join(b.dir, fmt.Sprintf("%s-%d-v%d.dat", k.Name, size, savegame.Version))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, k.Bytes(size), 0o666)
}

// hostileSize returns the size of the content of a kind's file.
func (b *bench) hostileSize(k hostile.Kind) int {
	if b.hostile > 0 {
		return min(k.Size, b.hostile)
	}
	return k.Size
}

func (b *bench) hostileRow(ctx context.Context, k hostile.Kind) (r row, err error) {
	size := b.hostileSize(k)
	path, err := b.hostileFile(k, size)
	if err != nil {
		return r, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return r, err
	}
	r = row{what: fmt.Sprintf("%s, %s", k.Name, savegame.FormatSize(st.Size())), verdict: ok}
	budget, special := hostileTimes[k.Name]
	if !special {
		budget = hostileTime
	}
	u := hostileUse{budget: budget, times: map[string]time.Duration{}}
	commands := hostileCommands(st.Size())
	for range hostileRuns {
		if err := b.useOf(ctx, k, path, commands, &u); err != nil {
			return r, err
		}
		if u.isWithin() {
			break
		}
		slices.Reverse(commands) // the first one may find the system with less free memory
	}
	r.ours = fmt.Sprintf("%s %.2f s, %s", u.slowest(), u.times[u.slowest()].Seconds(), mebibytes(u.memory))
	peer, err := b.hostilePeer(ctx, int(st.Size()))
	if err != nil {
		return r, err
	}
	r.peer = fmt.Sprintf("%s %.2f s", peer.what, peer.used.Seconds())
	r.ratio = times(float64(u.times[u.slowest()]) / float64(max(peer.used, time.Millisecond)))
	r.budget = "≤ " + mebibytes(hostileMemory)
	if budget > 0 {
		r.budget = fmt.Sprintf("≤ %g s, ", budget.Seconds()) + r.budget
	}
	r.verdict = within(u.isWithin())
	if u.infoIsSlow() {
		r.notes = append(r.notes, fmt.Sprintf("info takes %.2f s, check %.2f s", u.times["info"].Seconds(), u.times["check"].Seconds()))
	}
	return r, nil
}

// A hostileUse is what the commands need for one file: the least time of each, and the most memory of
// all.
type hostileUse struct {
	budget time.Duration // 0 for none
	times  map[string]time.Duration
	memory int64
}

func (u *hostileUse) slowest() string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(u.times)), func(a, b string) int { return cmp.Compare(u.times[a], u.times[b]) })
}

func (u *hostileUse) infoIsSlow() bool {
	check, noise := u.times["check"], noMoreThanCheck
	if u.budget == 0 {
		noise = noMoreWhereOnDisk
	}
	return u.times["info"] > check+check/10+noise
}

func (u *hostileUse) isWithin() bool {
	return (u.budget == 0 || u.times[u.slowest()] <= u.budget) && u.memory <= hostileMemory && !u.infoIsSlow()
}

// useOf runs the commands on a file of a kind, and adds what they need to u.
func (b *bench) useOf(ctx context.Context, k hostile.Kind, path string, commands [][]string, u *hostileUse) error {
	for _, command := range commands {
		args := command
		if k.IsEncrypted() {
			args = append(args, "--password", hostile.Password)
		}
		o, err := b.judged(ctx, b.bin, append(args, path)...)
		if err != nil {
			return err
		}
		if least, ok := u.times[command[0]]; !ok || o.used < least {
			u.times[command[0]] = o.used
		}
		u.memory = max(u.memory, o.memory)
	}
	return nil
}

// hostileCommands returns the commands that are measured with a file of some size. A large one is not
// repaired: the output of repair, and its cost, grow with the damage.
func hostileCommands(size int64) [][]string {
	all := [][]string{{"info"}, {"check"}}
	if size <= hostileRepair {
		all = append(all, []string{"repair", "--dry-run"})
	}
	return all
}

// A peerTime is the time of a peer.
type peerTime struct {
	what string
	used time.Duration
}

// hostilePeer measures check of noise of the same size.
func (b *bench) hostilePeer(ctx context.Context, size int) (peerTime, error) {
	noise, err := b.hostileFile(hostile.Kinds[0], size)
	if err != nil {
		return peerTime{}, err
	}
	o, err := b.judged(ctx, b.bin, "check", noise)
	if size != hostile.Kinds[0].Size {
		err = errors.Join(err, os.Remove(noise))
	}
	return peerTime{"check of noise", o.used}, err
}

// judged runs a command that may find something wrong.
func (b *bench) judged(ctx context.Context, name string, args ...string) (output, error) {
	o, err := b.pipe(ctx, 0, name, args...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	return o, err
}
