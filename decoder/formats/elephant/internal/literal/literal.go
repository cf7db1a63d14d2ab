// Package literal reads and writes values as people type them: 42, "text", [1, 2], { name: value }, u8(7),
// ref($.path).
package literal

import (
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/value/notation"
)

// A Literal is a value as users type it, or a copy of one in a block.
type Literal struct {
	At    int // offset in the text
	Shape shape
	Of    datatype.ID // datatype, if the literal has one as its prefix
	Was   datatype.ID // original datatype of a copied scalar
	Num   Numeral     // value of a number or bool
	Text  []byte
	Names [][]byte     // names of members
	Items []*Literal   // elements, or the values of the members
	Ctor  *Constructor // nil for a plain struct
	Ref   Target
}

// A shape is what a literal looks like.
type shape uint8

const (
	Number shape = iota
	Bool
	Text
	Undefined
	Array
	Struct
	Ref
	Default // a member of a schema that is left out
)

// A Constructor is the constructor of a struct and, if known, the form in which the struct is stored.
type Constructor struct {
	Name    string
	Known   bool
	Version int
	Verbose bool
}

// A Target is the target of a reference.
type Target struct {
	Path    string      // as it was typed
	Serial  uint32      // number in the block before the edit
	Lit     *Literal    // value that is inserted together with the reference
	Kind    datatype.ID // Array or Struct
	Nowhere bool        // no value has the number
}

// Parse reads a literal in the notation that Write writes, or with prefixes of any datatype.
func Parse(text string) (*Literal, error) {
	p := literalParser{notation.Lexer{Text: text, Levels: tree.MaxDepth}}
	l := p.value()
	p.End("unexpected text after the value")
	if p.Err != nil {
		return nil, p.Err
	}
	return l, nil
}

type literalParser struct{ notation.Lexer }

func (p *literalParser) value() *Literal {
	c := p.Peek()
	l := &Literal{At: p.At}
	switch {
	case c == '[':
		p.array(l)
	case c == '{':
		p.structure(l)
	case c == '"':
		l.Shape, l.Text = Text, p.quoted()
		if p.Peek() == '{' {
			l.Ctor = &Constructor{Name: string(l.Text)}
			p.structure(l)
		}
	case notation.IsLetter(c) && !p.isSpecial():
		p.word(l)
	case notation.IsWord(c) || c == '-' || c == '+' || c == '.':
		l.Num = p.number()
	default:
		p.Fail(p.At, `a value is expected: a number, "text", true, undefined, […], { name: value } or ref(…)`)
	}
	return l
}

// isSpecial reports whether the number nan or inf is next.
func (p *literalParser) isSpecial() bool {
	at := p.At
	name := p.Word()
	ctor := p.Peek() == '{'
	p.At = at
	return (name == "nan" || name == "inf") && !ctor
}

// word reads something that begins with a name.
func (p *literalParser) word(l *Literal) {
	name := p.Word()
	switch c := p.Peek(); {
	case c == '{':
		l.Ctor = &Constructor{Name: name}
		p.structure(l)
	case c == '(' && name == "ref":
		p.reference(l)
	case c == '(':
		p.prefixed(l, name)
	case p.bool(l, name):
	case name == "undefined":
		l.Shape = Undefined
	case name == "default":
		l.Shape = Default
	default:
		p.Fail(l.At, `%s is not a value; a text must be quoted, members of a struct follow its constructor in { }`, Shown(name))
	}
}

// bool makes a literal true or false, and reports whether the word is one of these.
func (p *literalParser) bool(l *Literal, word string) bool {
	if word != "true" && word != "false" {
		return false
	}
	if l.Shape, l.Num.Whole = Bool, true; word == "true" {
		l.Num.Magnitude = 1
	}
	return true
}

// name reads the name of a member: an identifier, or any text in quotes.
func (p *literalParser) name() []byte {
	switch c := p.Peek(); {
	case c == '"':
		return p.quoted()
	case notation.IsLetter(c):
		return []byte(p.Word())
	}
	p.Fail(p.At, `the name of a member is expected: an identifier, or "any text"`)
	return nil
}

// ParseName reads a single name.
func ParseName(text string) ([]byte, error) {
	p := literalParser{notation.Lexer{Text: text}}
	name := p.name()
	p.End("unexpected text after the name; a name that is not an identifier must be quoted")
	return name, p.Err
}

// Shown returns the text of a literal, cut for a message.
func Shown(text string) string {
	const longest = 40
	cut := ""
	if len(text) > longest {
		text, cut = text[:longest], "…"
	}
	return tree.Prose([]byte(text)) + cut
}

// IsAtom reports whether equals can compare the literal by itself.
func (l *Literal) IsAtom() bool { return l.Shape != Array && l.Shape != Struct }

// Each calls f for a literal and everything in it.
func (l *Literal) Each(f func(*Literal) error) error {
	stack := []*Literal{l}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], l.Items...)
		if err := f(l); err != nil {
			return err
		}
	}
	return nil
}

