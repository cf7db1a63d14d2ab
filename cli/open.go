package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"varview/decoder"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/model"
)

// A file is a document together with the file that it was opened from.
type file struct {
	*decoder.Document
	name    string
	src     *source.File
	options decoder.Options

	libraries []format.Schemas // that schemas are looked up in, once some are needed
}

// openSource opens a file, or standard input for "-".
func (e *env) openSource(ctx context.Context, name string) (*source.File, error) {
	var src *source.File
	var err error
	if name == "-" {
		src, err = source.Spool(interruptible{ctx, e.stdin})
	} else {
		src, err = source.OpenFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	return src, nil
}

// openInput opens what is read once, from a file or from standard input for "-".
func (e *env) openInput(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(interruptible{ctx, e.stdin}), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cause(err))
	}
	return f, nil
}

// openFile opens a file and finds out what it holds.
func (e *env) openFile(ctx context.Context, name string, t decoder.Thoroughness) (*file, error) {
	if err := e.open.check(); err != nil {
		return nil, err
	}
	src, err := e.openSource(ctx, name)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, src: src, options: e.open.options(t)}
	load := e.loader().For(name)
	f.options.Schemas = func() []format.Schemas {
		f.libraries = load()
		return f.libraries
	}
	if err := e.read(ctx, f); err != nil {
		src.Close()
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	return f, nil
}

// read opens the file's document by its options, in place of the one it has.
func (e *env) read(ctx context.Context, f *file) error {
	done := e.progress(&f.options, f.name)
	defer done()
	doc, err := decoder.Open(ctx, stoppable{ctx, f.src}, f.options)
	if err != nil {
		return err
	}
	if f.Document != nil {
		err = f.Document.Close()
	}
	f.Document = doc
	return err
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
		if what := f.src.Changed(); what != "" {
			*err = errors.New(what)
		}
	}
	if closed := f.Document.Close(); *err == nil {
		*err = closed
	}
	if *err != nil {
		*err = fmt.Errorf("%s: %w", displayName(f.name), *err)
	}
	f.src.Close()
}

// hasSchemas reports whether the values can be laid out by schemas, and refer to
// one another.
func (f *file) hasSchemas() bool { return f.Hints().Schemas }

// tellGuess tells about a file that is not what it is read as, is empty, or whose
// values cannot be had.
func (e *env) tellGuess(f *file) {
	switch {
	case f.src.Size() == 0:
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

// stoppable is a file that cannot be read any more when ctx is done, so that
// whatever reads it ends soon.
type stoppable struct {
	ctx context.Context
	*source.File
}

// ReadAt implements io.ReaderAt.
func (s stoppable) ReadAt(p []byte, off int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.File.ReadAt(p, off)
}

// interruptible is a reader that gives up waiting when ctx is done.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		b := make([]byte, len(p)) // p belongs to the caller once Read has returned
		n, err := i.r.Read(b)
		done <- result{b[:n], err}
	}()
	select {
	case r := <-done:
		return copy(p, r.data), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
