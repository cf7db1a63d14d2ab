// Package edits has the commands that change files.
package edits

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model"
)

// commands are the commands, each of which is a method.
type commands struct{ *env.Env }

// Commands returns the commands that change files.
func Commands(of *env.Env) []*cobra.Command {
	e := commands{of}
	return []*cobra.Command{
		e.setCommand(),
		e.tableCommand(),
		e.sortCommand(),
		e.insertCommand(),
		e.deleteCommand(),
		e.importCommand(),
		e.convertCommand(),
	}
}

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
	t, err := do(ctx, doc)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", env.DisplayName(name), err)
	}
	if o.DryRun && o.Patch != "-" {
		if err := e.PrintChanges(doc, t, o.JSON); err != nil {
			return err
		}
	}
	if err := e.writePatch(ctx, o, t.Ops()); err != nil || o.DryRun {
		return err
	}
	if doc, err = t.Commit(ctx, "edit", model.Cursor{}, model.Cursor{}); err != nil {
		return fmt.Errorf("%s: %w", env.DisplayName(name), err)
	}
	return e.Save(ctx, doc, name, o)
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

// advised is an error of an edit with the flags that allow it.
func advised(err error) error {
	var orphan *edit.OrphanError
	if errors.As(err, &orphan) {
		return fmt.Errorf("%w; --orphans inherit moves the value to the first reference, --orphans undefined makes them undefined", err)
	}
	return err
}

// setError says why a value was not set.
func setError(r *tree.Reader, n *tree.Node, a flags.Assignment, err error) error {
	var syntax *edit.SyntaxError
	var retyped *edit.TypeError
	switch {
	case errors.As(err, &syntax):
		err = fmt.Errorf("%w%s", err, quotesHint(r, n, a))
	case errors.As(err, &retyped):
		err = fmt.Errorf("%w; --retype allows it%s", err, quotesHint(r, n, a))
	}
	return fmt.Errorf("%s: %w", r.Path(n), advised(err))
}

// quotesHint explains how to write text, if the old value is text and the new one has no
// quotes: the shell removes them.
func quotesHint(r *tree.Reader, n *tree.Node, a flags.Assignment) string {
	literal := string(r.AppendLiteral(nil, &n.Value, 16))
	quote := strings.IndexByte(literal, '"')
	if quote < 0 || quote > 1 || strings.Contains(a.Value, `"`) {
		return ""
	}
	text := tree.AppendQuoted([]byte(a.Path+"="+literal[:quote]), []byte(a.Value))
	return "; as text, in a shell: " + shellQuoted(string(text))
}

// shellQuoted quotes text for the shells of Unix.
func shellQuoted(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
