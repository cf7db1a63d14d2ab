package expr

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// maxDepth is the number of levels of an expression, which bounds recursion.
const maxDepth = 200

// maxLength is the largest number of characters of an expression.
const maxLength = 64 << 10

type parser struct {
	lexer
	tok   token
	depth int
}

// Parse parses an expression.
func Parse(text string) (Node, error) { return parse(text, 0) }

func parse(text string, depth int) (Node, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	p.depth = depth
	n, err := p.test()
	if err == nil && p.tok.kind != endToken {
		err = p.fail(p.tok.at, "unexpected %q", p.tok.text)
	}
	return n, err
}

// ParseCall parses a name and arguments in parentheses, which may be missing: "foo::bar(1, x)". The
// name may have points: "my.process".
func ParseCall(text string) (name string, args []Node, err error) {
	name, rest, ok := strings.Cut(strings.TrimSpace(text), "(")
	if !ok {
		return name, nil, nil
	}
	p, err := newParser("(" + rest)
	if err != nil {
		return "", nil, err
	}
	if err = p.advance(); err != nil {
		return "", nil, err
	}
	args, err = p.list(")")
	if err == nil && p.tok.kind != endToken {
		err = p.fail(p.tok.at, "unexpected %q", p.tok.text)
	}
	return strings.TrimSpace(name), args, err
}

func newParser(text string) (*parser, error) {
	if len(text) > maxLength {
		return nil, errors.New("the expression is too long")
	}
	p := &parser{lexer: lexer{in: text}}
	return p, p.advance()
}

func (p *parser) advance() (err error) {
	p.tok, err = p.next()
	return err
}

func (p *parser) is(text string) bool {
	return (p.tok.kind == signToken || p.tok.kind == nameToken) && p.tok.text == text
}

// accept passes over a token if it is the given one.
func (p *parser) accept(text string) (bool, error) {
	if !p.is(text) {
		return false, nil
	}
	return true, p.advance()
}

func (p *parser) expect(text string) error {
	if ok, err := p.accept(text); ok || err != nil {
		return err
	}
	if p.tok.kind == endToken {
		return p.fail(p.tok.at, "missing %q", text)
	}
	return p.fail(p.tok.at, "%q where %q should be", p.tok.text, text)
}

func (p *parser) test() (Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.tok.at, "too many levels")
	}
	defer func() { p.depth-- }()
	cond, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	if ok, err := p.accept("?"); !ok || err != nil {
		return cond, err
	}
	yes, err := p.test()
	if err != nil {
		return nil, err
	}
	if err = p.expect(":"); err != nil {
		return nil, err
	}
	no, err := p.test()
	return &ternary{cond, yes, no}, err
}

// levels are the binary operators, the weakest first; "not" binds tighter than the second.
var levels = [][]string{{"or"}, {"and"}, {"==", "!=", "<=", ">=", "<", ">"}, {"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

const comparisons = 2

func (p *parser) binary(level int) (Node, error) {
	if level == len(levels) {
		return p.unary()
	}
	if level == comparisons && p.is("not") {
		return p.prefixed("not", func() (Node, error) { return p.binary(level) })
	}
	left, err := p.binary(level + 1)
	for n := 0; err == nil; n++ {
		op := p.tok.text
		if p.tok.kind == endToken || p.tok.kind == textToken || !slices.Contains(levels[level], op) {
			return left, nil
		}
		if n > maxDepth {
			return nil, p.fail(p.tok.at, "too many operators")
		}
		if err = p.advance(); err != nil {
			break
		}
		var right Node
		right, err = p.binary(level + 1)
		left = &binary{op, left, right}
	}
	return nil, err
}

func (p *parser) prefixed(op string, operand func() (Node, error)) (Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.tok.at, "too many levels")
	}
	defer func() { p.depth-- }()
	if err := p.advance(); err != nil {
		return nil, err
	}
	x, err := operand()
	if l, ok := x.(*literal); ok && err == nil && op == "-" {
		v, err := negate(l.Value)
		return &literal{v}, err
	}
	return &unary{op, x}, err
}

func (p *parser) unary() (Node, error) {
	if p.tok.kind == signToken && slices.Contains([]string{"-", "+", "~"}, p.tok.text) {
		return p.prefixed(p.tok.text, p.unary)
	}
	n, err := p.atom()
	for i := 0; err == nil; i++ {
		if i > maxDepth {
			return nil, p.fail(p.tok.at, "too many steps")
		}
		switch {
		case p.is("["):
			if err = p.advance(); err != nil {
				return nil, err
			}
			var i Node
			if i, err = p.test(); err == nil {
				err = p.expect("]")
			}
			n = &index{n, i}
		case p.is("."):
			n, err = p.attribute(n)
		default:
			return n, nil
		}
	}
	return nil, err
}

