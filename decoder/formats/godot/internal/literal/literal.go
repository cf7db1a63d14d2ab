// Package literal reads values in the notation of var_to_str: literals that are typed in, and Godot's text as its engines read
// it, what they refuse of it, and what they change. What is in the parentheses of a type follows from its description (package
// types); what each engine spells its own way is in a table (Engine), and the steps of reading are the same for all.
package literal

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// A Literal is a parsed value in the notation of package write. Numbers stay text until their width is known.
type Literal struct {
	Kind    types.ID // Damage for <code>
	At, End int32    // span in the text
	*Parts           // nil for null, and for numbers
}

// Parts are the contents of a Literal.
type Parts struct {
	Text     []byte              // content of strings and paths, hex digits of a colour, class of an Object, name of a Signal, code of damage
	ID       uint64              // id of a RID, a Signal, or an Object stored as its id; 1 for true
	ByID     bool                // an Object stored as its id
	Whole    bool                // an Object with a class and properties, even if there are none
	Elem     types.ContainerType // type of elements, or of a Dictionary's keys
	Value    types.ContainerType // type of a Dictionary's values
	Children []Literal           // components, elements; keys and values alternately
}

// Each calls f for a literal and all in it, until f returns an error.
func (l *Literal) Each(f func(*Literal) error) error {
	if err := f(l); err != nil || l.Parts == nil {
		return err
	}
	for i := range l.Children {
		if err := l.Children[i].Each(f); err != nil {
			return err
		}
	}
	return nil
}

// Damage is the kind of a literal for bytes that cannot be read: <code>.
const Damage = types.Unknown

// TypeText returns the type of a literal in the notation of variant.Format.AppendType.
func (l *Literal) TypeText() string {
	name := types.Of(l.Kind).Name
	switch {
	case l.Kind == types.Dictionary && l.Elem.Kind|l.Value.Kind != types.KindNone:
		return fmt.Sprintf("%s[%s, %s]", name, l.Elem.Short(), l.Value.Short())
	case types.Of(l.Kind).Shape == types.ShapeArray && l.Elem.Kind != types.KindNone, types.Of(l.Kind).Shape == types.ShapeTyped && l.Elem.Kind != types.KindNone:
		return fmt.Sprintf("%s[%s]", name, l.Elem.Short())
	case l.Kind == Damage:
		return "damage"
	}
	return name
}

// Errorf returns an error at the literal.
func (l *Literal) Errorf(format string, args ...any) error {
	return notation.Errorf(int(l.At), format, args...)
}

// SplitPath parses the path in a literal.
func SplitPath(l *Literal) (variant.NodePath, error) {
	p, ok := variant.ParsePath(l.Text)
	if !ok {
		return p, l.Errorf("a subname of this path is empty")
	}
	return p, nil
}

// Quote returns text as a literal.
func Quote(text []byte) string { return string(tree.AppendQuoted(nil, text)) }

// IsSpecial reports whether a word is a number without digits.
func IsSpecial(word string) bool {
	return word == "inf" || word == "inf_neg" || word == "-inf" || word == "nan"
}

// Special returns the number of a word without digits.
func Special(word string) (float64, bool) {
	switch word {
	case "inf":
		return math.Inf(1), true
	case "inf_neg", "-inf":
		return math.Inf(-1), true
	case "nan":
		return nan, true
	}
	return 0, false
}

// nan is the NaN that engines write for their constant.
var nan = math.Float64frombits(0x7ff8000000000000)

// A parser reads values as an engine does, or literals of a dialect.
type parser struct {
	Scanner
	d     *types.Dialect // of literals
	depth int
}

// maxDepth is the largest depth of nesting.
const maxDepth = 1024

func newParser(d *types.Dialect, text string) *parser {
	both := &struct {
		parser
		notation.Lexer
	}{parser{Scanner: own.Scan([]byte(text), nil), d: d}, notation.Lexer{Text: text}}
	p := &both.parser
	p.lexer = &both.Lexer
	if len(text) > notation.MaxText {
		p.refuse(0, 0, "a literal has at most 1 GiB")
	}
	return p
}

// Parse parses text, which holds one value and nothing else. Errors are of type
// *edit.SyntaxError.
func Parse(d *types.Dialect, text string) (Literal, error) {
	if text != "" && notation.BeginsNumber(text[0]) { // like most
		if l, err := ParseNumber(text); err == nil && d.Has(l.Kind) {
			return l, nil
		}
	}
	p := newParser(d, text)
	l, _ := p.value(p.Next())
	switch t := p.Next(); {
	case t.Kind != Ended && t.Kind != Broken:
		p.refuse(t.At, t.End, notation.EndsBefore)
	case t.At < len(text):
		p.refuse(t.At, t.End, `a NUL is written \u0000, within quotes`)
	}
	return l, p.lexer.Err
}

