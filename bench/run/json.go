package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"time"

	"varview/bench/savegame"
)

// jqBudget is the smallest factor by which check has to be faster than `jq empty`.
const jqBudget = 3.0

const jqProgram = "jq"

// indexBudget is the least speed of the index of JSON, in MB/s.
const indexBudget = 300

// viewers are other programs that show JSON.
var viewers = []string{"jless", "fx"}

// texts measures JSON: a file of the large size with an object on each line, and one of 0.3 of that with
// a single indented value.
func texts(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, kind := range []string{"jsonl", "json"} {
		size := b.size
		if kind == "json" {
			size = size * 3 / 10
		}
		r, err := b.textRows(ctx, kind, size)
		rows = append(rows, r...)
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func (b *bench) textRows(ctx context.Context, kind string, size int64) (rows []row, err error) {
	pair := framePair{what: savegame.FormatSize(size) + " " + kind}
	if pair.large, err = b.textFile(kind, size); err != nil {
		return nil, err
	}
	if pair.little, err = b.textFile(kind, littleFile); err != nil {
		return nil, err
	}
	if err := b.findsDamage(ctx, pair.large); err != nil {
		return nil, err
	}
	if rows, err = b.frameRows(ctx, []framePair{pair}); err != nil {
		return rows, err
	}
	for _, measure := range []func() (row, error){
		func() (row, error) { return b.memoryRow(ctx, pair.what, pair.large, size/2) },
		func() (row, error) { return b.readingRow(ctx, pair.what, pair.large) },
		func() (row, error) { return b.indexRow(ctx, pair.what, pair.large) },
		func() (row, error) { return b.jqRow(ctx, pair.what, pair.large, size) },
	} {
		r, err := measure()
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	peers, err := b.viewerRows(ctx, pair.what, pair.large)
	return append(rows, peers...), err
}

// indexRow measures from a G, typed as soon as the first value is shown, to the frame that shows the last value: by then all
// is indexed.
func (b *bench) indexRow(ctx context.Context, what, path string) (row, error) {
	st, err := os.Stat(path)
	if err != nil {
		return row{}, err
	}
	size := st.Size()
	const inLast = 32 // bytes before the end, within the last value
	var took []time.Duration
	for range b.checks {
		d, err := b.jump(ctx, path, jump{what: "G", keys: "G", arrived: showsOffset(size - inLast)})
		if err != nil {
			return row{}, fmt.Errorf("pressing G in %s: %w", path, err)
		}
		took = append(took, d)
	}
	d := median(took)
	return row{
		what:    "index, " + what,
		ours:    timeAndSpeed(size, d),
		ratio:   times(speed(size, d) / indexBudget),
		budget:  fmt.Sprintf("≥ %d MB/s", indexBudget),
		verdict: within(speed(size, d) >= indexBudget),
	}, nil
}

// viewerRows opens the file once in each other viewer that is installed, for the time of its first frame and its private memory.
func (b *bench) viewerRows(ctx context.Context, what, path string) (rows []row, err error) {
	for _, name := range viewers {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		ours, err := b.viewed(ctx, b.bin, path)
		if err != nil {
			return rows, err
		}
		theirs, err := b.viewed(ctx, name, path)
		if err != nil { // it may be too slow, or end for want of memory
			theirs = "shows nothing"
			fmt.Fprintln(b.log, err)
		}
		rows = append(rows, row{what: "first frame and memory, " + what, ours: ours, peer: name + " " + theirs, verdict: none})
	}
	return rows, nil
}

// viewed returns when a program shows its first full frame, and its highest private memory up to then.
func (b *bench) viewed(ctx context.Context, name, path string) (string, error) {
	t, err := b.openProgram(ctx, 80, 24, name, path)
	if err != nil {
		return "", err
	}
	defer t.close()
	watch := watchMemory(t.cmd.Process.Pid)
	took, err := t.firstFrame()
	if err != nil {
		return "", fmt.Errorf("first frame of %s %s: %w", name, path, err)
	}
	return milliseconds(took) + ", " + mebibytes(watch.highest()), nil
}

// jqRow runs check and `jq empty`, which reads all values and prints none, in turn.
func (b *bench) jqRow(ctx context.Context, what, path string, size int64) (row, error) {
	took, err := b.inTurn(b.program(ctx, "check", path), func() (time.Duration, error) {
		if _, err := exec.LookPath(jqProgram); err != nil {
			return 0, nil
		}
		return b.command(ctx, jqProgram, "empty", path)
	})
	if err != nil {
		return row{}, err
	}
	r := row{what: "check, " + what, ours: timeAndSpeed(size, took[0]), budget: fmt.Sprintf("≥ %.0f× faster than jq empty", jqBudget), verdict: skipped}
	if took[1] > 0 {
		r.verdict = within(jqBudget*float64(took[0]) <= float64(took[1]))
	}
	r.compare("jq empty", size, took[0], took[1])
	return r, nil
}

// textFile returns the path of a JSON file, which it first writes if necessary.
func (b *bench) textFile(kind string, size int64) (string, error) {
	return b.testFile(fmt.Sprintf("text-%s-v1.%s", savegame.FormatSize(size), kind), func(path string) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<20)
		writeText(w, kind, size)
		return errors.Join(w.Flush(), f.Close())
	})
}

// writeText writes what games save of the nodes of a scene: an object on each line, or all as one value.
func writeText(w io.Writer, kind string, size int64) {
	r := rand.New(rand.NewPCG(1, 1))
	indented := strings.NewReplacer("{", "{\n\t\t\t", "},", "\n\t\t},\n\t\t", ",\"", ",\n\t\t\t\"", "\":", "\": ")
	begins, between, ends := "", "\n", "\n"
	if kind == "json" {
		begins, between, ends = "[\n\t\t", ",\n\t\t", "\n]\n"
	}
	at, _ := io.WriteString(w, begins)
	for done := int64(at); ; {
		text := node(r)
		if kind == "json" {
			text = indented.Replace(text)
		}
		n, _ := io.WriteString(w, text)
		if done += int64(n); done >= size {
			break
		}
		n, _ = io.WriteString(w, between)
		done += int64(n)
	}
	io.WriteString(w, ends)
}

// node returns an object of some 300 bytes.
func node(r *rand.Rand) string {
	names := []string{"sword", "shield", "potion of healing", "Schlüssel", "npc_guard", "日本"}
	name := func() string { return names[r.IntN(len(names))] }
	var items []string
	for range r.IntN(5) {
		items = append(items, fmt.Sprintf(`{"id":%q,"count":%d}`, name(), 1+r.IntN(9)))
	}
	return fmt.Sprintf(`{"filename":"res://actors/%s.tscn","parent":"/root/main","pos":[%.4f,%.4f],"hp":%d,"alive":%t,"name":"a \"%s\"","items":[%s],"stats":{"strength":%d,"tags":["a","b",null]}}`,
		name(), r.Float64()*2000-1000, r.Float64()*2000-1000, r.IntN(100), r.IntN(10) > 0, name(), strings.Join(items, ","), r.IntN(20))
}
