// Package literal reads and writes values in the notation of var_to_str: literals that are typed in, and Godot's text as
// its engines read it, what they refuse of it, and what they change. What is in the parentheses of a type follows from its
// description (package types); what each spells its own way is in one table for each (engine.go), and the steps of
// reading are the same for all (parse.go).
package literal

import (
	"fmt"
	"math"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// A Literal is a parsed value in the notation of Write. Numbers stay text until their width is known.
type Literal struct {
	Kind    types.ID // Damage for <code>
	At, End int32    // span in the text
	*Parts           // nil for null, and for numbers
}

// Parts are the contents of a Literal.
type Parts struct {
	Text     []byte              // content of strings and paths, hex digits of a colour, class of an Object, name of a Signal, code of damage
	ID       uint64              // id of a RID, a Signal, or an Object stored as its id; 1 for true
	ByID     bool                // an Object stored as its id
	Whole    bool                // an Object with a class and properties, even if there are none
	Elem     types.ContainerType // type of elements, or of a Dictionary's keys
	Value    types.ContainerType // type of a Dictionary's values
	Children []Literal           // components, elements; keys and values alternately
}

// Each calls f for a literal and all in it, until f returns an error.
func (l *Literal) Each(f func(*Literal) error) error {
	if err := f(l); err != nil || l.Parts == nil {
		return err
	}
	for i := range l.Children {
		if err := l.Children[i].Each(f); err != nil {
			return err
		}
	}
	return nil
}

// Damage is the kind of a literal for bytes that cannot be read: <code>.
const Damage = types.Unknown

// TypeText returns the type of a literal in the notation of variant.Format.AppendType.
func (l *Literal) TypeText() string {
	name := types.Of(l.Kind).Name
	switch {
	case l.Kind == types.Dictionary && l.Elem.Kind|l.Value.Kind != types.KindNone:
		return fmt.Sprintf("%s[%s, %s]", name, l.Elem.Short(), l.Value.Short())
	case types.Of(l.Kind).Shape == types.ShapeArray && l.Elem.Kind != types.KindNone, types.Of(l.Kind).Shape == types.ShapeTyped && l.Elem.Kind != types.KindNone:
		return fmt.Sprintf("%s[%s]", name, l.Elem.Short())
	case l.Kind == Damage:
		return "damage"
	}
	return name
}

// Errorf returns an error at the literal.
func (l *Literal) Errorf(format string, args ...any) error {
	return notation.Errorf(int(l.At), format, args...)
}

// SplitPath parses the path in a literal.
func SplitPath(l *Literal) (variant.NodePath, error) {
	p, ok := variant.ParsePath(l.Text)
	if !ok {
		return p, l.Errorf("a subname of this path is empty")
	}
	return p, nil
}

// Quote returns text as a literal.
func Quote(text []byte) string { return string(tree.AppendQuoted(nil, text)) }

// IsSpecial reports whether a word is a number without digits.
func IsSpecial(word string) bool {
	return word == "inf" || word == "inf_neg" || word == "-inf" || word == "nan"
}

// Special returns the number of a word without digits.
func Special(word string) (float64, bool) {
	switch word {
	case "inf":
		return math.Inf(1), true
	case "inf_neg", "-inf":
		return math.Inf(-1), true
	case "nan":
		return nan, true
	}
	return 0, false
}

// nan is the NaN that engines write for their constant.
var nan = math.Float64frombits(0x7ff8000000000000)
