package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"time"

	"varview/bench/damage/measure"
)

// random damages the files of all folders, each as often as the others, and prints how
// well that was diagnosed.
func (b *bench) random(ctx context.Context) error {
	files, err := b.different()
	if err != nil {
		return err
	}
	counts, names := map[string]int{}, []string{}
	rand.New(rand.NewPCG(b.seed, 0)).Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for i, name := range files[:min(len(files), b.number)] {
		counts[name] = (b.number + len(files) - 1 - i) / len(files)
		names = append(names, name)
	}
	start := time.Now()
	sum, err := b.each(ctx, names, func(worker int, name string) (*measure.Tally, error) {
		return b.damageAnywhere(ctx, worker, name, counts[name])
	})
	if err != nil {
		return err
	}
	how := "as check opens the files"
	if b.given {
		how = "with dialect and framing given"
	}
	fmt.Printf("random damage of any field, %s, %d of %d files\n", how, sum.Files, len(files))
	sum.WriteRandom(os.Stdout)
	fmt.Printf("%v; the slowest took %v; %d broken; %d repairs promised in vain\n", time.Since(start).Round(time.Second), sum.Slowest.Round(time.Millisecond), sum.Broken, sum.Unkept)
	return ctx.Err()
}

// different lists the files of all folders that belong to the half asked for, without
// those whose bytes another has.
func (b *bench) different() (names []string, err error) {
	seen := map[uint64]bool{}
	for _, folder := range b.folders {
		found, err := b.files(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			h := fnv.New64a()
			h.Write(data)
			sum := h.Sum64()
			half := string('a' + rune(sum>>32&1))
			if !seen[sum] && (b.half == "" || b.half == half) {
				names = append(names, name)
			}
			seen[sum] = true
		}
	}
	if len(names) == 0 {
		err = errors.New("there are no files")
	}
	return names, err
}

// damageAnywhere damages one file a number of times.
func (b *bench) damageAnywhere(ctx context.Context, worker int, name string, n int) (*measure.Tally, error) {
	tally := new(measure.Tally)
	f, err := measure.Load(ctx, name)
	if err != nil || f.Unfit() != "" || len(f.Fields) == 0 {
		return tally, err
	}
	tally.Files = 1
	r := f.Rand(b.seed)
	for range n {
		m := f.Random(r)
		b.running.Store(worker, &job{what: repeat(name, &m), since: time.Now()})
		v := f.Judge(ctx, &m, b.given)
		tally.AddRandom(f, &m, v)
		b.note(f, &m, v, f.Fault(&m, v), b.given)
	}
	b.running.Delete(worker)
	return tally, ctx.Err()
}
