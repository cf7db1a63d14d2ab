package variantedit

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// maxKeyText is the largest length of text at which keys that are not strings are compared.
const maxKeyText = 1 << 20

// textKey identifies a key of type t that is text.
func textKey(t types.ID, text []byte) string {
	return strconv.Itoa(int(t)) + " " + string(text)
}

// literalKey identifies a key that is a literal.
func (e *Editing) literalKey(l *literal.Literal) string {
	if types.Of(l.Kind).Shape == types.ShapeText {
		return textKey(l.Kind, l.Text)
	}
	return encodedKey(e.Text, e.Format, l)
}

// encodedKey identifies a key by the bytes that an engine would write. A key that cannot be written equals
// no other.
func encodedKey(text string, f *variant.Format, l *literal.Literal) string {
	b, err := encode.Bytes(f, text, l)
	if err != nil {
		return "<" + text[l.At:l.End]
	}
	return string(b)
}

// keyOf identifies a key of a Dictionary, or the name of a property: keys are the
// same if their identities are.
func (e *Editing) keyOf(key *tree.Value) (string, error) {
	switch {
	case key.Damage != nil:
		return "damage " + strconv.FormatInt(key.Start, 10), nil
	case key.Type == types.Name:
		return textKey(types.Name, e.Bytes(key.Start+4, int64(e.Window.U32(key.Start)))), nil
	case key.Type == types.Property:
		text, _, _ := e.Format.NameAt(e.Window, key.Start)
		return textKey(types.Name, e.Bytes(text.Offset, text.Length)), nil
	case types.Of(key.Type).Shape == types.ShapeText:
		return textKey(key.Type, e.Bytes(key.Head+8, e.Format.TextLength(e.Window, key, key.Head+4))), nil
	}
	text, err := edit.LiteralOf(e.Ctx, e.Reader, key, maxKeyText)
	if err != nil && !errors.Is(err, edit.ErrTooLong) {
		return "", err
	}
	l, syntax := literal.Parse(e.Format.Dialect, text)
	if err != nil || syntax != nil {
		return "unlike " + strconv.FormatInt(key.Start, 10), nil
	}
	return encodedKey(text, e.Format, &l), nil
}

// canonicalKey returns the identity that an engine gives a key: in Godot 4 a StringName
// equals a String with the same text.
func canonicalKey(f *variant.Format, key string) string {
	if f.Dialect.Engine != types.EngineGodot4 {
		return key
	}
	if text, isName := strings.CutPrefix(key, textKey(types.StringName, nil)); isName {
		return textKey(types.String, []byte(text))
	}
	return key
}

// checkFreeKey returns an error if an entry of parent, other than entry number
// except, has the key.
func (e *Editing) checkFreeKey(parent *tree.Node, except int64, key string) error {
	wanted := canonicalKey(e.Format, key)
	free, err := e.Together.TakeKey(parent, wanted, except, func(use func(string, int64)) error {
		return e.eachKey(parent, func(id string, entry int64, _ *tree.Value) { use(id, entry) })
	})
	if free || err != nil {
		return err
	}
	var taken []byte
	err = e.eachKey(parent, func(id string, entry int64, key *tree.Value) {
		if id == wanted && entry != except && taken == nil {
			taken = e.Reader.AppendLiteral(nil, key, 80)
		}
	})
	return cmp.Or(err, fmt.Errorf("this %s already has the key %s; its value can be set", e.Format.TypeName(&parent.Value), taken))
}

// eachKey calls each for the keys of a value, with their identities as an engine gives them.
func (e *Editing) eachKey(parent *tree.Node, each func(id string, entry int64, key *tree.Value)) error {
	return edit.EachChild(e.Ctx, e.Reader, parent, func(c *tree.Node) error {
		key, err := e.Reader.Finish(e.Reader.Key(c))
		if err != nil {
			return err
		}
		id, err := e.keyOf(&key.Value)
		each(canonicalKey(e.Format, id), c.Slot.Index, &key.Value)
		return err
	})
}
