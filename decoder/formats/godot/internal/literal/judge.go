package literal

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
	"varview/decoder/value/spelling"
)

// A Finding is what an engine refuses, or changes while it loads a text.
type Finding struct {
	At, End int    // its place in the text
	Refused bool   // the text does not load, or as Engine says
	Perhaps bool   // it depends on the classes that the engine has
	Element bool   // it cannot be put into its typed container, which becomes empty
	Message string // what is wrong, or what becomes of it
	Repair  string // what puts it right; "" if nothing does
	Engine  string // what the engine does with a text that it loads all the same
}

// TypeOf returns the type that a container says.
func (e *Engine) TypeOf(name string) types.Constraint {
	t, ok := e.elements[name]
	switch {
	case ok:
		return types.Constraint{T: t, Name: name}
	case name == "Variant" || name == "Nil" || isUnknown(name):
		return types.Constraint{Name: name, Any: true}
	}
	return types.Constraint{T: types.Object, Name: name}
}

// knownClasses are classes of the engine that saves have often.
const knownClasses = "Resource RefCounted Node Node2D Node3D Control CanvasItem PackedScene Script GDScript Texture Texture2D Texture3D ImageTexture AtlasTexture " +
	"CompressedTexture2D Image Material ShaderMaterial StandardMaterial3D Shader Mesh ArrayMesh AudioStream AudioStreamWAV AudioStreamOggVorbis Animation AnimationLibrary " +
	"SpriteFrames Font FontFile Theme StyleBox Curve Curve2D Curve3D Gradient NoiseTexture2D Noise TileSet TileSetSource TileMapPattern Shape2D Shape3D PhysicsMaterial " +
	"Environment Sky InputEvent InputEventKey InputEventMouseButton InputEventJoypadButton InputEventJoypadMotion JSON Translation BitMap MeshLibrary Skin " +
	"Button Label Sprite2D Sprite3D Area2D Area3D Marker2D Marker3D Camera2D Camera3D CollisionShape2D CollisionShape3D CharacterBody2D CharacterBody3D Timer Path2D Path3D AnimationPlayer"

// isUnknown reports whether a name is certainly none of a class: classes begin with a capital letter, and none is called almost like a type.
func isUnknown(name string) bool {
	return name == "" || name[0] >= 'a' && name[0] <= 'z' || misspelt(name) != ""
}

// misspelt returns the type for which a name was meant; "" if it may be a class.
func misspelt(name string) string {
	near := spelling.Nearest(name, append(slices.Sorted(maps.Keys(godot4.elements)), "Variant"))
	if max(len(near), len(name))-min(len(near), len(name)) > 1 {
		return ""
	}
	return near
}

// Convert judges a value of a type, with its text, that is put into a typed container. If it does not fit, the container
// becomes empty. message is what becomes of it; "" if it stays as it is.
func (e *Engine) Convert(is types.ID, text []byte, of types.Constraint) (message string, fits bool) {
	as := is
	if types.Of(is).Shape == types.ShapeReference {
		as = types.Object
	}
	switch {
	case of.Any || as == of.T:
		return "", true
	case e.converts == nil || !e.converts()[[2]types.ID{as, of.T}]:
		return fmt.Sprintf("%s cannot be put into a container of %s, which becomes empty", types.Of(as).Name, of.Name), false
	case is == types.Bool:
		return "it becomes " + map[bool]string{true: "1", false: "0"}[string(text) == "true"], true
	case is == types.Int || is == types.Float:
		if text, same, _ := numberAs(is, string(text), of.T); !same {
			return "it becomes " + text, true
		}
	case is != types.Nil:
		return "it becomes one of " + of.Name, true
	}
	return "", true
}

// intOf returns the int that an engine reads of a number; exact is false if the number is another.
func intOf(digits string) (n int64, exact bool) {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil && digits == "9223372036854775808" { // the engine looks for an overflow before the last digit only
		n = -n - 1
	}
	return n, err == nil
}

// numberOf returns the whole part and the value of a number as an engine reads it; exact is false if it is an int that exceeds
// 64 bits.
func numberOf(is types.ID, text string) (whole int64, x float64, exact bool) {
	digits := strings.TrimLeft(text, "-")
	switch {
	case digits == "" || notation.IsLetter(digits[0]):
		return 0, 0, true
	case is == types.Int:
		whole, exact = intOf(text)
		return whole, float64(whole), exact
	}
	x, _ = strconv.ParseFloat(strings.TrimRight(text, "eE+-"), 64)
	return int64(x), x, true
}

