package endtoend

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"varview/bench/damage/measure"
)

// beyondTruth matches what the reference contains and the truths do not: the bits of a NaN, the key type
// that a Dictionary lacks, a TypedArray's class.
var beyondTruth = regexp.MustCompile(`nan[0-9a-f]+|<>|\(StringName "\w*"\)`)

// likeTruth returns a reading in the form of the truths.
func likeTruth(s string) string {
	return beyondTruth.ReplaceAllStringFunc(s, func(more string) string {
		if strings.HasPrefix(more, "nan") {
			return "nan"
		}
		return ""
	})
}

// TestVariantReference compares the second reader, with which damage is measured,
// with what the engines wrote.
func TestVariantReference(t *testing.T) {
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		f, err := measure.Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Variants()
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, f := range r.Frames {
			got = append(got, likeTruth(f.Value+f.Err))
		}
		odd := ""
		for _, v := range tr.values(t) {
			if strings.Contains(v, `\ufeff`) { // which the engine writes, and drops when it reads
				odd, v = "a byte order mark", strings.ReplaceAll(v, `\ufeff`, "")
			}
			want = append(want, likeTruth(v))
		}
		if !slices.Equal(got, want) {
			t.Errorf("reads\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if r.Oddness != odd {
			t.Errorf("odd: %q, want %q", r.Oddness, odd)
		}
	})
}

// damageFiles lists files to damage.
func damageFiles(t *testing.T, patterns ...string) (names []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		names = append(names, found...)
	}
	return names
}

// damageFloors are the lowest accepted shares in percent, for random damage of small files, as check opens
// them and, if different, with dialect and framing given: of changes of meaning that are reported, of
// causes named among the first three, of repairs that restore the file. Where nothing is given, bytes at the
// start may as well be a header of the game's own: then both are named, and nothing is repaired.
var damageFloors = []struct {
	folder                    string
	given                     bool
	reported, named, restored float64
}{
	{"godot4", false, 96, 89, 81},
	{"godot4", true, 98, 94, 88},
	{"godot3", false, 93, 82, 81},
	{"godot3", true, 97, 89, 88},
	{"pandemonium", false, 95, 84, 72},
	{"pandemonium", true, 97, 91, 85},
	{"wrapped", false, 97, 69, 28},
	{"elephant", false, 97, 84, 85},
}

// TestDamage damages small files and checks how much of the damage is reported, and
// how often with its true cause. The whole measurement is go run ./bench/damage.
func TestDamage(t *testing.T) {
	long(t)
	const small, most = 400, 40
	for _, floor := range damageFloors {
		t.Run(fmt.Sprintf("%s, given %v", floor.folder, floor.given), func(t *testing.T) {
			t.Parallel()
			tally := measure.NewTally()
			names := damageFiles(t, "testdata/"+floor.folder+"/*.bin")
			every := max(1, len(names)/most)
			for i, name := range names {
				if i%every > 0 {
					continue
				}
				info, err := os.Stat(name)
				if err != nil {
					t.Fatal(err)
				}
				if info.Size() <= small {
					damageFile(t, name, floor.given, tally)
				}
			}
			if tally.Files < 15 {
				t.Fatalf("%d files", tally.Files)
			}
			c := &tally.Total
			reported, named, restored := c.Share(measure.Reported, measure.All), c.Share(measure.Three, measure.All), c.Share(measure.Recovered, measure.Restorable)
			t.Logf("%d files: %d losses, %.2f%% reported, %.2f%% named; %d restorable, %.2f%% restored; %d promised in vain",
				tally.Files, c[measure.All], reported, named, c[measure.Restorable], restored, tally.Unkept)
			if reported < floor.reported || named < floor.named || restored < floor.restored || tally.Unkept > 0 {
				t.Errorf("want %.0f%% reported, %.0f%% named, %.0f%% restored, none in vain", floor.reported, floor.named, floor.restored)
			}
		})
	}
}

// damageFile damages a file in some ways.
func damageFile(t *testing.T, name string, given bool, tally *measure.Tally) {
	const ways = 2
	f, err := measure.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if f.Unfit() != "" {
		return
	}
	tally.Files++
	r := f.Rand(1)
	for range ways {
		m := f.Random(r)
		v := f.Judge(t.Context(), &m, given)
		tally.Add(f, &m, v)
		if v.Answer.Broken != "" {
			t.Errorf("%s: %s: %s", name, f.Describe(&m, v), v.Answer.Broken)
		}
	}
}
