package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/flags"
	"varview/decoder/guess"
	"varview/internal/text"
)

const ksyNewLong = `Print the start of a Kaitai Struct description of an unknown file: what "guess"
notices in it, with its likelihood as comments, and everything else as unknown
bytes. Sizes of packed bytes and checksums are described so that they follow
edits.`

func (e commands) ksyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ksy",
		Short: "Begin descriptions of formats of one's own",
		RunE: func(*cobra.Command, []string) error {
			return errors.New(`ksy takes new and a FILE ("varview ksy new --help" says more)`)
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:               "new FILE",
		Short:             "Print the start of a description of an unknown file",
		Long:              ksyNewLong,
		Example:           "  varview ksy new slot1.sav > game.ksy\n  varview dump --ksy game.ksy slot1.sav",
		Args:              flags.Wants(1, 1, "a FILE"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.ksyNew(cmd.Context(), args[0])
		},
	})
	return cmd
}

var notInID = regexp.MustCompile(`[^a-z0-9_]+`)

// ksyNew prints the start of a description of a file.
func (e commands) ksyNew(ctx context.Context, name string) error {
	f, err := e.toGuess(ctx, name)
	if err != nil {
		return err
	}
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)))
	id := "format_" + strings.Trim(notInID.ReplaceAllString(base, "_"), "_")
	_, err = fmt.Fprint(&text.Harmless{W: e.Stdout}, guess.Describe(f, strings.TrimSuffix(id, "_")))
	return err
}
