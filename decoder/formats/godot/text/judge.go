package text

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// A judge reports what the engine refuses of a value that can be read here, and what it changes.
type judge struct {
	*reading
	rules  *literal.Engine
	w      *source.Window
	at     int64 // of the text that is judged
	report func(span.Problem)
}

// judge reports what the engine refuses or changes of a value.
func (r *reading) judge(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent.Layout == tree.Fixed || textual.IsBuffer(v) || v.Layout == tree.Leaf && v.Flags&textual.Unclosed != 0 {
		return
	}
	j := &judge{r, literal.Of(r.engine), w, v.Head, report}
	switch {
	case parent.Inner == inProperties && slot.Key:
		j.key(v)
	case idOf(v) == types.Name && v.Tail > v.Head:
		j.section(v)
	case isPart(v):
	default:
		j.value(parent, slot, v)
	}
}

func (j *judge) found(f literal.Finding) {
	p := span.Problem{Span: span.Between(j.at+int64(f.At), j.at+int64(f.End)), Severity: span.Warning, Code: span.EngineChanges, Engine: "read as another value", Settled: true}
	switch {
	case f.Refused:
		p.Severity, p.Code, p.Engine = span.Error, span.EngineRefuses, cmp.Or(f.Engine, "the file does not load")
	case f.Element:
		p.Severity, p.Code, p.Engine = span.Error, span.ElementType, "the container is empty"
	}
	if f.Perhaps {
		p.Severity = span.Note
	}
	p.Repair = f.Repair
	p.Message = j.rules.Title + j.Place(j.w, p.Offset) + ": " + f.Message
	j.report(p)
}

// value judges a value in a container or a line.
func (j *judge) value(parent *tree.Value, slot tree.Slot, v *tree.Value) {
	is, token := idOf(v), []byte(nil)
	switch {
	case is == types.Legacy:
	case v.Layout >= tree.Sequence:
		if v.Body-v.Head > 1 {
			j.rules.Head(bytes.Clone(j.w.View(v.Head, v.Body-v.Head)), j.found)
		}
	case packed(parent) != nil:
		j.rules.Element(tokenOf(j.w, v), arrayName(j.w, parent), j.found)
		return
	case v.Flags&textual.Quoted == 0 || v.Sub > 1 || v.Flags&(textual.Escaped|textual.Control) != 0:
		is, token = j.token(parent, v)
	}
	if of, typed := j.content(parent, slot); typed {
		if message, fits := j.rules.Convert(is, token, of); message != "" {
			j.found(literal.Finding{End: int(max(v.Body, v.Tail) - v.Head), Element: !fits, Message: message})
		}
	}
	if parent.Inner == inProperties && j.isConfig() {
		j.entry(is, v)
	}
}

// entry judges the value of an entry of a ConfigFile.
func (j *judge) entry(is types.ID, v *tree.Value) {
	whole := int(v.Tail - v.Head)
	if is == types.Nil {
		j.found(literal.Finding{End: whole, Message: "an entry that is null is left out"})
	}
	if v.Layout >= tree.Sequence { // it is judged where it begins
		return
	}
	rest := bytes.TrimLeft(j.w.View(v.Tail, min(v.Limit-v.Tail, maxTag)), " \t")
	if name := nextSection(rest); v.Damage == nil && name != "" {
		j.found(literal.Finding{At: whole, End: whole + 1, Refused: true, Message: otherSection + name, Engine: "the entries behind it are those of the other section"})
	}
}

const otherSection = "behind a value of an entry, this begins another section: "

// nextSection returns the name of the section that begins a text; "" if none does, or it has no name and changes nothing.
func nextSection(b []byte) string {
	if len(b) == 0 || b[0] != '[' {
		return ""
	}
	name, _, _ := bytes.Cut(b[1:], []byte("]"))
	return tree.Prose(name[:min(len(name), 40)])
}

// token judges a value without children. It returns the type and the text of what the engine reads.
func (j *judge) token(parent, v *tree.Value) (is types.ID, text []byte) {
	token := tokenOf(j.w, v)
	l, n, ok := j.rules.Read(token, j.found)
	if !ok {
		return idOf(v), nil
	}
	if v.Flags&textual.Escaped != 0 && (j.isFile() || j.isConfig()) && !bytes.Equal(spelledOut(token, j.rules), token) {
		j.found(literal.Finding{End: len(token), Message: "an escape of a character beyond ASCII, of which Godot takes one byte in a file: the text may become another", Repair: spellOut})
	}
	if n < len(token) {
		f := literal.Finding{At: n, End: len(token), Refused: true, Message: "nothing may follow " + string(token[:n]) + " here"}
		if parent.Inner == inProperties {
			f.Engine = glued(j.rules, j.w.View(v.Head+int64(n), min(v.Limit-v.Head, maxTag)))
		}
		j.found(f)
	}
	return l.Kind, token[l.At:l.End]
}

