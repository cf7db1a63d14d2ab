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
	"varview/decoder/engine/format"
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

// formRounds is the number of rounds in which values that mean the same get the form of the others.
const formRounds = 2

// Become makes the edits after which the values mean the same as those of another tree. In the same
// dialect they also get the same types and order of keys; left are the differences in form that no literal
// shows. The error is an UnmadeError if a value cannot be made the same.
func Become(ctx context.Context, t *model.Transaction, to *tree.Tree, o compare.Options) (left []*compare.Change, err error) {
	var failed error
	o.SameDialect = o.SameDialect || o.Alike
	for round, formed := 0, 0; round < becomeRounds; {
		all, err := compare.All(ctx, t.Reader().Tree, to, o)
		if err != nil {
			return nil, err
		}
		b, err := newBecoming(ctx, t, to.NewReader(), false)
		if err != nil {
			return nil, err
		}
		changes, notes := cutNotes(ofContent(all, b.here, b.to))
		switch {
		case len(changes) == 0 && !o.SameDialect:
			return nil, nil
		case len(changes) == 0 && (len(notes) == 0 || formed == formRounds):
			return notes, nil
		case slices.ContainsFunc(changes, isOfBareValue):
			return nil, &UnmadeError{changes[0].Path, errOneValue}
		}
		if round == 0 {
			changes = asWhole(changes, otherRecords(changes, b.here))
		}
		made, was := len(t.Ops()), t.Reader().Tree
		if len(changes) == 0 {
			b.form(ctx, notes)
			formed++
		} else {
			if err = b.become(ctx, changes, round); err == nil {
				err = errors.New("it cannot be made the same as in the other file")
			}
			failed = &UnmadeError{changes[0].Path, err}
			round++
		}
		if err := cmp.Or(b.Finish(ctx), t.Divide(made, was), ctx.Err()); err != nil {
			return nil, err
		}
	}
	return nil, failed
}

// An UnmadeError says that a value cannot be made what it is in the other file: the first of them.
type UnmadeError struct {
	Path string
	Err  error
}

func (e *UnmadeError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *UnmadeError) Unwrap() error { return e.Err }

// become makes the changes of a round.
func (b *becoming) become(ctx context.Context, changes []*compare.Change, round int) error {
	if round < 2 || round%2 == 1 {
		return b.change(ctx, changes)
	}
	return b.replace(ctx, changes[0], round/2)
}

// cutNotes returns the changes of what values mean, and those of their form alone.
func cutNotes(all []*compare.Change) (changes, notes []*compare.Change) {
	for _, c := range all {
		if c.Note {
			notes = append(notes, c)
		} else {
			changes = append(changes, c)
		}
	}
	return changes, notes
}

var errOneValue = errors.New("the files hold different numbers of values, and one bare value cannot become several")

// form gives values that mean the same the types and the order of keys that they have in the other tree, as
// far as that can be done: of two values in one another, to the outer one.
func (b *becoming) form(ctx context.Context, notes []*compare.Change) {
	var done *tree.Node // the last value that was set
	for _, c := range notes {
		switch {
		case done != nil && isIn(c.A, done):
		case c.Kind == compare.Moved:
			_ = b.reorder(ctx, b.pathOf(c.A), c.A, c.B)
		case isOfOtherType(b.here, c, b.to) && b.set(ctx, b.pathOf(c.A), c.B) == nil:
			done = c.A
		}
	}
}

// isIn reports whether a value is, or is in, another one of the same tree.
func isIn(n, in *tree.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.ID() == in.ID() {
			return true
		}
	}
	return false
}

// isOfBareValue reports whether a change adds or removes a value in a buffer that holds exactly one.
func isOfBareValue(c *compare.Change) bool {
	return !isOfValue(c) && c.InA.Depth == 0 && c.InA.Count == 1
}

// becoming makes the edits of one round.
type becoming struct {
	*model.Batch
	t    *model.Transaction
	here *tree.Reader // the values before the edits
	to   *tree.Reader

	isSpelled bool // values can be copied as the other tree spells them

	// link returns the path here of the counterpart of a numbered value of the other tree; "" if there is none.
	// Where it is nil, references in values are left out.
	link func(serial uint32) string
}

// newBecoming begins a round of edits. spells says that values are copied as the other tree, of the same dialect, spells them:
// in a patch they are literals.
func newBecoming(ctx context.Context, t *model.Transaction, to *tree.Reader, spells bool) (*becoming, error) {
	b, err := t.Batch(ctx, math.MaxInt) // how many depends on what each needs
	here := t.Reader().Tree.NewReader()
	spelled, ok := to.Tree.Reading.(format.Speller)
	return &becoming{Batch: b, t: t, here: here, to: to, isSpelled: spells && ok && spelled.SpellsByCopy()}, err
}

// pathOf returns the path that a value has before the edits.
func (b *becoming) pathOf(n *tree.Node) string {
	b.here.Budget = tree.LookUpBudget / 10
	defer func() { b.here.Budget = 0 }()
	return b.here.Path(n)
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
				groups[at] = &siblings{in: c.InA, path: b.pathOf(c.InA)}
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
	return b.set(ctx, b.pathOf(in), to)
}

// set sets the value at a path to the value of a node of the other tree.
func (b *becoming) set(ctx context.Context, path string, to *tree.Node) error {
	n, err := b.Resolve(ctx, path)
	c, failed := b.content(ctx, to)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	return b.Set(ctx, n, c, edit.Options{Retype: true})
}

// content returns a value of the other tree to be put in: as it is spelled there where the dialect is the same.
func (b *becoming) content(ctx context.Context, n *tree.Node) (c edit.Content, err error) {
	c.Literal, err = b.literal(ctx, n)
	if b.isSpelled && n.Damage == nil {
		c.Copy, c.From = n, b.to
	}
	return c, err
}

// literal returns the literal with which a value of the other tree is put in.
func (b *becoming) literal(ctx context.Context, n *tree.Node) (text string, err error) {
	if b.link == nil {
		text, err = literals.Unlinked(ctx, b.to.Tree, n)
		return text, longError(err)
	}
	known := true
	text, err = literals.Linked(ctx, b.to.Tree, n, func(serial uint32) string {
		path := b.link(serial)
		known = known && path != ""
		return path
	})
	if err == nil && !known {
		err = errElsewhere
	}
	return text, longError(err)
}

func longError(err error) error {
	if err == literals.ErrLong {
		return fmt.Errorf("more than %d KiB of text", patch.MaxLiteral>>10)
	}
	return err
}

// keyLiteral returns the literal of a key of the other tree, or of the key or name of a value; "" if it has
// none.
func (b *becoming) keyLiteral(ctx context.Context, n *tree.Node) (string, error) {
	key := n
	if !n.Slot.Key {
		key = b.to.Key(n)
	}
	if key != nil {
		literal, err := literals.Stored(ctx, b.to.Tree.NewReader(), key)
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
