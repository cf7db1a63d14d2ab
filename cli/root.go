// Package cli is the command line, with a file for each subcommand. It knows no format.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varview/cli/differ"
	"varview/cli/edits"
	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder/value/condition"
	"varview/internal/ending"
	"varview/model"
	"varview/themes"
)

// Exit statuses.
const (
	statusFine     = 0
	statusProblems = 1 // check found errors, repair has left some, nothing is there that is looked for, diff found differences or merge conflicts
	statusFailed   = 2 // something could not be read or done
)

// commands has a method for each command of the program.
type commands struct{ *env.Env }

// pages are the commands whose output can be longer than a terminal.
var pages = []string{"check", "diff", "dump", "export", "find", "formats", "get", "info", "table"}

// Main runs the command line of a process and returns the exit status.
func Main(args []string, stdin, stdout, stderr *os.File) int {
	limitMemory()
	signal.Ignore(syscall.SIGPIPE) // a write then fails, and the temporary file is removed
	return Run(args, stdin, stdout, stderr)
}

// Run runs the command line inside another process, whose memory it does not limit, and returns the exit
// status.
func Run(args []string, stdin, stdout, stderr *os.File) int {
	ctx, stop := ending.Context(context.Background())
	defer stop()
	e := commands{&env.Env{Stdin: stdin, Stdout: stdout, Stderr: stderr}}
	root := e.rootCommand()
	root.SetArgs(args)
	err := ending.Run(ctx, func() error { return root.ExecuteContext(ctx) })
	e.EndPage()
	return e.status(err)
}

// status reports an error and turns it into the exit status. A reader of the output that has gone away,
// as in "| head", is not an error.
func (e commands) status(err error) int {
	if status := ending.Status(err, version(), e.Tell); status != 0 {
		return status
	}
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return statusFine
	case errors.Is(err, env.ErrProblems):
		return statusProblems
	case errors.Is(err, env.ErrReported):
	default:
		e.Tell("%v", err)
	}
	return statusFailed
}

const rootLong = `varview shows what every byte of a game's save file or network packet is for:
the values on the left, the bytes on the right, one cursor in both. It reads
JSON, what Godot (3 and 4) and Pandemonium write with store_var, put_var and
var_to_bytes, Godot's resources (.tres, .res) and ConfigFile, and what Elephant
and others write for GameMaker; also compressed (GCPF, zlib), encrypted (GDEC)
or as text (base64, hex). It detects which of them a file is, and opens damaged
ones too. Nothing in a file is ever run.

Values and bytes can be edited: what depends on them follows, and nothing else
changes. A file is replaced when the new one is complete, and kept as FILE~.

The structs of an Elephant file are read with schemas in the game's GML. Those
next to the file and in its GameMaker project are found; --schema names others.`

// helpWidth is the largest width of the help in columns.
const helpWidth = 80

const rootExample = `  varview                               choose among the saves on this computer
  varview savegame.dat                  look into a file
  varview dump savegame.dat | less      every field, a line each
  varview get savegame.dat '[0].hp'     one value
  varview set savegame.dat '[0].hp=99'  change a value
  varview find savegame.dat 'key:hp'    where values are
  varview export savegame.dat           all values as JSON
  varview check saves/                  problems of the files in a folder
  varview repair savegame.dat           repair a file`

// colors are the values of --color.
var colors = []string{env.ColorAuto, env.ColorAlways, env.ColorNever}

// Command returns the command line with all its subcommands, for generating the manual and the
// completions.
func Command() *cobra.Command {
	return commands{&env.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}}.rootCommand()
}

