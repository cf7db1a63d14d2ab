package watch

import (
	"cmp"
	"fmt"
	"strconv"

	"varview/decoder/engine/tree"
	"varview/model/search"
)

// A Condition is a condition on one value: player.gold>100.
type Condition struct {
	Text string

	path, operator, value string
	number                float64
	isNumber              bool
	held                  bool // result of the last call of Becomes
}

// operators are the operators of a condition, longer ones first.
var operators = []string{">=", "<=", "!=", ">", "<", "="}

// ParseCondition parses a condition: a path, one of > >= < <= = != and a number or, after = and !=, any
// literal.
func ParseCondition(s string) (Condition, error) {
	path, op, value, ok := search.CutOutside(s, operators...)
	if !ok {
		return Condition{}, fmt.Errorf("%q: a condition needs a path, one of > >= < <= = != and a value: player.gold>100", s)
	}
	c := Condition{Text: s, path: path, operator: op, value: value}
	x, err := strconv.ParseFloat(c.value, 64)
	c.number, c.isNumber = x, err == nil
	if c.path == "" || c.value == "" || !c.isNumber && op != "=" && op != "!=" {
		return c, fmt.Errorf("%q: %s needs a number after it", s, op)
	}
	return c, nil
}

// Holds reports whether the condition holds for the values of a reader, and returns the literal of the
// value. If the value is missing, or is not a number where one is needed, only != holds.
func (c *Condition) Holds(r *tree.Reader) (holds bool, literal string) {
	n, err := r.Resolve(c.path)
	if err != nil {
		return c.operator == "!=", ""
	}
	literal = string(r.AppendLiteral(nil, &n.Value, maxLiteral))
	meaning, m := r.AppendMeaning(nil, &n.Value)
	if !c.isNumber || m.Compared != tree.Whole || m.Numbers != 1 || len(meaning) != tree.NumberSize {
		return (literal == c.value) == (c.operator == "=") && (c.operator == "=" || c.operator == "!="), literal
	}
	x := tree.NumberMeaning(meaning)
	if x != x || c.number != c.number { // NaN equals nothing
		return c.operator == "!=", literal
	}
	return search.Holds(c.operator, cmp.Compare(x, c.number)), literal
}

// Becomes reports whether the condition holds and did not hold at the last call.
func (c *Condition) Becomes(r *tree.Reader) (becomes bool, literal string) {
	held := c.held
	c.held, literal = c.Holds(r)
	return c.held && !held, literal
}

// Missing returns an error if there is no value for the condition.
func (c *Condition) Missing(r *tree.Reader) error {
	_, err := r.Resolve(c.path)
	return err
}

// maxLiteral is the largest length in bytes of a literal that is compared and shown.
const maxLiteral = 4 << 10
