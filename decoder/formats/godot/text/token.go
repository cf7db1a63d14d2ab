package text

import (
	"bytes"
	"errors"
	"strconv"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

func isName(c byte) bool { return notation.IsWord(c) || c >= 0x80 }

func quoted(t types.ID, n int) textual.Token {
	return textual.Token{Type: typeOf(t), Len: n, Quoted: true}
}

// quotedTypes are the types of texts by the character before their quotes.
var quotedTypes = map[byte]types.ID{'&': types.StringName, '@': types.StringName, '^': types.NodePath}

// lexValue reads the token of a value.
func lexValue(b []byte) textual.Token {
	switch c := b[0]; {
	case c == '"':
		return quoted(types.String, 1)
	case len(b) > 1 && b[1] == '"' && quotedTypes[c] != 0:
		return quoted(quotedTypes[c], 2)
	case c == '[':
		return textual.Token{Type: typeOf(types.Array), Len: 1, Layout: tree.Sequence, Close: ']'}
	case c == '{':
		return textual.Token{Type: typeOf(types.Dictionary), Len: 1, Layout: tree.Pairs, Close: '}'}
	case c == '#':
		return textual.Token{Type: typeOf(types.Color), Len: 1 + wordLen(b[1:], inName)}
	}
	n := wordLen(b, inNumber)
	word := string(b[:n])
	t := textual.Token{Len: n}
	switch {
	case word == "null" || word == "nil":
		t.Type = typeOf(types.Nil)
	case word == "true" || word == "false":
		t.Type = typeOf(types.Bool)
	case isInt(word):
		t.Type = typeOf(types.Int)
	case isFloat(word):
		t.Type = typeOf(types.Float)
	default:
		return lexCall(b, word)
	}
	return t
}

// inTagWord has the bytes of what is no value in a tag.
var inTagWord = textual.ClassBut(" \t\r\n]")

// Bytes of names, and of words that can be numbers.
var inName, inNumber = func() (name, number *textual.Class) {
	name, number = new(textual.Class), textual.ClassOf(".-+")
	for i := range name {
		name[i] = isName(byte(i))
		number[i] = number[i] || name[i]
	}
	return name, number
}()

// wordLen returns the length of a word of some bytes.
func wordLen(b []byte, of *textual.Class) (n int) {
	for n < len(b) && of[b[n]] {
		n++
	}
	return n
}

func isInt(word string) bool {
	if word != "" && (word[0] == '+' || word[0] == '-') {
		word = word[1:]
	}
	return word != "" && isOnly(word, digits)
}

// isOnly reports whether a text has only bytes of a class.
func isOnly(s string, of *textual.Class) bool {
	for i := range len(s) {
		if !of[s[i]] {
			return false
		}
	}
	return true
}

var digits, inFloat = textual.ClassOf("0123456789"), textual.ClassOf("0123456789+-.eE")

// oddFloats are numbers that some engine spells without digits.
var oddFloats = map[string]string{"inf": "inf", "-inf": "-inf", "inf_neg": "-inf", "-inf.0": "-inf", "inf.0": "inf", "nan": "nan", "-nan": "nan", "+inf": "inf"}

func isFloat(word string) bool {
	if isOnly(word, inFloat) {
		_, err := strconv.ParseFloat(word, 64)
		return err == nil || errors.Is(err, strconv.ErrRange)
	}
	return oddFloats[word] != ""
}

// blanks returns how many blanks b begins with.
func blanks(b []byte) int { return wordLen(b, isBlank) }

var isBlank = textual.ClassOf(" \n\t\r")

// lexTyped reads the head of a typed container; ok is false if there is none.
func lexTyped(b []byte, word string) (t textual.Token, ok bool) {
	if word != "Array" && word != "Dictionary" {
		return t, false
	}
	m := typedStart().FindSubmatchIndex(b)
	if m == nil {
		return t, false
	}
	t = textual.Token{Type: typeOf(types.Array), Len: m[1], Layout: tree.Sequence, Close: ']', Call: true}
	if b[m[6]] == '{' {
		t.Type, t.Layout, t.Close = typeOf(types.Dictionary), tree.Pairs, '}'
	}
	return t, true
}

// lexCall reads a value that begins with the name of a type.
func lexCall(b []byte, word string) textual.Token {
	if t, ok := lexTyped(b, word); ok {
		return t
	}
	rest := b[len(word)+blanks(b[len(word):]):]
	if len(rest) == 0 || rest[0] != '(' {
		return junkOrKey(b, word, rest)
	}
	id, ok := types.TypeByName(word)
	if legacy[word] {
		id, ok = types.Legacy, true
	}
	if !ok {
		return junk(b, "there is no type "+string(tree.Prose([]byte(word[:min(len(word), 40)]))))
	}
	open := len(b) - len(rest) + 1
	switch t := types.Of(id); {
	case t.Shape == types.ShapeObject:
		if m := objectStart().Find(b); m != nil {
			return textual.Token{Type: typeOf(id), Len: len(m), Layout: tree.Pairs, Close: ')'}
		}
	case t.IsPacked() && !(t.Shape == types.ShapeBytes && isQuoted(rest[1:])):
		x := textual.Token{Type: typeOf(id), Len: open, Layout: tree.Sequence, Close: ')'}
		if len(t.Parts) > 0 {
			x.Role = inVectors
		}
		return x
	}
	isFixed := types.Of(id).Shape == types.ShapeFixed
	end, ok := callEnd(b, open, isFixed)
	switch quote := open + blanks(b[open:]); {
	case ok:
	case !isFixed && isQuoted(b[open:]):
		return textual.Token{Type: typeOf(id), Len: quote + 1, Around: true}
	default:
		return textual.Token{Len: end, Bad: "the closing parenthesis of this " + word + " is missing"}
	}
	return textual.Token{Type: typeOf(id), Len: end, Parts: countParts(b[open:end], id), Inside: open}
}

// countParts returns the number of numbers in a value of a type; 0 if the text in its parentheses has another
// number of them.
func countParts(inside []byte, id types.ID) int {
	if n := len(types.Of(id).Parts); types.Of(id).Shape == types.ShapeFixed && bytes.Count(inside, []byte(",")) == n-1 && bytes.IndexByte(inside, '"') < 0 {
		return n
	}
	return 0
}

// partOf is the grammar's Part.
func partOf(_ []byte, v *tree.Value, i int64) (name string, typ uint16) {
	t := types.Of(idOf(v))
	if t.Comp == types.Int32 {
		return t.Parts[i], typeOf(types.Int)
	}
	return t.Parts[i], typeOf(types.Float)
}

// form is the grammar's Form.
func form(_ []byte, v *tree.Value) tree.Form {
	if id := idOf(v); types.Of(id).Shape == types.ShapeFixed || types.Of(id).Shape == types.ShapePacked {
		return anyFormat.Look(nil, &tree.Value{Type: id}).Form
	}
	return tree.FormList
}

func isQuoted(b []byte) bool { return bytes.HasPrefix(b[blanks(b):], []byte{'"'}) }

// callEnd returns the end of the parentheses opened at i. If they contain only numbers, no other characters
// are allowed. If they do not end, ok is false: the value then ends with its line.
func callEnd(b []byte, i int, numbers bool) (end int, ok bool) {
	for at := i; at < len(b); at++ {
		switch c := b[at]; {
		case c == ')':
			return at + 1, true
		case c == '"':
			for at++; at < len(b) && b[at] != '"'; at++ {
				if b[at] == '\\' {
					at++
				}
			}
		case numbers && bytes.IndexByte([]byte("=:;[]{}"), c) >= 0:
			line, _, _ := bytes.Cut(b, []byte("\n"))
			return len(bytes.TrimRight(line, " \t\r,]}")), false
		}
	}
	return len(b), false
}

// lexVector reads the numbers of an element of a packed array.
func lexVector(b []byte, array types.ID) textual.Token {
	element, _ := types.TypeByName(types.Of(array).Element())
	t := textual.Token{Type: typeOf(element), Parts: len(types.Of(array).Parts)}
	at := 0
	for i := range types.Of(array).Parts {
		if i > 0 {
			if at += blanks(b[at:]); at == len(b) || b[at] != ',' {
				t.Bad = "numbers of this " + types.Of(element).Name + " are missing"
				return t
			}
			at++
			at += blanks(b[at:])
		}
		n := wordLen(b[at:], inNumber)
		if word := string(b[at : at+n]); !isInt(word) && !isFloat(word) {
			t.Len, t.Bad = max(1, at), "a number is expected"
			return t
		}
		at += n
		t.Len = at
	}
	return t
}

// junkOrKey returns the text that is not a value: a key without quotes, up to its colon, or whatever it is.
func junkOrKey(b []byte, word string, rest []byte) textual.Token {
	if word != "" && len(rest) > 0 && rest[0] == ':' {
		return junk(b[:len(word)], "")
	}
	return junk(b, "")
}

// junk returns the text that is not a value, up to what may follow one.
func junk(b []byte, why string) textual.Token {
	n := textual.Junk(b, ",]})\n\x00")
	if why == "" {
		why = string(tree.Prose(b[:min(n, 40)])) + " is not a value"
	}
	return textual.Token{Len: n, Bad: why}
}
