package text

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// Roles of the values that make up a file, in Value.Inner. An ordinary value has no role.
const (
	inFile       = 1 + iota // attributes, then lists of tags; of a ConfigFile sections by their names
	inList                  // tags of a kind, whose number is in Value.Rows
	inTag                   // attributes, then properties
	inProperties            // lines name = value: properties, or the entries of a section
	inVectors               // elements of a packed array that are several numbers each
	implied                 // and above: a key that has no bytes, the name of a part
)

var errNoPart = errors.New("this part of a file cannot be changed as a whole; change its values")

// partNames are the names of parts of records. The names of lists come first, by the kinds of tags.
var partNames = []string{"external", "resources", "nodes", "connections", "editable", "tags", "properties", ""}

// Numbers of names.
const (
	kindExternal = iota
	kindResources
	kindNodes
	kindConnections
	kindEditable
	kindOther
	partProperties
	partNone    // the name of entries before all sections
	kindSection // and a ConfigFile itself
	alphaFirst  // a colour in hexadecimal digits, as Godot 3 reads it
)

// Kinds of text.
const (
	aValue  = iota
	aFile   // .tres and .tscn
	aConfig // ConfigFile
)

// tagKinds are the kinds of tags by their names.
var tagKinds = map[string]uint32{"ext_resource": kindExternal, "sub_resource": kindResources, "resource": kindResources, "node": kindNodes,
	"connection": kindConnections, "editable": kindEditable}

// hasProperties reports whether properties may follow a tag.
func hasProperties(kind uint32) bool {
	return kind == kindResources || kind == kindNodes || kind >= kindOther
}

// isConfig reports whether a value is a ConfigFile.
func isConfig(v *tree.Value) bool { return v.Rows == kindSection && v.Inner == inFile }

var (
	tagRest     = lazy.Regexp(`^(\s+\w+[ \t]*=|\s*\])`) // behind the name of a tag
	fileStart   = lazy.Regexp(`^\[[ \t]*(gd_scene|gd_resource)\b`)
	headerStart = lazy.Regexp(`^\[[^\]"\[,{\n]*[^\]"\[,{\n\d.\- ][^\]"\[,{\n]*\][ \t]*(;[^\n]*)?\r?(\n|$)`)
	entryStart  = lazy.Regexp(`^[^\s"\[\](){},;=]+[ \t]*=`)
	keyStart    = lazy.Regexp(`^"(\\.|[^"\\\n])*"[ \t]*=`)
	typedStart  = lazy.Regexp(`^(Array|Dictionary)\s*\[((?:[^\]"]|"[^"]*")*)\]\s*\(\s*([\[{])`)
	objectStart = lazy.Regexp(`^Object\s*\(\s*([A-Za-z_]\w*|"[^"]*")\s*,?`)
)

// typeOf returns the number of a type in Value.Type.
func typeOf(t types.ID) uint16 { return t + 1 }

// idOf returns the type of a value.
func idOf(v *tree.Value) types.ID {
	if v.Type == 0 { // it is missing
		return types.Unknown
	}
	return v.Type - 1
}

// isPart reports whether a value is a part of a file rather than a value in it.
func isPart(v *tree.Value) bool {
	return textual.IsBuffer(v) || v.Inner != 0 && v.Inner != inVectors || idOf(v) == types.Property || idOf(v) == types.Name
}

// legacy are the names of values that only Godot 2 writes and reads: input events in engine.cfg, images and
// input events in scenes.
var legacy = map[string]bool{"key": true, "mbutton": true, "jbutton": true, "jaxis": true, "img": true, "Image": true, "InputEvent": true}

// lexIn returns the grammar's Lex for a kind of text, which an engine reads.
func lexIn(what int, engine *literal.Engine) func(b []byte, slot tree.Slot, in *tree.Value) textual.Token {
	return func(b []byte, slot tree.Slot, in *tree.Value) textual.Token {
		if !textual.IsBuffer(in) {
			return inEngine(lex(b, slot, in, engine), b, engine)
		}
		return inEngine(lexRoot(b, what), b, engine)
	}
}

