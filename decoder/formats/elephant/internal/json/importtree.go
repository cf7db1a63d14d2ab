package json

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
)

// typeAt returns the type that the tag of a value gives; in 1.0.0 for a constructed struct its constructor.
func (i *importer) typeAt(f *form) datatype.ID {
	if f.of == datatype.Struct && f.isCtor && i.rules.CtorTags {
		return datatype.CtorElement | datatype.ID(i.index(f))
	}
	return f.of
}

// index returns the index of a constructor in the block that is written. A constructor from another version
// keeps its index if both versions count from 0.
func (i *importer) index(f *form) uint16 {
	if f.index >= 0 && !i.converts {
		return uint16(f.index)
	}
	key := ctorKey{string(f.ctor), f.index}
	index, ok := i.indexes[key]
	if !ok {
		least, most := i.rules.CtorRange()
		next := least + len(i.indexes)
		if next > most {
			i.fail("the version has room for %d constructors", most-least+1)
		}
		index = uint16(next)
		i.indexes[key] = index
	}
	return index
}

func (i *importer) reference(f *form, at spot) {
	switch {
	case f.of != datatype.Array && f.of != datatype.Struct:
		i.fail(`a reference must have a "kind": array or struct`)
	case f.ref < 0:
		i.fail(`a reference must have a "ref": the number of its target`)
	case i.rules.CtorTags:
		i.fail("Elephant 1.0.0 has no references")
	}
	i.begin(f, at)
	i.u16(block.MarkRef)
	i.u16(f.ref)
}

// array writes an array with its elements.
func (i *importer) array(f *form, at spot) {
	i.begin(f, at)
	elem := f.elem
	if i.converts {
		elem = i.elementOf(elem)
	}
	start := len(i.b)
	i.u16(0)
	n := 0
	i.Items(func(int64) {
		if n == 0 {
			i.element(elem, f)
		}
		i.path = append(i.path, pathPart{index: n})
		i.value(spot{of: elem})
		i.path = i.path[:len(i.path)-1]
		n++
	})
	i.count(start, n, i.rules.Room(datatype.Array), "elements")
}

// element writes the common type of an array's elements.
func (i *importer) element(elem datatype.ID, f *form) {
	switch {
	case elem == 0:
		i.fail(`an array with elements must have an "elem"`)
	case f.elemTag >= 0 && !i.converts:
		i.b = append(i.b, byte(f.elemTag))
	case elem&datatype.CtorElement != 0 && !i.rules.CtorTags:
		i.fail("only in 1.0.0 can the type of an array be a constructor")
	default:
		i.b = append(i.b, i.tag(elem))
	}
}

// elementOf returns the element type of another version. In 1.0.0 a struct may have a constructor, which
// its tag names.
func (i *importer) elementOf(elem datatype.ID) datatype.ID {
	switch {
	case i.rules.CtorTags && (elem == datatype.Struct || elem&datatype.CtorElement != 0):
		return datatype.Any
	case elem&datatype.CtorElement != 0:
		return datatype.Struct
	}
	return elem
}

// count writes a number of children.
func (i *importer) count(at, n, limit int, what string) {
	if n > limit {
		i.fail("%d %s; the version has room for %d", n, what, limit)
	}
	if i.Err == nil {
		binary.LittleEndian.PutUint16(i.b[at:], uint16(n))
	}
}

// structure writes a struct with its members.
func (i *importer) structure(f *form, at spot) {
	if f.isCtor && i.rules.CtorTags && at.schema && !at.isTagged(f) {
		i.fail("Elephant 1.0.0 cannot store a struct with a constructor where a schema says struct")
	}
	i.begin(f, at)
	if !f.isCtor {
		i.members(f, true)
		return
	}
	i.constructor(f)
	if f.verbose {
		i.members(f, true)
		return
	}
	if i.rules.Skips {
		for _, n := range f.skipped {
			if n == 0 {
				i.fail("0 ends the list of skipped members")
			}
			i.u16(n)
		}
		i.u16(0)
	} else if len(f.skipped) > 0 {
		i.fail("Elephant %s cannot leave out members of a schema", i.rules.Name)
	}
	i.members(f, false)
}

// constructor writes what precedes the body of a constructed struct.
func (i *importer) constructor(f *form) {
	r := i.rules
	index := i.index(f)
	switch {
	case !f.hasVerbose:
		i.fail(`"verbose" must come before "value"`)
	case bytes.IndexByte(f.ctor, 0) >= 0:
		i.fail("a constructor's name cannot contain a NUL")
	case f.version < 0 || f.version > r.MaxVersion():
		i.fail("Elephant %s stores schema versions up to %d, not %d", r.Name, r.MaxVersion(), f.version)
	case f.verbose && f.version > 0 && !r.Bit7:
		i.fail("Elephant %s cannot store a schema version with a verbose struct", r.Name)
	case !f.verbose && f.version == 0 && (i.converts || !r.Bit7):
		i.fail("a struct that is not verbose must have a schema version")
	}
	if !r.CtorTags {
		i.u16(block.MarkCtor)
		i.u16(int(index))
	}
	if !i.named[index] {
		i.named[index] = true
		i.b = append(append(i.b, f.ctor...), 0)
	}
	i.b = append(i.b, r.VersionByte(f.version, f.verbose))
}

// taggedMembers returns the members for which the schema of a struct allows any type, if the schema is
// known.
func (i *importer) taggedMembers(f *form) map[string]bool {
	if f.verbose || !f.isCtor {
		return nil
	}
	schema, err := i.schemas.LookUp(string(f.ctor), f.version)
	if err != nil || schema == nil {
		return nil
	}
	tagged := map[string]bool{}
	for _, m := range schema.Members {
		tagged[m.Name] = m.Type == datatype.Any
	}
	return tagged
}

// members writes the members of a struct, with their names and tags or as a schema lays
// them out.
func (i *importer) members(f *form, named bool) {
	start := len(i.b)
	if named {
		i.u16(0)
	}
	n := 0
	tagged := i.taggedMembers(f)
	i.Items(func(int64) {
		i.Expect('[')
		name := i.Quoted()
		i.Expect(',')
		if bytes.IndexByte(name, 0) >= 0 {
			i.fail("a member's name cannot contain a NUL")
		}
		i.path = append(i.path, pathPart{name: name})
		if named {
			i.b = append(append(i.b, name...), 0)
		}
		i.value(spot{of: datatype.Any, schema: !named, tagged: tagged[string(name)]})
		i.path = i.path[:len(i.path)-1]
		i.Expect(']')
		n++
	})
	if named {
		i.count(start, n, i.rules.Room(datatype.Struct), "members")
	}
}
