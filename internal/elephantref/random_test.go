package elephantref

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// buildOptions describe what build makes. The zero value is a file of a few bytes
// to some hundred, of any version.
type buildOptions struct {
	Version Version // 0 for a random one
	Dev     bool    // as development builds wrote it: 1.1.0 with header PELE and footer, 1.4.0 with Tags14
	Size    int     // bytes, roughly; 0 for a random one below 1000
	Depth   int     // containers within one another; 0 for 12
}

// build makes a random file that the library could have written: as it was meant, its bytes, and the constructors of the
// game it comes from. The same random numbers make the same file.
func build(r *rand.Rand, o buildOptions) (*File, []byte, classes) {
	if o.Version == 0 {
		o.Version = Versions()[r.IntN(len(Versions()))]
		o.Dev = r.IntN(4) == 0
	}
	if o.Size == 0 {
		o.Size = 9 + r.IntN(1000)
	}
	if o.Depth == 0 {
		o.Depth = 12
	}
	f := &File{Header: "PELE", Version: o.Version, Tags: tags14}
	f.Footer = o.Version > V110 || o.Version == V110 && o.Dev
	if !f.Footer {
		f.Header = "ATMC"
	}
	if o.Version > V140 || o.Version == V140 && !o.Dev {
		f.Tags = tags204
	}
	b := &builder{r: r, version: o.Version, depth: o.Depth, classes: randomClasses(r, o.Version, min(1+o.Size/60, 12))}
	b.diffs = o.Version.hasSkipList() && b.chance(3)
	f.Root = b.root(o.Size - 8)
	if f.Version == V140 && f.Root.Type < Any {
		f.Tags = tags204 // the file does not show it
	}
	return f, encode(f, b.classes.schemas()), b.classes
}

// A builder makes values in the order of the file.
type builder struct {
	r       *rand.Rand
	version Version
	depth   int // levels left
	diffs   bool
	classes classes
	started []*Value // possible targets of references
	used    int      // bytes made so far, roughly
}

// chance is true once in n times.
func (b *builder) chance(n int) bool { return b.r.IntN(n) == 0 }

// root makes the outermost value; a large one is a container that holds any
// number of others.
func (b *builder) root(size int) *Value {
	if size < 300 {
		return b.any(size)
	}
	switch v := b.start(); b.r.IntN(3) {
	case 0:
		return b.mixedArray(v, size)
	case 1:
		return b.plain(v, size)
	default:
		for _, c := range b.classes {
			if c.written == 0 {
				return b.constructed(v, c, size)
			}
		}
		return b.plain(v, size)
	}
}

// start records a container, which values inside can refer to.
func (b *builder) start() *Value {
	v := &Value{}
	b.used += 3
	if len(b.started) <= 0xFFFF { // a higher index would not fit
		b.started = append(b.started, v)
	}
	return v
}

// any makes a value as code without a schema has it, of about the size.
func (b *builder) any(size int) *Value {
	b.used++
	if b.chance(8) {
		if v := b.reference(Any); v != nil {
			return v
		}
	}
	if size < 4 || b.depth == 0 || size < 40 && b.chance(2) {
		return b.scalar(dynamicScalars[b.r.IntN(len(dynamicScalars))], size)
	}
	if b.chance(2) {
		return b.array(size)
	}
	return b.structure(size)
}

// reference makes a reference to a container that begins before it, if it finds
// one of that datatype.
func (b *builder) reference(t Datatype) *Value {
	if !b.version.hasReferences() || len(b.started) == 0 {
		return nil
	}
	for range 4 {
		target := b.started[b.r.IntN(len(b.started))]
		if target.Type == t || t == Any {
			b.used += 4
			return &Value{Type: Ref, Ref: &RefValue{Kind: target.Type, Target: target}}
		}
	}
	return nil
}

// below makes the content of a container, one level down.
func (b *builder) below(fill func()) {
	b.depth--
	fill()
	b.depth++
}

// share returns a size for the next of several children.
func (b *builder) share(left int) int {
	if left > 24 && b.chance(2) {
		return 1 + b.r.IntN(left/2+1)
	}
	return b.r.IntN(max(min(left, 24), 0) + 1)
}

