package godot

import (
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/scout"
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
func (f *Format) Script(r *tree.Reader, n *tree.Node, at span.Span) (name, path string) {
	if n.Slot.Key {
		return propertyScript(r, n)
	}
	return elementScript(r, at), r.Path(n)
}

// sourceProperty is the property of a script that holds its source.
const sourceProperty = `["script/source"]`

// propertyScript returns the name of the script that is the value of a property: its path, or its class if
// the source itself is in the file.
func propertyScript(r *tree.Reader, key *tree.Node) (name, path string) {
	value, err := r.Next(key)
	if err != nil {
		return "that is damaged", r.Path(key)
	}
	path = r.Path(value)
	if value.Layout == tree.Leaf {
		literal := r.AppendLiteral(nil, &value.Value, maxScriptName)
		return strings.Trim(string(literal), `"`), path
	}
	name = string(r.Tree.AppendType(nil, r.Window(), &value.Value))
	if _, err := r.Resolve(path + sourceProperty); err == nil {
		name += " with its source code"
	}
	return name, path
}

// elementScript returns the path of the script of a container's elements, which is in a
// span.
func elementScript(r *tree.Reader, at span.Span) (name string) {
	r.EachFieldIn(at.Offset, at.End(), func(f span.Field) {
		if f.Kind == span.Text {
			name = string(tree.AppendEscaped(nil, r.Window().View(f.Offset, min(f.Length, maxScriptName)), 0))
		}
	})
	return name
}
