package measure

import "time"

// A Tally counts verdicts.
type Tally struct {
	Files   int
	Counts  [classes]int
	Causes  [ways]Causes
	Random  Sample
	Broken  int // panics, and fields that do not tile
	Unkept  int // repairs that are offered and cannot be made
	Slowest time.Duration
}

// Causes counts how often the true cause of damage was named.
type Causes struct {
	All, First, Three    int
	Restorable, Restored int
}

// isByte reports whether a mutation belongs to the first table.
func isByte(w Way) bool { return w == changedByte || w == Cut }

// Add counts a verdict.
func (t *Tally) Add(f *File, m *Mutation, v *Verdict) {
	t.Slowest = max(t.Slowest, v.Took)
	t.Broken += one(v.Answer.Broken != "")
	t.Unkept += one(v.Answer.Unkept != "")
	if isByte(m.Way) {
		t.Counts[v.Class]++
	}
	if m.Way == changedByte || v.Class == valid || v.Class == silent {
		return
	}
	c := &t.Causes[m.Way]
	c.All++
	c.First += one(v.First)
	c.Three += one(v.Three)
	if f.isRestorable(m) {
		c.Restorable++
		c.Restored += one(v.Restores)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Join adds what another tally has counted.
func (t *Tally) Join(o *Tally) {
	t.Files += o.Files
	t.Broken += o.Broken
	t.Unkept += o.Unkept
	t.Slowest = max(t.Slowest, o.Slowest)
	for i, n := range o.Counts {
		t.Counts[i] += n
	}
	for i := range o.Causes {
		t.Causes[i].join(&o.Causes[i])
	}
	t.Random.join(&o.Random)
}

func (c *Causes) join(o *Causes) {
	c.All += o.All
	c.First += o.First
	c.Three += o.Three
	c.Restorable += o.Restorable
	c.Restored += o.Restored
}

// Share returns the share of the mutations that change what the engine reads that
// are reported: at the damage, and anywhere.
func (t *Tally) Share() (near, anywhere float64) {
	all := t.Counts[reported] + t.Counts[elsewhere] + t.Counts[missed]
	return share(t.Counts[reported], all), share(t.Counts[reported]+t.Counts[elsewhere], all)
}

// Diagnosed sums up single damage: of one length, of one byte, or after one offset.
// Several bytes lost or inserted are counted apart.
func (t *Tally) Diagnosed() (sum Causes) {
	for _, w := range []Way{wrongLength, lostByte, insertedByte, Cut} {
		sum.join(&t.Causes[w])
	}
	return sum
}

// Shares returns the share of causes named among the first three, and the share of
// restorable files that were restored.
func (c *Causes) Shares() (named, restored float64) {
	return share(c.Three, c.All), share(c.Restored, c.Restorable)
}

func share(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}