// numberAs returns the text of a number that becomes one of a type, whether it is the same then, and false for exact if it is an
// int that exceeds 64 bits.
func numberAs(is types.ID, text string, to types.ID) (_ string, same, exact bool) {
	whole, x, exact := numberOf(is, text)
	before := whole
	switch to {
	case types.Float32:
		y := float32(x)
		return strconv.FormatFloat(float64(y), 'g', -1, 32), is == types.Int || float64(y) == x || y-y == 0 || x-x != 0, exact
	case types.Float64, types.Float:
		return strconv.FormatFloat(x, 'g', -1, 64), true, exact
	case types.Bool:
		return strconv.FormatBool(x != 0), false, exact
	case types.Int32:
		if is == types.Float && (x >= 1<<31 || x <= -1<<31-1) {
			whole = -1 << 31
		}
		whole = int64(int32(whole))
	case types.Byte:
		whole = int64(uint8(whole))
	}
	return strconv.FormatInt(whole, 10), is == types.Int && whole == before || is == types.Float && float64(whole) == x, exact
}

// Element judges an element of a packed array: the numbers or the text in b. isText says that texts are wanted.
func (e *Engine) Element(b []byte, array string, report func(Finding)) {
	id, ok := e.calls()[array]
	if !ok {
		return // its head is refused
	}
	p, is := &parser{Scanner: e.Scan(b, report)}, types.Of(id)
	if is.Shape == types.ShapeStrings {
		p.expect(Text, "a text in quotes")
		return
	}
	for i := range is.Each() {
		if i > 0 {
			if _, ok := p.expect(',', ","); !ok {
				return
			}
		}
		if _, ok := p.component(p.Next(), is.Comp); !ok {
			return
		}
	}
	if t := p.Next(); t.Kind != Ended && t.Kind != Broken {
		p.refuse(t.At, t.End, ", or ) is expected")
	}
}

// Numbers returns how many numbers are in the parentheses of a type, of a packed array in each element, and what they become;
// 0 if it has none.
func (e *Engine) Numbers(name string) (count int, of types.ID) {
	if is := types.Of(e.calls()[name]); is.Comp != 0 {
		return is.Each(), is.Comp
	}
	return 0, 0
}

// Trailing reports whether a comma may precede the closing parenthesis of a type.
func (e *Engine) Trailing(array string) bool {
	id, ok := e.calls()[array]
	return !ok || types.Of(id).Shape == types.ShapeStrings
}

// Head judges what begins a container with a type: Array[int](, Object(Node, or PackedInt32Array(.
func (e *Engine) Head(b []byte, report func(Finding)) {
	p := &parser{Scanner: e.Scan(b, report)}
	t := p.Next()
	id, ok := e.calls()[string(t.Text)]
	switch {
	case t.Kind != Word:
	case !ok:
		p.refuse(t.At, t.End, "it has no type "+short(t.Text))
	case id == types.Array || id == types.Dictionary:
		p.typedHead(&Literal{Kind: id, Parts: &Parts{}}, t)
	case id == types.Object:
		p.expect('(', "(")
		p.class(p.Next())
	}
}

// Key reads what an engine takes for the next key: all that is not a blank or a comment up to the equals sign. ok is false if a
// section or the end comes first.
func (e *Engine) Key(b []byte) (key string, ok bool) {
	p := e.Scan(b, func(Finding) {})
	var all []byte
	for ; p.At < len(b); p.At++ {
		switch c := b[p.At]; {
		case c == ';':
			if n := bytes.IndexByte(b[p.At:], '\n'); n >= 0 {
				p.At += n
			} else {
				return "", false
			}
		case c == '[' && len(all) == 0:
			return "", false
		case c == '=':
			return string(all), true
		case c == '"':
			from := p.At
			if p.quoted(Text) == Broken {
				return "", false
			}
			all = append(all[:0], b[from+1:p.At-1]...)
			p.At--
		case c > control:
			all = append(all, c)
		}
	}
	return "", false
}

// Component judges the number of a component, which becomes one of a type.
func (e *Engine) Component(b []byte, is types.ID, report func(Finding)) {
	p := &parser{Scanner: e.Scan(b, report)}
	if _, ok := p.component(p.Next(), is); ok && p.At < len(b) {
		p.refuse(p.At, len(b), "one number is expected")
	}
}
