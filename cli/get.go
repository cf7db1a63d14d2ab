package cli

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/internal/text"
	"varview/model"
)

const getLong = `Print the value at a path, in the notation of var_to_str, or of GML for
Elephant's. Paths are those of dump: .name for a key or member, ["any text"] or
[3] for others and for indexes, .x for a component, @key for an entry's key. A
stream begins with the number of the value, [0]. The leading $ may be left out.
For a reference the path of its target is printed: ref($.player).

A path leads on into what a text holds: JSON, Godot's text, the digits of a
GameMaker structure. What is packed or encrypted in a value is opened where the
path says so: 'save@open.gold'.

A path can stand for many values, which are printed one after another: [*] and
.* for any step, .. for any number of steps, and a condition in brackets for any
step to a value that meets it. _ is the value itself, tags# the number of values
in tags.

` + condition.Help

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
	cmd.Flags().BoolVar(&o.json, "json", false, "in the form of export; for several files with their names: {\"file\": …, \"value\": …}")
	o.Register(cmd)
	return cmd
}

// get prints values of all files.
func (e commands) get(ctx context.Context, names []string, path string, o *getOptions) error {
	return o.Each(ctx, e.Env, &text.Harmless{W: e.Stdout}, names, func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		return commands{one}.getIn(ctx, f, path, o.json, out)
	})
}

// getIn prints the values of one file, after its label if it has one.
func (e commands) getIn(ctx context.Context, file files.File, path string, asJSON bool, out io.Writer) (err error) {
	f, err := file.Open(ctx, e.Env)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	in, path, done, err := f.Reach(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	r := in.Innermost().Tree().NewReader()
	var progress model.Progress
	r.Passed = progress.Set
	quiet := sync.OnceFunc(e.WatchPrinting(progress.Share, "reading", f.Name))
	defer quiet()
	form, before := labelled(writeJSON, file.Label()), ""
	indexed := asJSON
	if !asJSON {
		form = writeText
		if label := file.Label(); label != "" {
			before = text.Clean(label) + ": "
		}
	}
	err = r.EachAt(ctx, path, func(n *tree.Node) error {
		if n.Damage != nil {
			quiet()
			e.Tell("%s: %#x %s: %s", env.DisplayName(f.Name), n.Damage.Offset, r.Path(n), n.Damage.Message)
		}
		if !indexed && f.HasSchemas() && (n.Refers || n.Layout >= tree.Sequence) { // references are printed as paths, which need the index
			if err := r.Tree.BuildIndex(ctx); err != nil {
				return err
			}
			indexed = true
		}
		if _, err := io.WriteString(out, before); err != nil {
			return err
		}
		return writeEnded(ctx, r, &n.Value, form, out)
	})
	if err == tree.ErrNoMatch {
		err = fmt.Errorf("%w: %s", err, path)
	}
	return err
}
