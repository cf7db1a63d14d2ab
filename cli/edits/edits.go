// Package edits has the commands that change files.
package edits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
)

// commands has a method for each command.
type commands struct {
	*env.Env
	file files.File // the edited file if there are several; otherwise its path is ""
	out  io.Writer  // output about the file; nil for standard output
}

// Commands returns the commands that change files.
func Commands(of *env.Env) []*cobra.Command {
	e := commands{Env: of}
	return []*cobra.Command{
		e.setCommand(),
		e.tableCommand(),
		e.sortCommand(),
		e.restoreCommand(),
		e.insertCommand(),
		e.deleteCommand(),
		e.importCommand(),
		e.convertCommand(),
	}
}

// begun lets do edit a file, and tells what becomes of it.
func (e commands) begun(ctx context.Context, name string, doc *model.Document, o *flags.Edit, do func(context.Context, *model.Document) (*model.Transaction, error)) (*model.Transaction, *compare.Effect, error) {
	var sums []decoder.Sum
	t, err := do(ctx, doc)
	if err == nil {
		sums, err = t.Follow(ctx)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	effect, err := e.tellOutcome(ctx, name, t, o)
	if err == nil {
		e.TellFollowed(name, t, sums)
	}
	return t, effect, err
}

// edit opens a file, lets do edit it, and saves it, or prints what would be saved. Either all edits are
// made or none.
func (e commands) edit(ctx context.Context, name string, o *flags.Edit, do func(context.Context, *model.Document) (*model.Transaction, error)) (err error) {
	if err := o.Check(name); err != nil {
		return err
	}
	doc, err := e.OpenBound(ctx, name, decoder.Settle, model.Options{NoBackup: o.NoBackup, Alone: o.Replaces(name)})
	if err != nil {
		return err
	}
	defer func() { doc.Close() }() // which may be another one, opened again
	if e.file.Folder != "" && doc.IsOther() {
		return files.ErrNoSave
	}
	t, effect, err := e.begun(ctx, name, doc, o, do)
	if err != nil {
		return fmt.Errorf("%s: %w", env.DisplayName(name), err)
	}
	out := e.out
	if out == nil {
		out = e.ForPeople(e.Stdout)
	}
	if o.DryRun {
		if o.Patch != "-" {
			err = e.PrintChanges(ctx, out, e.file.Path, doc, t, effect, o.JSON)
		}
		if err == nil {
			err = e.WritePatch(ctx, o.PatchFile(), t)
		}
		return err
	}
	if err := e.WritePatch(ctx, o.PatchFile(), t); err != nil {
		return err
	}
	var changes bytes.Buffer // printed once they are saved
	if o.JSON {
		if err := e.PrintChanges(ctx, &changes, e.file.Path, doc, t, effect, true); err != nil {
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

// tellOutcome says which values are stored otherwise than they were typed, and which others read differently after the
// edits. It returns that effect, if somebody is to see it; the error is that there would be one, and it is not forced.
func (e commands) tellOutcome(ctx context.Context, name string, t *model.Transaction, o *flags.Edit) (*compare.Effect, error) {
	for _, x := range t.Rounded() {
		e.Tell("%s: %s: %s is stored as %s", env.DisplayName(name), x.Path, x.Typed, x.Is)
	}
	if o.Force && !o.DryRun && !o.JSON {
		return nil, nil
	}
	effect, err := t.Effect(ctx)
	if err == nil && !o.DryRun && !o.Force {
		err = e.TellEffect(effect)
	}
	return effect, err
}

// together lets do make edits of values, numbered from 0, in one batch, and shows progress.
func (e commands) together(ctx context.Context, t *model.Transaction, doing, name string, edits int, do func(b *model.Batch, i int) error) error {
	defer e.WatchEdits(t, doing, name)()
	return t.Together(ctx, edits, do)
}

// inTurn lets do make edits at paths, numbered from 0, in order: those of values together, and one that leads into what a
// value holds in there.
func (e commands) inTurn(ctx context.Context, t *model.Transaction, doing, name string, paths []string, do func(b *model.Batch, i int, path string) error) error {
	for from := 0; from < len(paths); {
		n, _, err := t.EachWithin(ctx, paths[from:], func(inner *model.Transaction, i int, rest string) (done model.Changed, err error) {
			return done, e.together(ctx, inner, doing, name, 1, func(b *model.Batch, _ int) error { return do(b, from+i, rest) })
		})
		if err != nil {
			return err
		}
		if from += n; n > 0 {
			continue
		}
		to := from + 1
		for to < len(paths) && !t.IsWithin(ctx, paths[to]) {
			to++
		}
		if err := e.together(ctx, t, doing, name, to-from, func(b *model.Batch, i int) error { return do(b, from+i, paths[from+i]) }); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// editValues is edit for edits of values, which do makes in a transaction.
func (e commands) editValues(ctx context.Context, name string, o *flags.Edit, do func(context.Context, *model.Transaction) error) error {
	return e.edit(ctx, name, o, func(ctx context.Context, doc *model.Document) (*model.Transaction, error) {
		t, err := env.BeginValues(doc)
		if err != nil {
			return nil, err
		}
		return t, do(ctx, t)
	})
}

// severalAbout ends the help of commands that edit several files.
const severalAbout = `

Several files can be named before --, or be a folder, a pattern with * and **,
or come from --files-from. Each is edited by itself: a file that cannot be
edited is reported and does not stop the others. A folder's copies FILE~ are
left alone.`

// isFile reports whether an argument among PATH=VALUE is a file.
func isFile(arg string) bool {
	_, _, ok := model.CutAssignment(arg)
	return !ok && files.IsThere(arg)
}

// editEach lets do edit the files that arguments stand for, several concurrently, and reports how many of
// them could not be edited.
func (e commands) editEach(ctx context.Context, from *files.Selected, names []string, o *flags.Edit, do func(context.Context, commands, string) error) error {
	e.tellUnequal(&o.Options)
	batch := &files.Batch{Env: e.Env}
	all, err := from.All(ctx, batch, names)
	if err != nil {
		return err
	}
	if !from.Several(names) {
		return e.orNone(do(ctx, e, all[0].Path))
	}
	if err := o.CheckSeveral(); err != nil {
		return err
	}
	err = files.Each(ctx, batch, e.ForPeople(e.Stdout), slices.Values(files.Once(all)), func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		return do(ctx, commands{Env: one, file: f, out: out}, f.Path)
	})
	if n := batch.Failed(); n > 0 && len(all) > 0 && ctx.Err() == nil {
		e.Tell("%d of %d files not changed", n, len(all))
	}
	return err
}

// tellUnequal names numbers that were equal to something before an edit, unless they are left: once, however often the edit is tried.
func (e commands) tellUnequal(o *edit.Options) {
	if slices.Contains(o.Choices, edit.Leave) {
		return
	}
	var told sync.Map
	o.Unequal = func(c *edit.ChoiceError) error {
		text := fmt.Sprintf("%s; --%s lets it follow, --%s does not ask", c.Text, c.Choices[0], c.Choices[1])
		if c.Line != "" {
			text += ", and " + c.Line + " in the description keeps it so"
		}
		if _, isTold := told.LoadOrStore(text, true); !isTold {
			e.Tell("%s", text)
		}
		return nil
	}
}

// orNone prints an error that says that none of many values was found, which is not a failure. A single
// value that is not there is one.
func (e commands) orNone(err error) error {
	if single := (*tree.PathError)(nil); !errors.Is(err, tree.ErrNoMatch) || errors.As(err, &single) {
		return err
	}
	e.Tell("%v", err)
	return env.ErrProblems
}

// does says what the flags of choices do.
var does = map[edit.Choice]string{edit.MakeEmpty: "makes it an empty one", edit.KeepBytes: "keeps its bytes", edit.KeepEqual: "lets it follow"}

// advised adds to an error of an edit the flags that allow the edit.
func advised(err error) error {
	var orphan *edit.OrphanError
	var choice *edit.ChoiceError
	switch {
	case errors.As(err, &choice):
		var ways []string
		for _, c := range choice.Choices {
			ways = append(ways, fmt.Sprintf("--%s %s", c, does[c.Kind()]))
		}
		return fmt.Errorf("%w: %s", err, strings.Join(ways, ", "))
	case !errors.As(err, &orphan):
		return err
	case orphan.OnlyNull:
		return fmt.Errorf("%w; --orphans undefined makes them null", err)
	}
	return fmt.Errorf("%w; --orphans inherit moves the value to the first reference, --orphans undefined makes them undefined", err)
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

// quotesHint explains how to write text, if the old value is text and the new one has no quotes: the
// shell removes them.
func quotesHint(r *tree.Reader, n *tree.Node, a flags.Assignment) string {
	literal := string(r.AppendLiteral(nil, &n.Value, 16))
	quote := strings.IndexByte(literal, '"')
	if quote < 0 || quote > 1 || strings.ContainsAny(literal[:quote], "{[(") || strings.Contains(a.Value, `"`) || !utf8.ValidString(a.Value) {
		return ""
	}
	text := tree.AppendQuoted([]byte(a.Path+"="+literal[:quote]), []byte(a.Value))
	return "; as text, in a shell: " + env.ShellWord(string(text))
}
