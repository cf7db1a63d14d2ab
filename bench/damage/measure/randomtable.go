package measure

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A Sample counts the verdicts of random damage, by what was done and by the field to
// which it was done.
type Sample struct {
	Total   rates
	ByWay   map[string]*rates
	ByField map[string]*rates
}

// rates count how well damage was diagnosed that another valid file cannot explain.
type rates struct {
	All, Located, First, Three, Any int
	Whole, Restored, AnyRestored    int // what was not cut
	Restorable, Recovered           int // the part of it that the remaining bytes determine
	Valid, Unseen                   int // other valid files; damage that changes nothing that the engine reads
}

// AddRandom counts the verdict of a random damage.
func (t *Tally) AddRandom(f *File, m *Mutation, v *Verdict) {
	t.Slowest = max(t.Slowest, v.Took)
	t.Broken += one(v.Answer.Broken != "")
	t.Unkept += one(v.Answer.Unkept != "")
	var r rates
	switch v.Class {
	case valid:
		r.Valid = 1
	case silent:
		r.Unseen = 1
	default:
		r = rates{All: 1, Located: one(v.Located), First: one(v.First), Three: one(v.Three), Any: one(v.Any)}
		if m.Way != Cut {
			r.Whole, r.Restored, r.AnyRestored = 1, one(v.Restores), one(v.AnyRestores)
			if f.isRestorable(m) {
				r.Restorable, r.Recovered = 1, one(v.Restores)
			}
		}
	}
	field := "after the end"
	if m.Field != nil {
		field = m.Field.Kind.String()
	}
	t.Random.join(&Sample{r, map[string]*rates{m.Way.String(): &r}, map[string]*rates{field: &r}})
}

func (s *Sample) join(o *Sample) {
	s.Total.join(&o.Total)
	joinAll(&s.ByWay, o.ByWay)
	joinAll(&s.ByField, o.ByField)
}

func joinAll(to *map[string]*rates, from map[string]*rates) {
	if *to == nil {
		*to = map[string]*rates{}
	}
	for name, r := range from {
		if (*to)[name] == nil {
			(*to)[name] = &rates{}
		}
		(*to)[name].join(r)
	}
}

func (r *rates) join(o *rates) {
	r.All += o.All
	r.Located += o.Located
	r.First += o.First
	r.Three += o.Three
	r.Any += o.Any
	r.Whole += o.Whole
	r.Restored += o.Restored
	r.AnyRestored += o.AnyRestored
	r.Restorable += o.Restorable
	r.Recovered += o.Recovered
	r.Valid += o.Valid
	r.Unseen += o.Unseen
}

// WriteRandom writes the table of random damage.
func (t *Tally) WriteRandom(out io.Writer) {
	fmt.Fprintf(out, "%-24s %7s %8s %8s %8s %8s %9s %8s %8s %10s %8s %7s %7s\n", "", "damage", "located", "first", "in three", "in all", "not cut", "restored", "by any", "restorable", "restored", "valid", "no harm")
	t.Random.Total.write(out, "all")
	for _, rows := range []map[string]*rates{t.Random.ByWay, t.Random.ByField} {
		fmt.Fprintln(out)
		names := slices.SortedFunc(maps.Keys(rows), func(a, b string) int {
			return cmp.Or(cmp.Compare(rows[b].All, rows[a].All), cmp.Compare(a, b))
		})
		for _, name := range names {
			rows[name].write(out, "  "+name)
		}
	}
}

func (r *rates) write(out io.Writer, name string) {
	fmt.Fprintf(out, "%-24s %7d %7.1f%% %7.1f%% %7.1f%% %7.1f%% %9d %7.1f%% %7.1f%% %10d %7.1f%% %7d %7d\n", name, r.All, share(r.Located, r.All), share(r.First, r.All), share(r.Three, r.All), share(r.Any, r.All),
		r.Whole, share(r.Restored, r.Whole), share(r.AnyRestored, r.Whole), r.Restorable, share(r.Recovered, r.Restorable), r.Valid, r.Unseen)
}
