package damage

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// A loser lists what bytes that were lost could have been. Numbers are taken for zero and
// letters for question marks, since nothing shows which they were.
type loser struct {
	rules  *block.Rules
	parent *tree.Value
	left   []byte // what is left of the value before the lost bytes
	size   int    // length of left and of the lost bytes
	try    func([]byte, bool) bool
	done   bool
}

const (
	mostLost    = 20 // bytes from the beginning of a value up to the last lost one within which what is left of it is compared
	fewChildren = 8  // children up to which lost counts are tried
)

// Lost implements diagnose.Loser.
func Lost(f *block.Reading, w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, at int64, n int, try func(lost []byte, counted bool) bool) {
	l := &loser{rules: f.Rules, parent: parent, size: n, try: try}
	switch {
	case slot.Key:
		l.letters(nil, l.value)
	case datatype.IsText(v.Type) && at > v.Body:
		l.letters(nil, l.next)
	case v.Flags&block.Tagged != 0 && at+int64(n)-v.Start <= mostLost:
		l.left = bytes.Clone(w.View(v.Start, at-v.Start))
		l.size += len(l.left)
		l.value(nil)
	}
}

// add continues b by more and calls then with the result, unless that is complete or
// differs from what is left.
func (l *loser) add(b, more []byte, then func([]byte)) {
	b = append(bytes.Clone(b), more...)
	known := min(len(b), len(l.left))
	switch {
	case l.done || !bytes.Equal(b[:known], l.left[:known]):
	case len(b) >= l.size:
		l.done = !l.try(b[len(l.left):l.size], false)
	default:
		then(b)
	}
}

// value continues b by a tag and what it announces.
func (l *loser) value(b []byte) {
	l.tags(b, func(b []byte, t datatype.ID) {
		switch {
		case datatype.Width(t) > 0:
			l.number(b, int(datatype.Width(t)))
		case datatype.IsText(t):
			l.letters(b, l.next)
		case t == datatype.Array:
			l.count(b, l.elements)
		case t == datatype.Struct:
			l.count(b, func(b []byte) { l.letters(b, l.value) })
			l.add(b, []byte{0xfe, 0xff, 0, 0}, func(b []byte) { l.letters(b, l.value) })
		case t == datatype.Undefined:
			l.next(b)
		}
	})
}

// tags continues b by each tag of a datatype that the library chooses by itself.
func (l *loser) tags(b []byte, then func([]byte, datatype.ID)) {
	for tag := range 256 {
		switch t := l.rules.TypeOf(byte(tag)); t {
		case datatype.F64, datatype.String, datatype.Bool, datatype.S32, datatype.U64, datatype.Array, datatype.Struct, datatype.Undefined, datatype.Any:
			if !l.rules.IsForeign(byte(tag)) {
				l.add(b, []byte{byte(tag)}, func(b []byte) { then(b, t) })
			}
		}
	}
}

// number continues b by a number, as far as it is left.
func (l *loser) number(b []byte, width int) {
	n := make([]byte, width)
	copy(n, l.left[min(len(b), len(l.left)):])
	l.add(b, n, l.next)
}

// letters continues b by texts of all lengths.
func (l *loser) letters(b []byte, then func([]byte)) {
	for n := range l.size - len(b) + 1 {
		text := append(bytes.Repeat([]byte{'?'}, n), 0)
		copy(text[:n], l.left[min(len(b), len(l.left)):])
		l.add(b, text, then)
	}
}

// count continues b by the count of an array or struct.
func (l *loser) count(b []byte, then func([]byte)) {
	for n := range uint16(fewChildren + 1) {
		l.add(b, binary.LittleEndian.AppendUint16(nil, n), then)
	}
}

// elements continues b by the tag and the elements of an array.
func (l *loser) elements(b []byte) {
	l.tags(b, func(b []byte, t datatype.ID) {
		switch {
		case datatype.Width(t) > 0:
			l.add(b, make([]byte, l.size), nil)
		case datatype.IsText(t):
			l.letters(b, func([]byte) {})
		case t == datatype.Any:
			l.value(b)
		}
	})
}

// next continues b by what follows in the same container.
func (l *loser) next(b []byte) {
	switch {
	case l.parent.Layout == tree.Pairs:
		l.letters(b, l.value)
	case l.parent.Type == datatype.Array:
		l.value(b)
	}
}
