package model

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"os"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/internal/atomicfile"
	"varview/model/inspect"
)

// A Range is a part of a buffer as it is now, whatever is edited later.
type Range struct {
	span.Span

	buffer *Buffer
	now    *tree.Tree // not its source: ranges are compared
}

// Range returns a part of the buffer.
func (b *Buffer) Range(s span.Span) Range { return Range{s, b, b.Tree()} }

// copyTo writes the bytes of the range.
func (r Range) copyTo(ctx context.Context, w io.Writer, p *Progress) error {
	done, err := r.buffer.doc.Use()
	if err != nil {
		return err
	}
	defer done()
	return copyTo(ctx, w, r.now.Source, r.Span, p.Set)
}

// Sums sums the bytes. It may run in the background.
func (r Range) Sums(ctx context.Context, p *Progress) (inspect.Sums, error) {
	s := inspect.NewSummer()
	err := r.copyTo(ctx, s, p)
	return s.Sums(), err
}

// MaxCopied is the number of bytes that can be copied or filled at once: the history, or
// the clipboard, keeps them all.
const MaxCopied = 64 << 20

// ErrManyBytes says that a range is too long for the memory.
var ErrManyBytes = fmt.Errorf("more than %s at once", span.Bytes(MaxCopied))

// Bytes reads the bytes. It may run in the background.
func (r Range) Bytes(ctx context.Context, p *Progress) ([]byte, error) {
	if r.Length > MaxCopied {
		return nil, fmt.Errorf("%w: :export-bytes FILE writes them to a file", ErrManyBytes)
	}
	var b bytes.Buffer
	err := r.copyTo(ctx, &b, p)
	return b.Bytes(), err
}

// Save writes the bytes to a file, which must not exist unless force is set. It may run in
// the background.
func (r Range) Save(ctx context.Context, path string, force bool, p *Progress) error {
	return atomicfile.Replace(ctx, path, atomicfile.Options{New: !force}, func(ctx context.Context, f *os.File) error {
		return r.copyTo(ctx, f, p)
	})
}

// Image reads the image that a range holds. It may run in the background.
func (r Range) Image() (image.Image, error) {
	done, err := r.buffer.doc.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	return inspect.Image(io.NewSectionReader(r.now.Source, r.Offset, r.Length))
}
