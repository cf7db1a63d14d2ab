package gml

import "slices"

// A Constructor is one declaration of a constructor.
type Constructor struct {
	Name   string
	Parent string // the constructor that it inherits from, "" if none
	File   string
	Line   int // from 1

	HasSchema    bool // it has an ELEPHANT_SCHEMA of its own, even one without versions
	Forced       bool // by ELEPHANT_FORCE_VERSION
	ForceVersion int  // 0 to 255; 0 is no schema
	Exclude      []string

	versions   []*version // in file order
	unreadable *SchemaError
	cut        *SchemaError // the file ends before all of it was read
}

// Versions lists the versions of the constructor's own schema, ascending.
func (c *Constructor) Versions() []int {
	var all []int
	for _, v := range c.versions {
		all = append(all, v.number)
	}
	slices.Sort(all)
	return all
}

func (c *Constructor) version(n int) *version {
	for _, v := range c.versions {
		if v.number == n {
			return v
		}
	}
	return nil
}

// A Member is a member of a struct, with the datatype that a schema gives it.
type Member struct {
	Name string
	Type Datatype
}

// A Schema is one version of a constructor's schema: what the body of a struct
// of this version holds.
type Schema struct {
	Constructor string   // the constructor that was asked for
	Version     int      // 1 to 255
	Members     []Member // in the order of the format: by name, byte by byte. They must not be changed
	Verbose     bool     // ELEPHANT_VERSION_VERBOSE: names and datatypes are stored too
	File        string
	Line        int    // of the version, from 1
	Owner       string // the constructor whose schema it is: Constructor or an ancestor
}

// found is what the declarations of a constructor say about a version.
type found struct {
	version *version
	owner   *Constructor
	err     *SchemaError // set if version is not
	cut     bool         // it may be in a place where the file could not be read
}

// maxAncestors is the number of parent constructors searched for a schema.
const maxAncestors = 256

// find looks for a version of the schema of name, or of its nearest ancestor with one. seen
// holds what was found before, and ends a cycle of ancestors.
func (l *Library) find(name string, version int, seen map[string]found) found {
	if f, ok := seen[name]; ok || len(seen) > maxAncestors {
		if !ok {
			f.err = &SchemaError{Reason: NoSchema}
		}
		return f
	}
	seen[name] = found{err: &SchemaError{Reason: NoSchema}}
	all := l.constructors[name]
	if len(all) == 0 {
		return found{err: &SchemaError{Reason: NoConstructor, Missing: name}}
	}
	best := l.look(all[0], version, seen)
	for _, c := range all[1:] {
		best = best.with(l.look(c, version, seen))
	}
	seen[name] = best
	return best
}

// look looks in one declaration.
func (l *Library) look(c *Constructor, version int, seen map[string]found) found {
	switch {
	case c.unreadable != nil:
		return found{err: c.unreadable, owner: c}
	case c.HasSchema:
		v := c.version(version)
		switch {
		case v == nil && c.cut != nil:
			return found{owner: c, err: c.cut, cut: true}
		case v == nil:
			return found{owner: c, err: &SchemaError{Reason: NoVersion, Versions: c.Versions(), File: c.File, Line: c.Line}}
		case v.problem != nil:
			return found{owner: c, err: v.problem}
		}
		return found{owner: c, version: v}
	case c.cut != nil:
		return found{owner: c, err: c.cut, cut: true}
	case c.Parent != "":
		return l.find(c.Parent, version, seen)
	}
	return found{err: &SchemaError{Reason: NoSchema}}
}

// with combines two declarations of a constructor. A version that only one of them has
// stays as it is.
func (f found) with(g found) found {
	if f.version == nil || g.version == nil {
		if g.weight() > f.weight() {
			return g
		}
		return f
	}
	if f.version.same(g.version) {
		return f
	}
	return found{owner: f.owner, err: &SchemaError{
		Reason: Contradiction, File: f.owner.File, Line: f.version.line, OtherFile: g.owner.File, OtherLine: g.version.line,
	}}
}

// weight says which of two answers comes first: a schema known to be wrong, then one that
// exists, then the one that came closest.
func (f found) weight() int {
	switch {
	case f.version != nil:
		return 1000
	case f.cut:
		return 999
	}
	switch f.err.Reason {
	case NoSchema:
		return 0
	case NoConstructor:
		return 1
	case NoVersion:
		return 2 + len(f.err.Versions)
	}
	return 1001
}
