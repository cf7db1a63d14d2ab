package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/internal/lineender"
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
in tags. [-1] is the last element, [-3:] are the last three.

Several PATHs are printed one after another; with --json as one list, or as one
object if each is NAME=PATH, where null stands for what a file lacks, and the
exit status is 1.

` + condition.Help

const getExample = `  varview get savegame.dat '[0].player.pos.x'
  varview get --json savegame.dat '$[0].items[-1]'
  varview get savegame.dat name=..player.name gold=..gold --json
  varview get packet.bin '["any key"]'
  varview get saves/ '[0].gold'
  varview get savegame.dat '..enemies[type=="boss" && hp>0].name'`

type getOptions struct {
	json, typed bool
	files.Selected
}

func (e commands) getCommand() *cobra.Command {
	var o getOptions
	cmd := &cobra.Command{
		Use:               "get FILE... PATH...",
		Short:             "Print values",
		Long:              getLong,
		Example:           getExample,
		Args:              flags.WantsFiles(&o.Selected, 1, "a FILE and a PATH"),
		ValidArgsFunction: e.CompletePaths(""),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, paths := flags.Divide(cmd, args[:len(args)-1], &o.Selected, files.IsThere)
			return e.get(cmd.Context(), names, append(paths, args[len(args)-1]), &o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "as plain JSON; for several files with their names: {\"file\": …, \"value\": …}")
	cmd.Flags().BoolVar(&o.typed, "typed", false, "as JSON that loses nothing, in the form of export")
	o.Register(cmd)
	return cmd
}

// A named is a path of several, with its name.
type named struct{ name, path string }

// namedPaths reads NAME=PATH arguments: all of them have names, or none.
func namedPaths(args []string) (all []named, hasNames bool, err error) {
	for i, arg := range args {
		name, path, ok := strings.Cut(arg, "=")
		if ok = ok && name != "" && !strings.ContainsAny(name, `.$[{"@#`); !ok {
			name, path = "", arg
		}
		if i > 0 && ok != hasNames {
			return nil, false, fmt.Errorf("%q: either all paths are NAME=PATH, or none", arg)
		}
		all, hasNames = append(all, named{name, path}), ok
	}
	return all, hasNames, nil
}

// get prints values of all files.
func (e commands) get(ctx context.Context, names, args []string, o *getOptions) error {
	paths, hasNames, err := namedPaths(args)
	if err != nil {
		return err
	}
	together := (o.json || o.typed) && (hasNames || len(paths) > 1)
	return o.Each(ctx, e.Env, &text.Harmless{W: e.Stdout}, names, func(ctx context.Context, one *env.Env, file files.File, out io.Writer) (err error) {
		f, err := file.Open(ctx, one)
		if err != nil {
			return err
		}
		defer f.Finish(&err)
		if err := f.CheckNotEmpty(); err != nil {
			return err
		}
		if together {
			return commands{one}.getTogether(ctx, f, file.Label(), paths, o, out)
		}
		for _, p := range paths {
			label := file.Label()
			if p.name != "" && label != "" {
				label += ": " + p.name
			} else if p.name != "" {
				label = p.name
			}
			if err := (commands{one}).getIn(ctx, f, label, p.path, o, out); err != nil {
				return err
			}
		}
		return nil
	})
}

// getTogether prints the values at several paths as one list or object.
func (e commands) getTogether(ctx context.Context, f *env.File, label string, paths []named, o *getOptions, out io.Writer) error {
	var all bytes.Buffer
	missing := false
	before, end := "[", "]"
	if paths[0].name != "" {
		before, end = "{", "}"
	}
	for _, p := range paths {
		all.WriteString(before)
		before = ","
		if p.name != "" {
			all.Write(append(tree.AppendQuoted(nil, []byte(p.name)), ':'))
		}
		var values bytes.Buffer
		err := e.getIn(ctx, f, "", p.path, o, &values)
		if absent := (*tree.PathError)(nil); errors.As(err, &absent) || errors.Is(err, tree.ErrNoMatch) {
			e.Tell("%s: %v", env.DisplayName(f.Name), err)
			missing = true
			values.WriteString("null")
		} else if err != nil {
			return err
		}
		if joined := bytes.ReplaceAll(bytes.TrimSpace(values.Bytes()), []byte{'\n'}, []byte{','}); tree.IsPattern(p.path) && values.String() != "null" {
			fmt.Fprintf(&all, "[%s]", joined)
		} else {
			all.Write(joined)
		}
	}
	all.WriteString(end)
	write := labelled(func(_ context.Context, out io.Writer, _ *tree.Reader, _ *tree.Value) error {
		_, err := out.Write(all.Bytes())
		return err
	}, label)
	lines := &lineender.Writer{W: out}
	if err := cmp.Or(write(ctx, lines, nil, nil), lines.End()); err != nil || !missing {
		return err
	}
	return env.ErrProblems
}

// getIn prints the values at a path of one file, after a label if it has one.
func (e commands) getIn(ctx context.Context, f *env.File, label, path string, o *getOptions, out io.Writer) error {
	err := f.EachReached(ctx, path, func(in *model.Document, rest string) error {
		return e.printIn(ctx, f, in, label, rest, o, out)
	})
	if err == tree.ErrNoMatch {
		err = fmt.Errorf("%w: %s", err, path)
	}
	return err
}

// damageIn returns the first problem because of which a value in a container cannot be read; nil if there is none.
func damageIn(ctx context.Context, r *tree.Reader, n *tree.Node) (first *span.Problem) {
	s := r.Scan(n)
	s.PassOrdinary = true
	s.Run(ctx, func(ev tree.Event) bool {
		if ev == tree.Leave && s.Depth() <= n.Depth {
			return false
		}
		if ev != tree.Passed {
			first = s.Value().Damage
		}
		return first == nil
	})
	return first
}

// printIn prints the values at a path of a document that a file is or holds.
func (e commands) printIn(ctx context.Context, f *env.File, in *model.Document, label, path string, o *getOptions, out io.Writer) error {
	r := in.Innermost().Tree().NewReader()
	var progress model.Progress
	r.Passed = progress.Set
	quiet := sync.OnceFunc(e.WatchPrinting(progress.Share, "reading", f.Name))
	defer quiet()
	form, before := labelled(writePlain, label), ""
	indexed := o.json || o.typed
	switch {
	case o.typed:
		form = labelled(writeJSON, label)
	case !o.json:
		form = writeText
		if label != "" {
			before = text.Clean(label) + ": "
		}
	}
	const most = 16 << 20 // bytes of a buffer in which it is looked whether keys are repeated
	single := !tree.IsPattern(path) && in.Innermost().Size() <= most
	return r.EachAt(ctx, path, func(n *tree.Node) (err error) {
		if single {
			if n, err = e.LastOfRepeated(r, n, f.Name, path, "printed", env.RepeatedKeys{}); err != nil {
				return err
			}
		}
		if n.Damage != nil {
			quiet()
			e.Tell("%s: %#x %s: %s", env.DisplayName(f.Name), n.Damage.Offset, r.Path(n), n.Damage.Message)
		} else if n.Layout >= tree.Sequence && in.Innermost().Size() <= most/16 {
			if p := damageIn(ctx, r, n); p != nil {
				quiet()
				e.Tell("%s: %#x: %s", env.DisplayName(f.Name), p.Offset, p.Message)
			}
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
}
