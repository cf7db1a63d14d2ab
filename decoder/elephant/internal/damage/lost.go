package damage

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/elephant/gml"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// A loser lists what bytes that were lost could have been. It writes what could begin where
// the value begins, by the rules of the format and the schemas, and keeps what agrees with
// what is left before and after the lost bytes. Numbers are taken for zero and letters for
// question marks, since nothing shows which they were.
type loser struct {
	f     *block.Reading
	v     *tree.Node
	left  []byte // what is left of the value before the lost bytes
	after []byte // what follows them
	size  int    // length of left and of the lost bytes
	try   func([]byte, int, bool) bool
	tried map[string]bool
	done  bool
}

// then continues bytes by what may follow them. Of these, sure ones other than zeros are
// among the lost ones: marks and names, which are not chosen so that they fit.
type then func(b []byte, sure int)

const (
	mostLost    = 40  // bytes from the beginning of a value up to the last lost one within which what is left of it is compared
	mostAfter   = 64  // bytes after the lost ones that are compared
	mostTried   = 128 // contents that are tried in one place
	fewChildren = 8   // children up to which lost counts are tried
)

// Lost implements diagnose.Loser.
func (f Judging) Lost(w *source.Window, v *tree.Node, at int64, n int, try func(lost []byte, sure int, counted bool) bool) {
	if at+int64(n)-v.Start > mostLost {
		return
	}
	l := &loser{f: f.Reading, v: v, try: try, tried: map[string]bool{}, after: bytes.Clone(w.View(at, mostAfter))}
	if len(l.after) == 0 { // the end is cut off
		return
	}
	l.left = bytes.Clone(w.View(v.Start, at-v.Start))
	l.size = len(l.left) + n
	next := func(b []byte, sure int) { l.follow(b, sure, v.Parent, v.Slot) }
	switch {
	case v.Parent == nil:
		isWrong := f.Header.Version != f.Rules.Version || f.Header.Magic != f.Header.RightMagic(f.Rules)
		if isWrong && v.Body-v.Start == block.HeaderSize { // a shorter file is cut off
			l.header(nil)
		}
	case v.Slot.Key:
		l.letters(nil, 0, func(b []byte, sure int) { l.value(b, sure, next) })
	case v.Flags&block.Tagged != 0:
		l.value(nil, 0, next)
	case v.Flags&block.OldTag != 0:
		l.content(nil, 0, datatype.ID(v.Parent.Sub), next)
	default:
		l.content(nil, 0, v.Type, next)
	}
}

// add continues b by more and calls then with the result, unless that is complete or
// differs from what is left.
func (l *loser) add(b []byte, sure int, more []byte, then then) {
	b = append(bytes.Clone(b), more...)
	known := min(len(b), len(l.left))
	switch {
	case l.done || !bytes.Equal(b[:known], l.left[:known]):
	case len(b) < l.size:
		then(b, sure)
	default:
		lost := b[len(l.left):l.size]
		if l.tried[string(lost)] {
			return
		}
		l.tried[string(lost)] = true
		l.done = !l.try(lost, sure, false) || len(l.tried) == mostTried
	}
}

// addSure continues b by bytes that could not have been others; those of them that were not
// lost follow.
func (l *loser) addSure(b []byte, sure int, more []byte, then then) {
	over := max(0, len(b)+len(more)-l.size)
	if !bytes.HasPrefix(l.after, more[len(more)-over:]) {
		return
	}
	for i, c := range more[:len(more)-over] {
		if c != 0 && len(b)+i >= len(l.left) {
			sure++
		}
	}
	l.add(b, sure, more, then)
}

// header continues b by the header of the block and its value.
func (l *loser) header(b []byte) {
	l.addSure(b, 0, []byte(l.f.Rules.Header()), func(b []byte, sure int) {
		l.value(b, sure, l.footer)
	})
}

// footer continues b by the end of the block, after which nothing follows.
func (l *loser) footer(b []byte, sure int) {
	if l.f.Header.Footed && len(b)+len(block.MagicFooter) == l.size+len(l.after) {
		l.addSure(b, sure, []byte(block.MagicFooter), func([]byte, int) {})
	}
}

// follow continues b by what follows the child of a parent in a slot.
func (l *loser) follow(b []byte, sure int, parent *tree.Node, slot tree.Slot) {
	i := slot.Index + 1
	next := func(b []byte, sure int) { l.follow(b, sure, parent, tree.Slot{Index: i}) }
	switch {
	case parent.Parent == nil:
		l.footer(b, sure)
	case i >= parent.Count:
		l.follow(b, sure, parent.Parent, parent.Slot)
	case parent.Layout == tree.Pairs:
		l.pair(b, sure, next)
	case parent.Flags&block.BySchema != 0:
		if schema := l.f.SchemaOf(&parent.Value); schema != nil {
			l.members(b, sure, schema, int(i), func(b []byte, sure int) { l.follow(b, sure, parent.Parent, parent.Slot) })
		}
	default:
		l.content(b, sure, datatype.ID(parent.Sub), next)
	}
}