// Values returns a function that parses the next of the values that follow one another in
// text; more is false after the last.
func Values(d *types.Dialect, text string) (next func() (l Literal, more bool, err error)) {
	p := newParser(d, text)
	return func() (l Literal, more bool, err error) {
		t := p.Next()
		if t.Kind == Ended && t.At == len(text) {
			return l, false, nil
		}
		l, _ = p.value(t)
		return l, true, p.lexer.Err
	}
}

// ParseNumber parses text, which holds one number and nothing else.
func ParseNumber(text string) (Literal, error) {
	x, l := notation.Lexer{Text: text}, Literal{Kind: types.Float, End: int32(len(text))}
	if IsSpecial(text) {
		return l, nil
	}
	if !x.Number() {
		l.Kind = types.Int
	}
	if x.At < len(text) {
		x.Fail(x.At, "the number ends before this")
	}
	return l, x.Err
}

// Read reads the value that begins b. It returns how many bytes belong to it; ok is false if the engine refuses it.
func (e *Engine) Read(b []byte, report func(Finding)) (l Literal, n int, ok bool) {
	p := &parser{Scanner: e.Scan(b, report)}
	l, ok = p.value(p.Next())
	return l, p.At, ok
}

// expect reads a token, which has to be of a kind.
func (p *parser) expect(kind Kind, what string) (Token, bool) {
	t := p.Next()
	return t, p.is(t, kind, what)
}

func (p *parser) is(t Token, kind Kind, what string) bool {
	if t.Kind != kind && t.Kind != Broken {
		p.refuse(t.At, t.End, p.expected(what))
	}
	return t.Kind == kind
}

const aValue = "a value"

// expected says what is expected. Of literals it has marks in quotes.
func (p *parser) expected(what string) string {
	switch {
	case p.own && what == aValue:
		return what + " is expected here"
	case !p.own || !isMark[what[0]]:
		return what + " is expected"
	}
	if end, ok := strings.CutPrefix(what, ", or "); ok {
		return fmt.Sprintf("a comma or %q is expected here", end[0])
	}
	return fmt.Sprintf("%q is expected here", what[0])
}

func (p *parser) close() bool {
	_, ok := p.expect(')', ")")
	return ok
}

// text reads a text in quotes.
func (p *parser) text() (content []byte, ok bool) {
	t, ok := p.expect(Text, "a text in quotes")
	return t.Text, ok
}

// number returns the type of a number.
func (p *parser) number(t Token) types.ID {
	if t.Float {
		return types.Float
	}
	if n, exact := intOf(string(t.Text)); !p.own && !exact && len(t.Text) > len("-") { // a sign alone is 0
		p.changes(t.At, t.End, "this exceeds 64 bits: it becomes "+strconv.FormatInt(n, 10))
	}
	return types.Int
}

// value reads the value that begins with a token.
func (p *parser) value(t Token) (l Literal, ok bool) {
	l.At = int32(t.At)
	switch t.Kind {
	case Broken:
	case '{', '[':
		l.Parts = &Parts{}
		ok = p.container(&l, t)
	case Text, Name, Damaged:
		l.Kind, ok = textKind(p.b[t.At]), true
		p.keep(&l, t.Text)
	case Color:
		l.Kind = types.Color
		ok = p.color(&l, t)
	case Number:
		l.Kind, ok = p.number(t), true
	case Word:
		ok = p.named(&l, t)
	default:
		p.refuse(t.At, t.End, p.expected(aValue))
	}
	if l.End = int32(p.At); p.own && l.Kind < types.Raw && !p.d.Has(l.Kind) {
		p.refuse(t.At, t.End, p.d.Title+" has no "+types.Of(l.Kind).Name)
		ok = false
	}
	return l, ok && (!p.own || p.lexer.Err == nil)
}

// textKind returns the type of a text by what it begins with.
func textKind(c byte) types.ID {
	switch c {
	case '"':
		return types.String
	case '^':
		return types.NodePath
	case '<':
		return Damage
	}
	return types.StringName
}