// quoted reads a text in quotes with the escapes of tree.AppendQuoted, which are JSON's and
// \udcXX for a byte XX that is not valid UTF-8.
func (p *literalParser) quoted() []byte {
	start := p.At
	text := p.Quoted()
	if slices.Contains(text, 0) {
		p.Fail(start, "Elephant ends a text at a NUL; it cannot hold one")
	}
	return text
}

// reference reads ref($.path) or ref(#3).
func (p *literalParser) reference(l *Literal) {
	l.Shape = Ref
	p.Accept('(')
	p.Peek()
	start := p.At
	if p.Accept('#') {
		digits := p.At
		p.Digits()
		n, err := strconv.ParseUint(p.Text[digits:p.At], 10, 16)
		if err != nil {
			p.Fail(digits, "the number of an array or struct is expected: 0 to 65535")
		}
		l.Ref.Serial = uint32(n)
	} else if l.Ref.Path = p.path(); l.Ref.Path == "" {
		p.Fail(start, "a path is expected: ref($.player)")
	}
	p.close("ref(")
}

// close reads a closing parenthesis.
func (p *literalParser) close(opened string) {
	if !p.Accept(')') {
		p.Fail(p.At, "a ) is expected after %s", opened)
	}
}

// path reads everything up to the closing parenthesis, skipping quoted ones.
func (p *literalParser) path() string {
	start, quoted := p.At, false
	for ; p.At < len(p.Text); p.At++ {
		switch c := p.Text[p.At]; {
		case quoted && c == '\\':
			p.At = min(p.At+1, len(p.Text)-1)
		case c == '"':
			quoted = !quoted
		case c == ')' && !quoted:
			return strings.TrimSpace(p.Text[start:p.At])
		}
	}
	p.Fail(p.At, "a ) is expected after ref(")
	return ""
}

// Paths remembers the paths under which targets of references were written. Each path is kept relative to
// the path around it, so that their lengths do not add up.
type Paths struct {
	at     map[uint32]pathStep
	around uint32 // innermost target being written
	length int    // length of its path
}

// A pathStep is a part of a path, relative to that of another value.
type pathStep struct {
	around uint32
	rest   string
}

// noValue is the serial number that means the beginning of a path.
const noValue = 1<<32 - 1

func NewPaths() Paths { return Paths{at: map[uint32]pathStep{}, around: noValue} }

func (p *Paths) Has(serial uint32) bool {
	_, ok := p.at[serial]
	return ok
}

// Enter records the path under which a numbered value is written; done must be called after the value.
func (p *Paths) Enter(serial uint32, path []byte) (done func()) {
	around, length := p.around, p.length
	p.at[serial] = pathStep{around, string(path[length:])}
	p.around, p.length = serial, len(path)
	return func() { p.around, p.length = around, length }
}

// Append appends the path of a value.
func (p *Paths) Append(dst []byte, serial uint32) []byte {
	var steps []string
	for serial != noValue {
		step := p.at[serial]
		steps = append(steps, step.rest)
		serial = step.around
	}
	for i := len(steps) - 1; i >= 0; i-- {
		dst = append(dst, steps[i]...)
	}
	return dst
}

// prefixed reads what is in the parentheses after a datatype.
func (p *literalParser) prefixed(l *Literal, name string) {
	if l.Of = datatype.ByName(name); l.Of == 0 || l.Of > datatype.Text {
		p.Fail(l.At, "%s is not a datatype; they are u8 s8 u16 s16 u32 s32 u64 f16 f32 f64 bool string text", Shown(name))
		return
	}
	p.Accept('(')
	c, at := p.Peek(), p.At
	switch {
	case datatype.IsText(l.Of):
		if c != '"' {
			p.Fail(at, `%s holds "text" in quotes`, name)
		}
		l.Shape, l.Text = Text, p.quoted()
	case l.Of == datatype.Bool:
		if !p.bool(l, p.Word()) {
			p.Fail(at, "bool holds true or false")
		}
	default:
		l.Num = p.number()
		if _, err := l.Num.As(l.Of); err != "" {
			p.Fail(at, "%s", err)
		}
	}
	p.close("the value in " + name + "(")
}

func (p *literalParser) array(l *Literal) {
	l.Shape = Array
	p.Accept('[')
	p.List(']', func() { l.Items = append(l.Items, p.value()) })
}

func (p *literalParser) structure(l *Literal) {
	l.Shape, l.Text = Struct, nil
	if l.Ctor != nil && len(l.Ctor.Name) > block.MaxName {
		p.Fail(l.At, "the name of a constructor has at most %s", span.Bytes(block.MaxName))
	}
	p.Accept('{')
	p.List('}', func() {
		l.Names = append(l.Names, p.name())
		if !p.Accept(':') {
			p.Fail(p.At, "a colon is expected after the name of a member")
		}
		l.Items = append(l.Items, p.value())
	})
}
