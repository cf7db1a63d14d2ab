package model

import (
	"math/big"
	"strings"

	"varview/decoder/engine/lazy"
	"varview/decoder/engine/tree"
)

// A Rounded is a number that a value cannot hold exactly.
type Rounded struct {
	Path  string // of the value
	Typed string // the number as it was typed
	Is    string // what the value holds
}

// maxRounded is the number of such numbers that are remembered.
const maxRounded = 1000

// Rounded returns the numbers of the edits so far that are rounded where they are stored.
func (t *Transaction) Rounded() []Rounded { return t.rounded }

// noteRounded notes the numbers of a literal that an edit has not stored as they were typed; path returns that of the value.
func (t *Transaction) noteRounded(typed, stored string, path func() string) {
	if len(t.rounded) >= maxRounded || !mayBeRounded(typed) {
		return
	}
	are, is := numbersIn(typed), numbersIn(stored)
	if len(are) != len(is) {
		return // the literal stands for something else, such as a colour
	}
	for i := range are {
		if normal(are[i]) != normal(is[i]) {
			t.rounded = append(t.rounded, Rounded{path(), are[i], is[i]})
		}
	}
}

// noteSet notes those of the last edit.
func (t *Transaction) noteSet(typed string) {
	op := &t.ops[len(t.ops)-1]
	t.noteRounded(typed, op.New, func() string { return op.Path })
}

// mayBeRounded reports whether a literal has a number that may not be stored as it was typed.
func mayBeRounded(typed string) bool {
	const exact = 7 // digits of an integer that a float of 32 bits holds, too; any other number of a digit less is written with these
	digits := strings.TrimSuffix(strings.TrimPrefix(typed, "-"), ".0")
	if whole, part, _ := strings.Cut(digits, "."); len(digits) <= exact && strings.Trim(whole+part, "0123456789") == "" {
		return false
	}
	return long().MatchString(typed)
}

// long matches the literals that a float may not hold: of four digits or more, or with an exponent.
var long = lazy.Regexp(`[0-9]{4}|[0-9.]{5}|[0-9][eE]`)

// pieces matches a text in quotes, a word, or a number.
var pieces = lazy.Regexp(`"(?:[^"\\]|\\.)*"|[\pL_][\pL_0-9]*|[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)`)

// numbersIn returns the numbers in a literal, outside texts.
func numbersIn(literal string) (all []string) {
	for _, s := range pieces().FindAllString(literal, -1) {
		if strings.ContainsAny(s[:1], "-+.0123456789") {
			all = append(all, s)
		}
	}
	return all
}

// normal returns the digits and the exponent of a number in one form.
func normal(number string) string {
	number = strings.TrimPrefix(number, "+")
	if strings.ContainsAny(number, "xXbB") {
		if n, ok := new(big.Int).SetString(number, 0); ok {
			number = n.String()
		}
	}
	return tree.NormalDigits(number)
}
