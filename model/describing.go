package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/span"
	"varview/decoder/guess"
	"varview/decoder/wrap/own"
	"varview/internal/atomicfile"
)

var notInID = lazy.Regexp(`[^a-z0-9_]+`)

// Selected is the cursor of Describe where bytes are selected.
const Selected = -1

// Describe writes a field for bytes of buffer b, or those of the type at a cursor that is not Selected, into the description of the
// document, which begins if there is none, beside the file and with its name. The type may be "", for the one that the bytes look like. It returns the description, and what puts the file back.
func (d *Document) Describe(ctx context.Context, b *Buffer, at span.Span, cursor int64, name, typ string) (is format.Format, undo func() error, err error) {
	if at.Length == 0 {
		return nil, nil, errors.New("no bytes are selected")
	}
	by := d.described
	isNew := d.Description() == nil
	t := b.now.Load().tree
	if isNew {
		if d.options.within == nil && b != d.Buffers[0] { // in plain view in the file, which is described
			isAll := at == t.Region
			t = d.Buffers[0].now.Load().tree
			before := ownBefore(d.Layers[:b.Number])
			if at.Offset += before; isAll {
				at = t.Region
			}
			if cursor != Selected {
				cursor += before
			}
		}
		if by, err = d.beginDescription(ctx, b, chosenAt(at, cursor)); err != nil {
			return nil, nil, err
		}
	}
	w, ok := by.(format.Custom)
	if !ok || !isNew && b != d.Innermost() {
		return nil, nil, errors.New("only bytes that the description reads can be described")
	}
	file := w.Files()[0]
	was, err := os.ReadFile(file)
	if isNew {
		was = nil
	}
	text, errField := w.WithField(t.Source, t.Region, at, cursor, name, typ)
	if err = cmp.Or(errField, err); err == nil {
		err = writeDescription(ctx, file, text)
	}
	if err != nil {
		if isNew {
			os.Remove(file)
		}
		return nil, nil, err
	}
	is, err = w.Reread()
	return is, func() error { return putBack(file, text, was) }, err
}

// ownBefore returns how many bytes of the game's own are before what layers hold in plain view.
func ownBefore(layers []decoder.Layer) (n int64) {
	for _, l := range layers {
		n += own.Before(l.Layer)
	}
	return n
}

// chosenAt returns the bytes that are surely described: those that are selected, or the one at the cursor.
func chosenAt(at span.Span, cursor int64) span.Span {
	if cursor == Selected {
		return at
	}
	return span.Span{Offset: cursor, Length: 1}
}

// putBack writes what a description was before, nil for no file, in place of what it is unless somebody has changed it.
func putBack(file string, is, was []byte) error {
	now, err := os.ReadFile(file)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(now, is):
		return fmt.Errorf("%s has changed since", file)
	case was == nil:
		return os.Remove(file)
	}
	return writeDescription(context.Background(), file, was)
}

func writeDescription(ctx context.Context, file string, text []byte) error {
	return atomicfile.Replace(ctx, file, atomicfile.Options{}, func(_ context.Context, f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}

// Remember writes into the description what an edit has asked, so that it is kept from now on.
func Remember(ctx context.Context, c *edit.ChoiceError) error {
	file, text, err := c.Remember()
	if err != nil {
		return err
	}
	return writeDescription(ctx, file, text)
}

// Begun returns the file of the description that describing bytes of a stream has begun, for the document around it; "" for none.
func (d *Document) Begun() string {
	if d.options.within == nil {
		return ""
	}
	return d.options.within.begun
}

// beginDescription begins a description for what is in a buffer, beside the file, with what is noticed in the file
// and has to follow edits, apart from what is chosen.
func (d *Document) beginDescription(ctx context.Context, b *Buffer, chosen span.Span) (format.Format, error) {
	w := d.options.within
	switch {
	case w != nil && w.stream == nil:
		return nil, errNoDescription
	case w == nil && slices.ContainsFunc(d.Layers, func(l decoder.Layer) bool { return !own.IsBeside(l.Kind) }):
		return nil, errNoDescription
	case w == nil:
		return d.writeNoticed(chosen)
	}
	by, err := w.stream.writeNoticed(span.Span{})
	if err != nil {
		return nil, err
	}
	file := by.(format.Custom).Files()[0]
	inside, err := w.stream.readingInside(ctx, by, b)
	if err != nil {
		return nil, errors.Join(err, os.Remove(file))
	}
	w.begun = file
	return inside, nil
}

// readingInside returns the format that reads the bytes of buffer b as what a value of the document is unpacked from, by a
// description.
func (d *Document) readingInside(ctx context.Context, by format.Format, b *Buffer) (format.Format, error) {
	o := Options{ReadOnly: true}
	WithDescription(by)(&o)
	described, err := Open(ctx, d.path, o)
	if err != nil {
		return nil, err
	}
	// It stays open: the format that is returned reads the file around the bytes.
	outer, src := described.Innermost(), b.Tree().Source
	data, err := readAll(src)
	r := outer.Tree().NewReader()
	n, errRoot := r.Resolve("$")
	if err = errors.Join(err, errRoot); err != nil {
		return nil, err
	}
	for c, err := r.Child(n, 0); err == nil; c, err = r.Next(c) {
		if u, ok := outer.Unpacked(c); ok && bytes.Equal(u.Data, data) {
			return u.By, nil
		}
	}
	return nil, errors.New("a description cannot say how these bytes are packed")
}

var errNoDescription = errors.New("there is no description yet: varview ksy new begins one, and :ksy FILE reads by it")

// writeNoticed writes a description with what is noticed in the file and has to follow edits, apart from some bytes; nothing for a
// large one.
func (d *Document) writeNoticed(except span.Span) (format.Format, error) {
	f, err := d.ToGuess(mostNoticed)
	if err != nil {
		return nil, err
	}
	if f == nil {
		f = guess.Open(nil)
	}
	return d.writeFirst([]byte(guess.Begin(f, DescriptionID(d.path), except)))
}

// writeFirst writes the first text of a description beside the file.
func (d *Document) writeFirst(text []byte) (format.Format, error) {
	if d.Path() == "" {
		return nil, errNoDescription
	}
	base := strings.TrimSuffix(d.path, filepath.Ext(d.path))
	file := base + ".ksy"
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%s is there already: :ksy %s reads by it", file, file)
	} else if err != nil {
		return nil, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return decoder.ReadDescription(file, nil)
}

// DescriptionID returns the id of a description of a file, by the name of the file.
func DescriptionID(file string) string {
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	return strings.TrimSuffix("format_"+strings.Trim(notInID().ReplaceAllString(base, "_"), "_"), "_")
}
