package elephant

import (
	"bytes"
	"math"
	"unicode"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// What is unlikely in a save.
const (
	oddBit  = 1 // some games do it
	oddMuch = 2 // hardly any does

	oddest = 64 // it is something else
)

// fewOdd is how many elements or bytes are looked at.
const (
	fewOdd     = 64
	fewOddText = 64
)

// Odd implements diagnose.Suspecter.
func Odd(f *Reading, w *source.Window, slot tree.Slot, v *tree.Value) (odd int) {
	if v.Damage != nil {
		return 0
	}
	switch {
	case slot.Key:
		return oddName(w.View(v.Start, min(v.Tail-1-v.Start, fewOddText)))
	case isText(v.Type):
		odd = oddText(w.View(v.Body, min(v.Tail-1-v.Body, fewOddText)))
	case width(v.Type) > 0:
		odd = oddNumber(numberAt(w, v.Type, v.Body))
	case v.Type == tArray && v.Layout == tree.Fixed:
		odd = oddElements(w, v)
	case v.Type == tStruct && v.Flags&isNamed != 0:
		odd = oddName(w.View(f.nameAt(w, v), min(f.versionAt(w, v)-1-f.nameAt(w, v), fewOddText)))
	}
	if v.Flags&isTagged != 0 {
		odd += oddTag(f, w, v)
	}
	return odd
}

// oddTag tells how unlikely a tag is: one that no version writes, or one that stands
// for what GameMaker holds in few places.
func oddTag(f *Reading, w *source.Window, v *tree.Value) int {
	switch t := f.Rules.typeOf(w.Byte(v.Head)); {
	case !isWritten(t):
		return oddMuch
	case t == tS32, t == tU64:
		return oddBit
	}
	return 0
}

func oddName(name []byte) int {
	switch {
	case tree.IsIdentifier(name):
		return 0
	case bytes.HasPrefix(name, []byte(magicFooter+magicHeader)): // two blocks meet here
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

// oddNumber tells how unlikely a number is.
func oddNumber(n number) int {
	switch {
	case n.isFloat():
		if x := math.Abs(n.float()); x != 0 && (x < 1e-6 || x > 1e12 || x != x) {
			return oddMuch
		}
	case n.of == tU64:
		if i := int64(n.bits); i < -1<<40 || i > 1<<40 {
			return oddBit
		}
	}
	return 0
}

// oddElements looks at the first elements of an array of one stride. Of undefined
// ones any number takes no bytes.
func oddElements(w *source.Window, v *tree.Value) (odd int) {
	of := typeID(v.Sub)
	if of == tUndefined {
		return oddMuch
	}
	for i := range min(v.Count, fewOdd) {
		odd = max(odd, oddNumber(numberAt(w, of, v.Body+i*int64(v.Stride))))
	}
	return odd
}
