// Command cost counts what every command does with hostile files of a size, twice that, and so on: it must not grow faster than
// the files. It has to be built so that it counts the statements that are executed:
//
//	go run -cover -covermode=atomic -coverpkg=varview/... ./bench/cost
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"

	"varview/bench/hostile"
)

func main() {
	size := flag.String("sizes", "", "`SIZES` of the files in bytes, separated by commas (default: a size for each kind)")
	kinds := flag.String("kinds", "", "`KINDS` of files, separated by commas (default: all)")
	only := flag.String("requests", "", "`REQUESTS` to count, separated by commas (default: all)")
	all := flag.Bool("all", false, "print everything, not only what grows too fast")
	profile := flag.String("profile", "", "write a processor profile to `FILE`")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			panic(err)
		}
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	var sizes []int
	for _, s := range strings.Split(*size, ",") {
		var n int
		if _, err := fmt.Sscan(s, &n); err == nil {
			sizes = append(sizes, n)
		}
	}
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("VARVIEW_CONFIG", "")
	os.Setenv("XDG_STATE_HOME", dir)
	for _, k := range hostile.Kinds {
		if *kinds != "" && !slices.Contains(strings.Split(*kinds, ","), k.Name) {
			continue
		}
		var files []files
		for _, n := range sizes {
			f, err := write(dir, k, n)
			if err != nil {
				panic(err)
			}
			files = append(files, f)
		}
		for _, r := range requests {
			if *only != "" && !slices.Contains(strings.Split(*only, ","), r.name) {
				continue
			}
			var works []work
			for _, f := range files {
				w, err := count(r, f)
				if err != nil {
					fmt.Println(k.Name, r.name, err)
					break
				}
				works = append(works, w)
			}
			g := growth(works)
			if *all || g > 2.5 {
				mark := "  "
				if g > 2.5 {
					mark = "**"
				}
				fmt.Printf("%s %-20s %-12s %.2f", mark, k.Name, r.name, g)
				for _, w := range works {
					fmt.Printf("  %v", w)
				}
				fmt.Println()
			}
		}
		for _, f := range files {
			os.Remove(f.plain)
			os.Remove(f.edited)
		}
	}
}

type files struct {
	plain, edited string
	size          int
	kind          hostile.Kind
}

func write(dir string, k hostile.Kind, n int) (f files, err error) {
	b := k.Bytes(n)
	f = files{filepath.Join(dir, fmt.Sprint(k.Name, "-", n)), filepath.Join(dir, fmt.Sprint(k.Name, "-", n, "-edited")), n, k}
	if err := os.WriteFile(f.plain, b, 0o666); err != nil {
		return f, err
	}
	other := slices.Clone(b)
	if n := len(other); n > 16 {
		copy(other[n-4:], []byte{2, 0, 0, 0})
	}
	return f, os.WriteFile(f.edited, other, 0o666)
}
