package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder/tree"
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
  varview get savegame.dat '..enemies[type=="boss" && hp>0].name'`

func (e commands) getCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "get FILE PATH",
		Short:             "Print one value",
		Long:              getLong,
		Example:           getExample,
		Args:              flags.Wants(2, 2, "a FILE and a PATH"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.get(cmd.Context(), args[0], args[1], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "in the form of export")
	return cmd
}

func (e commands) get(ctx context.Context, name, path string, asJSON bool) (err error) {
	f, err := e.OpenValues(ctx, name)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	r := f.Tree.NewReader()
	p, err := e.valuesAt(r, path)
	if err != nil {
		return err
	}
	form, indexed := writeForm(writeText), asJSON
	if asJSON {
		form = writeJSON
	}
	found := false
	err = p(ctx, func(n *tree.Node) error {
		found = true
		if n.Damage != nil {
			e.Tell("%s: %#x %s: %s", env.DisplayName(f.Name), n.Damage.Offset, r.Path(n), n.Damage.Message)
		}
		if !indexed && f.HasSchemas() && (n.Refers || n.Layout >= tree.Sequence) { // the paths of what it refers to
			if err := f.Tree.BuildIndex(ctx); err != nil {
				return err
			}
			indexed = true
		}
		return e.write(ctx, r, &n.Value, form)
	})
	if err == nil && !found {
		err = fmt.Errorf("no value has such a path: %s", path)
	}
	return err
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
		return p.Each(ctx, r.Tree.NewReader(), each)
	}, nil
}
