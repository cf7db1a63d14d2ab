// Patches makes random edits of saves, and holds what patches and merges promise about them; see
// bench/README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	"varview/bench/patches/patchtest"
)

func main() {
	n := flag.Int("n", 10000, "number of edits")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	most := flag.Int("list", 10, "wrong cases that are printed")
	one := flag.Int("case", -1, "make only this edit")
	lists := flag.Bool("lists", false, "make lists as text in place of edits of files")
	refused := flag.Bool("refused", false, "print what was refused, and why")
	flag.Parse()
	folders := flag.Args()
	if len(folders) == 0 {
		folders = []string{"testdata"}
	}
	if err := run(folders, *seed, *n, *most, *one, *refused, *lists); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folders []string, seed uint64, n, most, one int, refused, lists bool) error {
	ctx := context.Background()
	t, err := tally(ctx, folders, seed, n, one, lists)
	if err != nil {
		return err
	}
	fmt.Print(t.Table())
	for _, w := range t.Broken[:min(len(t.Broken), most)] {
		fmt.Println(w)
	}
	if refused {
		for _, why := range slices.Sorted(maps.Keys(t.Why)) {
			fmt.Println(why)
		}
	}
	if len(t.Broken) > 0 {
		return fmt.Errorf("%d are broken", len(t.Broken))
	}
	return nil
}

func tally(ctx context.Context, folders []string, seed uint64, n, one int, lists bool) (*patchtest.Tally, error) {
	if lists {
		return patchtest.Lists(ctx, os.TempDir(), seed, n)
	}
	x, err := patchtest.NewRunner(ctx, folders...)
	if err != nil {
		return nil, err
	}
	if one >= 0 {
		return x.One(ctx, seed, one)
	}
	return x.Run(ctx, seed, n)
}
