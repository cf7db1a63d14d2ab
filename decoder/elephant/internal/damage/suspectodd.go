package damage

import (
	"bytes"
	"math"
	"unicode"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/tree"
)

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

// Oddness returns how unlikely a game is to store v in that place, 0 for most values.
func Oddness(f *block.Reading, w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) (odd int) {
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
		odd += oddTag(f, w, v)
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

// oddElements rates the first elements of an array with a stride. Any number of undefined
// elements takes no bytes.
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