// named reads a value that begins with a word.
func (p *parser) named(l *Literal, t Token) (ok bool) {
	word := string(t.Text)
	if l.Kind, ok = p.words[word]; ok {
		if l.Kind == types.Bool {
			l.Parts = &Parts{}
			if word == "true" {
				l.ID = 1
			}
		}
		return true
	}
	if !p.own {
		if l.Kind, ok = p.calls()[word]; !ok {
			p.refuse(t.At, t.End, "it has no value "+short(t.Text))
			return false
		}
		if shape := types.Of(l.Kind).Shape; shape == types.ShapeArray || shape == types.ShapeDict || shape == types.ShapeObject {
			l.Parts = &Parts{}
		}
		return p.call(l, t)
	}
	l.Parts = &Parts{}
	switch l.Kind, ok = p.d.TypeNamed(word); {
	case !ok:
		p.refuse(t.At, t.End, fmt.Sprintf("%s is neither a type, true, false nor null; quote text: %s", variant.Printable(t.Text), Quote(t.Text[:min(len(word), 80)])))
	case l.Kind == types.Nil:
		p.refuse(t.At, t.End, "the value of type Nil must be written null")
	case l.Kind <= types.Float:
		p.refuse(t.At, t.End, word+" must be written without its name")
	}
	return ok && p.d.Has(l.Kind) && p.call(l, t) // otherwise value reports it
}

// call reads what is in the parentheses of a type, as its shape says.
func (p *parser) call(l *Literal, t Token) (ok bool) {
	is := types.Of(l.Kind)
	if is.Shape == types.ShapeArray || is.Shape == types.ShapeDict {
		return p.typed(l, t)
	}
	if _, ok = p.expect('(', "("); !ok {
		return false
	}
	switch is.Shape {
	case types.ShapePath, types.ShapeText:
		content, ok := p.text()
		p.keep(l, content)
		return ok && p.close()
	case types.ShapeStrings:
		return p.items(')', true, func(t Token) bool {
			child, ok := p.entry(t)
			p.add(l, child)
			return ok
		})
	case types.ShapeRID:
		return p.rid(l, t)
	case types.ShapeReference:
		return p.resource(l)
	case types.ShapeObject:
		return p.object(l)
	case types.ShapeFixed, types.ShapePacked, types.ShapeBytes:
		return p.components(l, t)
	case types.ShapeTyped:
		return p.typedArray(l)
	case types.ShapeSignal:
		return p.signal(l)
	}
	return p.close()
}

// keep gives a literal its text. Of what an engine reads, only the children of containers are kept.
func (p *parser) keep(l *Literal, text []byte) {
	switch {
	case !p.own:
	case l.Parts == nil:
		l.Parts = &Parts{Text: text}
	default:
		l.Text = text
	}
}

// add adds an element to a literal.
func (p *parser) add(l *Literal, element Literal) {
	if p.own {
		l.Children = append(l.Children, element)
	}
}

// items reads items with commas between them, up to the closing mark. A comma may follow the last if trailing is set.
func (p *parser) items(end Kind, trailing bool, item func(t Token) bool) bool {
	if p.depth++; p.depth > maxDepth {
		p.refuse(p.At, p.At, "a literal nests at most 1024 levels deep")
		return false
	}
	for n := 0; ; n++ {
		t := p.Next()
		if t.Kind == end && (n == 0 || trailing) {
			break
		}
		if !item(t) {
			return false
		}
		if p.accepts(',') {
			continue
		}
		if p.accepts(byte(end)) {
			break
		}
		return p.is(p.Next(), ',', ", or "+string(rune(end)))
	}
	p.depth--
	return true
}

// list reads values of some sort up to the closing mark.
func (p *parser) list(to *Parts, end Kind, read func(t Token) (Literal, bool)) bool {
	return p.items(end, true, func(t Token) bool {
		l, ok := read(t)
		to.Children = append(to.Children, l)
		return ok
	})
}

// entry reads an element of a packed array of texts.
func (p *parser) entry(t Token) (l Literal, ok bool) {
	if !p.is(t, Text, "a text in quotes") {
		return l, false
	}
	return p.value(t)
}

// pairs reads keys and values up to a closing mark.
func (p *parser) pairs(to *Parts, end Kind, key func(t Token) (Literal, bool)) bool {
	return p.items(end, true, func(t Token) bool {
		k, ok := key(t)
		if ok {
			_, ok = p.expect(':', ":")
		}
		if !ok {
			return false
		}
		v, ok := p.value(p.Next())
		to.Children = append(to.Children, k, v)
		return ok
	})
}

// container reads an Array or a Dictionary after its bracket.
func (p *parser) container(l *Literal, open Token) bool {
	if open.Kind == '[' {
		l.Kind = types.Array
		return p.list(l.Parts, ']', p.value)
	}
	l.Kind = types.Dictionary
	return p.pairs(l.Parts, '}', p.value)
}
