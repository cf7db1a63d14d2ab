package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"varview/decoder"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/model"
)

// A file is a document and what its file is called on the command line.
type file struct {
	*model.Document
	name string
}

// openFile opens a file to be looked at only, and finds out what it holds.
func (e *env) openFile(ctx context.Context, name string, t decoder.Thoroughness) (*file, error) {
	doc, err := e.openBound(ctx, name, t, model.Options{ReadOnly: true})
	return &file{doc, name}, err
}

// openBound opens a file for a command, which ends when ctx is done.
func (e *env) openBound(ctx context.Context, name string, t decoder.Thoroughness, o model.Options) (*model.Document, error) {
	o.Bound, o.Loader = true, e.loader()
	return e.openDocument(ctx, name, t, o)
}

// openDocument opens a file, or standard input for "-". The options of o that flags say
// are filled in.
func (e *env) openDocument(ctx context.Context, name string, t decoder.Thoroughness, o model.Options) (doc *model.Document, err error) {
	if err := e.open.check(); err != nil {
		return nil, err
	}
	given := e.open.options(t)
	given.Defer = o.Defer
	o.Options = given
	if o.Defer == 0 { // it is unpacked now
		done := e.progress(&o.Options, name)
		defer done()
	}
	if name == "-" {
		doc, err = model.OpenInput(ctx, e.stdin, o)
	} else {
		doc, err = model.Open(ctx, name, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	return doc, nil
}

// openInput opens what is read once, from a file or from standard input for "-".
func (e *env) openInput(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(source.Interruptible(ctx, e.stdin)), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, source.Plain(err))
	}
	return f, nil
}

// loader loads the schemas for Elephant's files.
func (e *env) loader() *model.SchemaLoader {
	if e.schemas == nil {
		e.schemas = model.NewSchemaLoader(e.open.schemas, func(err error) { e.tell("%v", err) })
	}
	return e.schemas
}

// close ends the use of the file. The error of what was done with it goes
// through here: the file's name is put before it, and a file that was changed
// meanwhile is one.
func (f *file) close(err *error) {
	if *err == nil {
		if what := f.Changed(); what != "" {
			*err = errors.New(what)
		}
	}
	if closed := f.Document.Close(); *err == nil {
		*err = closed
	}
	if *err != nil {
		*err = fmt.Errorf("%s: %w", displayName(f.name), *err)
	}
}

// checkWrappers reports the problems of the file as a whole and of its wrappers, and
// shows how far that is.
func (e *env) checkWrappers(ctx context.Context, f *file, report func(*span.Problem)) error {
	var p model.Progress
	done := e.watch(p.Share, "unpacking", f.name)
	defer done()
	return f.CheckWrappers(ctx, &p, func(x model.BufferFinding) bool {
		report(&x.Problem)
		return true
	})
}

// hasSchemas reports whether the values can be laid out by schemas, and refer to
// one another.
func (f *file) hasSchemas() bool { return f.Format == "elephant" }

// tellGuess tells about a file that is not what it is read as, is empty, or whose
// values cannot be had.
func (e *env) tellGuess(f *file) {
	switch {
	case f.Size() == 0:
		e.tell("%s: the file is empty", displayName(f.name))
	case f.Missing != nil:
		e.tell("%s: %s", displayName(f.name), f.missing())
	case f.IsForeign():
		e.tell("%s: this is no save or packet: %s", displayName(f.name), f.wrappedIn()+f.reading())
	case f.Confidence == decoder.Weak:
		e.tell("%s: nothing reads this without problems; read as %s", displayName(f.name), f.wrappedIn()+f.reading())
	}
}

// values reports that there are none to be read, and why.
func (f *file) values() error {
	if f.Missing != nil {
		return errors.New(f.missing())
	}
	return nil
}
