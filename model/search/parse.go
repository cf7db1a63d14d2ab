package search

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
)

// maxNested is the depth to which a query may nest parentheses and signs.
const maxNested = 50

// A parser reads a query.
type parser struct {
	text   string
	at     int // offset in text up to which it has been parsed
	nested int
	names  []format.TextName // names of the texts of a record; nil if values have none
	places []place           // places that have a prefix
}

// parse reads all of the query.
func (p *parser) parse() (*expr, error) {
	if strings.Trim(p.text, blanks) == "" {
		return nil, errors.New("nothing to look for")
	}
	x, err := p.either()
	if err == nil && p.at < len(p.text) {
		err = p.errorf(p.at, `a ")" has no "(" here; a text with blanks or signs is written in quotes, as in "(1, 2)"`)
	}
	return x, err
}

// errorf returns an error about the character at an offset.
func (p *parser) errorf(at int, format string, args ...any) error {
	return fmt.Errorf("at character %d: %w", utf8.RuneCountInString(p.text[:at])+1, fmt.Errorf(format, args...))
}

const blanks = " \t\r\n"

func (p *parser) rest() string { return p.text[p.at:] }

// skip skips blanks and then the given sign, if it is there.
func (p *parser) skip(sign string) bool {
	p.at = len(p.text) - len(strings.TrimLeft(p.rest(), blanks))
	if sign == "" || !strings.HasPrefix(p.rest(), sign) {
		return false
	}
	p.at += len(sign)
	return true
}

// ends reports whether a term can end at a position in the query.
func (p *parser) ends(at int) bool {
	return at >= len(p.text) || strings.IndexByte(blanks+"|)", p.text[at]) >= 0
}

// either reads expressions separated by | or ||.
func (p *parser) either() (*expr, error) {
	return p.join(opOr, p.all, func() bool { return p.skip("||") || p.skip("|") })
}

// all reads consecutive expressions, which must all hold.
func (p *parser) all() (*expr, error) {
	return p.join(opAnd, p.one, func() bool {
		return p.skip("&&") || p.at < len(p.text) && p.text[p.at] != '|' && p.text[p.at] != ')'
	})
}

// join reads parts as long as there are more. A single part is returned as it is, and parts that are
// joined in the same way become parts of the whole.
func (p *parser) join(by op, read func() (*expr, error), more func() bool) (*expr, error) {
	joined := &expr{op: by}
	for {
		x, err := read()
		if err != nil {
			return nil, err
		}
		if x.op == by {
			joined.parts = append(joined.parts, x.parts...)
		} else {
			joined.parts = append(joined.parts, x)
		}
		if !more() {
			break
		}
	}
	if len(joined.parts) == 1 {
		return joined.parts[0], nil
	}
	return joined, nil
}

// one reads a term or an expression in parentheses, with any - or ! before it.
func (p *parser) one() (*expr, error) {
	p.skip("")
	start := p.at
	switch {
	case p.ends(p.at):
		text := strings.TrimRight(p.text[:min(start+1, len(p.text))], blanks)
		return nil, p.errorf(start, "something to look for is missing here; to look for the sign %[1]s itself, write it in quotes: %[1]q", text[len(text)-1:])
	case p.rest()[0] == '(':
		return p.nest(func() (*expr, error) {
			x, err := p.either()
			if err == nil && !p.skip(")") {
				err = p.errorf(start, `this "(" has no ")"; to look for it, write it in quotes: "("`)
			}
			return x, err
		})
	case p.rest()[0] == '-' && !p.ends(p.at+1) && !p.isNegative(), p.rest()[0] == '!' && !p.ends(p.at+1) && p.text[p.at+1] != '=':
		return p.nest(func() (*expr, error) {
			x, err := p.one()
			return &expr{op: opNot, parts: []*expr{x}}, err
		})
	}
	if x, err := p.compared(); x != nil || err != nil {
		return x, err
	}
	t, err := p.term()
	return &expr{term: t}, err
}

// compared reads qty>3, which means key:qty >3, of a record a value under this key. For anything else it returns nil and reads
// nothing.
func (p *parser) compared() (*expr, error) {
	ahead := *p
	name := ahead.nameBefore("")
	hasKeys := slices.Contains(p.places, inKey)
	if name == "" || !hasKeys && p.textName(name) != nil {
		return nil, nil
	}
	t, err := ahead.comparison(inValue)
	if err != nil {
		if errors.Is(err, condition.ErrNotGiven) {
			return nil, err
		}
		return nil, p.unquoted(name)
	}
	p.at = ahead.at
	if !hasKeys {
		t.in, t.name = inNamed, heldName(name)
		return &expr{term: t}, nil
	}
	if t.isNumber() {
		t.in = anywhere
	}
	return &expr{op: opAnd, parts: []*expr{{term: bare(inKey, name)}, {term: t}}}, nil
}