// inEngine returns a token with what depends on the engine.
func inEngine(t textual.Token, b []byte, engine *literal.Engine) textual.Token {
	if engine == literal.Godot3 && len(b) > 0 && b[0] == '#' && t.Type == typeOf(types.Color) {
		t.Kind = alphaFirst
	}
	return t
}

// lexRoot reads the token of the only value of a kind of text.
func lexRoot(b []byte, what int) textual.Token {
	switch what {
	case aConfig:
		return part(types.Record, inFile, kindSection, 0)
	case aValue:
		return lexValue(b)
	}
	if m := fileStart().Find(b); m != nil {
		return part(types.Record, inFile, 0, len(m))
	}
	return junk(b, "a text of this kind begins with [gd_resource or [gd_scene")
}

// part returns the token of a part of a file, which begins with n bytes.
func part(t types.ID, role, kind uint32, n int) textual.Token {
	l := tree.Layout(tree.Pairs)
	if t == types.List {
		l = tree.Sequence
	}
	return textual.Token{Type: typeOf(t), Len: n, Layout: l, Role: role, Kind: kind}
}

// imply returns the token of the key of a part.
func imply(part uint32) textual.Token {
	return textual.Token{Type: typeOf(types.Property), Role: implied + part}
}

// lex reads the token of a child of a value.
func lex(b []byte, slot tree.Slot, in *tree.Value, engine *literal.Engine) textual.Token {
	role := in.Inner
	switch {
	case role == inVectors:
		return lexVector(b, idOf(in))
	case isConfig(in):
		return lexConfig(b, slot)
	case role == inProperties && slot.Key:
		return lexName(b, engine)
	case role == inList:
		return lexTag(b)
	case role == inFile, role == inTag:
		if t, ok := lexPart(b, slot, in); ok {
			return t
		}
	}
	ends := "\r\n;]"
	if role == inProperties {
		ends = "\r\n;"
	}
	if in.Sub == 0 && strings.IndexByte(ends, b[0]) >= 0 {
		return textual.Token{Lacks: true}
	}
	t := lexValue(b)
	if t.Bad != "" && (role == inFile || role == inTag) {
		t.Len = min(t.Len, max(1, wordLen(b, inTagWord))) // attributes follow
	}
	if role == inProperties && t.Bad != "" {
		if _, n, ok := engine.Read(b[:t.Len], ignore); ok && n < t.Len {
			t.Engine = glued(engine, b[n:])
		}
	}
	return t
}

func ignore(literal.Finding) {}

// lexConfig reads the header of a section of a ConfigFile, or begins its content.
func lexConfig(b []byte, slot tree.Slot) textual.Token {
	switch {
	case !slot.Key:
		return part(types.Properties, inProperties, kindSection, 0)
	case b[0] == '[':
		return lexSection(b)
	}
	return imply(partNone)
}

// lexPart reads what is in a file or a tag besides values; ok is false if a value comes next.
func lexPart(b []byte, slot tree.Slot, in *tree.Value) (t textual.Token, ok bool) {
	inside := in.Inner == inTag
	switch ends := inside && b[0] == ']'; {
	case slot.Key && ends:
		return imply(partProperties), true
	case slot.Key && !inside && b[0] == '[':
		return imply(kindOf(b)), true
	case slot.Key:
		return lexAttribute(b), true
	case !inside && isTag(b):
		return part(types.List, inList, kindOf(b), 0), true
	case ends && hasProperties(in.Rows):
		return part(types.Properties, inProperties, 0, 1), true
	case ends:
		return textual.Token{Lacks: true}, true
	}
	return t, false
}

