// Command run measures the built varview from outside and prints the design's budgets as ratios: against a peer
// measured in the same run, or against the budget itself. It exits 1 when a budget is missed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varview/bench/savegame"
)

// A bench is the state that all measurements share.
type bench struct {
	settings
	bin     string // absolute path
	dir     string // where test files are kept
	env     []string
	family  string  // only these of linear, comma-separated; "" for all
	pace    float64 // of this machine; the rates of linear are so much lower
	verbose bool
	log     io.Writer // progress, and screens with -v
}

// settings are the sizes and repetitions of one run.
type settings struct {
	size       int64         // the large file
	engine     int64         // the file that check and Godot's bytes2var read
	cut        int64         // the file whose end is cut off, and the one with many notes
	outputs    [2]int64      // inputs of dump and export
	linear     [2]int64      // files of each family
	frames     int           // first frames of each file
	presses    int           // key presses in each file
	checks     int           // runs of check and of each of its peers
	hostile    int           // largest content of a hostile file; 0 for its usual size
	outputTime time.Duration // longest time that the output of one command is read
}

var full = settings{
	size: 1 << 30, engine: 8.5e6, cut: 100e6, outputs: [2]int64{64e6, 256e6}, linear: [2]int64{8e6, 32e6},
	frames: 11, presses: 320, checks: 5, outputTime: 15 * time.Second,
}

var quick = settings{
	size: 64 << 20, engine: 8.5e6, cut: 20e6, outputs: [2]int64{16e6, 64e6}, linear: [2]int64{2e6, 8e6},
	frames: 3, presses: 45, checks: 3, hostile: 100_000, outputTime: 800 * time.Millisecond,
}

// A measurement fills some rows of the table. Rows that it returns with an error count.
type measurement struct {
	name  string
	limit time.Duration
	run   func(context.Context, *bench) ([]row, error)
}

var measurements = []measurement{
	{"frame", 3 * time.Minute, firstFrames},
	{"jump", 8 * time.Minute, jumps},
	{"search", 5 * time.Minute, search},
	{"memory", 5 * time.Minute, memory},
	{"keys", 8 * time.Minute, keys},
	{"reading", 8 * time.Minute, keysWhileReading},
	{"looks", 12 * time.Minute, looks},
	{"check", 12 * time.Minute, check},
	{"output", 5 * time.Minute, outputs},
	{"gcpf", 8 * time.Minute, compressed},
	{"json", 15 * time.Minute, texts},
	{"edit", 10 * time.Minute, edits},
	{"diff", 8 * time.Minute, diffs},
	{"many", 2 * time.Minute, many},
	{"linear", 40 * time.Minute, linear},
	{"packets", 20 * time.Minute, packets},
	{"live", 2 * time.Minute, live},
	{"hostile", 10 * time.Minute, hostiles},
}

func main() {
	bin := flag.String("bin", "./varview", "the `PROGRAM` to measure")
	size := flag.String("size", "", "`SIZE` of the large files (default 1GiB, with -quick 64MiB)")
	dir := flag.String("dir", filepath.Join("bench", "out"), "`FOLDER` of the test files; what is missing is generated")
	only := flag.String("only", "", "measure only these `NAMES`, comma-separated: "+strings.Join(names(), ","))
	family := flag.String("families", "", "of linear, only these `FAMILIES`, comma-separated")
	short := flag.Bool("quick", false, "smaller files and fewer repetitions, within about half a minute")
	verbose := flag.Bool("v", false, "print the screens that the program showed, and every command")
	flag.Parse()

	s := full
	if *short {
		s = quick
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := newBench(s, *bin, *size, *dir)
	if err == nil {
		b.verbose, b.family = *verbose, *family
		err = b.measure(ctx, *only, os.Stdout)
	}
	switch {
	case errors.Is(err, errMissed):
		stop()
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(2)
	}
}

func names() []string {
	var all []string
	for _, m := range measurements {
		all = append(all, m.name)
	}
	return all
}

// newBench checks the flags before anything slow begins.
func newBench(s settings, bin, size, dir string) (*bench, error) {
	if size != "" {
		n, err := savegame.ParseSize(size)
		if err != nil {
			return nil, err
		}
		s.size = n
	}
	abs, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	if st, err := os.Stat(abs); err != nil || st.IsDir() || st.Mode()&0o111 == 0 {
		return nil, fmt.Errorf("no program at %s: build it with \"go build -o varview\"", bin)
	}
	return &bench{settings: s, bin: abs, dir: dir, env: os.Environ(), log: os.Stderr}, nil
}

// errMissed says that a row of the table is over its budget, has failed, or has a key press without an
// answer.
var errMissed = errors.New("a budget was missed")

// measure prints the table to out, row by row. only lists measurements; "" means all.
func (b *bench) measure(ctx context.Context, only string, out io.Writer) error {
	chosen := names()
	if only != "" {
		chosen = strings.Split(only, ",")
	}
	for _, name := range chosen {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("nothing is called %q; there are %s", name, strings.Join(names(), ", "))
		}
	}
	missed := false
	printHead(out)
	for _, m := range measurements {
		if !slices.Contains(chosen, m.name) {
			continue
		}
		fmt.Fprintf(b.log, "measuring %s\n", m.name)
		limited, cancel := context.WithTimeout(ctx, m.limit)
		rows, err := m.run(limited, b)
		if err != nil && limited.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("not finished within %v: %w", m.limit, err)
		}
		cancel()
		if err != nil {
			rows = append(rows, row{what: m.name, verdict: failed, notes: []string{err.Error()}})
		}
		for _, r := range rows {
			missed = missed || r.verdict == over || r.verdict == failed
			r.print(out)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if missed {
		return errMissed
	}
	return nil
}

// mixedKinds are the kinds of the large files: a stream, and one value.
var mixedKinds = []savegame.Kind{savegame.Mixed, savegame.MixedRaw}

// file returns the path of a planned file, which it first writes if necessary, and reads once.
func (b *bench) file(kind savegame.Kind, dialect savegame.Dialect, size int64) (string, error) {
	plan := savegame.Plan{Kind: kind, Dialect: dialect, Size: size, Seed: 1}
	return b.testFile(plan.Name(), plan.WriteFile)
}

// testFile returns the path of a test file, which write makes if necessary, and reads it once.
func (b *bench) testFile(name string, write func(path string) error) (string, error) {
	path := filepath.Join(b.dir, name)
	if _, err := os.Stat(path); err == nil {
		return path, warm(path)
	}
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		return "", err
	}
	fmt.Fprintf(b.log, "writing %s\n", path)
	if err := write(path); err != nil {
		return "", err
	}
	return path, warm(path)
}

// warm reads a file once, so that no measurement waits for the disk.
func warm(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, f)
	return err
}
