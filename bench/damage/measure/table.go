package measure

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Tally counts verdicts.
type Tally struct {
	Files   int
	Counts  [classes]int
	Wheres  map[string]int // of Reported
	Valid   map[string]int // of Valid
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
	Valid                int // other valid files, which are no damage
	Unseen               int // damage that does not change what the engine reads
}

// NewTally returns one of nothing.
func NewTally() *Tally { return &Tally{Wheres: map[string]int{}, Valid: map[string]int{}} }

// isByte reports whether a mutation belongs to the first table.
func isByte(w Way) bool { return w == ChangedByte || w == Cut }

// Add counts a verdict.
func (t *Tally) Add(f *File, m *Mutation, v *Verdict) {
	t.Slowest = max(t.Slowest, v.Took)
	t.Broken += one(v.Answer.Broken != "")
	t.Unkept += one(v.Answer.Unkept != "")
	if isByte(m.Way) {
		t.Counts[v.Class]++
		switch v.Class {
		case Reported:
			t.Wheres[v.Where]++
		case Valid:
			t.Valid[v.Where]++
		}
	}
	if m.Way == ChangedByte {
		return
	}
	c := &t.Causes[m.Way]
	switch {
	case v.Class == Valid:
		c.Valid++
		return
	case v.Class == Silent:
		c.Unseen++
		return
	}
	c.All++
	c.First += one(v.First)
	c.Three += one(v.Three)
	if f.IsRestorable(m) {
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
	for k, n := range o.Wheres {
		t.Wheres[k] += n
	}
	for k, n := range o.Valid {
		t.Valid[k] += n
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
	c.Valid += o.Valid
	c.Unseen += o.Unseen
}

// Share returns the share of the mutations that change what the engine reads that
// are reported: at the damage, and anywhere.
func (t *Tally) Share() (near, anywhere float64) {
	all := t.Counts[Reported] + t.Counts[Elsewhere] + t.Counts[Missed]
	return share(t.Counts[Reported], all), share(t.Counts[Reported]+t.Counts[Elsewhere], all)
}

// Diagnosed sums up single damage: of one length, of one byte, or after one offset.
// Several bytes lost or inserted are counted apart.
func (t *Tally) Diagnosed() (sum Causes) {
	for _, w := range []Way{WrongLength, LostByte, InsertedByte, Cut} {
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

// A Table is a name and a tally of each row.
type Table struct {
	Names []string
	Rows  []*Tally
}

// WriteReported writes the table of changed bytes and cuts.
func (t *Table) WriteReported(out io.Writer) {
	fmt.Fprintf(out, "%-28s %6s %9s %9s %9s %7s %8s %8s %8s %8s %8s\n", "", "files", "mutations", "reported", "elsewhere", "missed", "share", "anywhere", "valid", "silent", "remarked")
	for i, name := range t.Names {
		r := t.Rows[i]
		near, anywhere := r.Share()
		all := 0
		for _, n := range r.Counts {
			all += n
		}
		fmt.Fprintf(out, "%-28s %6d %9d %9d %9d %7d %7.2f%% %7.2f%% %8d %8d %8d\n", name, r.Files, all, r.Counts[Reported], r.Counts[Elsewhere], r.Counts[Missed],
			near, anywhere, r.Counts[Valid], r.Counts[Silent], r.Counts[Remarked])
	}
	last := t.Rows[len(t.Rows)-1]
	fmt.Fprintf(out, "reported in: %s\nother valid files: %s\n\n", most(last.Wheres), most(last.Valid))
}

// WriteCauses writes the table of causes, of all rows and for each way.
func (t *Table) WriteCauses(out io.Writer) {
	fmt.Fprintf(out, "%-28s %9s %8s %8s %10s %8s %8s %8s\n", "", "damage", "first", "in three", "restorable", "restored", "valid", "no harm")
	for i, name := range t.Names {
		sum := t.Rows[i].Diagnosed()
		sum.write(out, name)
	}
	last := t.Rows[len(t.Rows)-1]
	for _, w := range []Way{WrongLength, LostByte, InsertedByte, Cut} {
		last.Causes[w].write(out, "  "+w.String())
	}
	for _, w := range []Way{LostBytes, InsertedBytes} {
		last.Causes[w].write(out, "apart: "+w.String()+", 2 to 8")
	}
	fmt.Fprintln(out)
}

func (c *Causes) write(out io.Writer, name string) {
	fmt.Fprintf(out, "%-28s %9d %7.2f%% %7.2f%% %10d %7.2f%% %8d %8d\n", name, c.All, share(c.First, c.All), share(c.Three, c.All),
		c.Restorable, share(c.Restored, c.Restorable), c.Valid, c.Unseen)
}

// most lists counts, the largest first.
func most(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	if len(names) > 12 {
		names = names[:12]
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	return strings.Join(names, "; ")
}
