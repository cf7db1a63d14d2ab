package edits

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/span"
	"varview/internal/atomicfile"
	"varview/internal/text"
	"varview/model"
)

const restoreLong = `Put back the copy FILE~ that a command or the program has kept when it saved
FILE. What FILE holds now becomes FILE~, so that a second restore undoes the
first. In a folder, or for a pattern, all files that have such a copy are put
back; each line says how old the copy is.`

const restoreExample = `  varview restore savegame.dat
  varview restore saves/ --dry-run
  varview restore saves/ --max-age 1h`

type restoreOptions struct {
	files.Selected
	dryRun bool
	maxAge time.Duration
}

func (e commands) restoreCommand() *cobra.Command {
	var o restoreOptions
	cmd := &cobra.Command{
		Use:               "restore FILE...",
		Short:             "Put back the copies FILE~ that saving has kept",
		Long:              restoreLong,
		Example:           restoreExample,
		Args:              flags.WantsFiles(&o.Selected, 0, "a FILE"),
		ValidArgsFunction: flags.CompleteFiles(flags.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.Each(cmd.Context(), e.Env, e.ForPeople(e.Stdout), args, func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
				return commands{Env: one}.restore(ctx, f, &o, out)
			})
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only say what would be put back")
	cmd.Flags().DurationVar(&o.maxAge, "max-age", 0, "only copies that are at most `AGE` old, as 90m or 24h")
	cmd.RegisterFlagCompletionFunc("max-age", cobra.NoFileCompletions)
	o.Register(cmd)
	return cmd
}

// restore puts the copy of one file back.
func (e commands) restore(ctx context.Context, f files.File, o *restoreOptions, out io.Writer) error {
	name := strings.TrimSuffix(f.Path, "~")
	kept := atomicfile.BackupName(name)
	info, err := os.Stat(kept)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Folder != "":
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no copy %s", env.DisplayName(name), filepath.Base(kept))
	case err != nil:
		return err
	}
	age := time.Since(info.ModTime())
	if o.maxAge > 0 && age > o.maxAge {
		return nil
	}
	said := fmt.Sprintf("%s: %s, %s old, %s", name, filepath.Base(kept), age.Round(time.Second), span.Counted(info.Size(), "byte"))
	switch same, err := haveSameBytes(name, kept); {
	case err != nil:
		return err
	case same:
		said += "; the same"
	case o.dryRun:
		said += "; would be put back"
	default:
		if err := e.putBack(ctx, name, kept); err != nil {
			return fmt.Errorf("%s: %w", env.DisplayName(name), err)
		}
		said += "; put back"
	}
	_, err = fmt.Fprintln(out, text.Clean(said))
	return err
}

// putBack exchanges a file and its copy, or makes the file again where it is gone.
func (e commands) putBack(ctx context.Context, name, kept string) error {
	copied, err := model.OpenCopy(ctx, kept, model.Options{Options: e.Flags.Options(decoder.Quick), ReadOnly: true})
	if err != nil {
		return err
	}
	defer copied.Close()
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return e.SaveAs(ctx, copied, model.SaveOptions{Path: name})
	}
	doc, err := e.OpenBound(ctx, name, decoder.Quick, model.Options{Alone: true})
	if err != nil {
		return err
	}
	defer doc.Close()
	return doc.ReplaceBy(ctx, copied, model.SaveOptions{}, new(model.Progress))
}

// haveSameBytes reports whether two files have the same bytes; no file has those of another.
func haveSameBytes(a, b string) (bool, error) {
	x, err := openfile.Read(a)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := openfile.Read(b)
	if err != nil {
		return false, err
	}
	defer y.Close()
	return sameContent(x, y)
}

func sameContent(a, b io.Reader) (bool, error) {
	var x, y [64 << 10]byte
	for {
		n, err := io.ReadFull(a, x[:])
		m, err2 := io.ReadFull(b, y[:])
		switch {
		case n != m || string(x[:n]) != string(y[:m]):
			return false, nil
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return true, nil
		case err != nil || err2 != nil:
			return false, errors.Join(err, err2)
		}
	}
}
