// Damage measures how well the program diagnoses damaged files: random damage of any field, of as many
// mutations of each file.
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
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"varview/bench/damage/measure"
)

// A bench damages files, as the flags say.
type bench struct {
	folders []string
	max     int64
	seed    uint64
	only    string
	at      int64
	take    int64
	put     string
	given   bool
	number  int
	half    string

	mu   sync.Mutex
	list io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "damage:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	b := &bench{list: io.Discard}
	f := flag.NewFlagSet("damage", flag.ContinueOnError)
	corpus := f.String("corpus", "testdata/godot4,testdata/godot3,testdata/pandemonium,testdata/wrapped,testdata/elephant", "`folders` of files with a truth next to each")
	list := f.String("list", "", "`file` to write misses to")
	f.Int64Var(&b.max, "max", 4096, "most `bytes` of a file")
	f.Uint64Var(&b.seed, "seed", 1, "of what is chosen at random")
	f.StringVar(&b.only, "only", "", "one `file`; with -at one mutation of it")
	f.Int64Var(&b.at, "at", -1, "`offset` of the mutation")
	f.Int64Var(&b.take, "take", 0, "how many `bytes` it removes; -1 for all up to the end")
	f.StringVar(&b.put, "put", "", "`hex` digits of the bytes it inserts")
	f.BoolVar(&b.given, "given", false, "name dialect and framing")
	f.IntVar(&b.number, "n", 2000, "`mutations` in all")
	f.StringVar(&b.half, "half", "", "only one `half` of the files, a or b")
	if err := f.Parse(args); err != nil {
		return err
	}
	b.folders = strings.Split(*corpus, ",")
	switch {
	case f.NArg() > 0:
		return errors.New("usage: damage [flags]; see -h")
	case b.only != "" && b.at >= 0:
		return b.one(ctx)
	case *list != "":
		f, err := os.Create(*list)
		if err != nil {
			return err
		}
		defer f.Close()
		b.list = f
	}
	return b.random(ctx)
}

// random damages the files of all folders, each as often as the others, and prints how
// well that was diagnosed.
func (b *bench) random(ctx context.Context) error {
	files, err := b.different()
	if err != nil {
		return err
	}
	rand.New(rand.NewPCG(b.seed, 0)).Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	start, sum := time.Now(), measure.NewTally()
	busy := make(chan struct{}, runtime.NumCPU())
	var wg sync.WaitGroup
	for i, name := range files[:min(len(files), b.number)] {
		busy <- struct{}{}
		wg.Go(func() {
			tally, e := b.damage(ctx, name, (b.number+len(files)-1-i)/len(files))
			b.mu.Lock()
			sum.Join(tally)
			err = errors.Join(err, e)
			b.mu.Unlock()
			<-busy
		})
	}
	wg.Wait()
	if err != nil {
		return err
	}
	how := "as check opens the files"
	if b.given {
		how = "with dialect and framing given"
	}
	fmt.Printf("random damage of any field, %s, %d of %d files\n", how, sum.Files, len(files))
	sum.Write(os.Stdout)
	fmt.Printf("%v; the slowest took %v; %d broken; %d repairs promised in vain\n", time.Since(start).Round(time.Second), sum.Slowest.Round(time.Millisecond), sum.Broken, sum.Unkept)
	return nil
}

// different lists the files of all folders that belong to the half asked for, without those whose bytes another has.
func (b *bench) different() (names []string, err error) {
	seen := map[string]bool{}
	add := func(name string) {
		data, err := os.ReadFile(name)
		half := string('a' + rune(crc32.ChecksumIEEE(data)&1))
		if err == nil && int64(len(data)) <= b.max && !seen[string(data)] && (b.half == "" || b.half == half) {
			seen[string(data)] = true
			names = append(names, name)
		}
	}
	if b.only != "" {
		return []string{b.only}, nil
	}
	for _, folder := range b.folders {
		truths, err := filepath.Glob(filepath.Join(folder, "*.truth.json"))
		if err != nil || len(truths) == 0 {
			return nil, fmt.Errorf("%s: no file has a truth next to it", folder)
		}
		for _, truth := range truths {
			for _, ending := range []string{".bin", ".b64", ".txt"} {
				add(strings.TrimSuffix(truth, ".truth.json") + ending)
			}
		}
	}
	return names, nil
}

// damage damages one file a number of times.
func (b *bench) damage(ctx context.Context, name string, n int) (*measure.Tally, error) {
	tally := measure.NewTally()
	f, err := measure.Load(ctx, name)
	if err != nil || f.Unfit() != "" || len(f.Fields) == 0 {
		return tally, err
	}
	tally.Files = 1
	r := f.Rand(b.seed)
	for range n {
		m := f.Random(r)
		v := f.Judge(ctx, &m, b.given)
		tally.Add(f, &m, v)
		b.note(f, &m, v)
	}
	return tally, ctx.Err()
}

// note lists a mutation with a fault, if there is one, and how to repeat it.
func (b *bench) note(f *measure.File, m *measure.Mutation, v *measure.Verdict) {
	why := f.Fault(m, v)
	again := fmt.Sprintf("-only %s -at %d -take %d -put %x", f.Name, m.At, len(m.Old), m.New)
	if detail := v.Answer.Broken + v.Answer.Unkept; detail != "" {
		first, _, _ := strings.Cut(detail, "\n")
		fmt.Fprintf(os.Stderr, "%s: %s\n", again, first)
		why = "broken"
	}
	if why == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	fmt.Fprintf(b.list, "%s: %s: %s\n\t%s\n", strings.ToUpper(why), f.Name, f.Describe(m, v), again)
	for _, line := range v.Lines(4) {
		fmt.Fprintf(b.list, "\t%s\n", line)
	}
}

// one measures one mutation and prints all diagnoses.
func (b *bench) one(ctx context.Context) error {
	f, err := measure.Load(ctx, b.only)
	if err != nil {
		return err
	}
	put, err := hex.DecodeString(b.put)
	if err != nil {
		return err
	}
	m, err := f.Ask(b.at, b.take, put)
	if err != nil {
		return err
	}
	for i, how := range []string{"as check opens it", "with dialect and framing given"} {
		v := f.Judge(ctx, &m, i == 1)
		fmt.Printf("%s: %s, %v\n", how, f.Describe(&m, v), v.Took.Round(time.Microsecond))
		for _, line := range v.Lines(1000) {
			fmt.Println("\t" + line)
		}
		if detail := v.Answer.Broken + v.Answer.Unkept; detail != "" {
			fmt.Println("\t" + detail)
		}
	}
	return nil
}
