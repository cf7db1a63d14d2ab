package census

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"varview/cli/output"
	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// MaxNamed is the largest number of names shown to people.
const MaxNamed = 12

// Names counts things by name, for at most maxStructs names.
type Names struct {
	list   []nameCount // names in the order of first appearance
	byName map[string]int
	Others int64 // things with other names
}

type nameCount struct {
	name string
	n    int64
}

func (c *Names) Add(name string, n int64) {
	i, known := c.byName[name]
	switch {
	case known:
		c.list[i].n += n
	case len(c.list) == maxStructs:
		c.Others += n
	default:
		if c.byName == nil {
			c.byName = map[string]int{}
		}
		c.byName[name] = len(c.list)
		c.list = append(c.list, nameCount{name, n})
	}
}

func (c *Names) Any() bool { return len(c.list) > 0 }

// sorted returns the names, most frequent first.
func (c *Names) sorted() []nameCount {
	list := slices.Clone(c.list)
	slices.SortStableFunc(list, func(a, b nameCount) int { return cmp.Compare(b.n, a.n) })
	return list
}

// String lists the names with their counts: "Sprite2D (12), Resource".
func (c *Names) String() string {
	var parts []string
	more := c.Others
	for i, x := range c.sorted() {
		switch {
		case i >= MaxNamed:
			more += x.n
		case x.n > 1:
			parts = append(parts, x.name+" ("+span.Grouped(x.n)+")")
		default:
			parts = append(parts, x.name)
		}
	}
	if more > 0 {
		parts = append(parts, span.Grouped(more)+" of other names")
	}
	return strings.Join(parts, ", ")
}

// AppendTo appends a list of the names to a JSON object: each is an object, in which it has the given key.
func (c *Names) AppendTo(o output.Object, list, key string) output.Object {
	all := c.sorted()
	return o.List(list, len(all), func(dst []byte, i int) []byte {
		return output.Begin(dst).Text(key, all[i].name).Int("count", all[i].n).End()
	})
}

// maxStructs is the number of constructors and versions that are counted separately.
const maxStructs = 1000

// Structs counts the structs that constructors made, by constructor and version.
type Structs struct {
	List   []*StructCount // constructors in the order of first appearance
	byName map[string]*StructCount
	Others int64 // structs of constructors after the first maxStructs

	name   []byte
	fields []span.Field
}

// A StructCount is how often structs of a version of a constructor occur. Its JSON keys are those of
// "info --json".
type StructCount struct {
	key         string // constructor and version, as in byName
	Constructor string `json:"constructor"`
	Version     *int   `json:"schema_version"` // nil if the structs have none
	Verbose     bool   `json:"verbose"`        // the structs are stored with the names of their members
	Count       int64  `json:"count"`
	File        string `json:"file,omitempty"` // where the schema is
	Line        int    `json:"line,omitempty"`
	Missing     string `json:"missing,omitempty"` // why there is no schema
}

// Count notes the value of the last event, if a constructor made it.
func (c *Structs) Count(s *tree.Scanner, t *tree.Tree) {
	v := s.Value()
	if v.Refers || v.Layout == tree.Fixed || v.Layout == tree.Leaf && v.Damage == nil {
		return
	}
	c.fields = t.Reading.Fields(s.Window(), nil, v, c.fields[:0])
	i := slices.IndexFunc(c.fields, func(f span.Field) bool { return f.Kind == span.Schema })
	if i < 0 {
		return
	}
	c.name = append(t.AppendType(c.name[:0], s.Window(), v), 0)
	ctor := len(c.name)
	c.name = t.Reading.AppendField(c.name, s.Window(), v, c.fields[i])
	n := c.byName[string(c.name)]
	if n == nil {
		if n = c.add(string(c.name[:ctor-1]), string(c.name[ctor:])); n == nil {
			return
		}
	}
	n.Count++
	if v.Damage != nil && v.Damage.Code == span.MissingSchema {
		n.Missing = v.Damage.Message
	}
}

// add starts counting a constructor's version; it returns nil if there are too many.
func (c *Structs) add(constructor, version string) *StructCount {
	n := &StructCount{key: constructor + "\x00" + version, Constructor: constructor}
	number, verbose := strings.CutSuffix(version, "verbose")
	n.Verbose = verbose
	if i, err := strconv.Atoi(strings.TrimSpace(number)); err == nil {
		n.Version = &i
	}
	if !c.insert(n) {
		c.Others++
		return nil
	}
	return n
}

// merge adds what was counted in a later part of the buffer.
func (c *Structs) merge(part *Structs) {
	c.Others += part.Others
	for _, x := range part.List {
		n := c.byName[x.key]
		switch {
		case n != nil:
			n.Count += x.Count
			n.Missing = cmp.Or(x.Missing, n.Missing)
		case !c.insert(x):
			c.Others += x.Count
		}
	}
}

// insert adds a constructor's version to those that are counted, unless there are too many.
func (c *Structs) insert(n *StructCount) bool {
	if len(c.List) == maxStructs {
		return false
	}
	if c.byName == nil {
		c.byName = map[string]*StructCount{}
	}
	c.byName[n.key] = n
	c.List = append(c.List, n)
	return true
}

// Sorted returns the counts, most frequent first, with the places of their schemas.
func (c *Structs) Sorted(libraries []format.Schemas) []*StructCount {
	slices.SortStableFunc(c.List, func(a, b *StructCount) int { return cmp.Compare(b.Count, a.Count) })
	for _, n := range c.List {
		n.find(libraries)
	}
	return c.List
}

// find finds the schema that the decoder used: in the first library that knows the constructor.
func (n *StructCount) find(libraries []format.Schemas) {
	if n.Version == nil || n.Missing != "" {
		return
	}
	for _, l := range libraries {
		if at, known := l.Find(n.Constructor, *n.Version); known {
			n.File, n.Line = at.File, at.Line
			return
		}
	}
}

// maxStructRows is the largest number of rows shown to people.
const maxStructRows = 12

// Rows describes the counts, one line each.
func (c *Structs) Rows(libraries []format.Schemas) []string {
	var rows []string
	more := c.Others
	for i, n := range c.Sorted(libraries) {
		if i < maxStructRows {
			rows = append(rows, n.String())
		} else {
			more += n.Count
		}
	}
	if more > 0 {
		rows = append(rows, span.Counted(more, "struct")+" of other constructors and versions")
	}
	return rows
}

// String describes a count: "Monster v2, 3 structs, monsters.gml:44".
func (n *StructCount) String() string {
	s := n.Constructor
	if n.Version != nil {
		s += " v" + strconv.Itoa(*n.Version)
	}
	if n.Verbose {
		s += " verbose"
	}
	s += ", " + span.Counted(n.Count, "struct")
	switch {
	case n.Missing != "":
		s += ": " + n.Missing
	case n.File != "":
		s += fmt.Sprintf(", %s:%d", filepath.Base(n.File), n.Line)
	}
	return s
}
