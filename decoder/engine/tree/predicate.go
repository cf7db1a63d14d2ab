package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A predicate is a condition on a value, as in enemies[type=="boss" && hp>0]: comparisons of values inside
// it, with && before ||, ! and parentheses.
type predicate struct {
	op    string       // "&&", "||", "!"; "" for a test
	parts []*predicate // operands of an operator
	test  test
}

// A test compares a value inside with a literal.
type test struct {
	path  string // steps from the value; "" for the value itself
	key   bool   // compare the key of that value
	count bool   // compare the number of values in that value
	op    string // "==", "!=", "<", "<=", ">", ">=", "~"; "" if the value only has to exist
	with  Scalar // Null, Bool, Int, Uint, Float64 or Text
	text  string
	regex *regexp.Regexp
}

// IsCondition reports whether a step in brackets is a condition rather than an index or key: it begins with
// a step, or has an operator outside of quotes and brackets. Keys with damage have brackets:
// [[<truncated>]].
func IsCondition(step string) bool {
	if len(step) < 2 || step[0] != '[' {
		return false
	}
	inner := strings.TrimSpace(step[1 : len(step)-1])
	if len(inner) > 1 && inner[0] == '.' && (isNameByte(inner[1]) && (inner[1] < '0' || inner[1] > '9') || inner[1] == '[') {
		return true
	}
	if strings.HasPrefix(inner, "<") && strings.HasSuffix(inner, ">") {
		return false // a damaged key
	}
	depth := 0
	for i, c := range Unquoted(inner) {
		switch {
		case c == '(' && (i == 0 || !isNameByte(inner[i-1])): // the parenthesis of a condition
		case c == '[', c == '{', c == '(':
			depth++
		case c == ']', c == '}', c == ')' && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte("=<>~!", c) >= 0:
			return true
		}
	}
	return false
}

// parsePredicate reads the condition in a step with its brackets.
func parsePredicate(step string) (*predicate, error) {
	p := predicateParser{text: step[1 : len(step)-1]}
	x, err := p.either()
	if err == nil && p.peek() != 0 {
		err = p.fail("&& or || is expected here")
	}
	if err != nil {
		return nil, fmt.Errorf("in %s: %w", step, err)
	}
	return x, nil
}

type predicateParser struct {
	text  string
	at    int
	depth int
}

func (p *predicateParser) fail(message string) error {
	return fmt.Errorf("at character %d: %s", utf8.RuneCountInString(p.text[:p.at])+1, message)
}

