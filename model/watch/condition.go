package watch

import (
	"errors"
	"fmt"
	"strings"

	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
)

// A Condition is a condition on values: player.gold>100 && player.hp>0.
type Condition struct {
	Text string

	expr *condition.Expr
	held bool // result of the last call of Becomes
}

// ParseCondition parses a condition whose comparisons begin with paths.
func ParseCondition(s string) (Condition, error) {
	x, err := condition.Reader{Operand: func(path string, compared bool) error {
		if path == "" || !compared && !strings.HasSuffix(path, "#") {
			return errors.New("a condition compares the value at a path: player.gold>100")
		}
		return nil
	}}.Read(s)
	if err != nil {
		err = fmt.Errorf("%q: %w", s, err)
	}
	return Condition{Text: s, expr: x}, err
}

// holds reports whether the condition holds for the values of a reader, and returns the literals of the
// values that were compared. If a value is missing, only != holds.
func (c *Condition) holds(r *tree.Reader) (holds bool, literals string) {
	var all []string
	holds, _ = c.expr.Holds(func(t *condition.Test) (bool, error) {
		n, meets, err := r.MeetsAt(t)
		if err != nil {
			return t.Op == "!=", nil
		}
		all = append(all, string(r.AppendLiteral(nil, &n.Value, maxLiteral)))
		return meets, nil
	})
	return holds, strings.Join(all, ", ")
}

// Becomes reports whether the condition holds and did not hold at the last call.
func (c *Condition) Becomes(r *tree.Reader) (becomes bool, literals string) {
	held := c.held
	c.held, literals = c.holds(r)
	return c.held && !held, literals
}

// Missing returns an error if there is no value for a comparison of the condition.
func (c *Condition) Missing(r *tree.Reader) error {
	for t := range c.expr.Tests() {
		if _, _, err := r.MeetsAt(t); err != nil {
			return err
		}
	}
	return nil
}

// maxLiteral is the largest length in bytes of a literal that is shown.
const maxLiteral = 4 << 10
