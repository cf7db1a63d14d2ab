package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
)

const gitLong = `Set up git so that git diff, git log -p and git show compare saves by their
values, git difftool -t varview by structure, and git merge merges them. Without
--global, only in this repository. Then name the saves in .gitattributes:

  *.dat diff=varview merge=varview

Without a flag it prints what is set.`

const gitExample = `  varview git --install
  varview git --install --global
  varview git --remove`

// gitSettings are what git is told of the program.
var gitSettings = [][2]string{
	{"diff.varview.textconv", "varview diff --textconv"},
	{"difftool.varview.cmd", `varview diff "$LOCAL" "$REMOTE"`},
	{"merge.varview.name", "by values"},
	{"merge.varview.driver", "varview merge %O %A %B -o %A --named %P --force --no-backup"},
	{"mergetool.varview.cmd", `varview merge "$BASE" "$LOCAL" "$REMOTE" -o "$MERGED" --force --no-backup --interactive`},
	{"mergetool.varview.trustExitCode", "true"},
}

func (e commands) gitCommand() *cobra.Command {
	var install, remove, global bool
	cmd := &cobra.Command{
		Use:               "git",
		Short:             "Set up git to compare and merge saves by their values",
		Long:              gitLong,
		Example:           gitExample,
		Args:              flags.Wants(0, 0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where := "--local"
			if global {
				where = "--global"
			}
			for _, s := range gitSettings {
				var err error
				switch {
				case install:
					_, err = e.git(cmd, "config", where, s[0], s[1])
				case remove:
					err = e.removeSetting(cmd, where, s[0])
				default:
					err = e.printSetting(cmd, where, s[0])
				}
				if err != nil {
					return err
				}
			}
			if install {
				e.Tell("git knows varview now; name the saves in .gitattributes: *.dat diff=varview merge=varview")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, "set it up")
	cmd.Flags().BoolVar(&remove, "remove", false, "undo that")
	cmd.Flags().BoolVar(&global, "global", false, "for all repositories of this user")
	cmd.MarkFlagsMutuallyExclusive("install", "remove")
	return cmd
}

// git runs git. A setting that is not there has the status 1 or 5 and no message.
func (e commands) git(cmd *cobra.Command, args ...string) (out string, err error) {
	b, err := exec.CommandContext(cmd.Context(), "git", args...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && len(failed.Stderr) > 0 {
		return "", fmt.Errorf("git %s: %s (--global is for all repositories)", strings.Join(args[:2], " "), strings.TrimSpace(string(failed.Stderr)))
	}
	return strings.TrimSuffix(string(b), "\n"), err
}

// printSetting prints a setting that is set.
func (e commands) printSetting(cmd *cobra.Command, where, name string) error {
	value, err := e.git(cmd, "config", where, "--get", name)
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil
	}
	if err == nil {
		_, err = fmt.Fprintf(e.ForPeople(e.Stdout), "%s=%s\n", name, value)
	}
	return err
}

// removeSetting removes a setting, and the section around it once that is empty, which git does.
func (e commands) removeSetting(cmd *cobra.Command, where, name string) error {
	_, err := e.git(cmd, "config", where, "--unset-all", name)
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() == 5 {
		return nil
	}
	return err
}
