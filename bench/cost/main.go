// Command cost counts what every command does with hostile files, and with such files of twice the size.
// If it is built for coverage, it also counts executed statements:
//
//	go run -cover -covermode=atomic -coverpkg=varview/... ./bench/cost
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"varview/bench/hostile"
)

// tooMuch is the growth of the cost, when the file's size doubles, from which it no longer counts as
// proportional.
const tooMuch = 2.6

var errTooMuch = errors.New("some costs grow faster than the files")

func main() {
	sizes := flag.String("sizes", "20000,40000,80000", "`SIZES` of the files in bytes, each twice the one before")
	kinds := flag.String("kinds", "", "`KINDS` of files, with commas between (default: all)")
	only := flag.String("requests", "", "`REQUESTS`, with commas between (default: all)")
	all := flag.Bool("all", false, "print all costs, not only those that grow faster than the files")
	profile := flag.String("profile", "", "write a profile of the processor time to `FILE`")
	flag.Parse()
	err := profiled(*profile, func() error { return compare(*sizes, *kinds, *only, *all) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

// profiled calls f, with a profile if a file is named.
func profiled(name string, f func() error) error {
	if name == "" {
		return f()
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

// compare prints what the requests cost with files of the given sizes.
func compare(sizes, kinds, only string, all bool) error {
	var numbers []int
	for _, s := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	os.Setenv("VARVIEW_CONFIG", "") // not the configuration of whoever runs this
	os.Setenv("XDG_STATE_HOME", dir)
	isWithin := true
	for _, k := range hostile.Kinds {
		if !isAsked(kinds, k.Name) {
			continue
		}
		for _, r := range requests {
			if !isAsked(only, r.name) {
				continue
			}
			works, err := costs(dir, k, r, numbers)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", k.Name, r.name, err)
			}
			g := growth(works)
			if isWithin = isWithin && g <= tooMuch; all || g > tooMuch {
				fmt.Printf("%-20s %-12s %4.1f× %v\n", k.Name, r.name, g, works)
			}
		}
	}
	if !isWithin {
		return errTooMuch
	}
	return nil
}

// isAsked reports whether a name is in a list with commas, which is empty for all.
func isAsked(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}

// costs carries out a request on files of a kind.
func costs(dir string, k hostile.Kind, r request, sizes []int) (works []work, err error) {
	for _, n := range sizes {
		f, err := write(dir, k, n)
		if err != nil {
			return nil, err
		}
		w, err := count(r, f)
		if err := errors.Join(err, os.Remove(f.plain), os.Remove(f.edited)); err != nil {
			return nil, err
		}
		works = append(works, w)
	}
	return works, nil
}

// files are a hostile file, and one that differs from it.
type files struct {
	kind                  hostile.Kind
	plain, edited, merged string
}

func write(dir string, k hostile.Kind, size int) (files, error) {
	b := k.Bytes(size)
	f := files{k, filepath.Join(dir, "plain"), filepath.Join(dir, "edited"), filepath.Join(dir, "merged")}
	if err := os.WriteFile(f.plain, b, 0o666); err != nil {
		return f, err
	}
	if at := len(b) - 4; at > 0 {
		copy(b[at:], []byte{2, 0, 0, 0})
	}
	return f, os.WriteFile(f.edited, b, 0o666)
}
