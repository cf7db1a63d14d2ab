// Package literal reads and writes values as people type them: 42, "text", [1, 2],
// { name: value }, u8(7), ref($.path).
package literal

import (
	"slices"
	"strconv"
	"strings"

	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/notation"
	"varview/decoder/span"
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

// quoted reads a text in quotes with the escapes of tree.AppendQuoted, which are JSON's and
// \udcXX for a byte XX that is not valid UTF-8.
func (p *literalParser) quoted() []byte {
	start := p.At
	text, err := p.Quoted()
	switch {
	case p.err != nil:
	case err != nil:
		p.err = err
	case slices.Contains(text, 0):
		p.fail(start, "Elephant ends a text at a NUL; it cannot hold one")
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
		for p.At < len(p.Text) && p.Text[p.At] >= '0' && p.Text[p.At] <= '9' {
			p.At++
		}
		n, err := strconv.ParseUint(p.Text[digits:p.At], 10, 16)
		if err != nil {
			p.fail(digits, "the number of an array or struct is expected: 0 to 65535")
		}
		l.Ref.Serial = uint32(n)
	} else {
		l.Ref.Path = p.path()
		if p.err == nil && l.Ref.Path == "" {
			p.fail(start, "a path is expected: ref($.player)")
		}
	}
	if p.err == nil && !p.Accept(')') {
		p.fail(p.At, "a ) is expected after ref(")
	}
}

// path reads everything up to the closing parenthesis that is not in quotes.
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
	p.fail(p.At, "a ) is expected after ref(")
	return ""
}

// Paths remembers where targets of references were written. Each path is kept as what it
// adds to the path around it, so that their lengths do not add up.
type Paths struct {
	at     map[uint32]pathStep
	around uint32 // the innermost target that is being written
	length int    // of its path
}

// A pathStep is a part of a path, after that of another value.
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

// Enter records that the value with a number is written at a path; done must be called
// after it.
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
		p.fail(l.At, "%s is not a datatype; they are u8 s8 u16 s16 u32 s32 u64 f16 f32 f64 bool string text", Shown(name))
		return
	}
	p.Accept('(')
	p.Peek()
	at := p.At
	switch {
	case datatype.IsText(l.Of):
		if l.Shape = Text; p.Peek() != '"' {
			p.fail(p.At, `%s holds "text" in quotes`, name)
			return
		}
		l.Text = p.quoted()
	case l.Of == datatype.Bool:
		l.Shape = Bool
		switch word := p.identifier(); word {
		case "true":
			l.Num = Numeral{Whole: true, Magnitude: 1}
		case "false":
			l.Num = Numeral{Whole: true}
		default:
			p.fail(at, "bool holds true or false")
		}
	default:
		l.Num = p.number()
		if p.err == nil {
			if _, err := l.Num.As(l.Of); err != "" {
				p.fail(at, "%s", err)
			}
		}
	}
	if p.err == nil && !p.Accept(')') {
		p.fail(p.At, "a ) is expected after the value in %s(", name)
	}
}

func (p *literalParser) array(l *Literal, depth int) {
	l.Shape = Array
	p.Accept('[')
	for p.err == nil && !p.Accept(']') {
		if len(l.Items) > 0 && !p.Accept(',') {
			p.fail(p.At, "a comma or ] is expected in an array")
			return
		}
		if p.Peek() == ']' {
			continue // a comma after the last item
		}
		l.Items = append(l.Items, p.value(depth+1))
	}
}

func (p *literalParser) structure(l *Literal, depth int) {
	l.Shape, l.Text = Struct, nil
	if l.Ctor != nil && len(l.Ctor.Name) > block.MaxName {
		p.fail(l.At, "the name of a constructor has at most %s", span.Bytes(block.MaxName))
		return
	}
	p.Accept('{')
	for p.err == nil && !p.Accept('}') {
		if len(l.Items) > 0 && !p.Accept(',') {
			p.fail(p.At, "a comma or } is expected in a struct")
			return
		}
		if p.Peek() == '}' {
			continue
		}
		name := p.name()
		if p.err == nil && !p.Accept(':') {
			p.fail(p.At, "a colon is expected after the name of a member")
			return
		}
		l.Names = append(l.Names, name)
		l.Items = append(l.Items, p.value(depth+1))
	}
}