const spellOut = "write the characters themselves"

var unicodeEscapes = lazy.Regexp(`(?s)\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{6}|.)`)

// spelledOut returns a text in quotes with the characters beyond ASCII that it has escapes for, as an engine reads them.
func spelledOut(token []byte, e *literal.Engine) []byte {
	return unicodeEscapes().ReplaceAllFunc(token, func(m []byte) []byte {
		c, err := strconv.ParseUint(string(m[2:]), 16, 32)
		if err != nil || c < utf8.RuneSelf || m[1] == 'U' && e == literal.Godot3 || !utf8.ValidRune(rune(c)) {
			return m
		}
		return utf8.AppendRune(nil, rune(c))
	})
}

// arrayName returns the name with which a packed array begins.
func arrayName(w *source.Window, v *tree.Value) string {
	b := w.View(v.Head, v.Body-v.Head)
	return string(b[:wordLen(b, inName)])
}

// A typedHead is what a typed container says of what is in it.
type typedHead struct {
	at int64
	of []string
}

// content returns the type of what is in a container; typed is false if it says none.
func (j *judge) content(in *tree.Value, slot tree.Slot) (of types.Constraint, typed bool) {
	if !isTyped(in) {
		return of, false
	}
	known := j.typed.Load()
	if known == nil || known.at != in.Head {
		_, names := head(j.w, in)
		known = &typedHead{in.Head, names}
		j.typed.Store(known)
	}
	return contentOf(j.rules, known.of, slot)
}

// isTyped reports whether a value may be a typed container.
func isTyped(in *tree.Value) bool {
	return in.Inner == 0 && in.Layout >= tree.Sequence && in.Body-in.Head > 1 && !textual.IsBuffer(in)
}

// contentOf returns the type of what is in a slot of a container with types.
func contentOf(e *literal.Engine, names []string, slot tree.Slot) (of types.Constraint, typed bool) {
	switch i := len(names); {
	case i == 0:
		return of, false
	case i == 1 || slot.Key:
		return e.TypeOf(names[0]), true
	}
	return e.TypeOf(names[1]), true
}

var (
	errNull = errors.New("a ConfigFile keeps no entry that is null: delete it")
	errName = errors.New("the name of an attribute is a word")
)

// acceptIn returns the grammar's Accept for a kind of text: what is written must be read as it is meant.
func (s speller) acceptIn(what int) func(w *source.Window, in *tree.Value, slot tree.Slot, text []byte) error {
	return func(w *source.Window, in *tree.Value, slot tree.Slot, text []byte) error {
		if what == aConfig && in.Inner == inProperties && !slot.Key && string(text) == "null" {
			return errNull
		}
		return s.accept(w, in, slot, text)
	}
}

func (s speller) accept(w *source.Window, in *tree.Value, slot tree.Slot, text []byte) (err error) {
	e := literal.Of(s.Dialect)
	found := func(f literal.Finding) {
		how := " as it is written"
		if f.Refused {
			how = ""
		}
		if err == nil && !f.Perhaps {
			err = fmt.Errorf("%s does not read %s%s: %s", e.Title, tree.Prose(bytes.ReplaceAll(text[:min(len(text), 40)], []byte("\n"), nil)), how, f.Message)
		}
	}
	switch {
	case slot.Key && isPart(in) && !textual.IsBuffer(in):
		if err := acceptName(e, in, text, found); err != nil {
			return err
		}
	case in.Layout == tree.Fixed:
		e.Component(text, types.Of(idOf(in)).Comp, found)
	case packed(in) != nil:
		e.Element(text, types.Of(idOf(in)).Name, found)
	case lexValue(text).Type == typeOf(types.Legacy): // only Godot 2 reads it, whose files have others too
	default:
		acceptValue(e, w, in, slot, text, found)
	}
	return err
}

// acceptName calls found with what an engine does not read in the name of a property, an attribute or a section.
func acceptName(e *literal.Engine, in *tree.Value, text []byte, found func(literal.Finding)) error {
	switch {
	case in.Inner == inProperties:
		if key, ok := e.Key(append(text, '=')); !ok || text[0] != '"' && key != string(text) {
			found(literal.Finding{Refused: true, Message: "as a key it is read as " + strconv.Quote(key)})
		}
	case !isConfig(in) && (in.Inner == inTag || in.Inner == inFile) && (text[0] == '[' || text[0] == '{'): // a list as the name of an attribute
		return errName
	}
	return nil
}