// kindOf returns the kind of the tag that begins b.
func kindOf(b []byte) uint32 {
	if kind, ok := tagKinds[nameOf(b)]; ok {
		return kind
	}
	return kindOther
}

// tagName returns where the name of the tag is that begins b: a bracket, the name, and an attribute or the closing bracket. to is 0
// if there is none.
func tagName(b []byte) (from, to int) {
	if len(b) == 0 || b[0] != '[' {
		return 0, 0
	}
	for from = 1; from < len(b) && (b[from] == ' ' || b[from] == '\t'); {
		from++
	}
	for to = from; to < len(b) && (b[to] == '_' || 'a' <= b[to] && b[to] <= 'z'); {
		to++
	}
	if to == from || to == len(b) || strings.IndexByte("] \t\n\r\f", b[to]) < 0 || !tagRest().Match(b[to:]) {
		return 0, 0
	}
	return from, to
}

// nameOf returns the name of the tag that begins b; "" if none does.
func nameOf(b []byte) string {
	from, to := tagName(b)
	return string(b[from:to])
}

// isTag reports whether a tag begins b.
func isTag(b []byte) bool {
	_, to := tagName(b)
	return to > 0
}

// lexTag reads the bracket and the name of a tag.
func lexTag(b []byte) textual.Token {
	_, end := tagName(b)
	if end == 0 {
		n := bytes.Index(b, []byte("\n["))
		if n < 0 {
			n = len(bytes.TrimRight(b, " \t\r\n\x00"))
		}
		return textual.Token{Len: max(1, n), Bad: "this is not a tag"}
	}
	t := part(types.Record, inTag, kindOf(b), end)
	if !hasProperties(t.Kind) {
		t.Close = ']'
	}
	return t
}

const noBracket = "the bracket after the name of this section is missing"

// lexSection reads the name of a section with its brackets. The second one is the last of the line.
func lexSection(b []byte) textual.Token {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	name := bytes.TrimRight(line, " \t\r")
	end := bytes.LastIndexByte(name, ']')
	if i := bytes.IndexByte(line, ';'); end < 0 || end < len(name)-1 && i >= 0 {
		end = bytes.IndexByte(line, ']')
	}
	if end < 0 {
		return textual.Token{Type: typeOf(types.Name), Len: len(line), Bad: noBracket}
	}
	return textual.Token{Type: typeOf(types.Name), Len: end + 1}
}

// lexName reads the name of a property, up to the equals sign.
func lexName(b []byte, engine *literal.Engine) textual.Token {
	if b[0] == '"' {
		return quoted(types.String, 1)
	}
	n := bytes.IndexByte(b, '=')
	if n < 0 || bytes.IndexByte(b[:n], '\n') >= 0 {
		line, _, _ := bytes.Cut(b, []byte("\n"))
		return textual.Token{Len: max(1, len(bytes.TrimRight(line, " \t\r\x00"))), Bad: "a line without an equals sign", Engine: glued(engine, b)}
	}
	for n > 0 && (b[n-1] == ' ' || b[n-1] == '\t') {
		n--
	}
	return textual.Token{Type: typeOf(types.Property), Len: n}
}

// lexAttribute reads the name of an attribute.
func lexAttribute(b []byte) textual.Token {
	n := wordLen(b, inName)
	if n == 0 {
		return textual.Token{Len: 1, Bad: string(tree.Prose(b[:1])) + " is not the name of an attribute"}
	}
	if at := n + blanks(b[n:]); at == len(b) || b[at] != '=' && b[at] != ':' {
		return textual.Token{Len: n, Bad: "an attribute without an equals sign"}
	}
	return textual.Token{Type: typeOf(types.Property), Len: n}
}

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