// unquoted refuses a word that a value is compared with, which needs quotes: name=Mira. Anything else after a name is a text: a=+b.
func (p *parser) unquoted(name string) error {
	ahead := *p
	typed, _, err := ahead.wordOrQuoted()
	_, op, word := condition.Cut(typed, "==", "!=", "=")
	if err != nil || name+op+word != typed || !condition.IsName(word) {
		return nil
	}
	return p.errorf(p.at, `a text is compared in quotes: did you mean %s%s%q? to look for it as text, write it in quotes: %q`, name, op, word, typed)
}

// textName returns the name, which may be followed by an index, of texts of a record; nil if it is none.
func (p *parser) textName(name string) *format.TextName {
	base, _, _ := strings.Cut(name, "[")
	for i := range p.names {
		if p.names[i].Name == base {
			return &p.names[i]
		}
	}
	return nil
}

// nameBefore reads a name and what follows it: a sign, or up to an operator, which has blanks on both sides or
// on none; "" if they are not there.
func (p *parser) nameBefore(sign string) string {
	start := p.at
	for p.at < len(p.text) && condition.IsNameByte(p.text[p.at]) {
		p.at++
	}
	if p.hasList(p.text[start:p.at]) {
		p.at += len(index().FindString(p.rest()))
	}
	name := p.text[start:p.at]
	if p.at > start && sign != "" && strings.HasPrefix(p.rest(), sign) {
		p.at += len(sign)
		return name
	}
	p.skip("")
	_, op, after := condition.Cut(p.rest(), condition.Operators...)
	isApart := p.at > start+len(name)
	if op == "" || !strings.HasPrefix(p.rest(), op) || isApart && strings.TrimLeft(after, blanks) == after {
		return "" // hp >3 is two terms
	}
	return name
}

// index is the number of a text in a list, and perhaps the path of a value in what that stands for.
var index = lazy.Regexp(`^\[\d{1,3}\](?:\.[\p{L}_][\p{L}\p{N}_]*|\[\d{1,9}\]|\["[^"]*"\])*`)

// hasList reports whether a name stands for a list of texts.
func (p *parser) hasList(name string) bool {
	return slices.ContainsFunc(p.names, func(n format.TextName) bool { return n.List && n.Name == name })
}

// comparison reads an operator and a literal.
func (p *parser) comparison(in place) (*term, error) {
	t, rest, err := condition.Reader{Ends: []string{" ", "\t", "\r", "\n", "|", ")"}}.Comparison(p.rest())
	start := p.at
	switch {
	case errors.Is(err, condition.ErrNotGiven):
		return nil, p.errorf(start, "%w", errors.Unwrap(err))
	case err != nil, t.With.IsBare && in != inNamed, t.With.Kind == condition.Num && !t.With.Num.IsFinite():
		_, op, _ := condition.Cut(p.rest(), condition.Operators...)
		wants := "a number"
		if op[0] == '=' || op[0] == '!' {
			wants = "a number, a text in quotes, true, false or null"
		}
		if op == "~" {
			return nil, p.errorf(start, `~ needs a regular expression in quotes, as in ~"^Mi"`)
		}
		return nil, p.errorf(start, "%s needs %s, as in %s100; to look for it as text, write it in quotes", op, wants, op)
	}
	if p.at = len(p.text) - len(rest); !p.ends(p.at) && !strings.HasPrefix(rest, "&&") {
		return nil, p.errorf(p.at, `a blank is missing after the text in quotes; a quote in a text is written \"`)
	}
	_, _, literal := condition.Cut(t.Typed, condition.Operators...)
	t.Typed = t.Op + strings.TrimLeft(literal, blanks)
	return &term{in: in, typed: t.Typed, test: t}, nil
}

// nest skips a sign and reads what follows it.
func (p *parser) nest(read func() (*expr, error)) (*expr, error) {
	if p.nested++; p.nested > maxNested {
		return nil, p.errorf(p.at, "parentheses and signs are nested more than %d deep", maxNested)
	}
	defer func() { p.nested-- }()
	p.at++
	return read()
}

// isNegative reports whether the - here belongs to a number.
func (p *parser) isNegative() bool {
	ahead := *p
	word := ahead.word()
	_, ok := parseNumber(word)
	return ok || word == "-inf"
}

