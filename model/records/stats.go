package records

import (
	"cmp"
	"slices"
	"time"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
)

const (
	maxGroups = 64 << 10 // groups that are kept apart
	maxDrawn  = 1 << 10  // groups with a timeline of their own
	maxKept   = 16 << 20 // approximate bytes of names of methods and nodes
)

// Stats sums up records by what they do: calls by their methods.
type Stats struct {
	Records     int64
	Copies      int64 // number of those that were passed on
	Bytes       int64
	Wire        int64     // bytes with all that is around them
	First, Last time.Time // times of the first and last record with a time
	Time        Timeline
	copies      Copies
	groups      map[groupKey]*Group
	kept        int // bytes of names
}

// A Group is all records that do the same.
type Group struct {
	Kind    string
	Path    string // of the first node
	Nodes   int    // number of nodes, as far as they were counted
	Method  string
	Count   int64
	Copies  int64 // number of those that were passed on
	Peak    int64 // most in a second, without copies
	Bytes   int64
	Wire    int64 // bytes with all that is around them
	Largest int64
	Where   int      // number of the largest record
	Time    Timeline // empty if there were many groups before

	nodes  map[string]bool
	drawn  bool
	second time.Duration // the last one, and how many were in it
	within int64
}

// Others is the kind of the group of all records beyond the groups that are kept.
const Others = "others"

// Title returns the name of a group's method and nodes: "move of Game/Player and 3 other nodes".
func (g *Group) Title() string {
	switch {
	case g.Method == "":
		return ""
	case g.Nodes <= 1:
		return g.Method + " of " + g.Path
	}
	return g.Method + " of " + g.Path + " and " + span.Counted(int64(g.Nodes-1), "other node")
}

// A groupKey identifies a group. Nodes whose methods have the same names share the numbers of their
// methods.
type groupKey struct{ kind, method, group string }

// Add adds the record with a number.
func (s *Stats) Add(number int, r format.Record) {
	size, at := int64(len(r.Content())), r.When()
	s.Records++
	s.Bytes += size
	if !at.IsZero() {
		if s.First.IsZero() || at.Before(s.First) {
			s.First = at
		}
		if at.After(s.Last) {
			s.Last = at
		}
	}
	d := r.Deed()
	g, isCopy := s.group(d), s.copies.Has(d.Copy)
	s.Wire += int64(d.Wire)
	g.Wire += int64(d.Wire)
	if isCopy {
		s.Copies++
		g.Copies++
	} else if !at.IsZero() {
		g.pace(at.Sub(s.First).Truncate(time.Second))
	}
	if !at.IsZero() {
		s.Time.add(at, size)
		if g.drawn {
			g.Time.add(at, size)
		}
	}
	g.Count++
	g.Bytes += size
	if size > g.Largest || g.Count == 1 {
		g.Largest, g.Where = size, number
	}
}

// now returns a copy to read, which does not change when more records are added.
func (s *Stats) now() Stats {
	is := *s
	is.Time.Bytes, is.copies, is.groups = slices.Clone(s.Time.Bytes), Copies{}, map[groupKey]*Group{}
	for k, g := range s.groups {
		copied := *g
		copied.Time.Bytes, copied.nodes = slices.Clone(g.Time.Bytes), nil
		is.groups[k] = &copied
	}
	return is
}

// pace counts a record in a second.
func (g *Group) pace(second time.Duration) {
	if second != g.second {
		g.second, g.within = second, 0
	}
	g.within++
	g.Peak = max(g.Peak, g.within)
}

// group returns the group for what a record does.
func (s *Stats) group(d format.Deed) *Group {
	key := groupKey{d.Kind, d.Method, d.Group}
	if s.groups == nil {
		s.groups = map[groupKey]*Group{}
	}
	g := s.groups[key]
	if g == nil && (len(s.groups) >= maxGroups || s.kept > maxKept) {
		key = groupKey{kind: Others}
		g = s.groups[key]
	}
	if g == nil {
		g = &Group{Kind: key.kind, Method: key.method, nodes: map[string]bool{}, drawn: len(s.groups) < maxDrawn}
		s.groups[key] = g
		s.keep(key.method + key.group)
	}
	if key.method != "" {
		s.note(g, d.Path)
	}
	return g
}

// keep counts the memory that a name takes, with its bookkeeping.
func (s *Stats) keep(name string) { s.kept += 128 + len(name) }

// note counts a node of a group.
func (s *Stats) note(g *Group, path string) {
	if g.nodes[path] || s.kept > maxKept {
		return
	}
	g.nodes[path] = true
	s.keep(path)
	if g.Nodes = len(g.nodes); g.Nodes == 1 {
		g.Path = path
	}
}

// Groups returns the groups, largest number of bytes first.
func (s *Stats) Groups() []*Group {
	var all []*Group
	for _, g := range s.groups {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Method, b.Method), cmp.Compare(a.Path, b.Path))
	})
	return all
}

// Rate returns bytes per second; 0 if the records have no times.
func (s *Stats) Rate(bytes int64) float64 {
	if seconds := s.Last.Sub(s.First).Seconds(); seconds > 0 {
		return float64(bytes) / seconds
	}
	return 0
}
