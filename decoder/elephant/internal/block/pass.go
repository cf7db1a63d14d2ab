package block

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/elephant/gml"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Pass implements tree.Passer: it goes over elements of an array of which Inspect
// would report nothing. What is used for the first time is left to Read.
func (f *Reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Type != datatype.Array || parent.Layout != tree.Sequence || parent.Sub&datatype.CtorElement != 0 || s.Serial == tree.NoSerial {
		return
	}
	p := passer{f: f, b: w.View(s.Pos, s.Until-s.Pos), from: s.Pos, serial: s.Serial, refs: s.Refs}
	for s.Next.Index < parent.Count {
		before := p.noted()
		end := p.value(int(s.Pos-p.from), datatype.ID(parent.Sub), s.Levels)
		if end < 0 {
			p.forget(before)
			return
		}
		s.Pos, s.Serial, s.Refs = p.from+int64(end), p.serial, p.refs
		s.Next.Index++
	}
}

// A passer goes over values in b. Its methods return where a value ends, or -1
// where it needs a closer look or goes beyond b.
type passer struct {
	f      *Reading
	b      []byte
	from   int64 // offset of b
	serial uint32
	refs   []tree.Reference
}

// noted is how much of what is passed has been recorded, if it is.
func (p *passer) noted() state {
	if p.f.marks == nil {
		return state{}
	}
	return p.f.marks.state()
}

func (p *passer) forget(s state) {
	if p.f.marks != nil {
		p.f.marks.forget(s)
	}
}

// value passes a value of type t at an offset of b, with at most the given number of levels
// in it.
func (p *passer) value(at int, t datatype.ID, levels int) int {
	start := at
	if t == datatype.Any {
		if at >= len(p.b) {
			return -1
		}
		tag := p.b[at]
		at++
		if t = p.f.Rules.TypeOf(tag); t == datatype.Any || p.f.Rules.IsForeign(tag) {
			return -1
		}
	}
	switch {
	case t == datatype.Bool:
		return p.bools(at, 1)
	case datatype.Width(t) > 0:
		return p.skip(at, int(datatype.Width(t)))
	case datatype.IsText(t):
		return p.text(at)
	case t == datatype.Array:
		return p.array(start, at, levels)
	case t == datatype.Struct:
		return p.structure(start, at, levels)
	case t == datatype.Undefined:
		return at
	}
	return -1
}

// skip passes n bytes.
func (p *passer) skip(at, n int) int {
	if len(p.b)-at < n {
		return -1
	}
	return at + n
}

// bools passes n bools, which must be 0 or 1.
func (p *passer) bools(at, n int) int {
	end := p.skip(at, n)
	for i := at; i < end; i++ {
		if p.b[i] > 1 {
			return -1
		}
	}
	return end
}

// text passes a string that needs no escapes.
func (p *passer) text(at int) int {
	end := bytes.IndexByte(p.b[at:], 0)
	if end < 0 || !tree.IsPlain(p.b[at:at+end]) {
		return -1
	}
	return at + end + 1
}

// number gives the array or struct at an offset of b its number, if the version
// has any.
func (p *passer) number(at int, t datatype.ID) {
	if p.f.Rules.CtorTags {
		return
	}
	if m := p.f.marks; m != nil {
		m.Numbered = append(m.Numbered, p.from+int64(at))
	}
	p.f.kinds.set(p.serial, t)
	p.serial++
}

// count reads a u16, -1 where it is not all there.
func (p *passer) count(at int) int {
	if len(p.b)-at < 2 {
		return -1
	}
	return int(binary.LittleEndian.Uint16(p.b[at:]))
}

// reference passes the number of a value that comes before, an array or struct as
// t says.
func (p *passer) reference(start, at int, t datatype.ID) int {
	to := p.count(at)
	if to < 0 || uint32(to) >= p.serial || p.serial > MarkRef+1 || p.f.kinds.of(uint32(to)) != t {
		return -1
	}
	p.refs = append(p.refs, tree.Reference{To: uint32(to), At: p.from + int64(start)})
	if m := p.f.marks; m != nil {
		m.Refs = append(m.Refs, RefMark{p.from + int64(at), uint32(to), p.serial, t})
	}
	return at + 2
}

