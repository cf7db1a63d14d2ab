package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"varview/internal/atomicfile"
	"varview/model"
)

// save writes an edited document. One that is as the file was is written only
// where that is another file.
func (e *env) save(ctx context.Context, doc *model.Document, name string, o *editFlags) error {
	if !doc.IsModified() {
		e.tell("%s: nothing changes", displayName(name))
		if o.out == "" || isSame(o.out, name) {
			return nil
		}
	}
	if o.out == "-" {
		return e.saveToOutput(ctx, doc, o)
	}
	return e.saveAs(ctx, doc, model.SaveOptions{Path: o.out, Unwrap: o.unwrap, Force: o.force})
}

// saveAs writes a document to a file.
func (e *env) saveAs(ctx context.Context, doc *model.Document, o model.SaveOptions) error {
	s, err := doc.Save(o)
	if err != nil {
		return err
	}
	var p model.Progress
	done := e.watch(p.Share, "saving", s.Path())
	err = s.Write(ctx, &p)
	done()
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path(), err)
	}
	doc.Saved(s)
	return nil
}

// saveToOutput writes a document to standard output, once it is whole.
func (e *env) saveToOutput(ctx context.Context, doc *model.Document, o *editFlags) error {
	folder, err := os.MkdirTemp("", "varview-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "out")
	if err := e.saveAs(ctx, doc, model.SaveOptions{Path: path, Unwrap: o.unwrap}); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(e.stdout, f)
	return err
}

// writeOut writes a file, which is whole or not there at all; to standard output
// for "-".
func (e *env) writeOut(ctx context.Context, o outFlags, write func(context.Context, io.Writer) error) error {
	if o.out == "-" {
		return write(ctx, e.stdout)
	}
	var options atomicfile.Options
	if !o.force {
		options.Unchanged = func() error { return absent(o.out) }
	}
	err := atomicfile.Replace(ctx, o.out, options, func(ctx context.Context, f *os.File) error {
		return write(ctx, f)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", o.out, err)
	}
	return nil
}
