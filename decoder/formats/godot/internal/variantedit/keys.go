package variantedit

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// maxKeyText is the largest length of text at which keys that are not strings are compared.
const maxKeyText = 1 << 20

// keyOf identifies a key of a Dictionary, or the name of a property, as encode.KeyName does a literal.
func (e *Editing) keyOf(key *tree.Value, typesCount bool) (string, error) {
	switch {
	case key.Damage != nil:
		return "damage " + strconv.FormatInt(key.Start, 10), nil
	case types.Of(key.Type).Shape == types.ShapeText:
		at, l := e.Format.TextOf(e.Window, key), literal.Literal{Kind: types.String, Parts: &literal.Parts{}}
		if l.Text = e.Bytes(at.Offset, at.Length); key.Type == types.StringName {
			l.Kind = key.Type
		}
		return encode.KeyName(e.Format, "", &l, typesCount), nil
	}
	text, err := edit.LiteralOf(e.Ctx, e.Reader, key, maxKeyText)
	if err != nil && !errors.Is(err, edit.ErrTooLong) {
		return "", err
	}
	l, syntax := literal.Parse(e.Format.Dialect, text)
	if err != nil || syntax != nil {
		return "unlike " + strconv.FormatInt(key.Start, 10), nil
	}
	return encode.KeyName(e.Format, text, &l, typesCount), nil
}

// checkFreeKey returns an error if an entry of parent, other than entry number
// except, has the key.
func (e *Editing) checkFreeKey(parent *tree.Node, except int64, key string) error {
	free, err := e.Together.TakeKey(parent, key, except, func(use func(string, int64)) error {
		return e.eachKey(parent, func(id string, entry int64, _ *tree.Value) { use(id, entry) })
	})
	if free || err != nil {
		return err
	}
	var taken []byte
	err = e.eachKey(parent, func(id string, entry int64, is *tree.Value) {
		if id == key && entry != except && taken == nil {
			taken = e.Reader.AppendLiteral(nil, is, 80)
		}
	})
	return cmp.Or(err, fmt.Errorf("this %s already has the key %s; its value can be set", e.Format.TypeName(&parent.Value), taken))
}

// eachKey calls each for the keys of a value, with their identities.
func (e *Editing) eachKey(parent *tree.Node, each func(id string, entry int64, key *tree.Value)) error {
	return edit.EachChild(e.Ctx, e.Reader, parent, func(c *tree.Node) error {
		key, err := e.Reader.Finish(e.Reader.Key(c))
		if err != nil {
			return err
		}
		id, err := e.keyOf(&key.Value, false)
		each(id, c.Slot.Index, &key.Value)
		return err
	})
}
