package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/guess"
	"varview/internal/text"
	"varview/model"
)

const ksyNewLong = `Print the start of a Kaitai Struct description of an unknown file: what "guess"
notices in it, with its likelihood as comments, and everything else as unknown
bytes. Sizes of packed bytes and checksums are described so that they follow
edits. Other saves of the game tell what varies: the numbers that differ in
them are described with their values, up to where the files are too unlike.`

func (e commands) ksyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ksy",
		Short: "Begin and check descriptions of formats of one's own",
		RunE: func(*cobra.Command, []string) error {
			return errors.New(`ksy takes new, check or fit, and a FILE ("varview ksy new --help" says more)`)
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:               "new FILE...",
		Short:             "Print the start of a description of an unknown file",
		Long:              ksyNewLong,
		Example:           "  varview ksy new slot1.sav slot2.sav slot3.sav > game.ksy\n  varview dump --ksy game.ksy slot1.sav",
		Args:              flags.Wants(1, flags.AnyNumber, "one or more FILEs"),
		ValidArgsFunction: flags.CompleteFiles(-1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := e.toGuess(cmd.Context(), args)
			if err == nil {
				_, err = fmt.Fprint(&text.Harmless{W: e.Stdout}, guess.Describe(files[0], model.DescriptionID(args[0]), files[1:]...))
			}
			return err
		},
	})
	cmd.AddCommand(e.ksyCheckCommand(), e.ksyFitCommand())
	return cmd
}

const ksyCheckLong = `Find what is wrong with Kaitai Struct descriptions, without any data: names that
mean nothing and what they may be meant for, names that are there twice,
expressions of the wrong type, keys that do not belong together, texts without
an encoding, errors of YAML. Each problem has its line and column.

The exit status is 1 if there are problems, and 2 if a file could not be read.`

func (e commands) ksyCheckCommand() *cobra.Command {
	var asJSON bool
	var dirs []string
	cmd := &cobra.Command{
		Use:     "check FORMAT.ksy...",
		Short:   "Find what is wrong with descriptions",
		Long:    ksyCheckLong,
		Example: "  varview ksy check game.ksy",
		Args:    flags.Wants(1, flags.AnyNumber, "one or more FORMAT.ksy"),
		RunE:    func(_ *cobra.Command, args []string) error { return e.ksyCheck(args, dirs, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object per problem")
	cmd.Flags().StringArrayVar(&dirs, "ksy-path", nil, "folder `DIR` in which imports are looked for, repeatable")
	return cmd
}

// ksyCheck prints what is wrong with descriptions.
func (e commands) ksyCheck(names, dirs []string, asJSON bool) error {
	out := bufio.NewWriter(&text.Harmless{W: e.Stdout})
	n := 0
	for _, name := range names {
		all, err := decoder.CheckDescription(name, dirs)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		for _, p := range all {
			if asJSON {
				json.NewEncoder(out).Encode(map[string]any{"file": p.File, "line": p.Line, "column": p.Column, "message": p.Text})
			} else if fmt.Fprintln(out, p); p.Source != "" {
				fmt.Fprintln(out, p.Mark())
			}
		}
		n += len(all)
	}
	if err := out.Flush(); err != nil || n == 0 {
		return err
	}
	return env.ErrProblems
}

const ksyFitLong = `Hold a description against many files: say which fields never vary, which values
they have, so that "valid" can check them, which equal the size of a file or a
field, a number of elements, an offset or a checksum, and what no field claims.
Each line has what a description would say of it. A DIR is all files in it that
the description can read.`

func (e commands) ksyFitCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "fit FORMAT.ksy FILE|DIR...",
		Short:   "Say what holds in many files, and a description does not say yet",
		Long:    ksyFitLong,
		Example: "  varview ksy fit game.ksy saves/",
		Args:    flags.Wants(2, flags.AnyNumber, "a FORMAT.ksy, and files or folders with files of the format"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.ksyFit(cmd.Context(), args[0], args[1:], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line")
	return cmd
}

// ksyFit prints what holds in files.
func (e commands) ksyFit(ctx context.Context, ksy string, args []string, asJSON bool) error {
	by, err := decoder.ReadDescription(ksy, nil)
	if err != nil {
		return err
	}
	var names []string
	finder := files.Finder{Fail: e.Tell, Tell: e.Tell}
	for f := range finder.Find(args) {
		if f.Folder == "" || filepath.Ext(f.Path) != ".ksy" {
			names = append(names, f.Path)
		}
	}
	var regions []format.Region
	for _, name := range names {
		doc, err := model.Open(ctx, name, model.Options{Options: decoder.Options{Described: by}, ReadOnly: true})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer doc.Close()
		t := doc.Innermost().Tree()
		regions = append(regions, format.Region{Src: t.Source, At: t.Region})
	}
	found, problems, err := by.(format.Custom).Fit(ctx, regions)
	if err != nil {
		return err
	}
	for i, p := range problems {
		e.Tell("%s does not count: %v", names[i], p)
	}
	if len(problems) == len(names) {
		return fmt.Errorf("%s reads none of the files", ksy)
	}
	out := bufio.NewWriter(&text.Harmless{W: e.Stdout})
	if read := len(names) - len(problems); len(found) == 0 && !asJSON {
		fmt.Fprintf(out, "%s: nothing that the description does not say already; looked for values and ranges that all have (in 2 files or more) and for sizes, numbers, offsets and checksums (in 3 or more), and for bytes that nothing claims\n", span.Counted(int64(read), "file"))
	}
	for _, f := range found {
		if asJSON {
			err = errors.Join(err, json.NewEncoder(out).Encode(map[string]string{"path": f.Path, "says": f.Says, "ksy": f.Ksy}))
			continue
		}
		line := strings.TrimSpace(f.Path + " " + f.Says)
		if f.Ksy != "" {
			line += "  [" + f.Ksy + "]"
		}
		fmt.Fprintln(out, line)
	}
	return errors.Join(err, out.Flush())
}