// separatorsIn returns the grammar's Separators for a kind of text.
func separatorsIn(what int) func(in *tree.Value) *textual.Separators {
	blank, nothing, equals := textual.ClassOf(" \t\r\n"), textual.ClassOf(""), textual.ClassOf(" \t=")
	orColon := textual.ClassOf(" \t=:") // as people write
	properties := textual.Layout{First: "\n", Comma: "\n", Colon: " = ", Lines: true}
	if what == aConfig {
		properties.First, properties.Colon = "\n\n", "="
	}
	config := &textual.Separators{BeforeKey: blank, Before: nothing, Layout: textual.Layout{Comma: "\n\n"}}
	attributes := textual.Layout{First: " ", Comma: " ", Colon: "="}
	parts := [implied]*textual.Separators{
		inFile:       {BeforeKey: textual.ClassOf(" \t\r\n]"), Before: orColon, Layout: attributes},
		inTag:        {BeforeKey: blank, Before: orColon, Layout: attributes},
		inProperties: {BeforeKey: blank, Before: equals, Later: isLater, Layout: properties},
		inList:       {Before: blank, Layout: textual.Layout{Comma: "\n\n"}},
	}
	lines := &textual.Separators{Before: blank, Layout: textual.Layout{Comma: "\n"}}
	return func(in *tree.Value) *textual.Separators {
		switch {
		case isConfig(in):
			return config
		case in.Inner == inList && !hasProperties(in.Rows):
			return lines
		}
		return parts[in.Inner]
	}
}

// isLater reports whether a text after line ends is the value of the key before them, and not the next key or section.
func isLater(rest []byte) bool {
	return !entryStart().Match(rest) && !headerStart().Match(rest) && !isTag(rest) && lexValue(rest).Bad == "" && !keyStart().Match(rest)
}

// fits is the grammar's Fits.
func fits(in *tree.Value, slot tree.Slot, rest []byte) bool {
	after := bytes.TrimLeft(rest, " \t\r")
	next := byte('\n')
	if len(after) > 0 {
		next = after[0]
	}
	switch {
	case in.Inner == inProperties && slot.Key:
		return next == '='
	case in.Inner == inProperties:
		return next == '\n' || next == ';' || next == 0
	case in.Inner == inTag || in.Inner == inFile:
		return next == ']' || next == '\n' || len(after) < len(rest)
	}
	after = after[blanks(after):]
	return len(after) == 0 || bytes.IndexByte([]byte(",:])};\x00"), after[0]) >= 0
}

// hasChild is the grammar's HasChild for a kind of text.
func hasChild(what int) func(w *source.Window, in *tree.Value, slot tree.Slot, at int64) bool {
	return func(w *source.Window, in *tree.Value, slot tree.Slot, at int64) bool {
		switch {
		case textual.IsBuffer(in):
			return true
		case in.Inner != 0 && in.Inner != inVectors:
			return hasPart(w, in, slot, at)
		case what == aValue || at > 0 && w.Byte(at-1) != '\n':
			return true
		}
		return !beginsLine(what, w.View(at, 256))
	}
}

// hasPart is hasChild of a part of a file.
func hasPart(w *source.Window, in *tree.Value, slot tree.Slot, at int64) bool {
	c := w.Byte(at)
	switch role := in.Inner; {
	case isConfig(in):
		return c == '[' || slot.Index == 0
	case role == inProperties:
		return c != '['
	case role == inTag && (c == '[' || c == ']'):
		return c == ']' && hasProperties(in.Rows)
	case role == inFile:
		return c == '[' || isName(c)
	case role == inList && c == '[':
		b := w.View(at, 256)
		return kindOf(b) == in.Rows || !isTag(b)
	}
	return true
}

// beginsLine reports whether a line begins like one of the file, which ends all brackets.
func beginsLine(what int, b []byte) bool {
	var c byte
	if len(b) > 0 {
		c = b[0]
	}
	if c == '[' && what == aFile && isTag(b) || c == '[' && what == aConfig && headerStart().Match(b) {
		return true
	}
	return strings.IndexByte("\"[](){},;=", c) < 0 && entryStart().Match(b)
}