func (e commands) rootCommand() *cobra.Command {
	o := model.Options{Guard: true, CopyLimit: 64 << 20}
	noCopy := false
	var given []string // NAME=VALUE
	root := &cobra.Command{
		Use:               "varview [FILE]",
		Short:             "Show what every byte of a game's save file or network packet is for",
		Long:              rootLong,
		Example:           rootExample,
		Version:           version(),
		Args:              e.rootArgs,
		ValidArgsFunction: flags.CompleteFiles(1),
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := fillArguments(cmd, args, given); err != nil {
				return err
			}
			if err := flags.CheckTogether(cmd); err != nil {
				return err
			}
			if e.Theme != "" {
				if _, err := themes.Load(e.Theme); err != nil {
					return fmt.Errorf("--theme: %w", err)
				}
			}
			e.configure(cmd)
			if slices.Contains(pages, cmd.Name()) {
				e.Page(cmd.Context())
			}
			return e.Flags.ReadPasswords(func(name string, most int64) ([]byte, error) { return e.ReadSecret(cmd.Context(), name, most) })
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if noCopy {
				o.CopyLimit = 0
			}
			return e.view(cmd.Context(), strings.Join(args, ""), o)
		},
	}
	root.SetOut(e.Stdout)
	root.SetErr(e.Stderr)
	root.SetVersionTemplate("varview {{.Version}}\n")
	root.SetUsageTemplate(usageTemplate(root.UsageTemplate()))
	root.SetFlagErrorFunc(flags.FlagError)
	root.SetHelpCommand(helpCommand())
	root.SetHelpFunc(help)
	root.PersistentFlags().Bool("all", false, "with --help: describe the command in full, with all flags and examples")
	e.Flags.Register(root)
	root.Flags().BoolVar(&o.ReadOnly, "read-only", false, "read only: nothing can be edited or saved")
	root.Flags().BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of the file as FILE~ when it is saved")
	root.Flags().Var(flags.ByteSize{Size: &o.CopyLimit}, "copy-limit", "copy a file of up to this size while it is open, so that other programs cannot change it")
	root.Flags().BoolVar(&noCopy, "no-copy", false, "make no private copy of the file while it is open")
	root.Flags().BoolVar(&e.NoState, "no-state", false, "remember nothing of this run: no history, marks or recent files")
	root.PersistentFlags().StringArrayVar(&given, "arg", nil, "`NAME=VALUE` that $NAME stands for in paths, conditions and values, quoted where it is text; repeatable")
	root.PersistentFlags().StringVar(&e.Theme, "theme", "", "colours: `NAME` is "+strings.Join(themes.Names(), ", ")+", or a theme file (default: as the terminal is)")
	root.PersistentFlags().Var(flags.OneOf{Value: &e.Color, Among: colors}, "color", "when output has colours: `WHEN` is "+strings.Join(colors, ", "))
	root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colors, cobra.ShellCompDirectiveNoFileComp))
	root.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(themes.Names(), cobra.ShellCompDirectiveDefault))
	root.AddCommand(
		e.dumpCommand(),
		e.exportCommand(),
		e.getCommand(),
		e.findCommand(),
		e.infoCommand(),
		e.layersCommand(),
		e.checkCommand(),
		e.packetsCommand(),
		e.listenCommand(),
		e.formatsCommand(),
		e.guessCommand(),
		e.ksyCommand(),
		e.repairCommand(),
		e.recoverCommand(),
		e.configCommand(),
		e.gitCommand(),
		e.versionCommand(),
		flagsTopic(),
	)
	root.AddCommand(edits.Commands(e.Env)...)
	root.AddCommand(differ.Commands(e.Env, e.decide)...)
	replaceScripts(root)
	return root
}

// filled are the flags whose values are conditions, queries or paths.
var filled = []string{"where", "only", "filter", "when", "columns"}

// fillArguments puts the values of --arg where $NAME stands in the arguments of a command, which it changes.
func fillArguments(cmd *cobra.Command, args, given []string) (err error) {
	values := map[string]string{}
	for _, one := range given {
		name, value, ok := strings.Cut(one, "=")
		if !ok || !condition.IsName(name) {
			return fmt.Errorf("--arg %s: this is not NAME=VALUE, as in --arg id=5", one)
		}
		values[name] = value
	}
	if len(values) == 0 {
		return nil
	}
	for i := range args {
		args[i] = condition.Fill(args[i], values)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(filled, f.Name) && f.Value.Type() == "string" {
			err = cmp.Or(err, f.Value.Set(condition.Fill(f.Value.String(), values)))
		}
	})
	return err
}

// usageTemplate returns cobra's template with wrapped lines. Instead of listing the flags that all
// commands have, it says where to find them.
func usageTemplate(cobras string) string {
	const global = "{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}"
	cobras = strings.Replace(cobras, "Global Flags:\n"+global, `"{{.Root.Name}} help flags" lists the flags of all commands.`, 1)
	return strings.ReplaceAll(cobras, ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", helpWidth))
}

// flagsTopic returns the help about the flags that all commands have.
func flagsTopic() *cobra.Command {
	topic := &cobra.Command{Use: "flags", Short: "The flags of all commands"}
	topic.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		fmt.Fprintf(cmd.OutOrStdout(), "These flags go with every command, before or after its name.\n\n%s", cmd.Root().PersistentFlags().FlagUsagesWrapped(helpWidth))
	})
	return topic
}

// rootArgs accepts one file, or no argument in a terminal; elsewhere, no argument prints the usage. If
// there are several arguments, the first is probably a misspelt command.
func (e commands) rootArgs(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		if e.isTerminal() {
			return nil
		}
		fmt.Fprintf(e.Stderr, "%s\n\nUsage:\n  varview FILE\n  varview COMMAND FILE\n\nExamples:\n%s\n\n\"varview --help\" says more.\n",
			cmd.Short, cmd.Example)
		return env.ErrReported
	}
	if likely := suggestions(cmd, args[0]); likely != "" {
		return fmt.Errorf("there is no command %q; did you mean %s?", args[0], likely)
	}
	return fmt.Errorf("one file at a time, not %d (\"varview get FILE PATH\" prints a value, \"varview --help\" lists the commands)", len(args))
}

// suggestions returns the commands for which a word may be meant: "get or set".
func suggestions(root *cobra.Command, word string) string {
	root.SuggestionsMinimumDistance = 2
	return strings.Join(root.SuggestionsFor(word), " or ")
}

// helpCommand returns the command that prints the help of a command, and fails for a command that does
// not exist.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, c := range cmd.Root().Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) == 0 {
				found.InitDefaultHelpFlag()
				return found.Help()
			}
			word := strings.Join(rest, " ")
			if likely := suggestions(cmd.Root(), word); likely != "" {
				return fmt.Errorf("there is no command %q; did you mean %s?", word, likely)
			}
			return fmt.Errorf("there is no command %q (\"varview --help\" lists the commands)", word)
		},
	}
}
