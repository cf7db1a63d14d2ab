package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/elephant/gml"
	"varview/decoder/source"
)

// A Change makes the options of a document other than they are.
type Change func(*Options)

// As reads the values in another dialect and framing; what is empty is detected.
func As(dialect, framing string) Change {
	return func(o *Options) { o.Dialect, o.Framing = dialect, framing }
}

// WithPassword opens what is encrypted with a password, which may be empty.
func WithPassword(password string) Change {
	return func(o *Options) { o.Password, o.Key = &password, nil }
}

// WithKey opens what is encrypted with a key of 32 bytes.
func WithKey(key []byte) Change {
	return func(o *Options) { o.Password, o.Key = nil, key }
}

// WithSchemas adds a GML file or folder, which goes before those there are.
func WithSchemas(path string) Change {
	return func(o *Options) {
		o.GML = append([]string{path}, slices.DeleteFunc(slices.Clone(o.GML), func(p string) bool { return p == path })...)
	}
}

// Reopen opens the same bytes anew with other options, and unpacks whatever they
// are wrapped in; p shows how far that is. Both documents are to be closed.
func (d *Document) Reopen(ctx context.Context, p *Progress, changes ...Change) (*Document, error) {
	done, err := d.use()
	if err != nil {
		return nil, err
	}
	defer done()
	o := d.changed(changes)
	if err := o.Check(); err != nil {
		return nil, err
	}
	return newDocument(ctx, d.file.file, d.path, o, p)
}

// Reload opens the file as it is now. Standard input cannot be opened again.
func (d *Document) Reload(ctx context.Context, p *Progress) (*Document, error) {
	if d.path == "-" {
		return nil, errors.New("standard input cannot be read again")
	}
	src, err := source.OpenFile(d.path)
	if err != nil {
		return nil, err
	}
	return newDocument(ctx, &shared{File: src}, d.path, d.changed(nil), p)
}

// changed are the document's options with changes. Nothing is put off: whoever
// opens a document again waits for it beside the program.
func (d *Document) changed(changes []Change) Options {
	o := d.options
	o.Defer = 0
	for _, change := range changes {
		change(&o)
	}
	return o
}

// CheckSchemas reports what is wrong with a GML file or folder that nothing can
// be read from.
func CheckSchemas(path string) error {
	library, err := gml.Load([]string{path})
	switch {
	case library.Len() > 0:
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s: no constructor is declared there", strings.TrimSpace(path))
}
