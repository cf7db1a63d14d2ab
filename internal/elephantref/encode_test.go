package elephantref

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// encode writes the file by the writer's rules, and sets the reference numbers,
// element tags and constructor indexes that the writer chooses in its values.
func encode(f *File, schemas Schemas) []byte {
	e := &encoder{version: f.Version, tags: f.Tags, schemas: schemas, indexes: map[string]int{}, named: map[string]bool{}}
	if f.Version == V100 {
		e.nextIndex = 32
	}
	e.out = append(e.out, f.Header...)
	e.out = binary.LittleEndian.AppendUint32(e.out, uint32(f.Version))
	e.any(f.Root)
	if f.Footer {
		e.out = append(e.out, "TNAH"...)
	}
	f.Size = len(e.out)
	return e.out
}

type encoder struct {
	out       []byte
	version   Version
	tags      int
	schemas   Schemas
	nextID    int
	indexes   map[string]int  // of constructors, by name
	named     map[string]bool // constructors whose name was written
	nextIndex int
}

func (e *encoder) u8(n int)  { e.out = append(e.out, byte(n)) }
func (e *encoder) u16(n int) { e.out = binary.LittleEndian.AppendUint16(e.out, uint16(n)) }

func (e *encoder) text(text string) {
	e.out = append(e.out, text...)
	e.u8(0)
}

func (e *encoder) id() int {
	if !e.version.hasReferences() {
		return -1
	}
	e.nextID++
	return e.nextID - 1
}

func (e *encoder) any(v *Value) {
	e.u8(e.tag(v))
	e.content(v)
}

// tag is the tag byte of a value. In 1.0.0 that of a constructed struct is its
// constructor, which is registered when it is written.
func (e *encoder) tag(v *Value) int {
	if e.version == V100 && v.Type == Struct && v.Struct.Constructed {
		return e.index(v.Struct.Constructor)
	}
	return e.datatype(v)
}

func (e *encoder) datatype(v *Value) int {
	t := v.Type
	if t == Ref {
		t = v.Ref.Kind
	}
	if t >= Any {
		return e.tags + int(t-Any)
	}
	return int(t)
}

// index numbers the constructors by first appearance.
func (e *encoder) index(name string) int {
	i, known := e.indexes[name]
	if !known {
		i = e.nextIndex
		e.nextIndex++
		e.indexes[name] = i
	}
	return i
}

// content writes a value after its tag, or by a schema.
func (e *encoder) content(v *Value) {
	switch v.Type {
	case Undefined:
	case String, Text:
		e.text(v.Text)
	case Array:
		e.array(v.Array)
	case Struct:
		e.structure(v.Struct)
	case Ref:
		v.Ref.Index = e.idOf(v.Ref.Target)
		e.u16(0xFFFF)
		e.u16(v.Ref.Index)
	default:
		e.out = appendNumber(e.out, v)
	}
}

func (e *encoder) idOf(v *Value) int {
	if v.Type == Array {
		return v.Array.ID
	}
	return v.Struct.ID
}

func (e *encoder) array(a *ArrayValue) {
	a.ID = e.id()
	e.u16(len(a.Elems))
	if len(a.Elems) == 0 {
		return
	}
	tag := e.commonTag(a.Elems)
	e.u8(tag)
	a.Elem = e.elemName(tag, a.Elems[0])
	for _, v := range a.Elems {
		if tag == e.tags {
			e.any(v)
		} else {
			e.content(v)
		}
	}
}

// commonTag scans the elements up to the first whose tag differs. In 1.0.0 the
// scan uses up a number at each constructor that has none yet (section 5).
func (e *encoder) commonTag(elems []*Value) int {
	common := 0
	for i, v := range elems {
		tag := e.scanTag(v)
		if i > 0 && tag != common {
			return e.tags
		}
		common = tag
	}
	if s := elems[0].Struct; e.version == V100 && s != nil && s.Constructed {
		e.indexes[s.Constructor] = common
	}
	return common
}

func (e *encoder) scanTag(v *Value) int {
	if e.version == V100 && v.Type == Struct && v.Struct.Constructed {
		if _, known := e.indexes[v.Struct.Constructor]; !known {
			e.nextIndex++
			return e.nextIndex - 1
		}
	}
	return e.tag(v)
}

func (e *encoder) elemName(tag int, first *Value) string {
	switch {
	case tag == e.tags:
		return "any"
	case e.version == V100 && tag >= 32:
		return fmt.Sprint("constructor", tag)
	case first.Type == Ref:
		return first.Ref.Kind.String()
	}
	return first.Type.String()
}

func (e *encoder) structure(s *StructValue) {
	s.ID = e.id()
	if !s.Constructed {
		e.members(s)
		return
	}
	s.Index = e.index(s.Constructor)
	if e.version != V100 {
		e.u16(0xFFFE)
		e.u16(s.Index)
	}
	if !e.named[s.Constructor] {
		e.named[s.Constructor] = true
		e.text(s.Constructor)
	}
	version := s.Version
	if s.Verbose && e.version.hasVerboseBit() {
		version |= 0x80
	}
	e.u8(version)
	if s.Verbose {
		e.members(s)
		return
	}
	if e.version.hasSkipList() {
		for _, n := range s.Skipped {
			e.u16(n)
		}
		e.u16(0)
	}
	e.bySchema(s)
}

// members writes the members with names and tags.
func (e *encoder) members(s *StructValue) {
	e.u16(len(s.Members))
	for _, m := range s.Members {
		e.text(m.Name)
		e.any(m.Value)
	}
}

// bySchema writes the values of the members that are not skipped.
func (e *encoder) bySchema(s *StructValue) {
	left := s.Members
	for i, m := range e.schemas[s.Constructor].Versions[s.Version].Members {
		switch {
		case slices.Contains(s.Skipped, i+1):
			continue
		case m.Type == Any:
			e.any(left[0].Value)
		default:
			e.content(left[0].Value)
		}
		left = left[1:]
	}
}

// appendNumber is the reverse of number.
func appendNumber(out []byte, v *Value) []byte {
	var raw uint64
	switch v.Type {
	case U8, U16, U32, S8, S16, S32, Bool:
		raw = uint64(int64(v.Num))
	case F16, U64:
		raw = v.Int
	case F32:
		raw = uint64(math.Float32bits(float32(v.Num)))
	case F64:
		raw = math.Float64bits(v.Num)
	}
	return append(out, binary.LittleEndian.AppendUint64(nil, raw)[:sizes[v.Type]]...)
}
