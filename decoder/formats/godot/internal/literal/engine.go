package literal

import (
	"strings"
	"sync"

	"varview/decoder/formats/godot/internal/types"
)

// An Engine is what one engine accepts.
type Engine struct {
	Title string

	own        bool                        // literals of this program, rather than what an engine reads
	signed     bool                        // a sign belongs to a word; otherwise it is a number even alone
	capital    bool                        // E begins an exponent too
	prefixes   string                      // what may be before a quote
	long       bool                        // \U begins an escape of six digits
	surrogates bool                        // halves of surrogate pairs in escapes have to be pairs
	encoded    bool                        // a packed array of bytes may be a text in base64
	emptyRID   bool                        // a RID is one, and may have no number
	words      map[string]types.ID         // words that are values
	floats     string                      // words that are numbers, also in constructors
	calls      func() map[string]types.ID  // types with parentheses, by all their names
	elements   map[string]types.ID         // types that a container may say
	converts   func() map[[2]types.ID]bool // whether one type may be put into a typed container of another
}

// colors is how many digits a colour may have.
const colors = "3 4 6 8"

// conversions are Variant::can_convert_strict of Godot 4, besides those between an Array and packed arrays: in both
// directions, or in one.
const conversions = `bool=int bool=float int=float String=NodePath String=StringName Vector2=Vector2i Rect2=Rect2i Vector3=Vector3i
	Vector4=Vector4i Quaternion=Basis Transform2D=Transform3D Transform3D=Projection
	Quaternion>Transform3D Basis>Transform3D String>Color int>Color Object>RID Nil>Object`

// Godot3 is Godot 3.2, Godot4 is Godot 4.6.
var (
	Godot3 = &Engine{
		Title: "Godot 3",
		words: map[string]types.ID{"null": types.Nil, "nil": types.Nil, "true": types.Bool, "false": types.Bool, "inf": types.Float, "nan": types.Float},
		calls: sync.OnceValue(func() map[string]types.ID { return constructors(types.Text3) }),
	}
	godot4 = &Engine{
		Title:  "Godot 4",
		signed: true, capital: true, prefixes: "&@", long: true, surrogates: true, encoded: true, emptyRID: true,
		words: map[string]types.ID{"null": types.Nil, "nil": types.Nil, "true": types.Bool, "false": types.Bool, "inf": types.Float, "nan": types.Float,
			"-inf": types.Float, "inf_neg": types.Float},
		floats:   "inf -inf inf_neg nan",
		calls:    sync.OnceValue(func() map[string]types.ID { return constructors(types.Text4) }),
		elements: elementTypes(types.Text4),
		converts: sync.OnceValue(func() map[[2]types.ID]bool { return conversionsOf(types.Text4) }),
	}
)

// own is the notation of literals, in any dialect.
var own = &Engine{own: true, signed: true, floats: godot4.floats, words: map[string]types.ID{"null": types.Nil, "true": types.Bool, "false": types.Bool,
	"inf": types.Float, "-inf": types.Float, "inf_neg": types.Float, "nan": types.Float}}

// Any has the tokens of all engines.
var Any = &Engine{capital: true, prefixes: "&@^"}

// IsConstant reports whether a word is a value of some engine.
func IsConstant(word string) bool {
	_, ok := godot4.words[word]
	return ok
}

// Of returns the rules of the engine of a dialect.
func Of(d *types.Dialect) *Engine {
	if d.Name == types.Text3.Name {
		return Godot3
	}
	return godot4
}

func isIn(word, list string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

// constructors returns the types of a dialect that are written with parentheses. Godot 4 knows Godot 3's names of its types too.
func constructors(d *types.Dialect) map[string]types.ID {
	named, all := types.TypeByName, map[string]types.ID{}
	if d.Typed {
		named = d.TypeNamed
	}
	for name := range types.Names() {
		t, _ := named(name)
		switch shape := types.Of(t).Shape; {
		case t == types.Nil, shape == types.ShapeBool, shape == types.ShapeNumber, shape == types.ShapeText:
		case !d.Typed && (t == types.Array || t == types.Dictionary):
		case d.Has(t):
			all[name] = t
		}
	}
	for name, of := range map[string]string{"PackedIntArray": "PackedInt32Array", "PackedRealArray": "PackedFloat32Array", "Vector4Array": "PackedVector4Array"} {
		if t, ok := all[of]; ok {
			all[name] = t
		}
	}
	return all
}

// elementTypes returns the types that a container of a dialect may say.
func elementTypes(d *types.Dialect) map[string]types.ID {
	all := map[string]types.ID{}
	for _, t := range d.Table {
		if shape := types.Of(t).Shape; t != types.Nil && t != types.Unknown && shape != types.ShapeReference {
			all[types.Of(t).Name] = t
		}
	}
	return all
}

func conversionsOf(d *types.Dialect) map[[2]types.ID]bool {
	all := map[[2]types.ID]bool{}
	for _, pair := range strings.Fields(conversions) {
		i := strings.IndexAny(pair, "=>")
		from, _ := types.TypeByName(pair[:i])
		to, _ := types.TypeByName(pair[i+1:])
		all[[2]types.ID{from, to}] = true
		if pair[i] == '=' {
			all[[2]types.ID{to, from}] = true
		}
	}
	for _, t := range d.Table {
		if types.Of(t).IsPacked() {
			all[[2]types.ID{t, types.Array}], all[[2]types.ID{types.Array, t}] = true, true
		}
	}
	return all
}
