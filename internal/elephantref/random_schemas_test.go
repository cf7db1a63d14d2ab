package elephantref

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// classes are the constructors of a random game, parents first.
type classes []*class

// A class is a constructor as its GML declares it.
type class struct {
	name    string
	parent  *class
	own     *declared // its ELEPHANT_SCHEMA, if it has one
	unsaved []string  // members that no schema names
	written int       // schema version in this file; 0 for none
}

// declared is an ELEPHANT_SCHEMA block.
type declared struct {
	versions map[int]*Schema
	force    *int
	exclude  []string
}

// noBlock is in place of the schema of a class that has none.
var noBlock = &declared{}

// effective is the nearest ancestor's block.
func (c *class) effective() *declared {
	for ; c != nil; c = c.parent {
		if c.own != nil {
			return c.own
		}
	}
	return noBlock
}

// members lists the members of a struct of the class, sorted.
func (c *class) members() []string {
	set := map[string]bool{}
	for ; c != nil; c = c.parent {
		for _, name := range c.unsaved {
			set[name] = true
		}
		if c.own == nil {
			continue
		}
		for _, schema := range c.own.versions {
			for _, m := range schema.Members {
				set[m.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// schemas returns the classes in the form that Decode takes.
func (cs classes) schemas() Schemas {
	out := Schemas{}
	for _, c := range cs {
		block := c.effective()
		out[c.name] = &Constructor{
			Members: c.members(), Inherited: c.own == nil && block != noBlock,
			Versions: block.versions, Force: block.force, Exclude: block.exclude,
		}
	}
	return out
}

// writeVersion is the schema version in which the library writes the
// constructor's structs; 0 is none.
func (c *Constructor) writeVersion() int {
	if c.Force != nil {
		return *c.Force
	}
	highest := 0
	for v := range c.Versions {
		highest = max(highest, v)
	}
	return highest
}

var classNames = []string{
	"Monster", "Player", "Item", "inventory", "Vec2", "Quest_Log", "_Hidden", "Weather", "Chunk", "TreeNode", "Link", "X",
}

var schemaNames = []string{
	"hp", "name", "x", "y", "loot", "angry", "next", "value", "Alpha", "Zeta", "_under", "a1", "a10", "a2", "aB", "ab", "zeta",
	"owner", "stats", "position",
}

// quotedNames are member names that GML must write in quotes.
var quotedNames = []string{"two words", "a-b", "9lives", "größe"}

// randomClasses makes n constructors with features of the version.
func randomClasses(r *rand.Rand, version Version, n int) classes {
	var all classes
	for i := range n {
		c := &class{name: classNames[i]}
		for _, name := range pick(r, memberNames, r.IntN(4)) {
			c.unsaved = append(c.unsaved, "m_"+name)
		}
		if i > 0 && r.IntN(3) == 0 {
			c.parent = all[r.IntN(i)]
		}
		if r.IntN(3) > 0 {
			c.own = randomBlock(r, version, c)
		}
		c.written = randomWritten(r, c)
		all = append(all, c)
	}
	return all
}

// randomWritten returns the schema version that the library writes, or a lower one,
// as if the game had not yet declared the higher ones.
func randomWritten(r *rand.Rand, c *class) int {
	block := c.effective()
	known := slices.Sorted(maps.Keys(block.versions))
	if block.force == nil && len(known) > 0 && r.IntN(4) == 0 {
		return known[r.IntN(len(known))]
	}
	return (&Constructor{Versions: block.versions, Force: block.force}).writeVersion()
}

func randomBlock(r *rand.Rand, version Version, c *class) *declared {
	highest := 127
	if version < V130 {
		highest = 255
	}
	block := &declared{versions: map[int]*Schema{}}
	for range 1 + r.IntN(3) {
		n := 1 + r.IntN(4)
		if r.IntN(8) == 0 {
			n = 1 + r.IntN(highest)
		}
		block.versions[n] = randomSchema(r)
		block.versions[n].Verbose = version >= V130 && r.IntN(6) == 0
	}
	if version < V121 {
		return block
	}
	if r.IntN(5) == 0 {
		force := 0
		if known := slices.Sorted(maps.Keys(block.versions)); r.IntN(3) > 0 {
			force = known[r.IntN(len(known))]
		}
		block.force = &force
	}
	if r.IntN(5) == 0 {
		block.exclude = pick(r, schemaNames, 1) // more than one can break the writers of 1.2.1 and 1.3.0
		if version >= V140 {
			block.exclude = append(block.exclude, append(pick(r, c.unsaved, 1), "doesNotExist")...)
		}
	}
	return block
}

func randomSchema(r *rand.Rand) *Schema {
	s := &Schema{}
	if r.IntN(6) == 0 { // one member of every datatype
		for _, t := range allDatatypes {
			s.Members = append(s.Members, Member{"field_" + t.String(), t})
		}
	}
	names := pick(r, schemaNames, r.IntN(8))
	if r.IntN(8) == 0 {
		names = append(names, pick(r, quotedNames, 1)...)
	}
	for _, name := range names {
		s.Members = append(s.Members, Member{name, allDatatypes[r.IntN(len(allDatatypes))]})
	}
	sortMembers(s.Members)
	return s
}

// pick returns up to n different names.
func pick(r *rand.Rand, names []string, n int) []string {
	var out []string
	for _, i := range r.Perm(len(names))[:min(n, len(names))] {
		out = append(out, names[i])
	}
	return out
}
