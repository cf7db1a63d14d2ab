package messages

import (
	"cmp"
	"slices"
	"time"

	"varview/decoder/capture/message"
)

const (
	maxGroups = 64 << 10 // that are told apart
	maxKept   = 16 << 20 // bytes of names of methods and nodes, about
)

// Stats add up messages by what they do: calls by their methods.
type Stats struct {
	Messages    int64
	Bytes       int64
	First, Last time.Time // of the messages that have a time
	groups      map[groupKey]*Group
	kept        int // bytes of names
}

// A Group is all messages that do the same.
type Group struct {
	Kind    string
	Path    string // of the first node
	Nodes   int    // number of nodes, as far as they are counted
	Method  string
	Count   int64
	Bytes   int64 // of payloads
	Largest int64
	Where   int // the number of the largest message

	nodes map[string]bool
}

// A groupKey tells groups apart. Nodes whose methods have the same names share the numbers
// of their methods.
type groupKey struct{ kind, method, node string }

// Add adds a message.
func (s *Stats) Add(m *message.Message) {
	size := int64(len(m.Payload.Bytes))
	s.Messages++
	s.Bytes += size
	if t := m.Payload.Time; !t.IsZero() {
		if s.First.IsZero() || t.Before(s.First) {
			s.First = t
		}
		if t.After(s.Last) {
			s.Last = t
		}
	}
	g := s.group(m)
	g.Count++
	g.Bytes += size
	if size > g.Largest || g.Count == 1 {
		g.Largest, g.Where = size, m.Number
	}
}

// group returns the group of a message. What is relayed is in a group of its own.
func (s *Stats) group(m *message.Message) *Group {
	key := groupKey{kind: m.Kind.String()}
	b := m.Innermost()
	if b != &m.Body {
		key.kind += " " + b.Kind.String()
	}
	path := message.PathText(b.Path)
	switch {
	case b.Kind == message.Set, b.Kind == message.Call && (b.Named || b.Name != ""):
		key.method = message.MethodText(b)
	case b.Kind == message.Call:
		key.method, key.node = message.MethodText(b), b.Digest
		if b.Digest == "" {
			key.node = path
		}
	}
	if s.groups == nil {
		s.groups = map[groupKey]*Group{}
	}
	g := s.groups[key]
	if g == nil && (len(s.groups) >= maxGroups || s.kept > maxKept) {
		key = groupKey{kind: "others"}
		g = s.groups[key]
	}
	if g == nil {
		g = &Group{Kind: key.kind, Method: key.method, nodes: map[string]bool{}}
		s.groups[key] = g
		s.keep(key.method + key.node)
	}
	if key.method != "" {
		s.note(g, path)
	}
	return g
}

// keep counts what a name takes, with what is around it.
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

// Groups returns the groups, those with the most bytes first.
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

// Rate returns bytes per second, 0 where the messages have no times.
func (s *Stats) Rate(bytes int64) float64 {
	if seconds := s.Last.Sub(s.First).Seconds(); seconds > 0 {
		return float64(bytes) / seconds
	}
	return 0
}
