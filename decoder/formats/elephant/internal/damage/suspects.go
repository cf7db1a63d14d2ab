package damage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unicode"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// A suspecter lists what could be wrong with the leading fields of one value.
type suspecter struct {
	f      *block.Reading
	w      *source.Window
	parent *tree.Value
	slot   tree.Slot
	v      *tree.Value
	try    func(diagnose.Suspect) bool
	done   bool // no further suspects are wanted
	new    [2]byte
}

// A Judging implements diagnose.Suspecter, diagnose.Headed and edit.Repairer
// for a reading.
type Judging struct{ *block.Reading }

// Suspects lists the leading fields of v that could be wrong: tags, texts without an end, marks and counts
// of arrays with a stride, constructors, schema versions and lists of skipped members. The number of a
// reference is never among them, as any number can be read.
func (f Judging) Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	s := &suspecter{f: f.Reading, w: w, parent: parent, slot: slot, v: v, try: try}
	if v.Type == datatype.File || v.Type == datatype.Skipped {
		return
	}
	if v.Flags&block.Tagged != 0 {
		for at := v.Head; at < min(f.TagsEnd(w, v), v.Limit, v.Head+block.MaxAny); at++ {
			s.tag(at, "tag")
		}
	}
	switch {
	case v.Type == datatype.MemberName:
		s.ends(v.Start, v.Tail-1)
	case datatype.IsText(v.Type):
		s.ends(v.Body, v.Tail-1)
	case v.Type == datatype.Array:
		s.array()
	case v.Type == datatype.Struct && v.Flags&block.Constructed != 0:
		s.constructed()
	case v.Type == datatype.Struct:
		s.marks(f.TagsEnd(w, v))
	}
}

// HeadChanges implements diagnose.Headed.
func (f Judging) HeadChanges() (all []diagnose.HeadChange) {
	for _, slip := range f.Header.Slips {
		all = append(all, diagnose.HeadChange{Span: slip.Span, New: slip.New})
	}
	return all
}

// Recount implements diagnose.Suspecter.
func (f Judging) Recount(w *source.Window, _, v *tree.Value, n int64) (s diagnose.Suspect, ok bool) {
	at := countAt(f.Reading, w, v)
	room := int64(f.Rules.Room(v.Type))
	if at == v.Body-2 && v.Flags&block.Constructed != 0 { // there, no mark is looked for
		room = 1<<16 - 1
	}
	if at == tree.Unknown || at+2 > v.Limit || n < 0 || n > room {
		return s, false
	}
	s = diagnose.Suspect{Span: span.Span{Offset: at, Length: 2}, New: binary.LittleEndian.AppendUint16(nil, uint16(n)),
		Code: span.WrongCount, Was: counts(f.Reading, w, v, at), Is: strconv.FormatInt(n, 10)}
	if !f.Rules.CtorTags && isHalfMark(w.U16(at)) {
		s.Penalty = 2
	}
	return s, true
}

// countAt returns the offset of the count of an array's or struct's children, or of a mark in its place;
// Unknown if there is none.
func countAt(f *block.Reading, w *source.Window, v *tree.Value) int64 {
	switch {
	case v.Type != datatype.Array && v.Type != datatype.Struct:
		return tree.Unknown
	case v.Flags&block.Constructed != 0 && v.Layout == tree.Pairs:
		return v.Body - 2
	case v.Flags&block.OldTag != 0:
		return tree.Unknown
	}
	return f.TagsEnd(w, v)
}

// counts describes a count, or the mark in its place.
func counts(f *block.Reading, w *source.Window, v *tree.Value, at int64) string {
	switch n := w.U16(at); {
	case f.Rules.CtorTags, at == v.Body-2 && v.Flags&block.Constructed != 0:
	case n == block.MarkRef:
		return "the mark of a reference"
	case n == block.MarkCtor && v.Type == datatype.Struct:
		return "the mark of a constructor"
	}
	return "a count of " + span.Grouped(int64(w.U16(at)))
}

// offer offers one way in which n bytes at an offset could be wrong.
func (s *suspecter) offer(at, n int64, code, was, is string, penalty int) {
	if s.done || at+n > s.v.Limit {
		return
	}
	s.done = !s.try(diagnose.Suspect{Span: span.Span{Offset: at, Length: n}, New: s.new[:n], Code: code, Was: was, Is: is, Penalty: penalty})
}

func (s *suspecter) offer8(at int64, b byte, code, was, is string, penalty int) {
	s.new[0] = b
	s.offer(at, 1, code, was, is, penalty)
}

func (s *suspecter) offer16(at int64, n uint16, code, was, is string, penalty int) {
	binary.LittleEndian.PutUint16(s.new[:], n)
	s.offer(at, 2, code, was, is, penalty)
}

// mostEnds is the number of bytes of a text that are searched for its end.
const mostEnds = 1024

// ends tries earlier ends for a text in [off, end) whose NUL may have been overwritten: at a byte that is
// rare in texts, or one before it.
func (s *suspecter) ends(off, end int64) {
	if s.v.Damage != nil && s.v.Tail <= off {
		if end = s.v.Limit; end > off {
			s.offer8(end-1, 0, block.MissingEnd, inText(s.w.Byte(end-1)), theEnd, 1)
		}
	}
	b := append([]byte{}, s.w.View(off, min(end-off, mostEnds))...)
	if tree.IsPlain(b) {
		return
	}
	for i, c := range b {
		switch at := off + int64(i); {
		case isOdd(c):
			s.offer8(at, 0, block.MissingEnd, inText(c), theEnd, 0)
		case i+1 < len(b) && isOdd(b[i+1]):
			s.offer8(at, 0, block.MissingEnd, inText(c), theEnd, 1)
		}
	}
}

