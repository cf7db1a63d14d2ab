package endtoend

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
)

// A confidenceCount counts what detection says of files whose dialect is known.
type confidenceCount struct {
	all, answered, also, alternative int // what names the right dialect
	confidence                       map[decoder.Confidence]int
	wronglyCertain                   int
}

// add detects the dialect of data.
func (c *confidenceCount) add(t *testing.T, data []byte, right string) {
	t.Helper()
	d, err := decoder.Open(t.Context(), source.Bytes(data), decoder.Options{Thorough: decoder.Through})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.Missing != nil || d.IsForeign() {
		return
	}
	c.all++
	c.confidence[d.Confidence]++
	switch {
	case d.Dialect == right:
		c.answered++
	case slices.Contains(d.Also, right):
		c.also++
	case d.Alternative != nil && d.Alternative.Format.Info().Dialect.Name == right:
		c.alternative++
	}
	if d.Confidence == decoder.Certain && d.Dialect != right {
		c.wronglyCertain++
	}
}

// TestConfidence cuts every second file and changes single bytes, at random, and counts how often
// the right dialect is named, and how often a wrong one is called certain. With -v it
// prints the counts; -corpus takes all of others.
func TestConfidence(t *testing.T) {
	long(t)
	t.Parallel()
	const maxSize, cuts, changes = 512, 1, 1
	counts := map[string]*confidenceCount{}
	for _, kind := range []string{"right", "cut", "changed"} {
		counts[kind] = &confidenceCount{confidence: map[decoder.Confidence]int{}}
	}
	i := 0
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		if i++; i%2 > 0 && *corpus == "" {
			return
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > maxSize || len(data) < 2 || tr.unlock() != nil {
			return
		}
		counts["right"].add(t, data, tr.dialect())
		h := fnv.New64a()
		h.Write(data)
		random := rand.New(rand.NewPCG(h.Sum64(), 0))
		for range cuts {
			counts["cut"].add(t, data[:1+random.IntN(len(data)-1)], tr.dialect())
		}
		for range changes {
			changed := slices.Clone(data)
			changed[random.IntN(len(data))] += byte(1 + random.IntN(255))
			counts["changed"].add(t, changed, tr.dialect())
		}
	})
	for kind, c := range counts {
		t.Logf("%-7s %5d: %d answered, %d also, %d as alternative; %v; %d certain of a wrong dialect",
			kind, c.all, c.answered, c.also, c.alternative, c.confidence, c.wronglyCertain)
		named := c.answered + c.also + c.alternative
		if c.all < 70 || c.wronglyCertain*200 > c.all || named*100 < 90*c.all || kind == "right" && (c.answered+c.also < c.all || c.wronglyCertain > 0) {
			t.Errorf("%s: %d of %d named, %d certain of a wrong dialect", kind, named, c.all, c.wronglyCertain)
		}
	}
}
