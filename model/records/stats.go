package records

import (
	"cmp"
	"slices"
	"strconv"
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
	Kind    string   `json:"kind"`
	Method  string   `json:"method,omitempty"`
	Path    string   `json:"path,omitempty"`  // of the first node
	Nodes   int      `json:"nodes,omitempty"` // number of nodes, as far as they were counted
	Count   int64    `json:"count"`
	Bytes   int64    `json:"bytes"`
	Rate    Rate     `json:"bytes_per_second"` // set by Groups
	Largest int64    `json:"largest"`
	Where   int      `json:"largest_message"` // number of the largest record
	Copies  int64    `json:"copies"`          // number of those that were passed on
	Wire    int64    `json:"wire"`            // bytes with all that is around them
	Peak    int64    `json:"most_per_second"` // most in a second, without copies
	Time    Timeline `json:"-"`               // empty if there were many groups before

	nodes  map[string]bool
	drawn  bool
	second time.Duration // the last one, and how many were in it
	within int64
}

// A Rate is a number of bytes per second.
type Rate float64

// MarshalJSON implements json.Marshaler.
func (r Rate) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(r), 'f', 1, 64), nil
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
		g.Rate = Rate(s.Rate(g.Bytes))
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

// Copies finds records that are copies of others, because a server has passed them on.
type Copies struct {
	seen map[uint64]*passed
	kept int
}

// A passed counts originals and their copies.
type passed struct {
	originals int
	to        map[string]int // copies by receiver
}

// maxPassed is the number of receivers of records that are kept.
const maxPassed = 64 << 10

// Has reports whether a record is a copy of an earlier one. If the original is missing, the first copy stands for it.
func (c *Copies) Has(is format.Copy) bool {
	if is.Of == 0 {
		return false
	}
	if c.seen == nil || c.kept > maxPassed {
		c.seen, c.kept = map[uint64]*passed{}, 0
	}
	p := c.seen[is.Of]
	if p == nil {
		p = &passed{to: map[string]int{}}
		c.seen[is.Of] = p
	}
	c.kept++
	if is.IsFirst {
		p.originals++
		return false
	}
	p.to[is.To]++
	if p.to[is.To] <= p.originals {
		return true
	}
	p.originals = p.to[is.To]
	return false
}

// parts is the largest number of parts of a Timeline.
const parts = 512

// leastPart is the shortest length of a part.
const leastPart = time.Millisecond

// A Timeline counts the bytes of records by time, in parts of length Step. Records may come in any order.
type Timeline struct {
	First time.Time // start of the first part
	Step  time.Duration
	Bytes []float64
}

// add adds bytes at a time. If there are too many parts, they are merged in pairs.
func (t *Timeline) add(at time.Time, bytes int64) {
	if t.Step == 0 {
		t.First, t.Step = at, leastPart
	}
	i := max(0, int64(at.Sub(t.First)/t.Step))
	for ; i >= parts; i /= 2 {
		for j := range t.Bytes {
			was := t.Bytes[j]
			t.Bytes[j] = 0
			t.Bytes[j/2] += was
		}
		t.Bytes = t.Bytes[:(len(t.Bytes)+1)/2]
		t.Step *= 2
	}
	for int64(len(t.Bytes)) <= i {
		t.Bytes = append(t.Bytes, 0)
	}
	t.Bytes[i] += float64(bytes)
}

// Rates returns bytes per second in n equal parts of the time from first to last.
func (t *Timeline) Rates(first, last time.Time, n int) []float64 {
	rates := make([]float64, n)
	each := last.Sub(first).Seconds() / float64(n)
	if each <= 0 {
		return rates
	}
	for i, bytes := range t.Bytes {
		from := t.First.Add(time.Duration(i)*t.Step).Sub(first).Seconds() / each
		if from >= float64(n) { // at the very end
			rates[n-1] += bytes / each
			continue
		}
		to := min(from+t.Step.Seconds()/each, float64(n))
		rate := bytes / (to - from) / each
		for j := max(0, int(from)); j < n && float64(j) < to; j++ {
			rates[j] += rate * (min(to, float64(j+1)) - max(from, float64(j)))
		}
	}
	return rates
}