const theEnd = "the NUL at its end"

func inText(c byte) string { return fmt.Sprintf("byte %#02x in a text", c) }

// isOdd reports whether a byte is not a printable ASCII character.
func isOdd(c byte) bool { return c < ' ' || c >= 0x7f }

// marks tries a reference or a constructed struct in place of a count, and the reverse.
func (s *suspecter) marks(at int64) {
	if s.f.Rules.CtorTags || at+2 > s.v.Limit {
		return
	}
	n := s.w.U16(at)
	was := counts(s.f, s.w, s.v, at)
	penalty := 2
	if isHalfMark(n) {
		penalty = 0
	}
	if n != block.MarkCtor && s.v.Type == datatype.Struct {
		s.offer16(at, block.MarkCtor, span.WrongType, was, "a constructed struct", penalty)
	}
	if n != block.MarkRef {
		s.offer16(at, block.MarkRef, span.WrongType, was, "a reference", penalty)
	}
	if n != block.MarkRef && (n != block.MarkCtor || s.v.Type != datatype.Struct) {
		return
	}
	for count := range uint16(fewCounts) {
		s.offer16(at, count, span.WrongCount, was, strconv.Itoa(int(count)), 1)
	}
}

// isHalfMark reports whether a count has one of the two bytes of a mark.
func isHalfMark(n uint16) bool { return n>>8 == 0xff || n&0xff >= 0xfe }

// fewCounts is the number of counts that are tried in place of a mark, or if it is not known which ones
// could fit.
const fewCounts = 64

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

// skipPenalty returns how unusual a member is as an entry of a list of skipped ones, which is in order.
func skipPenalty(list []uint16, i, member int) int {
	if i > 0 && member < int(list[i-1]) || i+1 < len(list) && list[i+1] > 0 && member > int(list[i+1]) {
		return 1
	}
	return 0
}

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
			s.offer16(pos, uint16(n), block.WrongSkip, was, "the member "+strconv.Itoa(n), skipPenalty(list, i, n))
		}
	}
}

// skipList reads a list with its final zero, up to the longest list possible for that many members.
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

// How unlikely something is in a save.
const (
	oddBit  = 1 // some games do it
	oddMuch = 2 // hardly any game does it

	oddest = 64 // it is something else
)

// fewOdd and fewOddText are the numbers of elements and bytes that are rated.
const (
	fewOdd     = 64
	fewOddText = 64
)

// Oddness returns how unlikely it is that a game stores v in that place; 0 for most values.
func (f Judging) Oddness(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) (odd int) {
	if v.Damage != nil {
		return 0
	}
	switch {
	case slot.Key:
		return oddName(w.View(v.Start, min(v.Tail-1-v.Start, fewOddText)))
	case datatype.IsText(v.Type):
		odd = oddText(w.View(v.Body, min(v.Tail-1-v.Body, fewOddText)))
	case datatype.Width(v.Type) > 0:
		odd = oddNumber(datatype.NumberAt(w, v.Type, v.Body))
	case v.Type == datatype.Array && v.Layout == tree.Fixed:
		odd = oddElements(w, v)
	case v.Type == datatype.Undefined && parent.Type == datatype.File:
		odd = oddMuch
	case v.Type == datatype.Struct && v.Flags&block.Named != 0:
		odd = oddName(w.View(f.NameAt(w, v), min(f.VersionAt(w, v)-1-f.NameAt(w, v), fewOddText)))
	}
	if v.Flags&block.Tagged != 0 {
		odd += oddTag(f.Reading, w, v)
	}
	return odd
}

// oddTag returns the penalty of a tag that no version writes, or of a datatype that
// GameMaker rarely uses.
func oddTag(f *block.Reading, w *source.Window, v *tree.Value) int {
	switch t := f.Rules.TypeOf(w.Byte(v.Head)); {
	case !datatype.IsWritten(t), t == datatype.S32:
		return oddMuch
	case t == datatype.U64:
		return oddBit
	}
	return 0
}

func oddName(name []byte) int {
	switch {
	case tree.IsIdentifier(name):
		return 0
	case len(name) == 0:
		return oddMuch
	case bytes.HasPrefix(name, []byte(block.MagicFooter+block.MagicHeader)): // two blocks meet here
		return oddest
	}
	return oddBit + oddText(name)
}

func oddText(text []byte) int {
	text = bytes.TrimRight(text, "\t\r\n")
	if bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }) {
		return oddMuch
	}
	return 0
}

// oddNumber returns how unlikely a number is.
func oddNumber(n datatype.Number) int {
	switch {
	case n.IsFloat():
		if x := math.Abs(n.Float()); x != 0 && (x < 1e-6 || x > 1e12 || x != x) {
			return oddMuch
		}
	case n.Of == datatype.U64:
		if i := int64(n.Bits); i < -1<<40 || i > 1<<40 {
			return oddBit
		}
	}
	return 0
}

// oddElements rates the first elements of an array with a stride. Undefined elements take no bytes, so any
// number of them fits.
func oddElements(w *source.Window, v *tree.Value) (odd int) {
	of := datatype.ID(v.Sub)
	if of == datatype.Undefined {
		return oddMuch
	}
	for i := range min(v.Count, fewOdd) {
		odd = max(odd, oddNumber(datatype.NumberAt(w, of, v.Body+i*int64(v.Stride))))
	}
	return odd
}
