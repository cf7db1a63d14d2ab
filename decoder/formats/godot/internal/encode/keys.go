package encode

import (
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// CheckKeys returns an error if a Dictionary in a literal has a key twice, as the engine compares keys.
func CheckKeys(f *variant.Format, text string, l *literal.Literal) error {
	if l.Parts == nil {
		return nil
	}
	var used map[string]bool
	step := 1
	if l.Kind == types.Dictionary {
		used, step = make(map[string]bool, len(l.Children)/2), 2
	}
	for i := range l.Children {
		child := &l.Children[i]
		if i%step == 0 && used != nil {
			name := KeyName(f, text, child, false)
			if used[name] {
				return child.Errorf("the key %s is repeated", text[child.At:min(child.End, child.At+maxNamed)])
			}
			used[name] = true
		}
		if err := CheckKeys(f, text, child); err != nil {
			return err
		}
	}
	return nil
}

// maxNamed is how many bytes of a key a message has.
const maxNamed = 80

// KeyName identifies a key. In Godot 4 a StringName equals a String with the same text, unless types count. A key that cannot
// be stored equals no other.
func KeyName(f *variant.Format, text string, l *literal.Literal, typesCount bool) string {
	key := *l
	if !typesCount && key.Kind == types.StringName && f.Dialect.Engine == types.EngineGodot4 {
		key.Kind = types.String
	}
	b, err := Bytes(f, text, &key)
	if err != nil {
		return "<" + text[l.At:l.End]
	}
	return string(b)
}
