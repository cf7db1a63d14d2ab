package godot

import (
	"math"
)

// A literal is a value in the notation of WriteText, as it was parsed. Numbers
// stay text until it is known how many bits they get.
type literal struct {
	kind    typeID // tDamage for <code>
	at, end int32  // where in the text it stands
	*parts         // nil for null, and for numbers
}

// parts are what some types of literals hold.
type parts struct {
	text  []byte        // of strings and paths, the class of an Object, the name of a Signal, the code of damage
	id    uint64        // of a RID, a Signal, an Object stored as its id; 1 for true
	byID  bool          // an Object stored as its id
	whole bool          // an Object with a class and properties, even if there are none
	elem  containerType // of elements, or of a Dictionary's keys
	value containerType // of a Dictionary's values
	kids  []literal     // components, elements; keys and values by turns
}

// tDamage is the kind of a literal that stands for bytes that could not be read.
const tDamage = tUnknown

const (
	maxLiteral      = 1 << 30 // bytes of a literal
	maxLiteralDepth = 1024    // levels of nesting in it
)

// A parser reads literals of a dialect.
type parser struct {
	lexer
	d     *Dialect
	depth int
}

// parse reads text, which holds one value and nothing else.
func parse(d *Dialect, text string) (literal, error) {
	if len(text) > maxLiteral {
		return literal{}, fail(0, "a literal has at most 1 GiB")
	}
	p := parser{lexer: lexer{text: text}, d: d}
	l, err := p.value()
	if err == nil && p.peek() != 0 {
		err = fail(p.at, "the value ends before this")
	} else if err == nil && p.at < len(text) {
		err = fail(p.at, "a NUL is written \\u0000, within quotes")
	}
	return l, err
}

// value parses the value that is next.
func (p *parser) value() (literal, error) {
	c := p.peek()
	start := p.at
	l := literal{at: int32(start)}
	var err error
	switch {
	case c == '"':
		l.kind, l.parts = tString, &parts{}
		l.text, err = p.quoted()
	case c == '&' || c == '^':
		p.at++
		l.kind, l.parts = tStringName, &parts{}
		if c == '^' {
			l.kind = tNodePath
		}
		l.text, err = p.quoted()
	case c == '[' || c == '{':
		l, err = p.container(l)
	case c == '#':
		l, err = p.hexColor(l)
	case c == '<':
		l, err = p.damage(l)
	case isDigit(c) || c == '.' || c == '-' && !p.minusWord():
		l.kind, err = p.number()
	case isWord(c) || c == '-':
		l, err = p.named(l)
	case p.at == len(p.text):
		err = fail(p.at, "a value is expected here")
	default:
		err = fail(p.at, "no value begins like this")
	}
	if err == nil && l.kind < tRaw && !p.d.has(l.kind) {
		err = fail(start, "%s has no %s", p.d.Title, typeOf(l.kind).name)
	}
	l.end = int32(p.at)
	return l, err
}

// minusWord reports whether -inf is next.
func (p *parser) minusWord() bool { return p.at+1 < len(p.text) && p.text[p.at+1] == 'i' }

// damage parses <code>, which WriteText puts where it could not read.
func (p *parser) damage(l literal) (literal, error) {
	p.at++
	start := p.at
	for p.at < len(p.text) && (isWord(p.text[p.at]) || p.text[p.at] == '-') {
		p.at++
	}
	l.kind, l.parts = tDamage, &parts{text: []byte(p.text[start:p.at])}
	return l, p.expect('>')
}

// isSpecial reports whether a word is a number that has no digits.
func isSpecial(word string) bool {
	return word == "inf" || word == "inf_neg" || word == "-inf" || word == "nan"
}

// named parses what begins with a word.
func (p *parser) named(l literal) (literal, error) {
	start := p.at
	p.skip("-")
	p.word()
	word := p.text[start:p.at]
	switch {
	case word == "null":
		return l, nil
	case word == "true" || word == "false":
		l.kind, l.parts = tBool, &parts{}
		if word == "true" {
			l.id = 1
		}
		return l, nil
	case isSpecial(word):
		l.kind = tFloat
		return l, nil
	}
	t, ok := p.d.typeNamed(word)
	if !ok {
		return l, fail(start, "there is no type %s; text stands in quotes: %s", printable([]byte(word)), quote([]byte(word[:min(len(word), 80)])))
	}
	l.kind, l.parts = t, &parts{}
	if !p.d.has(t) {
		return l, nil // value says so
	}
	return p.typed(l, word)
}

// nan is the one of all NaN that engines write for their constant.
var nan = math.Float64frombits(0x7ff8000000000000)

// special is the number that a word stands for.
func special(word string) (float64, bool) {
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

// list parses items up to the closing byte, between which commas stand. One may
// stand behind the last.
func (p *parser) list(closing byte, item func() error) error {
	return p.deeper(func() error {
		for !p.accept(closing) {
			if err := item(); err != nil {
				return err
			}
			if !p.accept(',') && p.peek() != closing {
				return fail(p.at, "a comma or %q is expected here", closing)
			}
		}
		return nil
	})
}

// deeper parses what is one level of nesting further in.
func (p *parser) deeper(inside func() error) error {
	if p.depth++; p.depth > maxLiteralDepth {
		return fail(p.at, "a literal nests at most %d levels deep", maxLiteralDepth)
	}
	defer func() { p.depth-- }()
	return inside()
}

// container parses […] and {…}.
func (p *parser) container(l literal) (literal, error) {
	if l.parts == nil {
		l.parts = &parts{}
	}
	if p.accept('[') {
		l.kind = tArray
		return l, p.list(']', func() error { return p.kid(l.parts) })
	}
	l.kind = tDictionary
	if err := p.expect('{'); err != nil {
		return l, err
	}
	return l, p.list('}', func() error { return p.pair(l.parts) })
}

func (p *parser) kid(to *parts) error {
	v, err := p.value()
	to.kids = append(to.kids, v)
	return err
}

// pair parses a key and its value.
func (p *parser) pair(to *parts) error {
	if err := p.kid(to); err != nil {
		return err
	}
	if err := p.expect(':'); err != nil {
		return err
	}
	return p.kid(to)
}
