// Package json is the family of JSON and JSON lines, as games and their engines write and read it.
package json

import (
	"bytes"
	"encoding/json"
	"slices"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Family is the family.
var Family format.Family = textual.NewFamily(family{})

// Numbers of types.
const (
	null = 1 + iota
	boolean
	number
	text
	array
	object
	int64Text // a whole number of GameMaker, as a text
)

var types = []string{"null", "bool", "number", "string", "array", "object", "int64"}

var dialects = []*format.Dialect{
	{Name: "json", Format: "json", Title: "JSON", About: "Godot, GameMaker and most other engines", Types: types, Common: true, Bare: true},
	{Name: "jsonl", Format: "json", Title: "JSON lines", About: "games that save an object on each line, as Godot's tutorial does", Types: types, Common: true},
}

var grammar = textual.Grammar{
	Lex: lex, Scalar: scalar, Unescape: unescape, Inspect: inspect, InspectAll: inspectAll, Pass: pass, Encode: encode, Spell: spell, Inside: inside, Part: part, Form: form, Typed: typeOf, Respell: respell,
	Elements: elements, SpellElement: spellElement, JSON: true,
	Loose:   "Godot 3 and 4 take a comma before a closing bracket; other readers refuse it",
	Refused: "Godot 3 reads over it; Godot 4, GameMaker and other readers refuse the whole text",
}

var formats = []format.Format{
	&textual.Format{Grammar: &grammar, Dialect: dialects[0]},
	&textual.Format{Grammar: &grammar, Dialect: dialects[1], Lines: true},
}

// sequence reads texts one after another, without a line end between.
var sequence = []format.Format{&textual.Format{Grammar: &grammar, Dialect: dialects[0], Lines: true, Bare: true}}

type family struct{}

// Name implements format.Family.
func (family) Name() string { return "json" }

// Dialects implements format.Family.
func (family) Dialects() []*format.Dialect { return dialects }

// Hints implements format.Family.
func (family) Hints() format.Hints {
	return format.Hints{Title: "JSON", Literal: `JSON: 42, 1.5, "text", true, [1, 2], { "k": 1 }`, Empty: "null", Commands: "w   set 100   goto 0x1f4 or $.path   quit"}
}

// Numbers of bytes by which a text is recognised.
const (
	sniffed = 4 << 10
	trailer = 64 // at the end, which may be a checksum, are no text
	least   = 24 // are text
)

// Sniff implements format.Family: text that begins like an object or a list has a signature.
func (family) Sniff(src source.Source, region span.Span) format.Claim {
	b := source.NewWindow(src).View(region.Offset, min(region.Length, sniffed))
	b = trim(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	if at := inConflict().FindSubmatchIndex(b); at != nil {
		b = slices.Concat(b[:at[3]], b[at[1]:])
	}
	isText := func() bool {
		return textual.LooksLikeText(b) || textual.LooksLikeText(b[:max(min(len(b), least), len(b)-trailer)])
	}
	switch {
	case len(b) == 0:
		return format.None
	case nearly().Match(b) && isText():
		return format.Signature
	case beginsValue(b[0], trim(b[1:])) && isText():
		return format.Signature
	case bytes.Contains([]byte(" null true false "), slices.Concat([]byte(" "), bytes.TrimRight(b, " \t\r\n\x00"), []byte(" "))), loneNumber().Match(b):
		return format.Signature // not digits of base64
	case byHand().Match(b) && isText() && endsObject(src, region):
		return format.LastResort
	case region.Length < sniffed && json.Valid(bytes.TrimRight(b, "\x00")):
		if b[0] == '"' {
			return format.Signature
		}
		return format.LastResort
	}
	return format.None
}

// inConflict matches a bracket and the line with which git begins a conflict behind it.
var inConflict = lazy.Regexp(`^([{[]\s*)<<<<<<< .*\n`)

// nearly matches the beginning of an object with a missing or surplus bracket or quote.
var nearly = lazy.Regexp(`^(\{\s*[^\s"':,;=(){}<>[\]]+|[]}",:{(]\s*\{\s*"\w+|"\w+)"\s*:\s*[-0-9"{[tfn]`)

// byHand matches the beginning of an object as people write it: a key in other quotes than JSON's, or in none.
var byHand = lazy.Regexp(`^\{\s*('\w+'|[“„‘]\w+[”“’]|[A-Za-z_]\w*)\s*:\s*['"“„‘{\[tfnN0-9-]`)

// endsObject reports whether the last character of a text closes an object.
func endsObject(src source.Source, region span.Span) bool {
	n := min(region.Length, trailer)
	return bytes.HasSuffix(bytes.TrimRight(source.NewWindow(src).View(region.End()-n, n), " \t\r\n"), []byte("}"))
}

// loneNumber matches a number. Digits in hexadecimal of so few bytes begin with a zero or have a letter.
var loneNumber = lazy.Regexp(`^-?(0|[1-9][0-9]{0,19})(\.[0-9]+)?([eE][-+]?[0-9]+)?\s*$`)

// trim returns b without the blanks and comments that begin it.
func trim(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		n := textual.CommentLength(b)
		if n == 0 {
			return b
		}
		b = b[n:]
	}
}

// beginsValue reports whether b may follow an opening bracket.
func beginsValue(open byte, b []byte) bool {
	switch {
	case open != '{' && open != '[':
		return false
	case len(b) == 0:
		return false
	case open == '{':
		return b[0] == '"' || b[0] == '}'
	case bytes.IndexByte([]byte(`{["]`), b[0]) >= 0:
		return true
	}
	t := lex(b, tree.Slot{}, &tree.Value{Layout: tree.Sequence})
	rest := trim(b[t.Len:])
	if t.Bad != "" || len(rest) == 0 || rest[0] != ']' {
		return t.Bad == "" && (len(rest) == 0 || rest[0] == ',')
	}
	rest = trim(rest[1:]) // in a section of an INI file, not another list, object or number
	return len(rest) == 0 || bytes.IndexByte([]byte("[{-0123456789\x00"), rest[0]) >= 0
}

// Formats implements format.Family.
func (family) Formats(r *format.Request, src source.Source, region span.Span) []format.Format {
	switch {
	case r.Framing == format.Sequence && (r.Dialect == "" || r.Dialect == dialects[0].Name) && !r.Double:
		return sequence
	case r.Framing != "" && r.Framing != "raw" || r.Double:
		return nil
	}
	switch r.Dialect {
	case dialects[0].Name:
		return formats[:1]
	case dialects[1].Name:
		return formats[1:]
	case "":
	default:
		return nil
	}
	b := source.NewWindow(src).View(region.Offset, min(region.Length, source.MaxView))
	b = trim(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	if _, _, ended := bytes.Cut(b, []byte("\n")); !ended && int64(len(b)) < region.Length {
		return formats
	}
	if isLines(b) {
		return []format.Format{formats[1], formats[0]}
	}
	return formats[:1]
}

// isLines reports whether a text begins with two or more lines, at least half of which are values.
func isLines(b []byte) bool {
	const looked = 64
	good, bad := 0, 0
	for line := range bytes.Lines(bytes.TrimRight(b, " \t\r\n\x00")) {
		switch line = trim(line); {
		case len(line) == 0:
		case json.Valid(line):
			good++
		default:
			bad++
		}
		if good+bad == looked {
			break
		}
	}
	return good > 0 && good+bad > 1 && good >= bad
}

// lex is the grammar's Lex.
func lex(b []byte, slot tree.Slot, in *tree.Value) textual.Token {
	switch {
	case b[0] == '"' && !slot.Key && int64Length(b) > 0:
		return textual.Token{Type: int64Text, Len: int64Length(b)}
	case b[0] == '"':
		return textual.Token{Type: text, Len: 1, Quoted: true}
	case slot.Key:
	case b[0] == '{':
		return textual.Token{Type: object, Len: 1, Layout: tree.Pairs, Close: '}'}
	case b[0] == '[':
		return textual.Token{Type: array, Len: 1, Layout: tree.Sequence, Close: ']'}
	}
	return lexWord(b, slot)
}

// lexWord reads a number, a word or what is none of them.
func lexWord(b []byte, slot tree.Slot) textual.Token {
	if n, _, _ := textual.NumberLength(b); n > 0 && (n == len(b) || !isWord(b[n])) {
		return textual.Token{Type: number, Len: n}
	}
	n := 0
	for n < len(b) && isWord(b[n]) {
		n++
	}
	t := textual.Token{Len: n}
	switch word := string(b[:n]); {
	case word == "null":
		t.Type = null
	case word == "true" || word == "false":
		t.Type = boolean
	case isNumber(word):
		t.Type = number
	default:
		ends := ",]}\n\x00"
		if slot.Key {
			ends += ":"
		}
		t.Len = textual.Junk(b, ends)
		if quote := bytes.IndexByte(b[:t.Len], '"'); quote > 0 { // the opening quote is missing
			t.Len = quote + 1
		}
		if t.Bad = string(tree.Prose(b[:min(t.Len, 40)])) + " is not a JSON value"; b[0] == '(' || b[0] == '<' {
			t.Engine = "str() and print() write values so, and nothing reads them"
		}
	}
	return t
}

func isWord(c byte) bool {
	return c == '+' || c == '-' || c == '.' || c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// unescape is the grammar's Unescape. A lone half of a surrogate pair becomes the three bytes that CESU-8
// has for it; \udcXX is the byte XX of a text that is not valid UTF-8, as everywhere in varview.
func unescape(dst, b []byte) (_ []byte, bad int) {
	return textual.Unescape(dst, b, "\"\\/bfnrtv", false)
}

var passing = &textual.Passing{Array: array, Object: object, Text: text, Token: passToken, IsText: isPlainText, Escapes: textual.ClassOf("\"\\/bfnrt"), Hex: true}

// pass is the grammar's Pass.
func pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if textual.IsBuffer(parent) {
		passing.Pass(w, parent, s, func(p *textual.Passer) int {
			if at := p.Blank(p.At); !p.Checks || s.Next.Index == 0 || bytes.IndexByte(p.B[p.At:at], '\n') >= 0 {
				return p.Value(at, s.Levels)
			}
			return -1 // perhaps on the line of another value
		})
		return
	}
	pairs := parent.Layout == tree.Pairs
	passing.Pass(w, parent, s, func(p *textual.Passer) int { return p.Child(pairs, nil) })
}

// isPlainText reports whether a text in quotes stands for no value of another type.
func isPlainText(b []byte) bool {
	return len(b) == len(`""`) || b[1] != '@' && !(beginsTyped(b) && typed(string(b[1:len(b)-1])) != "")
}

// passToken passes a number or a word.
func passToken(p *textual.Passer, i int) (typ uint16, end int) {
	switch p.B[i] {
	case 't':
		return boolean, passWord(p, i, "true")
	case 'f':
		return boolean, passWord(p, i, "false")
	case 'n':
		return null, passWord(p, i, "null")
	}
	n, whole, exponent := textual.NumberLength(p.B[i:])
	end = i + n
	if n < 0 || n > maxNumber || end == len(p.B) || isWord(p.B[end]) || p.Checks && (whole > exactDigits || exponent > 2) {
		return number, -1
	}
	return number, end
}

func passWord(p *textual.Passer, i int, word string) int {
	if end := i + len(word); len(p.B) > end && string(p.B[i:end]) == word && !isWord(p.B[end]) {
		return end
	}
	return -1
}

// maxNumber is the largest number of characters of a number that is passed.
const maxNumber = 256
