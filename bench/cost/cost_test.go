package main

import (
	"testing"

	"varview/bench/hostile"
)

// TestCosts doubles hostile files: what is executed, allocated and written may at most double too. Statements are counted with
// -covermode=atomic -coverpkg=varview/...; memory and output always are.
func TestCosts(t *testing.T) {
	t.Setenv("VARVIEW_CONFIG", "")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	for kind, names := range map[string]string{
		"deep-arrays":      "info,check,dump,export,get-json,explore",
		"deep-keys":        "check",
		"deep-list":        "dump,export,explore",
		"gcpf-wrong-table": "check",
	} {
		k, err := hostile.Named(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			if !isAsked(names, r.name) {
				continue
			}
			works, err := costs(dir, k, r, []int{40_000, 80_000})
			if err != nil {
				t.Fatal(err)
			}
			if g := growth(works); g > tooMuch || works[0].allocated == 0 {
				t.Errorf("%s, %s: %.1f times as much for twice the bytes: %v", kind, r.name, g, works)
			}
		}
	}
}

// TestGrowth: what is little is not compared.
func TestGrowth(t *testing.T) {
	const n = 100 << 20
	for _, test := range []struct {
		works []work
		want  float64
	}{
		{[]work{{blocks: n}, {blocks: 2 * n}, {blocks: 8 * n}}, 4},
		{[]work{{allocated: n}, {allocated: 3 * n}}, 3},
		{[]work{{written: n}, {written: 4 * n}}, 4},
		{[]work{{blocks: 10, allocated: 10, written: 10}, {blocks: 1000, allocated: 1000, written: 1000}}, 0},
	} {
		if g := growth(test.works); g < test.want || g > test.want+0.1 {
			t.Errorf("%v: %g, not %g", test.works, g, test.want)
		}
	}
}

// TestSumCounters: the counters of all functions are added up, in both of their forms.
func TestSumCounters(t *testing.T) {
	head := make([]byte, fileHeader+segmentStart)
	head[fileHeader] = 2 // functions
	foot := make([]byte, fileFooter)
	short := append(append(head[:len(head):len(head)], 2, 0, 0, 5, 0x80, 1, 1, 0, 1, 7), foot...)
	head[flavorAt] = rawFlavor
	raw := append(append(head[:len(head):len(head)], 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), foot...)
	head[flavorAt] = 0
	short[flavorAt] = 2
	for name, test := range map[string]struct {
		file []byte
		want int64
	}{"short": {short, 5 + 128 + 7}, "raw": {raw, 9}} {
		if sum, err := sumCounters(test.file); sum != test.want || err != nil {
			t.Errorf("%s: %d, not %d (%v)", name, sum, test.want, err)
		}
	}
	if _, err := sumCounters(short[:40]); err == nil {
		t.Error("a file that is cut")
	}
}
