package cli

import (
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/cli/settings"
	"varview/internal/folders"
)

const configLong = `Print the configuration in effect: all settings with what they mean, and where
each value is from. The output is a configuration itself, to start one with.

It is read from varview/config.toml in the folder for configurations (~/.config
on Linux), or from the file that VARVIEW_CONFIG names; an empty VARVIEW_CONFIG
means none. Flags take precedence. An error in it is reported with its line,
and only affects its own setting.`

const configExample = `  varview config
  varview config > my.toml && VARVIEW_CONFIG=my.toml varview savegame.dat`

func (e commands) configCommand() *cobra.Command {
	var asJSON, toAssociate, toDissociate bool
	cmd := &cobra.Command{
		Use:               "config",
		Short:             "Print the configuration, and where its values are from",
		Long:              configLong,
		Example:           configExample,
		Args:              flags.Wants(0, 0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case toAssociate:
				return associate(e.Stdout)
			case toDissociate:
				return dissociate(e.Stdout)
			}
			print := e.Settings.Print
			if asJSON {
				print = e.Settings.PrintJSON
			}
			if err := print(e.Stdout); err != nil {
				return err
			}
			if len(e.Settings.Mistakes) > 0 {
				return env.ErrProblems
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the file, and each setting with its value and where that is from")
	cmd.Flags().BoolVar(&toAssociate, "associate", false, "on Windows: make this one of the programs to open saves with, by their extensions")
	cmd.Flags().BoolVar(&toDissociate, "dissociate", false, "undo that")
	cmd.MarkFlagsMutuallyExclusive("json", "associate", "dissociate")
	return cmd
}

// configure reads the configuration, and takes from it what flags do not set. Only the terminal program
// shows its mistakes itself.
func (e commands) configure(cmd *cobra.Command) {
	path := folders.Config()
	if named, ok := os.LookupEnv("VARVIEW_CONFIG"); ok {
		path = named
	}
	e.Settings = settings.Load(path)
	for _, x := range []struct {
		setting, flag string
		isOpposite    bool
	}{{"theme", "theme", false}, {"max-unpacked", "max-unpacked", false}, {"copy-limit", "copy-limit", false}, {"backup", "no-backup", true}, {"state", "no-state", true}} {
		flag := cmd.Flags().Lookup(x.flag)
		switch {
		case flag == nil:
		case flag.Changed && x.isOpposite:
			e.Settings.Override(x.setting, flag.Value.String() == "false", "--"+x.flag)
		case flag.Changed:
			e.Settings.Override(x.setting, flag.Value.String(), "--"+x.flag)
		case x.isOpposite:
			flag.Value.Set(strconv.FormatBool(!e.Settings.Is(x.setting)))
		case x.setting == "copy-limit" && e.Settings.Text(x.setting) == "0":
			cmd.Flags().Set("no-copy", "true")
		default:
			flag.Value.Set(e.Settings.Text(x.setting))
		}
	}
	e.Flags.Prefer = e.Settings.List("dialects")
	if !e.showsMistakes(cmd) {
		for _, err := range e.Settings.Mistakes {
			e.Tell("%v", err)
		}
	}
}

// showsMistakes reports whether a command is the terminal program.
func (e commands) showsMistakes(cmd *cobra.Command) bool { return !cmd.HasParent() && e.isTerminal() }
