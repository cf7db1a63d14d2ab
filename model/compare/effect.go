package compare

import (
	"context"
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// An Effect is what an edit changes besides the bytes that it writes.
type Effect struct {
	A, B          *tree.Tree // trees before and after the edit
	Changes       []*Change  // changes of other values, which read differently
	Before, After int64      // numbers of problems that are more than notes
	IsMisread     bool       // the changes are of values that keep their bytes, although an edit says how many these are
}

// EffectOf works out the effect of an edit that changes no sizes. a and b are the trees before and after
// it; written is where it has written bytes, nil if no other values can read differently.
func EffectOf(ctx context.Context, a, b *tree.Tree, written []span.Span) (*Effect, error) {
	e := &Effect{A: a, B: b}
	err := e.compare(ctx, written)
	if err == nil {
		e.Before, err = problems(ctx, a)
	}
	if err == nil {
		e.After, err = problems(ctx, b)
	}
	return e, err
}

func (e *Effect) compare(ctx context.Context, written []span.Span) error {
	if written == nil {
		return nil
	}
	return Trees(ctx, e.A, e.B, Options{}, func(c *Change) error {
		if n := c.A; n != nil {
			for _, w := range written {
				if n.Start < w.End() && w.Offset < n.End {
					return nil
				}
			}
		}
		e.Changes = append(e.Changes, c)
		return nil
	})
}

func problems(ctx context.Context, t *tree.Tree) (n int64, err error) {
	err = t.Check(ctx, tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) {
		if p.Severity != span.Note {
			n++
		}
	})
	return n, err
}

// Literals returns what a value was and is, cut if that is long; "" where there is none.
func (e *Effect) Literals(c *Change) (was, is string) {
	if c.A != nil {
		was = string(e.A.NewReader().AppendLiteral(nil, &c.A.Value, 100))
	}
	if c.B != nil {
		is = string(e.B.NewReader().AppendLiteral(nil, &c.B.Value, 100))
	}
	return was, is
}

// Types returns the types of a value that is there before and after the edit.
func (e *Effect) Types(c *Change) (was, is string) {
	a, b := e.A.NewReader(), e.B.NewReader()
	return string(e.A.AppendType(nil, a.Window(), &c.A.Value)), string(e.B.AppendType(nil, b.Window(), &c.B.Value))
}

// String sums the effect up, "" for none.
func (e *Effect) String() string {
	text := ""
	if n := int64(len(e.Changes)); n > 0 {
		text = span.Counted(n, "other value") + " would read differently"
	}
	if e.Before == e.After {
		return text
	}
	if text != "" {
		text += ", and "
	}
	return text + fmt.Sprintf("there would be %s instead of %d", span.Counted(e.After, "problem"), e.Before)
}
