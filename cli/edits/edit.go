package edits

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder"
	"varview/model"
)

// edit opens a file, has do make edits of it, and saves it, or says what would be
// saved. Either all edits are made or none.
func (e commands) edit(ctx context.Context, name string, o *flags.Edit, do func(context.Context, *model.Document) (*model.Transaction, error)) (err error) {
	if err := o.Check(name); err != nil {
		return err
	}
	doc, err := e.OpenBound(ctx, name, decoder.Settle, model.Options{NoBackup: o.NoBackup, Alone: o.Replaces(name)})
	if err != nil {
		return err
	}
	defer func() { doc.Close() }() // which can be another one, opened again
	if e.file.Folder != "" && doc.IsOther() {
		return nil
	}
	t, err := do(ctx, doc)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", env.DisplayName(name), err)
	}
	out := e.out
	if out == nil {
		out = e.ForPeople(e.Stdout)
	}
	if o.DryRun && o.Patch != "-" {
		if err := e.PrintChanges(ctx, out, e.file.Path, doc, t, o.JSON); err != nil {
			return err
		}
	}
	if err := e.writePatch(ctx, o, t.Ops()); err != nil || o.DryRun {
		return err
	}
	var changes bytes.Buffer // printed once they are saved
	if o.JSON {
		if err := e.PrintChanges(ctx, &changes, e.file.Path, doc, t, true); err != nil {
			return err
		}
	}
	if doc, err = t.Commit(ctx, "edit", model.Cursor{}, model.Cursor{}); err != nil {
		return fmt.Errorf("%s: %w", env.DisplayName(name), err)
	}
	if err := e.Save(ctx, doc, name, o); err != nil || !o.JSON {
		return err
	}
	_, err = changes.WriteTo(out)
	return err
}

// together has do make edits of values, counted from 0, in one batch, and shows how far they are.
func (e commands) together(ctx context.Context, t *model.Transaction, doing, name string, edits int, do func(b *model.Batch, i int) error) error {
	defer e.WatchEdits(t, doing, name)()
	b, err := t.Batch(ctx, edits)
	for i := 0; i < edits && err == nil; i++ {
		t.Progress.Set(int64(i), 2*int64(edits)) // the other half is what Finish does
		err = cmp.Or(ctx.Err(), do(b, i))
	}
	if err != nil {
		return err
	}
	return b.Finish(ctx)
}

// editValues is edit for edits of the values, which do makes in a transaction.
func (e commands) editValues(ctx context.Context, name string, o *flags.Edit, do func(context.Context, *model.Transaction) error) error {
	return e.edit(ctx, name, o, func(ctx context.Context, doc *model.Document) (*model.Transaction, error) {
		t, err := env.BeginValues(doc)
		if err != nil {
			return nil, err
		}
		return t, do(ctx, t)
	})
}
