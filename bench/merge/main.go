// Merge merges random lists, and compares the results with a plain model of the edits that both sides
// have made; see bench/README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"varview/bench/merge/mergetest"
)

func main() {
	n := flag.Int("n", 20000, "number of cases")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	most := flag.Int("list", 10, "wrong cases that are printed")
	flag.Parse()
	if err := run(*seed, *n, *most); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(seed uint64, n, most int) error {
	ctx := context.Background()
	x, err := mergetest.NewRunner(ctx, "testdata")
	if err != nil {
		return err
	}
	t, err := x.Run(ctx, seed, n)
	if err != nil {
		return err
	}
	fmt.Print(t.Table())
	for i, w := range t.Wrong {
		if i < most {
			fmt.Println(w)
		}
	}
	return t.Err()
}
