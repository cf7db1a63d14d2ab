package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder/tree"
	"varview/model"
	"varview/ui/text"
)

const getLong = `Print the value at a path, in the notation of var_to_str, or of GML for
Elephant's. Paths are those of dump: .name for a key or member, ["any text"] or
[3] for others and for indexes, .x for a component, @key for an entry's key. A
stream begins with the number of the value, [0]. The leading $ may be left out.
For a reference the path of its target is printed: ref($.player).

A path can stand for many values, which are printed one after the other: [*] and
.* for any step, .. for any number of steps, and a condition in brackets for one
to a value that meets it.`

const getExample = `  varview get savegame.dat '[0].player.pos.x'
  varview get --json savegame.dat '$[0].items[3]'
  varview get packet.bin '["any key"]'
  varview get saves/ '[0].gold'
  varview get savegame.dat '..enemies[type=="boss" && hp>0].name'`

type getOptions struct {
	json bool
	files.Selected
}

func (e commands) getCommand() *cobra.Command {
	var o getOptions
	cmd := &cobra.Command{
		Use:               "get FILE... PATH",
		Short:             "Print values",
		Long:              getLong,
		Example:           getExample,
		Args:              flags.WantsFiles(&o.Selected, 1, "a FILE and a PATH"),
		ValidArgsFunction: e.CompletePaths(""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.get(cmd.Context(), args[:len(args)-1], args[len(args)-1], &o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "in the form of export; of several files with their names: {\"file\": …, \"value\": …}")
	o.Register(cmd)
	return cmd
}

// get prints values of all files. One that cannot be read does not keep it from the others.
func (e commands) get(ctx context.Context, names []string, path string, o *getOptions) error {
	if err := e.Flags.Check(); err != nil {
		return err
	}
	batch := &files.Batch{Env: e.Env}
	found, err := o.Originals(ctx, batch, names)
	if err != nil {
		return err
	}
	return files.Each(ctx, batch, e.Stdout, slices.Values(found), func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		label := ""
		if o.Several(names) {
			label = env.DisplayName(f.Path)
		}
		return commands{one}.getIn(ctx, f, path, label, o.json, out)
	})
}

// getIn prints the values of one file, after its label if it has one.
func (e commands) getIn(ctx context.Context, file files.File, path, label string, asJSON bool, out io.Writer) (err error) {
	f, err := file.Open(ctx, e.Env)
	if f == nil || err != nil {
		return err
	}
	defer f.Finish(&err)
	r := f.Tree.NewReader()
	var progress model.Progress
	r.Passed = progress.Set
	quiet := sync.OnceFunc(e.WatchPrinting(progress.Share, "reading", f.Name))
	defer quiet()
	p, err := e.valuesAt(r, path)
	if err != nil {
		return err
	}
	form, indexed := writeForm(writeText), asJSON
	if asJSON {
		form = writeJSON
	}
	before, after := "", ""
	switch {
	case label != "" && asJSON:
		before, after = string(append(tree.AppendQuoted([]byte(`{"file":`), []byte(label)), `,"value":`...)), "}"
	case label != "":
		before = text.Clean(label) + ": "
	}
	found := false
	err = p(ctx, func(n *tree.Node) error {
		found = true
		if n.Damage != nil {
			quiet()
			e.Tell("%s: %#x %s: %s", env.DisplayName(f.Name), n.Damage.Offset, r.Path(n), n.Damage.Message)
		}
		if !indexed && f.HasSchemas() && (n.Refers || n.Layout >= tree.Sequence) { // the paths of what it refers to
			if err := f.Tree.BuildIndex(ctx); err != nil {
				return err
			}
			indexed = true
		}
		if _, err := io.WriteString(out, before); err != nil {
			return err
		}
		line := &unended{w: out}
		if err := cmp.Or(form(ctx, line, r, &n.Value), r.Window().Err()); err != nil {
			return err
		}
		_, err := io.WriteString(out, after+"\n")
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("no value has such a path: %s", path)
	}
	return err
}

// An unended writer leaves out the end of the last line.
type unended struct {
	w    io.Writer
	held bool // it is the next byte, if there is one
}

// Write implements io.Writer.
func (u *unended) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if u.held {
		if _, err := u.w.Write([]byte{'\n'}); err != nil {
			return 0, err
		}
	}
	b := p
	if u.held = p[len(p)-1] == '\n'; u.held {
		b = p[:len(p)-1]
	}
	if _, err := u.w.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}

// valuesAt returns what passes on the value at a path, or those that it stands for.
func (e commands) valuesAt(r *tree.Reader, path string) (func(context.Context, func(*tree.Node) error) error, error) {
	if !tree.IsPattern(path) {
		return func(ctx context.Context, each func(*tree.Node) error) error {
			n, err := env.Resolve(ctx, r, path)
			if err != nil {
				return err
			}
			return each(n)
		}, nil
	}
	p, err := tree.ParsePattern(path)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, each func(*tree.Node) error) error {
		in := r.Tree.NewReader()
		in.Passed = r.Passed
		return p.Each(ctx, in, each)
	}, nil
}
