package damage

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
)

// A choice is a tag that could be right, with its penalty.
type choice struct {
	tag     byte
	penalty int
}

// The penalties of tags; a tag that the library chooses by itself has none.
const (
	tagRead  = 2 // it is read, and never written
	tagOther = 3 // only another build of the same version wrote it
)

// tags lists the tags that the version writes, then all others that it reads, for a value or the elements
// of an array.
func tags(f *block.Reading, at int64, element bool) []choice {
	var all []choice
	low := f.Header.LowTags || !f.Rules.HighTags
	for tag := 1; tag < 256; tag++ {
		t := f.Rules.TypeOf(byte(tag))
		c := choice{tag: byte(tag), penalty: tagRead}
		switch {
		case t == datatype.Unknown, t&datatype.CtorElement != 0, f.Rules.IsForeign(byte(tag)):
			continue
		case datatype.IsWritten(t), element && t == datatype.Any:
			c.penalty = 0
		}
		if t >= datatype.Any && f.Rules.LowTags && f.Rules.HighTags && low != (tag < int(datatype.Any)) {
			c.penalty += tagOther
		}
		all = append(all, c)
	}
	if f.Rules.CtorTags {
		for _, index := range newOrKnown(f, at) {
			all = append(all, choice{tag: byte(index), penalty: 1})
		}
	}
	return all
}

// tagGap is the number of indexes that 1.0.0 may skip between two constructors: it uses one
// for each element of an array when it searches for a common tag.
const tagGap = 8

// newOrKnown lists the indexes of the constructors that were named before an offset, and
// the next free one.
func newOrKnown(f *block.Reading, at int64) []uint16 {
	all := f.CtorsBefore(at)
	next, most := f.Rules.CtorRange()
	if len(all) > 0 {
		next = max(next, int(all[len(all)-1])+1)
	}
	last := next
	if f.Rules.CtorTags {
		last += tagGap
	}
	for ; next <= min(last, most); next++ {
		all = append(all, uint16(next))
	}
	return all
}

// tag tries other tags at an offset, those with the fewest bits changed first.
func (s *suspecter) tag(at int64, what string) {
	was := s.w.Byte(at)
	all := tags(s.f, s.v.Start, what != "tag")
	if refers := s.refers(at + 1); refers != 0 {
		for i := range all {
			if s.f.Rules.TypeOf(all[i].tag) != refers {
				all[i].penalty++
			}
		}
	}
	slices.SortStableFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.penalty, b.penalty), cmp.Compare(bits.OnesCount8(a.tag^was), bits.OnesCount8(b.tag^was)))
	})
	title := "the " + what + " " + tagText(s.f, was)
	for _, c := range all {
		if c.tag != was {
			s.offer8(at, c.tag, span.WrongType, title, tagText(s.f, c.tag), c.penalty)
		}
	}
}

// refers returns the datatype of the target of a reference at an offset; 0 if there is no reference or the
// target is not known.
func (s *suspecter) refers(at int64) datatype.ID {
	if s.f.Rules.CtorTags || s.v.Limit-at < 4 || s.w.U16(at) != block.MarkRef {
		return 0
	}
	return datatype.ID(s.f.Kind(uint32(s.w.U16(at + 2))))
}

// tagText returns a tag with its datatype: "9 (f64)".
func tagText(f *block.Reading, tag byte) string {
	text := strconv.Itoa(int(tag))
	if t := f.Rules.TypeOf(tag); t != datatype.Unknown {
		text += " (" + datatype.Name(t) + ")"
	}
	return text
}

// array tries other counts, if the array itself holds elements of one size, and other element tags.
func (s *suspecter) array() {
	at := s.f.TagsEnd(s.w, s.v)
	tagAt := at + 2
	if s.v.Limit-tagAt < 0 {
		return
	}
	n := s.w.U16(at)
	if isRef := n == block.MarkRef && !s.f.Rules.CtorTags; isRef || n == 0 {
		s.marks(at)
		if isRef || tagAt >= s.v.Limit {
			return
		}
	}
	element := s.f.Rules.TypeOf(s.w.Byte(tagAt))
	if n > 0 && tagAt < s.v.Limit {
		s.tag(tagAt, "element tag")
	}
	stride := datatype.Width(element)
	switch {
	case stride > 0:
		s.fits(at, tagAt+1, stride)
	case n > 0:
		s.offer16(at, 0, span.WrongCount, "a count of "+span.Grouped(int64(n)), "0", 0)
	case element != datatype.Unknown && element != datatype.Undefined:
		for count := uint16(1); count <= fewCounts; count++ {
			s.offer16(at, count, span.WrongCount, "a count of 0", strconv.Itoa(int(count)), 1)
		}
	}
	if n > 0 {
		s.marks(at)
	}
}

const (
	mostFits = 8192 // counts that are looked at
	nearFits = 16   // number of counts near the current one that are tried whatever follows
)

// fits tries the counts for which there is enough space, with elements of one size: those
// after which something could begin, then those near the current one.
func (s *suspecter) fits(at, body, stride int64) {
	n := int64(s.w.U16(at))
	most := min((s.v.Limit-body)/stride, int64(s.f.Rules.Room(datatype.Array)), mostFits)
	was := "a count of " + span.Grouped(n)
	near := func(count int64) bool { return count >= n-nearFits && count <= n+nearFits }
	for _, sure := range [...]bool{true, false} {
		for count := int64(1); count <= most && !s.done; count++ {
			if count == n || !sure && !near(count) || sure != s.mayFollow(body+count*stride) {
				continue
			}
			penalty := 0
			if !sure {
				penalty = 1
			}
			s.offer16(at, uint16(count), span.WrongCount, was, strconv.FormatInt(count, 10), penalty)
		}
	}
	if n > 0 {
		s.offer16(at, 0, span.WrongCount, was, "0", 1)
	}
}

// mayFollow reports, by a quick look, whether something could begin after a value that ends
// at off: its neighbour, or what follows the values around it.
func (s *suspecter) mayFollow(off int64) bool {
	if off >= s.v.Limit || string(s.w.View(off, 4)) == block.MagicFooter {
		return true
	}
	next := tree.Slot{Index: s.slot.Index + 1, Key: s.parent.Layout == tree.Pairs}
	if next.Index < s.parent.Count && (s.parent.Layout == tree.Pairs || s.parent.Layout == tree.Sequence) {
		return s.f.IsPlausibleStart(s.w, s.parent, next, off, off)
	}
	t := s.f.Rules.TypeOf(s.w.Byte(off))
	return datatype.IsWritten(t) && t&datatype.CtorElement == 0 || s.f.MayBeName(s.w, off, off)
}
