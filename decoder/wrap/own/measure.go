package own

import (
	"fmt"

	"varview/decoder/engine/span"
)

// measure returns what a length should be that takes at in a file; ok is false if that is not known. The error is that of counting
// the values.
func (f *Field) measure(whole *file, at span.Span) (n int64, ok bool, err error) {
	switch f.Is {
	case "":
		return 0, false, nil
	case packedSize, plainSize:
		if n = whole.content(f).Size(); f.isEither && n != whole.content(&Field{Is: packedSize}).Size() {
			return 0, false, fmt.Errorf("the %s in the game's own bytes was the packed size, too, which is another now: a recipe says which it is, with the step header", f.title())
		}
	case inverted:
		n = ^whole.content(f).Size()
	case negative:
		n = -whole.content(f).Size()
	case fileSize:
		switch n = whole.size(); f.of {
		case ofBehind:
			n -= at.End()
		case ofBefore:
			n = at.Offset
		}
	case Count, offsetOf, sizeOf:
		if whole.Starts == nil {
			return 0, false, nil
		}
		var starts []int64
		if starts, err = whole.Starts(); err == nil {
			n, err = whole.ofValue(f, starts)
		}
	default:
		n, err = whole.computed(f, at)
	}
	return n + f.add, err == nil, err
}

// ofValue returns the number of values, or the offset or the size of one of them, which start at some offsets of the content.
func (f *file) ofValue(x *Field, starts []int64) (int64, error) {
	switch n, i := len(starts), x.index; {
	case x.Is == Count:
		return int64(n), nil
	case n != x.among:
		return 0, fmt.Errorf("the %s in the game's own bytes is one of %d, and there are %d values now", x.title(), x.among, n)
	case x.Is == offsetOf:
		return int64(len(f.head)) + starts[i], nil
	case i+1 < n:
		return starts[i+1] - starts[i], nil
	default:
		return f.Values().Size() - starts[i], nil
	}
}

// takeEntries takes tables of the offsets or sizes of all values, counted from the beginning of the file or of the content, with the length
// of a frame or without it.
func (s *side) takeEntries() {
	if s.in.Starts == nil || len(s.in.Held) > 1 {
		return
	}
	starts, err := s.in.Starts()
	if err != nil || len(starts) < 2 || len(starts) > len(s.b)/2 {
		return
	}
	var fields []Field
	for _, f := range []Field{{Is: offsetOf}, {Is: offsetOf, add: -int64(len(s.was.head))}, {Is: sizeOf}, {Is: sizeOf, add: -4}} {
		f.among = len(starts)
		for _, number := range numbers {
			if f.Type, f.Big = number.Type, number.Big; f.width() > 1 {
				fields = append(fields, f)
			}
		}
	}
	for _, isOdd := range []bool{false, true} { // in the other order, small numbers are the same a byte earlier or later
		for _, f := range fields {
			s.takeTable(f, starts, isOdd)
		}
	}
}

// takeTable takes the numbers that are like a field, one for each value, in places where games write numbers, or in odd ones too. The offset
// of the first value may be missing.
func (s *side) takeTable(x Field, starts []int64, isOdd bool) {
	want := func(i int) uint64 {
		x.index = i
		n, _ := s.whole.ofValue(&x, starts)
		return uint64(n + x.add)
	}
	width, next, table := int(x.width()), 0, []candidate(nil)
	for at := 0; at+width <= len(s.b) && next < x.among; at++ {
		n, i, last := x.number(s.b[at:at+width]), next, len(table)-1
		if i == 0 && x.Is == offsetOf && n != want(0) {
			i = 1
		}
		inRow := last > 0 && at == 2*table[last].at-table[last-1].at // where a small number is one too
		if n == want(i) && (n >= leastSize || inRow) && (isOdd || isAligned(s.b, at, at+width)) && s.isBare(at, at+width) {
			table = append(table, candidate{Field: x, at: at, end: at + width})
			next, at = i+1, at+width-1
		}
	}
	if len(table) > 1 && next == x.among {
		s.taken = append(s.taken, table...)
	}
}
