package repair

import (
	"context"
	"os"
	"path/filepath"

	"varview/cli/flags"
	"varview/decoder"
	"varview/internal/atomicfile"
	"varview/model"
)

// toStage writes the document, as repairs of its wrappers have left it, into a temporary
// file and continues with that: what wrappers hold can be edited only once they are written.
func (r *repairer) toStage(ctx context.Context) error {
	o := model.Options{Options: r.Flags.Options(decoder.Through), GML: r.Flags.Schemas, NoBackup: true, Bound: true}
	if r.name != "-" {
		o.GML = append(o.GML, filepath.Dir(r.name)) // where schemas were found by themselves
	}
	doc, err := model.OpenWritten(ctx, r.doc, o)
	if err != nil {
		return err
	}
	if r.doc != r.first {
		err = r.doc.Close()
	}
	r.doc, r.staged = doc, true
	return err
}

// writeStaged writes the document to where the repaired file is wanted.
func (r *repairer) writeStaged(ctx context.Context) error {
	switch {
	case r.o.Path == "-":
		return r.SaveToOutput(ctx, r.doc, &r.o.Edit)
	case r.o.Path != "" && !flags.IsSameFile(r.o.Path, r.name):
		return r.SaveAs(ctx, r.doc, model.SaveOptions{Path: r.o.Path, Force: r.o.Force})
	}
	o := atomicfile.Options{Unchanged: func() error {
		if how := r.first.Changed(); how != "" && !r.o.Force {
			return &model.ChangedError{How: how}
		}
		return nil
	}}
	if !r.o.NoBackup {
		o.Backup = r.name + "~"
	}
	return atomicfile.Replace(ctx, r.name, o, func(ctx context.Context, to *os.File) error {
		return r.doc.WriteTo(ctx, to, model.SaveOptions{}, new(model.Progress))
	})
}
