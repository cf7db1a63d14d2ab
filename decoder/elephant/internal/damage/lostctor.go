package damage

import (
	"encoding/binary"

	"varview/decoder/elephant/gml"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
)

// constructed continues b by a constructed struct.
func (l *loser) constructed(b []byte, sure int, then then) {
	if l.f.Rules.CtorTags {
		return
	}
	l.addSure(b, sure, binary.LittleEndian.AppendUint16(nil, block.MarkCtor), func(b []byte, sure int) {
		for _, index := range newOrKnown(l.f, l.v.Start) {
			l.addSure(b, sure, binary.LittleEndian.AppendUint16(nil, index), func(b []byte, sure int) { l.name(b, sure, index, then) })
		}
	})
}

// name continues b by the name of a constructor, if it is new: one that a schema declares,
// or another if there are none.
func (l *loser) name(b []byte, sure int, index uint16, then then) {
	for _, known := range l.f.CtorsBefore(l.v.Start) {
		if known == index {
			l.version(b, sure, l.f.CtorAt(index), then)
			return
		}
	}
	declared := false
	for _, library := range l.f.Schemas() {
		for _, name := range library.Constructors() {
			declared = true
			l.addSure(b, sure, append([]byte(name), 0), func(b []byte, sure int) { l.version(b, sure, name, then) })
		}
	}
	if !declared {
		l.letters(b, sure, func(b []byte, sure int) { l.version(b, sure, "", then) })
	}
}

// version continues b by a version of a constructor's schema, or the mark of a body with
// names, and the members.
func (l *loser) version(b []byte, sure int, name string, then then) {
	r := l.f.Rules
	for _, version := range l.f.Schemas().Versions(name, r.MaxVersion()) {
		schema, err := l.f.Schemas().LookUp(name, version)
		if err != nil {
			continue
		}
		l.add(b, sure, []byte{r.VersionByte(version, schema.Verbose && r.Bit7)}, func(b []byte, sure int) {
			if schema.Verbose && r.Bit7 {
				l.verbose(b, sure, then)
				return
			}
			l.body(b, sure, schema, then)
		})
	}
	l.add(b, sure, []byte{r.VersionByte(0, true)}, func(b []byte, sure int) { l.verbose(b, sure, then) })
}

// verbose continues b by the members of a struct with their names.
func (l *loser) verbose(b []byte, sure int, then then) {
	l.count(b, sure, func(b []byte, sure, n int) { l.pairs(b, sure, n, then) }, then)
}

// body continues b by the members that a schema lays out, all of them.
func (l *loser) body(b []byte, sure int, schema *gml.Schema, then then) {
	members := func(b []byte, sure int) { l.members(b, sure, schema, 0, then) }
	if !l.f.Rules.Skips {
		members(b, sure)
		return
	}
	l.add(b, sure, []byte{0, 0}, members)
}

// members continues b by the members of a schema from an index on.
func (l *loser) members(b []byte, sure int, schema *gml.Schema, from int, then then) {
	if from >= len(schema.Members) {
		then(b, sure)
		return
	}
	l.content(b, sure, datatype.ID(schema.Members[from].Type), func(b []byte, sure int) { l.members(b, sure, schema, from+1, then) })
}
