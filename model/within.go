package model

import (
	"bytes"
	"context"
	"os"

	"varview/decoder/detect"
	"varview/decoder/source"
	"varview/model/inspect"
)

// copyError says that a document is a copy of bytes inside another one.
type copyError struct{ of string }

func (e *copyError) Error() string { return "this is a copy of the bytes of " + e.of }

// Is implements errors.Is: a copy is read only.
func (e *copyError) Is(target error) bool { return target == ErrReadOnly }

// OpenWithin opens what a range holds as a document of its own, unpacked if it is packed. It
// can be read only, and has no path; its name says that it is the value at path in this
// document. It may run in the background.
func (d *Document) OpenWithin(ctx context.Context, r Range, path string) (*Document, error) {
	b, err := r.Bytes(ctx, new(Progress))
	if err != nil {
		return nil, err
	}
	src, err := source.Written(func(f *os.File) error { return inspect.Unpack(bytes.NewReader(b), f) })
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, "-", Options{ReadOnly: true, within: d.Name + ": " + path, GML: d.options.GML}, nil)
}

// IsSave reports whether the document is a save, as far as that can be told.
func (d *Document) IsSave() bool {
	return !d.IsForeign() && (len(d.Buffers) > 1 || d.Confidence != detect.Weak)
}
