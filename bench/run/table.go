package main

import (
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"
)

// verdict is the last column.
type verdict string

const (
	ok      verdict = "ok"
	over    verdict = "over"
	failed  verdict = "failed"
	skipped verdict = "skipped"
	none    verdict = "–" // no budget
)

func within(good bool) verdict {
	if good {
		return ok
	}
	return over
}

// A row is one line of the table, and lines of notes below it.
type row struct {
	what, ours, peer, ratio, budget string
	verdict                         verdict
	notes                           []string
}

var widths = [...]int{44, 30, 32, 8, 26, 7}

func printHead(w io.Writer) {
	row{what: "what", ours: "ours", peer: "peer", ratio: "ratio", budget: "budget", verdict: "verdict"}.print(w)
}

func (r row) print(w io.Writer) {
	for i, cell := range []string{r.what, r.ours, r.peer, r.ratio, r.budget, string(r.verdict)} {
		if cell == "" {
			cell = string(none)
		}
		if i == len(widths)-1 {
			fmt.Fprintln(w, cell)
			break
		}
		fmt.Fprintf(w, "%s%*s", cell, max(widths[i]-utf8.RuneCountInString(cell), 1), "")
	}
	for _, note := range r.notes {
		fmt.Fprintln(w, "    "+note)
	}
}

func times(x float64) string {
	return fmt.Sprintf("%.2f×", x)
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}

func mebibytes(n int64) string {
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// speed is in MB/s, of 10⁶ bytes.
func speed(bytes int64, d time.Duration) float64 {
	return float64(bytes) / 1e6 / d.Seconds()
}

func timeAndSpeed(bytes int64, d time.Duration) string {
	return fmt.Sprintf("%.3f s, %.0f MB/s", d.Seconds(), speed(bytes, d))
}

// percentile returns the smallest sample that at least p of all do not exceed; 0 < p ≤ 1. It sorts the samples.
func percentile(samples []time.Duration, p float64) time.Duration {
	slices.Sort(samples)
	return samples[min(int(p*float64(len(samples))+0.999999), len(samples))-1]
}

func median(samples []time.Duration) time.Duration {
	return percentile(samples, 0.5)
}