// peek skips blanks and returns the next byte; 0 at the end.
func (p *predicateParser) peek() byte {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// accept consumes s if it is next.
func (p *predicateParser) accept(s string) bool {
	p.peek()
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *predicateParser) either() (*predicate, error) { return p.chain("||", p.both) }

func (p *predicateParser) both() (*predicate, error) { return p.chain("&&", p.single) }

// chain reads operands with an operator between them.
func (p *predicateParser) chain(op string, operand func() (*predicate, error)) (*predicate, error) {
	first, err := operand()
	if err != nil {
		return nil, err
	}
	all := &predicate{op: op, parts: []*predicate{first}}
	for p.accept(op) {
		next, err := operand()
		if err != nil {
			return nil, err
		}
		all.parts = append(all.parts, next)
	}
	if len(all.parts) == 1 {
		return first, nil
	}
	return all, nil
}

// maxConditions is the largest depth of nested parentheses.
const maxConditions = 100

func (p *predicateParser) single() (*predicate, error) {
	if p.depth++; p.depth > maxConditions {
		return nil, p.fail("it nests too deep")
	}
	defer func() { p.depth-- }()
	switch {
	case p.accept("!"):
		x, err := p.single()
		return &predicate{op: "!", parts: []*predicate{x}}, err
	case p.accept("("):
		x, err := p.either()
		if err == nil && !p.accept(")") {
			err = p.fail(`")" is expected here`)
		}
		return x, err
	}
	t, err := p.test()
	return &predicate{test: t}, err
}

var comparisons = []string{"==", "!=", "<=", ">=", "<", ">", "=", "~"}

func (p *predicateParser) test() (t test, err error) {
	from := p.at
	if !p.operand(&t) {
		return t, p.fail(`a key is expected here, as in hp<10, .tags[0]=="x", #>3 or _!=0`)
	}
	if t.path == "" && !t.key && !t.count && p.text[from:p.at] == "" {
		return t, p.fail("a key is expected here")
	}
	for _, op := range comparisons {
		if p.accept(op) {
			if t.op = op; op == "=" {
				t.op = "=="
			}
			return t, p.literal(&t)
		}
	}
	return t, nil
}

// operand reads the left side of a comparison: steps, or _ for the value itself, then @key or # for its
// number of values.
func (p *predicateParser) operand(t *test) bool {
	c := p.peek()
	from := p.at
	switch {
	case c == '_' && (p.at+1 == len(p.text) || !isNameByte(p.text[p.at+1])):
		p.at++
	case c != 0 && isNameByte(c) && (c < '0' || c > '9'):
		t.path = "." + p.name()
	}
	for p.at < len(p.text) {
		switch rest := p.text[p.at:]; {
		case rest[0] == '.' && len(rest) > 1 && isNameByte(rest[1]):
			p.at++
			t.path += "." + p.name()
			continue
		case rest[0] == '.' && len(rest) > 1 && rest[1] == '[':
			p.at++
			continue
		case rest[0] == '[':
			step, _ := splitStep(rest)
			if step == "" || IsCondition(step) {
				return false
			}
			p.at += len(step)
			t.path += canonicalStep(step)
			continue
		}
		break
	}
	t.key = p.accept("@key")
	t.count = !t.key && p.accept("#")
	return p.at > from
}

// isNameByte reports whether a byte can be in a name without quotes.
func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

func (p *predicateParser) name() string {
	from := p.at
	for p.at < len(p.text) && isNameByte(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

// literal reads the right side of a comparison.
func (p *predicateParser) literal(t *test) error {
	p.peek()
	rest := p.text[p.at:]
	_ = p.accept("&") || p.accept("^") // a StringName or NodePath is its text here
	if p.peek() == '"' {
		d := json.NewDecoder(strings.NewReader(p.text[p.at:]))
		if d.Decode(&t.text) != nil {
			return p.fail("the text has no closing quote, or an escape that JSON does not have")
		}
		p.at += int(d.InputOffset())
		t.with.Kind = Text
		if t.op != "~" {
			return nil
		}
		var err error
		if t.regex, err = regexp.Compile(t.text); err != nil {
			return p.fail(err.Error())
		}
		return nil
	}
	end := strings.IndexAny(rest, " &|)")
	if end < 0 {
		end = len(rest)
	}
	word := rest[:end]
	i, isInt := strconv.ParseInt(word, 0, 64)
	u, isUint := strconv.ParseUint(word, 0, 64)
	f, isFloat := strconv.ParseFloat(word, 64)
	switch {
	case t.op == "~":
		return p.fail(`~ needs a regular expression in quotes, as in name~"^Mi"`)
	case word == "null":
		t.with.Kind = Null
	case word == "true":
		t.with = Scalar{Kind: Bool, Bits: 1}
	case word == "false":
		t.with.Kind = Bool
	case isInt == nil:
		t.with = Scalar{Kind: Int, Bits: uint64(i)}
	case isUint == nil:
		t.with = Scalar{Kind: Uint, Bits: u}
	case isFloat == nil:
		t.with = Scalar{Kind: Float64, Bits: math.Float64bits(f)}
	default:
		return p.fail(`a number, a text in quotes, true, false or null is expected here`)
	}
	p.at += end
	return nil
}

// holds reports whether a value meets the condition. A test of a value that does not exist fails.
func (p *predicate) holds(r *Reader, n *Node) (bool, error) {
	switch p.op {
	case "!":
		is, err := p.parts[0].holds(r, n)
		return !is, err
	case "&&", "||":
		for _, part := range p.parts {
			if is, err := part.holds(r, n); err != nil || is == (p.op == "||") {
				return is, err
			}
		}
		return p.op == "&&", nil
	}
	return p.test.holds(r, n)
}

func (t *test) holds(r *Reader, n *Node) (bool, error) {
	for rest := t.path; rest != ""; {
		next, tail, err := r.follow(n, rest)
		if errors.Is(err, ErrNoChild) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		n, rest = next, tail
	}
	if t.key {
		if n = r.Key(n); n == nil {
			return false, nil
		}
	}
	var is Scalar
	switch {
	case t.op == "" && !t.count:
		return true, nil
	case t.count && n.Layout == Leaf:
		return false, nil
	case t.count:
		is = Scalar{Kind: Int, Bits: uint64(r.Count(n))}
		if t.op == "" {
			return is.Bits > 0, nil
		}
	default:
		is = r.Plain(&n.Value)
	}
	return t.compare(r, &is), nil
}

// compare compares a value with the literal.
func (t *test) compare(r *Reader, is *Scalar) bool {
	order := 0
	a, aIs := exactly(is)
	b, bIs := exactly(&t.with)
	switch {
	case t.regex != nil:
		return is.Kind == Text && t.regex.Match(is.View(r.win, 0, is.Len()))
	case aIs && bIs:
		order = a.Cmp(b)
	case is.Kind == Text && t.with.Kind == Text:
		order = strings.Compare(string(is.View(r.win, 0, is.Len())), t.text)
	case is.Kind != t.with.Kind || is.Kind == Bytes || isNaN(is):
		return t.op == "!="
	default: // two bools or nulls
		if order = int(is.Bits) - int(t.with.Bits); t.op != "==" && t.op != "!=" {
			return false
		}
	}
	switch t.op {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func isNaN(s *Scalar) bool { return s.Kind == Float64 && math.IsNaN(math.Float64frombits(s.Bits)) }

// exactly returns a number without rounding; ok is false for anything else, and for NaN.
func exactly(s *Scalar) (x *big.Float, ok bool) {
	switch {
	case s.Kind == Int:
		return new(big.Float).SetInt64(int64(s.Bits)), true
	case s.Kind == Uint:
		return new(big.Float).SetUint64(s.Bits), true
	case s.Kind == Float64 && !isNaN(s):
		return new(big.Float).SetFloat64(math.Float64frombits(s.Bits)), true
	}
	return nil, false
}
