// Package condition reads conditions on values: hp<10 && (type=="boss" || !tags#).
package condition

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Expr is a condition: a comparison, or what combines conditions.
type Expr struct {
	Op    string  // "&&", "||", "!"; "" for a comparison
	Parts []*Expr // conditions that Op combines; one for "!"
	Test  *Test
}

// A Test compares a value with a literal.
type Test struct {
	Typed   string // all of the comparison
	Operand string // what stands before Op, without blanks around it
	Op      string // "=", "!=", "<", "<=", ">", ">=", "~"; "" if nothing is compared
	With    Literal
}

// A Literal is what a value is compared with.
type Literal struct {
	Kind   Kind
	Text   string         // for Text, and as typed if IsBare is set
	Num    Number         // for Num
	Is     bool           // for Bool
	IsBare bool           // a text without quotes, which any value can be spelled like
	regex  *regexp.Regexp // for "~" and a text in quotes
	folded []byte         // for "~" and a text without quotes
}

// A Kind says which fields of a Literal count.
type Kind uint8

// The kinds of literals.
const (
	Text Kind = iota
	Num
	Bool
	Null
)

// Help says what a condition is, in the help of commands that take one.
const Help = `A condition compares a value with a number (without rounding), a text, true,
false or null: = != < <= > >=, or ~ for a text that contains another or, in
quotes, fits a regular expression. && || ! and parentheses combine conditions:
hp<10 && (type="boss" || name~"^Mi").`

// ErrNotGiven says that a condition has the name of an argument that is not given.
var ErrNotGiven = errors.New("is not given: --arg NAME=VALUE gives it")

// Operators are what can stand in a comparison, so that the first one that is found is the right one.
var Operators = []string{"==", "!=", "<=", ">=", "=", "<", ">", "~"}

// A Reader reads conditions.
type Reader struct {
	// Operand returns an error if a text cannot stand before an operator, or, with compared unset, alone.
	Operand func(text string, compared bool) error

	// AnyText is set if any text without quotes may be compared, also with < or >, and may have operators in it.
	AnyText bool

	// Ends are signs that end a comparison, besides && and ||.
	Ends []string

	text  string
	at    int
	depth int // of nested conditions
	open  int // number of open parentheses
}

// Read reads all of a text. The error says where it is wrong.
func (r Reader) Read(text string) (*Expr, error) {
	r.text = text
	x, err := r.either()
	if err == nil && r.peek() != 0 {
		err = r.fail("&& or || is expected here")
	}
	return x, err
}

func (r *Reader) fail(format string, args ...any) error {
	return fmt.Errorf("at character %d: %w", utf8.RuneCountInString(r.text[:r.at])+1, fmt.Errorf(format, args...))
}

// peek skips blanks and returns the next byte; 0 at the end.
func (r *Reader) peek() byte {
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// accept consumes s if it is next.
func (r *Reader) accept(s string) bool {
	r.peek()
	if !strings.HasPrefix(r.text[r.at:], s) {
		return false
	}
	r.at += len(s)
	return true
}

func (r *Reader) either() (*Expr, error) { return r.chain("||", r.both) }

func (r *Reader) both() (*Expr, error) { return r.chain("&&", r.single) }

// chain reads conditions with an operator between them.
func (r *Reader) chain(op string, read func() (*Expr, error)) (*Expr, error) {
	all := &Expr{Op: op}
	for {
		x, err := read()
		if err != nil {
			return nil, err
		}
		all.Parts = append(all.Parts, x)
		if !r.accept(op) {
			break
		}
	}
	if len(all.Parts) == 1 {
		return all.Parts[0], nil
	}
	return all, nil
}

// maxNested is the largest depth of nested parentheses.
const maxNested = 100

func (r *Reader) single() (*Expr, error) {
	if r.depth++; r.depth > maxNested {
		return nil, r.fail("it nests too deep")
	}
	defer func() { r.depth-- }()
	switch {
	case r.peek() == '!' && !strings.HasPrefix(r.text[r.at:], "!=") && r.accept("!"):
		x, err := r.single()
		return &Expr{Op: "!", Parts: []*Expr{x}}, err
	case r.accept("("):
		r.open++
		x, err := r.either()
		r.open--
		if err == nil && !r.accept(")") {
			err = r.fail(`")" is expected here`)
		}
		return x, err
	}
	t, err := r.test()
	return &Expr{Test: t}, err
}

// Cut cuts a text at the first of some signs outside of quotes and brackets; sign is "" if there is none.
func Cut(s string, signs ...string) (before, sign, after string) {
	depth := 0
	for i, c := range Unquoted(s) {
		for _, sign := range signs {
			if after, ok := strings.CutPrefix(s[i:], sign); ok && depth == 0 {
				return s[:i], sign, after
			}
		}
		switch c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth = max(0, depth-1)
		}
	}
	return s, "", ""
}