// acceptValue calls found with what an engine does not read in the text of a value, also where its container has a type.
func acceptValue(e *literal.Engine, w *source.Window, in *tree.Value, slot tree.Slot, text []byte, found func(literal.Finding)) {
	l, n, ok := e.Read(text, found)
	if ok && len(bytes.TrimSpace(text[n:])) > 0 {
		found(literal.Finding{Refused: true, Message: "nothing may follow " + tree.Prose(text[:n])})
	}
	if isTyped(in) {
		_, names := head(w, in)
		if of, typed := contentOf(e, names, slot); typed {
			message, _ := e.Convert(l.Kind, text[l.At:l.End], of)
			if message == "" && l.Kind == types.Float && of.T == types.Int {
				message = "it becomes an int"
			}
			if message != "" {
				found(literal.Finding{Message: message})
			}
		}
	}
}

// isConfig reports whether the text is a ConfigFile.
func (r *reading) isConfig() bool { return r.Grammar == grammars[kind{aConfig, r.engine}] }

// key judges the name of an entry or a property.
func (j *judge) key(v *tree.Value) {
	name := string(j.textOf(j.w, v))
	isQuoted := v.Flags&textual.Quoted != 0
	read, ok := j.rules.Key(j.w.View(v.Head, min(v.Limit-v.Head, max(maxTag, v.Tail-v.Head+1))))
	whole := int(v.Tail - v.Head)
	switch {
	case name == "" && j.isFile():
		j.found(literal.Finding{End: whole, Refused: true, Message: "a property without a name", Engine: "the main resource does not load, and another one loses what follows"})
	case name == "":
		j.found(literal.Finding{End: whole, Message: "an entry without a key is left out"})
	case !ok && isQuoted && v.Flags&textual.Control != 0:
		j.rules.Read(tokenOf(j.w, v), j.found)
	case !ok && !isQuoted && strings.ContainsAny(name, `";`):
		j.found(cutKey(name, whole))
	case !ok || isQuoted:
	case read != name:
		f := literal.Finding{End: whole, Refused: true, Message: "this key is read as " + strconv.Quote(read), Engine: noEntry}
		if read == strings.NewReplacer(" ", "", "\t", "").Replace(name) {
			f.Repair = quoteKey
		}
		j.found(f)
	case !isASCII(name):
		j.found(literal.Finding{End: whole, Message: "this key is read as Latin-1, as " + strconv.Quote(latin1(name))})
	}
}

// cutKey returns what is wrong with a key that is not read to its end.
func cutKey(name string, whole int) literal.Finding {
	if strings.Contains(name, `"`) {
		return literal.Finding{End: whole, Refused: true, Message: "a quote in a key begins a text, which has no end"}
	}
	return literal.Finding{End: whole, Refused: true, Message: "what is behind ; is a comment", Engine: noEntry}
}

// section judges the name of a section, which ends at its first bracket.
func (j *judge) section(v *tree.Value) {
	name := tokenOf(j.w, v)
	if end := sectionEnd().FindIndex(name); end != nil && end[1] < len(name) {
		j.found(literal.Finding{At: end[1], End: len(name), Refused: true, Message: "the name of this section ends at its first bracket",
			Engine: glued(j.rules, j.w.View(v.Head+int64(end[1]), min(v.Limit-v.Head, maxTag)))})
	}
	if isOld := (speller{j.engine}).isOld(); isOld && !isASCII(string(name)) {
		j.found(literal.Finding{End: len(name), Message: "this name is read as Latin-1, as " + strconv.Quote(latin1(string(bytes.Trim(name, "[]"))))})
	}
}

// sectionEnd matches a name of a section with its brackets; one that belongs to it has a backslash.
var sectionEnd = lazy.Regexp(`(?s)^\[(\\.|[^\\\]])*\]`)

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}

// latin1 returns bytes as characters of Latin-1.
func latin1(s string) string {
	var all []rune
	for i := range len(s) {
		all = append(all, rune(s[i]))
	}
	return string(all)
}

const (
	noEntry  = "the file loads, and there is no value of the name that is meant"
	quoteKey = "put the key in quotes"
)

// glued says what becomes of a text that follows a value: the engine takes it for the beginning of the next key, if
// there is one.
func glued(e *literal.Engine, rest []byte) string {
	key, ok := e.Key(rest)
	switch {
	case !ok && bytes.IndexByte(rest, '"') >= 0: // which may have no end
		return ""
	case !ok:
		return "read over"
	}
	return "what is before the next key becomes part of it: it is read as " + strconv.Quote(key)
}
