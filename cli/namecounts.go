package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/tree"
	"varview/model"
)

// maxNamed is how many names people are shown.
const maxNamed = 12

// nameCounts counts things by their names, as many as maxStructs names.
type nameCounts struct {
	list   []nameCount // in the order they were met
	byName map[string]int
	others int64 // things of other names
}

type nameCount struct {
	name string
	n    int64
}

func (c *nameCounts) add(name string, n int64) {
	i, met := c.byName[name]
	switch {
	case met:
		c.list[i].n += n
	case len(c.list) == maxStructs:
		c.others += n
	default:
		if c.byName == nil {
			c.byName = map[string]int{}
		}
		c.byName[name] = len(c.list)
		c.list = append(c.list, nameCount{name, n})
	}
}

func (c *nameCounts) any() bool { return len(c.list) > 0 }

// sorted are the names, the most frequent first.
func (c *nameCounts) sorted() []nameCount {
	list := slices.Clone(c.list)
	slices.SortStableFunc(list, func(a, b nameCount) int { return cmp.Compare(b.n, a.n) })
	return list
}

// String lists the names with their numbers: "Sprite2D (12), Resource".
func (c *nameCounts) String() string {
	var parts []string
	more := c.others
	for i, x := range c.sorted() {
		switch {
		case i >= maxNamed:
			more += x.n
		case x.n > 1:
			parts = append(parts, x.name+" ("+model.Grouped(x.n)+")")
		default:
			parts = append(parts, x.name)
		}
	}
	if more > 0 {
		parts = append(parts, model.Grouped(more)+" of other names")
	}
	return strings.Join(parts, ", ")
}

// appendJSON appends a list of objects of JSON, in which the name has the given key.
func (c *nameCounts) appendJSON(dst []byte, key string) []byte {
	dst = append(dst, '[')
	for i, x := range c.sorted() {
		dst = append(append(append(dst, separator(i, "")...), `{"`...), key...)
		dst = tree.AppendQuoted(append(dst, `":`...), []byte(x.name))
		dst = append(strconv.AppendInt(append(dst, `,"count":`...), x.n, 10), '}')
	}
	return append(dst, ']')
}
