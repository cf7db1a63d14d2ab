package savegame

import (
	"fmt"
	"slices"
	"testing"

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
	"Lamp": {Versions: map[int]*elephantref.Schema{
		1: {Members: []elephantref.Member{
			{Name: "bend", Type: elephantref.S8}, {Name: "glow", Type: elephantref.F16}, {Name: "height", Type: elephantref.S16},
			{Name: "label", Type: elephantref.Text}, {Name: "tint", Type: elephantref.U32},
		}},
	}},
}

// datatypes are those that occur in a Verbose file; a Graph has all.
var datatypes = []elephantref.Datatype{
	elephantref.S32, elephantref.F64, elephantref.Bool, elephantref.String, elephantref.U64, elephantref.Array,
	elephantref.Struct, elephantref.Undefined, elephantref.U8, elephantref.S8, elephantref.U16, elephantref.S16,
	elephantref.U32, elephantref.F16, elephantref.F32, elephantref.Text,
}

const datatypesOfVerbose = 8

// checkBlock reads all of b with the second decoder.
func checkBlock(t *testing.T, b []byte, k Kind) {
	f, err := elephantref.Decode(b, schemasOfGraph)
	if err != nil {
		t.Fatal(err)
	}
	if f.Size != len(b) || !f.Footer || f.Version != elephantref.V151 {
		t.Errorf("a block of %d bytes, version %v, in %d", f.Size, f.Version, len(b))
	}
	c := census{verbose: k == Verbose, types: map[elephantref.Datatype]bool{}}
	if err := c.value(f.Root); err != nil {
		t.Fatal(err)
	}
	if len(b) < 1<<20 {
		return
	}
	if c.references == 0 || c.constructed == 0 {
		t.Errorf("%d references and %d constructed structs: no graph", c.references, c.constructed)
	}
	wanted := datatypes
	if c.verbose {
		wanted = datatypes[:datatypesOfVerbose]
	}
	for _, d := range wanted {
		if !c.types[d] {
			t.Errorf("no %v", d)
		}
	}
}

// A census counts forms that the decoder accepts but Elephant would not write.
type census struct {
	verbose                 bool
	references, constructed int
	types                   map[elephantref.Datatype]bool
}

func (c *census) value(v *elephantref.Value) error {
	c.types[v.Type] = true
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