// next returns the text up to one of some signs or to the end of a comparison.
func (r *Reader) next(signs ...string) (before, sign string) {
	ends := append([]string{"&&", "||"}, r.Ends...)
	if r.open > 0 {
		ends = append(ends, ")")
	}
	before, sign, _ = Cut(r.text[r.at:], append(signs, ends...)...)
	if !slices.Contains(signs, sign) {
		sign = ""
	}
	return before, sign
}

// Comparison reads an operator and a literal at the start of a text. The comparison has no operand.
func (r Reader) Comparison(text string) (t *Test, rest string, err error) {
	r.text, r.Operand = text, func(string, bool) error { return nil }
	t, err = r.test()
	return t, r.text[r.at:], err
}

// test reads a comparison.
func (r *Reader) test() (*Test, error) {
	r.peek()
	from := r.at
	operand, op := r.next(slices.Clone(Operators)...)
	t := &Test{Operand: strings.TrimSpace(operand), Op: strings.Replace(op, "==", "=", 1)}
	if err := r.Operand(t.Operand, op != ""); err != nil {
		return nil, r.fail("%w", err)
	}
	r.at += len(operand) + len(op)
	if op != "" {
		if err := r.literal(t); err != nil {
			return nil, err
		}
	}
	t.Typed = strings.TrimSpace(r.text[from:r.at])
	return t, nil
}

// literal reads the right side of a comparison.
func (r *Reader) literal(t *Test) error {
	r.peek()
	from := r.at
	_ = r.accept("&") || r.accept("^") // a StringName or NodePath is its text here
	if r.peek() == '"' {
		return r.quoted(t)
	}
	r.at = from
	l := &t.With
	typed, _ := r.next()
	l.Text = strings.TrimSpace(typed)
	switch n, isNumber := ParseNumber(l.Text); {
	case l.Text == "", strings.Contains("!<>=~", l.Text[:1]):
		return r.fail("a number, a text in quotes, true, false or null is expected here")
	case strings.HasPrefix(l.Text, "$") && IsName(l.Text[1:]):
		return r.fail("%s %w", l.Text, ErrNotGiven)
	case t.Op == "~":
		l.IsBare, l.folded = true, bytes.ToLower([]byte(l.Text))
	case isNumber:
		l.Kind, l.Num, l.IsBare = Num, n, r.AnyText
	case l.Text == "null":
		l.Kind = Null
	case l.Text == "true", l.Text == "false":
		l.Kind, l.Is = Bool, l.Text == "true"
	case r.AnyText:
		l.IsBare = true
	case t.Op != "=" && t.Op != "!=":
		return r.fail("a number, or a text in quotes, is expected here")
	case strings.ContainsAny(l.Text, "<>=~!"):
		return r.fail("&& or || is expected after a value; a text with signs is written in quotes")
	default:
		l.IsBare = true
	}
	r.at += len(typed)
	return nil
}

// quoted reads a text in quotes.
func (r *Reader) quoted(t *Test) error {
	d := json.NewDecoder(strings.NewReader(r.text[r.at:]))
	if d.Decode(&t.With.Text) != nil {
		return r.fail("the text has no closing quote, or an escape that JSON does not have")
	}
	if t.Op == "~" {
		var err error
		if t.With.regex, err = regexp.Compile(t.With.Text); err != nil && !r.AnyText {
			return r.fail("%s", err)
		}
		if r.AnyText {
			t.With.folded = bytes.ToLower([]byte(t.With.Text))
		}
	}
	r.at += int(d.InputOffset())
	return nil
}

// Has returns the comparison of a value that has a text anywhere, in any case.
func Has(text string) *Test {
	return &Test{Typed: text, Op: "~", With: Literal{Text: text, IsBare: true, folded: bytes.ToLower([]byte(text))}}
}

