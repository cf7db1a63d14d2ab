package expr

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/lazy"
	"varview/decoder/value/notation"
)

// maxDepth is the number of levels of an expression, which bounds recursion.
const maxDepth = 200

// maxLength is the largest number of characters of an expression.
const maxLength = 4 << 10

// A parser parses one expression. Its first error ends it: what follows is then no token.
type parser struct {
	lexer
	in    Names
	tok   token
	depth int
	err   error
}

// Parse parses an expression with some names.
func Parse(text string, in Names) (Node, error) { return parse(text, in, 0) }

func parse(text string, in Names, depth int) (Node, error) {
	p := newParser(text, in)
	p.depth = depth
	n := p.test()
	return n, p.end()
}

// ParseCall parses a name and arguments in parentheses, which may be missing: "foo::bar(1, x)". The
// name may have points: "my.process".
func ParseCall(text string, in Names) (name string, args []Node, err error) {
	name, rest, ok := strings.Cut(strings.TrimSpace(text), "(")
	if !ok {
		return name, nil, nil
	}
	p := newParser("("+rest, in)
	p.advance()
	args = p.list(")")
	return strings.TrimSpace(name), args, p.end()
}

func newParser(text string, in Names) *parser {
	p := &parser{lexer: lexer{text: text}, in: in}
	if len(text) > maxLength {
		p.err = errors.New("the expression is too long")
		return p
	}
	p.advance()
	return p
}

// end returns the error, which may be that the expression goes on.
func (p *parser) end() error {
	if p.tok.kind != endToken {
		p.fail("unexpected %q", p.tok.text)
	}
	return p.err
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = p.lexer.fail(p.tok.at, format, args...)
	}
	p.tok = token{at: p.tok.at}
}

func (p *parser) advance() {
	if p.err == nil {
		p.tok, p.err = p.next()
	}
	if p.err != nil {
		p.tok = token{at: p.at}
	}
}

func (p *parser) is(text string) bool {
	return (p.tok.kind == signToken || p.tok.kind == nameToken) && p.tok.text == text
}

// accept passes over a token if it is the given one.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(text string) {
	switch {
	case p.accept(text):
	case p.tok.kind == endToken:
		p.fail("missing %q", text)
	default:
		p.fail("%q where %q is expected", p.tok.text, text)
	}
}

// name returns the name that comes next.
func (p *parser) name() string {
	name := p.tok.text
	if p.tok.kind != nameToken {
		p.fail("a name is missing")
	}
	p.advance()
	return name
}

// enter begins a level, which the result ends.
func (p *parser) enter() (leave func()) {
	if p.depth++; p.depth > maxDepth {
		p.fail("too many levels")
	}
	return func() { p.depth-- }
}

func (p *parser) test() Node {
	defer p.enter()()
	cond := p.binary(0)
	if !p.accept("?") {
		return cond
	}
	yes := p.test()
	p.expect(":")
	return &ternary{cond, yes, p.test()}
}

