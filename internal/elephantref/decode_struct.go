package elephantref

import "slices"

// structure reads a struct without a constructor tag of 1.0.0: a plain or
// constructed one, or a reference (section 4).
func (d *decoder) structure(v *Value) {
	n := d.u16(v, "length")
	if d.file.Version.hasReferences() {
		switch n {
		case 0xFFFF:
			d.reference(v)
			return
		case 0xFFFE:
			id := d.begin(v)
			d.constructed(v, d.u16(v, "ctor"))
			v.Struct.ID = id
			return
		}
	}
	v.Struct = &StructValue{ID: d.begin(v), Verbose: true}
	d.named(v, n)
}

// constructed reads a struct from its constructor's name on (section 5).
func (d *decoder) constructed(v *Value, index int) {
	s := &StructValue{ID: -1, Constructed: true, Index: index}
	v.Struct = s
	offset := d.at
	name, known := d.names[index]
	if !known {
		name = d.text(v)
		d.names[index] = name
	}
	s.Constructor = name
	c := d.schemas[name]
	s.Unresolved = c == nil && d.schemas != nil
	if s.Unresolved && d.file.Version != V100 {
		d.fail(offset, "no constructor %q", name)
	}
	offset = d.at
	version := d.u8(v, "schema")
	if d.file.Version.hasVerboseBit() {
		s.Verbose, s.Version = version&0x80 != 0, version&0x7f
	} else {
		s.Verbose, s.Version = version == 0, version
	}
	if s.Verbose {
		d.named(v, d.u16(v, "length"))
		return
	}
	var schema *Schema
	if c != nil {
		schema = c.Versions[s.Version]
	}
	switch {
	case schema == nil:
		d.fail(offset, "constructor %q has no schema v%d", name, s.Version)
	case schema.Verbose:
		d.fail(offset, "schema v%d of constructor %q is a verbose one, the body is not", s.Version, name)
	}
	d.bySchema(v, schema)
}

// named reads n members with their names and tags.
func (d *decoder) named(v *Value, n int) {
	seen := map[string]int{}
	for range n {
		m := d.newValue(Value{parent: v})
		from := len(d.file.fields)
		m.name = d.text(m)
		for i := from; i < len(d.file.fields); i++ {
			d.file.fields[i].key = true
		}
		m.nth = seen[m.name]
		seen[m.name]++
		v.Struct.Members = append(v.Struct.Members, Entry{m.name, m})
		d.any(m)
	}
}

// bySchema reads the list of skipped members and the values of the others.
func (d *decoder) bySchema(v *Value, schema *Schema) {
	s := v.Struct
	if d.file.Version.hasSkipList() {
		s.Skipped = d.skipList(v, len(schema.Members))
	}
	for i, member := range schema.Members {
		if slices.Contains(s.Skipped, i+1) {
			continue
		}
		m := d.newValue(Value{parent: v, name: member.Name})
		s.Members = append(s.Members, Entry{m.name, m})
		d.content(m, member.Type, 0)
	}
}

// skipList reads the 1-based numbers of the members that are not stored. One
// past the last member does no harm in the library, more does (section 9).
func (d *decoder) skipList(v *Value, members int) []int {
	list := []int{}
	for {
		offset := d.at
		n := d.u16(v, "skip")
		switch {
		case n == 0:
			d.file.fields[len(d.file.fields)-1].kind = "terminator"
			return list
		case n > members+1:
			d.fail(offset, "skipped member %d of %d", n, members)
		}
		list = append(list, n)
	}
}
