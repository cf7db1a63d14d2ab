package diff

import (
	"context"
	"fmt"

	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
)

// A Merge merges a document with another file that comes from the same base.
type Merge struct {
	Base, Theirs *Differences
	Conflicts    []Conflict
	Decided      bool // all conflicts have a choice, and the merge can be made

	here *tree.Tree // the tree that was merged
}

// OpenMerge opens the file that a document comes from, and another one that comes from it, each named as
// in Open.
func OpenMerge(ctx context.Context, d *model.Document, base, theirs string, p *model.Progress) (*Merge, error) {
	x := &Merge{}
	var err error
	if x.Base, err = Open(ctx, d, base, p, theirs); err != nil {
		return nil, err
	}
	if x.Theirs, err = Open(ctx, d, theirs, p, base); err != nil {
		x.Base.Other.Close()
		return nil, err
	}
	return x, nil
}

// Close closes both files.
func (x *Merge) Close() {
	x.Base.Other.Close()
	x.Theirs.Other.Close()
}

// Find finds the conflicts with the current document. It may run in the background.
func (x *Merge) Find(ctx context.Context, d *model.Document) error {
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	if d.Missing != nil {
		return model.ErrNoValues
	}
	t, err := d.Begin(d.Innermost())
	if err != nil {
		return err
	}
	x.here = t.Reader().Tree
	x.Conflicts, err = MergeFiles(ctx, t, x.Base.Other, x.Theirs.Other, compare.Options{}, nil)
	return err
}

// Left returns the number of conflicts without a choice.
func (x *Merge) Left() (n int) {
	for _, c := range x.Conflicts {
		if c.Choice == NotChosen {
			n++
		}
	}
	return n
}

// conflictAt identifies a conflict.
type conflictAt struct{ path, why string }

// Choices returns the current choices.
func (x *Merge) Choices() func(*Conflict) Choice {
	chosen := map[conflictAt]Choice{}
	for _, c := range x.Conflicts {
		chosen[conflictAt{c.Path, c.Why}] = c.Choice
	}
	return func(c *Conflict) Choice { return chosen[conflictAt{c.Path, c.Why}] }
}

// Make makes the changes of a merge. choose says which value to take at each conflict; a conflict without
// a choice is an error.
func (x *Merge) Make(ctx context.Context, t *model.Transaction, choose func(*Conflict) Choice) error {
	if t.Reader().Tree != x.here {
		return model.ErrOutdated
	}
	found, err := MergeFiles(ctx, t, x.Base.Other, x.Theirs.Other, compare.Options{}, choose)
	if err != nil {
		return err
	}
	return Undecided(found)
}

// Undecided returns an error that names the first conflict without a choice; nil if there is none.
func Undecided(conflicts []Conflict) error {
	for _, c := range conflicts {
		if c.Choice == NotChosen {
			return fmt.Errorf("%s: %s", c.Path, c.Why)
		}
	}
	return nil
}
