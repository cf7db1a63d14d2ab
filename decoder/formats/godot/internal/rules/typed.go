package rules

import (
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/spelling"
)

// typed reads a container with types.
func (p *parser) typed(t Token, is types.ID) bool {
	of, ok := p.typedHead(t)
	if !ok {
		return false
	}
	var keys, values []Value
	if is == types.Array {
		if _, ok = p.expect('[', "["); ok {
			keys, ok = p.list()
		}
	} else if _, ok = p.expect('{', "{"); ok {
		keys, values, ok = p.pairs('}', true)
	}
	if !ok || !p.close() {
		return false
	}
	for i, all := range [][]Value{keys, values} {
		for _, v := range all {
			p.put(&v, of[i])
		}
	}
	return true
}

// put judges a value that is put into a typed container.
func (p *parser) put(v *Value, of types.Constraint) {
	if message, fits := p.Convert(v, of); message != "" {
		p.report(Finding{At: v.at, End: v.end, Element: !fits, Message: message})
	}
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
	near := spelling.Nearest(name, typeNames)
	if max(len(near), len(name))-min(len(near), len(name)) > 1 {
		return ""
	}
	return near
}

var typeNames = func() (all []string) {
	for name := range godot4.elements {
		all = append(all, name)
	}
	return append(all, "Variant")
}()

// Convert judges a value that is put into a typed container. If it does not fit, the container becomes empty. message is what
// becomes of it; "" if it stays as it is.
func (e *Engine) Convert(v *Value, of types.Constraint) (message string, fits bool) {
	is := v.Type
	switch is {
	case types.Resource, types.SubResource, types.ExtResource:
		is = types.Object
	}
	if of.Any || is == of.T {
		return "", true
	}
	if e.converts[[2]types.ID{is, of.T}] {
		return v.becomes(of)
	}
	return fmt.Sprintf("%s cannot be put into a container of %s, which becomes empty", types.Of(is).Name, of.Name), false
}

// becomes says what a value becomes that is converted; "" if its text means the same.
func (v *Value) becomes(of types.Constraint) (message string, fits bool) {
	switch {
	case v.Type == types.Bool && of.T != types.Bool:
		return "it becomes " + strconv.FormatInt(v.Int, 10), true
	case v.Type == types.Int || v.Type == types.Float:
		if text, same := v.As(of.T); !same {
			return "it becomes " + text, true
		}
	case v.Type == types.Nil:
	default:
		return "it becomes one of " + of.Name, true
	}
	return "", true
}

// typedHead reads the types of a container, and the parenthesis after them.
func (p *parser) typedHead(t Token) (of [2]types.Constraint, ok bool) {
	if _, ok = p.expect('[', "["); !ok {
		return of, false
	}
	for i := range of {
		if of[i], ok = p.elementType(string(t.Text)); !ok {
			return of, false
		}
		if string(t.Text) == "Array" {
			break
		}
		if i == 0 {
			if _, ok = p.expect(',', ", after the type of keys"); !ok {
				return of, false
			}
		}
	}
	if _, ok = p.expect(']', "]"); ok {
		_, ok = p.expect('(', "(")
	}
	return of, ok
}

// elementType reads the type of what is in a container.
func (p *parser) elementType(container string) (of types.Constraint, ok bool) {
	t, ok := p.expect(Word, "the name of a type")
	if !ok {
		return of, false
	}
	if isIn(string(t.Text), "Resource SubResource ExtResource") {
		from := p.At
		if open := p.Next(); open.Kind == '(' {
			return types.Constraint{T: types.Object, Name: string(t.Text)}, p.resource(types.Resource)
		}
		p.At = from
	}
	if of = p.TypeOf(string(t.Text)); of.Any && of.Name != "Variant" {
		p.changes(t.At, t.End, "there is no type "+of.Name+": the "+strings.ToLower(container)+" becomes one of any values")
	} else if of.T == types.Object && !of.Any && of.Name != "Object" && !isIn(of.Name, knownClasses) {
		p.report(Finding{At: t.At, End: t.End, Perhaps: true, Message: "unless the engine itself has a class " + of.Name + ", the " + strings.ToLower(container) + " becomes one of any values"})
	}
	return of, true
}
