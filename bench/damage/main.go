// Damage measures how well the program diagnoses damaged files: random damage of any field, of as many
// mutations of each file. internal/endtoend has a test that changes every structural byte.
//
//	go run ./bench/damage -corpus testdata/godot4,testdata/elephant -n 1000
//
// bench/README.md says what the columns of the table are.
package main

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"varview/bench/damage/measure"
)

// slow is how long one mutation may take before it is reported.
const slow = 5 * time.Second

// options are the flags.
type options struct {
	folders []string
	max     int64
	workers int
	seed    uint64
	list    string
	only    string
	at      int64
	take    int64
	put     string
	given   bool
	number  int
	half    string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "damage:", err)
		os.Exit(1)
	}
}

func flags(args []string) (o options, err error) {
	f := flag.NewFlagSet("damage", flag.ContinueOnError)
	corpus := f.String("corpus", "testdata/godot4,testdata/godot3,testdata/pandemonium,testdata/wrapped,testdata/elephant", "`folders` of files with a truth next to each")
	f.Int64Var(&o.max, "max", 4096, "most `bytes` of a file")
	f.IntVar(&o.workers, "j", runtime.NumCPU(), "files at a `time`")
	f.Uint64Var(&o.seed, "seed", 1, "of what is chosen at random")
	f.StringVar(&o.list, "list", "", "`file` to write misses to")
	f.StringVar(&o.only, "only", "", "one `file`; with -at one mutation of it")
	f.Int64Var(&o.at, "at", -1, "`offset` of the mutation")
	f.Int64Var(&o.take, "take", 0, "how many `bytes` it removes; -1 for all up to the end")
	f.StringVar(&o.put, "put", "", "`hex` digits of the bytes it inserts")
	f.BoolVar(&o.given, "given", false, "name dialect and framing")
	f.IntVar(&o.number, "n", 2000, "`mutations` in all")
	f.StringVar(&o.half, "half", "", "only one `half` of the files, a or b")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.folders = strings.Split(*corpus, ",")
	if f.NArg() > 0 || o.workers < 1 {
		return o, errors.New("usage: damage [flags]; see -h")
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := flags(args)
	if err != nil {
		return err
	}
	if o.only != "" && o.at >= 0 {
		return one(ctx, &o)
	}
	b := &bench{options: o, list: io.Discard}
	if o.list != "" {
		f, err := os.Create(o.list)
		if err != nil {
			return err
		}
		defer f.Close()
		b.list = f
	}
	go b.watch(ctx)
	return b.random(ctx)
}

// A bench runs mutations.
type bench struct {
	options
	mu      sync.Mutex
	list    io.Writer
	running sync.Map // worker → job
}

// A job is a mutation at work.
type job struct {
	what  string
	since time.Time
	noted bool
}

// files lists the files of a folder.
func (b *bench) files(folder string) ([]string, error) {
	if b.only != "" {
		return []string{b.only}, nil
	}
	truths, err := filepath.Glob(filepath.Join(folder, "*.truth.json"))
	if err == nil && len(truths) == 0 {
		err = fmt.Errorf("%s: no file has a truth next to it", folder)
	}
	var names []string
	for _, truth := range truths {
		for _, ending := range []string{".bin", ".b64", ".txt"} {
			name := strings.TrimSuffix(truth, ".truth.json") + ending
			if info, err := os.Stat(name); err == nil && info.Size() <= b.max {
				names = append(names, name)
			}
		}
	}
	return names, err
}

// each measures files, some at a time, and sums up what was counted.
func (b *bench) each(ctx context.Context, names []string, work func(worker int, name string) (*measure.Tally, error)) (sum *measure.Tally, err error) {
	sum = new(measure.Tally)
	queue := make(chan string)
	var wg sync.WaitGroup
	for worker := range b.workers {
		wg.Go(func() {
			for name := range queue {
				tally, e := work(worker, name)
				b.mu.Lock()
				if e != nil {
					err = errors.Join(err, e)
				} else {
					sum.Join(tally)
				}
				b.mu.Unlock()
			}
		})
	}
	for _, name := range names {
		if ctx.Err() == nil {
			queue <- name
		}
	}
	close(queue)
	wg.Wait()
	return sum, err
}

// repeat returns the command that repeats a mutation.
func repeat(name string, m *measure.Mutation) string {
	return fmt.Sprintf("-only %s -at %d -take %d -put %x", name, m.At, len(m.Old), m.New)
}

// note lists a mutation with a fault, if there is one.
func (b *bench) note(f *measure.File, m *measure.Mutation, v *measure.Verdict, why string, given bool) {
	detail := ""
	switch a := v.Answer; {
	case a.Broken != "":
		why, detail = "broken", a.Broken
	case a.Unkept != "":
		why, detail = "promised in vain", a.Unkept
	}
	if first, _, _ := strings.Cut(detail, "\n"); first != "" {
		fmt.Fprintf(os.Stderr, "%s: %s\n", repeat(f.Name, m), first)
	}
	if why == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	how := "detected"
	if given {
		how = "given"
	}
	fmt.Fprintf(b.list, "%s %s: %s: %s\n\t%s\n", strings.ToUpper(why), how, f.Name, f.Describe(m, v), repeat(f.Name, m))
	for _, line := range v.Lines(4) {
		fmt.Fprintf(b.list, "\t%s\n", line)
	}
}

// watch reports mutations that take long.
func (b *bench) watch(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(time.Second)
		b.running.Range(func(_, x any) bool {
			if j := x.(*job); time.Since(j.since) > slow && !j.noted {
				j.noted = true
				fmt.Fprintf(os.Stderr, "slow: %s\n", j.what)
			}
			return true
		})
	}
}

// one measures one mutation and prints all diagnoses.
func one(ctx context.Context, o *options) error {
	f, err := measure.Load(ctx, o.only)
	if err != nil {
		return err
	}
	put, err := hex.DecodeString(o.put)
	if err != nil {
		return err
	}
	m, err := f.Ask(o.at, o.take, put)
	if err != nil {
		return err
	}
	for i, how := range []string{"as check opens it", "with dialect and framing given"} {
		start := time.Now()
		v := f.Judge(ctx, &m, i == 1)
		fmt.Printf("%s: %s, %v\n", how, f.Describe(&m, v), time.Since(start).Round(time.Microsecond))
		for _, line := range v.Lines(1000) {
			fmt.Println("\t" + line)
		}
		if detail := v.Answer.Broken + v.Answer.Unkept; detail != "" {
			fmt.Println("\t" + detail)
		}
	}
	return nil
}
