package savegame

import (
	"fmt"
	"slices"

	"varview/internal/elephantref"
)

// The declarations of graph.gml, stated here again.
var schemasOfGraph = elephantref.Schemas{
	"Vec2": {Versions: map[int]*elephantref.Schema{
		1: {Members: []elephantref.Member{{Name: "x", Type: elephantref.F32}, {Name: "y", Type: elephantref.F32}}},
	}},
	"Item": {Versions: map[int]*elephantref.Schema{
		1: {Members: []elephantref.Member{
			{Name: "count", Type: elephantref.U16}, {Name: "id", Type: elephantref.String}, {Name: "rarity", Type: elephantref.U8},
		}},
	}},
	"Actor": {Versions: map[int]*elephantref.Schema{
		2: {Members: []elephantref.Member{
			{Name: "alive", Type: elephantref.Bool}, {Name: "hp", Type: elephantref.S32},
			{Name: "inventory", Type: elephantref.Array}, {Name: "name", Type: elephantref.String},
			{Name: "position", Type: elephantref.Struct}, {Name: "target", Type: elephantref.Any},
			{Name: "uid", Type: elephantref.U64}, {Name: "xp", Type: elephantref.F64},
		}},
	}},
	"Effect": {},
}

// skipBlock reads all of b with the second decoder and returns the number of its
// values.
func skipBlock(b []byte, _ Dialect, k Kind) (int, error) {
	f, err := elephantref.Decode(b, schemasOfGraph)
	switch {
	case err != nil:
		return 0, err
	case f.Size != len(b) || !f.Footer || f.Version != elephantref.V151:
		return 0, fmt.Errorf("a block of %d bytes, version %v, in %d", f.Size, f.Version, len(b))
	}
	c := census{verbose: k == Verbose}
	err = c.value(f.Root)
	if err == nil && c.values > 10_000 && (c.references == 0 || c.constructed == 0) {
		err = fmt.Errorf("%d references and %d constructed structs: no graph", c.references, c.constructed)
	}
	return c.values, err
}

// A census counts forms that the decoder accepts but Elephant would not write.
type census struct {
	verbose                         bool
	values, references, constructed int
}

func (c *census) value(v *elephantref.Value) error {
	c.values++
	switch {
	case v.Ref != nil:
		c.references++
		if v.Ref.Dangling || v.Ref.Target.Type != v.Ref.Kind {
			return fmt.Errorf("%s leads to nothing, or to another kind", v.Path())
		}
	case v.Array != nil:
		return c.array(v)
	case v.Struct != nil:
		return c.structure(v)
	case v.Type == elephantref.Bool && v.Num > 1:
		return fmt.Errorf("%s is neither false nor true", v.Path())
	}
	return nil
}

func (c *census) array(v *elephantref.Value) error {
	if len(v.Array.Elems) > mostElements {
		return fmt.Errorf("%s has %d elements", v.Path(), len(v.Array.Elems))
	}
	for _, e := range v.Array.Elems {
		if err := c.value(e); err != nil {
			return err
		}
	}
	return nil
}

func (c *census) structure(v *elephantref.Value) error {
	s := v.Struct
	if s.Constructed {
		c.constructed++
	}
	if c.verbose && !s.Verbose {
		return fmt.Errorf("%s is stored by a schema", v.Path())
	}
	if !slices.IsSorted(s.Skipped) {
		return fmt.Errorf("%s skips %d", v.Path(), s.Skipped)
	}
	seen := map[string]bool{}
	for _, m := range s.Members {
		if seen[m.Name] {
			return fmt.Errorf("%s twice", m.Value.Path())
		}
		seen[m.Name] = true
		if err := c.value(m.Value); err != nil {
			return err
		}
	}
	return nil
}
