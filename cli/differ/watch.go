package differ

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/value/condition"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/watch"
)

const watchLong = `Wait for a file to be saved, print what each save has changed, and go on until
ctrl+c. The file may be written in place or replaced; if it is not completely
written yet, it is read again.

--when prints an alert each time that a condition on values at paths becomes
true.

` + condition.Help + `

--patches writes the way from each save to the next
as a patch, so that "varview set --apply PATCH --reverse" leads back.`

const watchExample = `  varview watch savegame.dat
  varview watch savegame.dat --when '[0].player.gold>100' --when '[0].hp=0'
  varview watch savegame.dat --ignore time --json
  varview watch savegame.dat --patches history/`

type watchOptions struct {
	diffOptions
	when    []string
	patches string
	count   int
}

func (e commands) watchCommand() *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:               "watch FILE",
		Short:             "List what each new save of a file changes",
		Long:              watchLong,
		Example:           watchExample,
		Args:              flags.Wants(1, 1, "one FILE"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("count") && o.count < 1 {
				return fmt.Errorf("--count: at least 1, not %d", o.count)
			}
			return e.watch(cmd.Context(), args[0], &o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.when, "when", nil, "alert when `CONDITION` becomes true: 'player.gold>100'; repeatable")
	f.StringVar(&o.patches, "patches", "", "write each step as a patch into `FOLDER`")
	f.IntVar(&o.count, "count", 0, "end after `N` saves (default: with ctrl+c)")
	f.BoolVar(&o.json, "json", false, "one JSON object per change and alert")
	o.registerComparison(cmd)
	for _, name := range []string{"when", "count"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// patience is how long a file that cannot be read to its end is assumed to be still being written.
const patience = 3 * time.Second

// A watcher prints what changes in a file.
type watcher struct {
	commands
	*watchOptions
	file  watch.Watcher
	when  []watch.Condition
	last  *env.File // the file as it was last saved
	out   io.Writer
	saves int
}

func (e commands) watch(ctx context.Context, name string, o *watchOptions) (err error) {
	if name == "-" {
		return errors.New("standard input cannot be watched")
	}
	gone := func() { e.Tell("%s: the file is gone; waiting for it to come back", name) }
	w := &watcher{commands: e, watchOptions: o, file: watch.Watcher{Path: name, Gone: gone}, out: e.Out(o.json)}
	for _, typed := range o.when {
		c, err := watch.ParseCondition(typed)
		if err != nil {
			return fmt.Errorf("--when: %w", err)
		}
		w.when = append(w.when, c)
	}
	if err := e.Flags.Check(); err != nil {
		return err
	}
	if err := w.file.See(); err != nil {
		return fmt.Errorf("%s: %w", env.DisplayName(w.file.Path), source.Plain(err))
	}
	if w.last, err = w.open(ctx); err != nil {
		return err
	}
	defer func() { w.last.Document.Close() }()
	if err := w.last.CheckReadable(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.WarnOfGuess(w.last)
	for i := range w.when {
		w.when[i].Becomes(w.last.Tree.NewReader())
		if err := w.when[i].Missing(w.last.Tree.NewReader()); err != nil {
			e.Tell("%s: --when %s: waiting for such a value: %v", name, w.when[i].Text, err)
		}
	}
	e.Tell("%s: waiting for it to be saved; ctrl+c ends", name)
	for o.count == 0 || w.saves < o.count {
		if err := w.next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// open opens a copy of the file as it is.
func (w *watcher) open(ctx context.Context) (*env.File, error) {
	o := model.Options{Options: w.Flags.Options(decoder.Settle), NoBackup: true, Loader: w.Loader()}
	doc, err := model.OpenCopy(ctx, w.file.Path, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.file.Path, err)
	}
	return &env.File{Document: doc, Name: w.file.Path}, nil
}

// next waits for the next save and prints what it has changed.
func (w *watcher) next(ctx context.Context) error {
	if err := w.file.Wait(ctx); err != nil {
		return err
	}
	f, err := w.openWhole(ctx)
	if err != nil || f == nil {
		return err
	}
	err = w.print(ctx, f)
	if err != nil {
		f.Document.Close()
		return err
	}
	w.last.Document.Close()
	w.last = f
	w.saves++
	return nil
}

// openWhole opens the file once it can be read to its end, or has stopped changing. It returns nil if it
// has no values then.
func (w *watcher) openWhole(ctx context.Context) (*env.File, error) {
	wasWhole, err := w.last.IsWhole(ctx)
	if err != nil {
		return nil, err
	}
	for told, until := false, time.Now().Add(patience); ; {
		f, err := w.open(ctx)
		switch {
		case errors.Is(err, os.ErrNotExist): // it is being replaced
			return nil, nil
		case err != nil:
			return nil, err
		}
		whole, err := f.IsWhole(ctx)
		if err == nil && (whole || !wasWhole) && w.file.IsSeen() {
			return f, nil
		}
		if err == nil && time.Now().After(until) {
			if f.CheckValues() == nil {
				w.Tell("%s: still damaged or incomplete; compared as far as it can be read", w.file.Path)
				return f, nil
			}
			w.Tell("%s: there are no longer any values in it", w.file.Path)
			f.Document.Close()
			return nil, nil
		}
		f.Document.Close()
		if err != nil {
			return nil, err
		}
		if !told {
			told = true
			w.Tell("%s: not completely written yet", w.file.Path)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(watch.Every):
		}
		w.file.See() // the next open reports the same error
	}
}

// print prints what differs from the last save, and which conditions have become true.
func (w *watcher) print(ctx context.Context, f *env.File) error {
	now := time.Now()
	p, err := w.newDiffPrinter(w.last, f, &w.diffOptions, w.out)
	if err != nil {
		return err
	}
	p.time = now.Format(time.RFC3339)
	if err := w.printChanges(ctx, p, f, now); err != nil {
		return err
	}
	for i := range w.when {
		if becomes, literal := w.when[i].Becomes(f.Tree.NewReader()); becomes {
			p.alert(w.when[i].Text, literal)
		}
	}
	if err := p.out.Flush(); err != nil {
		return err
	}
	return w.writePatch(ctx, f)
}

// printChanges prints how much differs from the last save, and what.
func (w *watcher) printChanges(ctx context.Context, p *diffPrinter, f *env.File, now time.Time) error {
	if err := bothOrNone(w.last, f); err != nil {
		w.Tell("%s: read as %s, which was read as %s", w.file.Path, f.ReadAs(), w.last.ReadAs())
		return nil
	}
	how := w.compared()
	how.Alike, how.SameDialect = f.ReadsAs(w.last.Document.Document), f.Dialect == w.last.Dialect
	changes, err := compare.All(ctx, w.last.Tree, f.Tree, how)
	if err != nil {
		return err
	}
	sum := *p
	for _, c := range changes {
		sum.tally.Add(c)
	}
	count := func(_, _ source.Source, _, _ span.Span) error { sum.bytes++; return nil }
	if err := diff.Outside(ctx, w.last.Document.Document, f.Document.Document, count); err != nil {
		return err
	}
	if !w.json {
		fmt.Fprintf(p.out, "%s  %s\n", now.Format(time.TimeOnly), sum.sum())
	}
	for _, c := range changes {
		if err := p.print(c); err != nil {
			return err
		}
	}
	return p.compareBytes(ctx, w.last, f)
}

// writePatch writes the patch from the last save to this one.
func (w *watcher) writePatch(ctx context.Context, f *env.File) error {
	if w.patches == "" {
		return nil
	}
	t, err := env.BeginValues(w.last.Document)
	if err == nil {
		var left []*compare.Change
		left, err = diff.Become(ctx, t, f.Tree, compare.Options{SameDialect: w.last.Dialect == f.Dialect})
		w.tellLeft(w.file.Path, left)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // the next save may have one again
		w.Tell("%s: no patch leads to this save: %v", w.file.Path, err)
		return nil
	}
	if err := os.MkdirAll(w.patches, 0o777); err != nil {
		return err
	}
	out := flags.Output{Path: filepath.Join(w.patches, fmt.Sprintf("%s-%04d.patch", time.Now().Format("20060102-150405"), w.saves+1))}
	return w.WritePatch(ctx, out, t)
}
