// Command gen writes a large synthetic save for the benchmark, always the same bytes for the same flags.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"varview/bench/capture"
	"varview/bench/hostile"
	"varview/bench/savegame"
)

func main() {
	kind := flag.String("kind", "mixed", "`KIND` of file: "+savegame.KindNames()+"; captures: pcap, pcapng; hostile ones: "+hostile.Names())
	size := flag.String("size", "1GiB", "`SIZE` such as 1GiB, 64MB or 4096; met to 1 KiB; 0 is the usual one of a hostile file")
	dialect := flag.String("dialect", "godot4", "`DIALECT`: godot4 or godot3")
	seed := flag.Uint64("seed", 1, "`SEED` of the made-up content")
	out := flag.String("o", "", "`FILE` to write")
	flag.Parse()
	if err := write(*kind, *dialect, *size, *seed, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(2)
	}
}

// write makes the file and says on standard error how fast.
func write(kind, dialect, size string, seed uint64, out string) error {
	if out == "" {
		return fmt.Errorf("no output file; use -o FILE")
	}
	n, err := savegame.ParseSize(size)
	if err != nil {
		return err
	}
	start := time.Now()
	if h, err := hostile.Named(kind); err == nil {
		return os.WriteFile(out, h.Bytes(int(n)), 0o666)
	}
	if k := capture.Kind(kind); k == capture.PCAP || k == capture.PCAPNG {
		return capture.WriteFile(out, k, n)
	}
	plan := savegame.Plan{
		Kind: savegame.Kind(kind), Dialect: savegame.Dialect(dialect), Size: n, Seed: seed,
	}
	if err := plan.WriteFile(out); err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Fprintf(os.Stderr, "%s: %s in %.2f s, %.0f MB/s\n", out, size, took.Seconds(), float64(n)/1e6/took.Seconds())
	return nil
}