// pair continues b by the name of a member and its value.
func (l *loser) pair(b []byte, sure int, then then) {
	l.letters(b, sure, func(b []byte, sure int) { l.value(b, sure, then) })
}

// value continues b by a tag and what it announces.
func (l *loser) value(b []byte, sure int, then then) {
	for tag := range 256 {
		t := l.f.Rules.TypeOf(byte(tag))
		if t != datatype.Any && (!datatype.IsWritten(t) || t&datatype.CtorElement != 0) || l.f.Rules.IsForeign(byte(tag)) {
			continue
		}
		l.add(b, sure, []byte{byte(tag)}, func(b []byte, sure int) { l.content(b, sure, t, then) })
	}
	if !l.f.Rules.CtorTags {
		return
	}
	for _, index := range newOrKnown(l.f, l.v.Start) {
		l.add(b, sure, []byte{byte(index)}, func(b []byte, sure int) { l.name(b, sure, index, then) })
	}
}

// content continues b by a value of type t, without its tag.
func (l *loser) content(b []byte, sure int, t datatype.ID, then then) {
	switch {
	case datatype.Width(t) > 0:
		n := make([]byte, datatype.Width(t))
		copy(n, l.left[min(len(b), len(l.left)):])
		l.add(b, sure, n, then)
	case datatype.IsText(t):
		l.letters(b, sure, then)
	case t == datatype.Array:
		l.count(b, sure, func(b []byte, sure, n int) { l.elements(b, sure, n, then) }, then)
		l.reference(b, sure, then)
	case t == datatype.Struct:
		l.count(b, sure, func(b []byte, sure, n int) { l.pairs(b, sure, n, then) }, then)
		l.constructed(b, sure, then)
		l.reference(b, sure, then)
	case t == datatype.Undefined:
		then(b, sure)
	case t == datatype.Any:
		l.value(b, sure, then)
	case t&datatype.CtorElement != 0:
		l.name(b, sure, t&0xff, then)
	}
}

// letters continues b by texts of all lengths.
func (l *loser) letters(b []byte, sure int, then then) {
	for n := range l.size - len(b) + 1 {
		text := append(bytes.Repeat([]byte{'?'}, n), 0)
		copy(text[:n], l.left[min(len(b), len(l.left)):])
		if bytes.IndexByte(text, 0) < n {
			return
		}
		l.add(b, sure, text, then)
	}
}

// count continues b by the count of an array or struct and its children, and then by what
// follows it.
func (l *loser) count(b []byte, sure int, children func(b []byte, sure, n int), then then) {
	for n := range fewChildren + 1 {
		l.add(b, sure, binary.LittleEndian.AppendUint16(nil, uint16(n)), func(b []byte, sure int) {
			if n == 0 {
				then(b, sure)
				return
			}
			children(b, sure, n)
		})
	}
}

// reference continues b by a reference in place of a count. Any can be read, so the first
// value is taken.
func (l *loser) reference(b []byte, sure int, then then) {
	if l.f.Rules.CtorTags {
		return
	}
	l.addSure(b, sure, []byte{0xff, 0xff}, func(b []byte, sure int) {
		number := make([]byte, 2)
		copy(number, l.left[min(len(b), len(l.left)):])
		l.add(b, sure, number, then)
	})
}

// elements continues b by the tag and the n elements of an array.
func (l *loser) elements(b []byte, sure, n int, then then) {
	for tag := range 256 {
		t := l.f.Rules.TypeOf(byte(tag))
		if t == datatype.Unknown || t&datatype.CtorElement != 0 || l.f.Rules.IsForeign(byte(tag)) || !datatype.IsWritten(t) && t != datatype.Any {
			continue
		}
		l.add(b, sure, []byte{byte(tag)}, func(b []byte, sure int) {
			l.repeat(b, sure, n, then, func(b []byte, sure int, next func([]byte, int)) { l.content(b, sure, t, next) })
		})
	}
}

// pairs continues b by n members with their names.
func (l *loser) pairs(b []byte, sure, n int, then then) {
	l.repeat(b, sure, n, then, func(b []byte, sure int, next func([]byte, int)) { l.pair(b, sure, next) })
}

// repeat continues b by n children, and then by what follows them.
func (l *loser) repeat(b []byte, sure, n int, then then, child func(b []byte, sure int, next func([]byte, int))) {
	if n == 0 {
		then(b, sure)
		return
	}
	child(b, sure, func(b []byte, sure int) { l.repeat(b, sure, n-1, then, child) })
}

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
	l.content(b, sure, schema.Members[from].Type, func(b []byte, sure int) { l.members(b, sure, schema, from+1, then) })
}
