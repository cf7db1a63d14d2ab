package output

import (
	"encoding/hex"
	"strconv"

	"varview/decoder/engine/tree"
)

// An Object is a JSON object that is being written, one member after the other.
type Object []byte

// Begin begins an object behind what is in dst.
func Begin(dst []byte) Object { return append(dst, '{') }

// beginLine begins an object with the time of a save and the name of a file, where these are not "".
func beginLine(dst []byte, time, file string) Object {
	return Begin(dst).Some("time", time).Some("file", file)
}

// End ends the object.
func (o Object) End() []byte { return append(o, '}') }

// Line ends the object, and the line.
func (o Object) Line() []byte { return append(o, "}\n"...) }

// name appends the name of a member, which needs no escapes.
func (o Object) name(name string) Object {
	if o[len(o)-1] != '{' {
		o = append(o, ',')
	}
	o = append(append(o, '"'), name...)
	return append(o, '"', ':')
}

// Int appends a number.
func (o Object) Int(name string, n int64) Object { return strconv.AppendInt(o.name(name), n, 10) }

// Count appends a number, unless it is 0.
func (o Object) Count(name string, n int64) Object {
	if n == 0 {
		return o
	}
	return o.Int(name, n)
}

// Bool appends true or false.
func (o Object) Bool(name string, is bool) Object { return strconv.AppendBool(o.name(name), is) }

// Text appends a text.
func (o Object) Text(name, text string) Object { return o.Bytes(name, []byte(text)) }

// Some appends a text, unless it is "".
func (o Object) Some(name, text string) Object {
	if text == "" {
		return o
	}
	return o.Text(name, text)
}

// Bytes appends a text that need not be valid UTF-8.
func (o Object) Bytes(name string, text []byte) Object { return tree.AppendQuoted(o.name(name), text) }

// Hex appends bytes as a text of hexadecimal digits.
func (o Object) Hex(name string, b []byte) Object {
	return append(hex.AppendEncode(append(o.name(name), '"'), b), '"')
}

// Path appends a path; the middle of a long one is replaced by "…".
func (o Object) Path(name, path string) Object { return AppendPathJSON(o.name(name), []byte(path)) }

// Raw appends a value that is JSON already, unless it is empty.
func (o Object) Raw(name string, json []byte) Object {
	if len(json) == 0 {
		return o
	}
	return append(o.name(name), json...)
}

// List appends a list of n values, each of which item appends.
func (o Object) List(name string, n int, item func(dst []byte, i int) []byte) Object {
	o = append(o.name(name), '[')
	for i := range n {
		if i > 0 {
			o = append(o, ',')
		}
		o = item(o, i)
	}
	return append(o, ']')
}