func (b *builder) structure(size int) *Value {
	v := b.start()
	if size > 12 && b.chance(2) {
		return b.constructed(v, b.classes[b.r.IntN(len(b.classes))], size)
	}
	return b.plain(v, size)
}

func (b *builder) plain(v *Value, size int) *Value {
	v.Type, v.Struct = Struct, &StructValue{Verbose: true}
	b.below(func() { b.fillNamed(v, size, map[string]bool{}) })
	return v
}

// fillNamed adds members with unused names until the struct has its size.
func (b *builder) fillNamed(v *Value, size int, taken map[string]bool) {
	for end := b.used + size; b.used+4 < end && len(taken) < 5000; {
		name := b.memberName(taken)
		b.addMember(v, name, b.any(b.share(end-b.used)))
	}
}

func (b *builder) addMember(v *Value, name string, value *Value) {
	b.used += len(name) + 1
	v.Struct.Members = append(v.Struct.Members, Entry{name, value})
}

// constructed makes a struct as the class writes them.
func (b *builder) constructed(v *Value, c *class, size int) *Value {
	s := &StructValue{Constructed: true, Constructor: c.name, Version: c.written}
	v.Type, v.Struct = Struct, s
	b.used += 6
	b.below(func() {
		schema := c.effective().versions[c.written]
		s.Verbose = schema == nil || schema.Verbose
		switch {
		case schema == nil:
			b.verboseBody(v, c, c.members(), size)
		case schema.Verbose:
			names := []string{verboseKey}
			for _, m := range schema.Members {
				names = append(names, m.Name)
			}
			b.verboseBody(v, c, names, size)
		default:
			b.schemaBody(v, schema.Members, size)
		}
	})
	return v
}

// verboseBody stores the members without the excluded ones and, in a file of
// differences, without those that have their default. Without a schema version a
// struct may have members that its constructor does not set.
func (b *builder) verboseBody(v *Value, c *class, names []string, size int) {
	names = slices.Clone(names)
	b.r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	end := b.used + size
	taken := map[string]bool{}
	for _, name := range slices.Concat(names, c.effective().exclude) {
		taken[name] = true
	}
	for _, name := range names {
		switch {
		case slices.Contains(c.effective().exclude, name):
		case name == verboseKey && b.diffs: // undefined, as it is in a new struct
		case name == verboseKey:
			b.addMember(v, name, &Value{Type: Undefined})
		case !b.diffs || b.chance(2):
			b.addMember(v, name, b.any(b.share(end-b.used)))
		}
	}
	if c.written == 0 && (size > 200 || b.chance(4)) {
		b.fillNamed(v, end-b.used, taken)
	}
}

// schemaBody stores the members in sorted order. A member that is an array or
// struct always differs from its default (section 7).
func (b *builder) schemaBody(v *Value, members []Member, size int) {
	if b.version.hasSkipList() {
		v.Struct.Skipped = []int{}
		b.used += 2
	}
	end := b.used + size
	for i, m := range members {
		if b.diffs && m.Type != Array && m.Type != Struct && b.chance(2) {
			v.Struct.Skipped = append(v.Struct.Skipped, i+1)
			b.used += 2
			continue
		}
		v.Struct.Members = append(v.Struct.Members, Entry{m.Name, b.typed(m.Type, b.share(end-b.used))})
	}
}

// typed makes a value of a schema's datatype.
func (b *builder) typed(t Datatype, size int) *Value {
	switch t {
	case Any:
		return b.any(size)
	case Array, Struct:
		if b.chance(5) {
			if v := b.reference(t); v != nil {
				return v
			}
		}
		if b.depth == 0 {
			size = 0
		}
		switch {
		case t == Array:
			return b.array(size)
		case b.version == V100: // where any struct is stored as a plain one
			return b.plain(b.start(), size)
		}
		return b.structure(size)
	}
	return b.scalar(t, size)
}

// memberName returns an unused name.
func (b *builder) memberName(taken map[string]bool) string {
	name := memberNames[b.r.IntN(len(memberNames))]
	if b.chance(6) {
		name = oddNames[b.r.IntN(len(oddNames))]
	}
	for taken[name] {
		name += fmt.Sprint(b.r.IntN(100))
	}
	taken[name] = true
	return name
}
