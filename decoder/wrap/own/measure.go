package own

import (
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// measure returns what a length should be that takes at in a file; ok is false if that is not known. The error is that of counting
// the values.
func (f *Field) measure(whole *file, at span.Span) (n int64, ok bool, err error) {
	switch f.Is {
	case "":
		return 0, false, nil
	case packedSize, plainSize:
		n = whole.content(f).Size()
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
	return n + f.add, f.sum == nil && err == nil, err
}

// ofValue returns the number of values, or the offset or the size of one of them, which start at some offsets of the content.
func (f *file) ofValue(x *Field, starts []int64) (int64, error) {
	n := len(starts)
	switch i := x.index; {
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

// addEntries adds tables of the offsets or sizes of all values, counted from the beginning of the file or of the content, with the length
// of a frame or without it. The offset of the first value may be missing.
func (p *packer) addEntries(b []byte, found map[int]Field, in *layer.Inner) {
	if in.Starts == nil || len(in.Held) > 1 {
		return
	}
	starts, err := in.Starts()
	if err != nil || len(starts) < 2 || len(starts) > len(b)/2 {
		return
	}
	whole := p.whole(in)
	for _, f := range []Field{{Is: offsetOf}, {Is: offsetOf, add: -int64(len(p.was.head))}, {Is: sizeOf}, {Is: sizeOf, add: -4}} {
		f.among = len(starts)
		for _, number := range numbers {
			if f.Type, f.Big = number.Type, number.Big; f.width() > 1 {
				whole.addTable(f, b, starts, found)
			}
		}
	}
}

// addTable adds the numbers that are like a field, one for each value.
func (f *file) addTable(x Field, b []byte, starts []int64, found map[int]Field) {
	want := make([]uint64, len(starts))
	for x.index = range want {
		n, _ := f.ofValue(&x, starts)
		want[x.index] = uint64(n + x.add)
	}
	width, next, table, last, before := int(x.width()), 0, map[int]Field{}, -1, -1
	for at := 0; at+width <= len(b) && next < len(want); at++ {
		if x.index = next; next == 0 && x.Is == offsetOf && x.number(b[at:at+width]) != want[0] {
			x.index = 1
		}
		inRow := before >= 0 && at == 2*last-before // where a small number is one too
		if n := x.number(b[at : at+width]); n == want[x.index] && (n >= leastSize || inRow) {
			table[at], next, last, before = x, x.index+1, at, last
			at += width - 1
		}
	}
	for at, entry := range table {
		if _, known := found[at]; !known && len(table) > 1 && next == len(want) {
			found[at] = entry
		}
	}
}
