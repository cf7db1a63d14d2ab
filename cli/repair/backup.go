package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"varview/cli/env"
	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/backups"
)

// takeBackup replaces a damaged file by the newest intact copy beside it.
func takeBackup(ctx context.Context, e *env.Env, name string, o *Options, out io.Writer) (err error) {
	if name == "-" {
		return errors.New("--from-backup needs a file, not standard input")
	}
	doc, err := e.OpenBound(ctx, name, decoder.Through, model.Options{NoBackup: o.NoBackup, Alone: !o.DryRun && o.Replaces(name)})
	if err != nil {
		return err
	}
	defer doc.Close()
	errs := 0
	err = doc.Check(ctx, new(model.Progress), func(p model.BufferProblem) bool {
		if p.Severity == span.Error {
			errs++
		}
		return errs == 0
	})
	if err != nil {
		return err
	}
	if !backups.IsNeeded(doc, errs) {
		return errors.New("it reads without an error, so no copy replaces it")
	}
	b, err := backups.Find(ctx, doc)
	if err != nil {
		return err
	}
	said := env.DisplayName(name) + ": " + b.Said(name)
	if !o.DryRun {
		kept, err := backups.Take(ctx, doc, b, model.SaveOptions{Path: o.Path, Force: o.Force, InPlace: o.InPlace})
		if err != nil {
			return env.OtherWays(err)
		}
		said += "; taken"
		if kept != "" {
			said += ", the damaged file is " + filepath.Base(kept)
		}
	}
	_, err = fmt.Fprintf(out, "%s\n", text.Append(nil, said))
	return err
}
