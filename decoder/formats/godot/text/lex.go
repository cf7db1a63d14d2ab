package text

import (
	"bytes"
	"errors"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
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
