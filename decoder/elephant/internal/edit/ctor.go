package edit

import (
	"fmt"

	"varview/decoder/elephant/gml"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/literal"
)

// ctorIndex returns the index that a constructor has in the block, or gets: the next free
// one. In 1.0.0 the index is the tag. Existing indexes stay: the library reads any.
func (e *Editor) ctorIndex(name string) uint16 {
	if index, ok := e.ctors[name]; ok {
		return index
	}
	best, found := 0, false
	least, most := e.f.Rules.CtorRange()
	used := map[int]bool{}
	for index, c := range e.marks.Named {
		used[int(index)] = true
		if e.nameAt(c) == name && (!found || int(index) < best) {
			best, found = int(index), true
		}
	}
	for _, index := range e.ctors {
		used[int(index)] = true
	}
	if !found {
		best = least
		for index := range used {
			best = max(best, index+1)
		}
		for best > most && least <= most {
			if !used[least] {
				best = least
			}
			least++
		}
		if best > most {
			e.full, best = true, most
		}
	}
	e.ctors[name] = uint16(best)
	return uint16(best)
}

// nameAt returns the name of a constructor at its first use.
func (e *Editor) nameAt(c block.CtorMark) string {
	return string(e.w.View(c.At, min(c.Size-1, block.MaxName)))
}

// A ctorForm is how structs of a constructor are stored.
type ctorForm struct {
	version int
	verbose bool
	schema  *gml.Schema // if they are not verbose
}

// formOf returns how a new struct of a constructor is stored: like the struct that it is
// copied from, otherwise like the first one of the constructor in the block, otherwise in
// the highest version of its schema that is known, or with names.
func (e *Editor) formOf(ctor *literal.Constructor) (form ctorForm, err error) {
	schemas := e.f.Schemas()
	switch b, ok := e.firstVersion(ctor.Name); {
	case ctor.Known:
		form.version, form.verbose = ctor.Version, ctor.Verbose
	case ok:
		form.version, form.verbose = e.f.Rules.SchemaVersion(b)
	default:
		form.version = schemas.Highest(ctor.Name, e.f.Rules.MaxVersion())
		form.verbose = form.version == 0
		if schema, err := schemas.LookUp(ctor.Name, form.version); err == nil && form.version > 0 {
			form.verbose = schema.Verbose
		}
	}
	switch {
	case form.version > e.f.Rules.MaxVersion() && !form.verbose:
		return form, fmt.Errorf("a schema version is %d at most in Elephant %s, not %d", e.f.Rules.MaxVersion(), e.f.Rules.Name, form.version)
	case form.verbose:
		return form, nil
	}
	schema, problem := e.f.FindSchema(ctor.Name, form.version)
	if problem != nil {
		return form, fmt.Errorf("%s", problem.Message)
	}
	form.schema = schema
	return form, nil
}

// firstVersion returns the version byte of the first struct of a constructor.
func (e *Editor) firstVersion(name string) (byte, bool) {
	index := e.ctorIndex(name)
	c, ok := e.marks.Named[index]
	return c.Version, ok && e.nameAt(c) == name
}