// array passes an array, or a reference to one.
func (p *passer) array(start, at, levels int) int {
	n := p.count(at)
	at += 2
	switch {
	case n < 0:
		return -1
	case n == MarkRef && !p.f.Rules.CtorTags:
		return p.reference(start, at, datatype.Array)
	}
	p.number(at-2, datatype.Array)
	if n == 0 {
		return at
	}
	if at >= len(p.b) {
		return -1
	}
	tag := p.b[at]
	at++
	element := p.f.Rules.TypeOf(tag)
	switch {
	case p.f.Rules.IsForeign(tag):
		return -1
	case element == datatype.Bool:
		return p.bools(at, n)
	case datatype.Width(element) > 0:
		return p.skip(at, n*int(datatype.Width(element)))
	case element == datatype.Undefined:
		return at
	case levels == 0:
		return -1
	}
	for ; n > 0 && at >= 0; n-- {
		at = p.value(at, element, levels-1)
	}
	return at
}

// fewMembers is the number of names that are compared without allocating.
const fewMembers = 24

// structure passes a struct, or a reference to one.
func (p *passer) structure(start, at, levels int) int {
	n := p.count(at)
	at += 2
	switch {
	case n < 0 || levels == 0:
		return -1
	case n >= MarkCtor && p.f.Rules.CtorTags:
		return -1
	case n == MarkRef:
		return p.reference(start, at, datatype.Struct)
	case n == MarkCtor:
		p.number(at-2, datatype.Struct)
		return p.constructed(start, at, levels-1)
	}
	p.number(at-2, datatype.Struct)
	return p.members(at, n, levels-1)
}

// members passes the n names and values of a struct, whose names all differ.
func (p *passer) members(at, n, levels int) int {
	if n > fewMembers {
		return -1
	}
	var seen [fewMembers]uint32
	for i := range n {
		end := p.text(at)
		if end <= at+1 { // an empty name is worth a note
			return -1
		}
		h := hash(p.b[at:end])
		for _, other := range seen[:i] {
			if h == other {
				return -1
			}
		}
		seen[i] = h
		if at = p.value(end, datatype.Any, levels); at < 0 {
			return -1
		}
	}
	return at
}

// constructed passes a struct from its constructor's index on.
func (p *passer) constructed(start, at, levels int) int {
	index := p.count(at)
	at += 2
	if index < 0 || at >= len(p.b) {
		return -1
	}
	version, verbose := p.f.Rules.SchemaVersion(p.b[at])
	at++
	l, ok := p.f.names.known(uint16(index), version, p.from+int64(start))
	switch {
	case !ok || verbose == (version > 0): // else it takes a look at the schema, or is wrong
		return -1
	case p.f.marks != nil:
		p.f.marks.Ctors = append(p.f.marks.Ctors, CtorMark{At: p.from + int64(at) - 1, Index: uint16(index)})
	}
	if verbose {
		n := p.count(at)
		if n < 0 {
			return -1
		}
		return p.members(at+2, n, levels)
	}
	return p.schemaBody(at, l.schema, levels)
}

// schemaBody passes the members that a schema lays out.
func (p *passer) schemaBody(at int, schema *gml.Schema, levels int) int {
	list := at // of the skipped members
	skips := 0
	if p.f.Rules.Skips {
		for {
			skip := p.count(at)
			at += 2
			if skip == 0 {
				break
			}
			if skip < 0 || skip > len(schema.Members) || skip <= p.skip16(list, skips-1) {
				return -1
			}
			skips++
		}
	}
	next := 0
	for i := range schema.Members {
		if next < skips && p.skip16(list, next) == i+1 {
			next++
			continue
		}
		if at = p.value(at, datatype.ID(schema.Members[i].Type), levels); at < 0 {
			return -1
		}
	}
	return at
}

// skip16 is the i-th entry of the list of skipped members at an offset of b, 0
// for the one before the first.
func (p *passer) skip16(list, i int) int {
	if i < 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint16(p.b[list+2*i:]))
}

// hash is FNV-1a.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
