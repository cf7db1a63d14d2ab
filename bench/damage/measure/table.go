package measure

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// A Tally counts verdicts of damage, by what was done and by the field to which it was done.
type Tally struct {
	Files   int
	Total   Counts
	ByWay   map[string]*Counts
	ByField map[string]*Counts
	Broken  int // panics, and fields that do not tile
	Unkept  int // repairs that are offered and cannot be made
	Slowest time.Duration
}

// Counts are numbers of verdicts. All and what follows is of damage that another valid file cannot explain.
type Counts [columns]int

// The counts: of the true cause, whether it is named; of what was not cut, whether it was restored; of the part of that which the
// remaining bytes determine, too; other valid files, and damage that changes nothing that the engine reads.
const (
	All = iota
	Reported
	Located
	First
	Three
	Any
	Whole
	Restored
	AnyRestored
	Restorable
	Recovered
	Valid
	Unseen
	columns
)

// NewTally returns a tally without verdicts.
func NewTally() *Tally { return &Tally{ByWay: map[string]*Counts{}, ByField: map[string]*Counts{}} }

// Add counts the verdict of a mutation.
func (t *Tally) Add(f *File, m *Mutation, v *Verdict) {
	c := f.count(m, v)
	field := "after the end"
	if m.Field != nil {
		field = m.Field.Kind.String()
	}
	way := m.Way.String()
	t.Join(&Tally{Total: c, ByWay: map[string]*Counts{way: &c}, ByField: map[string]*Counts{field: &c},
		Broken: one(v.Answer.Broken != ""), Unkept: one(v.Answer.Unkept != ""), Slowest: v.Took})
}

func (f *File) count(m *Mutation, v *Verdict) (c Counts) {
	switch v.Class {
	case valid:
		c[Valid] = 1
		return c
	case silent:
		c[Unseen] = 1
		return c
	}
	c[All], c[Reported], c[Located], c[First], c[Three], c[Any] = 1, one(v.Class != missed), one(v.Located), one(v.First), one(v.Three), one(v.Any)
	if m.Way != Cut {
		c[Whole], c[Restored], c[AnyRestored] = 1, one(v.Restores), one(v.AnyRestores)
		if f.isRestorable(m) {
			c[Restorable], c[Recovered] = 1, one(v.Restores)
		}
	}
	return c
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
	t.Total.join(&o.Total)
	joinAll(t.ByWay, o.ByWay)
	joinAll(t.ByField, o.ByField)
}

func joinAll(to, from map[string]*Counts) {
	for name, c := range from {
		if to[name] == nil {
			to[name] = &Counts{}
		}
		to[name].join(c)
	}
}

func (c *Counts) join(o *Counts) {
	for i, n := range o {
		c[i] += n
	}
}

// Share returns how many percent of one count another one is; 100 of none.
func (c *Counts) Share(n, of int) float64 {
	if c[of] == 0 {
		return 100
	}
	return 100 * float64(c[n]) / float64(c[of])
}

// Write writes the table.
func (t *Tally) Write(out io.Writer) {
	fmt.Fprintf(out, "%-24s %7s %8s %8s %8s %8s %8s %9s %8s %8s %10s %8s %7s %7s\n", "", "damage", "reported", "located", "first", "in three", "in all", "not cut", "restored", "by any", "restorable", "restored", "valid", "no harm")
	t.Total.write(out, "all")
	for _, rows := range []map[string]*Counts{t.ByWay, t.ByField} {
		fmt.Fprintln(out)
		names := slices.SortedFunc(maps.Keys(rows), func(a, b string) int {
			return cmp.Or(cmp.Compare(rows[b][All], rows[a][All]), cmp.Compare(a, b))
		})
		for _, name := range names {
			rows[name].write(out, "  "+name)
		}
	}
}

func (c *Counts) write(out io.Writer, name string) {
	fmt.Fprintf(out, "%-24s %7d %7.1f%% %7.1f%% %7.1f%% %7.1f%% %7.1f%% %9d %7.1f%% %7.1f%% %10d %7.1f%% %7d %7d\n", name, c[All], c.Share(Reported, All), c.Share(Located, All), c.Share(First, All), c.Share(Three, All), c.Share(Any, All),
		c[Whole], c.Share(Restored, Whole), c.Share(AnyRestored, Whole), c[Restorable], c.Share(Recovered, Restorable), c[Valid], c[Unseen])
}