// Contains reports whether a text has what follows "~": a text in quotes is a regular expression, any other
// text can be anywhere, in any case.
func (l *Literal) Contains(text []byte) bool {
	return l.regex != nil && l.regex.Match(text) || l.folded != nil && bytes.Contains(bytes.ToLower(text), l.folded)
}

// MeetsText reports whether a text meets the comparison.
func (t *Test) MeetsText(s string) bool {
	switch {
	case t.Op == "~":
		return t.With.Contains([]byte(s))
	case t.With.Kind == Num:
		order, ok := t.With.Num.CompareDigits(s)
		return ok && Holds(t.Op, order) || !ok && t.Op == "!="
	}
	return Holds(t.Op, strings.Compare(s, t.With.Text))
}

// Holds reports whether an operator holds for values with the given result of cmp.Compare.
func Holds(op string, order int) bool {
	switch op {
	case "=":
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

// Holds reports whether the condition holds, if test tells it for comparisons.
func (x *Expr) Holds(test func(*Test) (bool, error)) (bool, error) {
	switch x.Op {
	case "":
		return test(x.Test)
	case "!":
		is, err := x.Parts[0].Holds(test)
		return !is, err
	}
	for _, part := range x.Parts {
		if is, err := part.Holds(test); err != nil || is == (x.Op == "||") {
			return is, err
		}
	}
	return x.Op == "&&", nil
}

// Tests yields the comparisons in a condition.
func (x *Expr) Tests() iter.Seq[*Test] { return func(yield func(*Test) bool) { x.each(yield) } }

func (x *Expr) each(yield func(*Test) bool) bool {
	if x.Test != nil {
		return yield(x.Test)
	}
	return !slices.ContainsFunc(x.Parts, func(part *Expr) bool { return !part.each(yield) })
}

// Fill replaces each $name in a condition, or in a query or path that has some, by the literal of that name: a
// number, true, false or null as it is, and any other text in quotes. A $name behind a point is a key: .$name. A $name in
// quotes, and one that is not given, stays.
func Fill(text string, args map[string]string) string {
	var b strings.Builder
	done := 0
	for i, c := range Unquoted(text) {
		if c != '$' || i < done || i > 0 && IsNameByte(text[i-1]) {
			continue
		}
		end := i + 1
		for end < len(text) && IsNameByte(text[end]) {
			end++
		}
		value, ok := args[text[i+1:end]]
		if !ok {
			continue
		}
		before, literal := text[done:i], spelled(value)
		if strings.HasSuffix(before, ".") { // a step of a path
			before, literal = keyStep(before, value)
		}
		b.WriteString(before)
		b.WriteString(literal)
		done = end
	}
	return b.String() + text[done:]
}

// keyStep returns a text that ends with a point, and the step behind it to a key: a name, or the key in brackets, which take
// the place of a single point.
func keyStep(before, key string) (string, string) {
	if IsName(key) {
		return before, key
	}
	if !strings.HasSuffix(before, "..") {
		before = strings.TrimSuffix(before, ".")
	}
	quoted, _ := json.Marshal(key)
	return before, "[" + string(quoted) + "]"
}

// spelled returns the literal for the value of an argument.
func spelled(value string) string {
	if _, ok := ParseNumber(value); ok || slices.Contains([]string{"true", "false", "null"}, value) {
		return value
	}
	if quoted := strings.TrimLeft(value, "&^"); strings.HasPrefix(quoted, `"`) && json.Valid([]byte(quoted)) {
		return value
	}
	quoted, _ := json.Marshal(value)
	return string(quoted)
}

// IsName reports whether a text is a name that needs no quotes.
func IsName(s string) bool {
	return s != "" && (s[0] < '0' || s[0] > '9') && !strings.ContainsFunc(s, func(c rune) bool { return c < utf8.RuneSelf && !IsNameByte(byte(c)) })
}

// IsNameByte reports whether a byte can be in a name without quotes.
func IsNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// Unquoted yields the bytes outside of quotes of a path or of text that contains one, with their offsets.
func Unquoted(s string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		quoted := false
		for i := 0; i < len(s); i++ {
			switch c := s[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case !quoted && !yield(i, c):
				return
			}
		}
	}
}