// levels are the binary operators, the weakest first; "not" binds tighter than the second.
var levels = [][]string{{"or"}, {"and"}, {"==", "!=", "<=", ">=", "<", ">"}, {"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

const comparisons = 2

func (p *parser) binary(level int) Node {
	if level == len(levels) {
		return p.unary()
	}
	if level == comparisons && p.is("not") {
		return p.prefixed("not", func() Node { return p.binary(level) })
	}
	left := p.binary(level + 1)
	for n := 0; p.tok.kind != textToken && slices.Contains(levels[level], p.tok.text); n++ {
		op := p.tok.text
		if p.advance(); n > maxDepth {
			p.fail("too many operators")
		}
		order, isOrder := orders[op]
		left = &binary{op, left, p.binary(level + 1), order, isOrder}
	}
	return left
}

func (p *parser) prefixed(op string, operand func() Node) Node {
	defer p.enter()()
	p.advance()
	x := operand()
	if l, ok := x.(*Constant); ok && op == "-" && l.Kind != Null {
		v, err := negate(l.Value)
		if err != nil {
			p.fail("%v", err)
		}
		return &Constant{Value: v}
	}
	return &unary{op, x}
}

func (p *parser) unary() Node {
	if p.tok.kind == signToken && slices.Contains([]string{"-", "+", "~"}, p.tok.text) {
		return p.prefixed(p.tok.text, p.unary)
	}
	n := p.atom()
	for i := 0; ; i++ {
		if i > maxDepth {
			p.fail("too many steps")
		}
		switch {
		case p.accept("["):
			n = &index{n, p.test()}
			p.expect("]")
		case p.accept("."):
			n = p.attribute(n)
		default:
			return n
		}
	}
}

// attribute parses what follows a point: a name, name(arguments) or as<type>.
func (p *parser) attribute(of Node) Node {
	if p.is("as") && p.hasType() {
		return &cast{of, p.typeName()}
	}
	name := p.name()
	p.in.RefOf(of, name)
	if x, ok := of.(*variable); ok && name == "_sizeof" && x.Name != "_parent" && x.Name != "_root" {
		return &sizeOf{x, p.in.SizeOfAttr(x.Name)}
	}
	if !p.accept("(") {
		return &attr{of, name, nil}
	}
	return &attr{of, name, p.list(")")}
}

// hasType reports whether a type between < and > follows the current token.
func (p *parser) hasType() bool { return strings.HasPrefix(strings.TrimLeft(p.text[p.at:], " "), "<") }

// typeName parses a type between < and >; the current token precedes it.
func (p *parser) typeName() string {
	open := strings.IndexByte(p.text[p.at:], '<')
	end := strings.IndexByte(p.text[p.at:], '>')
	if end < open {
		p.fail("unclosed <")
		return ""
	}
	name := strings.ReplaceAll(p.text[p.at+open+1:p.at+end], " ", "")
	p.at += end + 1
	p.advance()
	return name
}

// list parses expressions up to a closing sign.
func (p *parser) list(end string) []Node {
	all := []Node{}
	for p.err == nil && !p.accept(end) {
		if all = append(all, p.test()); !p.is(end) {
			p.expect(",")
		}
	}
	return all
}

func (p *parser) atom() Node {
	t := p.tok
	switch {
	case t.kind == numberToken:
		v, err := parseNumber(t.text)
		if err != nil {
			p.fail("%q is not a number", t.text)
		}
		p.advance()
		return &Constant{Value: v}
	case t.kind == textToken:
		text := ""
		for ; p.tok.kind == textToken; p.advance() {
			text += p.tok.text
		}
		return &Constant{Value: Of(text)}
	case t.kind == formatToken:
		n := p.format(t.text)
		p.advance()
		return n
	case p.accept("("):
		n := p.test()
		p.expect(")")
		return n
	case p.accept("["):
		return &list{p.list("]")}
	case t.kind == nameToken && (t.text == "true" || t.text == "false"):
		p.advance()
		return &Constant{Value: Of(t.text == "true")}
	case (p.is("sizeof") || p.is("bitsizeof")) && p.hasType():
		return p.in.SizeOfType(p.typeName(), t.text == "bitsizeof")
	case p.is("::") || t.kind == nameToken:
		return p.path()
	case t.kind == endToken:
		p.fail("the expression ends where a value is expected")
	}
	p.fail("unexpected %q", t.text)
	return &Constant{}
}

// path parses a name, or those of types, an enum and its value.
func (p *parser) path() Node {
	var path []string
	if !p.is("::") {
		path = append(path, p.name())
	}
	for p.accept("::") {
		path = append(path, p.name())
	}
	if len(path) == 1 && p.accept("(") {
		return p.call(path[0])
	}
	if len(path) == 1 {
		return &variable{p.in.Ref(path[0])}
	}
	return p.in.Label(path)
}

// format parses an f-string; raw is what is between its quotes.
func (p *parser) format(raw string) Node {
	var f format
	add := func(n Node, err error) {
		if f.parts = append(f.parts, n); err != nil && p.err == nil {
			p.err = err
		}
	}
	for at := 0; at < len(raw) && p.err == nil; at++ {
		open := strings.IndexByte(raw[at:], '{')
		if open < 0 {
			open = len(raw) - at
		}
		text, err := unescape(raw[at : at+open])
		if add(&Constant{Value: Of(text)}, err); at+open == len(raw) {
			break
		}
		l := lexer{text: raw, at: at + open + 1}
		p.err = l.toBrace()
		add(parse(raw[at+open+1:l.at], p.in, p.depth))
		at = l.at
	}
	return &f
}

func parseNumber(text string) (Value, error) {
	text = strings.ReplaceAll(text, "_", "")
	isHex := len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x'
	if !isHex && strings.ContainsAny(text, ".eE") {
		x, err := strconv.ParseFloat(text, 64)
		return Of(x), err
	}
	base := 0
	if notation.IsDigit(text[len(text)-1]) && len(text) > 1 && text[0] == '0' && notation.IsDigit(text[1]) {
		base = 10
	}
	v, err := ParseInt(text, base)
	v.Byte = !v.Wide && int64(v.N) >= 0 && v.N < 256
	return v, err
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	numberToken
	textToken
	formatToken // the raw text of an f-string
	signToken
)

type token struct {
	kind tokenKind
	text string
	at   int
}

// A lexer splits an expression.
type lexer struct {
	text string
	at   int
}

// A SyntaxError is what is wrong at a byte of an expression.
type SyntaxError struct {
	At   int
	Text string // what is wrong
	In   string // the expression
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at character %d of %q", e.Text, e.At+1, e.In)
}

func (l *lexer) fail(at int, format string, args ...any) error {
	return &SyntaxError{at, fmt.Sprintf(format, args...), l.text}
}

var signs = []string{"::", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "~", "?", ":", "(", ")", "[", "]", ",", "."}

func (l *lexer) skipSpace() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
}

func (l *lexer) next() (token, error) {
	l.skipSpace()
	start := l.at
	if start == len(l.text) {
		return token{at: start}, nil
	}
	c := l.text[start]
	switch {
	case c == 'f' && start+1 < len(l.text) && l.text[start+1] == '"':
		l.at++
		raw, err := l.quoted(true)
		return token{formatToken, raw, start}, err
	case notation.IsLetter(c):
		for l.at < len(l.text) && notation.IsWord(l.text[l.at]) {
			l.at++
		}
		return token{nameToken, l.text[start:l.at], start}, nil
	case notation.IsDigit(c):
		text := numeral().FindString(l.text[start:])
		l.at += len(text)
		return token{numberToken, text, start}, nil
	case c == '\'':
		end := strings.IndexByte(l.text[start+1:], '\'')
		if end < 0 {
			return token{}, l.fail(start, "unclosed quote")
		}
		l.at = start + end + 2
		return token{textToken, l.text[start+1 : l.at-1], start}, nil
	case c == '"':
		raw, err := l.quoted(false)
		text, wrong := unescape(raw)
		if wrong != nil {
			err = l.fail(start, "%v", wrong)
		}
		return token{textToken, text, start}, err
	}
	for _, s := range signs {
		if strings.HasPrefix(l.text[start:], s) {
			l.at += len(s)
			return token{signToken, s, start}, nil
		}
	}
	return token{}, l.fail(start, "unexpected %q", l.text[start:start+1])
}

// numeral is a number; a point belongs to it if a digit follows.
var numeral = lazy.Regexp(`^(?:0[xX]\w*|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-][0-9_]+)?\w*)`)

// quoted returns the text between double quotes, with its escapes; an f-string has expressions in braces.
func (l *lexer) quoted(isFormat bool) (string, error) {
	start := l.at
	for l.at++; l.at < len(l.text); l.at++ {
		switch c := l.text[l.at]; {
		case c == '\\':
			l.at++
		case c == '"':
			l.at++
			return l.text[start+1 : l.at-1], nil
		case c == '{' && isFormat:
			l.at++
			if err := l.toBrace(); err != nil {
				return "", err
			}
		}
	}
	return "", l.fail(start, "unclosed quote")
}

// toBrace passes over an expression to the brace that closes it, which no token contains.
func (l *lexer) toBrace() error {
	for start := l.at; ; {
		if l.skipSpace(); strings.HasPrefix(l.text[l.at:], "}") {
			return nil
		}
		if t, err := l.next(); err != nil || t.kind == endToken {
			return l.fail(start, "unclosed {")
		}
	}
}

// escapes are those that Go has not, or otherwise.
var escapes = map[byte]byte{'e': 0x1b, '"': '"', '\'': '\'', '?': '?'}

var octal = lazy.Regexp(`^[0-7]{1,3}`)

func unescape(raw string) (string, error) {
	var b strings.Builder
	for raw != "" {
		plain, rest, isEscaped := strings.Cut(raw, `\`)
		b.WriteString(plain)
		if raw = rest; !isEscaped {
			break
		}
		if c := escapes[(rest + " ")[0]]; c != 0 {
			b.WriteByte(c)
			raw = rest[1:]
			continue
		}
		if digits := octal().FindString(rest); digits != "" {
			n, _ := strconv.ParseUint(digits, 8, 32)
			b.WriteRune(rune(n))
			raw = rest[len(digits):]
			continue
		}
		n, _, rest, err := strconv.UnquoteChar(`\`+rest, 0)
		if err != nil {
			return "", fmt.Errorf(`unknown escape \%.1s`, raw)
		}
		b.WriteRune(n)
		raw = rest
	}
	return b.String(), nil
}
