package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/literals"
	"varview/model/patch"
)

// becomeRounds is the largest number of rounds of edits: first of the values that differ, then of the
// references in what was inserted; if that is not enough, alternately of the values around what still
// differs and of the references.
const becomeRounds = 8

// Become makes the edits after which the values mean the same as those of another tree. In the same
// dialect they also get the same types, if their literals show the type. The error names the first value
// that cannot be made the same.
func Become(ctx context.Context, t *model.Transaction, to *tree.Tree, o compare.Options) error {
	var failed error
	there := to.NewReader()
	for round := range becomeRounds {
		changes, err := compare.All(ctx, t.Reader().Tree, to, o)
		changes = slices.DeleteFunc(changes, func(c *compare.Change) bool {
			return c.Note && !(round < 2 && o.Alike && isWrittenOtherwise(t.Reader(), c, there))
		})
		if err != nil || len(changes) == 0 {
			return err
		}
		failed = fmt.Errorf("%s cannot be made the same as in the other file", changes[0].Path)
		if slices.ContainsFunc(changes, isOfBareValue) {
			return errOneValue
		}
		b, err := newBecoming(ctx, t, to.NewReader())
		if err != nil {
			return err
		}
		if round < 2 || round%2 == 1 {
			err = b.change(ctx, changes)
		} else {
			err = b.replace(ctx, changes[0], round/2)
		}
		if made := b.Finish(ctx); made != nil {
			return made
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = fmt.Errorf("%s: %w", changes[0].Path, err)
		}
	}
	return failed
}

var errOneValue = errors.New("the files hold different numbers of values, and one bare value cannot become several")

// isWrittenOtherwise reports whether a value, in the same dialect, has a different type that its literal
// shows.
func isWrittenOtherwise(from *tree.Reader, c *compare.Change, to *tree.Reader) bool {
	literal := func(r *tree.Reader, n *tree.Node) string {
		return string(r.AppendLiteral(nil, &n.Value, shownConflict))
	}
	return isOfOtherType(from, c, to) && literal(from, c.A) != literal(to, c.B)
}

// isOfBareValue reports whether a change adds or removes a value in a buffer that holds exactly one.
func isOfBareValue(c *compare.Change) bool {
	return !isOfValue(c) && c.InA.Depth == 0 && c.InA.Count == 1
}

// becoming makes the edits of one round.
type becoming struct {
	*model.Batch
	t  *model.Transaction
	to *tree.Reader
}

func newBecoming(ctx context.Context, t *model.Transaction, to *tree.Reader) (*becoming, error) {
	b, err := t.Batch(ctx, math.MaxInt) // how many depends on what each needs
	return &becoming{b, t, to}, err
}

// change makes the changes one by one: first those inside values, then those to the children of values,
// innermost first, so that paths stay valid; then those of references. It skips what cannot be done, and
// returns the first error.
func (b *becoming) change(ctx context.Context, changes []*compare.Change) error {
	var first error
	try := func(err error) {
		if first == nil {
			first = err
		}
	}
	var values, references []*compare.Change
	groups := map[tree.ID]*siblings{}
	for _, c := range changes {
		switch {
		case !isOfValue(c):
			at := c.InA.ID()
			if groups[at] == nil {
				groups[at] = &siblings{in: c.InA, path: b.t.PathOf(c.InA)}
			}
			groups[at].changes = append(groups[at].changes, c)
		case c.B.Refers:
			references = append(references, c)
			fallthrough
		case c.A.Refers: // so that its target can be removed
			try(b.unlink(ctx, c))
			if !c.B.Refers {
				values = append(values, c)
			}
		default:
			values = append(values, c)
		}
	}
	for _, c := range values {
		try(b.set(ctx, c.Path, c.B))
	}
	ordered := slices.SortedFunc(maps.Values(groups), func(x, y *siblings) int {
		return cmp.Or(cmp.Compare(y.in.Depth, x.in.Depth), cmp.Compare(x.in.Start, y.in.Start))
	})
	for _, g := range ordered {
		try(b.rearrange(ctx, g))
	}
	for _, c := range references {
		path := c.NewPath
		if path == "" {
			path = c.Path
		}
		try(b.set(ctx, path, c.B))
	}
	return first
}

// unlink replaces a reference by an empty value.
func (b *becoming) unlink(ctx context.Context, c *compare.Change) error {
	if !c.A.Refers {
		return nil
	}
	n, err := b.Resolve(ctx, c.Path)
	if err != nil {
		return err
	}
	return b.Set(ctx, n, edit.Content{Literal: b.t.Buffer().Document().Hints().Empty}, edit.Options{Retype: true})
}

// replace replaces a value around a remaining difference by its counterpart in the other tree: first the
// nearest value, then those farther out.
func (b *becoming) replace(ctx context.Context, c *compare.Change, levels int) error {
	in, to := c.InA, c.InB
	for range levels - 1 {
		if in.Depth > 1 && to.Depth > 1 {
			in, to = in.Parent, to.Parent
		}
	}
	if in.Depth == 0 || to.Depth == 0 {
		return errOneValue
	}
	return b.set(ctx, b.t.PathOf(in), to)
}

// set sets the value at a path to the value of a node of the other tree.
func (b *becoming) set(ctx context.Context, path string, to *tree.Node) error {
	n, err := b.Resolve(ctx, path)
	if err != nil {
		return err
	}
	literal, err := literals.Unlinked(ctx, b.to.Tree, to)
	if err != nil {
		return longError(err)
	}
	return b.Set(ctx, n, edit.Content{Literal: literal}, edit.Options{Retype: true})
}

func longError(err error) error {
	if err == literals.ErrLong {
		return fmt.Errorf("more than %d KiB of text", patch.MaxLiteral>>10)
	}
	return err
}

// keyLiteral returns the literal of the key or name of a value of the other tree; "" if it has none.
func (b *becoming) keyLiteral(ctx context.Context, n *tree.Node) (string, error) {
	key := b.to.Key(n)
	if key != nil {
		literal, err := literals.Full(ctx, b.to.Tree.NewReader(), key)
		return literal, longError(err)
	}
	if step := b.to.Step(n); step != "" && !isIndexStep(step) {
		return literals.StepKey(step), nil
	}
	return "", nil
}

func isIndexStep(step string) bool {
	_, is := literals.StepIndex(step)
	return is
}
