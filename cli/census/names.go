package census

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"varview/cli/output"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// MaxNamed is the number of names that are shown to people.
const MaxNamed = 12

// Names counts things by their names, at most maxStructs of them.
type Names struct {
	list   []nameCount // in the order of their first appearance
	byName map[string]int
	Others int64 // things of other names
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

// sorted are the names, the most frequent first.
func (c *Names) sorted() []nameCount {
	list := slices.Clone(c.list)
	slices.SortStableFunc(list, func(a, b nameCount) int { return cmp.Compare(b.n, a.n) })
	return list
}

// String lists the names with their numbers: "Sprite2D (12), Resource".
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

// AppendJSON appends a list of objects of JSON, in which the name has the given key.
func (c *Names) AppendJSON(dst []byte, key string) []byte {
	dst = append(dst, '[')
	for i, x := range c.sorted() {
		dst = append(append(append(dst, output.Separator(i, "")...), `{"`...), key...)
		dst = tree.AppendQuoted(append(dst, `":`...), []byte(x.name))
		dst = append(strconv.AppendInt(append(dst, `,"count":`...), x.n, 10), '}')
	}
	return append(dst, ']')
}
