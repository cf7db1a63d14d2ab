package json

import (
	"encoding/hex"

	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/notation"
)

// A jsonObject is a value in the form of an object, as far as it has been read.
type jsonObject struct {
	typ   []byte // nil until it is known
	texts map[string][]byte
	lists map[string][][]byte
	flags map[string]bool // members that are true

	head  int   // the hole for the fields before the args
	start int   // length of the encoded bytes before it
	n     int64 // args, or properties
	args  argsForm
	props bool
	id    []byte     // of an object that is stored as its id
	items []jsonItem // args that precede the type
}

// argsForm is the form in which args were read.
type argsForm uint8

const (
	argsNone    argsForm = iota
	argsNumbers          // they are in importer.numbers
	argsValues           // their bytes are written
	argsTexts            // strings of a packed array, likewise
	argsItems            // some are in jsonObject.items
)

// A jsonItem is a string or number in args whose meaning depends on a type that
// follows.
type jsonItem struct {
	hole   int
	text   []byte
	number bool
}

// object reads a value in the form of an object.
func (m *importer) object() error {
	o := &jsonObject{head: m.newHole(), start: len(m.Out)}
	if err := m.Members(func(name string) error { return m.member(o, name) }); err != nil {
		return err
	}
	if o.typ == nil {
		return m.Fail(`this has no "type"`)
	}
	return m.finish(o)
}

func (m *importer) member(o *jsonObject, name string) (err error) {
	switch name {
	case "type":
		o.typ, err = m.textOrHex()
		return err
	case "args", "props":
		if o.args != argsNone || o.props {
			return m.Fail("args or props are repeated")
		}
		if o.props = name == "props"; o.props {
			return m.properties(o)
		}
		return m.args(o)
	case "names", "subnames":
		if o.lists == nil {
			o.lists = map[string][][]byte{}
		}
		list := [][]byte{}
		err = m.Items(func(int64) error {
			text, err := m.textOrHex()
			list = append(list, text)
			return err
		})
		o.lists[name] = list
		return err
	case "elem_type", "key_type", "value_type", "elem_kind", "key_kind", "value_kind", "value", "hex", "id", "name", "object_id", "old",
		"problem", "bits", "flags", "offset", "shared", "absolute", "as_id":
		return m.attribute(o, name)
	}
	return m.Fail("%q does not belong here", variant.Printable([]byte(name)))
}

// attribute reads a member that is a text, number or bool.
func (m *importer) attribute(o *jsonObject, name string) error {
	c, err := m.Peek()
	if err != nil {
		return err
	}
	var text []byte
	switch {
	case c == '"' || c == '{':
		text, err = m.textOrHex()
	case c == '-' || notation.IsDigit(c):
		text, err = m.AppendNumber([]byte{})
	default:
		var word string
		if word, err = m.Word(); err == nil && word != "true" && word != "false" {
			err = m.Fail("a value is expected here")
		}
		if o.flags == nil {
			o.flags = map[string]bool{}
		}
		o.flags[name] = word == "true"
		return err
	}
	if o.texts == nil {
		o.texts = map[string][]byte{}
	}
	o.texts[name] = text
	return err
}

// textOrHex reads a string, or {"type":"String","hex":"…"} for one that is not valid UTF-8.
func (m *importer) textOrHex() ([]byte, error) {
	if c, err := m.Peek(); err != nil || c != '{' {
		if err != nil {
			return nil, err
		}
		return m.Quoted()
	}
	var text []byte
	err := m.Members(func(name string) error {
		digits, err := m.Quoted()
		switch {
		case err != nil || name == "type" && string(digits) == "String":
			return err
		case name != "hex":
			return m.Fail("a text is expected here")
		}
		text, err = m.fromHex(digits)
		return err
	})
	if err == nil && text == nil {
		err = m.Fail("a text is expected here")
	}
	return text, err
}

func (m *importer) fromHex(digits []byte) ([]byte, error) {
	text := make([]byte, len(digits)/2)
	if _, err := hex.Decode(text, digits); err != nil {
		return nil, m.Fail("an even number of hex digits is expected here")
	}
	return text, nil
}

// properties reads the names and values of an object's properties.
func (m *importer) properties(o *jsonObject) error {
	var name []byte
	err := m.Items(func(i int64) (err error) {
		o.n = i + 1
		if i%2 == 0 {
			name, err = m.textOrHex()
			m.PutString(name)
			return err
		}
		if c, err := m.Peek(); err != nil || c != '"' {
			if err != nil {
				return err
			}
			return m.value()
		}
		text, err := m.Quoted()
		if err != nil {
			return err
		}
		if string(name) == literal.IDProperty {
			o.id = text
		}
		return m.tagged(text)
	})
	if err == nil && o.n%2 != 0 {
		err = m.Fail("the value of the last property is missing")
	}
	return err
}
