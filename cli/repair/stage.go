package repair

import (
	"context"
	"path/filepath"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder"
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
		return r.SaveAs(ctx, r.doc, model.SaveOptions{Path: r.o.Path, Force: r.o.Force, InPlace: r.o.InPlace})
	}
	return env.InPlaceHint(r.first.ReplaceBy(ctx, r.doc, model.SaveOptions{Force: r.o.Force, InPlace: r.o.InPlace}, new(model.Progress)))
}
