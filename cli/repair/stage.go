package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"varview/cli/flags"
	"varview/decoder"
	"varview/internal/atomicfile"
	"varview/model"
)

// A stage is a folder with the file as repairs of its wrappers have left it: what
// they hold can be edited only once they are written.
type stage struct {
	folder string
	files  int
}

// next is a path for another file.
func (s *stage) next() string {
	s.files++
	return filepath.Join(s.folder, fmt.Sprintf("%d", s.files))
}

func (s *stage) remove() { os.RemoveAll(s.folder) }

// toStage writes the document, and continues with what was written.
func (r *repairer) toStage(ctx context.Context) error {
	if r.stage == nil {
		folder, err := os.MkdirTemp("", "varview-*")
		if err != nil {
			return err
		}
		r.stage = &stage{folder: folder}
	}
	path := r.stage.next()
	if err := r.SaveAs(ctx, r.doc, model.SaveOptions{Path: path}); err != nil {
		return err
	}
	o := model.Options{Options: r.Flags.Options(decoder.Through), GML: r.Flags.Schemas, NoBackup: true, Bound: true}
	if r.name != "-" {
		o.GML = append(o.GML, filepath.Dir(r.name)) // where schemas were found by themselves
	}
	doc, err := model.Open(ctx, path, o)
	if err != nil {
		return err
	}
	if r.doc != r.first {
		err = r.doc.Close()
	}
	r.doc = doc
	return err
}

// writeStaged writes the document, which is not the file's own any more, to where
// the repaired file is wanted.
func (r *repairer) writeStaged(ctx context.Context) error {
	switch {
	case r.o.Path == "-":
		return r.SaveToOutput(ctx, r.doc, &r.o.Edit)
	case r.o.Path != "" && !flags.IsSameFile(r.o.Path, r.name):
		return r.SaveAs(ctx, r.doc, model.SaveOptions{Path: r.o.Path, Force: r.o.Force})
	}
	path := r.stage.next()
	if err := r.SaveAs(ctx, r.doc, model.SaveOptions{Path: path}); err != nil {
		return err
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	o := atomicfile.Options{Unchanged: func() error {
		if how := r.first.Changed(); how != "" && !r.o.Force {
			return errors.New(how + " since it was opened; saving now would lose what that did")
		}
		return nil
	}}
	if !r.o.NoBackup {
		o.Backup = r.name + "~"
	}
	return atomicfile.Replace(ctx, r.name, o, func(_ context.Context, to *os.File) error {
		_, err := io.Copy(to, from)
		return err
	})
}
