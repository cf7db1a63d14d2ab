package godot

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"

	"varview/decoder/tree"
)

// maxKeyText is how long the text of a key may be that is compared with others,
// if it is no string.
const maxKeyText = 1 << 20

// textKey tells a text that is a key of type t from other keys.
func textKey(t typeID, text []byte) string {
	sum := sha256.Sum256(text)
	return strconv.Itoa(int(t)) + " " + string(sum[:])
}

// literalKey tells a literal that is a key from other keys.
func (e *editing) literalKey(l *literal) string {
	if typeOf(l.kind).shape == shapeText {
		return textKey(l.kind, l.text)
	}
	return encodedKey(e.text, e.f, l)
}

// encodedKey is a key as an engine would write it; one that cannot be written is
// like no other.
func encodedKey(text string, f *Format, l *literal) string {
	b, err := f.encode(text, l)
	if err != nil {
		return "<" + text[l.at:l.end]
	}
	return string(b)
}

// keyOf tells a key of a Dictionary, or the name of a property, from others.
func (e *editing) keyOf(key *tree.Value) (string, error) {
	switch {
	case key.Damage != nil:
		return "damage " + strconv.FormatInt(key.Start, 10), nil
	case key.Type == tName:
		return e.storedTextKey(key, key.Start), nil
	case typeOf(key.Type).shape == shapeText:
		return e.storedTextKey(key, key.Head+4), nil
	case key.Type == tInt:
		n := int64(int32(e.w.U32(key.Head + 4)))
		if key.Tail-key.Head > 8 {
			n = int64(e.w.U64(key.Head + 4))
		}
		text := strconv.FormatInt(n, 10)
		return encodedKey(text, e.f, &literal{kind: tInt, end: int32(len(text))}), nil
	}
	text, err := writtenText(e.ctx, e.r, key, maxKeyText)
	if err != nil && !errors.Is(err, errTooLong) {
		return "", err
	}
	l, syntax := parse(e.f.Dialect, text)
	if err != nil || syntax != nil {
		return "unlike " + strconv.FormatInt(key.Start, 10), nil
	}
	return encodedKey(text, e.f, &l), nil
}

// storedTextKey is textKey of the string at off.
func (e *editing) storedTextKey(key *tree.Value, off int64) string {
	h := sha256.New()
	at := off + 4
	for left := int64(e.w.U32(off)); left > 0; {
		b := e.w.View(at, left)
		if len(b) == 0 {
			break
		}
		h.Write(b)
		at += int64(len(b))
		left -= int64(len(b))
	}
	return strconv.Itoa(int(key.Type)) + " " + string(h.Sum(nil))
}

// likeKey is a key that an engine takes for the same: in Godot 4 a StringName and
// a String of the same text are.
func (f *Format) likeKey(key string) string {
	if f.Dialect.engine != engineGodot4 {
		return key
	}
	name := strconv.Itoa(int(tStringName)) + " "
	if len(key) == len(name)+sha256.Size && key[:len(name)] == name {
		return strconv.Itoa(int(tString)) + " " + key[len(name):]
	}
	return key
}

// freeKey reports that an entry of parent, other than that with the number but,
// has the key already.
func (e *editing) freeKey(parent *tree.Node, but int64, key string) error {
	key = e.f.likeKey(key)
	for s := e.r.Scan(parent); ; {
		ev, err := e.next(s)
		if err != nil || ev == tree.Done || ev == tree.Leave && s.Depth() <= parent.Depth {
			return err
		}
		direct := ev == tree.Enter && s.Depth() == parent.Depth+2 || ev == tree.Atom && s.Depth() == parent.Depth+1
		if slot := s.Slot(); !direct || !slot.Key || slot.Index == but {
			continue
		}
		other, err := e.passed(s, ev)
		if err != nil {
			return err
		}
		if id, err := e.keyOf(&other); err != nil {
			return err
		} else if e.f.likeKey(id) == key {
			return fmt.Errorf("%s stands already in this %s", e.r.AppendLiteral(nil, &other, 80), e.f.TypeName(&parent.Value))
		}
	}
}