// term reads a term with its prefix.
func (p *parser) term() (*term, error) {
	if t, err := p.named(); t != nil || err != nil {
		return t, err
	}
	for _, in := range p.places {
		if start := p.at; strings.HasPrefix(p.rest(), prefixes[in]) {
			p.at += len(prefixes[in])
			return p.prefixed(in, start)
		}
	}
	if err := p.unknown(); err != nil {
		return nil, err
	}
	if _, _, ok := tree.CutCondition(p.rest()); ok && slices.Contains(p.places, inPath) {
		return p.values(p.pathWord(), p.at)
	}
	return p.plain(anywhere)
}

// examples say for each prefix what it takes.
var examples = map[place]string{inKey: "a text or number, as in key:gold", inValue: "a text or number, as in value:gold",
	inType: "the name of a type, as in type:Vector3 or type:Packed*", inPath: "a path, as in path:*.hp", inProblem: `"problem", as in has:problem`}

// prefixed reads what follows a prefix, which begins at an offset.
func (p *parser) prefixed(in place, start int) (*term, error) {
	if in == inBytes {
		return p.byteTerm(start)
	}
	if p.ends(p.at) {
		return nil, p.errorf(start, "%s needs %s", prefixes[in], examples[in])
	}
	if in == inKey || in == inValue {
		return p.plain(in)
	}
	t := &term{in: in}
	if s := p.pathWord(); in == inPath && tree.HasConditions(s) {
		return p.values(s, start)
	}
	var s string
	var err error
	if t.typed, s, err = p.wordOrQuoted(); err != nil {
		return nil, err
	}
	switch in {
	case inType:
		t.glob = newGlob(s)
		if near := misspeltType(s); near != "" {
			return nil, p.errorf(start, "there is no type %s; did you mean %s?", s, near)
		}
	case inPath:
		t.glob = newGlob(fromRoot(s))
	case inProblem:
		if t.typed != "problem" {
			return nil, p.errorf(start, "has: knows only %s", examples[in])
		}
	}
	return t, nil
}

// pathWord returns the next word, including blanks and signs in brackets.
func (p *parser) pathWord() string {
	depth, end := 0, len(p.rest())
	for i, c := range condition.Unquoted(p.rest()) {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		}
		if depth == 0 && p.ends(p.at+i) {
			end = i
			break
		}
	}
	return p.rest()[:end]
}

// values reads a path with conditions, which is the next word. A condition by itself is about any value.
func (p *parser) values(path string, start int) (t *term, err error) {
	t = &term{in: inPath, typed: path}
	if _, _, ok := tree.CutCondition(path); ok {
		path = ".." + path
	}
	if t.values, err = tree.ParsePattern(path); err != nil {
		return nil, p.errorf(start, "%w", err)
	}
	p.at += len(t.typed)
	return t, nil
}

// fromRoot returns a path pattern with the $ or $. that users may omit.
func fromRoot(s string) string {
	switch {
	case s == "" || strings.ContainsRune("$*?", rune(s[0])):
		return s
	case s[0] == '[' || s[0] == '.':
		return "$" + s
	}
	return "$." + s
}

// byteTerm reads hex digits, possibly with blanks between them.
func (p *parser) byteTerm(start int) (*term, error) {
	var digits []string
	for p.skip(""); ; p.skip("") {
		word := p.word()
		if word == "" || len(digits) > 0 && !isHex(word) {
			p.at -= len(word)
			break
		}
		digits = append(digits, word)
	}
	typed := strings.Join(digits, " ")
	b, err := parsePattern(typed)
	if err != nil {
		return nil, p.errorf(start, "%w", err)
	}
	return &term{in: inBytes, typed: typed, bytes: b}, nil
}

// isHex reports whether a word after bytes is more of them.
func isHex(word string) bool { return strings.Trim(word, "0123456789abcdefABCDEF?") == "" }

// plain reads a text, number, word, comparison or regular expression.
func (p *parser) plain(in place) (*term, error) {
	if pattern, ok := p.regex(); ok {
		return p.regexTerm(in, pattern)
	}
	if _, op, _ := condition.Cut(p.rest(), condition.Operators...); op != "" && strings.HasPrefix(p.rest(), op) && (op != "~" || in == inNamed || strings.HasPrefix(p.rest(), `~"`)) {
		t, err := p.comparison(in)
		if err == nil && in == anywhere && !t.isNumber() {
			t.in = inValue
		}
		return t, err
	}
	isQuoted := p.rest()[0] == '"'
	typed, s, err := p.wordOrQuoted()
	if err != nil {
		return nil, err
	}
	if isQuoted {
		return &term{in: in, typed: typed, text: newText(s, true)}, nil
	}
	return bare(in, s), nil
}

