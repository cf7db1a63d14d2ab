// Package literal reads and writes values as people type them: 42, "text", [1, 2],
// { name: value }, u8(7), ref($.path).
package literal

import (
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/notation"
	"varview/decoder/tree"
)

// A Literal is a value as users type it, or a copy of one in a block.
type Literal struct {
	At    int // where it begins in the text
	Shape shape
	Of    datatype.ID // datatype, if the literal has one as its prefix
	Was   datatype.ID // of a scalar that is copied: its original datatype
	Num   Numeral     // of a number or bool
	Text  []byte
	Names [][]byte     // of members
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

// A Constructor is the constructor of a struct and, if that is known, how the struct is
// stored.
type Constructor struct {
	Name    string
	Known   bool
	Version int
	Verbose bool
}

// A Target is what a reference leads to.
type Target struct {
	Path    string      // as it was typed
	Serial  uint32      // number in the block before the edit
	Lit     *Literal    // or a value that is inserted with the reference
	Kind    datatype.ID // Array or Struct
	Nowhere bool        // no value has the number
}

// Parse reads a literal in the notation that Write writes, which may also have prefixes
// with any datatype.
func Parse(text string) (*Literal, error) {
	p := literalParser{Lexer: notation.Lexer{Text: text}}
	l := p.value(0)
	if p.err == nil {
		if p.Peek(); p.At < len(p.Text) {
			p.fail(p.At, "the value ends here, and more follows")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return l, nil
}

// A literalParser stops at the first error.
type literalParser struct {
	notation.Lexer
	err error
}

func (p *literalParser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = notation.Errorf(at, format, args...)
	}
}

func (p *literalParser) value(depth int) *Literal {
	c := p.Peek()
	l := &Literal{At: p.At}
	switch {
	case depth > tree.MaxDepth:
		p.fail(p.At, "more than %d levels of nesting", tree.MaxDepth)
	case c == '[':
		p.array(l, depth)
	case c == '{':
		p.structure(l, depth)
	case c == '"':
		l.Shape, l.Text = Text, p.quoted()
		if p.Peek() == '{' {
			l.Ctor = &Constructor{Name: string(l.Text)}
			p.structure(l, depth)
		}
	case IsLetter(c) && !p.isSpecial():
		p.word(l, depth)
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || IsLetter(c):
		l.Num = p.number()
	default:
		p.fail(p.At, `a value is expected: a number, "text", true, undefined, […], { name: value } or ref(…)`)
	}
	return l
}

func IsLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// identifier reads letters, digits and underscores.
func (p *literalParser) identifier() string {
	start := p.At
	for p.At < len(p.Text) && (IsLetter(p.Text[p.At]) || p.At > start && p.Text[p.At] >= '0' && p.Text[p.At] <= '9') {
		p.At++
	}
	return p.Text[start:p.At]
}

// isSpecial reports whether nan or inf is next, which are numbers.
func (p *literalParser) isSpecial() bool {
	at := p.At
	name := p.identifier()
	ctor := p.Peek() == '{'
	p.At = at
	return (name == "nan" || name == "inf") && !ctor
}

// word reads something that begins with a name.
func (p *literalParser) word(l *Literal, depth int) {
	name := p.identifier()
	switch c := p.Peek(); {
	case c == '{':
		l.Ctor = &Constructor{Name: name}
		p.structure(l, depth)
	case c == '(' && name == "ref":
		p.reference(l)
	case c == '(':
		p.prefixed(l, name)
	case name == "true", name == "false":
		l.Shape = Bool
		l.Num.Whole = true
		if name == "true" {
			l.Num.Magnitude = 1
		}
	case name == "undefined":
		l.Shape = Undefined
	case name == "default":
		l.Shape = Default
	default:
		p.fail(l.At, `%s is not a value; a text must be quoted, members of a struct follow its constructor in { }`, Shown(name))
	}
}

// name reads the name of a member: an identifier, or any text in quotes.
func (p *literalParser) name() []byte {
	switch c := p.Peek(); {
	case c == '"':
		return p.quoted()
	case IsLetter(c):
		return []byte(p.identifier())
	}
	p.fail(p.At, `the name of a member is expected: an identifier, or "any text"`)
	return nil
}

// ParseName reads a single name.
func ParseName(text string) ([]byte, error) {
	p := literalParser{Lexer: notation.Lexer{Text: text}}
	name := p.name()
	if p.err == nil {
		if p.Peek(); p.At < len(p.Text) {
			p.fail(p.At, "the name ends here, and more follows; a name that is not an identifier must be quoted")
		}
	}
	return name, p.err
}

// Shown returns text of a literal as a message shows it.
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
