package damage

import (
	"strconv"

	"varview/decoder/diagnose"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// constructed tries other constructors, schema versions and skipped members.
func (s *suspecter) constructed() {
	f, v := s.f, s.v
	if v.Flags&block.OldTag == 0 {
		s.marks(f.TagsEnd(s.w, v))
		s.index(f.NameAt(s.w, v) - 2)
	}
	if name := f.NameAt(s.w, v); v.Flags&block.Named != 0 || v.Damage != nil && v.Tail == name {
		s.ends(name, f.VersionAt(s.w, v)-1)
	}
	if v.Flags&block.Named != 0 {
		s.name(f.NameAt(s.w, v), f.CtorName(v))
	}
	if at := f.VersionAt(s.w, v); at < v.Limit && (v.Damage == nil || at < v.Tail) {
		s.version(at)
		s.skipped(at)
	}
}

// name tries the constructor whose name differs in one character.
func (s *suspecter) name(at int64, name string) {
	is := s.f.NearCtor(name)
	if size := int64(len(is)); size > 0 && !s.done && len(is) == len(name) && at+size <= s.v.Limit {
		s.done = !s.try(diagnose.Suspect{Span: span.Span{Offset: at, Length: size}, New: []byte(is), Code: block.CtorName,
			Was: `the constructor "` + tree.Prose([]byte(name)) + `"`, Is: `"` + is + `"`})
	}
}

// index tries other constructors: the known ones and a new one.
func (s *suspecter) index(at int64) {
	is := s.w.U16(at)
	for _, index := range newOrKnown(s.f, s.v.Start) {
		if index != is {
			s.offer16(at, index, block.CtorIndex, "the constructor "+ctorText(s.f, is), ctorText(s.f, index), 0)
		}
	}
}

// ctorText returns a constructor's index with its name, if that is known.
func ctorText(f *block.Reading, index uint16) string {
	text := strconv.Itoa(int(index))
	if name := f.CtorAt(index); name != "" {
		text += " (" + literal.Shown(name) + ")"
	}
	return text
}

// version tries the versions of the constructor's schema, and a body with names.
func (s *suspecter) version(at int64) {
	r := s.f.Rules
	is := s.w.Byte(at)
	offer := func(version int, verbose bool, penalty int) {
		if b := r.VersionByte(version, verbose); b != is {
			s.offer8(at, b, block.WrongSchema, "a struct stored in "+schemaText(r, is), schemaText(r, b), penalty)
		}
	}
	name := s.f.CtorName(s.v)
	versions := s.f.Schemas().Versions(name, r.MaxVersion())
	for _, version := range versions {
		offer(version, false, 0)
	}
	offer(0, true, 0)
	if !r.Bit7 {
		return
	}
	for _, version := range versions {
		penalty := 1
		if schema, err := s.f.Schemas().LookUp(name, version); err == nil && schema.Verbose {
			penalty = 0
		}
		offer(version, true, penalty)
	}
	if now, verbose := r.SchemaVersion(is); len(versions) == 0 && !verbose && now > 0 {
		offer(now, true, 1)
	}
}

// schemaText describes a version byte for people.
func schemaText(r *block.Rules, b byte) string {
	version, verbose := r.SchemaVersion(b)
	switch {
	case verbose && version == 0:
		return "no version, but with names"
	case verbose:
		return "version " + strconv.Itoa(version) + " with names"
	}
	return "version " + strconv.Itoa(version)
}

// mostSkips is the number of other entries of a list of skipped members that are tried.
const mostSkips = 2048

// skipped tries other entries in the list of skipped members after the version byte: its
// end, and the numbers that are not in it.
func (s *suspecter) skipped(at int64) {
	version, verbose := s.f.Rules.SchemaVersion(s.w.Byte(at))
	if !s.f.Rules.Skips || verbose {
		return
	}
	schema, err := s.f.Schemas().LookUp(s.f.CtorName(s.v), version)
	if err != nil || schema == nil {
		return
	}
	members := len(schema.Members)
	list := s.skipList(at+1, members)
	has := make([]bool, members+1)
	for _, n := range list {
		if int(n) <= members {
			has[n] = true
		}
	}
	left := mostSkips
	for i, is := range list {
		pos := at + 1 + 2*int64(i)
		was := "the skipped member " + strconv.Itoa(int(is))
		if is == 0 {
			was = "the end of the skipped members"
		} else {
			s.offer16(pos, 0, block.WrongSkip, was, "their end", 0)
		}
		for n := 1; n <= members && left > 0; n++ {
			if has[n] {
				continue
			}
			left--
			penalty := 0
			if i > 0 && n < int(list[i-1]) || i+1 < len(list) && list[i+1] > 0 && n > int(list[i+1]) {
				penalty = 1
			}
			s.offer16(pos, uint16(n), block.WrongSkip, was, "the member "+strconv.Itoa(n), penalty)
		}
	}
}

// skipList reads a list with the zero at its end, up to the length that a list for that
// many members can have.
func (s *suspecter) skipList(at int64, members int) (list []uint16) {
	for len(list) < members+2 && at+2 <= s.v.Limit {
		n := s.w.U16(at)
		list = append(list, n)
		if n == 0 {
			break
		}
		at += 2
	}
	return list
}