// bare returns the term of a word without quotes.
func bare(in place, s string) *term {
	t := &term{in: in, typed: s, text: newText(s, true)}
	if n, ok := parseNumber(s); ok {
		t.test = &condition.Test{Op: "=", With: condition.Literal{Kind: condition.Num, Num: n}}
	}
	switch s {
	case "true", "false", "nan", "inf", "-inf":
		t.word = s
	}
	return t
}

// A Query says what to look for. The zero Query looks for nothing.
type Query struct {
	expr *expr
	// sole is the only term of a query about fields and bytes: a text, a number, a word, or bytes. It is
	// nil for any other query, which is about values.
	sole *term
}

// String returns the query as it can be typed, with single blanks.
func (q Query) String() string {
	if q.expr == nil {
		return ""
	}
	return q.expr.String()
}

// ParseQuery parses a query in the language that docs/search.md describes. The error says where the query
// is wrong and how to correct it.
func ParseQuery(s string) (Query, error) { return ParseValueQuery(s, nil) }

// ParseQueryOf is ParseQuery with a prefix for each name of the texts that the values of a tree have.
func ParseQueryOf(t *tree.Tree, s string) (Query, error) {
	if r, ok := t.Reading.(format.Lister); ok {
		return ParseValueQuery(s, r.TextNames())
	}
	return ParseQuery(s)
}

// ParseValueQuery is ParseQuery with a prefix for each of the names.
func ParseValueQuery(s string, names []format.TextName) (Query, error) {
	p := parser{text: s, names: names, places: []place{inKey, inValue, inType, inPath, inBytes, inProblem}}
	x, err := p.parse()
	if err != nil {
		return Query{}, err
	}
	q := Query{expr: x}
	if t := x.term; t != nil && t.isAboutFields() {
		q.sole = t
	}
	return q, nil
}

// An op is how the parts of an expression are combined.
type op uint8

const (
	opTerm op = iota
	opAnd
	opOr
	opNot
)

// An expr is a query or a part of it.
type expr struct {
	op    op
	term  *term   // for opTerm
	parts []*expr // parts of other ops; one part for opNot
}

// String returns the expression as it can be typed.
func (x *expr) String() string {
	switch x.op {
	case opTerm:
		return x.term.String()
	case opNot:
		p := parser{text: "-" + x.parts[0].within(opNot)}
		if p.isNegative() {
			return "-(" + p.text[1:] + ")"
		}
		return p.text
	}
	var b strings.Builder
	for i, part := range x.parts {
		s := part.within(x.op)
		switch {
		case i > 0 && x.op == opOr:
			b.WriteString(" | ")
		case i > 0:
			b.WriteByte(' ')
		}
		if x.op == opAnd && i+1 < len(x.parts) && part.endsInBytes() && isHexWord(x.parts[i+1].within(opAnd)) {
			s = "(" + s + ")"
		}
		b.WriteString(s)
	}
	return b.String()
}

// endsInBytes reports whether hex digits after the expression would be read as a part of it.
func (x *expr) endsInBytes() bool {
	return x.op == opTerm && x.term.in == inBytes || x.op == opNot && x.parts[0].endsInBytes()
}

// isHexWord reports whether the first word of a query could belong to bytes before it.
func isHexWord(s string) bool {
	p := parser{text: s}
	return isHex(p.word())
}

// within returns the expression as it is typed inside another one.
func (x *expr) within(outer op) string {
	if x.op == opTerm || x.op == opNot || x.op == opAnd && outer == opOr {
		return x.String()
	}
	return "(" + x.String() + ")"
}

// terms yields the terms of the expression.
func (x *expr) terms() iter.Seq[*term] {
	return func(yield func(*term) bool) {
		if x.term != nil && !yield(x.term) {
			return
		}
		for _, part := range x.parts {
			for t := range part.terms() {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// uses reports whether the expression has a term that is searched for in the given place.
func (x *expr) uses(in place) bool {
	if x.op == opTerm {
		return x.term.in == in
	}
	return slices.ContainsFunc(x.parts, func(part *expr) bool { return part.uses(in) })
}

// required returns the longest known text that the bytes of every key or value contain for which the
// expression holds; nil if none is known.
func (x *expr) required() *text {
	switch x.op {
	case opTerm:
		return x.term.required()
	case opAnd:
		var longest *text
		for _, part := range x.parts {
			if t := part.required(); t != nil && (longest == nil || len(t.needle) > len(longest.needle)) {
				longest = t
			}
		}
		return longest
	}
	return nil
}