// attribute parses .name, .name(arguments) or .as<type>.
func (p *parser) attribute(of Node) (Node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	name := p.tok
	if name.kind != nameToken {
		return nil, p.fail(name.at, "a name is missing")
	}
	if name.text == "as" && strings.HasPrefix(strings.TrimLeft(p.in[p.at:], " "), "<") {
		typ, err := p.typeName()
		return &cast{of, typ}, err
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if !p.is("(") {
		return &attr{of, name.text, nil}, nil
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	args, err := p.list(")")
	return &attr{of, name.text, args}, err
}

// typeName parses a type between < and >; the current token precedes it.
func (p *parser) typeName() (string, error) {
	open := strings.IndexByte(p.in[p.at:], '<')
	end := strings.IndexByte(p.in[p.at:], '>')
	if open < 0 || end < open {
		return "", p.fail(p.at, "unclosed <")
	}
	name := strings.ReplaceAll(p.in[p.at+open+1:p.at+end], " ", "")
	p.at += end + 1
	return name, p.advance()
}

// list parses expressions up to a closing sign.
func (p *parser) list(end string) ([]Node, error) {
	all := []Node{}
	for {
		if ok, err := p.accept(end); ok || err != nil {
			return all, err
		}
		n, err := p.test()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
		if !p.is(end) {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
	}
}

func (p *parser) atom() (Node, error) {
	t := p.tok
	switch {
	case t.kind == numberToken:
		v, err := parseNumber(t.text)
		if err != nil {
			return nil, p.fail(t.at, "%q is no number", t.text)
		}
		return &literal{v}, p.advance()
	case t.kind == textToken:
		text, err := "", error(nil)
		for p.tok.kind == textToken && err == nil {
			text += p.tok.text
			err = p.advance()
		}
		return &literal{Of(text)}, err
	case t.kind == formatToken:
		n, err := p.format(t.text)
		if err != nil {
			return nil, err
		}
		return n, p.advance()
	case p.is("("):
		if err := p.advance(); err != nil {
			return nil, err
		}
		n, err := p.test()
		if err != nil {
			return nil, err
		}
		return n, p.expect(")")
	case p.is("["):
		if err := p.advance(); err != nil {
			return nil, err
		}
		all, err := p.list("]")
		return &list{all}, err
	case p.is("::") || t.kind == nameToken:
		return p.name()
	case t.kind == endToken:
		return nil, p.fail(t.at, "the expression ends where a value should be")
	}
	return nil, p.fail(t.at, "unexpected %q", t.text)
}

func (p *parser) name() (Node, error) {
	t := p.tok
	switch t.text {
	case "true", "false":
		return &literal{Of(t.text == "true")}, p.advance()
	case "sizeof", "bitsizeof":
		if strings.HasPrefix(strings.TrimLeft(p.in[p.at:], " "), "<") {
			typ, err := p.typeName()
			return &sizeOf{typ, t.text == "bitsizeof"}, err
		}
	}
	var path []string
	if t.kind == nameToken {
		path = append(path, t.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	for {
		ok, err := p.accept("::")
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if p.tok.kind != nameToken {
			return nil, p.fail(p.tok.at, "a name is missing")
		}
		path = append(path, p.tok.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	if len(path) == 1 {
		return &name{path[0]}, nil
	}
	return &enumLabel{path: path}, nil
}

// format parses an f-string; raw is the text between the quotes.
func (p *parser) format(raw string) (Node, error) {
	var f format
	for at := 0; at < len(raw); at++ {
		open := strings.IndexByte(raw[at:], '{')
		if open < 0 {
			open = len(raw) - at
		}
		text, err := unescape(raw[at : at+open])
		if err != nil {
			return nil, p.fail(p.tok.at, "%v", err)
		}
		f.parts = append(f.parts, &literal{Of(text)})
		if at += open; at == len(raw) {
			break
		}
		l := lexer{in: raw, at: at + 1}
		if err := l.toBrace(); err != nil {
			return nil, err
		}
		n, err := parse(raw[at+1:l.at], p.depth)
		if err != nil {
			return nil, err
		}
		f.parts, at = append(f.parts, n), l.at
	}
	return &f, nil
}

func parseNumber(text string) (Value, error) {
	text = strings.ReplaceAll(text, "_", "")
	isHex := len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x'
	if !isHex && strings.ContainsAny(text, ".eE") {
		x, err := strconv.ParseFloat(text, 64)
		return Of(x), err
	}
	base := 0
	if isDigit(text[len(text)-1]) && len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		base = 10
	}
	v, err := ParseInt(text, base)
	v.Byte = !v.Wide && int64(v.N) >= 0 && v.N < 256
	return v, err
}
