// Damage measures how well the program diagnoses damaged files: every structural
// byte changed, every length wrong, bytes lost and inserted, cuts at every length.
//
//	go run ./bench/damage -corpus testdata/godot4,testdata/elephant -sample 10
//
// The first table counts structural bytes changed to other values, and cuts. Of the
// mutations that change what the engine reads, "reported" have a problem in the
// damaged value, its parent or its frame, "elsewhere" only at other places,
// "missed" none; the share is that of the reported ones. "Valid" are other files
// that an engine could have written, "silent" and "remarked" files that the engine
// reads the same. The second table counts wrong lengths, a byte lost or inserted,
// and cuts; two to eight bytes lost or inserted are counted apart. It has how often
// the first diagnosis is the true cause, or one of three that are equally small, and
// how often the repair restores the file where its bytes can be known.
//
// With -any, random damage of any field is counted instead; see bench/README.md.
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
	sample  int
	most    int
	workers int
	seed    uint64
	verbose bool
	list    string
	only    string
	at      int64
	take    int64
	put     string
	ways    string
	any     bool
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
	f.IntVar(&o.sample, "sample", 1, "take every `N`-th mutation")
	f.IntVar(&o.most, "most", 0, "most `mutations` of a file, 0 for all")
	f.IntVar(&o.workers, "j", runtime.NumCPU(), "files at a `time`")
	f.Uint64Var(&o.seed, "seed", 1, "of what is chosen at random")
	f.BoolVar(&o.verbose, "v", false, "report each file")
	f.StringVar(&o.list, "list", "", "`file` to write misses to")
	f.StringVar(&o.only, "only", "", "one `file`; with -at one mutation of it")
	f.Int64Var(&o.at, "at", -1, "`offset` of the mutation")
	f.Int64Var(&o.take, "take", 0, "how many `bytes` it removes; -1 for all up to the end")
	f.StringVar(&o.put, "put", "", "`hex` digits of the bytes it inserts")
	f.StringVar(&o.ways, "ways", "", "only `kinds` of damage, by the beginning of their names: \"cut,wrong\"")
	f.BoolVar(&o.any, "any", false, "random damage of any field, in place of every structural byte")
	f.BoolVar(&o.given, "given", false, "with -any, name dialect and framing")
	f.IntVar(&o.number, "n", 2000, "`mutations` of -any in all")
	f.StringVar(&o.half, "half", "", "with -any, only one `half` of the files, a or b")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.folders = strings.Split(*corpus, ",")
	if f.NArg() > 0 || o.workers < 1 || o.sample < 1 {
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
	if o.any {
		return b.random(ctx)
	}
	for _, given := range []bool{false, true} {
		if err := b.table(ctx, given); err != nil {
			return err
		}
	}
	return ctx.Err()
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

// table prints both tables, with or without dialect and framing given.
func (b *bench) table(ctx context.Context, given bool) error {
	var t measure.Table
	total := measure.NewTally()
	folders := b.folders
	if b.only != "" {
		folders = []string{filepath.Dir(b.only)}
	}
	start := time.Now()
	for _, folder := range folders {
		tally, err := b.folder(ctx, folder, given)
		if err != nil {
			return err
		}
		total.Join(tally)
		t.Names, t.Rows = append(t.Names, filepath.Base(folder)), append(t.Rows, tally)
	}
	t.Names, t.Rows = append(t.Names, "all"), append(t.Rows, total)
	how := "as check opens them"
	if given {
		how = "with dialect and framing given"
	}
	fmt.Printf("structural bytes changed, and cuts, %s\n", how)
	t.WriteReported(os.Stdout)
	fmt.Printf("causes, %s\n", how)
	t.WriteCauses(os.Stdout)
	fmt.Printf("%v; the slowest took %v; %d broken; %d repairs promised in vain\n\n", time.Since(start).Round(time.Second), total.Slowest.Round(time.Millisecond), total.Broken, total.Unkept)
	return nil
}

// folder measures all files of a folder.
func (b *bench) folder(ctx context.Context, folder string, given bool) (*measure.Tally, error) {
	names, err := b.files(folder)
	if err != nil {
		return nil, err
	}
	return b.each(ctx, names, func(worker int, name string) (*measure.Tally, error) { return b.file(ctx, worker, name, given) })
}

// each measures files, some at a time, and sums up what was counted.
func (b *bench) each(ctx context.Context, names []string, work func(worker int, name string) (*measure.Tally, error)) (sum *measure.Tally, err error) {
	sum = measure.NewTally()
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

// file measures one file.
func (b *bench) file(ctx context.Context, worker int, name string, given bool) (*measure.Tally, error) {
	f, err := measure.Load(ctx, name)
	if err != nil {
		return nil, err
	}
	tally := measure.NewTally()
	tally.Files = 1
	if why := f.Unfit(); why != "" {
		fmt.Fprintf(os.Stderr, "%s: left out: %s\n", name, why)
		return measure.NewTally(), nil
	}
	start := time.Now()
	f.Mutations(b.sample, b.most, b.seed, b.wants, func(m measure.Mutation) bool {
		b.running.Store(worker, &job{what: repeat(name, &m), since: time.Now()})
		v := f.Judge(ctx, &m, given)
		tally.Add(f, &m, v)
		b.note(f, &m, v, f.Fault(&m, v), given)
		return ctx.Err() == nil
	})
	b.running.Delete(worker)
	if b.verbose {
		near, _ := tally.Share()
		sum := tally.Diagnosed()
		fmt.Printf("%-60s %7.2f%% %d of %d causes, %v\n", name, near, sum.Three, sum.All, time.Since(start).Round(time.Millisecond))
	}
	return tally, nil
}

func (b *bench) wants(w measure.Way) bool {
	for part := range strings.SplitSeq(b.ways, ",") {
		if strings.HasPrefix(w.String(), part) {
			return true
		}
	}
	return false
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
