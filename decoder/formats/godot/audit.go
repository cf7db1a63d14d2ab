package godot

import (
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/scout"
	"varview/decoder/formats/godot/internal/variant"
)

// ScoutBytes implements format.Scout.
func (family) ScoutBytes(b []byte, found func(at int, dialect string)) { scout.Bytes(b, found) }

// ScoutText implements format.Scout.
func (family) ScoutText(text []byte, spend func(int) bool) []format.Hazard {
	return scout.Text(text, spend)
}

// maxScriptName is the number of bytes of a script's name that are returned.
const maxScriptName = 256

// Script implements format.Auditor. An object names its script in a property, a typed
// container in its element type.
func (f *Format) Script(r *tree.Reader, n *tree.Node, at span.Span) format.Script {
	switch {
	case n.Slot.Key && keyText(r, n) == variant.SourceProperty:
		return ownSource(r, n)
	case n.Slot.Key:
		return propertyScript(r, n)
	}
	name := elementScript(r, at)
	return format.Script{Name: name, Path: r.Path(n), Code: format.CodeAt(name)}
}

// keyText returns the name of a property.
func keyText(r *tree.Reader, key *tree.Node) string {
	s := r.Plain(&key.Value)
	return string(s.View(r.Window(), 0, s.Len()))
}

// ownSource returns the script whose source is a property, unless it is the script of an object: that is
// reported itself.
func ownSource(r *tree.Reader, source *tree.Node) format.Script {
	script := source.Parent
	if key := r.Key(script); key != nil && keyText(r, key) == "script" {
		return format.Script{}
	}
	name := string(r.Tree.AppendType(nil, r.Window(), &script.Value))
	return scout.Source(r, r.Path(script), name)
}

// propertyScript returns the script that is the value of a property: by its path, or by its class if the
// source itself is in the file.
func propertyScript(r *tree.Reader, key *tree.Node) format.Script {
	value, err := r.Next(key)
	if err != nil {
		return format.Script{Name: "that is damaged", Path: r.Path(key), Code: format.FileCode}
	}
	path := r.Path(value)
	if value.Layout == tree.Leaf {
		name := strings.Trim(string(r.AppendLiteral(nil, &value.Value, maxScriptName)), `"`)
		return format.Script{Name: name, Path: path, Code: format.CodeAt(name)}
	}
	name := string(r.Tree.AppendType(nil, r.Window(), &value.Value))
	return scout.Source(r, path, name)
}

// elementScript returns the path of the script of a container's elements, which is in a
// span.
func elementScript(r *tree.Reader, at span.Span) (name string) {
	r.EachFieldIn(at.Offset, at.End(), func(f span.Field, _ bool) {
		if f.Kind == span.Text {
			name = string(tree.AppendEscaped(nil, r.Window().View(f.Offset, min(f.Length, maxScriptName)), 0))
		}
	})
	return name
}
