package tree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"varview/decoder/value/condition"
)

// A predicate is a condition on a value, as in enemies[type=="boss" && hp>0]: comparisons of values inside
// it.
type predicate struct {
	expr  *condition.Expr
	paths map[*condition.Test]operand
}

// An operand is what a comparison compares.
type operand struct {
	path  string // steps from the value; "" for the value itself
	key   bool   // compare the key of that value
	count bool   // compare the number of values in that value
}

// IsCondition reports whether a step in brackets is a condition rather than an index or key: it begins with
// a step, or has an operator outside of quotes and brackets. Keys with damage have brackets:
// [[<truncated>]].
func IsCondition(step string) bool {
	if len(step) < 2 || step[0] != '[' {
		return false
	}
	inner := strings.TrimSpace(step[1 : len(step)-1])
	if len(inner) > 1 && inner[0] == '.' && (condition.IsName(inner[1:2]) || inner[1] == '[') {
		return true
	}
	if strings.HasPrefix(inner, "<") && strings.HasSuffix(inner, ">") {
		return false // a damaged key
	}
	return hasOperator(inner)
}

// hasOperator reports whether there is an operator outside of quotes and brackets.
func hasOperator(inner string) bool {
	depth := 0
	for i, c := range condition.Unquoted(inner) {
		switch {
		case c == '(' && (i == 0 || !condition.IsNameByte(inner[i-1])): // the parenthesis of a condition
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
	x, err := condition.Reader{Operand: func(text string, _ bool) error { _, err := parseOperand(text); return err }}.Read(step[1 : len(step)-1])
	if err != nil {
		return nil, fmt.Errorf("in %s: %w", step, err)
	}
	p := &predicate{x, map[*condition.Test]operand{}}
	for t := range x.Tests() {
		p.paths[t], _ = parseOperand(t.Operand)
	}
	return p, nil
}

var errOperand = errors.New(`a key is expected here, as in hp<10, .tags[0]=="x", #>3 or _!=0`)

// parseOperand reads the left side of a comparison: steps, or _ for the value itself, then @key or # for its
// number of values.
func parseOperand(text string) (o operand, err error) {
	rest, isKey := strings.CutSuffix(text, "@key")
	o.key = isKey
	if !isKey {
		rest, o.count = strings.CutSuffix(text, "#")
	}
	rest, isSelf := strings.CutPrefix(strings.TrimSpace(rest), "_")
	if isSelf && rest != "" && !startsStep(rest) {
		rest = "_" + rest
	}
	if rest == "" && !isSelf && !o.key && !o.count {
		return o, errOperand
	}
	if rest != "" && !startsStep(rest) {
		rest = "." + rest
	}
	o.path, err = operandPath(rest)
	return o, err
}

// operandPath returns the steps of an operand as paths have them.
func operandPath(rest string) (path string, err error) {
	for rest != "" {
		if strings.HasPrefix(rest, ".[") {
			rest = rest[1:]
		}
		step, tail := splitStep(rest)
		name, isName := strings.CutPrefix(step, ".")
		if step == "" || IsCondition(step) || isName && !condition.IsName("_"+name) {
			return "", errOperand
		}
		path += canonicalStep(step)
		rest = tail
		if rest != "" && !startsStep(rest) {
			return "", errOperand
		}
	}
	return path, nil
}

// holds reports whether a value meets the condition. A test of a value that does not exist fails.
func (p *predicate) holds(r *Reader, n *Node) (bool, error) {
	return p.expr.Holds(func(t *condition.Test) (bool, error) { return p.paths[t].meets(r, n, t) })
}

func (o operand) meets(r *Reader, n *Node, t *condition.Test) (bool, error) {
	for rest := o.path; rest != ""; {
		next, tail, err := r.FollowStep(n, rest)
		if errors.Is(err, ErrNoChild) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		n, rest = next, tail
	}
	if o.key {
		if n = r.Key(n); n == nil {
			return false, nil
		}
	}
	return r.meets(n, o.count, t), nil
}

// meets reports whether a value, or with count the number of values in it, meets a comparison.
func (r *Reader) meets(n *Node, count bool, t *condition.Test) bool {
	switch {
	case count && n.Layout == Leaf:
		return false
	case count && t.Op == "":
		return r.Count(n) > 0
	case count:
		return t.With.Kind == condition.Num && condition.Holds(t.Op, t.With.Num.CompareInt(r.Count(n)))
	}
	return t.Op == "" || r.Meets(&n.Value, t)
}

// MeetsAt reports whether the value at the path that a comparison begins with meets it, and returns the value.
func (r *Reader) MeetsAt(t *condition.Test) (n *Node, meets bool, err error) {
	path, count := strings.CutSuffix(t.Operand, "#")
	r.Last = true
	defer func() { r.Last = false }()
	if n, err = r.Resolve(strings.TrimSpace(path)); err != nil {
		return nil, false, err
	}
	return n, r.meets(n, count, t), nil
}

// maxCompared is the length in bytes up to which the literal of a value that is no text is compared.
const maxCompared = 4 << 10

// Meets reports whether a value meets a comparison. A number is compared as it is shown, without rounding; a
// text without quotes is also the literal of a value that is no text.
func (r *Reader) Meets(v *Value, t *condition.Test) bool {
	is := r.Plain(v)
	if t.Op == "~" {
		return (is.Kind == Text || t.With.IsBare) && t.With.Contains(r.spelled(v, &is))
	}
	order, same := r.order(v, &is, &t.With, t.Op == "=" || t.Op == "!=")
	if !same {
		return t.Op == "!="
	}
	return condition.Holds(t.Op, order)
}

// order compares a value with what a comparison names; same is false if they are not of a kind that can be compared.
func (r *Reader) order(v *Value, is *Scalar, with *condition.Literal, isEquality bool) (order int, same bool) {
	switch {
	case with.Kind == condition.Num && is.Kind != Text && is.Kind != Bytes:
		return r.compareNumber(v, is, &with.Num)
	case with.Kind == condition.Num && r.Tree.can.OnlyText && is.Kind == Text && is.Len() <= longestNumber:
		if order, same = with.Num.CompareDigits(string(is.View(r.win, 0, longestNumber))); !same && with.IsBare {
			return 1, isEquality
		}
		return order, same
	case is.Kind == Int || is.Kind == Uint || is.Kind == Float64, with.IsBare && with.Kind == condition.Num && !isEquality:
		return 0, false
	case with.IsBare, with.Kind == condition.Text && is.Kind == Text:
		return bytes.Compare(r.spelled(v, is), []byte(with.Text)), true
	case with.Kind == condition.Bool && is.Kind == Bool, with.Kind == condition.Null && is.Kind == Null:
		if with.Is != (is.Bits != 0) {
			order = 1
		}
		return order, isEquality
	}
	return 0, false
}

// spelled returns a text, or the literal of another value.
func (r *Reader) spelled(v *Value, is *Scalar) []byte {
	if is.Kind == Text {
		return is.View(r.win, 0, is.Len())
	}
	return r.AppendLiteral(nil, v, maxCompared)
}

// compareNumber compares a value with a number; ok is false if it is no number, or nan.
func (r *Reader) compareNumber(v *Value, is *Scalar, with *condition.Number) (order int, ok bool) {
	switch {
	case is.Kind == Int:
		return with.CompareInt(int64(is.Bits)), true
	case is.Kind == Float64:
		return r.compareFloat(v, math.Float64frombits(is.Bits), with)
	case is.Kind == Uint:
		return with.CompareDigits(string(is.AppendNumber(nil)))
	}
	return 0, false
}

// compareFloat compares a value that is a float, or has digits that no float equals.
func (r *Reader) compareFloat(v *Value, x float64, with *condition.Number) (order int, ok bool) {
	const apart = 1e-6 // the rounding of 32 bits is less
	if away := math.Abs(x - with.Float()); away > apart*math.Abs(x) && !math.IsInf(away, 0) {
		return cmp.Compare(x, with.Float()), true
	}
	digits := r.plain[NumberSize:]
	if r.plain[0] != meansDigits {
		digits = AppendFloat(nil, x, 64)
	}
	if float64(float32(x)) == x { // its shortest digits may be those of a float of 32 bits
		digits = r.AppendLiteral(nil, v, maxCompared)
		if _, inside, ok := bytes.Cut(digits, []byte("(")); ok { // f32(0.1)
			digits = bytes.TrimSuffix(inside, []byte(")"))
		}
	}
	return with.CompareDigits(string(digits))
}
