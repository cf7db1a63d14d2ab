package random

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"varview/decoder"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
)

// Lists holds what patches and merges of n random nested lists have to give, written as text in several layouts.
// Files have names in the folder dir, which need not be there.
func Lists(ctx context.Context, dir string, seed uint64, n int) (*Tally, error) {
	t := &Tally{By: map[string]map[string]*Count{}, Why: map[string]int{}}
	for i := range n {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		is := layouts[r.IntN(len(layouts))]
		f := &file{path: filepath.Join(dir, is.name), o: model.Options{Options: decoder.Options{Thorough: decoder.Settle}}}
		c := &trial{ctx: ctx, t: t, f: f, r: r, number: i}
		if err := c.lists(is); err != nil {
			return nil, fmt.Errorf("case %d: %w", i, err)
		}
	}
	return t, nil
}

// A layout writes a list.
type layout struct {
	name   string
	before string
	write  func(list []any) ([]byte, error)
}

func indented(list []any) ([]byte, error) { return json.MarshalIndent(list, "", "  ") }

var layouts = []layout{
	{"compact.json", "", func(list []any) ([]byte, error) { return json.Marshal(list) }},
	{"indented.json", "", indented},
	{"tabs.json", "", func(list []any) ([]byte, error) { return json.MarshalIndent(list, "", "\t") }},
	{"lists.cfg", "[s]\n\nx=", indented},
	{"compact.cfg", "[s]\n\nx=", func(list []any) ([]byte, error) { return json.Marshal(list) }},
	{"lists.tres", "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nx = ", indented},
}

// lists makes one list of another, and merges them.
func (c *trial) lists(is layout) error {
	base := c.list(2)
	lists := [][]any{base, c.changed(base), c.changed(base)}
	if c.r.IntN(3) == 0 {
		lists[2] = c.without(base)
	}
	var docs []*model.Document
	for _, list := range lists {
		text, err := is.write(list)
		if err != nil {
			return err
		}
		d, err := c.f.open(c.ctx, []byte(is.before+string(text)+"\n"))
		if err != nil {
			return err
		}
		defer d.Close()
		docs = append(docs, d)
	}
	c.before, c.dialect = docs[0], docs[0].Dialect
	for _, d := range docs {
		if d.Dialect != c.dialect {
			return nil
		}
	}
	c.t.Cases++
	c.did = fmt.Sprint(strings.ReplaceAll(fmt.Sprint(lists), "map", ""))
	for i := range 2 {
		c.guard(func() { c.becomesOf(docs[i], docs[i+1]) })
	}
	for _, ours := range []*model.Document{docs[0], docs[1]} {
		c.guard(func() { c.mergeLists(ours, docs[2]) })
	}
	return nil
}

func (c *trial) guard(do func()) {
	defer c.caught()
	do()
}

// mergeLists merges two lists by values. Where ours is the base, the result is theirs.
func (c *trial) mergeLists(ours, theirs *model.Document) {
	t := c.begin(ours)
	base, there := c.before.Innermost().Tree(), theirs.Innermost().Tree()
	conflicts, err := diff.MergeTrees(c.ctx, t, base, there, compare.Options{SameDialect: true}, nil)
	switch {
	case err != nil:
		c.count(Apart, err, true)
	case ours != c.before:
		c.count(Apart, nil, false) // package merge says what it has to be
	case len(conflicts) > 0:
		c.count(ByValues, fmt.Errorf("%v", conflicts), false)
	default:
		c.means(ByValues, t.Reader().Tree, there)
	}
}

// list returns a random list, with lists and dictionaries in it down to a depth.
func (c *trial) list(depth int) []any {
	all := []any{}
	for range c.r.IntN(5) {
		all = append(all, c.value(depth-1))
	}
	return all
}

func (c *trial) value(depth int) any {
	switch k := c.r.IntN(6); {
	case k < 2 && depth > 0:
		return c.list(depth)
	case k == 2 && depth > 0:
		x := map[string]any{}
		for range c.r.IntN(3) {
			x[string(rune('a'+c.r.IntN(4)))] = c.value(depth - 1)
		}
		return x
	case k == 3:
		return string(rune('p' + c.r.IntN(4)))
	}
	return c.r.IntN(5)
}

// changed returns a list with some changes.
func (c *trial) changed(list []any) []any {
	all := append([]any{}, list...)
	for range 1 + c.r.IntN(3) {
		i := c.r.IntN(len(all) + 1)
		switch k := c.r.IntN(4); {
		case k == 0 || i == len(all):
			all = append(all[:i:i], append([]any{c.value(1)}, all[i:]...)...)
		case k == 1:
			all = append(all[:i:i], all[i+1:]...)
		case k == 2:
			if inner, ok := all[i].([]any); ok {
				all[i] = c.changed(inner)
				continue
			}
			fallthrough
		default:
			all[i] = c.value(1)
		}
	}
	return all
}

// without returns a list from which some values are gone, at any depth.
func (c *trial) without(list []any) []any {
	all := []any{}
	for _, x := range list {
		if inner, ok := x.([]any); ok {
			x = c.without(inner)
		} else if c.r.IntN(2) == 0 {
			continue
		}
		all = append(all, x)
	}
	return all
}
